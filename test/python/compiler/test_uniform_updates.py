# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters whose updates are all alike: no array of them is made, on any target."""

import numpy as np
import pytest

import mlir_xla

SCATTER = """
func.func @main(%x: tensor<9x{columns}x{element}>, %i: tensor<{count}x1xi32>) -> tensor<9x{columns}x{element}> {{
  %u = xla.constant dense<{value}> : tensor<{count}x{columns}x{element}>
  %0 = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %r = xla.{combiner} %a, %b : tensor<{element}>
    xla.return %r : tensor<{element}>
  }}) : (tensor<9x{columns}x{element}>, tensor<{count}x1xi32>, tensor<{count}x{columns}x{element}>)
      -> tensor<9x{columns}x{element}>
  return %0 : tensor<9x{columns}x{element}>
}}"""


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize(("count", "columns"), [(5, 1), (40, 19), (3000, 1), (60, 300)])
@pytest.mark.parametrize(
    ("element", "combiner", "value"),
    [
        ("i32", "add", "3"),
        ("ui8", "maximum", "200"),
        ("i1", "or", "true"),
        ("f32", "add", "0.5"),
        ("f64", "multiply", "-1.0"),
        ("bf16", "minimum", "0.25"),
        ("complex<f32>", "add", "(1.0, 2.0)"),
    ],
)
def test_uniform_updates(element, combiner, value, count, columns, target):
    text = SCATTER.format(element=element, combiner=combiner, value=value, count=count, columns=columns)
    oracle, program = mlir_xla.compile(text, target="reference"), mlir_xla.compile(text, target=target)
    generator = np.random.default_rng(count)
    start = generator.integers(0, 2, (9, columns)).astype(oracle.arg_types[0].dtype)
    places = generator.integers(-1, 11, (count, 1)).astype(np.int32)
    expected, found = oracle(start, places), program(start, places)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


def test_no_array_of_updates():
    text = SCATTER.format(element="i32", combiner="add", value="7", count=5000, columns=1)
    assert "dense<7>" not in str(mlir_xla.compile(text).stages["loops"])
