# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes, layouts and the conversion between indices and positions in memory."""

from itertools import product

import pytest
from vector_cases import load

import mlir_xla


def parameters(section, *keys):
    return [pytest.param(v, id=v["id"]) for v in load("layout")[section] if all(key in v for key in keys)]


def shape(vector):
    from builder_api import shape

    return shape(vector)


@pytest.mark.parametrize("vector", parameters("rank"))
def test_rank(vector):
    s = shape(vector)
    assert (s.rank, s.true_rank, s.num_elements) == (vector["rank"], vector["true_rank"], vector["elements"])


@pytest.mark.parametrize("vector", parameters("dimension_number"))
def test_dimension_number(vector):
    """Negative numbers count from the last dimension; others outside the rank are refused."""
    s = mlir_xla.Shape("float32", [2] * vector["rank"])
    if "result" in vector:
        assert s.dimension_number(vector["number"]) == vector["result"]
    else:
        with pytest.raises(ValueError, match=str(vector["number"])):
            s.dimension_number(vector["number"])


@pytest.mark.parametrize("vector", parameters("memory"))
def test_memory(vector):
    """Element k in logical order lies where ``memory`` holds k; ``null`` is padding."""
    s = shape(vector)
    memory = [None] * len(vector["memory"])
    for k, index in enumerate(product(*map(range, vector["dims"]))):
        memory[s.linear_index(index)] = k
    assert memory == vector["memory"]


@pytest.mark.parametrize("vector", parameters("invalid"))
def test_invalid_layout(vector):
    with pytest.raises(ValueError, match=rf"\[{vector['rejects']}\]"):
        shape(vector)


@pytest.mark.parametrize("vector", parameters("index"))
def test_index_conversion(vector):
    s = shape(vector)
    assert list(s.strides) == vector["strides"]
    assert list(s.multi_index(vector["linear"])) == vector["multi"]
    if "slot" not in vector:  # a padding slot has a position and no element
        assert s.linear_index(vector["multi"]) == vector["linear"]
