# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the device's library whose threads share work: the emulator's checks find nothing, whatever the order of
the threads."""

import mutants
import numpy as np
import pytest

import mlir_xla


@pytest.mark.parametrize("name", mutants.LIBRARY)
def test_nothing_is_found(name):
    assert mutants.run(mutants.LIBRARY[name]) == ""


@pytest.mark.parametrize(
    "dims, right",
    [((15, 15), (15, 130)), ((5, 20, 20), (5, 20, 3)), ((6, 7, 7), (6, 7, 2)), ((8200, 2, 2), (8200, 2, 1))],
)
def test_small_systems_and_factors_have_a_block_each(dims, right):
    """Of 64 threads, which is fewer than other kernels' blocks have. Of many that are tiny, each is a thread's."""
    n, a, b = dims[-1], *("x".join(map(str, each)) + "xf32" for each in (dims, right))
    text = f"""
    func.func @main(%a: tensor<{a}>, %b: tensor<{b}>) -> tensor<{b}> {{
      %l = xla.cholesky %a, lower = true : tensor<{a}>
      %x = "xla.triangular_solve"(%l, %b) <{{left_side = true, lower = true, unit_diagonal = false,
          transpose_a = #xla<transpose NO_TRANSPOSE>}}> : (tensor<{a}>, tensor<{b}>) -> tensor<{b}>
      return %x : tensor<{b}>
    }}"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(dims).astype(np.float32)
    arguments = [
        x @ x.swapaxes(-1, -2) + n * np.eye(n, dtype=np.float32),
        rng.standard_normal(right).astype(np.float32),
    ]
    want = mlir_xla.compile(text, target="reference")(*arguments)
    found = mlir_xla.compile(text, target="cuda-emulated")(*arguments)
    np.testing.assert_allclose(np.asarray(found), np.asarray(want), rtol=1e-4, atol=1e-5)
