# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process that loses its GPU: a kernel fails and takes the context with it. That call and all later ones are errors
that say what happened; nothing hangs or aborts, and a worker of the tests ends so that the others go on in a new one.
The emulator has the launch fail (`CUDA_EMU_FAIL_LAUNCH`)."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from test_device_arrays import emulator

LOSES = """
import numpy as np
import mlir_xla
from mlir_xla import device_put

negate = mlir_xla.compile('''func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = xla.negate %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}''', target="cuda")
sine = mlir_xla.compile('''func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = xla.sine %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}''', target="cuda")
x = np.arange(5, dtype=np.float32)
there = device_put(x, "cuda:0")
# The first call is enqueued, the second one captured, and the others are launches of a graph.
for _ in range(FAILING - 1):
    np.testing.assert_array_equal(negate(x), -x)


def message(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)
    raise AssertionError(call)


first = message(lambda: negate(x))
assert "kernel 'elementwise_0' (elementwise_0 at -:2:8) failed: CUDA_ERROR_ILLEGAL_ADDRESS" in first, first
assert "fails as CUDA_EMU_FAIL_LAUNCH says" in first, first
calls = {
    "the same program": lambda: negate(x),
    "another program": lambda: sine(x),
    "a program loaded later": lambda: mlir_xla.compile('''func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
      %0 = xla.cosine %x : tensor<5xf32>
      return %0 : tensor<5xf32>
    }''', target="cuda")(x),
    "an array that is there": lambda: np.asarray(there),
    "an array that is put there": lambda: device_put(x, "cuda:0"),
    "a call with an array that is there": lambda: sine(there),
}
for what, call in calls.items():
    for _ in range(2):
        later = message(call)
        assert "cannot be used any more in this process" in later, (what, later)
        assert "kernel 'elementwise_0' (elementwise_0 at -:2:8) failed" in later, (what, later)
there.delete()
# What needs no GPU goes on.
np.testing.assert_array_equal(mlir_xla.compile(NEGATE)(x), -x)
print("ok")
"""
NEGATE = """func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = xla.negate %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}"""


def environment(launch: int, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CUDA_EMU_", "PYTEST_"))}
    return kept | {"XLA_RT_CUDA_LIBRARY": emulator(), "CUDA_EMU_FAIL_LAUNCH": str(launch)} | more


@pytest.mark.parametrize("launch", [1, 2, 3, 5])
@pytest.mark.parametrize("more", [{}, {"CUDA_EMU_STREAMS": "late"}, {"XLA_RT_CUDA_SYNC": "1"}])
def test_later_calls_say_what_happened(launch, more):
    script = f"FAILING = {launch}\nNEGATE = '''{NEGATE}'''\n{LOSES}"
    run = subprocess.run(
        [sys.executable, "-c", script], env=environment(launch, **more), capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0 and run.stdout == "ok\n", run.stderr


TESTS = """
import os

import numpy as np
import pytest

import mlir_xla

NEGATE = '''func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = xla.negate %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}'''


@pytest.mark.parametrize("calls", [1, 3, 1, 2])
def test_calls(calls):
    print("process", os.getpid())
    x = np.arange(5, dtype=np.float32)
    compiled = mlir_xla.compile(NEGATE, target="cuda")
    for _ in range(calls):
        np.testing.assert_array_equal(compiled(x), -x)
"""


def test_workers_that_lost_it_end(tmp_path):
    """Of four tests the second one loses the GPU: the two that follow run in another process, and pass."""
    pytest.importorskip("xdist")
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    ours = pathlib.Path(__file__).resolve().parents[1] / "conftest.py"
    (tmp_path / "conftest.py").write_text(ours.read_text())
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "1", "-rA", "-p", "no:cacheprovider", str(tmp_path)],
        env=environment(4, MLIR_XLA_TEST_TARGETS="cuda"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    # The test that lost it is reported twice: it failed, and its process ended.
    failed = [line for line in run.stdout.splitlines() if line.startswith("FAILED")]
    assert failed and all("test_calls[3]" in line for line in failed), run.stdout
    assert "3 passed" in run.stdout.splitlines()[-1], run.stdout
    processes = re.findall(r"^process (\d+)$", run.stdout, re.MULTILINE)
    assert len(set(processes)) == 2, run.stdout
    assert "CUDA_ERROR_ILLEGAL_ADDRESS" in run.stdout and "CUDA_EMU_FAIL_LAUNCH" in run.stdout, run.stdout
