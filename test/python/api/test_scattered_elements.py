# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters of single elements, several of which are one turn of a loop: numbers of updates that leave a rest, places
outside, sorted ones that are not, combiners of all kinds."""

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

TYPES = {"i32": np.int32, "i8": np.int8, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16}
TYPES |= {"f16": np.float16, "complex<f32>": np.complex64}


def program(element, count, places, combine, index="i32", promises=""):
    array, updates = f"tensor<{places}x{element}>", f"tensor<{count}x{element}>"
    body = "" if combine == "set" else f"    %r = stablehlo.{combine} %a, %b : tensor<{element}>\n"
    return f"""func.func @main(%x: {array}, %i: tensor<{count}x1x{index}>, %u: {updates}) -> {array} {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{{promises} scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
{body}    stablehlo.return %{"b" if combine == "set" else "r"} : tensor<{element}>
  }}) : ({array}, tensor<{count}x1x{index}>, {updates}) -> {array}
  return %0 : {array}
}}"""


def expected(x, places, updates, combine):
    x, zero = x.copy(), x.dtype.type(0)
    operations = {
        "set": lambda old, new: new,
        "add": lambda old, new: (np.array([old]) + np.array([new])).astype(x.dtype)[0],
        "maximum": np.maximum,
    }
    for place, update in zip(places.ravel().tolist(), updates, strict=True):
        if 0 <= place < x.size:
            x[place] = operations[combine](x[place], update + zero)
    return x


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize(
    "element, combine",
    # Complex numbers have no order.
    [(element, "maximum") for element in TYPES if "complex" not in element]
    + [(element, combine) for element in TYPES for combine in ("add", "set")],
)
def test_updates(element, combine, threads):
    random = np.random.default_rng(5)
    for count in (1, 3, 4, 7, 1025):
        for places in (1, 333):
            # Sums of these are exact in all types.
            x, updates = random.integers(0, 2, places), random.integers(-1, 2, count)
            x, updates = (each.astype(TYPES[element]) for each in (x, updates))
            at = random.integers(-2, places + 2, (count, 1)).astype(np.int32)
            exe = mlir_xla.compile(program(element, count, places, combine), threads=threads)
            assert np.array_equal(exe(x, at, updates), expected(x, at, updates, combine)), (count, places)


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("index", ("i64", "ui8"))
@pytest.mark.parametrize("promises", ("", "indices_are_sorted = true,", "unique_indices = true,"))
def test_promises(index, promises, threads):
    random = np.random.default_rng(6)
    places = 200
    dtype = {"i64": np.int64, "ui8": np.uint8}[index]
    for count in (2, 6, 199, 2 * places + 3):
        at = random.permutation(places)[:count] if "unique" in promises else random.integers(0, 220, count)
        at = np.sort(at) if "sorted" in promises else at
        at = at.astype(dtype)[:, None]
        x = random.integers(0, 9, places).astype(np.int32)
        updates = random.integers(0, 9, at.size).astype(np.int32)
        exe = mlir_xla.compile(program("i32", at.size, places, "add", index, promises), threads=threads)
        assert np.array_equal(exe(x, at, updates), expected(x, at, updates, "add")), count


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("dtype", (np.int32, np.float32))
@pytest.mark.parametrize("count", (300_004, 300_016, 262_147))
def test_many(count, dtype, threads):
    """Parts with targets of their own, and owners."""
    random = np.random.default_rng(7)
    for places, promises in ((1000, ""), (70_001, ""), (1000, "indices_are_sorted = true,")):
        at = random.integers(-5, places + 5, count).astype(np.int32)
        at = np.sort(at) if promises else at
        x, updates = random.integers(0, 9, places).astype(dtype), random.integers(0, 9, count).astype(dtype)
        element = {"int32": "i32", "float32": "f32"}[np.dtype(dtype).name]
        exe = mlir_xla.compile(program(element, count, places, "add", "i32", promises), threads=threads)
        inside = (at >= 0) & (at < places)
        sums = x + np.bincount(at[inside], weights=updates[inside], minlength=places).astype(dtype)
        assert np.array_equal(exe(x, at[:, None], updates), sums), places
