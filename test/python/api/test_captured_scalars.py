# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computations that read a scalar argument of a function whose other arguments change their types: unsigned integers
become signless ones."""

import numpy as np
import pytest
from vector_cases import TARGETS

import mlir_xla

BYTE, BYTES = "tensor<ui8>", "tensor<3xui8>"
SCATTER = "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
OPERATIONS = {
    "map": f"""stablehlo.map"(%x) <{{dimensions = array<i64: 0>}}> ({{
      ^bb0(%a: {BYTE}):
        %s = stablehlo.add %a, %y : {BYTE}
        stablehlo.return %s : {BYTE}
      }}) : ({BYTES}) -> {BYTES}""",
    "reduce": f"""stablehlo.reduce"(%x, %y) <{{dimensions = array<i64: 0>}}> ({{
      ^bb0(%a: {BYTE}, %b: {BYTE}):
        %s = stablehlo.xor %a, %b : {BYTE}
        %t = stablehlo.xor %s, %y : {BYTE}
        stablehlo.return %t : {BYTE}
      }}) : ({BYTES}, {BYTE}) -> {BYTE}""",
    "scatter": f"""stablehlo.scatter"(%x, %i, %x) <{{scatter_dimension_numbers = {SCATTER}}}> ({{
      ^bb0(%a: {BYTE}, %b: {BYTE}):
        %s = stablehlo.multiply %b, %y : {BYTE}
        %t = stablehlo.add %a, %s : {BYTE}
        stablehlo.return %t : {BYTE}
      }}) : ({BYTES}, tensor<3x1xi32>, {BYTES}) -> {BYTES}""",
    "sort": f"""stablehlo.sort"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
      ^bb0(%a: {BYTE}, %b: {BYTE}):
        %s = stablehlo.xor %a, %y : {BYTE}
        %t = stablehlo.xor %b, %y : {BYTE}
        %p = stablehlo.compare LT, %s, %t : ({BYTE}, {BYTE}) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }}) : ({BYTES}) -> {BYTES}""",
}
X, Y = np.array([200, 7, 9], np.uint8), np.uint8(100)
WANTED = {
    "map": X + Y,
    "reduce": X[0] ^ X[1] ^ X[2] ^ Y ^ Y ^ Y ^ Y,
    "scatter": np.array([200 + 200 * 100, 7, 9 + (7 + 9) * 100], np.int64).astype(np.uint8),
    "sort": np.array(sorted(X, key=lambda x: x ^ Y), np.uint8),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_scalar_argument_in_a_computation(name, target):
    result = BYTE if name == "reduce" else BYTES
    text = f"""func.func @main(%x: {BYTES}, %y: {BYTE}, %i: tensor<3x1xi32>) -> {result} {{
      %0 = "{OPERATIONS[name]}
      return %0 : {result}
    }}"""
    indices = np.array([[0], [2], [2]], np.int32)
    np.testing.assert_array_equal(mlir_xla.compile(text, target=target)(X, Y, indices), WANTED[name])
