# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes as plain Python values.

An attribute is read from its text, whatever class the bindings give it: integers, floats, strings and symbols become
Python scalars, arrays become lists, ``dense`` becomes a NumPy array, an enumeration such as
``#xla<comparison_direction LT>`` becomes its keyword and a structure such as ``#xla.gather<offset_dims = [0]>``
becomes a dictionary. What is not understood stays text: most likely it is a hint that no op reads.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ._types import ELEMENT_TYPES, ArrayType, parse_type, split_top_level

_ENUM = re.compile(r"#\w+<\w+ (\w+)>")
_STRUCT = re.compile(r"#\w+\.(\w+)<(.*)>", re.DOTALL)
_INTEGER = re.compile(r"-?\d+")
_FLOAT = re.compile(r"-?\d+\.\d*(?:[eE][-+]?\d+)?")
_CONV_SIDE = re.compile(r"\[([^\]]*)\]")


def decode(attribute: Any, resources: dict[str, bytes]) -> Any:
    """The Python value of one attribute. ``resources`` holds the blobs that ``dense_resource`` attributes name."""
    if "Elements" in type(attribute).__name__:
        array = _from_buffer(attribute)
        if array is not None:
            return array
    return parse(str(attribute), resources)


def _from_buffer(attribute: Any) -> np.ndarray | None:
    """Large constants through the buffer protocol, where the bindings offer it for the element type."""
    try:
        type_ = parse_type(str(attribute.type))
        array = np.asarray(attribute)
        if array.dtype == np.bool_ and array.size and attribute.is_splat:  # of which upstream has the first bits only
            array = np.broadcast_to(array.flat[0], array.shape)
    except (TypeError, ValueError, BufferError, AttributeError):
        return None
    return (
        np.array(array)
        if isinstance(type_, ArrayType) and array.dtype == type_.dtype and array.shape == type_.shape
        else None
    )


def parse(text: str, resources: dict[str, bytes] | None = None) -> Any:
    """The Python value of an attribute given as text."""
    text = text.strip()
    try:
        return _parse(text, {} if resources is None else resources)
    except (ValueError, KeyError, IndexError):
        return text


def _parse(text: str, resources: dict[str, bytes]) -> Any:
    if text in ("true", "unit"):
        return True
    if text == "false":
        return False
    if text.startswith('"'):
        return _unescape(text[1:-1])
    if text.startswith("@"):
        return text[1:].replace('"', "")
    if text.startswith("[") and text.endswith("]"):
        return [parse(part, resources) for part in split_top_level(text[1:-1])]
    if text.startswith("{") and text.endswith("}"):
        return _struct(text[1:-1], resources)
    if text.startswith("array<"):
        _, _, elements = text[len("array<") : -1].partition(":")
        return [parse(part) for part in split_top_level(elements)]
    if text.startswith("dense<"):
        literal, type_ = _literal_and_type(text, "dense<")
        return dense(literal, type_)
    if text.startswith("dense_resource<"):
        key, type_ = _literal_and_type(text, "dense_resource<")
        return _from_bytes(resources[key], type_)
    if match := _ENUM.fullmatch(text):
        return match[1]
    if match := _STRUCT.fullmatch(text):
        return _convolution_dimensions(match[2]) if match[1] == "conv" else _struct(match[2], resources)
    return _number(text)


def _number(text: str) -> Any:
    """``3``, ``3 : i64``, ``1.0e-05 : f32`` or the hexadecimal form of an infinity or a NaN. A float has the value that
    its type can hold: 0.1 : f32 is not the 0.1 of a Python float."""
    literal, _, type_ = (part.strip() for part in text.partition(" : "))
    if type_ in ELEMENT_TYPES and ELEMENT_TYPES[type_].kind == "float":
        return float(_element(literal, ArrayType((), ELEMENT_TYPES[type_])))
    if _INTEGER.fullmatch(literal):
        return int(literal)
    if _FLOAT.fullmatch(literal):
        return float(literal)
    return text


def _struct(body: str, resources: dict[str, bytes]) -> dict[str, Any]:
    """``key = value`` pairs; a key without a value is a unit attribute."""
    result: dict[str, Any] = {}
    for entry in split_top_level(body):
        key, equals, value = entry.partition("=")
        result[key.strip().strip('"')] = parse(value, resources) if equals else True
    return result


