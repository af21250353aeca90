# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting, and the largest elements."""

from __future__ import annotations

from collections.abc import Sequence

from ..builder import XlaComputation, XlaOp
from ..builder._arguments import fail


def Sort(
    operands: XlaOp | Sequence[XlaOp], comparator: XlaComputation, dimension: int = -1, is_stable: bool = False
) -> XlaOp:
    """The lines along a dimension, sorted so that `comparator(a0, b0, a1, b1, ...)` says that the `a`s come first.

    Several operands are sorted together: all are permuted alike, and the result is a tuple. With `is_stable`, elements
    of which neither comes first keep their order.

    Example:
        >>> keys, values = value([2, 1, 3]), value([10.0, 20.0, 30.0])
        >>> f = XlaBuilder("less")
        >>> x, y = (ops.Parameter(f, i, Shape(np.int32)) for i in range(2))
        >>> rest = [ops.Parameter(f, i, Shape(np.float32)) for i in (2, 3)]
        >>> run(ops.Sort([keys, values], f.build(ops.Lt(x, y))))
        (array([1, 2, 3], dtype=int32), array([20., 10., 30.], dtype=float32))
    """
    arrays = [operands] if isinstance(operands, XlaOp) else list(operands)
    if not arrays:
        fail("there is no operand", op="Sort", constraint="Sort-C1")
    return arrays[0].builder.emit(
        "Sort",
        "sort",
        arrays,
        {"dimension": dimension, "is_stable": is_stable},
        results=[each.shape.with_layout(None) for each in arrays],
        computations=[(comparator, None)],
        tuple_result=not isinstance(operands, XlaOp),
    )


def TopK(operand: XlaOp, k: int) -> XlaOp:
    """The tuple of the `k` largest elements along the last dimension, in descending order, and their indices (s32).

    Example:
        >>> run(ops.TopK(value([3.0, 1.0, 4.0, 1.0, 5.0]), 2))
        (array([5., 4.], dtype=float32), array([4, 2], dtype=int32))
    """
    return operand.builder.emit("TopK", "top_k", [operand], {"k": k})
