# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes: an element type and dimension sizes, a tuple of shapes, or a token; and where elements lie in memory.

A shape may carry a `Layout`; without one, elements lie in row-major order. `linear_index` and `multi_index` convert
between the index of an element and its position in the buffer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np

from ._messages import integer, integers, short, suggestion
from .errors import ShapeError
from .layout import Layout

DTypeLike = Any
_Ints: TypeAlias = tuple[int, ...]
_Shapes: TypeAlias = "tuple[Shape, ...]"  # Shape.tuple hides the type of this name within the class

# MLIR's name of each element type, its dtype, and the name that XLA prints.
_ELEMENTS: list[tuple[str, Any, str]] = [
    ("i1", np.bool_, "pred"),
    ("i2", ml_dtypes.int2, "s2"),
    ("i4", ml_dtypes.int4, "s4"),
    ("i8", np.int8, "s8"),
    ("i16", np.int16, "s16"),
    ("i32", np.int32, "s32"),
    ("i64", np.int64, "s64"),
    ("ui2", ml_dtypes.uint2, "u2"),
    ("ui4", ml_dtypes.uint4, "u4"),
    ("ui8", np.uint8, "u8"),
    ("ui16", np.uint16, "u16"),
    ("ui32", np.uint32, "u32"),
    ("ui64", np.uint64, "u64"),
    ("f4E2M1FN", ml_dtypes.float4_e2m1fn, "f4e2m1fn"),
    ("f6E2M3FN", ml_dtypes.float6_e2m3fn, "f6e2m3fn"),
    ("f6E3M2FN", ml_dtypes.float6_e3m2fn, "f6e3m2fn"),
    ("f8E3M4", ml_dtypes.float8_e3m4, "f8e3m4"),
    ("f8E4M3", ml_dtypes.float8_e4m3, "f8e4m3"),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn, "f8e4m3fn"),
    ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz, "f8e4m3fnuz"),
    ("f8E4M3B11FNUZ", ml_dtypes.float8_e4m3b11fnuz, "f8e4m3b11fnuz"),
    ("f8E5M2", ml_dtypes.float8_e5m2, "f8e5m2"),
    ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz, "f8e5m2fnuz"),
    ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu, "f8e8m0fnu"),
    ("bf16", ml_dtypes.bfloat16, "bf16"),
    ("f16", np.float16, "f16"),
    ("f32", np.float32, "f32"),
    ("f64", np.float64, "f64"),
    ("complex<f32>", np.complex64, "c64"),
    ("complex<f64>", np.complex128, "c128"),
]
_DTYPES = {name: np.dtype(dtype) for name, dtype, _ in _ELEMENTS}
_MLIR_NAMES = {np.dtype(dtype): name for name, dtype, _ in _ELEMENTS}
_XLA_NAMES = {np.dtype(dtype): name for _, dtype, name in _ELEMENTS}
_BY_XLA_NAME = {name: np.dtype(dtype) for _, dtype, name in _ELEMENTS}

# A buffer is addressed with 64 bits.
_MOST_BYTES = 2**63 - 1


def _names() -> list[str]:
    """The names by which element types go."""
    return [*_BY_XLA_NAME, *_DTYPES, *(dtype.name for dtype in _MLIR_NAMES)]


def element_dtype(dtype: DTypeLike) -> np.dtype:
    """The dtype of an element type, given as a dtype, a NumPy or ml_dtypes class, or a name ("float32", "bf16", "s32").

    Raises ShapeError if XLA has no such element type.
    """
    if dtype is None:  # NumPy takes it for float64
        raise ShapeError("None is not an element type")
    try:
        if isinstance(dtype, str):
            if dtype in _BY_XLA_NAME:
                return _BY_XLA_NAME[dtype]
            if dtype in _DTYPES:
                return _DTYPES[dtype]
            if hasattr(ml_dtypes, dtype):
                dtype = getattr(ml_dtypes, dtype)
        found = np.dtype(dtype)
    except TypeError:
        known = suggestion(dtype, _names()) if isinstance(dtype, str) else ""
        raise ShapeError(f"{short(dtype)} is not an element type{known}") from None
    if found not in _MLIR_NAMES:
        raise ShapeError(f"{found} is not an element type of XLA")
    return found


