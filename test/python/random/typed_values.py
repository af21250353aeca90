# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs of many types are made of: values with bounds, statements, and the scope that writes them."""

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from vector_cases import ELEMENTS

Dims = tuple[int, ...]

NUMPY = {name: np.dtype(dtype) for name, dtype in ELEMENTS.values()}
INTEGERS = ["i32", "ui8", "i64", "i8"]
EPSILON = {"f32": 2.0**-23, "f64": 2.0**-52, "bf16": 2.0**-7, "f16": 2.0**-10, "complex<f32>": 2.0**-22}
# Whole numbers up to here, and sums of a few of them, are exact.
WHOLE = {"f32": 2.0**22, "f64": 2.0**40, "bf16": 128.0, "f16": 1024.0, "complex<f32>": 2.0**20}
FLOATS = ["f32", "f64", "bf16", "f16"]
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 130, 200, 257]


class GiveUp(Exception):
    """The step that was drawn does not fit; another one is drawn."""


@dataclass(frozen=True)
class Value:
    name: str
    element: str
    dims: Dims
    magnitude: float = 0.0
    error: float = 0.0
    open_zeros: bool = False  # computed from a sum of products, which leaves the sign of a zero open

    @property
    def type(self) -> str:
        return tensor(self.element, self.dims)

    @property
    def exact(self) -> bool:
        return self.error == 0.0

    @property
    def size(self) -> int:
        return math.prod(self.dims)


@dataclass
class Statement:
    text: str
    results: list[Value]

    def names(self) -> set[str]:
        return set(re.findall(r"%[vp]\d+", self.text))


@dataclass
class Program:
    seed: int
    parameters: list[Value]
    statements: list[Statement]
    results: list[Value]
    arrays: list[np.ndarray] = field(default_factory=list)

    def text(self) -> str:
        declared = ", ".join(f"{p.name}: {p.type}" for p in self.parameters)
        types = ", ".join(r.type for r in self.results)
        body = "\n".join("  " + s.text for s in self.statements)
        returned = f"return {', '.join(r.name for r in self.results)} : {types}" if self.results else "return"
        return f"// seed {self.seed}\nfunc.func @main({declared}) -> ({types}) {{\n{body}\n  {returned}\n}}\n"


