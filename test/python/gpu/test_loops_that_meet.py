# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose kernels meet in blocks of different sizes are one kernel: smaller blocks are its first threads."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from test_small_loops import agree, is_one_launch

pytestmark = pytest.mark.usefixtures("checked")

#: A sort has a block of 256 threads, a triangular system one of 64, and both have shared memory.
SYSTEMS = """
func.func @main(%m: tensor<{n}x{n}xf32>, %c: tensor<1x{n}xf32>) -> tensor<1x{n}xf32> {{
  %zero = xla.constant dense<0> : tensor<i32>
  %r:2 = xla.while(%i = %zero, %v = %c) : tensor<i32>, tensor<1x{n}xf32>
  cond {{
    %end = xla.constant dense<5> : tensor<i32>
    %p = xla.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %p : tensor<i1>
  }} do {{
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %s = "xla.sort"(%v) ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %lt = xla.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      xla.return %lt : tensor<i1>
    }}) {{dimension = 1 : i64, is_stable = true}} : (tensor<1x{n}xf32>) -> tensor<1x{n}xf32>
    %t = xla.reshape %s : (tensor<1x{n}xf32>) -> tensor<{n}x1xf32>
    %x = "xla.triangular_solve"(%m, %t) {{left_side = true, lower = true, unit_diagonal = false,
      transpose_a = #xla<transpose NO_TRANSPOSE>}} : (tensor<{n}x{n}xf32>, tensor<{n}x1xf32>) -> tensor<{n}x1xf32>
    %y = xla.reshape %x : (tensor<{n}x1xf32>) -> tensor<1x{n}xf32>
    %u = xla.cosine %y : tensor<1x{n}xf32>
    xla.return %j, %u : tensor<i32>, tensor<1x{n}xf32>
  }}
  return %r#1 : tensor<1x{n}xf32>
}}"""


@pytest.mark.parametrize("n", [7, 16, 30])
def test_sizes_of_blocks(n):
    draw = np.random.default_rng(n)
    matrix = np.tril(draw.standard_normal((n, n)) / n + 2 * np.eye(n)).astype(np.float32)
    loops = agree(SYSTEMS.format(n=n), matrix, draw.standard_normal((1, n)).astype(np.float32), tolerance=1e-4)
    assert is_one_launch(loops) and "_of_first_64" in loops


def test_systems_by_lu():
    """With the exchanges of rows that JAX makes of pivots, in a loop of their own."""
    draw = np.random.default_rng(3)
    a = (5 * np.eye(6)[draw.permutation(6)] + draw.standard_normal((6, 6))).astype(np.float32)
    b = draw.standard_normal((6, 2)).astype(np.float32)

    def steps(a, b):
        return lax.fori_loop(0, 4, lambda i, x: jnp.linalg.solve(a + jnp.sin(x) @ jnp.cos(x).T, jnp.cos(x)), b)

    loops = agree(jax.jit(steps).lower(a, b).as_text(), a, b, tolerance=1e-4)
    assert is_one_launch(loops) and "xla_rt_gpu_lu_small_s" in loops
