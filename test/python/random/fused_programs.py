# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs that are hard to fuse, drawn from a seed: arrays of few shapes, so that nearly everything may share a
kernel with everything else, and between them what forbids it: statistics of rows and columns read at their own row and
at others, through reshapes, by computed positions, or overwritten in place."""

import math
import random
from collections.abc import Callable

from typed_programs import Scope
from typed_values import EPSILON, Dims, Program, Value, elements, ints

SIZES = [1, 2, 3, 4, 5, 16, 17, 33, 64, 100]


class FusingScope(Scope):
    """Steps that lead to several nests, or keep them apart."""

    def reduced(self, x: Value, axes: list[int]) -> Value:
        op, init, bound, error = self.monoid(x, math.prod(x.dims[d] for d in axes))
        dims = tuple(n for d, n in enumerate(x.dims) if d not in axes)
        return self.one(
            "reduce",
            [x, init],
            Value("", x.element, dims, bound, error),
            f"dimensions = {ints(axes)}",
            self.region(op, x.element),
        )

    def axes(self, x: Value) -> list[int]:
        """Of a statistic: trailing dims mostly."""
        first = self.r.randrange(len(x.dims))
        return list(range(first, len(x.dims))) if self.r.random() < 0.7 else [first]

    def combined(self, x: Value, y: Value) -> Value:
        op = self.r.choice(["add", "subtract"])
        if x.element == "i1":
            return self.one(self.r.choice(["and", "or", "xor"]), [x, y], Value("", "i1", x.dims))
        if x.element in EPSILON:
            return self.sum(x, y, op)
        return self.one(op, [x, y], Value("", x.element, x.dims))

    def statistics(self) -> None:
        """Reductions of the same rows, each of what the one before made of them; some are kept as results."""
        x = self.array(1, lambda v: v.size > 0)
        axes = self.axes(x)
        kept = [d for d in range(len(x.dims)) if d not in axes]
        for _ in range(self.r.randint(1, 3)):
            s = self.reduced(x, axes)
            if self.r.random() < 0.3 and s.dims:
                s = self.moved(s)
            x = self.combined(x, self.expand(s, x.dims, kept))
            if self.r.random() < 0.4:
                self.values.append(x)
                self.smooth()
                x = self.like(x)

    def moved(self, s: Value) -> Value:
        """`s` at other positions, in the same shape."""
        change = self.r.choice(["reverse", "reshape", "slice", "transpose"])
        if change == "reverse":
            return self.same("reverse", s, s.dims, f"dimensions = {ints([self.r.randrange(len(s.dims))])}")
        if change == "reshape":
            return self.same("reshape", self.same("reshape", s, [s.size, 1], ""), s.dims, "")
        if change == "transpose" and len(s.dims) > 1 and len(set(s.dims)) == 1:
            return self.same("transpose", s, s.dims, f"permutation = {ints([*reversed(range(len(s.dims)))])}")
        n = s.dims[0]
        halves = [
            self.same("slice", s, [b - a, *s.dims[1:]], self.bounds(s, a, b)) for a, b in [(n // 2, n), (0, n // 2)]
        ]
        return self.same("concatenate", halves[0], s.dims, "dimension = 0 : i64", halves[1])

    @staticmethod
    def bounds(s: Value, first: int, last: int) -> str:
        rest = len(s.dims) - 1
        starts, limits = [first] + [0] * rest, [last, *s.dims[1:]]
        return f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints([1] * (rest + 1))}"

    def outer(self) -> None:
        """Statistics of rows and of columns over one array."""
        x = self.array(2, lambda v: len(v.dims) == 2 and v.size > 0)
        rows, columns = self.reduced(x, [1]), self.reduced(x, [0])
        x = self.combined(x, self.expand(rows, x.dims, [0]))
        x = self.combined(x, self.expand(columns, x.dims, [1]))
        if x.dims[0] == x.dims[1] and self.r.random() < 0.5:
            self.combined(x, self.expand(rows, x.dims, [1]))

    def written(self) -> None:
        """A part of an array is overwritten with what is made of it, or read at a position made of it."""
        x = self.array(1, lambda v: v.size > 0 and v.element in ("i32", "i64"))
        position = self.reduced(x, list(range(len(x.dims))))
        others = [self.constant(0, x.element) for _ in x.dims[1:]]
        sizes = [self.r.randint(1, n) for n in x.dims]
        piece = Value("", x.element, tuple(sizes), x.magnitude, x.error)
        if self.r.random() < 0.5:
            part = self.same("slice", x, sizes, self.front(sizes))
            target = x if self.r.random() < 0.6 else self.combined(x, self.like(x))
            self.one("dynamic_update_slice", [target, self.combined(part, part), position, *others], target)
        else:
            self.one("dynamic_slice", [x, position, *others], piece, f"slice_sizes = {ints(sizes)}")

    @staticmethod
    def front(sizes: list[int]) -> str:
        ones, zeros = [1] * len(sizes), [0] * len(sizes)
        return f"start_indices = {ints(zeros)}, limit_indices = {ints(sizes)}, strides = {ints(ones)}"

    def several(self) -> None:
        """Results of one shape that share a nest, with views of them between."""
        x = self.array()
        for _ in range(self.r.randint(1, 3)):
            y = self.combined(x, self.like(x))
            x = self.moved(y) if self.r.random() < 0.5 else y

    def steps(self) -> list[Callable[[], None]]:
        own = [self.statistics, self.outer, self.written, self.several, self.softmax]
        plain = [self.unary, self.smooth, self.binary, self.binary, self.select, self.convert, self.broadcast]
        plain += [self.transpose, self.reverse, self.reshape, self.slice, self.pad, self.concatenate, self.reduce]
        plain += [self.argmax, self.window, self.dot, self.gather, self.dynamic_slice, self.dynamic_update_slice]
        nested = [self.loop, self.branch] if self.depth < 1 else []
        return 4 * own + plain + nested


def program(seed: int) -> Program:
    """The random program of a seed."""
    r = random.Random(seed)
    long = r.random() < 0.05  # rows that do not stay in a cache
    scope = FusingScope(r, [0], 400_000 if long else 6000, 0, [])
    scope.sizes = r.sample(SIZES, 2) + [1]
    shapes: list[Dims] = [tuple(scope.size() for _ in range(r.choice([1, 2, 2, 3]))) for _ in range(2)]
    if long:
        shapes[0] = (r.choice([2, 3, 16]), r.choice([2500, 20_000]))
    kinds = [r.choice(["f32", "f32", "f64", "bf16", "complex<f32>"]), r.choice(["i32", "i32", "i64", "ui8", "i1"])]
    parameters = []
    for _ in range(r.randint(1, 4)):
        dims, element = r.choice(shapes), r.choice(kinds)
        magnitude = 0.0 if element in ("i32", "i64", "ui8", "i1") else 6.0 if element.startswith("complex") else 4.0
        parameters.append(Value(scope.fresh(), element, dims, magnitude))
    scope.values += parameters
    for _ in range(r.choice([1, 2, 3, 5, 8, 12])):
        scope.step()
    results = scope.values[-r.randint(1, 3) :]
    results += [r.choice(scope.values) for _ in range(r.choice([0, 1, 2, 3]))]
    arrays = [elements(p.element, p.dims, seed + i) for i, p in enumerate(parameters)]
    return Program(seed, parameters, scope.statements, results, arrays)