def tensor(element: str, dims: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


def ints(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if len(values) else "array<i64>"


def elements(element: str, dims: Dims, seed: int) -> np.ndarray:
    """Small whole numbers; of floats, zeros of both signs."""
    rng, dtype = np.random.default_rng(seed), NUMPY[element]
    if element == "i1":
        return rng.integers(0, 2, dims).astype(bool)
    if element == "complex<f32>":
        return (rng.integers(-3, 4, dims) + 1j * rng.integers(-3, 4, dims)).astype(dtype)
    if dtype.kind == "u":
        return rng.integers(0, 256, dims).astype(dtype)
    if element in INTEGERS:
        return rng.integers(-100, 100, dims, endpoint=True).astype(dtype)
    signs = rng.choice([-1.0, 1.0], dims)
    return (signs * rng.integers(0, 4, dims, endpoint=True)).astype(dtype)


class Writer:
    """The values that are visible at some point of a program, and the statements written there."""

    def __init__(self, r: random.Random, counter: list[int], limit: int, depth: int, values: list[Value]) -> None:
        self.r, self.counter, self.limit, self.depth = r, counter, limit, depth
        self.values = list(values)
        self.statements: list[Statement] = []
        self.sizes: list[int] = []

    # ---- Writing ----

    def fresh(self, letter: str = "v") -> str:
        self.counter[0] += 1
        return f"%{letter}{self.counter[0]}"

    def emit(
        self,
        op: str,
        operands: Sequence[Value],
        results: Sequence[Value],
        attributes: str = "",
        regions: str = "",
        keep: bool = True,
    ) -> list[Value]:
        """Writes an op; the names of `results` are made here."""
        for result in results:
            if result.size > self.limit or result.magnitude > 1e9 or result.error > 0.02 * max(1.0, result.magnitude):
                raise GiveUp
        base = self.fresh()
        several = len(results) > 1
        open_zeros = op in ("dot", "dot_general", "convolution") or any(o.open_zeros for o in operands)
        if regions:
            mentioned = set(re.findall(r"%[vp]\d+(?:#\d+)?", regions))
            open_zeros |= bool(re.search("xla.(dot|conv)", regions))
            open_zeros |= any(v.open_zeros and v.name in mentioned for v in self.values)
        named = [
            replace(v, name=f"{base}#{i}" if several else base, open_zeros=open_zeros) for i, v in enumerate(results)
        ]
        text = f'{base}{f":{len(results)}" if several else ""} = "xla.{op}"({", ".join(o.name for o in operands)})'
        text += f" ({regions})" if regions else ""
        text += f" {{{attributes}}}" if attributes else ""
        text += f" : ({', '.join(o.type for o in operands)}) -> ({', '.join(v.type for v in named)})"
        self.statements.append(Statement(text, named))
        if keep:
            self.values += [self.tamed(v) for v in named]
        return named

    def tamed(self, value: Value) -> Value:
        """The value, clamped if it has grown too large to stay exact."""
        if value.element not in WHOLE or not value.exact or value.magnitude <= WHOLE[value.element]:
            return value
        if value.element.startswith("complex"):
            raise GiveUp
        low, high = self.constant(-5, value.element), self.constant(7, value.element)
        result = Value("", value.element, value.dims, 7.0)
        return self.emit("clamp", [low, value, high], [result], keep=False)[0]

    def one(self, op: str, operands: Sequence[Value], result: Value, attributes: str = "", regions: str = "") -> Value:
        self.emit(op, operands, [result], attributes, regions)
        return self.values[-1]

    def constant(self, number: Any, element: str, dims: Dims = ()) -> Value:
        if element == "i1":
            text = "true" if number else "false"
        elif element.startswith("complex"):
            text = f"({float(number)}, 0.0)"
        else:
            text = str(float(number)) if element in FLOATS else str(int(number))
        attribute = f"value = dense<{text}> : {tensor(element, dims)}"
        return self.emit("constant", [], [Value("", element, dims, abs(float(number)))], attribute, keep=False)[0]

    # ---- Choosing ----

    def pick(self, fits: Callable[[Value], bool] = lambda _: True) -> Value:
        """A visible value, recent ones more often."""
        values = [v for v in self.values if fits(v)]
        if not values:
            raise GiveUp
        return self.r.choice(values[-4:] if self.r.random() < 0.5 else values)

    def array(self, rank: int = 1, fits: Callable[[Value], bool] = lambda _: True) -> Value:
        return self.pick(lambda v: len(v.dims) >= rank and fits(v))

    def number(self) -> Value:
        return self.pick(lambda v: v.element != "i1")

    def real(self) -> Value:
        return self.pick(lambda v: v.element in FLOATS)

    def like(self, x: Value, element: str | None = None, exact: bool = False) -> Value:
        """A value of the same dims and type: another one, something broadcast, or a constant."""
        element = element or x.element
        same = [v for v in self.values if v.dims == x.dims and v.element == element and (v.exact or not exact)]
        choice = self.r.random()
        if same and choice < 0.6:
            return self.r.choice(same)
        if choice < 0.85 and x.dims:
            smaller = [
                v
                for v in self.values
                if v.element == element and len(v.dims) < len(x.dims) and (v.exact or not exact)
                if self.placement(v.dims, x.dims) is not None
            ]
            if smaller:
                y = self.r.choice(smaller)
                return self.expand(y, x.dims, self.placement(y.dims, x.dims) or [])
        return self.constant(self.r.randint(0, 5) if element != "i1" else self.r.randint(0, 1), element, x.dims)

    def placement(self, dims: Dims, into: Dims) -> list[int] | None:
        """Where dims can go in a broadcast to `into`, in order."""
        places: list[int] = []
        for size in dims:
            following = [d for d in range(places[-1] + 1 if places else 0, len(into)) if size in (1, into[d])]
            if not following:
                return None
            places.append(following[0])
        return places

    def expand(self, y: Value, dims: Dims, places: list[int]) -> Value:
        result = Value("", y.element, dims, y.magnitude, y.error)
        return self.emit("broadcast_in_dim", [y], [result], f"broadcast_dimensions = {ints(places)}", keep=False)[0]

    def size(self) -> int:
        return self.r.choice(self.sizes)

    def index(self, high: int) -> Value:
        """A position, sometimes outside."""
        scalars = [v for v in self.values if v.dims == () and v.element in ("i32", "i64")]
        if scalars and self.r.random() < 0.6:
            return self.r.choice(scalars)
        return self.constant(self.r.randint(-2, high + 2), "i32")
