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
    """Slices of the operand at starts that are computed, moved as far as needed to fit."""
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
    tuple."""
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
