# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where in the user's program an operation is asked for."""

from __future__ import annotations

import functools
import itertools
import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def caller() -> tuple[str, int, int]:
    """File, line and column (from 1) of the innermost call from outside of this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_code.co_filename):
        frame = frame.f_back
    column = None
    if frame.f_lasti >= 0:
        positions = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
        column = positions[2] if positions else None
    return frame.f_code.co_filename, frame.f_lineno, (column or 0) + 1


@functools.cache
def _is_inside(file: str) -> bool:
    return os.path.abspath(file).startswith(_PACKAGE)
