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


@pytest.mark.parametrize("shape", [(1, 512), (7, 211), (3, 24001)])
@pytest.mark.parametrize("row", range(2, 9))
@pytest.mark.parametrize("name", TYPES)
def test_numbers_of_rows_and_of_places(name, row, shape):
    """Indices are values of their own, and compared: below a bound, and with each other."""
    images, rows = shape
    whole, bits = f"tensor<{images}x{rows}x{row}x{name}>", f"tensor<{images}x{rows}x{row}xi1>"
    text = f"""
    func.func @main(%x: {whole}) -> {whole} {{
      %images = xla.iota dim = 0 : {whole}
      %rows = xla.iota dim = 1 : {whole}
      %places = xla.iota dim = 2 : {whole}
      %two = xla.constant dense<2> : {whole}
      %a = xla.add %x, %places : {whole}
      %b = xla.subtract %a, %rows : {whole}
      %equal = xla.compare EQ, %images, %places : ({whole}, {whole}) -> {bits}
      %c = xla.select %equal, %a, %b : {bits}, {whole}
      %below = xla.compare LT, %places, %two : ({whole}, {whole}) -> {bits}
      %d = xla.add %c, %x : {whole}
      %0 = xla.select %below, %c, %d : {bits}, {whole}
      return %0 : {whole}
    }}"""
    if name[0] == "f":
        text = text.replace("dense<2>", "dense<2.0>")
    dtype = TYPES[name]
    x = np.random.default_rng(row).integers(0, 9, (images, rows, row)).astype(dtype)
    image, number, place = (i.astype(dtype) for i in np.indices(x.shape))
    a = x + place
    c = np.where(image == place, a, a - number)
    check(text, (x,), np.where(place < 2, c, c + x))


@pytest.mark.parametrize("rows", [64, 1000, 4003])
@pytest.mark.parametrize("row", range(2, 9))
def test_much_is_computed_of_each_element(row, rows):
    """As random bits are of keys: vectors are full, also where too much is computed to repeat it for whole rows."""
    whole = f"tensor<{rows}x{row}xui32>"
    mixes = "".join(
        f"""
      %l{i} = xla.shift_left %v{i}, %c{i} : {whole}
      %x{i} = xla.xor %v{i}, %l{i} : {whole}
      %v{i + 1} = xla.add %x{i}, %key : {whole}"""
        for i in range(60)
    )
    shifts = "".join(f"\n      %c{i} = xla.constant dense<{1 + i % 13}> : {whole}" for i in range(60))
    text = f"""
    func.func @main(%k: tensor<{rows}x2xui32>) -> {whole} {{
      %first = xla.slice %k [0:{rows}, 0:1] : (tensor<{rows}x2xui32>) -> tensor<{rows}x1xui32>
      %keys = xla.reshape %first : (tensor<{rows}x1xui32>) -> tensor<{rows}xui32>
      %key = xla.broadcast_in_dim %keys, dims = [0] : (tensor<{rows}xui32>) -> {whole}
      %v0 = xla.iota dim = 1 : {whole}{shifts}{mixes}
      return %v60 : {whole}
    }}"""
    keys = np.random.default_rng(row).integers(0, 1 << 32, (rows, 2), dtype=np.uint32)
    want = np.broadcast_to(np.arange(row, dtype=np.uint32), (rows, row))
    for i in range(60):
        want = (want ^ (want << np.uint32(1 + i % 13))) + keys[:, :1]
    check(text, (keys,), want)
