# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of values: what MLIR's textual types mean in NumPy.

Types are read from their text (``tensor<2x3xf32>``), so that this module does not depend on binding classes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class ElementType:
    """One element type: its MLIR spelling, the NumPy dtype that stores it, its class and its width in bits.

    ``kind`` is one of ``pred``, ``sint``, ``uint``, ``float``, ``complex``.
    """

    name: str
    dtype: np.dtype
    kind: str
    bits: int


@dataclass(frozen=True)
class ArrayType:
    """A ranked tensor. A dynamic dimension is -1. A layout is kept as text; no op reads it."""

    shape: tuple[int, ...]
    element: ElementType
    layout: str = field(default="", compare=False)

    @property
    def dtype(self) -> np.dtype:
        return self.element.dtype

    def __str__(self) -> str:
        dims = "".join(f"{'?' if d < 0 else d}x" for d in self.shape)
        return f"tensor<{dims}{self.element.name}{self.layout and ', '}{self.layout}>"


@dataclass(frozen=True)
class TupleType:
    elements: tuple[Any, ...]

    def __str__(self) -> str:
        return f"tuple<{', '.join(map(str, self.elements))}>"


@dataclass(frozen=True)
class TokenType:
    def __str__(self) -> str:
        return "!xla.token"


@dataclass(frozen=True)
class FunctionType:
    inputs: tuple[Any, ...]
    results: tuple[Any, ...]


class Token:
    """The one value of token type."""

    def __repr__(self) -> str:
        return "token"


TOKEN = Token()
Type = ArrayType | TupleType | TokenType


def _element_types() -> dict[str, ElementType]:
    table: list[tuple[str, Any, str, int]] = [
        ("i1", np.bool_, "pred", 1),
        ("index", np.int64, "sint", 64),
        ("bf16", ml_dtypes.bfloat16, "float", 16),
        ("f16", np.float16, "float", 16),
        ("f32", np.float32, "float", 32),
        ("f64", np.float64, "float", 64),
        ("complex<f32>", np.complex64, "complex", 64),
        ("complex<f64>", np.complex128, "complex", 128),
        ("f4E2M1FN", ml_dtypes.float4_e2m1fn, "float", 4),
        ("f6E2M3FN", ml_dtypes.float6_e2m3fn, "float", 6),
        ("f6E3M2FN", ml_dtypes.float6_e3m2fn, "float", 6),
        ("f8E3M4", ml_dtypes.float8_e3m4, "float", 8),
        ("f8E4M3", ml_dtypes.float8_e4m3, "float", 8),
        ("f8E4M3FN", ml_dtypes.float8_e4m3fn, "float", 8),
        ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz, "float", 8),
        ("f8E4M3B11FNUZ", ml_dtypes.float8_e4m3b11fnuz, "float", 8),
        ("f8E5M2", ml_dtypes.float8_e5m2, "float", 8),
        ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz, "float", 8),
        ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu, "float", 8),
    ]
    small = {2: (ml_dtypes.int2, ml_dtypes.uint2), 4: (ml_dtypes.int4, ml_dtypes.uint4)}
    for bits in (2, 4, 8, 16, 32, 64):
        signed, unsigned = small.get(bits) or (np.dtype(f"int{bits}"), np.dtype(f"uint{bits}"))
        table += [(f"i{bits}", signed, "sint", bits), (f"si{bits}", signed, "sint", bits)]
        table += [(f"ui{bits}", unsigned, "uint", bits)]
    return {name: ElementType(name, np.dtype(dtype), kind, bits) for name, dtype, kind, bits in table}


ELEMENT_TYPES = _element_types()
_BY_DTYPE = {e.dtype: e for name, e in reversed(ELEMENT_TYPES.items()) if name != "index" and not name.startswith("si")}


def element_of(array: np.ndarray) -> ElementType:
    """The element type whose values ``array`` holds."""
    return _BY_DTYPE[array.dtype]


_DIMENSION = re.compile(r"\s*(\d+|\?)\s*x")
_TOKEN = re.compile(r"![a-z]+\.token|!token")


@lru_cache(maxsize=4096)
def parse_type(text: str) -> Type:
    """``tensor<2x3xf32>``, ``tensor<2xf32, #layout>``, ``tuple<...>``, ``!xla.token`` or a bare element type.

    Raises ValueError for anything else.
    """
    text = text.strip()
    if text in ELEMENT_TYPES:
        return ArrayType((), ELEMENT_TYPES[text])
    if text.startswith("tensor<") and text.endswith(">"):
        body, *encodings = split_top_level(text[len("tensor<") : -1])
        layout = next((encoding.strip() for encoding in encodings if "xla.layout<" in encoding), "")
        dims = []
        position = 0
        while match := _DIMENSION.match(body, position):
            dims.append(-1 if match[1] == "?" else int(match[1]))
            position = match.end()
        element = body[position:].strip()
        if element in ELEMENT_TYPES:
            return ArrayType(tuple(dims), ELEMENT_TYPES[element], layout)
    if text.startswith("tuple<") and text.endswith(">"):
        return TupleType(tuple(parse_type(part) for part in split_top_level(text[len("tuple<") : -1])))
    if _TOKEN.fullmatch(text):
        return TokenType()
    raise ValueError(f"type '{text}' has no meaning for the reference interpreter")


def parse_function_type(text: str) -> FunctionType:
    """``(tensor<f32>, tensor<f32>) -> tensor<f32>`` with zero, one or several results."""
    depth = 0
    for position, char in enumerate(text):
        depth += (char in "(<[{") - (char in ")]}" or (char == ">" and text[position - 1] != "-"))
        if depth == 0 and text.startswith("->", position):
            break
    else:
        raise ValueError(f"'{text}' is not a function type")
    return FunctionType(*(_type_list(side) for side in (text[:position], text[position + 2 :])))


def _type_list(text: str) -> tuple[Type, ...]:
    text = text.strip()
    if text.startswith("("):
        return tuple(parse_type(part) for part in split_top_level(text[1:-1]))
    return (parse_type(text),)


def split_top_level(text: str) -> list[str]:
    """Splits at the commas that stand outside brackets and strings; an empty text gives no part."""
    parts: list[str] = []
    depth, start, quoted = 0, 0, False
    for position, char in enumerate(text):
        if char == '"' and text[position - 1 : position] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif char in "<([{":
            depth += 1
        elif char in "])}" or (char == ">" and text[position - 1 : position] != "-"):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []
