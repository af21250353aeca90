# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make test-gpu` and `make bench-gpu`: on the emulator under the driver's name, and where there is no GPU; and
`make test-gpu-checked`."""

import importlib.util
import os
import re
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


def gpu_tests():
    spec = importlib.util.spec_from_file_location("gpu_tests", ROOT / "tools" / "gpu_tests.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its data classes look
    spec.loader.exec_module(module)
    return module


def test_checked(capsys):
    """A suite of run tests; what lacks a barrier; and what runs no kernel, of which nothing is known."""
    script = gpu_tests()
    run = script.commands(BUILD, is_checked=True)["run"]

    def noting(text, status=0):
        code = f"import os; open(os.environ['CUDA_EMU_JOURNAL'], 'w').write({text!r}); raise SystemExit({status})"
        return [sys.executable, "-c", code]

    chosen = {
        "run": [*run, "--filter=run/sort"],
        "race": noting("kernel 12 k shared\nfinding a race\n"),
        "nothing": noting(""),
        "broken": noting("kernel 12 k alone\n", status=1),
    }
    assert sorted(script.run_checked(chosen, jobs=1)) == ["broken", "nothing (no kernel ran)", "race"]
    said = capsys.readouterr().out
    assert re.search(r"^run: [1-9]\d* programs, [1-9]\d* kernels, \d+ of them .*, 0 findings$", said, re.MULTILINE)
    assert "race: 1 programs, 1 kernels, 1 of them" in said and "  a race\n" in said
    assert re.search(r"^all: .*, 1 findings$", said, re.MULTILINE)


def test_checked_files_have_processes_of_their_own():
    """What makes mutants is not among them."""
    script = gpu_tests()
    names = [Path(piece[-1]).stem for piece in script.pieces(script.commands(BUILD, is_checked=True)["kernels"])]
    assert "test_blocks" in names and "test_mutants" not in names
