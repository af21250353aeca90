# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batched loops, whose bodies ask again what their conditions have computed: each goes on as long as its own test says,
and its test is computed once."""

import numpy as np
import pytest

import mlir_xla


def program(rows, columns, carried):
    """Halves each row until the sum of its squares is below a bound; `carried` says whether the bound is."""
    x, sums, mask = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}xf32>", f"tensor<{rows}xi1>"
    test = f"""
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %q = stablehlo.multiply %a, %a : {x}
      %s = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1]
        : ({x}, tensor<f32>) -> {sums}
      %m = stablehlo.compare GT, %s, %{"b" if carried else "bound"} : ({sums}, {sums}) -> {mask}
    """
    return f"""
    func.func @main(%x: {x}, %bound: {sums}) -> ({x}, {sums}) {{
      %r:2 = stablehlo.while(%a = %x, %b = %bound) : {x}, {sums}
        cond {{
          {test}
          %no = stablehlo.constant dense<false> : tensor<i1>
          %any = stablehlo.reduce(%m init: %no) applies stablehlo.or across dimensions = [0]
            : ({mask}, tensor<i1>) -> tensor<i1>
          stablehlo.return %any : tensor<i1>
        }} do {{
          {test}
          %half = stablehlo.constant dense<0.5> : {x}
          %h = stablehlo.multiply %a, %half : {x}
          %w = stablehlo.broadcast_in_dim %m, dims = [0] : ({mask}) -> tensor<{rows}x{columns}xi1>
          %n = stablehlo.select %w, %h, %a : tensor<{rows}x{columns}xi1>, {x}
          stablehlo.return %n, %b : {x}, {sums}
        }}
      return %r#0, %r#1 : {x}, {sums}
    }}"""


@pytest.mark.parametrize("rows, columns", [(1, 5), (37, 7), (64, 33), (3, 300)])
@pytest.mark.parametrize("carried", [False, True])
def test_rows_go_on_by_themselves(rows, columns, carried):
    rng = np.random.default_rng(5)
    x = rng.integers(-64, 65, (rows, columns)).astype(np.float32)
    bound = 2.0 ** rng.integers(-3, 20, rows).astype(np.float32)
    text = program(rows, columns, carried)
    want = mlir_xla.compile(text, target="reference")(x, bound)
    for threads in (1, 2):
        for features in ("", "-avx512f"):
            exe = mlir_xla.compile(text, threads=threads, features=features)
            for one, other in zip(exe(x, bound), want, strict=True):
                np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    # The squares are summed in the condition alone.
    assert exe.stages["kernels"].count("arith.addf") == 1


def test_no_iteration():
    x, bound = np.ones((8, 4), np.float32), np.full(8, 9, np.float32)
    exe = mlir_xla.compile(program(8, 4, True))
    np.testing.assert_array_equal(np.asarray(exe(x, bound)[0]), x)


def test_nested_loops():
    """The inner loop's test of each turn of the outer one."""
    text = """
    func.func @main(%x: tensor<9x5xf32>) -> tensor<9x5xf32> {
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %c3 = stablehlo.constant dense<3> : tensor<i32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %no = stablehlo.constant dense<false> : tensor<i1>
      %two = stablehlo.constant dense<2.0> : tensor<9x5xf32>
      %most = stablehlo.constant dense<100.0> : tensor<9xf32>
      %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<9x5xf32>
        cond {
          %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %t = stablehlo.while(%a = %y) : tensor<9x5xf32>
            cond {
              %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
                : (tensor<9x5xf32>, tensor<f32>) -> tensor<9xf32>
              %m = stablehlo.compare LT, %s, %most : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
              %any = stablehlo.reduce(%m init: %no) applies stablehlo.or across dimensions = [0]
                : (tensor<9xi1>, tensor<i1>) -> tensor<i1>
              stablehlo.return %any : tensor<i1>
            } do {
              %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
                : (tensor<9x5xf32>, tensor<f32>) -> tensor<9xf32>
              %m = stablehlo.compare LT, %s, %most : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
              %w = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<9xi1>) -> tensor<9x5xi1>
              %d = stablehlo.multiply %a, %two : tensor<9x5xf32>
              %n = stablehlo.select %w, %d, %a : tensor<9x5xi1>, tensor<9x5xf32>
              stablehlo.return %n : tensor<9x5xf32>
            }
          %four = stablehlo.constant dense<4.0> : tensor<9x5xf32>
          %u = stablehlo.divide %t, %four : tensor<9x5xf32>
          %j = stablehlo.add %i, %c1 : tensor<i32>
          stablehlo.return %j, %u : tensor<i32>, tensor<9x5xf32>
        }
      return %r#1 : tensor<9x5xf32>
    }"""
    x = np.random.default_rng(5).integers(1, 9, (9, 5)).astype(np.float32)
    want = np.asarray(mlir_xla.compile(text, target="reference")(x))
    for threads in (1, 2):
        np.testing.assert_array_equal(np.asarray(mlir_xla.compile(text, threads=threads)(x)), want)
