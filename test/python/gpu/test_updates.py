# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters by threads: one for each update, atomic instructions, and blocks that own ranges of places."""

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


def test_long_segments():
    """Parts of the index vectors have targets of their own, which begin as a constant."""
    groups, width, rows = 20, 16, 16400
    x, i = f32(rows, width), DRAW.integers(0, groups, rows).astype(np.int32)
    text = jax.jit(lambda x, i: jax.ops.segment_sum(x, i, groups)).lower(x, i).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert "#xla_rt.updates<owners " in found.stages["kernels"] and "init = " in found.stages["kernels"]
    want = np.zeros((groups, width))
    np.add.at(want, i, x)
    np.testing.assert_allclose(found(x, i), want, rtol=2e-4, atol=2e-4)
