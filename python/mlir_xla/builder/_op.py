# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`XlaOp`: a value of a program under construction, with Python's operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import ir
from ..errors import XlaError
from ..shape import Shape
from ._arguments import located

if TYPE_CHECKING:
    from ._builder import XlaBuilder


def _operator(name: str, swapped: bool = False) -> Callable[[XlaOp, Any], XlaOp]:
    """The method of a binary operator. What it raises ends in the user's line, as with the functions of `ops`."""

    def operate(self: XlaOp, other: Any) -> XlaOp:
        __tracebackhide__ = True
        if not isinstance(other, (XlaOp, bool, int, float, complex, np.generic, np.ndarray)):
            return NotImplemented
        from .. import ops

        operation = name
        try:
            if name == "ShiftRight":  # signed integers shift the sign in, unsigned ones zeros
                operation += "Logical" if self.shape.element_mlir.startswith("ui") else "Arithmetic"
            beside = self.operand(other)
            return getattr(ops, operation)(*((beside, self) if swapped else (self, beside)))
        except XlaError as raised:
            error = raised
        try:
            raise located(error, operation).with_traceback(None)
        finally:
            del error  # which refers to this frame

    return operate


class XlaOp:
    """A value of the program that a builder builds.

    `+ - * / % ** & | ^ << >> @`, unary `- ~ abs()` and the comparisons `< <= > >=` make operations; arrays of different
    ranks need `ops.Add(..., broadcast_dimensions=...)` and the like. The other operand may be a Python number, which
    takes this value's element type, or a NumPy value, which keeps its own. `==` compares identity (values can be keys
    of dictionaries): the operations are `ops.Eq` and `ops.Ne`. A tuple can be unpacked and indexed.
    """

    __slots__ = ("_elements", "_value", "builder", "shape")
    __array_priority__ = 1000  # NumPy's operators leave mixed expressions to this class
    __array_ufunc__ = None

    def __init__(
        self, builder: XlaBuilder, shape: Shape, value: ir.Value | None, elements: Sequence[XlaOp] | None = None
    ) -> None:
        self.builder = builder
        self.shape = shape
        self._value = value
        self._elements = None if elements is None else tuple(elements)

    @property
    def value(self) -> ir.Value:
        """The value in the builder's module."""
        if self._value is None:
            self._value = self.builder.make_tuple_value(self)
        return self._value

    @property
    def elements(self) -> tuple[XlaOp, ...]:
        """The elements of a tuple; XlaError for other values."""
        if self._elements is None:
            if not self.shape.is_tuple:
                self.builder.fail("GetTupleElement", f"operand {self.shape} is not a tuple", "GetTupleElement-C1")
            self._elements = tuple(
                self.builder.emit_element(self, i, shape) for i, shape in enumerate(self.shape.tuple_shapes)
            )
        return self._elements

    @property
    def dtype(self) -> np.dtype:
        """The element type of an array."""
        return self.shape.dtype

    def __iter__(self) -> Iterator[XlaOp]:
        if not self.shape.is_tuple:
            raise TypeError(f"{self.shape} is not a tuple: it cannot be iterated over")
        return iter(self.elements)

    def __len__(self) -> int:
        if not self.shape.is_tuple:
            raise TypeError(f"{self.shape} is not a tuple: it has no length")
        return len(self.shape.tuple_shapes)

    def __getitem__(self, index: int) -> XlaOp:
        if not self.shape.is_tuple:
            raise TypeError(f"{self.shape} is not a tuple: use ops.Slice and the like on arrays")
        return self.elements[index]

    def __bool__(self) -> bool:
        raise TypeError(
            "the value is not known while the program is built: use ops.Conditional, ops.Select or ops.While"
        )

    def __repr__(self) -> str:
        return f"<XlaOp {self.shape}>"

    def operand(self, other: Operand) -> XlaOp:
        """What stands beside this value in a binary operation: a number takes this value's element type, a NumPy value
        keeps its own."""
        if isinstance(other, XlaOp):
            return other
        weak = isinstance(other, (bool, int, float, complex)) and not isinstance(other, np.generic)
        return self.builder.constant(other, self.dtype if weak else None)

    __add__ = _operator("Add")
    __radd__ = _operator("Add", swapped=True)
    __sub__ = _operator("Sub")
    __rsub__ = _operator("Sub", swapped=True)
    __mul__ = _operator("Mul")
    __rmul__ = _operator("Mul", swapped=True)
    __truediv__ = _operator("Div")
    __rtruediv__ = _operator("Div", swapped=True)
    __mod__ = _operator("Rem")
    __rmod__ = _operator("Rem", swapped=True)
    __pow__ = _operator("Pow")
    __rpow__ = _operator("Pow", swapped=True)
    __and__ = _operator("And")
    __rand__ = _operator("And", swapped=True)
    __or__ = _operator("Or")
    __ror__ = _operator("Or", swapped=True)
    __xor__ = _operator("Xor")
    __rxor__ = _operator("Xor", swapped=True)
    __lshift__ = _operator("ShiftLeft")
    __rlshift__ = _operator("ShiftLeft", swapped=True)
    __rshift__ = _operator("ShiftRight")
    __matmul__ = _operator("Dot")
    __rmatmul__ = _operator("Dot", swapped=True)
    __lt__ = _operator("Lt")
    __le__ = _operator("Le")
    __gt__ = _operator("Gt")
    __ge__ = _operator("Ge")

    def __neg__(self) -> XlaOp:
        from .. import ops

        return ops.Neg(self)

    def __invert__(self) -> XlaOp:
        from .. import ops

        return ops.Not(self)

    def __abs__(self) -> XlaOp:
        from .. import ops

        return ops.Abs(self)


Operand: TypeAlias = XlaOp | complex | np.generic | np.ndarray