class Shape:
    """The type of a value: an array (dtype and dimension sizes, perhaps a layout), a tuple (`Shape.tuple`) or a token.

    Raises TypeError for sizes that are no integers, ShapeError for sizes below zero (G-C4), arrays of more than
    2^63 - 1 bytes, and a layout that does not fit (LAY-C1, LAY-C2).
    """

    __slots__ = ("_dims", "_dtype", "_elements", "_layout")

    def __init__(self, dtype: DTypeLike, dims: Iterable[int] = (), layout: Layout | None = None) -> None:
        element = element_dtype(dtype)
        self._dtype: np.dtype | None = element
        self._dims = integers(dims, "dims")
        self._elements: _Shapes | None = None
        if layout is not None and not isinstance(layout, Layout):
            raise TypeError(f"layout is {short(layout)}, not a Layout")
        self._layout = layout
        for number, size in enumerate(self._dims):
            if size < 0:
                raise ShapeError(f"size {size} of dimension {number} is negative", constraint="G-C4")
        # Also an array without elements has sizes of 64 bits.
        if max(self._dims, default=0) > _MOST_BYTES or math.prod(self._dims) * element.itemsize > _MOST_BYTES:
            raise ShapeError(f"{_XLA_NAMES[element]}{short(list(self._dims))} takes more than 2^63 - 1 bytes")
        if layout is not None:
            layout.check(self._dims)

    @classmethod
    def tuple(cls, shapes: Iterable[Shape]) -> Shape:
        """The shape of a tuple."""
        shape = cls.__new__(cls)
        shape._dtype, shape._dims, shape._layout = None, (), None
        shape._elements = tuple(shapes)
        for i, element in enumerate(shape._elements):
            if not isinstance(element, Shape):
                raise TypeError(f"element {i} of the tuple is {short(element)}, not a Shape")
        return shape

    @classmethod
    def token(cls) -> Shape:
        """The shape of a token, which only orders operations."""
        shape = cls.tuple(())
        shape._elements = None
        return shape

    @classmethod
    def of(cls, array: Any) -> Shape:
        """The shape of a NumPy array (or what NumPy makes one of)."""
        array = np.asarray(array)
        return cls(array.dtype.newbyteorder("=") if not array.dtype.isnative else array.dtype, array.shape)

    @classmethod
    def parse(cls, text: str) -> Shape:
        """The shape that an MLIR type names: `tensor<2x3xf32>`, `tuple<...>` or `!xla.token`.

        Raises ShapeError for other types and for dynamic sizes.
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of a type is {short(text)}, not a string")
        return _parse(text.strip())

    @property
    def is_array(self) -> bool:
        """Whether this is an array."""
        return self._dtype is not None

    @property
    def is_tuple(self) -> bool:
        """Whether this is a tuple."""
        return self._elements is not None

    @property
    def is_token(self) -> bool:
        """Whether this is a token."""
        return self._dtype is None and self._elements is None

    @property
    def tuple_shapes(self) -> _Shapes:
        """The shapes of a tuple's elements; ShapeError if this is no tuple."""
        if self._elements is None:
            raise ShapeError(f"{self} is not a tuple")
        return self._elements

    @property
    def dtype(self) -> np.dtype:
        """The element type of an array; ShapeError for tuples and tokens."""
        if self._dtype is None:
            raise ShapeError(f"{self} is not an array", constraint="G-C5")
        return self._dtype

    @property
    def dims(self) -> _Ints:
        """The dimension sizes of an array; ShapeError for tuples and tokens."""
        if self._dtype is None:
            raise ShapeError(f"{self} is not an array", constraint="G-C5")
        return self._dims

    shape = dims
    dimensions = dims

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    ndim = rank

    @property
    def true_rank(self) -> int:
        """The number of dimensions that are larger than 1."""
        return sum(size > 1 for size in self.dims)

    @property
    def num_elements(self) -> int:
        """The number of elements."""
        return math.prod(self.dims)

    @property
    def layout(self) -> Layout:
        """The layout; row-major where none was given."""
        return self._layout or Layout(tuple(reversed(range(self.rank))))

    @property
    def has_default_layout(self) -> bool:
        """Whether elements lie in row-major order without padding."""
        return self._layout is None or self._layout == Layout(tuple(reversed(range(self.rank))))

    def with_layout(self, layout: Layout | None) -> Shape:
        """This shape with another layout."""
        return Shape(self.dtype, self.dims, layout)

    def dimension_number(self, number: int) -> int:
        """Resolves a dimension number, where -1 is the last dimension; ShapeError outside of [-rank, rank)."""
        number = integer(number, "the dimension number")
        if not -self.rank <= number < self.rank:
            raise ShapeError(
                f"dimension number {number} is not in [{-self.rank}, {self.rank}) of {self}", constraint="SH-4"
            )
        return number + self.rank if number < 0 else number

    @property
    def strides(self) -> _Ints:
        """The distance between neighbours along each dimension, in elements."""
        return self.layout.strides(self.dims)

    @property
    def buffer_length(self) -> int:
        """The number of places in the buffer, padding included."""
        return math.prod(self.layout.widths(self.dims))

    def linear_index(self, index: Sequence[int]) -> int:
        """The position in the buffer of the element at `index`; ShapeError outside of the array (IDX-C1)."""
        index = integers(index, "index")
        if len(index) != self.rank or not all(0 <= i < size for i, size in zip(index, self.dims, strict=True)):
            raise ShapeError(f"index {index} is outside of {self}", constraint="IDX-C1")
        return sum(i * stride for i, stride in zip(index, self.strides, strict=True))

    def multi_index(self, linear: int) -> _Ints:
        """The index of the element at a position in the buffer; ShapeError outside of the buffer (IDX-C2).

        With padding the position may hold no element: then some entry of the result is not below the dimension's size.
        """
        linear = integer(linear, "the position")
        if not 0 <= linear < self.buffer_length:
            raise ShapeError(
                f"position {linear} is not in [0, {self.buffer_length}), the buffer of {self}", constraint="IDX-C2"
            )
        index = [0] * self.rank
        widths = self.layout.widths(self.dims)
        for dimension in self.layout.minor_to_major:
            linear, index[dimension] = divmod(linear, widths[dimension])
        return tuple(index)

    @property
    def mlir(self) -> str:
        """The MLIR type: `tensor<2x3xf32>`."""
        if self._elements is not None:
            return f"tuple<{', '.join(element.mlir for element in self._elements)}>"
        if self._dtype is None:
            return "!xla.token"
        sizes = "".join(f"{size}x" for size in self._dims)
        layout = "" if self.has_default_layout else f", {self.layout.mlir}"
        return f"tensor<{sizes}{_MLIR_NAMES[self._dtype]}{layout}>"

    @property
    def element_mlir(self) -> str:
        """The MLIR name of the element type: `f32`."""
        return _MLIR_NAMES[self.dtype]

    def flattened(self) -> list[Shape]:
        """The arrays in this shape, tuples taken apart and tokens left out."""
        if self._elements is not None:
            return [array for element in self._elements for array in element.flattened()]
        return [self] if self.is_array else []

    def __eq__(self, other: object) -> bool:
        """Equal element type, sizes and layout."""
        if not isinstance(other, Shape):
            return NotImplemented
        same = (self._dtype, self._dims, self._elements) == (other._dtype, other._dims, other._elements)
        return same and (not self.is_array or self.layout == other.layout)

    def __hash__(self) -> int:
        return hash((self._dtype, self._dims, self._elements))

    def __str__(self) -> str:
        """As XLA prints it: `f32[2,3]`, with `{0,1}` behind it if the layout is not row-major."""
        if self._elements is not None:
            return f"({', '.join(map(str, self._elements))})"
        if self._dtype is None:
            return "token[]"
        layout = "" if self.has_default_layout else str(self.layout)
        return f"{_XLA_NAMES[self._dtype]}[{','.join(map(str, self._dims))}]{layout}"

    def __repr__(self) -> str:
        return f"Shape<{self}>"


