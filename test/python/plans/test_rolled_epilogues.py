# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long computations behind a reduction, which loop over its results and read their constants from the stack: of types
that are bytes in memory, too."""

import numpy as np
import pytest
from comparison import difference

import mlir_xla


def program(element: str) -> str:
    result = f"tensor<17x7x{element}>"
    return f"""func.func @main(%x: tensor<17x7xf32>, %y: tensor<17x7xf32>) -> (tensor<17x7xf32>, {result}, {result}) {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %m = "stablehlo.select_and_scatter"(%x, %x, %z) <{{window_dimensions = array<i64: 3, 1>,
          window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }}, {{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) : (tensor<17x7xf32>, tensor<17x7xf32>, tensor<f32>) -> tensor<17x7xf32>
      %n = stablehlo.multiply %m, %y : tensor<17x7xf32>
      %c = stablehlo.convert %n : (tensor<17x7xf32>) -> {result}
      %e = stablehlo.compare EQ, %c, %c : ({result}, {result}) -> tensor<17x7xi1>
      %one = stablehlo.constant dense<1.0> : {result}
      %v = stablehlo.select %e, %c, %one : tensor<17x7xi1>, {result}
      return %m, %c, %v : tensor<17x7xf32>, {result}, {result}
    }}"""


@pytest.mark.parametrize("element", ["f8E5M2", "f8E4M3FN", "f8E4M3B11FNUZ", "bf16", "f32"])
def test_constants_of_a_long_epilogue(element):
    generator = np.random.default_rng(3)
    x, y = generator.normal(size=(2, 17, 7)).astype(np.float32)
    y[3, 3] = np.nan
    have, want = (mlir_xla.compile(program(element), target=target)(x, y) for target in ("cpu", "reference"))
    for found, expected in zip(have, want, strict=True):
        assert not difference(found, expected)
