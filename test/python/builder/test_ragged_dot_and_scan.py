# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builder functions of ops that CHLO has: RaggedDot, Scan, Mulhi."""

from __future__ import annotations

import numpy as np
import pytest
from vector_cases import TARGETS

import mlir_xla
from mlir_xla import DotDimensionNumbers, RaggedDotDimensionNumbers, Shape, XlaBuilder, ops


@pytest.mark.parametrize("target", TARGETS)
def test_ragged_dot(target):
    builder = XlaBuilder("ragged")
    a = ops.Parameter(builder, 0, Shape(np.float32, (6, 2)))
    b = ops.Parameter(builder, 1, Shape(np.float32, (3, 2, 4)))
    sizes = ops.Parameter(builder, 2, Shape(np.int32, (3,)))
    numbers = RaggedDotDimensionNumbers(DotDimensionNumbers([1], [1]), [0], [0])
    program = mlir_xla.compile(builder.build(ops.RaggedDot(a, b, sizes, numbers)), target=target)
    x, w = np.arange(12, dtype=np.float32).reshape(6, 2), np.arange(24, dtype=np.float32).reshape(3, 2, 4)
    result = np.asarray(program(x, w, np.array([2, 0, 3], np.int32)))
    np.testing.assert_array_equal(result, np.concatenate([x[:2] @ w[0], x[2:5] @ w[2], np.zeros((1, 4))]))


def test_ragged_dot_without_groups():
    builder = XlaBuilder("ragged")
    a = ops.Parameter(builder, 0, Shape(np.float32, (6, 2)))
    b = ops.Parameter(builder, 1, Shape(np.float32, (3, 2, 4)))
    sizes = ops.Parameter(builder, 2, Shape(np.int32, (4,)))
    numbers = RaggedDotDimensionNumbers(DotDimensionNumbers([1], [1]), [0], [0])
    with pytest.raises(mlir_xla.XlaError, match="RaggedDot-C10"):
        ops.RaggedDot(a, b, sizes, numbers)


def _step(carry: Shape, element: Shape) -> mlir_xla.XlaComputation:
    builder = XlaBuilder("step")
    e, s = ops.Parameter(builder, 0, element), ops.Parameter(builder, 1, carry)
    return builder.build(ops.Tuple(builder, [ops.Mul(e, s), ops.Add(e, s)]))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("reverse", [False, True])
def test_scan(reverse, target):
    builder = XlaBuilder("scan")
    x = ops.Parameter(builder, 0, Shape(np.int32, (2, 5)))
    zero = builder.constant(np.zeros(2, np.int32))
    vector = Shape(np.int32, (2,))
    both = ops.Scan(x, zero, _step(vector, vector), 1, is_reverse=reverse)
    out, last = mlir_xla.compile(builder.build(both), target=target)(np.arange(10, dtype=np.int32).reshape(2, 5))
    values, carry, want = np.arange(10).reshape(2, 5), np.zeros(2, int), np.zeros((2, 5), int)
    for i in reversed(range(5)) if reverse else range(5):
        want[:, i] = values[:, i] * carry
        carry = carry + values[:, i]
    np.testing.assert_array_equal(np.asarray(out), want)
    np.testing.assert_array_equal(np.asarray(last), carry)


def test_scan_out_of_range():
    builder = XlaBuilder("scan")
    x = ops.Parameter(builder, 0, Shape(np.int32, (2, 5)))
    vector = Shape(np.int32, (2,))
    with pytest.raises(mlir_xla.XlaError, match="Scan-C1"):
        ops.Scan(x, builder.constant(np.zeros(2, np.int32)), _step(vector, vector), 2)
    with pytest.raises(mlir_xla.XlaError, match="Scan-C2"):
        ops.Scan(x, builder.constant(np.zeros(2, np.int32)), _step(Shape(np.int32, (5,)), Shape(np.int32, (5,))), 1)


@pytest.mark.parametrize("target", TARGETS)
def test_mulhi(target):
    builder = XlaBuilder("mulhi")
    x = ops.Parameter(builder, 0, Shape(np.uint64, (3,)))
    program = mlir_xla.compile(builder.build(ops.Mulhi(x, x)), target=target)
    values = np.array([2**64 - 1, 2**32, 3], np.uint64)
    assert np.asarray(program(values)).tolist() == [int(v) ** 2 >> 64 for v in values.tolist()]