_TENSOR = re.compile(r"tensor<((?:\d+x)*)([\w<>]+?)(?:,\s*(.*))?>", re.DOTALL)
_LAYOUT_FIELD = re.compile(r"(minor_to_major|padded|padding)\s*=\s*(?:\[([^\]]*)\]|(\w+))")


@lru_cache(maxsize=4096)
def _parse(text: str) -> Shape:
    if text == "!xla.token":
        return Shape.token()
    if text.startswith("tuple<") and text.endswith(">"):
        return Shape.tuple(_parse(part) for part in _split(text[len("tuple<") : -1]))
    match = _TENSOR.fullmatch(text)
    if match is not None and match[2] not in _DTYPES:
        raise ShapeError(f"type '{text}': the element type {match[2]} is not supported")
    if match is None:
        raise ShapeError(f"type '{text}' is not an array of static size, a tuple or a token")
    dims = tuple(int(size) for size in match[1].split("x") if size)
    layout = None
    if match[3] and match[3].startswith("#xla.layout"):
        fields = {name: values or word for name, values, word in _LAYOUT_FIELD.findall(match[3])}
        order = tuple(int(d) for d in fields["minor_to_major"].split(",") if d.strip())
        padded = tuple(int(d) for d in fields["padded"].split(",") if d.strip()) if "padded" in fields else None
        layout = Layout(order, padded, fields.get("padding"))
    elif match[3] and not match[3].startswith("#xla.bounds"):
        raise ShapeError(f"type '{text}' has an encoding that is neither a layout nor bounds")
    return Shape(_DTYPES[match[2]], dims, layout)


def _split(text: str) -> list[str]:
    """Splits at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "<[({") - (character in ">])}")
        if character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    rest = text[start:].strip()
    return [*parts, rest] if rest else parts
