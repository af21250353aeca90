# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What errors have in common: counted nouns, what a misspelt name may have meant, arguments that must be integers."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from typing import Any

_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 8
_SHORT.maxother = _SHORT.maxstring = 80


def short(value: Any) -> str:
    """What was given, in one line of bounded length."""
    return " ".join(_SHORT.repr(value).split())


def counted(count: int, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def article(noun: object) -> str:
    """`a float32`, `an int8`, `an XlaOp`; `a uint8`, as it is spoken."""
    return f"{'an' if str(noun)[0] in 'aeioAEIOX' else 'a'} {noun}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """What ends the error about an unknown name: `; did you mean 'Tanh'?` where a known one is close to it."""
    import difflib

    by_lower = {each.lower(): each for each in known}
    # Of a short name, two letters in the wrong order are much.
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.65 if len(name) < 5 else 0.75)
    return f"; did you mean '{by_lower[found[0]]}'?" if found else ""


def integer(value: Any, what: str) -> int:
    """An integer of any type as Python's. TypeError for other numbers, also booleans: nothing is rounded."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{what} is {short(value)}, not an integer")


def integers(values: Any, what: str) -> tuple[int, ...]:
    """A sequence of integers. TypeError for what has no order or is text."""
    if not isinstance(values, (str, bytes, bytearray, dict, set, frozenset)):
        try:
            elements = list(values)
        except TypeError:
            pass
        else:
            return tuple(integer(element, f"{what}[{i}]") for i, element in enumerate(elements))
    raise TypeError(f"{what} is {short(values)}, not a sequence of integers")
