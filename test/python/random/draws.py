# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of `differential.py` with one operation are drawn from: sizes, element types, arrays; by a seed.

The strategies of `random_cases.py` are for hypothesis, which chooses and shrinks; here a seed alone says everything,
and a case costs no more than its text."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import random_cases
from random_cases import COMPLEX, DTYPES, FLOAT, INT, MLIR_NAMES, NARROW, PRED, SINT, elements

# The floats of 8 bits and less, by the names that ml_dtypes and MLIR give them.
TINY = {
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float4_e2m1fn": "f4E2M1FN",
}
for _name, _mlir in TINY.items():
    DTYPES[_name] = np.dtype(getattr(ml_dtypes, _name))
    MLIR_NAMES[DTYPES[_name]] = _mlir

NARROW_SIGNED = ["s2", "s4"]
CLASSES = {
    "PRED": PRED,
    "SINT": SINT + NARROW_SIGNED,
    "INT": INT + NARROW,
    "FLOAT": FLOAT,
    "TINY": list(TINY),
    "COMPLEX": COMPLEX,
}
ALL = PRED + INT + NARROW + FLOAT + COMPLEX + list(TINY)
INDEX = ["s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"]
SIZES = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65]


@dataclass
class Case(random_cases.Case):
    """`judge`, if there is one, compares (results, expected results, arguments) in the place of the bounds.
    `xla` is whether XLA can be asked: it has the operation, and defines what it gives. A function with roots between
    poles is a sum of `terms` of about that size: the units of its last place are at least theirs."""

    judge: Callable[[list[np.ndarray], list[np.ndarray], list[np.ndarray]], str | None] | None = None
    xla: bool = True
    terms: np.ndarray | None = None


class Draw(random.Random):
    """Random sizes, types and arrays."""

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def size(self) -> int:
        return self.choice(SIZES)

    def dims(self, least: int = 0, most: int = 4, limit: int = 3000, sizes: Sequence[int] = SIZES) -> tuple[int, ...]:
        """Dims of few enough elements; empty arrays are not too frequent."""
        rank = min(most, max(least, self.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])))
        while True:
            found = tuple(self.choice(sizes) for _ in range(rank))
            if math.prod(found) <= limit and (0 not in found or self.chance(0.3)):
                return found

    def name(self, *classes: str) -> str:
        """An element type of one of the classes, each class as likely as the others but for the tiny floats."""
        chosen = self.choice([c for c in classes for _ in range(1 if c in ("TINY", "PRED") else 3)])
        return self.choice(CLASSES[chosen])

    def array(self, name: str, dims: Sequence[int], kind: str = "any") -> np.ndarray:
        """Random elements (`random_cases.elements`); of the kind `bits`, any bit patterns."""
        dtype, seed = DTYPES[name], self.randrange(2**31)
        if kind == "bits":
            return bits(dtype, dims, seed)
        with np.errstate(all="ignore"):
            found = elements(dtype, dims, seed, kind)
            return np.abs(found) if name == "float8_e8m0fnu" else found

    def subset(self, items: Sequence[Any], chance: float = 0.5) -> list[Any]:
        return [each for each in items if self.chance(chance)]

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        return self.sample(list(items), len(items))


def bits(dtype: np.dtype, dims: Sequence[int], seed: int) -> np.ndarray:
    """Elements of random bits: subnormals, NaN and the ends of the range are as likely as anything else."""
    rng = np.random.default_rng(seed)
    if dtype == np.bool_ or "int" in dtype.name and dtype.itemsize * 8 > ml_dtypes.iinfo(dtype).bits:
        return elements(dtype, dims, seed)
    data = rng.integers(0, 256, (math.prod(dims), dtype.itemsize), np.uint8)
    if dtype.name in TINY and ml_dtypes.finfo(dtype).bits < 8:
        data &= np.uint8((1 << ml_dtypes.finfo(dtype).bits) - 1)
    return data.reshape(-1).view(dtype).reshape(dims)


def one_op(*arguments: Any, judge: Any = None, xla: bool = True, **options: Any) -> Case:
    """`random_cases.one_op` with the options of this `Case`. XLA has no floats of 4 and 6 bits."""
    case = random_cases.one_op(*arguments, **options)
    return Case(**vars(case), judge=judge, xla=xla and not re.search(r"f6E|f4E", case.text))
