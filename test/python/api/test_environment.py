# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that variables of the environment do not take are errors where they are read; those of the emulator's own are
in `test/emulator/environment.test`."""

import os
import subprocess
import sys

import numpy as np
import pytest

import mlir_xla
from mlir_xla._mlir_libs._xla import compiler

SUM = """
func.func @main(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = xla.exponential %x : tensor<1000x1000xf32>
  return %0 : tensor<1000x1000xf32>
}"""


@pytest.fixture
def default_threads():
    """The number of threads is not known yet, and is what it was afterwards."""
    before = compiler.num_threads()
    compiler.set_num_threads(0)
    yield
    compiler.set_num_threads(before)


@pytest.mark.parametrize("value", ["many", "0", "-2", "3x", "257", " 4", "99999999999999999999", "0x"])
def test_threads(value, default_threads, monkeypatch):
    monkeypatch.setenv("XLA_RT_NUM_THREADS", value)
    message = f"the environment variable XLA_RT_NUM_THREADS is '{value}'; it has to be an integer from 1 to 256"
    x = np.ones((1000, 1000), np.float32)
    program = mlir_xla.compile(SUM, threads=2)
    with pytest.raises(RuntimeError, match=message):
        program(x)
    with pytest.raises(ValueError, match=message):
        compiler.num_threads()
    # Once it is right, everything is.
    monkeypatch.setenv("XLA_RT_NUM_THREADS", "0x2")
    np.testing.assert_allclose(program(x), np.exp(x), rtol=1e-6)
    assert compiler.num_threads() == 2


def test_no_value_is_the_default(default_threads, monkeypatch):
    monkeypatch.setenv("XLA_RT_NUM_THREADS", "")
    assert compiler.num_threads() >= 1


ELSEWHERE = """
import sys
import numpy as np
import mlir_xla
from mlir_xla import *
b = XlaBuilder("u")
zero, one = (b.constant(np.float32(x)) for x in (0, 1))
uniform = str(b.build(ops.RngUniform(zero, one, Shape(np.float32, (4,)))))
plain = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
for target, text, arguments in (
    ("cpu", uniform, []), ("reference", uniform, []), ("cuda-emulated", plain, [np.float32(1)])
):
    try:
        mlir_xla.compile(text, target=target)(*arguments)
        print(target, "nothing")
    except Exception as error:
        print(target, type(error).__name__, error)
mlir_xla.set_random_seed(3)  # not read then
mlir_xla.compile(uniform)()
"""


@pytest.mark.parametrize("flag", ["XLA_RT_CUDA_SYNC", "XLA_RT_CUDA_OVERLAP"])
def test_seeds_and_flags(flag):
    """Each is read once in a process."""
    variables = {"XLA_RT_RANDOM_SEED": "seven", flag: "yes"}
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    seed = f"the environment variable XLA_RT_RANDOM_SEED is 'seven'; it has to be an integer from 0 to {2**64 - 1}"
    assert lines[0].startswith("cpu RuntimeError") and seed in lines[0]
    assert lines[1].startswith("reference ") and seed in done.stdout.partition("reference ")[2]
    assert f"the environment variable {flag} is 'yes'; it has to be an integer from 0 to 1" in lines[-1]


def test_verification():
    """An error of the program's compilation, and no bug of the compiler."""
    script = "import mlir_xla; mlir_xla.compile('func.func @main() { return }')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"MLIR_XLA_VERIFY_EACH": "maybe"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "the environment variable MLIR_XLA_VERIFY_EACH is 'maybe'; it has to be 0 or 1" in done.stderr
    assert "internal" not in done.stderr


def test_launches_of_the_emulator(monkeypatch):
    """What is read with each launch, here an order of threads: the device is as good as before afterwards."""
    program = mlir_xla.compile(SUM, target="cuda-emulated")
    x = np.ones((1000, 1000), np.float32)
    program(x)
    monkeypatch.setenv("CUDA_EMU_SEED", "first")
    message = "the environment variable CUDA_EMU_SEED is 'first'; it has to be an integer from 0 to 4294967295"
    with pytest.raises(RuntimeError, match=message):
        program(x)
    monkeypatch.delenv("CUDA_EMU_SEED")
    np.testing.assert_allclose(program(x), np.exp(x), rtol=1e-6)
