# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products whose last tile begins within the one before: what is computed twice reads what it was computed from,
whatever is computed of the sums, and nothing behind the arguments is read."""

import ctypes
import mmap

import numpy as np
import pytest

import mlir_xla

PRODUCT = "xla.dot_general {}, {}, contracting_dims = [1] x [0] : ({}, {}) -> {}"


def _product(
    left: str, right: str, rows: int, steps: int, columns: int, element: str = "f32", sums: str = "f32"
) -> str:
    types = (f"tensor<{rows}x{steps}x{element}>", f"tensor<{steps}x{columns}x{element}>")
    return PRODUCT.format(left, right, *types, f"tensor<{rows}x{columns}x{sums}>")


@pytest.mark.parametrize("threads", [1, 0])
@pytest.mark.parametrize("rows", [96, 500])
def test_residuals(rows, threads):
    """The first product is read by what follows from the second one, in whose place it might be stored."""
    text = f"""
    func.func @main(%x: tensor<{rows}x512xf32>, %g: tensor<512x500xf32>, %u: tensor<500x500xf32>)
        -> tensor<{rows}x500xf32> {{
      %0 = {_product("%x", "%g", rows, 512, 500)}
      %1 = xla.tanh %0 : tensor<{rows}x500xf32>
      %2 = {_product("%1", "%u", rows, 500, 500)}
      %3 = xla.add %0, %2 : tensor<{rows}x500xf32>
      return %3 : tensor<{rows}x500xf32>
    }}"""
    rng = np.random.default_rng(0)
    x, g, u = (rng.standard_normal(shape).astype(np.float32) for shape in ((rows, 512), (512, 500), (500, 500)))
    h = x.astype(float) @ g
    have = np.asarray(mlir_xla.compile(text, threads=threads)(x, g, u))
    np.testing.assert_allclose(have, h + np.tanh(h) @ u, rtol=1e-4, atol=2e-2)


@pytest.mark.parametrize("features", ["", "-avx512f"])
@pytest.mark.parametrize("element, sums", [("f32", "f32"), ("f64", "f64"), ("i32", "i32"), ("i8", "i32")])
def test_sums_of_products(element, sums, features):
    types = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i8": np.int8}
    text = f"""
    func.func @main(%a: tensor<96x512x{element}>, %b: tensor<512x500x{element}>,
                    %c: tensor<96x512x{element}>, %d: tensor<512x500x{element}>) -> tensor<96x500x{sums}> {{
      %0 = {_product("%a", "%b", 96, 512, 500, element, sums)}
      %1 = {_product("%c", "%d", 96, 512, 500, element, sums)}
      %2 = xla.add %0, %1 : tensor<96x500x{sums}>
      return %2 : tensor<96x500x{sums}>
    }}"""
    rng = np.random.default_rng(1)
    arrays = [rng.integers(-9, 10, s).astype(types[element]) for s in ((96, 512), (512, 500), (96, 512), (512, 500))]
    a, b, c, d = (each.astype(np.int64) for each in arrays)
    have = np.asarray(mlir_xla.compile(text, features=features)(*arrays))
    np.testing.assert_array_equal(have, (a @ b + c @ d).astype(types[sums]))


@pytest.mark.parametrize("features", ["", "-avx512f"])
@pytest.mark.parametrize("count, length", [(16, 32), (32, 16), (9, 64), (70, 8)])
@pytest.mark.parametrize("what", ["%numbers", "%values"])
def test_quotients_of_columns(what, count, length, features):
    """A summand for every few columns: lanes of a vector have several quotients."""
    columns = min(500, count * length - 12)
    text = f"""
    func.func @main(%x: tensor<96x512xf32>, %y: tensor<512x{columns}xf32>, %values: tensor<{count}xf32>)
        -> tensor<96x{columns}xf32> {{
      %0 = {_product("%x", "%y", 96, 512, columns)}
      %numbers = xla.iota dim = 0 : tensor<{count}xf32>
      %1 = xla.broadcast_in_dim {what}, dims = [0] : (tensor<{count}xf32>) -> tensor<{count}x{length}xf32>
      %2 = xla.reshape %1 : (tensor<{count}x{length}xf32>) -> tensor<{count * length}xf32>
      %3 = xla.slice %2 [0:{columns}] : (tensor<{count * length}xf32>) -> tensor<{columns}xf32>
      %4 = xla.broadcast_in_dim %3, dims = [1] : (tensor<{columns}xf32>) -> tensor<96x{columns}xf32>
      %5 = xla.add %0, %4 : tensor<96x{columns}xf32>
      return %5 : tensor<96x{columns}xf32>
    }}"""
    rng = np.random.default_rng(2)
    x, y, values = (rng.integers(-4, 5, shape).astype(np.float32) for shape in ((96, 512), (512, columns), (count,)))
    summand = np.repeat(np.arange(count, dtype=np.float32) if what == "%numbers" else values, length)[:columns]
    have = np.asarray(mlir_xla.compile(text, features=features)(x, y, values))
    np.testing.assert_array_equal(have, x @ y + summand)


@pytest.mark.parametrize("features", ["", "-avx512f", "-avx2,-avx512f,-fma"])
@pytest.mark.parametrize("steps, rows, columns", [(709, 125, 58), (470, 738, 170), (3000, 148, 100), (1001, 7, 300)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_both_transposed(dtype, steps, rows, columns, features):
    element = "f32" if dtype == np.float32 else "f64"
    x, y, result = f"{steps}x{rows}x{element}", f"{columns}x{steps}x{element}", f"{rows}x{columns}x{element}"
    text = f"""
    func.func @main(%x: tensor<{x}>, %y: tensor<{y}>) -> tensor<{result}> {{
      %0 = xla.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<{x}>, tensor<{y}>) -> tensor<{result}>
      return %0 : tensor<{result}>
    }}"""
    rng = np.random.default_rng(3)
    left, right = (rng.integers(-4, 5, shape).astype(dtype) for shape in ((steps, rows), (columns, steps)))
    have = np.asarray(mlir_xla.compile(text, features=features)(left, right))
    np.testing.assert_array_equal(have, left.T @ right.T)


def _before_a_page(array: np.ndarray) -> np.ndarray:
    """The same elements, behind which nothing may be read."""
    page, bytes_ = mmap.PAGESIZE, array.nbytes
    room = -(-bytes_ // page) * page
    memory = np.frombuffer(mmap.mmap(-1, room + page), np.uint8)
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(memory.ctypes.data + room), page, 0) == 0
    found = memory[room - bytes_ : room].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


@pytest.mark.parametrize("rows", [7, 61, 144, 147, 148, 250])
def test_nothing_is_read_behind_rows(rows):
    left, right, result = f"tensor<3000x{rows}xf32>", "tensor<3000x100xf32>", f"tensor<{rows}x100xf32>"
    text = f"""
    func.func @main(%x: {left}, %y: {right}) -> {result} {{
      %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : ({left}, {right}) -> {result}
      return %0 : {result}
    }}"""
    rng = np.random.default_rng(4)
    x = _before_a_page(rng.integers(-4, 5, (3000, rows)).astype(np.float32))
    y = _before_a_page(rng.integers(-4, 5, (3000, 100)).astype(np.float32))
    np.testing.assert_array_equal(np.asarray(mlir_xla.compile(text)(x, y)), x.T @ y)
