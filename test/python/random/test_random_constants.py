# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that compare what they compute with constants of their own, on every target."""

import os

import numpy as np
import pytest
from constant_programs import Value, Writer, width
from vector_cases import TARGETS

import mlir_xla
from mlir_xla.shape import Shape

SEEDS = range(2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 200)


def patterns(have: np.ndarray, value: Value) -> list[int]:
    """The bits of the elements of an array."""
    size = have.dtype.itemsize
    data = np.ascontiguousarray(have).tobytes()
    mask = (1 << width(value.element)) - 1
    return [int.from_bytes(data[i : i + size], "little") & mask for i in range(0, len(data), size)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed, target):
    p = Writer(seed)
    text = p.text()
    arguments = [a.ndarray(Shape.parse(a.type).dtype) for a in p.arguments]
    results = mlir_xla.compile(text, target=target)(*arguments)
    for have, want in zip(results, p.values[-2:], strict=True):
        assert have.shape == want.dims, text
        assert patterns(have, want) == list(want.patterns.flat), text
