# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions where misuse of upstream's classes ends the process: indices, other locations, deep text, bad bytecode."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from .. import _bytecode
from ._mlir import ir
from ._xla import check_text

# What a location of each kind has.
_MEMBERS = {
    "file": ("filename", "start_line", "start_col", "end_line", "end_col"),
    "name": ("name_str", "child_loc"),
    "callsite": ("callee", "caller"),
    "fused": ("locations",),
}


def _member(kind: str, name: str) -> property:
    upstream = getattr(ir.Location, name)
    is_a = getattr(ir.Location, f"is_a_{kind}")

    def get(self: ir.Location) -> Any:
        if not is_a(self):
            raise ValueError(f"{self} is not a {kind} location: it has no {name}")
        return upstream.__get__(self)

    return property(get, doc=upstream.__doc__)


def _readable(source: Any) -> Any:
    """The source, if the parsers survive it; corrupt bytecode and text that is nested too deeply raise."""
    if not isinstance(source, (str, bytes)):
        return source
    check_text(source)
    return _bytecode.contained(source)


def _parser(upstream: Callable[..., Any]) -> Any:
    def parse(*args: Any, **kwargs: Any) -> Any:
        named = {key: _readable(value) if key in ("asm", "source") else value for key, value in kwargs.items()}
        return upstream(*map(_readable, args[:1]), *args[1:], **named)

    parse.__doc__ = upstream.__doc__
    return staticmethod(parse)


def _file_parser(upstream: Callable[..., Any]) -> Any:
    def parse_file(path: str | os.PathLike[str], context: ir.Context | None = None) -> ir.Module:
        bytecode = _bytecode.read(path)
        return upstream(os.fspath(path), context) if bytecode is None else ir.Module.parse(bytecode, context)

    parse_file.__doc__ = upstream.__doc__
    return staticmethod(parse_file)


def install() -> None:
    for kind, names in _MEMBERS.items():
        for name in names:
            setattr(ir.Location, name, _member(kind, name))
    for cls in (ir.Module, ir.Operation, ir.Type, ir.Attribute):
        cls.parse = _parser(cls.parse)  # type: ignore[method-assign]
    ir.Module.parseFile = _file_parser(ir.Module.parseFile)  # type: ignore[method-assign]

    # nanobind takes what has an index for an integer.
    ir.IntegerAttr.__index__ = ir.IntegerAttr.__int__  # type: ignore[attr-defined]

    parse_view = ir.OpView.__dict__["parse"].__func__

    def parse_checked(cls: type[ir.OpView], *args: Any, **kwargs: Any) -> Any:
        return _parser(functools.partial(parse_view, cls)).__func__(*args, **kwargs)

    parse_checked.__doc__ = parse_view.__doc__
    ir.OpView.parse = classmethod(parse_checked)  # type: ignore[method-assign, assignment]

    array_item, erase_argument, get_permutation = (
        ir.ArrayAttr.__getitem__,
        ir.Block.erase_argument,
        ir.AffineMap.get_permutation,
    )

    def checked_item(self: ir.ArrayAttr, index: int) -> ir.Attribute:
        size = len(self)
        return array_item(self, index % size if -size <= index < 0 else abs(index))

    def checked_erase(self: ir.Block, index: int) -> None:
        if not 0 <= index < len(self.arguments):
            raise IndexError(f"the block has no argument {index}")
        erase_argument(self, index)

    def checked_permutation(permutation: list[int], context: ir.Context | None = None) -> ir.AffineMap:
        return get_permutation(permutation, context) if permutation else ir.AffineMap.get_empty(context)

    ir.ArrayAttr.__getitem__ = checked_item  # type: ignore[method-assign]
    ir.Block.erase_argument = checked_erase  # type: ignore[method-assign]
    ir.AffineMap.get_permutation = staticmethod(checked_permutation)  # type: ignore[method-assign, assignment]
