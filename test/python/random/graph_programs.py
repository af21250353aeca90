# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of 5 to 30 operations for `differential.py`: those of `typed_programs.py` with more families mixed in
(sorting, scatter, Fourier transforms, factorisations, random bits, special functions) and, if asked, control flow."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable

import numpy as np
from typed_programs import Scope
from typed_values import (
    EPSILON,
    FLOATS,
    INTEGERS,
    SIZES,
    WHOLE,
    Dims,
    GiveUp,
    Program,
    Statement,
    Value,
    elements,
    ints,
    tensor,
)

COMPARE = (
    '{} = "xla.compare"({}, {}) {{comparison_direction = #xla<comparison_direction {}>{}}} : ({}, {}) -> tensor<i1>'
)


class Graph(Scope):
    """Random steps of all families."""

    control = False
    without: frozenset[str] = frozenset()  # names of steps that are left out

    def special(self) -> None:
        x = self.real()
        # op -> its largest slope and its largest value on all numbers
        op, slope, bound = self.r.choice(
            [("erf", 1.2, 1.0), ("erfc", 1.2, 2.0), ("atan", 1.0, 1.6), ("asinh", 1.0, 8.0), ("bessel_i1e", 0.5, 0.3)]
        )
        if x.magnitude > 1000:
            raise GiveUp
        error = slope * x.error + 8 * EPSILON[x.element] * bound
        self.one(op, [x], Value("", x.element, x.dims, bound + error, error))

    def sort(self) -> None:
        """Keys, with indices or with a second array. The signs of zeros decide an order, too."""
        x = self.array(1, lambda v: v.exact and v.element in (*FLOATS, *INTEGERS) and not v.open_zeros)
        axis = self.r.randrange(len(x.dims))
        operands = [x]
        same = [v for v in self.values if v.dims == x.dims]
        if self.r.random() < 0.6:
            operands.append(self.r.choice(same))
        if self.r.random() < 0.3:
            index = Value("", "i32", x.dims, float(x.dims[axis]))
            operands.append(self.emit("iota", [], [index], f"iota_dimension = {axis} : i64", keep=False)[0])
        parameters = [(self.fresh("p"), self.fresh("p"), tensor(v.element, ())) for v in operands]
        before, t = self.fresh("p"), parameters[0][2]
        total = x.element in FLOATS and self.r.random() < 0.5
        kind = ", compare_type = #xla<comparison_type TOTALORDER>" if total else ""
        body = COMPARE.format(before, *parameters[0][:2], self.r.choice(["LT", "GT"]), kind, t, t)
        declared = ", ".join(f"{a}: {t}, {b}: {t}" for a, b, t in parameters)
        region = f'{{ ^bb0({declared}): {body} "xla.return"({before}) : (tensor<i1>) -> () }}'
        self.emit("sort", operands, operands, f"dimension = {axis} : i64, is_stable = true", region)

    def top_k(self) -> None:
        x = self.array(1, lambda v: v.exact and v.element in (*FLOATS, *INTEGERS) and not v.open_zeros)
        k = min(x.dims[-1], self.r.choice([1, 2, 5, x.dims[-1]]))
        dims = (*x.dims[:-1], k)
        results = [Value("", x.element, dims, x.magnitude), Value("", "i32", dims, float(x.dims[-1]))]
        self.emit("top_k", [x], results, f"k = {k} : i64")

    def scatter(self) -> None:
        """Rows of updates, added, or combined with the larger or smaller, at positions some of which are outside."""
        x = self.array(1, lambda v: v.exact and v.element != "i1" and 0 not in v.dims)
        axis = self.r.randrange(len(x.dims))
        indices = self.pick(lambda v: v.element in ("i32", "i64", "ui8") and 0 < len(v.dims) <= 2)
        rest = tuple(n for d, n in enumerate(x.dims) if d != axis)
        at = self.r.randint(0, len(indices.dims))
        window = list(range(at, at + len(rest)))
        dims: Dims = (*indices.dims[:at], *rest, *indices.dims[at:])
        if math.prod(dims) > self.limit:
            raise GiveUp
        updates = self.like(Value("", x.element, dims, 4.0), exact=True)
        # Everything may go to one element.
        count = math.prod(indices.dims)
        ops = ["add"] if x.element.startswith("complex") else ["add", "maximum", "minimum"]
        if x.element in WHOLE and x.magnitude + count * updates.magnitude > WHOLE[x.element]:
            ops = [op for op in ops if op != "add"]
        if not ops:
            raise GiveUp
        op = self.r.choice(ops)
        bound = max(x.magnitude, updates.magnitude) + (count * updates.magnitude if op == "add" else 0)
        keys = f"inserted_window_dims = [{axis}], scatter_dims_to_operand_dims = [{axis}]"
        keys = f"update_window_dims = {window}, {keys}" if window else keys
        numbers = f"#xla.scatter<{keys}, index_vector_dim = {len(indices.dims)}>"
        result = Value("", x.element, x.dims, bound)
        attributes = f"scatter_dimension_numbers = {numbers}"
        self.one("scatter", [x, indices, updates], result, attributes, self.region(op, x.element))

    def fft(self) -> None:
        x = self.array(1, lambda v: v.element in ("complex<f32>", "f32", "f64") and v.size and v.magnitude < 100)
        n = x.dims[-1]
        if x.element == "complex<f32>":
            kind, element, dims = self.r.choice(["FFT", "IFFT"]), x.element, x.dims
        else:
            kind, element, dims = "RFFT", f"complex<{x.element}>", (*x.dims[:-1], n // 2 + 1)
        scale = 1 if kind == "IFFT" else n
        epsilon = EPSILON["complex<f32>" if "32" in element else "f64"]
        error = scale * (x.error + 4 * (math.log2(n) + 2) * epsilon * x.magnitude)
        result = Value("", element, dims, scale * x.magnitude, max(error, epsilon))
        attributes = f"fft_type = #xla<fft_type {kind}>, fft_length = {ints([n])}"
        if element == "complex<f64>":  # which nothing else takes
            value = self.emit("fft", [x], [result], attributes, keep=False)[0]
            self.one(self.r.choice(["real", "imag"]), [value], Value("", "f64", dims, result.magnitude, result.error))
        else:
            self.one("fft", [x], result, attributes)

    def cholesky(self) -> None:
        """The factor of x x^T and a multiple of the identity."""
        x = self.array(2, lambda v: v.exact and v.element in ("f32", "f64") and v.size and len(v.dims) == 2)
        n, k = x.dims
        if n > 40 or x.magnitude > 8:
            raise GiveUp
        t = Value("", x.element, (n, n), k * x.magnitude**2 + 1)
        numbers = "#xla.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>"
        product = self.emit("dot_general", [x, x], [t], f"dot_dimension_numbers = {numbers}", keep=False)[0]
        rows, columns = (
            self.emit("iota", [], [Value("", "i32", (n, n), float(n))], f"iota_dimension = {axis} : i64", keep=False)[0]
            for axis in range(2)
        )
        same = "comparison_direction = #xla<comparison_direction EQ>"
        diagonal = self.emit("compare", [rows, columns], [Value("", "i1", (n, n))], same, keep=False)[0]
        shift = self.constant(max(1.0, k * x.magnitude**2), x.element, (n, n))
        zero = self.constant(0, x.element, (n, n))
        identity = self.emit("select", [diagonal, shift, zero], [t], keep=False)[0]
        largest = t.magnitude + shift.magnitude
        sum_ = self.emit("add", [product, identity], [Value("", x.element, (n, n), largest)], keep=False)[0]
        # Its condition is at most n + 1: the trace of the product is at most n times the multiple.
        root = math.sqrt(largest)
        error = 8 * (n + 1) ** 1.5 * EPSILON[x.element] * root
        factor = Value("", x.element, (n, n), root, error)
        factor = self.emit("cholesky", [sum_], [factor], "lower = true", keep=False)[0]
        lower = "comparison_direction = #xla<comparison_direction GE>"
        kept = self.emit("compare", [rows, columns], [Value("", "i1", (n, n))], lower, keep=False)[0]
        self.one("select", [kept, factor, zero], Value("", x.element, (n, n), root, error))

    def triangular_solve(self) -> None:
        """A unit triangular matrix whose other elements are small."""
        b = self.array(2, lambda v: v.element in ("f32", "f64") and v.size and v.magnitude < 1000)
        left = self.r.random() < 0.5
        n = b.dims[-2] if left else b.dims[-1]
        dims: Dims = (*b.dims[:-2], n, n)
        if n > 64 or math.prod(dims) > self.limit:
            raise GiveUp
        a = self.like(Value("", b.element, dims, 4.0), exact=True)
        if a.magnitude > 100:
            raise GiveUp
        scale = self.constant(2.0 ** -math.ceil(math.log2(max(a.magnitude, 1.0) * n * 2)), b.element, dims)
        a = self.emit("multiply", [a, scale], [Value("", b.element, dims, 0.5)], keep=False)[0]
        flags = [str(each).lower() for each in (left, self.r.random() < 0.5)]
        transpose = self.r.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
        attributes = f"left_side = {flags[0]}, lower = {flags[1]}, unit_diagonal = true, "
        attributes += f"transpose_a = #xla<transpose {transpose}>"
        # The inverse has a norm of less than 2.
        error = 2 * b.error + 8 * (n + 1) * EPSILON[b.element] * b.magnitude
        self.one("triangular_solve", [a, b], Value("", b.element, b.dims, 2 * b.magnitude, error), attributes)

    def random_bits(self) -> None:
        algorithm = self.r.choice(["DEFAULT", "THREE_FRY", "PHILOX"])
        words = 2 if algorithm == "THREE_FRY" else 3
        seeds = ", ".join(str(self.r.randrange(2**32)) for _ in range(words))
        state = self.fresh()
        t = f"tensor<{words}xui64>"
        value = Value(state, "ui64", (words,))
        self.statements.append(
            Statement(f'{state} = "xla.constant"() {{value = dense<[{seeds}]> : {t}}} : () -> {t}', [value])
        )
        dims: Dims = self.pick().dims
        results = [value, Value("", self.r.choice(INTEGERS), dims)]
        attributes = f"rng_algorithm = #xla<rng_algorithm {algorithm}>"
        self.values.append(self.emit("rng_bit_generator", [value], results, attributes, keep=False)[1])

    def steps(self) -> list[Callable[[], None]]:
        found = super().steps()
        found += [self.special, self.sort, self.sort, self.top_k, self.scatter, self.scatter, self.fft]
        found += [self.cholesky, self.triangular_solve, self.random_bits]
        found = [step for step in found if step.__name__ not in self.without]
        nested = [self.loop, self.branch]
        if self.depth < 2 and self.control:
            return found + 5 * nested
        return [step for step in found if step not in nested]

    def inner(self, parameters: list[Value], steps: int) -> Graph:
        scope = type(self)(self.r, self.counter, min(self.limit, 4000), self.depth + 1, self.values + parameters)
        scope.sizes = self.sizes
        for _ in range(steps):
            scope.step()
        return scope


class Flow(Graph):
    """Loops and branches as well."""

    control = True


def program(seed: int, control: bool) -> Program:
    """The random program of a seed, of 5 to 30 operations besides constants, a loop counting as one."""
    r = random.Random(seed)
    scope = (Flow if control else Graph)(r, [0], 20_000 if r.random() < 0.1 else 2500, 0, [])
    scope.sizes = r.sample(SIZES, 3) + [r.choice([1, 2, 3, 16])] + ([0] if r.random() < 0.1 else [])
    kinds = r.sample(["f32", "f32", "f64", "bf16", "i32", "ui8", "i1", "complex<f32>", "f16", "i64"], 2) + ["f32"]
    parameters = []
    for _ in range(r.randint(1, 4)):
        dims: Dims = tuple(scope.size() for _ in range(r.choice([0, 1, 2, 2, 3])))
        while math.prod(dims) > scope.limit:
            dims = dims[1:]
        element = r.choice(kinds)
        magnitude = 4.0 if element in FLOATS else 6.0 if element.startswith("complex") else 0.0
        parameters.append(Value(scope.fresh(), element, dims, magnitude))
    scope.values += parameters
    wanted = r.randint(5, 26)

    def count() -> int:
        return sum('"xla.constant"' not in s.text.split("(", 1)[0] for s in scope.statements)

    while count() < wanted or control and not any(re.search('"xla.(while|if|case)"', s.text) for s in scope.statements):
        scope.step()
    results = scope.values[-r.randint(1, 3) :]
    results += [r.choice(scope.values) for _ in range(r.choice([0, 0, 1, 2]))]
    arrays: list[np.ndarray] = [elements(p.element, p.dims, seed + i) for i, p in enumerate(parameters)]
    return Program(seed, parameters, scope.statements, results, arrays)
