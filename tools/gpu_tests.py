# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs on a GPU what the tests run on the emulated one: `make test-gpu`.

    python tools/gpu_tests.py BUILD [WORD ...]        all, or those whose name contains a word
    XLA_RT_CUDA_LIBRARY=build/lib/libcuda-emu.so python tools/gpu_tests.py build

The second runs the same through the emulator instead of the driver. Exits with 3 if there is no GPU, with 1 if a test
fails.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "test" / "python"


def describe_device() -> str | None:
    """The GPU that is tested, after it has added two numbers; or None, having said why there is none."""
    import numpy as np

    import mlir_xla

    text = (
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n%0 = xla.add %x, %x : tensor<f32>\nreturn %0 : tensor<f32>}"
    )
    try:
        found = mlir_xla.devices("cuda")
        if not found:
            raise RuntimeError("the driver finds no device")
        if (answer := float(mlir_xla.compile(text, target="cuda")(np.float32(1)))) != 2:
            raise RuntimeError(f"the GPU finds that 1 + 1 is {answer}")
    except RuntimeError as error:
        print(f"There is no GPU that can be used here. {error}", file=sys.stderr)
        return None
    device = found[0]
    capability = ".".join(map(str, device.compute_capability))
    return f"{device.name}, compute capability {capability}, {device.multiprocessors} multiprocessors"


def commands(build: pathlib.Path) -> dict[str, list[str]]:
    """What is run, by name."""
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return {
        "run": [
            sys.executable,
            "-c",
            "from lit.main import main; main()",
            "-sv",
            "-Dcuda=1",
            str(build / "test" / "run"),
        ],
        "vectors": [*pytest, str(TESTS / "vectors"), "-k", "accepted"],
        "programs": [*pytest, str(TESTS / "api" / "test_programs.py"), "-k", "on_a_gpu"],
        "exported": [*pytest, str(TESTS / "api" / "test_exported_programs.py"), "-k", "test_program"],
        "linear-algebra": [*pytest, str(TESTS / "test_linear_algebra.py")],
        "random": [*pytest, str(TESTS / "random"), "-k", "not bytecode and not mutate and not signals"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    parser.add_argument("words", nargs="*", help="parts of names of what is run")
    settings = parser.parse_args()
    about = describe_device()
    if about is None:
        return 3
    print(about, flush=True)
    environment = os.environ | {"MLIR_XLA_TEST_TARGETS": "reference,cuda"}
    failed = []
    known = commands(settings.build.resolve())
    chosen = [name for name in known if not settings.words or any(word in name for word in settings.words)]
    if not chosen:
        parser.error(f"nothing has such a name; there are {', '.join(known)}")
    for name in chosen:
        command = known[name]
        print(f"\n=== {name}", flush=True)
        start = time.perf_counter()
        if subprocess.run(command, cwd=ROOT, env=environment).returncode:
            failed.append(name)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    print(f"\n{about}: {'failed: ' + ', '.join(failed) if failed else 'all passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
