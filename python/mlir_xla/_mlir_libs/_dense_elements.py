# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`DenseElementsAttr` from and to all arrays of NumPy.

Upstream goes through the buffer protocol, which has no element types like those of ml_dtypes, and takes contiguous
arrays only. Here such arrays are brought into a form that upstream takes, and back.
"""

from __future__ import annotations

from typing import Any

from ._mlir import ir
from ._xla import raw_elements

# Integers of less than a byte take one each, of which MLIR compares all bits.
_MASKS = {"int1": 1, "uint1": 1, "int2": 3, "uint2": 3, "int4": 15, "uint4": 15}
_upstream_get = ir.DenseElementsAttr.get


def _get(*args: Any, **kwargs: Any) -> ir.DenseElementsAttr:
    if hasattr(args[0] if args else kwargs.get("array"), "dtype"):
        array, kwargs = _prepared(*args, **kwargs)
        args = (array,)
    return _upstream_get(*args, **kwargs)


_get.__doc__ = _upstream_get.__doc__


def _prepared(
    array: Any,
    signless: bool = True,
    type: ir.Type | None = None,
    shape: Any = None,
    context: ir.Context | None = None,
) -> tuple[Any, dict[str, Any]]:
    """An array that upstream takes, and the other arguments."""
    import numpy as np

    options = {"signless": signless, "type": type, "shape": shape, "context": context}
    array = np.require(array, None if array.dtype.isnative else array.dtype.newbyteorder("="), "C")
    if array.dtype == np.bool_:
        if type is not None:  # else upstream packs the bits
            splat = array.size and array.any() == array.all()
            array = np.array([-int(array.flat[0])], np.int8) if splat else np.packbits(array, bitorder="little")
        return array, options
    if array.dtype.num < 256 and array.dtype.kind != "c":  # NumPy's own, or none that has elements
        return array, options
    if type is None:
        from ..shape import Shape

        element = Shape.of(array).element_mlir
        if signless:
            element = element.removeprefix("u") if element.startswith("ui") else element
        elif array.dtype.name in _MASKS and element.startswith("i"):
            element = f"s{element}"
        sizes = array.shape if shape is None else shape
        tensor = ir.RankedTensorType.get(sizes, ir.Type.parse(element, context), loc=ir.Location.unknown(context))
        options |= {"type": tensor, "shape": None}
    if array.dtype.kind != "c":
        mask = _MASKS.get(array.dtype.name)
        array = array.view(f"u{array.dtype.itemsize}")
        array = array if mask is None else array & mask
    return array, options


def _array(self: ir.DenseElementsAttr, dtype: Any = None, copy: bool | None = None) -> Any:
    """For NumPy, where the buffer protocol does not do."""
    import numpy as np

    from ..shape import Shape

    shape = Shape.parse(str(self.type))
    if shape.dtype == np.bool_:
        raise BufferError("bool goes by the buffer protocol")
    elements = np.frombuffer(raw_elements(self), shape.dtype)
    elements = np.broadcast_to(elements[0], shape.dims) if self.is_splat else elements.reshape(shape.dims)
    return elements if dtype is None else elements.astype(dtype)


def install() -> None:
    ir.DenseElementsAttr.get = staticmethod(_get)  # type: ignore[method-assign]
    ir.DenseElementsAttr.__array__ = _array  # type: ignore[attr-defined]
