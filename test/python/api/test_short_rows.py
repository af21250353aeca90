# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a few elements: steps are whole rows, whose places are shuffled out of vectors."""

import numpy as np
import pytest

import mlir_xla

TYPES = {"f32": np.float32, "f64": np.float64, "ui8": np.uint8, "i16": np.int16, "i64": np.int64}
MACHINES = [(1, ""), (2, ""), (1, "-avx512f"), (1, "-avx")]


def check(text, arguments, want):
    for threads, features in MACHINES:
        run = mlir_xla.compile(text, threads=threads, features=features)
        np.testing.assert_array_equal(np.asarray(run(*arguments)), want)


@pytest.mark.parametrize("shape", [(1, 512), (5, 211), (2, 24001)])
@pytest.mark.parametrize("row", range(2, 9))
@pytest.mark.parametrize("name", TYPES)
def test_values_of_rows_and_of_places(name, row, shape):
    images, rows = shape
    whole = f"tensor<{images}x{rows}x{row}x{name}>"
    text = f"""
    func.func @main(%x: {whole}, %y: tensor<{row}x{name}>, %z: tensor<{rows}x{name}>) -> {whole} {{
      %places = xla.broadcast_in_dim %y, dims = [2] : (tensor<{row}x{name}>) -> {whole}
      %rows = xla.broadcast_in_dim %z, dims = [1] : (tensor<{rows}x{name}>) -> {whole}
      %mirrored = xla.reverse %x, dims = [1] : {whole}
      %a = xla.add %x, %places : {whole}
      %b = xla.subtract %mirrored, %rows : {whole}
      %0 = xla.multiply %a, %b : {whole}
      return %0 : {whole}
    }}"""
    rng = np.random.default_rng(row)
    x, y, z = (rng.integers(0, 9, size).astype(TYPES[name]) for size in ((images, rows, row), (row,), (rows,)))
    check(text, (x, y, z), (x + y) * (x[:, ::-1] - z[:, None]))


@pytest.mark.parametrize("rows", [512, 5003])
@pytest.mark.parametrize("row,steps", [(2, 2), (3, 3), (4, 4), (3, 12), (8, 5), (6, 16)])
def test_points_times_a_matrix(row, steps, rows):
    points, matrix, result = f"tensor<{rows}x{steps}xf32>", f"tensor<{row}x{steps}xf32>", f"tensor<{rows}x{row}xf32>"
    text = f"""
    func.func @main(%p: {points}, %m: {matrix}) -> {result} {{
      %0 = xla.dot_general %p, %m, contracting_dims = [1] x [1] : ({points}, {matrix}) -> {result}
      %e = xla.exponential %0 : {result}
      %1 = xla.floor %e : {result}
      %2 = xla.add %0, %1 : {result}
      return %2 : {result}
    }}"""
    rng = np.random.default_rng(steps)
    p, m = (rng.integers(-2, 1, size).astype(np.float32) for size in ((rows, steps), (row, steps)))
    product = p @ m.T
    m[:] = -np.abs(m)
    p[:] = np.abs(p)
    product = p @ m.T
    check(text, (p, m), product + np.where(product == 0, 1, 0).astype(np.float32))


def test_rows_end_where_memory_ends():
    """What lies behind the last row, or before the first of what is read backwards, is not read."""
    rows = 600
    text = f"""
    func.func @main(%x: tensor<{rows}x3xf32>, %m: tensor<3x3xf32>) -> tensor<{rows}x3xf32> {{
      %r = xla.reverse %x, dims = [0] : tensor<{rows}x3xf32>
      %0 = xla.dot_general %r, %m, contracting_dims = [1] x [1] : (tensor<{rows}x3xf32>, tensor<3x3xf32>)
          -> tensor<{rows}x3xf32>
      return %0 : tensor<{rows}x3xf32>
    }}"""
    x = np.arange(3 * rows, dtype=np.float32).reshape(rows, 3)
    check(text, (x, np.eye(3, dtype=np.float32)), x[::-1])