def _convolution_dimensions(body: str) -> dict[str, Any]:
    """``[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``: letters name batch/feature, numbers the spatial dimension there."""
    if body.startswith("raw"):
        return _struct(body[len("raw") :], {})
    sides = [[part.strip() for part in side.split(",")] for side in _CONV_SIDE.findall(body)]
    names = (("input", "b", "f"), ("kernel", "i", "o"), ("output", "b", "f"))
    words = {"b": "batch", "f": "feature", "i": "input_feature", "o": "output_feature"}
    result: dict[str, Any] = {}
    for entries, (side, *letters) in zip(sides, names, strict=True):
        for letter in letters:
            result[f"{side}_{words[letter]}_dimension"] = entries.index(letter)
        spatial = sorted((int(entry), at) for at, entry in enumerate(entries) if entry.isdigit())
        result[f"{side}_spatial_dimensions"] = [at for _, at in spatial]
    return result


def _literal_and_type(text: str, opening: str) -> tuple[str, ArrayType]:
    literal, _, type_text = text[len(opening) :].rpartition("> : ")
    type_ = parse_type(type_text)
    if not isinstance(type_, ArrayType):
        raise ValueError(f"elements attribute of type {type_}")
    return literal, type_


def dense(literal: str, type_: ArrayType) -> np.ndarray:
    """The value of ``dense<literal> : type_``: nested lists, one splat element, or a string of hexadecimal bytes."""
    literal = literal.strip()
    if literal.startswith('"'):
        return _from_bytes(bytes.fromhex(literal.strip('"')[2:]), type_)
    if literal == "":
        return np.zeros(type_.shape, type_.dtype)
    if not literal.startswith("["):
        return np.full(type_.shape, _element(literal, type_), type_.dtype)
    flat = _complex_elements(literal) if type_.element.kind == "complex" else re.findall(r"[^\[\],\s]+", literal)
    elements = [_element(item, type_) for item in flat]
    return np.array(elements, type_.dtype).reshape(type_.shape)


def _complex_elements(literal: str) -> list[str]:
    return re.findall(r"\([^)]*\)", literal)


def _element(literal: str, type_: ArrayType) -> Any:
    element = type_.element
    if element.kind == "complex":
        part = "f32" if element.bits == 64 else "f64"
        real, imaginary = (
            _element(half.strip(), ArrayType((), ELEMENT_TYPES[part])) for half in literal.strip("()").split(",")
        )
        return element.dtype.type(complex(real, imaginary))
    if literal in ("true", "false"):
        return element.dtype.type(literal == "true")
    if literal.startswith("0x") and element.kind == "float":
        size = element.dtype.itemsize
        return np.frombuffer(int(literal, 16).to_bytes(size, "little"), element.dtype)[0]
    if element.kind == "float":
        return element.dtype.type(float(literal))
    return element.dtype.type(int(literal, 0))


def _from_bytes(data: bytes, type_: ArrayType) -> np.ndarray:
    """Elements from their storage: little-endian, one byte at least per element; one element alone is a splat."""
    count = int(np.prod(type_.shape, dtype=np.int64))
    size = type_.dtype.itemsize
    if (
        type_.element.kind == "pred" and len(data) == (count + 7) // 8 and count > 1
    ):  # older printers pack eight to a byte
        return (
            np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little")
            .astype(bool)
            .reshape(type_.shape)
        )
    raw = np.frombuffer(data, np.uint8)
    if type_.element.bits < 8:
        raw = raw & np.uint8((1 << type_.element.bits) - 1)
    array = raw.view(type_.dtype) if len(raw) else np.zeros(0, type_.dtype)
    if len(data) == size and count != 1:
        return np.full(type_.shape, array[0])
    return array.reshape(type_.shape).copy()


def _unescape(text: str) -> str:
    """MLIR's string escapes: ``\\n``, ``\\t``, ``\\\\``, ``\\"`` and two hexadecimal digits."""

    def character(match: re.Match[str]) -> str:
        code = match[1]
        simple = {"n": "\n", "t": "\t", "\\": "\\", '"': '"'}
        return simple[code] if code in simple else chr(int(code, 16))

    return re.sub(r'\\(n|t|\\|"|[0-9A-Fa-f]{2})', character, text)
