# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Updates that read each element which they write: one kernel, whose threads read what nobody else writes."""

import jax
import numpy as np
import pytest
from jax import lax

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")


def integers(*shape, seed=3):
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float32)


def compare(function, arrays, calls):
    text = jax.jit(function).lower(*arrays).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert found.stages["kernels"].count("call @") == calls
    have, want = found(*arrays), mlir_xla.compile(text, target="reference")(*arrays)
    for one, other in zip(jax.tree.leaves(have), jax.tree.leaves(want), strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize("shape", [(130,), (33, 70), (5, 9, 40)])
def test_each_element_at_its_own_place(shape):
    inner = (slice(1, -1),) * len(shape)
    compare(lambda x, y: x.at[inner].add(2 * y[inner]), [integers(*shape), integers(*shape, seed=4)], 1)


def test_fields_that_update_each_other_in_a_loop():
    def step(_, state):
        e, h = state
        h = h.at[:, :-1].add(e[:, 1:] - e[:, :-1])
        return e.at[:, 1:].add(h[:, 1:] - h[:, :-1]), h

    arrays = [integers(33, 70), integers(33, 70, seed=4)]
    compare(lambda e, h: lax.fori_loop(0, 4, step, (e, h)), arrays, 2)
