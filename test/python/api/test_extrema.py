# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Largest and smallest elements of rows, which are folded as integers: NaN, signs of zeros, subnormals, infinities."""

import numpy as np
import pytest

import mlir_xla

PROGRAM = """
func.func @main(%x: tensor<64x{size}x{element}>) -> tensor<64x{element}> {{
  %init = xla.constant dense<{init}> : tensor<{element}>
  %0 = xla.reduce(%x init: %init) applies xla.{op} across dimensions = [1]
      : (tensor<64x{size}x{element}>, tensor<{element}>) -> tensor<64x{element}>
  return %0 : tensor<64x{element}>
}}
"""
INFINITY = {"f32": "0x7F800000", "f64": "0x7FF0000000000000"}
NEGATIVE = {"f32": "0xFF800000", "f64": "0xFFF0000000000000"}
SPECIAL = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, -np.nan, 1e-40, -1e-40, 3.5, -2.25]
CHANCES = [0.2, 0.2, 0.1, 0.1, 0.02, 0.02, 0.005, 0.005, 0.1, 0.1, 0.075, 0.075]


@pytest.mark.parametrize("cpu", ["", "haswell", "x86-64"])
@pytest.mark.parametrize("size", [5, 16, 33, 64])
@pytest.mark.parametrize("op", ["maximum", "minimum"])
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_extrema_of_rows(element, op, size, cpu):
    init = (NEGATIVE if op == "maximum" else INFINITY)[element]
    text = PROGRAM.format(size=size, element=element, op=op, init=init)
    rng = np.random.default_rng(size)
    x = rng.choice(np.array(SPECIAL), (64, size), p=CHANCES).astype({"f32": np.float32, "f64": np.float64}[element])
    found, expected = mlir_xla.compile(text, cpu=cpu)(x), mlir_xla.compile(text, target="reference")(x)
    np.testing.assert_array_equal(found, expected)  # NaN in the same places
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))
