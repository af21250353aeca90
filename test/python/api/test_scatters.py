# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters that are large enough to be shared by threads, beside NumPy's, with as many threads as there are and with
one, on this processor and on others."""

import platform

import ml_dtypes
import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla

pytestmark = pytest.mark.skipif("cpu" not in TARGETS, reason="no cpu target")

NAMES = {
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
    np.dtype(np.int32): "i32",
    np.dtype(np.int64): "i64",
    np.dtype(np.int8): "i8",
    np.dtype(np.uint8): "ui8",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(np.complex64): "complex<f32>",
}


def type_of(array):
    return f"tensor<{''.join(f'{n}x' for n in array.shape)}{NAMES[array.dtype]}>"


def program(x, indices, updates, numbers, combiner, flags=""):
    """Scatters ``updates`` into ``x``."""
    s = f"tensor<{NAMES[x.dtype]}>"
    return f"""func.func @main(%x: {type_of(x)}, %i: {type_of(indices)}, %u: {type_of(updates)}) -> {type_of(x)} {{
  %0 = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<{numbers}>{flags}}}> ({{
  ^bb0(%a: {s}, %b: {s}):
    {combiner.format(s=s)}
    xla.return %r : {s}
  }}) : ({type_of(x)}, {type_of(indices)}, {type_of(updates)}) -> {type_of(x)}
  return %0 : {type_of(x)}
}}"""


ADD = "%r = xla.add %a, %b : {s}"
DIFFERENCE = "%r = xla.subtract %b, %a : {s}"  # neither commutes nor is associative
REPLACE = '%r = "xla.reshape"(%b) : ({s}) -> {s}'
ROWS = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
SCALARS = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"


def combine(x, places, updates, combiner):
    """The updates one after the other; a place is an index of ``x``, or None."""
    result = x.copy()
    with np.errstate(over="ignore"):
        for place, update in zip(places, updates, strict=True):
            if place is not None:
                current = result[place]
                result[place] = {ADD: current + update, DIFFERENCE: update - current, REPLACE: update}[combiner]
    return result


def run_everywhere(text, *arguments):
    """The result, which is the same to the bit whoever computes it."""
    result = mlir_xla.compile(text)(*arguments)
    others = [{"threads": 1}]
    if platform.machine() == "x86_64":
        others += [{"features": "-avx512f"}, {"cpu": "x86-64"}]
    for options in others:
        other = mlir_xla.compile(text, **options)(*arguments)
        assert result.tobytes() == other.tobytes(), f"with {options}"
    return result


def inside(index, size):
    return int(index) if 0 <= index < size else None


@pytest.mark.parametrize("combiner", [ADD, DIFFERENCE, REPLACE], ids=["add", "difference", "replace"])
@pytest.mark.parametrize("order", ["any", "sorted"])
@pytest.mark.parametrize(
    ("dtype", "index", "width"),
    [
        (np.float32, np.int32, 20),
        (np.float32, np.int64, 100),
        (np.float64, np.int32, 1),
        (ml_dtypes.bfloat16, np.int32, 33),
        (np.int8, np.int32, 64),
        (np.complex64, np.int64, 5),
        (np.int32, np.uint8, 16),
    ],
    ids=lambda value: np.dtype(value).name if isinstance(value, type) else str(value),
)
def test_rows(combiner, order, dtype, index, width):
    rng = np.random.default_rng(width)
    size, count = 200, 5003  # no multiple of the lanes
    indices = rng.integers(0 if index == np.uint8 else -3, 203, (count, 1)).astype(index)
    if order == "sorted":
        indices = np.sort(indices, axis=0)
    x, u = rng.integers(-3, 4, (size, width)).astype(dtype), rng.integers(-3, 4, (count, width)).astype(dtype)
    flags = ", indices_are_sorted = true" if order == "sorted" else ""
    result = run_everywhere(program(x, indices, u, ROWS, combiner, flags), x, indices, u)
    np.testing.assert_array_equal(result, combine(x, [inside(i, size) for i in indices[:, 0]], u, combiner))


@pytest.mark.parametrize("combiner", [ADD, DIFFERENCE, REPLACE], ids=["add", "difference", "replace"])
def test_scalars(combiner):
    rng = np.random.default_rng(1)
    indices = rng.integers(-10, 1010, (50000, 1)).astype(np.int32)
    x, u = rng.integers(-9, 9, 1000).astype(np.int32), rng.integers(-9, 9, 50000).astype(np.int32)
    result = run_everywhere(program(x, indices, u, SCALARS, combiner), x, indices, u)
    np.testing.assert_array_equal(result, combine(x, [inside(i, 1000) for i in indices[:, 0]], u, combiner))


def test_unique_indices():
    rng = np.random.default_rng(2)
    indices = rng.permutation(60000)[:30001].astype(np.int32)[:, None] - 100
    x, u = np.zeros(59000, np.float32), rng.standard_normal(30001).astype(np.float32)
    text = program(x, indices, u, SCALARS, DIFFERENCE, ", unique_indices = true")
    result = run_everywhere(text, x, indices, u)
    np.testing.assert_array_equal(result, combine(x, [inside(i, 59000) for i in indices[:, 0]], u, DIFFERENCE))


@pytest.mark.parametrize("combiner", [ADD, DIFFERENCE], ids=["add", "difference"])
def test_columns(combiner):
    """Each row of the array for itself."""
    rng = np.random.default_rng(3)
    indices = rng.integers(-1, 41, (300, 1)).astype(np.int32)
    x, u = rng.integers(-9, 9, (99, 40)).astype(np.int32), rng.integers(-9, 9, (99, 300)).astype(np.int32)
    numbers = "update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], "
    result = run_everywhere(program(x, indices, u, numbers + "index_vector_dim = 1", combiner), x, indices, u)
    expected = combine(x.T, [inside(i, 40) for i in indices[:, 0]], u.T, combiner).T
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("combiner", [ADD, DIFFERENCE], ids=["add", "difference"])
def test_windows(combiner):
    """Windows in both dimensions, some partly outside."""
    rng = np.random.default_rng(4)
    indices = rng.integers(-4, 63, (4000, 2)).astype(np.int32)
    x, u = rng.integers(-9, 9, (60, 60)).astype(np.int64), rng.integers(-9, 9, (4000, 3, 7)).astype(np.int64)
    numbers = "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1"
    places = [
        (int(i) + row, int(j) + column) if 0 <= i + row < 60 and 0 <= j + column < 60 else None
        for i, j in indices
        for row in range(3)
        for column in range(7)
    ]
    result = run_everywhere(program(x, indices, u, numbers, combiner), x, indices, u)
    np.testing.assert_array_equal(result, combine(x, places, u.reshape(-1), combiner))


def test_wide_windows():
    """Few rows, each so long that its parts are shared."""
    rng = np.random.default_rng(5)
    indices = np.array([[0], [1], [0], [7]], np.int32)
    x, u = rng.integers(-9, 9, (2, 100003)).astype(np.float32), rng.integers(-9, 9, (4, 100003)).astype(np.float32)
    result = run_everywhere(program(x, indices, u, ROWS, DIFFERENCE), x, indices, u)
    np.testing.assert_array_equal(result, combine(x, [0, 1, 0, None], u, DIFFERENCE))


def numbers_of_two_parts(rng, shape):
    return (rng.integers(-9, 9, shape) + 1j * rng.integers(-9, 9, shape)).astype(np.complex64)


@pytest.mark.parametrize("flags", ["", ", indices_are_sorted = true"], ids=["any", "sorted"])
@pytest.mark.parametrize("width", [0, 1, 5, 16, 300])
@pytest.mark.parametrize("combiner", [ADD, REPLACE], ids=["sum", "replace"])
def test_complex_numbers(width, flags, combiner):
    """Single numbers, and rows of them, whose parts are added or moved in lanes."""
    rng = np.random.default_rng(width)
    rows = (width,) if width else ()
    indices = rng.integers(-3, 203, (5003, 1)).astype(np.int32)
    indices = np.sort(indices, axis=0) if flags else indices
    x, u = numbers_of_two_parts(rng, (200, *rows)), numbers_of_two_parts(rng, (5003, *rows))
    text = program(x, indices, u, ROWS if width else SCALARS, combiner, flags)
    result = run_everywhere(text, x, indices, u)
    np.testing.assert_array_equal(result, combine(x, [inside(i, 200) for i in indices[:, 0]], u, combiner))


@pytest.mark.parametrize("combiner", [ADD, REPLACE], ids=["sum", "replace"])
def test_complex_windows(combiner):
    """Some partly outside, so that their loops have bounds of their own; beside the interpreter."""
    rng = np.random.default_rng(10)
    indices = rng.integers(-4, 63, (4000, 2)).astype(np.int32)
    x, u = numbers_of_two_parts(rng, (60, 60)), numbers_of_two_parts(rng, (4000, 3, 7))
    numbers = "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1"
    text = program(x, indices, u, numbers, combiner)
    expected = mlir_xla.compile(text, target="reference")(x, indices, u)
    np.testing.assert_array_equal(run_everywhere(text, x, indices, u), expected)


def test_wide_complex_windows():
    """Few rows, each so long that its parts are shared."""
    rng = np.random.default_rng(11)
    indices = np.array([[0], [1], [0], [7]], np.int32)
    x, u = numbers_of_two_parts(rng, (2, 100003)), numbers_of_two_parts(rng, (4, 100003))
    result = run_everywhere(program(x, indices, u, ROWS, ADD), x, indices, u)
    np.testing.assert_array_equal(result, combine(x, [0, 1, 0, None], u, ADD))


def test_batches():
    """An array of its own for each batch."""
    rng = np.random.default_rng(6)
    indices = rng.integers(-1, 51, (70, 90, 1)).astype(np.int32)
    x, u = rng.integers(-9, 9, (70, 50, 8)).astype(np.float32), rng.integers(-9, 9, (70, 90, 8)).astype(np.float32)
    numbers = (
        "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], "
        "scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2"
    )
    result = run_everywhere(program(x, indices, u, numbers, DIFFERENCE), x, indices, u)
    expected = [
        combine(a, [inside(k, 50) for k in i[:, 0]], v, DIFFERENCE) for a, i, v in zip(x, indices, u, strict=True)
    ]
    np.testing.assert_array_equal(result, np.stack(expected))


COMMUTING = {
    "add": np.add,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


@pytest.mark.parametrize(
    ("combiner", "dtype", "width"),
    [
        *((name, np.int32, 16) for name in COMMUTING),
        *((name, np.uint8, 50) for name in ("add", "minimum", "and")),
        *((name, np.float32, 16) for name in ("add", "maximum", "minimum")),
        ("maximum", np.float64, 1),
        ("multiply", np.float32, 20),
    ],
)
@pytest.mark.parametrize("exact", [True, False], ids=["divisible", "odd"])
def test_parts(combiner, dtype, width, exact):
    """So many updates of so few elements that each part of them has a target of its own."""
    rng = np.random.default_rng(7)
    count, size = (1 << 20) // (width * np.dtype(dtype).itemsize) // 16 * 16 + (16 if exact else 17), 30
    indices = rng.integers(-2, size + 2, (count, 1)).astype(np.int32)
    # Sums are exact in any order, and products of floats are powers of two.
    x, u = rng.integers(1, 4, (size, width)).astype(dtype), rng.integers(0, 200, (count, width)).astype(dtype)
    if combiner == "multiply" and dtype == np.float32:
        u = np.float32(2) ** rng.choice([-1, 0, 1], (count, width), p=[0.005, 0.99, 0.005]).astype(np.float32)
    text = program(x, indices, u, ROWS, f"%r = xla.{combiner} %a, %b : {{s}}")
    result = run_everywhere(text, x, indices, u)
    expected = x.copy()
    is_inside = (indices[:, 0] >= 0) & (indices[:, 0] < size)
    with np.errstate(over="ignore"):
        COMMUTING[combiner].at(expected, indices[is_inside, 0], u[is_inside])
    np.testing.assert_array_equal(result, expected)
    if combiner in ("add", "maximum"):
        reference = mlir_xla.compile(text, target="reference")(x, indices, u)
        np.testing.assert_array_equal(result, reference)


def test_parts_of_sums_that_round():
    """Not the order of the updates, but always the same one."""
    rng = np.random.default_rng(8)
    indices = rng.integers(0, 500, (40000, 1)).astype(np.int32)
    x, u = rng.standard_normal((500, 16)).astype(np.float32), rng.standard_normal((40000, 16)).astype(np.float32)
    result = run_everywhere(program(x, indices, u, ROWS, ADD), x, indices, u)
    expected = x.astype(np.float64)
    np.add.at(expected, indices[:, 0], u)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(
    ("batch", "count", "size", "width"),
    [(2, 90, 50, 8), (70, 90, 50, 8), (2, 5003, 50, 20), (3, 20, 3, 5001), (16, 1100, 3000, 3)],
    ids=["alone", "batches", "owners", "windows", "large"],
)
def test_batches_of_a_constant(batch, count, size, width):
    """Each batch has a part of a constant, which is no dimension at the beginning; whoever does what of it."""
    rng = np.random.default_rng(9)
    indices = rng.integers(-1, size + 1, (batch, count, 1)).astype(np.int32)
    u = rng.integers(-9, 9, (batch, count, width)).astype(np.int32)
    x = np.full((size, batch, width), -7, np.int32)
    text = f"""func.func @main(%i: {type_of(indices)}, %u: {type_of(u)}) -> {type_of(x)} {{
  %x = xla.constant dense<-7> : {type_of(x)}
  %0 = "xla.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #xla.scatter<update_window_dims = [2],
      inserted_window_dims = [0], input_batching_dims = [1], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = xla.subtract %b, %a : tensor<i32>
    xla.return %r : tensor<i32>
  }}) : ({type_of(x)}, {type_of(indices)}, {type_of(u)}) -> {type_of(x)}
  return %0 : {type_of(x)}
}}"""
    result = run_everywhere(text, indices, u)
    for n in range(batch):
        places = [inside(k, size) for k in indices[n, :, 0]]
        np.testing.assert_array_equal(result[:, n], combine(x[:, n], places, u[n], DIFFERENCE))


def test_a_constant_that_is_operand_and_indices():
    """The indices are not overwritten by what is scattered into the same tensor."""
    text = """func.func @main(%u: tensor<1x6xui8>) -> tensor<6xui8> {
  %x = xla.constant dense<[1, 1, 2, 3, 0, 1]> : tensor<6xui8>
  %i = xla.reshape %x : (tensor<6xui8>) -> tensor<6xui8>
  %v = xla.reshape %u : (tensor<1x6xui8>) -> tensor<6xui8>
  %0 = "xla.scatter"(%x, %i, %v) <{scatter_dimension_numbers = #xla.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %r = xla.add %a, %b : tensor<ui8>
    xla.return %r : tensor<ui8>
  }) : (tensor<6xui8>, tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  return %0 : tensor<6xui8>
}"""
    found = mlir_xla.compile(text)(np.array([[1, 2, 4, 8, 16, 32]], np.uint8))
    np.testing.assert_array_equal(np.asarray(found), [17, 36, 6, 11, 0, 1])
