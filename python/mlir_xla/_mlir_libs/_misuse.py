# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions where plain misuse of upstream's classes ends the process: bad indices, other locations, deep text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


def _parser(upstream: Callable[..., Any]) -> Any:
    def parse(*args: Any, **kwargs: Any) -> Any:
        for text in (*args[:1], kwargs.get("asm"), kwargs.get("source")):
            if isinstance(text, (str, bytes)):
                check_text(text)
        return upstream(*args, **kwargs)

    parse.__doc__ = upstream.__doc__
    return staticmethod(parse)


def install() -> None:
    for kind, names in _MEMBERS.items():
        for name in names:
            setattr(ir.Location, name, _member(kind, name))
    for cls in (ir.Module, ir.Operation, ir.Type, ir.Attribute):
        cls.parse = _parser(cls.parse)  # type: ignore[method-assign]

    array_item, erase_argument, permutation = (
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

    def checked_permutation(permutation_: list[int], context: ir.Context | None = None) -> ir.AffineMap:
        return permutation(permutation_, context) if permutation_ else ir.AffineMap.get_empty(context)

    ir.ArrayAttr.__getitem__ = checked_item  # type: ignore[method-assign]
    ir.Block.erase_argument = checked_erase  # type: ignore[method-assign]
    ir.AffineMap.get_permutation = staticmethod(checked_permutation)  # type: ignore[method-assign, assignment]
