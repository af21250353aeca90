# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR contexts for programs that come without one.

Contexts are lent, one user at a time, and used again: loading dialects takes longer than compiling a small program, and
a context of one's own keeps the errors of one compilation apart from those of another.
"""

from __future__ import annotations

import threading

from . import ir
from ._mlir_libs._xla import compiler, load_dialects

DIALECTS = ("func", "xla")

# A context is given up after this many bytes of programs: what it makes unique it never frees.
_MOST_BYTES = 64 << 20

_idle: list[tuple[ir.Context, int]] = []
_local = threading.local()


def new_context() -> ir.Context:
    """A context with the dialects of programs; others are loaded when a program names them."""
    context = ir.Context(load_on_create_dialects=[])
    load_dialects(context, DIALECTS)
    context.enable_multithreading(False)
    return context


class Lease:
    """A context to parse a program of `size` bytes in. Nothing may refer to it afterwards but errors.

    The end of Python waits for this thread meanwhile.
    """

    def __init__(self, size: int = 0) -> None:
        self._size = size

    def __enter__(self) -> ir.Context:
        compiler.begin_work()
        try:
            try:
                self._context, used = _idle.pop()
            except IndexError:
                self._context, used = new_context(), 0
        except BaseException:
            compiler.end_work()
            raise
        self._size += used
        return self._context

    def __exit__(self, kind: object, *_: object) -> None:
        # One that an error left is not used again: the error refers to it.
        if kind is None and self._size < _MOST_BYTES:
            _idle.append((self._context, self._size))
        compiler.end_work()


def of_this_thread() -> ir.Context:
    """The active context (`with Context():`), or else the one in which this thread's builders work."""
    active = ir.Context.current
    if active is not None:
        return active
    context = getattr(_local, "context", None)
    if context is None:
        context = _local.context = new_context()
    return context
