# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR contexts for programs that come without one.

Contexts are lent, one user at a time, and used again: loading dialects takes longer than compiling a small program, and
a context of one's own keeps the errors of one compilation apart from those of another.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def lent(size: int = 0) -> Iterator[ir.Context]:
    """A context to parse a program of `size` bytes in. Nothing may refer to it afterwards but errors.

    The end of Python waits for this thread meanwhile.
    """
    compiler.begin_work()
    try:
        try:
            context, used = _idle.pop()
        except IndexError:
            context, used = new_context(), 0
        yield context  # one that an error left is not used again: the error refers to it
        if used + size < _MOST_BYTES:
            _idle.append((context, used + size))
    finally:
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
