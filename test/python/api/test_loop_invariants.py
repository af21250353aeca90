# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops compute once what all iterations have in common, and the same as before."""

import numpy as np

import mlir_xla

STEP = """
      %one = stablehlo.constant dense<1> : tensor<i32>
      %zeros = stablehlo.constant dense<0.0> : tensor<20xf32>
      %m = stablehlo.dot_general %w, %w, contracting_dims = [1] x [0]
        : (tensor<20x20xf32>, tensor<20x20xf32>) -> tensor<20x20xf32>
      %q = stablehlo.dot_general %m, %p, contracting_dims = [1] x [0]
        : (tensor<20x20xf32>, tensor<20xf32>) -> tensor<20xf32>
      %taken = "stablehlo.gather"(%q, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<20xf32>, tensor<100x1xi32>) -> tensor<100xf32>
      %far = stablehlo.negate %i : tensor<100x1xi32>
      %places = stablehlo.add %far, %last : tensor<100x1xi32>
      %s = "stablehlo.scatter"(%zeros, %places, %taken) <{scatter_dimension_numbers = #stablehlo.scatter<
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<20xf32>, tensor<100x1xi32>, tensor<100xf32>) -> tensor<20xf32>
      %tenth = stablehlo.constant dense<0.125> : tensor<20xf32>
      %next = stablehlo.multiply %s, %tenth : tensor<20xf32>
      %n = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %n, %next : tensor<i32>, tensor<20xf32>"""


def test_invariants():
    def program(steps):
        return f"""
  func.func @main(%w: tensor<20x20xf32>, %i: tensor<100x1xi32>, %x: tensor<20xf32>) -> tensor<20xf32> {{
    %last = stablehlo.constant dense<19> : tensor<100x1xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%k = %zero, %p = %x) : tensor<i32>, tensor<20xf32>
    cond {{
      %end = stablehlo.constant dense<{steps}> : tensor<i32>
      %c = stablehlo.compare LT, %k, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{{STEP}
    }}
    return %r#1 : tensor<20xf32>
  }}"""

    rng = np.random.default_rng(7)
    w = rng.integers(-1, 2, (20, 20)).astype(np.float32)
    i = rng.integers(0, 20, (100, 1)).astype(np.int32)
    x = rng.integers(-2, 3, 20).astype(np.float32)
    for steps in (0, 1, 3):
        want = x.astype(np.float64)
        for _ in range(steps):
            taken = (w @ w @ want)[i[:, 0]]
            want = np.zeros(20)
            np.add.at(want, 19 - i[:, 0], taken)
            want *= 0.125
        got = np.asarray(mlir_xla.compile(program(steps))(w, i, x))
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-3)
