# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that programs reach by name, through `custom_call @name(...)`."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._arrays import in_layout, in_native_order, require_unmasked
from ._messages import short
from .layout import Layout
from .shape import Shape

#: What is registered, for targets that evaluate programs in Python.
FUNCTIONS: dict[str, Callable[..., Any]] = {}


def register_custom_call(target: str, function: Callable[..., Any] | None) -> None:
    """Makes `custom_call @target` call a function, on every target; None removes it.

    Args:
        target: The name that programs use.
        function: Takes one array per operand, which it must not keep or change, and returns an array per result (one
            result as such, several as a sequence). An exception that it raises is raised where the program was called.
            Or a `ctypes` function pointer to `void target(void *out, void **in)`: `in[i]` points to the elements of
            operand i, `out` to those of the result, or to an array of pointers to results unless there is exactly
            one. They are dense and row-major, unless the call or the types have layouts.

    Register a function before a program that calls it is compiled. TypeError if it cannot be called.
    """
    from ._mlir_libs._xla import compiler

    if not isinstance(target, str):
        raise TypeError(f"the target of a custom call is {short(target)}, not a string")
    if function is not None and not callable(function):
        raise TypeError(f"custom call '{target}': {type(function).__name__} is no function")

    if function is None:
        FUNCTIONS.pop(target, None)
        compiler.register_custom_call(target, None)
        return
    if isinstance(function, ctypes._CFuncPtr):  # the base of all function pointers has no public name
        function = _from_pointer(function)
    else:
        function = _from_python(target, function)
    FUNCTIONS[target] = function

    def call(config: str, signature: str, operands: tuple[int, ...], results: tuple[int, ...]) -> None:
        inputs, outputs = shapes_of(signature)
        arrays = [view(address, shape) for address, shape in zip(operands, inputs, strict=True)]
        for address, shape, value in zip(results, outputs, function(inputs, outputs, *arrays), strict=True):
            view(address, shape)[...] = value

    compiler.register_custom_call(target, call)


@functools.lru_cache(maxsize=256)
def shapes_of(signature: str) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """The shapes of operands and results, from an MLIR function type."""
    from .reference._types import parse_function_type

    types = parse_function_type(signature)
    inputs, results = (tuple(Shape.parse(str(type_)) for type_ in part) for part in (types.inputs, types.results))
    return inputs, results


def view(address: int, shape: Shape) -> np.ndarray:
    """The elements in a buffer as an array that shares them."""
    item = shape.dtype.itemsize
    size = shape.buffer_length * item
    memory = (ctypes.c_char * size).from_address(address) if size else bytearray()
    return np.ndarray(shape.dims, shape.dtype, memory, 0, tuple(stride * item for stride in shape.strides))


def for_interpreter() -> dict[str, Callable[..., Any]]:
    """What is registered, as the reference interpreter calls it: with the op before the operands."""

    def adapt(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(op: Any, *arrays: np.ndarray) -> Any:
            inputs = _shapes(op.operand_types, op.attributes.get("operand_layouts"))
            return function(inputs, _shapes(op.result_types, op.attributes.get("result_layouts")), *arrays)

        return call

    return {target: adapt(function) for target, function in FUNCTIONS.items()}


def _shapes(types: Sequence[Any], orders: Sequence[Any] | None) -> list[Shape]:
    """The shapes of a call's values. An order of dimensions in the call comes before the layout of a type."""
    shapes = [Shape.parse(str(type_)) for type_ in types]
    if orders is None or len(orders) != len(shapes):
        return shapes
    return [
        shape.with_layout(Layout(int(d) for d in np.ravel(order))) for shape, order in zip(shapes, orders, strict=True)
    ]


def _from_python(target: str, function: Callable[..., Any]) -> Callable[..., list[np.ndarray]]:
    def call(_: Sequence[Shape], shapes: Sequence[Shape], *arrays: np.ndarray) -> list[np.ndarray]:
        returned = function(*arrays)
        if len(shapes) == 1:
            returned = [returned]
        returned = () if returned is None else returned
        try:
            for value in returned:
                require_unmasked(value)
            values = [in_native_order(np.asarray(value)) for value in returned]
        except TypeError as error:
            raise TypeError(f"custom call '{target}' returned {error}") from None
        found = [(value.dtype, value.shape) for value in values]
        if found != [(shape.dtype, shape.dims) for shape in shapes]:
            given = ", ".join(f"{dtype}{list(dims)}" for dtype, dims in found) or "nothing"
            wanted = ", ".join(f"{shape.dtype}{list(shape.dims)}" for shape in shapes) or "nothing"
            raise TypeError(f"custom call '{target}' returned {given}, the program wants {wanted}")
        return values

    return call


def _from_pointer(pointer: Any) -> Callable[..., list[np.ndarray]]:
    entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))(
        ctypes.cast(pointer, ctypes.c_void_p).value or 0
    )

    def call(operands: Sequence[Shape], results: Sequence[Shape], *arrays: np.ndarray) -> list[np.ndarray]:
        inputs = [in_layout(np.ascontiguousarray(array), shape) for array, shape in zip(arrays, operands, strict=True)]
        outputs = [in_layout(np.zeros(shape.dims, shape.dtype), shape) for shape in results]
        table = (ctypes.c_void_p * max(1, len(inputs)))(*(array.ctypes.data for array in inputs))
        out = (ctypes.c_void_p * max(1, len(outputs)))(*(array.ctypes.data for array in outputs))
        entry(outputs[0].ctypes.data if len(outputs) == 1 else ctypes.addressof(out), table)
        return outputs

    return call
