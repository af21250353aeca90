# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the demo shows: a progress bar, times with units, and digits drawn with characters."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence

import numpy as np

_INTERACTIVE = sys.stdout.isatty()


def duration(seconds: float) -> str:
    """A time with three digits and its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


class Progress:
    """A bar that redraws itself on a terminal; elsewhere a line now and then."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._start = time.perf_counter()
        self._shown = 0.0

    def show(self, done: int, note: str) -> None:
        """Draws the state after `done` of the total steps."""
        now = time.perf_counter()
        last = done == self._total
        if not last and now - self._shown < (0.05 if _INTERACTIVE else 2.0):
            return
        self._shown = now
        width = max(10, min(40, shutil.get_terminal_size().columns - 60))
        filled = width * done // self._total
        bar = "█" * filled + "░" * (width - filled)
        text = f"   {bar} {done}/{self._total} {now - self._start:5.1f} s  {note}"
        if _INTERACTIVE:
            print(f"\r\033[K{text}", end="\n" if last else "", flush=True)
        else:
            print(text, flush=True)


def draw(images: np.ndarray, captions: Sequence[str]) -> str:
    """Images of 8 by 8 side by side, two pixels to a character, each above its caption."""
    shades = " ░▒▓█"
    rows = []
    for row in range(0, 8, 2):
        cells = []
        for image in images:
            pixels = (image[row] + image[row + 1]) * 0.5
            cells.append("".join(shades[min(int(value * 5.0), 4)] * 1 for value in pixels))
        rows.append("   " + "   ".join(cells))
    rows.append("   " + "   ".join(f"{caption:8}" for caption in captions))
    return "\n".join(rows)
