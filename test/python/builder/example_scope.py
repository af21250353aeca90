# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that the examples in the docstrings of `mlir_xla.ops` use; the docstring of that module explains them."""

from collections.abc import Callable
from typing import Any

import numpy as np

import mlir_xla
from mlir_xla import Shape, XlaBuilder, XlaComputation, XlaOp, ops

NARROW: dict[str, Any] = {"i": np.int32, "f": np.float32, "c": np.complex64}


def scope(target: str) -> dict[str, Any]:
    """Fresh names; programs are compiled for `target`."""
    names: dict[str, Any] = {"mlir_xla": mlir_xla, "np": np, "ops": ops, "Shape": Shape, "XlaBuilder": XlaBuilder}
    names["b"] = XlaBuilder("example")

    def value(given: Any) -> XlaOp:
        array = np.asarray(given)
        return names["b"].constant(array.astype(NARROW.get(array.dtype.kind, array.dtype)))

    def run(op: XlaOp) -> Any:
        computation, names["b"] = names["b"].build(op), XlaBuilder("example")
        return mlir_xla.compile(computation, target=target)()

    def scalar(operation: Callable[..., XlaOp], dtype: Any) -> XlaComputation:
        inner = XlaBuilder(operation.__name__.lower())
        return inner.build(operation(*(inner.parameter(i, Shape(dtype)) for i in range(2))))

    names.update(value=value, run=run, scalar=scalar)
    return names
