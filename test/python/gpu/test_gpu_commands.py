# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make test-gpu` and `make bench-gpu`: on the emulator under the driver's name, and where there is no GPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mlir_xla

ROOT = Path(__file__).resolve().parents[3]


# Not resolved: the files of the package are links to the sources.
BUILD = Path(mlir_xla.__file__).parents[2]
EMULATOR = BUILD / "lib" / "libcuda-emu.so"


def run(script, *arguments, library):
    environment = os.environ | {"XLA_RT_CUDA_LIBRARY": str(library)}
    command = [sys.executable, ROOT / script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("script", ["tools/gpu_tests.py", "benchmarks/compare_gpu.py"])
def test_without_a_gpu(script, tmp_path):
    found = run(script, tmp_path, library=tmp_path / "none.so")
    assert (found.returncode, found.stdout) == (3, "")
    assert found.stderr.startswith("There is no GPU that can be used here.") and "none.so" in found.stderr


def test_measurements():
    found = run(
        "benchmarks/compare_gpu.py", "dot_8", "--peer=xla-process", "--rounds=2", "--compiles=1", library=EMULATOR
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "mlir_xla-cuda" in found.stdout and "dot_8" in found.stdout and "FAILED" not in found.stdout


def test_tests():
    found = run("tools/gpu_tests.py", BUILD, "nothing", library=EMULATOR)
    assert found.returncode == 2 and "emulated sm_90" in found.stdout and "vectors" in found.stderr
