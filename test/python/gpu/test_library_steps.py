# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factors, systems and transforms of several launches: in checked mode, whatever the order of blocks, and with blocks
that run side by side."""

import os
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla

rng = np.random.default_rng(0)


def positive(count: int, n: int, element: type = np.float32) -> np.ndarray:
    x = rng.standard_normal((count, n, n)).astype(element)
    return x @ x.swapaxes(-1, -2) + n * np.eye(n, dtype=element)


def numbers(*dims: int) -> np.ndarray:
    return rng.standard_normal(dims).astype(np.float32)


def solve(a, b):
    return jax.lax.linalg.triangular_solve(a, b, left_side=True, lower=True)


#: By name: the function, its arguments, and how many launches it is.
CASES = {
    "factors of two tiles": (jnp.linalg.cholesky, [positive(2, 40)], 3),
    "factors of four tiles": (jnp.linalg.cholesky, [positive(3, 100, np.float64)], 5),
    "system of three tiles": (solve, [np.tril(positive(1, 70))[0], numbers(70, 37)], 4),
    "transform of a large length": (jnp.fft.fft, [numbers(2, 8192)], 2),
    "transform along three dimensions": (jnp.fft.fftn, [numbers(16, 32, 48)], 3),
    "real transform along two dimensions": (jnp.fft.rfft2, [numbers(3, 48, 64)], 2),
    "inverse transform along two dimensions": (jnp.fft.irfft2, [numbers(3, 48, 33)], 2),
    "transform of a prime length": (jnp.fft.fft, [numbers(3, 67)], 2),
}


def compiled(name: str) -> tuple[mlir_xla.Executable, mlir_xla.Executable, list[np.ndarray]]:
    function, arguments, _ = CASES[name]
    with jax.enable_x64(True):
        text = jax.jit(function).lower(*arguments).as_text()
    return mlir_xla.compile(text, target="cuda-emulated"), mlir_xla.compile(text, target="reference"), arguments


def check(name: str) -> None:
    """Twice: the second time is captured as a graph."""
    found, reference, arguments = compiled(name)
    want = np.asarray(reference(*arguments))
    for _ in range(2):
        np.testing.assert_allclose(np.asarray(found(*arguments)), want, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("name", CASES)
def test_results(name, checked):
    check(name)
    loops = compiled(name)[0].stages["loops"]
    assert len(re.findall(r"gpu.launch_func +@kernels::@library_\d", loops)) == CASES[name][2]


SIDE_BY_SIDE = """
import sys
sys.path.insert(0, sys.argv[1])
import test_library_steps
for name in test_library_steps.CASES:
    test_library_steps.check(name)
"""


@pytest.mark.parametrize("how", [{"CUDA_EMU_THREADS": "6"}, {"CUDA_EMU_CHECK": "1", "CUDA_EMU_SEED": "3"}])
def test_orders_of_blocks(how):
    """Six threads of the host have a block each; or blocks begin in another order."""
    script = [sys.executable, "-c", SIDE_BY_SIDE, os.path.dirname(__file__)]
    subprocess.run(script, check=True, env=os.environ | how, timeout=600)
