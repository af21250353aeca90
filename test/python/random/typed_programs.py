# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random whole programs of many element types and sizes, drawn from a seed.

Every value has a bound of its magnitude and of its error. Floats begin as small whole numbers, and as long as they stay
whole and small enough every order of evaluation gives the same bits: such values are compared for equality and may
decide comparisons. What went through a division or a transcendental function is only used where a small error stays
small, and compared with its error bound.
"""

import math
import random
from collections.abc import Callable, Sequence

import numpy as np
from typed_values import (
    EPSILON,
    FLOATS,
    INTEGERS,
    NUMPY,
    SIZES,
    WHOLE,
    Dims,
    GiveUp,
    Program,
    Value,
    Writer,
    elements,
    ints,
    tensor,
)


class Scope(Writer):
    """Random steps of a program, and control flow with scopes of its own."""

    # ---- Elementwise ----

    def unary(self) -> None:
        x = self.number()
        ops = ["negate", "abs", "sign"]
        if x.element.startswith("complex"):
            ops = ["negate", "real", "imag"]
        elif x.element in FLOATS:
            ops = ["negate", "abs", "floor", "ceil"] if x.exact else ["negate", "abs"]
        elif x.element.startswith("u"):
            ops = ["not", "popcnt"]
        op = self.r.choice(ops)
        element = "f32" if op in ("real", "imag") else x.element
        self.one(op, [x], Value("", element, x.dims, x.magnitude, x.error))

    def smooth(self) -> None:
        x = self.real()
        op = self.r.choice(
            ["tanh", "logistic", "sine", "cosine", "exponential", "sqrt", "rsqrt", "log_plus_one", "cbrt"]
        )
        slope, bound = {
            "tanh": (1.0, 1.0),
            "logistic": (1.0, 1.0),
            "sine": (1.0, 1.0),
            "cosine": (1.0, 1.0),
            "exponential": (math.exp(min(x.magnitude, 5.0)), math.exp(min(x.magnitude, 5.0))),
            "sqrt": (0.5, math.sqrt(x.magnitude + 1)),
            "rsqrt": (0.5, 1.0),
            "log_plus_one": (1.0, math.log1p(x.magnitude)),
            "cbrt": (0.4, (x.magnitude + 1) ** (1 / 3)),
        }[op]
        if x.magnitude > (4.5 if op == "exponential" else 1000):
            raise GiveUp
        if op in ("sqrt", "rsqrt", "log_plus_one", "cbrt"):
            x = self.one("abs", [x], Value("", x.element, x.dims, x.magnitude, x.error))
            if op != "log_plus_one":
                x = self.sum(x, self.constant(1, x.element, x.dims))
        error = slope * x.error + 8 * EPSILON[x.element] * max(bound, 1.0)
        self.one(op, [x], Value("", x.element, x.dims, bound + error, error))

    def sum(self, x: Value, y: Value, op: str = "add") -> Value:
        magnitude, error = x.magnitude + y.magnitude, x.error + y.error
        if x.element in EPSILON and error:
            error += EPSILON[x.element] * magnitude
        return self.one(op, [x, y], Value("", x.element, x.dims, magnitude, error))

    def binary(self) -> None:
        x = self.pick()
        y = self.like(x)
        if self.r.random() < 0.3:
            x, y = y, x
        if x.element == "i1":
            self.one(self.r.choice(["and", "or", "xor"]), [x, y], Value("", "i1", x.dims))
        elif x.element in INTEGERS:
            ops = ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "divide", "remainder"]
            self.one(self.r.choice(ops), [x, y], Value("", x.element, x.dims))
        else:
            ops = ["add", "subtract", "multiply"]
            op = self.r.choice(ops if x.element.startswith("complex") else [*ops, "maximum", "minimum", "divide"])
            if op in ("add", "subtract"):
                self.sum(x, y, op)
            elif op == "multiply":
                error = x.magnitude * y.error + y.magnitude * x.error + x.error * y.error
                product = x.magnitude * y.magnitude * (2 if x.element.startswith("complex") else 1)
                error += EPSILON[x.element] * product if error else 0
                self.one(op, [x, y], Value("", x.element, x.dims, product, error))
            elif op == "divide":
                if x.magnitude > 1000 or y.magnitude > 1000:
                    raise GiveUp
                y = self.one("abs", [y], Value("", y.element, y.dims, y.magnitude, y.error))
                y = self.sum(y, self.constant(1, y.element, y.dims))
                error = x.error + x.magnitude * y.error + 4 * EPSILON[x.element] * max(x.magnitude, 1)
                self.one(op, [x, y], Value("", x.element, x.dims, x.magnitude, error))
            else:
                bound = max(x.magnitude, y.magnitude)
                self.one(op, [x, y], Value("", x.element, x.dims, bound, max(x.error, y.error)))

    def compare(self) -> Value:
        x = self.pick(lambda v: v.exact and not v.element.startswith("complex"))
        y = self.like(x, exact=True)
        direction = self.r.choice(["EQ", "NE", "GE", "GT", "LE", "LT"])
        attribute = f"comparison_direction = #xla<comparison_direction {direction}>"
        return self.one("compare", [x, y], Value("", "i1", x.dims), attribute)

    def select(self) -> None:
        p = self.pick(lambda v: v.element == "i1") if self.r.random() < 0.5 else self.compare()
        x = self.pick(lambda v: v.dims == p.dims)
        y = self.like(x)
        if self.r.random() < 0.2:
            p = self.constant(self.r.randint(0, 1), "i1")
        result = Value("", x.element, x.dims, max(x.magnitude, y.magnitude), max(x.error, y.error))
        self.one("select", [p, x, y], result)

    def convert(self) -> None:
        x = self.pick(lambda v: v.exact and not v.element.startswith("complex"))
        if x.element in FLOATS:
            to = self.r.choice(["f32", "f64", "i32", "i64"] + (["bf16", "f16"] if x.magnitude <= 128 else []))
            magnitude = x.magnitude
        elif x.element == "i1":
            to, magnitude = self.r.choice([*FLOATS, *INTEGERS]), 1.0
        else:
            # Any integer fits a double; the narrow ones fit f32 as well.
            narrow = {"ui8": 255.0, "i8": 128.0}.get(x.element)
            to = self.r.choice([*INTEGERS, *(["f32", "f64"] if narrow else ["f64"] if x.element == "i32" else [])])
            magnitude = narrow or 2.0**31
        if to in INTEGERS:
            magnitude = 0.0
        self.one("convert", [x], Value("", to, x.dims, magnitude))

    def complex(self) -> None:
        x = self.pick(lambda v: v.element == "f32")
        y = self.like(x)
        bound = x.magnitude + y.magnitude
        self.one("complex", [x, y], Value("", "complex<f32>", x.dims, bound, x.error + y.error))

    # ---- Shapes ----

    def same(self, op: str, x: Value, dims: Sequence[int], attributes: str, *others: Value) -> Value:
        bound = max([x.magnitude, *(o.magnitude for o in others)])
        error = max([x.error, *(o.error for o in others)])
        return self.one(op, [x, *others], Value("", x.element, tuple(dims), bound, error), attributes)

    def iota(self) -> None:
        element = self.r.choice(["i32", "f32", "f64", "i64", "ui8"])
        dims = self.pick().dims or (self.size(),)
        axis = self.r.randrange(len(dims))
        self.one("iota", [], Value("", element, dims, float(dims[axis])), f"iota_dimension = {axis} : i64")

    def broadcast(self) -> None:
        x = self.pick(lambda v: len(v.dims) <= 3)
        at = self.r.randint(0, len(x.dims))
        dims = [*x.dims[:at], self.size(), *x.dims[at:]]
        for d, n in enumerate(dims):
            if n == 1 and d != at and self.r.random() < 0.5:
                dims[d] = self.size()
        kept = [d for d in range(len(dims)) if d != at]
        self.same("broadcast_in_dim", x, dims, f"broadcast_dimensions = {ints(kept)}")

    def transpose(self) -> None:
        x = self.array(2)
        order = self.r.sample(range(len(x.dims)), len(x.dims))
        self.same("transpose", x, [x.dims[d] for d in order], f"permutation = {ints(order)}")

    def reverse(self) -> None:
        x = self.array()
        axes = [d for d in range(len(x.dims)) if self.r.random() < 0.5]
        self.same("reverse", x, x.dims, f"dimensions = {ints(axes)}")

    def reshape(self) -> None:
        x = self.pick()
        rest, dims = x.size, []
        while rest > 1 and len(dims) < 3:
            dims.append(self.r.choice([d for d in range(1, min(rest, 300) + 1) if rest % d == 0]))
            rest //= dims[-1]
        self.same("reshape", x, [*dims, rest] if self.r.random() < 0.8 else [x.size], "")

    def slice(self) -> None:
        x = self.array()
        starts = [self.r.choice([0, 0, 1, self.r.randint(0, n)]) for n in x.dims]
        starts = [min(s, n) for s, n in zip(starts, x.dims, strict=True)]
        limits = [
            self.r.choice([n, n, self.r.randint(s, n), min(n, s + self.size())])
            for s, n in zip(starts, x.dims, strict=True)
        ]
        strides = [self.r.choice([1, 1, 1, 2, 3]) for _ in x.dims]
        dims = [-(-(b - a) // s) for a, b, s in zip(starts, limits, strides, strict=True)]
        if 0 in dims and self.r.random() < 0.9:
            raise GiveUp
        attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints(strides)}"
        self.same("slice", x, dims, attributes)

    def pad(self) -> None:
        x = self.array()
        amounts = [0, 0, 0, 1, 2, 5, -1]
        low, high = ([self.r.choice(amounts) for _ in x.dims] for _ in range(2))
        interior = [self.r.choice([0, 0, 0, 0, 1, 2]) for _ in x.dims]
        dims = [
            max(0, (n - 1) * (i + 1) + 1 if n else 0) + a + b
            for n, i, a, b in zip(x.dims, interior, low, high, strict=True)
        ]
        if any(d < 0 for d in dims) or (0 in dims and self.r.random() < 0.9):
            raise GiveUp
        scalars = [v for v in self.values if v.dims == () and v.element == x.element]
        padding = self.r.choice(scalars) if scalars and self.r.random() < 0.4 else self.constant(1, x.element)
        attributes = (
            f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(interior)}"
        )
        self.same("pad", x, dims, attributes, padding)

    def concatenate(self) -> None:
        x = self.array()
        axis = self.r.randrange(len(x.dims))
        fits = [
            v
            for v in self.values
            if v.element == x.element and len(v.dims) == len(x.dims)
            if all(a == b for d, (a, b) in enumerate(zip(v.dims, x.dims, strict=True)) if d != axis)
        ]
        others = [self.r.choice(fits) for _ in range(self.r.choice([0, 1, 1, 2]))]
        dims = list(x.dims)
        dims[axis] += sum(o.dims[axis] for o in others)
        self.same("concatenate", x, dims, f"dimension = {axis} : i64", *others)

    # ---- Reductions ----

    def region(self, op: str, element: str) -> str:
        a, b, c, t = self.fresh("p"), self.fresh("p"), self.fresh("p"), tensor(element, ())
        body = f'{c} = "xla.{op}"({a}, {b}) : ({t}, {t}) -> {t} "xla.return"({c}) : ({t}) -> ()'
        return f"{{ ^bb0({a}: {t}, {b}: {t}): {body} }}"

    def monoid(self, x: Value, count: int) -> tuple[str, Value, float, float]:
        """A combiner with its neutral element, and the bounds of what it makes of `count` elements."""
        if x.element == "i1":
            op = self.r.choice(["and", "or"])
            return op, self.constant(op == "and", "i1"), 0.0, 0.0
        if x.element.startswith("complex"):
            return "add", self.constant(0, x.element), count * x.magnitude, count * x.error * 2
        op = self.r.choice(["add", "add", "maximum", "minimum"])
        if op == "add":
            error = count * x.error + (EPSILON[x.element] * count * count * x.magnitude if x.error else 0)
            bound = count * x.magnitude
            if x.element in WHOLE and bound > WHOLE[x.element] and x.exact:
                raise GiveUp
            return op, self.constant(0, x.element), bound, error
        if x.element in INTEGERS:
            info = np.iinfo(NUMPY[x.element])
            return op, self.constant(info.min if op == "maximum" else info.max, x.element), 0.0, 0.0
        bound = 2.0 ** math.ceil(math.log2(x.magnitude + 1)) + 1 if x.element not in ("bf16", "f16") else 2.0**12
        return op, self.constant(-bound if op == "maximum" else bound, x.element), bound, x.error

    def reduce(self) -> None:
        x = self.array()
        axes = [d for d in range(len(x.dims)) if self.r.random() < 0.5]
        if self.r.random() < 0.3:
            axes = self.r.choice([[0], [len(x.dims) - 1], list(range(len(x.dims)))])
        op, init, bound, error = self.monoid(x, math.prod(x.dims[d] for d in axes))
        dims = tuple(n for d, n in enumerate(x.dims) if d not in axes)
        result = Value("", x.element, dims, bound, error)
        self.one("reduce", [x, init], result, f"dimensions = {ints(axes)}", self.region(op, x.element))

    def argmax(self) -> None:
        x = self.array(1, lambda v: v.exact and v.element in ("f32", "i32", "f64", "bf16") and v.size > 0)
        axis = self.r.randrange(len(x.dims))
        index = Value("", "i32", x.dims)
        index = self.emit("iota", [], [index], f"iota_dimension = {axis} : i64", keep=False)[0]
        v, i = tensor(x.element, ()), "tensor<i32>"
        a, b, c, d, gt, eq, lt, tie, left, m, n = (self.fresh("p") for _ in range(11))
        compare = (
            '"xla.compare"({}, {}) {{comparison_direction = #xla<comparison_direction {}>}} : ({}, {}) -> tensor<i1>'
        )
        region = f"""{{ ^bb0({a}: {v}, {b}: {i}, {c}: {v}, {d}: {i}):
    {gt} = {compare.format(a, c, "GT", v, v)}
    {eq} = {compare.format(a, c, "EQ", v, v)}
    {lt} = {compare.format(b, d, "LT", i, i)}
    {tie} = "xla.and"({eq}, {lt}) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    {left} = "xla.or"({gt}, {tie}) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    {m} = "xla.select"({left}, {a}, {c}) : (tensor<i1>, {v}, {v}) -> {v}
    {n} = "xla.select"({left}, {b}, {d}) : (tensor<i1>, {i}, {i}) -> {i}
    "xla.return"({m}, {n}) : ({v}, {i}) -> () }}"""
        lowest = self.constant(-(2**31) if x.element in INTEGERS else -(2.0**30), x.element)
        last = self.constant(2**31 - 1, "i32")
        dims = tuple(s for e, s in enumerate(x.dims) if e != axis)
        results = [Value("", x.element, dims, x.magnitude), Value("", "i32", dims)]
        self.emit("reduce", [x, index, lowest, last], results, f"dimensions = {ints([axis])}", region)

    def window(self) -> None:
        x = self.array(1, lambda v: v.element != "i1" and v.size < 20000)
        sizes, strides, base, dilation, padding, dims = [], [], [], [], [], []
        for n in x.dims:
            plain = self.r.random() < 0.3
            w, s = (1, 1) if plain else (self.r.choice([1, 2, 3, 3, 5]), self.r.choice([1, 1, 2, 3]))
            bd, wd = (self.r.choice([1, 1, 1, 2]), self.r.choice([1, 1, 1, 2])) if not plain else (1, 1)
            lo, hi = (self.r.choice([0, 0, 1, 2, -1]), self.r.choice([0, 0, 1, 2, -1])) if not plain else (0, 0)
            if self.r.random() < 0.05 and n < 100:  # a cumulative sum
                w, s, bd, wd, lo, hi = n, 1, 1, 1, n - 1, 0
            padded, extent = ((n - 1) * bd + 1 if n else 0) + lo + hi, (w - 1) * wd + 1
            if padded < extent or w < 1:
                raise GiveUp
            sizes.append(w), strides.append(s), base.append(bd), dilation.append(wd), padding.append([lo, hi])
            dims.append((padded - extent) // s + 1)
        if math.prod(sizes) * math.prod(dims) > 20 * self.limit:
            raise GiveUp
        op, init, bound, error = self.monoid(x, math.prod(sizes))
        attributes = (
            f"window_dimensions = {ints(sizes)}, window_strides = {ints(strides)}, base_dilations = {ints(base)}, "
            f"window_dilations = {ints(dilation)}, padding = dense<{padding}> : tensor<{len(dims)}x2xi64>"
        )
        result = Value("", x.element, tuple(dims), bound, error)
        self.one("reduce_window", [x, init], result, attributes, self.region(op, x.element))

    # ---- Linear ----

    def product_bounds(self, x: Value, y: Value, count: int) -> tuple[float, float]:
        bound = count * x.magnitude * y.magnitude * (2 if x.element.startswith("complex") else 1)
        error = count * (x.magnitude * y.error + y.magnitude * x.error + x.error * y.error)
        if x.element in WHOLE and not error and bound > WHOLE[x.element]:
            raise GiveUp
        if error:
            error += EPSILON[x.element] * bound * count
        return bound, error

    def dot(self) -> None:
        x = self.array(1, lambda v: v.element != "i1")
        if x.element in WHOLE and x.magnitude > 10 and x.exact:
            raise GiveUp
        # The second operand: an existing one with a common size, or made by broadcasting and shuffling.
        pairs = [
            (v, a, b)
            for v in self.values
            if v.element == x.element and v.dims
            for a, n in enumerate(x.dims)
            for b, m in enumerate(v.dims)
            if n == m
        ]
        y, a, b = self.r.choice(pairs)
        lhs, rhs = [a], [b]
        lhs_batch, rhs_batch = [], []
        for c, n in enumerate(x.dims):
            for d, m in enumerate(y.dims):
                if n == m and c not in lhs + lhs_batch and d not in rhs + rhs_batch and self.r.random() < 0.4:
                    if self.r.random() < 0.6:
                        lhs_batch.append(c), rhs_batch.append(d)
                    else:
                        lhs.append(c), rhs.append(d)
        free = [
            [n for d, n in enumerate(v.dims) if d not in used]
            for v, used in ((x, lhs + lhs_batch), (y, rhs + rhs_batch))
        ]
        dims = [*(x.dims[d] for d in lhs_batch), *free[0], *free[1]]
        count = math.prod(x.dims[d] for d in lhs)
        if count * math.prod(dims) > 100 * self.limit:
            raise GiveUp
        bound, error = self.product_bounds(x, y, count)
        keys = {
            "lhs_batching_dimensions": lhs_batch,
            "rhs_batching_dimensions": rhs_batch,
            "lhs_contracting_dimensions": lhs,
            "rhs_contracting_dimensions": rhs,
        }
        numbers = ", ".join(f"{key} = {value}" for key, value in keys.items() if value)
        result = Value("", x.element, tuple(dims), bound, error)
        self.one("dot_general", [x, y], result, f"dot_dimension_numbers = #xla.dot<{numbers}>")
        if len(dims) > 1 and self.r.random() < 0.4:
            x = self.values[-1]
            order = self.r.sample(range(len(dims)), len(dims))
            self.same("transpose", x, [x.dims[d] for d in order], f"permutation = {ints(order)}")

    def convolution(self) -> None:
        x = self.array(2, lambda v: v.element != "i1" and 0 not in v.dims and v.size < 20000 and len(v.dims) <= 4)
        if x.element in WHOLE and x.magnitude > 10 and x.exact:
            raise GiveUp
        rank = len(x.dims)
        order = self.r.sample(range(rank), rank)  # batch, feature, spatial dims of the input
        batch, features = x.dims[order[0]], x.dims[order[1]]
        groups = self.r.choice([1, 1, features, 2])
        if features % groups:
            groups = 1
        outputs = groups * self.r.choice([1, 2, 3, 16, 17])
        kernel, strides, lhs_dilation, rhs_dilation, padding, spatial = [], [], [], [], [], []
        for d in order[2:]:
            n, w = x.dims[d], self.r.choice([1, 2, 3, 3, 5])
            s, bd, wd = self.r.choice([1, 1, 2]), self.r.choice([1, 1, 1, 2]), self.r.choice([1, 1, 1, 2])
            lo, hi = self.r.choice([0, 1, 2, -1]), self.r.choice([0, 1, 2, -1])
            padded, extent = (n - 1) * bd + 1 + lo + hi, (w - 1) * wd + 1
            if padded < extent:
                raise GiveUp
            kernel.append(w), strides.append(s), lhs_dilation.append(bd), rhs_dilation.append(wd)
            padding.append([lo, hi]), spatial.append((padded - extent) // s + 1)

        def arranged(letters: str, sizes: list[int], order: list[int]) -> tuple[str, Dims]:
            spelling = [*letters, *map(str, range(rank - 2))]
            return "[" + ", ".join(spelling[i] for i in order) + "]", tuple(sizes[i] for i in order)

        lhs_order = (
            "[" + ", ".join((["b", "f"] + [str(i) for i in range(rank - 2)])[order.index(d)] for d in range(rank)) + "]"
        )
        shuffled = self.r.sample(range(rank), rank)
        rhs_order, rhs = arranged("oi", [outputs, features // groups, *kernel], shuffled)
        shuffled = self.r.sample(range(rank), rank)
        out_order, out = arranged("bf", [batch, outputs, *spatial], shuffled)
        count = math.prod(kernel) * features // groups
        if math.prod(rhs) > self.limit or math.prod(out) * count > 100 * self.limit:
            raise GiveUp
        flat = self.one("iota", [], Value("", "i32", rhs), "iota_dimension = 0 : i64")
        y = self.one("remainder", [flat, self.constant(3, "i32", rhs)], Value("", "i32", rhs))
        y = self.one("convert", [y], Value("", x.element, rhs, 2.0 if x.element in WHOLE else 0.0))
        bound, error = self.product_bounds(x, y, count)
        reversal = ", ".join(self.r.choice(["true", "false", "false"]) for _ in kernel)
        shape = f"tensor<{rank - 2}x2xi64>"
        attributes = (
            f"window_strides = {ints(strides)}, padding = dense<{padding if padding else ''}> : {shape}, "
            f"lhs_dilation = {ints(lhs_dilation)}, rhs_dilation = {ints(rhs_dilation)}, "
            f"window_reversal = array<i1{': ' if kernel else ''}{reversal}>, "
            f"dimension_numbers = #xla.conv<{lhs_order}x{rhs_order}->{out_order}>, "
            f"feature_group_count = {groups} : i64, batch_group_count = 1 : i64"
        )
        self.one("convolution", [x, y], Value("", x.element, out, bound, error), attributes)

    def pattern(self, element: str, dims: Dims) -> Value:
        """An array of small whole numbers, computed from the positions."""
        axes = self.r.sample(range(len(dims)), min(2, len(dims)))
        parts = [self.one("iota", [], Value("", "i32", dims), f"iota_dimension = {axis} : i64") for axis in axes]
        mixed = parts[0]
        for part in parts[1:]:
            odd = self.one("multiply", [part, self.constant(7, "i32", dims)], Value("", "i32", dims))
            mixed = self.one("xor", [mixed, odd], Value("", "i32", dims))
        y = self.one("remainder", [mixed, self.constant(3, "i32", dims)], Value("", "i32", dims))
        return self.one("convert", [y], Value("", element, dims, 2.0 if element in WHOLE else 0.0))

    def product(self) -> None:
        """A matrix product that is large in some direction, with operands and result in any order."""
        element = self.r.choice(["f32", "f32", "f64", "i32"])
        m, n = self.r.choice([1, 16, 17, 33, 64, 100, 130]), self.r.choice([1, 16, 31, 64, 65, 128, 250, 300])
        k = self.r.choice([3, 64, 300, 1024, 4100, 8192, 10000])
        batch = self.r.choice([(), (), (2,), (3,)])
        if max(m, n) * k > self.limit * 3 or m * n * k * math.prod(batch) > 60_000_000:
            raise GiveUp
        limit, self.limit = self.limit, 3_000_000
        try:
            operands, places = [], []
            for size in (m, n):
                sizes = [*batch, size, k]
                order = self.r.sample(range(len(sizes)), len(sizes))
                operands.append(self.pattern(element, tuple(sizes[i] for i in order)))
                places.append([order.index(i) for i in range(len(sizes))])
            b = len(batch)
            keys = {
                "lhs_batching_dimensions": places[0][:b],
                "rhs_batching_dimensions": places[1][:b],
                "lhs_contracting_dimensions": places[0][-1:],
                "rhs_contracting_dimensions": places[1][-1:],
            }
            numbers = ", ".join(f"{key} = {value}" for key, value in keys.items() if value)
            dims = (*batch, m, n)
            result = Value("", element, dims, 4.0 * k if element in WHOLE else 0.0)
            x = self.one("dot_general", operands, result, f"dot_dimension_numbers = #xla.dot<{numbers}>")
            if self.r.random() < 0.5:
                order = self.r.sample(range(len(dims)), len(dims))
                x = self.same("transpose", x, [x.dims[d] for d in order], f"permutation = {ints(order)}")
            if self.r.random() < 0.5:
                self.sum(x, self.like(x), "subtract")
        finally:
            self.limit = limit

    # ---- Positions at run time ----

    def gather(self) -> None:
        """Rows, or single elements along one dimension."""
        x = self.array(1, lambda v: 0 not in v.dims)
        axis = self.r.randrange(len(x.dims))
        indices = self.pick(lambda v: v.element in ("i32", "i64", "ui8") and 0 < len(v.dims) <= 2)
        sizes = [1 if d == axis else n for d, n in enumerate(x.dims)]
        rest = [n for d, n in enumerate(x.dims) if d != axis]
        rank = len(indices.dims) + len(rest)
        at = self.r.randint(0, len(indices.dims))
        offsets = list(range(at, at + len(rest)))
        dims = [*indices.dims[:at], *rest, *indices.dims[at:]]
        keys = f"collapsed_slice_dims = [{axis}], start_index_map = [{axis}], index_vector_dim = {len(indices.dims)}"
        keys = f"offset_dims = {offsets}, {keys}" if offsets else keys
        attributes = f"dimension_numbers = #xla.gather<{keys}>, slice_sizes = {ints(sizes)}, indices_are_sorted = false"
        assert len(dims) == rank
        self.one("gather", [x, indices], Value("", x.element, tuple(dims), x.magnitude, x.error), attributes)

    def dynamic_slice(self) -> None:
        x = self.array()
        sizes = [min(n, self.r.choice([1, n, self.size()])) for n in x.dims]
        self.at_positions("dynamic_slice", [x], sizes, f"slice_sizes = {ints(sizes)}")

    def at_positions(self, op: str, arrays: list[Value], dims: Sequence[int], attributes: str = "") -> None:
        x = arrays[0]
        starts = [self.index(n) for n in x.dims]
        if len({s.element for s in starts}) > 1:
            raise GiveUp
        bound, error = max(a.magnitude for a in arrays), max(a.error for a in arrays)
        self.one(op, [*arrays, *starts], Value("", x.element, tuple(dims), bound, error), attributes)

    def dynamic_update_slice(self) -> None:
        x = self.array()
        fits = [
            v
            for v in self.values
            if v.element == x.element and len(v.dims) == len(x.dims)
            if all(a <= b for a, b in zip(v.dims, x.dims, strict=True))
        ]
        if self.r.random() < 0.5:
            dims = tuple(self.r.choice([min(1, n), n]) for n in x.dims)
            update = self.constant(self.r.randint(0, 1), x.element, dims)
        else:
            update = self.r.choice(fits)
        self.at_positions("dynamic_update_slice", [x, update], x.dims)

    def barrier(self) -> None:
        values = [self.pick() for _ in range(2)]
        self.emit("optimization_barrier", values, values)

    # ---- Control flow ----

    def inner(self, parameters: list[Value], steps: int) -> "Scope":
        scope = Scope(self.r, self.counter, min(self.limit, 4000), self.depth + 1, self.values + parameters)
        scope.sizes = self.sizes
        for _ in range(steps):
            scope.step()
        return scope

    def returned(self, scope: "Scope", wanted: Value, preferred: list[Value]) -> Value:
        """A value of the scope with the type and within the bounds of `wanted`."""
        among = preferred if self.r.random() < 0.4 else scope.values[-12:] + preferred
        fits = [
            v
            for v in among
            if v.type == wanted.type and v.magnitude <= max(wanted.magnitude, 0.0) and v.error <= wanted.error
        ]
        near = [v for v in scope.values if v.type == wanted.type and v.exact and v.element in FLOATS]
        if near and self.r.random() < 0.5:
            value = self.r.choice(near[-3:])
            if value.magnitude <= wanted.magnitude:
                return value
            low, high = (
                scope.constant(-wanted.magnitude, value.element),
                scope.constant(wanted.magnitude, value.element),
            )
            result = Value("", value.element, value.dims, wanted.magnitude)
            return scope.emit("clamp", [low, value, high], [result], keep=False)[0]
        return self.r.choice(fits or preferred)

    def finish(self, scope: "Scope", values: list[Value], tail: str = "") -> str:
        types = ", ".join(v.type for v in values)
        body = "\n    ".join(s.text for s in scope.statements)
        return f'{body}\n    {tail}"xla.return"({", ".join(v.name for v in values)}) : ({types}) -> ()'

    def loop(self) -> None:
        count = self.r.randint(1, 4)
        state = [self.pick(lambda v: v.exact and v.size <= 20000) for _ in range(count)]
        if self.r.random() < 0.6:  # values of one type, which may change places
            state += [self.r.choice([v for v in self.values if v.type == state[0].type and v.exact]) for _ in range(2)]
        biggest = {v.type: max(4.0, *(w.magnitude for w in state if w.type == v.type), 0.0) for v in state}
        carried = [Value(self.fresh("p"), v.element, v.dims, biggest[v.type]) for v in state]
        counter = Value(self.fresh("p"), "i32", ())
        heads = [Value(self.fresh("p"), v.element, v.dims, v.magnitude) for v in [counter, *carried]]
        limit, test, one, following = (self.fresh("p") for _ in range(4))
        trips = self.r.choice([0, 1, 2, 3, 5])
        head = (
            f'{limit} = "xla.constant"() {{value = dense<{trips}> : tensor<i32>}} : () -> tensor<i32>\n    '
            f'{test} = "xla.compare"({heads[0].name}, {limit}) {{comparison_direction = #xla<comparison_direction LT>}}'
            f' : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    "xla.return"({test}) : (tensor<i1>) -> ()'
        )
        scope = self.inner([counter, *carried], self.r.randint(0, 5))
        results = [self.returned(scope, v, [w for w in carried if w.type == v.type]) for v in carried]
        step = Value(following, "i32", ())
        tail = (
            f'{one} = "xla.constant"() {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>\n    '
            f'{following} = "xla.add"({counter.name}, {one}) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n    '
        )
        body = self.finish(scope, [step, *results], tail)
        declare = lambda values: ", ".join(f"{v.name}: {v.type}" for v in values)  # noqa: E731
        regions = f"{{ ^bb0({declare(heads)}):\n    {head} }}, {{ ^bb0({declare([counter, *carried])}):\n    {body} }}"
        start = self.constant(0, "i32")
        self.emit("while", [start, *state], [counter, *carried], regions=regions)

    def branch(self) -> None:
        count = self.r.randint(1, 3)
        wanted = [self.pick(lambda v: v.exact and v.size <= 20000) for _ in range(count)]
        indexed = self.r.random() < 0.4
        if indexed:
            selector = self.index(3)
            if selector.element != "i32":
                raise GiveUp
        else:
            scalars = [v for v in self.values if v.type == "tensor<i1>"]
            selector = self.r.choice(scalars) if scalars else self.constant(self.r.randint(0, 1), "i1")
        regions = []
        for _ in range(self.r.randint(1, 3) if indexed else 2):
            scope = self.inner([], self.r.randint(0, 4))
            values = [self.returned(scope, v, [v]) for v in wanted]
            regions.append(f"{{\n    {self.finish(scope, values)} }}")
        self.emit("case" if indexed else "if", [selector], wanted, regions=", ".join(regions))

    # ---- Idioms ----

    def softmax(self) -> None:
        x = self.array(1, lambda v: v.element in ("f32", "f64", "bf16") and v.magnitude < 100 and 0 not in v.dims)
        axis = self.r.randrange(len(x.dims))
        dims = tuple(n for d, n in enumerate(x.dims) if d != axis)
        places = [d for d in range(len(x.dims)) if d != axis]
        low = self.constant(-1000, x.element)
        top = self.emit(
            "reduce",
            [x, low],
            [Value("", x.element, dims, x.magnitude, x.error)],
            f"dimensions = {ints([axis])}",
            self.region("maximum", x.element),
        )[0]
        shifted = self.sum(x, self.expand(top, x.dims, places), "subtract")
        epsilon = EPSILON[x.element] * 8
        powers = self.one("exponential", [shifted], Value("", x.element, x.dims, 1.0, shifted.error + epsilon))
        count = x.dims[axis]
        # Added one after the other, k of them come to at most k, which is rounded by half a unit: to count² / 2 of them
        # in all. Of the sum itself that is count half units at most, and of the terms what it is of each.
        rounding = EPSILON[x.element] / 2
        total = self.emit(
            "reduce",
            [powers, self.constant(0, x.element)],
            [Value("", x.element, dims, count, count * powers.error + rounding * count**2 / 2)],
            f"dimensions = {ints([axis])}",
            self.region("add", x.element),
        )[0]
        error = powers.error * 2 + rounding * count + epsilon
        self.one("divide", [powers, self.expand(total, x.dims, places)], Value("", x.element, x.dims, 1.0, error))

    def steps(self) -> list[Callable[[], None]]:
        """What a step is drawn from."""
        plain = [
            self.unary,
            self.smooth,
            self.binary,
            self.binary,
            self.binary,
            self.compare,
            self.select,
            self.convert,
        ]
        plain += [self.complex, self.iota, self.broadcast, self.transpose, self.transpose, self.reverse, self.reshape]
        plain += [self.slice, self.pad, self.concatenate, self.reduce, self.reduce, self.argmax, self.window, self.dot]
        plain += [self.dot, self.convolution, self.gather, self.dynamic_slice, self.dynamic_update_slice, self.barrier]
        plain += [self.softmax, self.slice, self.dynamic_update_slice, self.product]
        nested = [self.loop, self.loop, self.branch, self.branch] if self.depth < 2 else []
        return plain + nested

    def step(self) -> None:
        """Appends one random step, or none if what was drawn does not fit."""
        for _ in range(20):
            before, known = len(self.statements), len(self.values)
            try:
                self.r.choice(self.steps())()
                return
            except GiveUp:
                del self.statements[before:], self.values[known:]


def program(seed: int) -> Program:
    """The random program of a seed."""
    r = random.Random(seed)
    large = r.random() < 0.15
    scope = Scope(r, [0], 300_000 if large else 5000, 0, [])
    scope.sizes = r.sample(SIZES, 3) + [r.choice([1, 2, 3, 16])] + ([0] if r.random() < 0.1 else [])
    kinds = r.sample(["f32", "f32", "f64", "bf16", "i32", "ui8", "i1", "complex<f32>", "f16", "i64"], 2) + ["f32"]
    parameters = []
    for _ in range(r.randint(1, 5)):
        dims: Dims = tuple(scope.size() for _ in range(r.choice([0, 1, 2, 2, 3])))
        if large and r.random() < 0.5:
            dims = (r.choice([256, 300, 513]), r.choice([256, 257, 300]))
        while math.prod(dims) > scope.limit:
            dims = dims[1:]
        element = r.choice(kinds)
        magnitude = 4.0 if element in FLOATS else 6.0 if element.startswith("complex") else 0.0
        parameters.append(Value(scope.fresh(), element, dims, magnitude))
    scope.values += parameters
    for _ in range(r.choice([1, 2, 4, 8, 8, 15, 30])):
        scope.step()
    results = scope.values[-r.randint(1, 3) :]
    results += [r.choice(scope.values) for _ in range(r.choice([0, 0, 1, 2, 4]))]
    arrays = [elements(p.element, p.dims, seed + i) for i, p in enumerate(parameters)]
    return Program(seed, parameters, scope.statements, results, arrays)
