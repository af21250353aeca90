# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random whole programs of 32-bit integers.

Integer arithmetic wraps and is associative, so whatever is fused, reordered or updated in place, a program has one
right answer, to the bit. Programs contain what stresses a compiler: values with several uses, chains across shapes,
reductions in the middle, loops with swapped and invariant state, nested conditionals, updates at run-time positions.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from random_cases import SEEDS, Case, binary_region, elements, ints, tensor

Dims = tuple[int, ...]
_LARGEST = 600
_DIRECTIONS = ["EQ", "NE", "GE", "GT", "LE", "LT"]
_BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "divide", "remainder", "shift_left"]
_UNARY = ["negate", "not", "abs", "popcnt", "sign", "count_leading_zeros"]


def t(dims: Sequence[int]) -> str:
    return tensor(np.int32, dims)


class _Scope:
    """Values that are visible at some point of the program, and the lines written there."""

    def __init__(self, draw: Any, values: list[tuple[str, Dims]], counter: list[int], depth: int) -> None:
        self.draw, self.values, self.counter, self.depth = draw, list(values), counter, depth
        self.lines: list[str] = []

    def name(self) -> str:
        self.counter[0] += 1
        return f"%v{self.counter[0]}"

    def pick(self, among: Any = None) -> tuple[str, Dims]:
        values = self.values if among is None else [v for v in self.values if among(v[1])]
        recent = values[-4:]  # recent values more often: deep programs rather than wide ones
        return self.draw(st.sampled_from(recent if self.draw(st.integers(0, 2)) else values))

    def emit(
        self, op: str, operands: Sequence[tuple[str, Dims]], dims: Dims, attributes: str = "", region: str = ""
    ) -> tuple[str, Dims]:
        """Writes an op on integer arrays with one result."""
        result = self.name()
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(t(d) for _, d in operands)
        body = f" ({region})" if region else ""
        self.lines.append(f'{result} = "xla.{op}"({names}){body} {{{attributes}}} : ({types}) -> {t(dims)}')
        self.values.append((result, tuple(dims)))
        return self.values[-1]

    def constant(self, value: int, dims: Dims = ()) -> tuple[str, Dims]:
        result = self.name()
        self.lines.append(f'{result} = "xla.constant"() {{value = dense<{value}> : {t(dims)}}} : () -> {t(dims)}')
        return result, dims

    def predicate(self, x: tuple[str, Dims], y: tuple[str, Dims], direction: str = "") -> str:
        result = self.name()
        direction = direction or self.draw(st.sampled_from(_DIRECTIONS))
        attributes = f"comparison_direction = #xla<comparison_direction {direction}>"
        types = f"({t(x[1])}, {t(y[1])}) -> {tensor(np.bool_, x[1])}"
        self.lines.append(f'{result} = "xla.compare"({x[0]}, {y[0]}) {{{attributes}}} : {types}')
        return result

    def partner(self, x: tuple[str, Dims]) -> tuple[str, Dims]:
        """A value with the dims of ``x``: another one, or a broadcast constant."""
        if self.draw(st.integers(0, 3)):
            return self.pick(lambda dims: dims == x[1])
        return self.constant(self.draw(st.integers(-3, 5)), x[1])

    def scalar(self) -> tuple[str, Dims]:
        """A rank-0 value: an existing one or the sum of an array."""
        if any(dims == () for _, dims in self.values) and self.draw(st.booleans()):
            return self.pick(lambda dims: dims == ())
        x = self.pick()
        attributes = f"dimensions = {ints(range(len(x[1])))}"
        return self.emit("reduce", [x, self.constant(0)], (), attributes, binary_region("add", np.int32))

    # ---- One random step each ----

    def unary(self) -> None:
        x = self.pick()
        self.emit(self.draw(st.sampled_from(_UNARY)), [x], x[1])

    def binary(self) -> None:
        x = self.pick()
        operands = [x, self.partner(x)]
        if self.draw(st.booleans()):
            operands.reverse()
        self.emit(self.draw(st.sampled_from(_BINARY)), operands, x[1])

    def select(self) -> None:
        x = self.pick()
        y = self.partner(x)
        predicate, result = self.predicate(x, y), self.name()
        z = self.partner(x)
        types = f"{tensor(np.bool_, x[1])}, {t(x[1])}, {t(x[1])}"
        self.lines.append(f'{result} = "xla.select"({predicate}, {y[0]}, {z[0]}) : ({types}) -> {t(x[1])}')
        self.values.append((result, x[1]))

    def broadcast(self) -> None:
        x = self.pick()
        if len(x[1]) > 2:
            return
        at = self.draw(st.integers(0, len(x[1])))
        size = self.draw(st.integers(1, 5))
        dims = (*x[1][:at], size, *x[1][at:])
        if np.prod(dims) <= _LARGEST:
            kept = [d for d in range(len(dims)) if d != at]
            self.emit("broadcast_in_dim", [x], dims, f"broadcast_dimensions = {ints(kept)}")

    def transpose(self) -> None:
        x = self.pick()
        order = self.draw(st.permutations(range(len(x[1]))))
        self.emit("transpose", [x], tuple(x[1][d] for d in order), f"permutation = {ints(order)}")

    def reverse(self) -> None:
        x = self.pick()
        self.emit(
            "reverse", [x], x[1], f"dimensions = {ints([d for d in range(len(x[1])) if self.draw(st.booleans())])}"
        )

    def reshape(self) -> None:
        x = self.pick()
        size = int(np.prod(x[1]))
        first = self.draw(st.sampled_from([d for d in range(1, size + 1) if size % d == 0]))
        self.emit("reshape", [x], self.draw(st.sampled_from([(size,), (first, size // first)])))

    def slice(self) -> None:
        x = self.pick()
        starts = [self.draw(st.integers(0, n - 1)) for n in x[1]]
        limits = [self.draw(st.integers(s + 1, n)) for s, n in zip(starts, x[1], strict=True)]
        strides = [self.draw(st.integers(1, 2)) for _ in x[1]]
        dims = tuple(-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True))
        attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints(strides)}"
        self.emit("slice", [x], dims, attributes)

    def pad(self) -> None:
        x = self.pick()
        low, high, interior = ([self.draw(st.integers(0, 2)) for _ in x[1]] for _ in range(3))
        dims = tuple((n - 1) * (i + 1) + 1 + a + b for n, i, a, b in zip(x[1], interior, low, high, strict=True))
        if np.prod(dims) <= _LARGEST:
            attributes = (
                f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(interior)}"
            )
            self.emit("pad", [x, self.constant(7)], dims, attributes)

    def concatenate(self) -> None:
        x = self.pick()
        if x[1] and 2 * np.prod(x[1]) <= _LARGEST:
            axis = self.draw(st.integers(0, len(x[1]) - 1))
            dims = tuple(2 * n if d == axis else n for d, n in enumerate(x[1]))
            self.emit("concatenate", [x, self.partner(x)], dims, f"dimension = {axis} : i64")

    def reduce(self) -> None:
        x = self.pick()
        axes = [d for d in range(len(x[1])) if self.draw(st.booleans())]
        op, init = self.draw(st.sampled_from([("add", 0), ("maximum", -(2**31)), ("minimum", 2**31 - 1), ("xor", 0)]))
        dims = tuple(n for d, n in enumerate(x[1]) if d not in axes)
        self.emit("reduce", [x, self.constant(init)], dims, f"dimensions = {ints(axes)}", binary_region(op, np.int32))

    def dot(self) -> None:
        x = self.pick()
        if len(x[1]) == 2 and x[1][0] ** 2 <= _LARGEST:
            numbers = "#xla.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>"
            self.emit("dot_general", [x, self.partner(x)], (x[1][0], x[1][0]), f"dot_dimension_numbers = {numbers}")

    def dynamic_slice(self) -> None:
        x = self.pick()
        sizes = tuple(self.draw(st.integers(1, n)) for n in x[1])
        self.emit("dynamic_slice", [x, *(self.scalar() for _ in x[1])], sizes, f"slice_sizes = {ints(sizes)}")

    def dynamic_update_slice(self) -> None:
        x = self.pick()
        fitting = lambda dims: len(dims) == len(x[1]) and all(a <= b for a, b in zip(dims, x[1], strict=True))  # noqa: E731
        update = self.pick(fitting)
        self.emit("dynamic_update_slice", [x, update, *(self.scalar() for _ in x[1])], x[1])

    def barrier(self) -> None:
        x, y = self.pick(), self.pick()
        result = self.name()
        types = f"({t(x[1])}, {t(y[1])})"
        self.lines.append(f'{result}:2 = "xla.optimization_barrier"({x[0]}, {y[0]}) : {types} -> {types}')
        self.values += [(f"{result}#0", x[1]), (f"{result}#1", y[1])]

    def inner(self, parameters: list[tuple[str, Dims]], wanted: list[Dims], steps: int) -> tuple[list[str], list[str]]:
        """The lines of a nested region and the values of the wanted dims that it returns. Values of the enclosing
        scope may be used as well."""
        scope = _Scope(self.draw, self.values + parameters, self.counter, self.depth + 1)
        scope.grow(steps)
        return scope.lines, [scope.pick(lambda dims, want=want: dims == want)[0] for want in wanted]

    def loop(self) -> None:
        state = [self.pick() for _ in range(self.draw(st.integers(1, 3)))]
        dims = [d for _, d in state]
        types = ", ".join([t(()), *map(t, dims)])
        result, start = self.name(), self.constant(0)
        parameters = [(self.name(), d) for d in [(), *dims]]
        declared = ", ".join(f"{name}: {t(d)}" for name, d in parameters)
        head = _Scope(self.draw, [], self.counter, 9)
        limit = head.constant(self.draw(st.integers(0, 4)))
        test = head.predicate(parameters[0], limit, "LT")
        lines, results = self.inner(parameters, dims, self.draw(st.integers(1, 5)))
        tail = _Scope(self.draw, [], self.counter, 9)
        following = tail.emit("add", [parameters[0], tail.constant(1)], ())
        operands = ", ".join([start[0], *(name for name, _ in state)])
        self.lines += [
            f'{result}:{len(dims) + 1} = "xla.while"({operands}) ({{',
            f"^bb0({declared}):",
            *head.lines,
            f'"xla.return"({test}) : (tensor<i1>) -> ()',
            "}, {",
            f"^bb0({declared}):",
            *lines,
            *tail.lines,
            f'"xla.return"({", ".join([following[0], *results])}) : ({types}) -> ()',
            f"}}) : ({types}) -> ({types})",
        ]
        self.values += [(f"{result}#{i + 1}", d) for i, d in enumerate(dims)]

    def branch(self) -> None:
        dims = [self.pick()[1] for _ in range(self.draw(st.integers(1, 2)))]
        types = ", ".join(map(t, dims))
        indexed = self.draw(st.booleans())
        if indexed:
            selector, selector_type = self.scalar()[0], t(())
        else:
            selector, selector_type = self.predicate(self.scalar(), self.constant(0)), "tensor<i1>"
        result = self.name()
        regions = []
        for _ in range(self.draw(st.integers(1, 3)) if indexed else 2):
            lines, results = self.inner([], dims, self.draw(st.integers(0, 3)))
            regions.append("\n".join([*lines, f'"xla.return"({", ".join(results)}) : ({types}) -> ()']))
        definition = result if len(dims) == 1 else f"{result}:{len(dims)}"
        bodies = "\n}, {\n".join(regions)
        op = "case" if indexed else "if"
        self.lines.append(f'{definition} = "xla.{op}"({selector}) ({{\n{bodies}\n}}) : ({selector_type}) -> ({types})')
        self.values += [(result if len(dims) == 1 else f"{result}#{i}", d) for i, d in enumerate(dims)]

    def grow(self, steps: int) -> None:
        """Appends random steps; control flow nests at most two deep."""
        plain = [
            self.unary,
            self.binary,
            self.binary,
            self.select,
            self.broadcast,
            self.transpose,
            self.reverse,
            self.reshape,
        ]
        plain += [
            self.slice,
            self.pad,
            self.concatenate,
            self.reduce,
            self.dot,
            self.dynamic_slice,
            self.dynamic_update_slice,
        ]
        plain += [self.barrier]
        nested = [self.loop, self.branch] if self.depth < 2 else []
        for _ in range(steps):
            self.draw(st.sampled_from(plain + nested))()


@st.composite
def programs(draw: Any, steps: int = 12) -> Case:
    """A random program with its arguments."""
    shapes = draw(st.lists(st.lists(st.integers(1, 6), max_size=3).map(tuple), min_size=1, max_size=3))
    parameters = [(f"%arg{i}", dims) for i, dims in enumerate(shapes)]
    scope = _Scope(draw, parameters, [0], 0)
    scope.grow(draw(st.integers(1, steps)))
    results = [scope.values[-1], *(scope.pick() for _ in range(draw(st.integers(0, 2))))]
    declared = ", ".join(f"{name}: {t(dims)}" for name, dims in parameters)
    types = ", ".join(t(dims) for _, dims in results)
    body = "\n".join(scope.lines)
    text = (
        f"func.func @main({declared}) -> ({types}) {{\n{body}\nreturn {', '.join(n for n, _ in results)} : {types}\n}}"
    )
    return Case(text, [elements(np.int32, dims, draw(SEEDS)) for dims in shapes])
