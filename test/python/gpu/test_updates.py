# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters by threads: one for each update or place, atomic instructions, tables, and blocks that own places."""

import jax
import numpy as np
import pytest
from jax import lax

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

DRAW = np.random.default_rng(11)


def f32(*shape):
    return DRAW.standard_normal(shape).astype(np.float32)


def below(bound, *shape):
    """Indices, of which some are outside."""
    return DRAW.integers(-2, bound + 2, shape).astype(np.int32)


def distinct(bound, count):
    return DRAW.permutation(bound)[:count].astype(np.int32)


def compare(function, arrays, plan):
    text = jax.jit(function).lower(*arrays).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert f"#xla_rt.updates<{plan}" in found.stages["kernels"], found.stages["kernels"]
    have, want = found(*arrays), mlir_xla.compile(text, target="reference")(*arrays)
    np.testing.assert_array_equal(have, want)


def add(x, i, u):
    return x.at[i].add(u, mode="drop")


@pytest.mark.parametrize("rows, columns, plan", [(50, 64, "each 4>"), (50, 30, "each 2>"), (37, 5, "each 1>")])
def test_rows_that_are_unique(rows, columns, plan):
    def function(x, i, u):
        return x.at[i].set(u, mode="drop", unique_indices=True)

    compare(function, [f32(60, columns), distinct(60, rows), f32(rows, columns)], plan)


def test_points_that_are_unique():
    i = np.stack([distinct(40, 30), distinct(50, 30)])
    compare(lambda x, i, u: x.at[i[0], i[1]].multiply(u, unique_indices=True), [f32(40, 50), i, f32(30)], "each 1>")


@pytest.mark.parametrize("operation", ["add", "min", "max"])
@pytest.mark.parametrize("element", [np.int32, np.uint32])
def test_integers(operation, element):
    def function(x, i, u):
        return getattr(x.at[i], operation)(u, mode="drop")

    x, u = (DRAW.integers(0, 1000, shape).astype(element) for shape in [(9, 6), (200, 6)])
    compare(function, [x, below(9, 200), u], "atomic 1>")


@pytest.mark.parametrize("places, updates, columns", [(7, 40, 3), (300, 2100, 1), (40, 100, 40), (5, 64, 300)])
def test_owners(places, updates, columns):
    """Updates of one place are made in their order, whoever owns it."""
    compare(add, [f32(places, columns), below(places, updates), f32(updates, columns)], "owners ")


def test_owners_that_store():
    """The last update of a place is the one that stays."""
    compare(lambda x, i, u: x.at[i].set(u, mode="drop"), [f32(20, 9), below(20, 500), f32(500, 9)], "owners ")


def test_owners_of_points():
    i = np.stack([below(30, 400), below(20, 400)])
    compare(lambda x, i, u: x.at[i[0], i[1]].add(u, mode="drop"), [f32(30, 20), i, f32(400)], "owners ")


def test_batches_of_owners():
    arrays = [f32(3, 40, 6), DRAW.integers(0, 40, (3, 50)).astype(np.int32), f32(3, 50, 6)]
    compare(jax.vmap(lambda x, i, u: x.at[i].add(u)), arrays, "owners ")


def test_windows_that_meet():
    """Windows at places that are data overlap: threads at other positions of them update the same element."""

    def function(x, i, u):
        numbers = lax.ScatterDimensionNumbers((1,), (), (0,))
        return lax.scatter_add(x, i, u, numbers, mode="drop")

    compare(function, [f32(60), below(56, 30, 1), f32(30, 7)], "owners ")


# Index vectors, which are dealt to owners of places, or sorted by these; and those that have no equal parts.
MANY, ODD = 17000, 17001


def compare_ordered(function, arrays, plan="dealt "):
    text = jax.jit(function).lower(*arrays).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    how = "xla_rt_deal_places" if plan.startswith("dealt") else "ordered = "
    assert how in found.stages["kernels"] and f"#xla_rt.updates<{plan}" in found.stages["kernels"]
    have, want = found(*arrays), mlir_xla.compile(text, target="reference")(*arrays)
    np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize(
    "places, columns, plan", [(7, 3, "dealt 1>"), (1000, 6, "dealt 2>"), (3000, 8, "dealt 4>"), (40000, 1, "dealt 1>")]
)
def test_dealt(places, columns, plan):
    """Updates of one place are made in their order by a thread of its owner; of 7 places in two rounds."""
    compare_ordered(add, [f32(places, columns), below(places, ODD), f32(ODD, columns)], plan)


@pytest.mark.parametrize("count", [8193, 4 * 2048 + 255, 9 * 2048])
def test_tiles_of_dealt(count):
    """The last tile has few words, or all; whole owners have none."""
    i = below(5000, count)
    i[i % 255 == 17] = -1
    compare_ordered(add, [f32(5000), i, f32(count)])


def test_more_tiles_than_threads():
    """An owner takes its words of 256 tiles, then those of the others; most are one owner's, in many rounds."""
    count = 258 * 2048 + 5
    i = below(600, count)
    i[DRAW.random(count) < 0.9] = 3
    compare_ordered(add, [f32(600, 4), i, f32(count, 4)])


def test_dealt_that_store():
    """Of those that store, the last one is made alone."""
    compare_ordered(lambda x, i, u: x.at[i].set(u, mode="drop"), [f32(900, 4), below(900, MANY), f32(MANY, 4)])


