# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions that building programs raises."""

from __future__ import annotations


class XlaError(ValueError):
    """A program that cannot be built.

    `op` is the operation that was asked for (`"Dot"`), `constraint` the id of the rule that it breaks (`"Dot-C2"`),
    `location` the line of the program (`"model.py:12:9"`); each is None where there is none.
    """

    def __init__(
        self, reason: str, *, op: str | None = None, constraint: str | None = None, location: str | None = None
    ) -> None:
        self.reason, self.op, self.constraint, self.location = reason, op, constraint, location
        rule = f"[{constraint}] " if constraint and f"[{constraint}]" not in reason else ""
        where = f"{location}: " if location else ""
        super().__init__(f"{where}{f'{op}: ' if op else ''}{rule}{reason}")


class ShapeError(XlaError):
    """Shapes, layouts or indices that do not fit together."""
