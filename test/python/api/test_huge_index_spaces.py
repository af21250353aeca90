# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index arithmetic beyond 32 bits: tensors of up to 2^43 elements of which fusion computes a few."""

import numpy as np
import pytest

import mlir_xla

# Rows of 3 * 2^k: a reshape of a tensor of them needs quotients and remainders of the whole index.
SPACES = [(1 << 20, 1 << 10), (3, 1 << 31), (1 << 21, 3 * (1 << 11)), (1 << 22, (1 << 20) + 1)]


def run(text, *arrays):
    return np.asarray(mlir_xla.compile(text)(*arrays))


def numbers(rows, columns):
    """Lines that define %n, an i64 array of `rows` x `columns` with the row-major number of each element."""
    t = f"tensor<{rows}x{columns}xi64>"
    return f"""
      %i = xla.iota dim = 0 : {t}
      %j = xla.iota dim = 1 : {t}
      %c = xla.constant dense<{columns}> : {t}
      %ic = xla.multiply %i, %c : {t}
      %n = xla.add %ic, %j : {t}"""


@pytest.mark.parametrize("rows, columns", SPACES)
def test_slice_of_reshape(rows, columns):
    """Of the elements in another shape, some in the middle and the very last ones."""
    total = rows * columns
    other = next(d for d in (7, 5, 3, 2) if total % d == 0)
    source, flat = f"tensor<{rows}x{columns}xi64>", f"tensor<{other}x{total // other}xi64>"
    for start in (0, total // other // 2, total // other - 40):
        text = f"""
        func.func @main() -> tensor<{other}x40xi64> {{{numbers(rows, columns)}
          %flat = xla.reshape %n : ({source}) -> {flat}
          %part = "xla.slice"(%flat) {{start_indices = array<i64: 0, {start}>,
            limit_indices = array<i64: {other}, {start + 40}>, strides = array<i64: 1, 1>}}
            : ({flat}) -> tensor<{other}x40xi64>
          return %part : tensor<{other}x40xi64>
        }}"""
        want = np.arange(other)[:, None] * (total // other) + start + np.arange(40)
        assert np.array_equal(run(text), want)


@pytest.mark.parametrize("rows, columns", SPACES)
def test_gather_of_reshape(rows, columns):
    """Elements at positions known at run time only."""
    total = rows * columns
    other = next(d for d in (7, 5, 3, 2) if total % d == 0)
    source, flat = f"tensor<{rows}x{columns}xi64>", f"tensor<{total // other}x{other}xi64>"
    text = f"""
    func.func @main(%at: tensor<64x1xi64>) -> tensor<64x{other}xi64> {{{numbers(rows, columns)}
      %flat = xla.reshape %n : ({source}) -> {flat}
      %rows = "xla.gather"(%flat, %at) {{dimension_numbers = #xla.gather<offset_dims = [1], collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {other}>}}
        : ({flat}, tensor<64x1xi64>) -> tensor<64x{other}xi64>
      return %rows : tensor<64x{other}xi64>
    }}"""
    at = np.random.default_rng(0).integers(0, total // other, (64, 1))
    at[:3, 0] = 0, total // other - 1, total // other // 2
    assert np.array_equal(run(text, at), at * other + np.arange(other))


def test_strided_slice_of_broadcast():
    """Few elements, far apart, next to a small array."""
    n = 1 << 42
    text = f"""
    func.func @main(%x: tensor<100xi64>) -> tensor<100xi64> {{
      %i = xla.iota dim = 0 : tensor<{n}xi64>
      %one = xla.constant dense<1> : tensor<{n}xi64>
      %sum = xla.add %i, %one : tensor<{n}xi64>
      %part = "xla.slice"(%sum) {{start_indices = array<i64: 5>, limit_indices = array<i64: {n}>,
        strides = array<i64: {n // 100 + 1}>}} : (tensor<{n}xi64>) -> tensor<100xi64>
      %r = xla.add %part, %x : tensor<100xi64>
      return %r : tensor<100xi64>
    }}"""
    x = np.arange(100)
    assert np.array_equal(run(text, x), 5 + np.arange(100) * (n // 100 + 1) + 1 + x)


@pytest.mark.parametrize("dtype, mlir", [(np.int32, "i32"), (np.uint32, "ui32"), (np.float64, "f64")])
def test_iota_in_other_types(dtype, mlir):
    """Numbers of elements around 2^31 and 2^32 as elements of a narrower type."""
    n = (1 << 33) + 5
    for start in ((1 << 31) - 20, (1 << 32) - 20, n - 40):
        text = f"""
        func.func @main() -> tensor<40x{mlir}> {{
          %i = xla.iota dim = 0 : tensor<{n}x{mlir}>
          %part = "xla.slice"(%i) {{start_indices = array<i64: {start}>, limit_indices = array<i64: {start + 40}>,
            strides = array<i64: 1>}} : (tensor<{n}x{mlir}>) -> tensor<40x{mlir}>
          return %part : tensor<40x{mlir}>
        }}"""
        assert np.array_equal(run(text), (start + np.arange(40)).astype(dtype))