@pytest.mark.parametrize("element", [np.int8, np.int32, np.complex64, "bfloat16"])
def test_dealt_elements(element):
    def function(x, i, u):
        return x.at[i].multiply(u, mode="drop")

    x, u = (DRAW.integers(-3, 4, shape).astype(jax.numpy.dtype(element)) for shape in [(5000,), (MANY,)])
    compare_ordered(function, [x, below(5000, MANY), u])


def test_ordered_points():
    """Places of two components, of which each may be outside, and windows in front of them."""
    i = np.stack([below(30, MANY), below(20, MANY)])

    def function(x, i, u):
        return x.at[:, i[0], i[1]].add(u, mode="drop")

    compare_ordered(function, [f32(3, 30, 20), i, f32(3, MANY)], "each ")


def test_dealt_points():
    i = np.stack([below(30, MANY), below(20, MANY)])
    compare_ordered(lambda x, i, u: x.at[i[0], i[1]].add(u, mode="drop"), [f32(30, 20, 3), i, f32(MANY, 3)])


@pytest.mark.parametrize("index", [np.int8, np.int32])
def test_dealt_from_the_end(index):
    """Components that the program puts beside each other. Those below zero count from the end, and may be outside."""
    i, j = (DRAW.integers(-bound - 2, bound + 2, MANY).astype(index) for bound in (30, 120))

    def function(x, i, j, u):
        return x.at[i, j].add(u, mode="drop")

    compare_ordered(function, [f32(30, 120), i, j, f32(MANY)])


def test_ordered_that_store():
    """Of those that store, the last one is made alone."""

    def function(x, i, u):
        return x.at[:, i].set(u, mode="drop")

    compare_ordered(function, [f32(2, 900), below(900, MANY), f32(2, MANY)], "each ")


def test_dealt_batches():
    arrays = [f32(3, 40, 6), DRAW.integers(0, 40, (3, 6000)).astype(np.int32), f32(3, 6000, 6)]
    compare_ordered(jax.vmap(lambda x, i, u: x.at[i].add(u)), arrays)


@pytest.mark.parametrize("index", [np.uint8, np.int64, np.uint64])
def test_dealt_by_other_integers(index):
    """Large ones are outside, whatever their low bits say."""
    i = DRAW.integers(0, 100, ODD).astype(index)
    i[:300] = np.iinfo(index).max - 2
    i[300:400] = DRAW.integers(100, 200, 100)
    with jax.enable_x64(True):
        compare_ordered(add, [f32(100), i, f32(ODD)])


def test_ordered_wide_words():
    """Places and numbers that have no room in 32 bits."""
    i = np.stack([below(2, MANY), below(70000, MANY)])

    def function(x, i, u):
        return x.at[:, i[0], i[1]].add(u, mode="drop")

    compare_ordered(function, [f32(2, 2, 70000), i, f32(2, MANY)], "each ")


def test_dealt_wide_words():
    """Of more than two million places, with eight neighbours of an owner."""
    i = np.stack([below(2, MANY), below(1100000, MANY)])
    i[:, :1000] = i[:, 1000:2000]
    compare_ordered(lambda x, i, u: x.at[i[0], i[1]].add(u, mode="drop"), [f32(2, 1100000), i, f32(MANY)])


def test_dealt_alike():
    """Updates that are no array."""
    compare_ordered(lambda x, i: x.at[i].multiply(1.5, mode="drop"), [f32(2000), below(2000, MANY)])


def test_sorted_by_promise():
    """Nothing is sorted then. The last ones are outside."""
    i = np.sort(below(300, MANY) + 2)
    arrays = [f32(300, 4), i, f32(MANY, 4)]
    text = jax.jit(lambda x, i, u: x.at[i].add(u, mode="drop", indices_are_sorted=True)).lower(*arrays).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert "ordered = " in found.stages["kernels"] and "xla_rt_sort_words" not in found.stages["kernels"]
    np.testing.assert_array_equal(found(*arrays), mlir_xla.compile(text, target="reference")(*arrays))


@pytest.mark.parametrize("operation", ["add", "min", "max"])
@pytest.mark.parametrize("element", [np.int32, np.uint32, np.int64])
def test_tables(operation, element):
    """Few elements: blocks combine updates in tables of their own."""

    def function(x, i, u):
        return getattr(x.at[i], operation)(u, mode="drop")

    with jax.enable_x64(True):
        x, u = (DRAW.integers(0, 1 << 30, shape).astype(element) for shape in [(50, 3), (8000, 3)])
        compare(function, [x, below(50, 8000), u], "tables 5>")


def test_counts():
    compare(lambda i: jax.numpy.bincount(i, length=100), [DRAW.integers(0, 100, 40000).astype(np.int32)], "tables 9>")


@pytest.mark.parametrize("is_sorted", [False, True])
def test_long_segments(is_sorted):
    """Parts of the index vectors have targets of their own, which begin as a constant."""
    groups, width, rows = 20, 16, 16400
    x, i = f32(rows, width), DRAW.integers(0, groups, rows).astype(np.int32)
    i = np.sort(i) if is_sorted else i
    text = jax.jit(lambda x, i: jax.ops.segment_sum(x, i, groups, is_sorted)).lower(x, i).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert f"tensor<16x{groups}x{width}xf32>" in found.stages["kernels"]
    assert ("ordered = " if is_sorted else "xla_rt_deal_places") in found.stages["kernels"]
    want = np.zeros((groups, width))
    np.add.at(want, i, x)
    np.testing.assert_allclose(found(x, i), want, rtol=2e-4, atol=2e-4)
