# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gather and scatter."""

from __future__ import annotations

from collections.abc import Sequence

from ..builder import XlaComputation, XlaOp
from ._attributes import GatherDimensionNumbers, ScatterDimensionNumbers


def Gather(
    operand: XlaOp,
    start_indices: XlaOp,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sequence[int],
    indices_are_sorted: bool = False,
) -> XlaOp:
    """Slices of the operand at starts that are computed, moved as far as needed to fit.

    Example:
        >>> numbers = ops.GatherDimensionNumbers(
        ...     offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1
        ... )
        >>> x = value([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
        >>> run(ops.Gather(x, value([2, 0]), numbers, slice_sizes=[1, 3]))
        array([[6, 7, 8],
               [0, 1, 2]], dtype=int32)
    """
    attributes = {
        "dimension_numbers": dimension_numbers.mlir,
        "slice_sizes": slice_sizes,
        "indices_are_sorted": bool(indices_are_sorted),
    }
    return operand.builder.emit("Gather", "gather", [operand, start_indices], attributes)


def Scatter(
    operands: XlaOp | Sequence[XlaOp],
    scatter_indices: XlaOp,
    updates: XlaOp | Sequence[XlaOp],
    update_computation: XlaComputation,
    dimension_numbers: ScatterDimensionNumbers,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> XlaOp:
    """The operands with `update_computation(current, update)` at places that are computed. Several operands give a
    tuple.

    Example:
        >>> numbers = ops.ScatterDimensionNumbers(
        ...     inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1
        ... )
        >>> x, indices, updates = value([0, 0, 0]), value([1, 1, 2]), value([10, 20, 30])
        >>> run(ops.Scatter(x, indices, updates, scalar(ops.Add, np.int32), numbers))
        array([ 0, 30, 30], dtype=int32)
    """
    inputs = [operands] if isinstance(operands, XlaOp) else list(operands)
    values = [updates] if isinstance(updates, XlaOp) else list(updates)
    attributes = {
        "scatter_dimension_numbers": dimension_numbers.mlir,
        "indices_are_sorted": bool(indices_are_sorted),
        "unique_indices": bool(unique_indices),
    }
    return scatter_indices.builder.emit(
        "Scatter",
        "scatter",
        [*inputs, scatter_indices, *values],
        attributes,
        results=[each.shape for each in inputs],
        computations=[(update_computation, None)],
    )
