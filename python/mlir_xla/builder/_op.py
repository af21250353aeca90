# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`XlaOp`: a value of a program under construction, with Python's operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import ir
from ..errors import XlaError
from ..shape import Shape

if TYPE_CHECKING:
    from ._builder import XlaBuilder


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
                raise XlaError(f"operand {self.shape} is not a tuple", op="GetTupleElement")
            self._elements = tuple(
                self.builder.emit_element(self, i, shape) for i, shape in enumerate(self.shape.tuple_shapes)
            )
        return self._elements

    @property
    def known_elements(self) -> tuple[XlaOp, ...] | None:
        """The elements of a tuple if they need no operation to get at."""
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

    def _binary(self, name: str, other: Any, swapped: bool = False) -> Any:
        from .. import ops

        if not isinstance(other, XlaOp):
            if not isinstance(other, (bool, int, float, complex, np.generic, np.ndarray)):
                return NotImplemented
            weak = isinstance(other, (bool, int, float, complex)) and not isinstance(other, np.generic)
            other = self.builder.constant(other, self.dtype if weak else None)
        return getattr(ops, name)(*((other, self) if swapped else (self, other)))

    def __add__(self, other: Any) -> XlaOp:
        return self._binary("Add", other)

    def __radd__(self, other: Any) -> XlaOp:
        return self._binary("Add", other, swapped=True)

    def __sub__(self, other: Any) -> XlaOp:
        return self._binary("Sub", other)

    def __rsub__(self, other: Any) -> XlaOp:
        return self._binary("Sub", other, swapped=True)

    def __mul__(self, other: Any) -> XlaOp:
        return self._binary("Mul", other)

    def __rmul__(self, other: Any) -> XlaOp:
        return self._binary("Mul", other, swapped=True)

    def __truediv__(self, other: Any) -> XlaOp:
        return self._binary("Div", other)

    def __rtruediv__(self, other: Any) -> XlaOp:
        return self._binary("Div", other, swapped=True)

    def __mod__(self, other: Any) -> XlaOp:
        return self._binary("Rem", other)

    def __rmod__(self, other: Any) -> XlaOp:
        return self._binary("Rem", other, swapped=True)

    def __pow__(self, other: Any) -> XlaOp:
        return self._binary("Pow", other)

    def __rpow__(self, other: Any) -> XlaOp:
        return self._binary("Pow", other, swapped=True)

    def __and__(self, other: Any) -> XlaOp:
        return self._binary("And", other)

    def __rand__(self, other: Any) -> XlaOp:
        return self._binary("And", other, swapped=True)

    def __or__(self, other: Any) -> XlaOp:
        return self._binary("Or", other)

    def __ror__(self, other: Any) -> XlaOp:
        return self._binary("Or", other, swapped=True)

    def __xor__(self, other: Any) -> XlaOp:
        return self._binary("Xor", other)

    def __rxor__(self, other: Any) -> XlaOp:
        return self._binary("Xor", other, swapped=True)

    def __lshift__(self, other: Any) -> XlaOp:
        return self._binary("ShiftLeft", other)

    def __rlshift__(self, other: Any) -> XlaOp:
        return self._binary("ShiftLeft", other, swapped=True)

    def __rshift__(self, other: Any) -> XlaOp:
        """Signed integers shift the sign in, unsigned ones zeros."""
        return self._binary(
            "ShiftRightLogical" if self.shape.element_mlir.startswith("ui") else "ShiftRightArithmetic", other
        )

    def __matmul__(self, other: Any) -> XlaOp:
        return self._binary("Dot", other)

    def __rmatmul__(self, other: Any) -> XlaOp:
        return self._binary("Dot", other, swapped=True)

    def __lt__(self, other: Any) -> XlaOp:
        return self._binary("Lt", other)

    def __le__(self, other: Any) -> XlaOp:
        return self._binary("Le", other)

    def __gt__(self, other: Any) -> XlaOp:
        return self._binary("Gt", other)

    def __ge__(self, other: Any) -> XlaOp:
        return self._binary("Ge", other)

    def __neg__(self) -> XlaOp:
        from .. import ops

        return ops.Neg(self)

    def __invert__(self) -> XlaOp:
        from .. import ops

        return ops.Not(self)

    def __abs__(self) -> XlaOp:
        from .. import ops

        return ops.Abs(self)
