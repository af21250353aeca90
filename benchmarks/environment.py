# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The newest XLA in an environment of its own, for the CPU and for GPUs.

New versions of jaxlib need newer Pythons than the one that runs this project's tests. So the newest Python that is
installed gets a virtual environment with the newest JAX, beside the project's own, and the peer runs there as a process
(`worker.py`). Made once; delete the folder to have it made anew.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv-newest"
CUDA_FOLDER = ROOT / ".venv-cuda"
TORCH_FOLDER = ROOT / ".venv-torch"
# jaxlib 0.11 and later have no wheels for older Pythons.
LEAST = 12
# What no Python has reached yet.
MOST = 30


class Unavailable(Exception):
    """There is no such environment here, and why."""


def clean_environment() -> dict[str, str]:
    """The environment variables for another Python: without what leads to this one's modules."""
    return {key: each for key, each in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}


def _answer(*command: str | os.PathLike) -> str:
    """What a command prints; nothing if it fails."""
    try:
        found = subprocess.run(
            command, capture_output=True, text=True, check=False, env=clean_environment(), timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def _named(name: str) -> Iterator[pathlib.Path]:
    """Interpreters of that name: on the path, then those that pyenv has without having put them there."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = pathlib.Path(folder or ".", name)
        if path.is_file() and os.access(path, os.X_OK):
            yield path
    if shutil.which("pyenv"):
        for version in reversed(_answer("pyenv", "whence", name).split()):
            yield pathlib.Path(_answer("pyenv", "prefix", version), "bin", name)


def newest_python() -> pathlib.Path | None:
    """The newest Python that runs and can make environments; none if all are too old for the newest jaxlib."""
    for minor in range(MOST, max(LEAST, sys.version_info.minor) - 1, -1):
        for path in _named(f"python3.{minor}"):
            # A name on the path may be a shim, which runs nothing unless a version is chosen.
            if _answer(path, "-c", "import ensurepip, sys, venv; print(sys.version_info.minor)") == str(minor):
                return path
    return None


def newest_environment(folder: pathlib.Path = FOLDER) -> pathlib.Path:
    """The interpreter of the environment with the newest JAX; makes it if need be, which takes the package index.

    Raises Unavailable if there is no Python for it, or it cannot be made.
    """
    python = newest_python()
    if python is None:
        raise Unavailable(f"no Python 3.{LEAST} or later that runs is installed, and the newest jaxlib needs one")
    return _environment(folder, python, ["jax", "numpy"])


def cuda_environment(folder: pathlib.Path = CUDA_FOLDER) -> pathlib.Path:
    """Likewise with JAX for the GPUs of NVIDIA that this machine has, and CUDA's libraries (gigabytes).

    The driver's version decides which CUDA. This interpreter has to do if there is no newer one. Where the package
    index cannot be reached, the environment variable MLIR_XLA_CUDA_PYTHON names an interpreter that has JAX for CUDA.
    """
    if given := os.environ.get("MLIR_XLA_CUDA_PYTHON"):
        return pathlib.Path(given)
    return _environment(
        folder, newest_python() or pathlib.Path(sys.executable), [_cuda_jax(_driver_version()), "numpy"]
    )


def ahead_of_time_environment(folder: pathlib.Path = CUDA_FOLDER) -> pathlib.Path:
    """The same where no GPU is: JAX compiles for one that is only described to it."""
    try:
        return cuda_environment(folder)
    except Unavailable:
        return _environment(folder, newest_python() or pathlib.Path(sys.executable), ["jax[cuda12]", "numpy"])


def torch_environment(folder: pathlib.Path = TORCH_FOLDER) -> pathlib.Path:
    """Likewise with the newest PyTorch, whose wheel for Linux brings CUDA's libraries along (5 gigabytes)."""
    return _environment(folder, newest_python() or pathlib.Path(sys.executable), ["torch", "jax", "numpy"])


def _driver_version() -> int:
    """The newest CUDA that the driver is for: 12040 is 12.4."""
    try:
        driver = ctypes.CDLL(os.environ.get("XLA_RT_CUDA_LIBRARY") or "libcuda.so.1")
    except OSError as error:
        raise Unavailable(f"there is no driver for a GPU: {error}") from None
    version = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDriverGetVersion(ctypes.byref(version)):
        raise Unavailable("the driver does not find a GPU")
    return version.value


def _cuda_jax(driver: int) -> str:
    """The package for a driver."""
    return "jax[cuda13]" if driver >= 13000 else "jax[cuda12]"


def _environment(folder: pathlib.Path, python: pathlib.Path, packages: list[str]) -> pathlib.Path:
    version = "\n".join([_answer(python, "-c", "import sys; print(sys.version)"), *packages])
    inside, stamp = folder / "bin" / "python", folder / "complete"
    if stamp.is_file() and stamp.read_text() == version and _answer(inside, "-c", "print(1)"):
        return inside
    print(f"making {folder.name} with {python.name} and the newest {packages[0]} ...", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in ([python, "-m", "venv", folder], [*pip, *packages]):
        found = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment())
        if found.returncode:
            raise Unavailable(f"'{' '.join(map(str, command[1:4]))}' failed: {found.stderr.strip()[-300:]}")
    stamp.write_text(version)
    return inside
