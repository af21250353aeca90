# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vectors speak of ops in words; here are the calls of the builder that these words mean."""

from typing import Any

import numpy as np
from vector_cases import ELEMENTS, _split, array

from mlir_xla import Layout, Padding, Shape, XlaBuilder, ops

CALLS = {
    "add": ops.Add,
    "subtract": ops.Sub,
    "multiply": ops.Mul,
    "collapse": lambda x, dimensions: ops.Collapse(x, dimensions),
    "reshape": lambda x, dimensions, new_sizes: ops.Reshape(x, new_sizes, dimensions=dimensions),
    "conv": lambda lhs, rhs, window_strides, padding: ops.Conv(lhs, rhs, window_strides, Padding(padding)),
}


def parameter(builder: XlaBuilder, number: int, value: str) -> Any:
    """A parameter with the type of a value such as ``f32[2,3]{...}``."""
    element, dims, _ = _split(value)
    return ops.Parameter(builder, number, Shape(ELEMENTS[element][1], dims), f"p{number}")


def computation(call: str, operands: list[str], arguments: dict[str, Any]) -> Any:
    """A computation that applies one call of the builder to its parameters."""
    builder = XlaBuilder("vector")
    parameters = [parameter(builder, i, value) for i, value in enumerate(operands)]
    return builder.build(CALLS[call](*parameters, **arguments))


def shape(vector: dict[str, Any]) -> Shape:
    """The shape of an entry of layout.json, with its layout if it has one."""
    if "minor_to_major" not in vector:
        return Shape(np.float32, vector["dims"])
    return Shape(np.float32, vector["dims"], Layout(vector["minor_to_major"], vector.get("padded")))


__all__ = ["CALLS", "array", "computation", "parameter", "shape"]
