# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs that bring what they expect: constants in the IR, computed here in Python's integers.

A value is an array of bit patterns, whatever its type, so that nothing here depends on how NumPy, ml_dtypes or the
interpreter store an element. Programs are about what has few bits (`i1`, `i2`, `i4` and their like), about complex
numbers, and about bits that change their type. All operations on them are exact.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

Dims = tuple[int, ...]

SIGNED = ["i2", "i4", "i8", "i16", "i32", "i64"]
UNSIGNED = ["ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
COMPLEX = ["complex<f32>", "complex<f64>"]
FLOATS = {"f4E2M1FN": 4, "f8E5M2": 8, "f8E4M3FN": 8, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
PARTS = {"complex<f32>": "f32", "complex<f64>": "f64"}
ELEMENTS = ["i1", *INTEGERS, *FLOATS, *COMPLEX]
# Whole numbers up to here are exact, and so is what one more operation makes of them.
WHOLE = 1 << 20


def width(element: str) -> int:
    if element in COMPLEX:
        return 2 * FLOATS[PARTS[element]]
    return FLOATS.get(element) or int(element.removeprefix("u").removeprefix("i"))


def tensor(element: str, dims: Dims) -> str:
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


def array(patterns: list[int], dims: Dims) -> np.ndarray:
    result = np.empty(len(patterns), object)
    result[:] = patterns
    return result.reshape(dims)


@dataclass(frozen=True)
class Value:
    """`patterns` are Python's integers, `parts` the real and imaginary parts of complex numbers that are whole."""

    name: str
    element: str
    patterns: np.ndarray
    parts: list[tuple[int, int]] | None = None

    @property
    def dims(self) -> Dims:
        return self.patterns.shape

    @property
    def type(self) -> str:
        return tensor(self.element, self.dims)

    @property
    def numbers(self) -> list[int]:
        """The values of integers."""
        bits, signed = width(self.element), self.element in SIGNED
        return [p - (1 << bits) if signed and p >> (bits - 1) else p for p in self.patterns.flat]

    def literal(self, r: random.Random) -> str:
        """One of the spellings of the array in an attribute."""
        bits, flat = width(self.element), list(self.patterns.flat)
        if self.element == "i1":
            items = ["true" if p else "false" for p in flat]
        elif self.element in INTEGERS:
            items = [str(n) for n in self.numbers]
        elif self.element in COMPLEX:
            half = bits // 2
            items = [f"({_hex(p & ((1 << half) - 1), half)}, {_hex(p >> half, half)})" for p in flat]
        else:
            items = [_hex(p, bits) for p in flat]
        if len(set(flat)) == 1 and r.random() < 0.5:
            return f"dense<{items[0]}> : {self.type}"
        if self.element != "i1" and len(flat) > 1 and r.random() < 0.3:
            above = 255 >> bits << bits if r.random() < 0.5 else 0  # what is in a byte above the element's bits
            data = b"".join((p | above).to_bytes(max(bits // 8, 1), "little") for p in flat)
            return f'dense<"0x{data.hex().upper()}"> : {self.type}'
        return f"dense<{_nested(items, self.dims)}> : {self.type}"

    def ndarray(self, dtype: np.dtype) -> np.ndarray:
        """The array as an argument. Bits of a byte above those of the element are copies of the top one."""
        bits, size = width(self.element), dtype.itemsize
        extended = [
            p | (-1 << bits) if bits < 8 and self.element in SIGNED and p >> (bits - 1) else p
            for p in self.patterns.flat
        ]
        data = b"".join((p & ((1 << 8 * size) - 1)).to_bytes(size, "little") for p in extended)
        return np.frombuffer(data, f"u{min(size, 8)}").view(dtype).reshape(self.dims).copy()


def _hex(pattern: int, bits: int) -> str:
    return f"0x{pattern:0{bits // 4}X}"


def _nested(items: list[str], dims: Dims) -> str:
    if not dims:
        return items[0]
    if not items:
        return ""
    size = len(items) // dims[0]
    return f"[{', '.join(_nested(items[i * size : (i + 1) * size], dims[1:]) for i in range(dims[0]))}]"


def whole(parts: list[tuple[int, int]], element: str, dims: Dims, name: str = "") -> Value:
    """Complex numbers of whole parts."""
    real = np.dtype(PARTS[element].replace("f", "float"))
    half = 8 * real.itemsize
    bits = [[int(np.array(part, real).view(f"u{half // 8}")) for part in number] for number in parts]
    return Value(name, element, array([re | im << half for re, im in bits], dims), parts)


class Writer:
    """The values of a program and its statements; `arguments` are those that come from outside."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.seed, self.lines, self.values, self.arguments = seed, [], [], []
        for _ in range(self.r.randint(2, 4)):
            self.source()
        for _ in range(self.r.randint(3, 8)):
            self.r.choice(STEPS)(self)

    # ---- Values from nothing ----

    def source(self) -> None:
        kinds = [["i1"], ["i2", "i4", "ui2", "ui4"], INTEGERS, COMPLEX, ELEMENTS]
        element = self.r.choice(self.r.choice(kinds))
        dims = self.r.choice([(), (1,), (3,), (5,), (8,), (17,), (2, 3), (2, 4), (4, 2), (3, 1, 4), (2, 16), (64,)])
        value = self.random(element, dims)
        if self.r.random() < 0.5:
            self.arguments.append(Value(f"%arg{len(self.arguments)}", element, value.patterns, value.parts))
            self.values.append(self.arguments[-1])
        else:
            self.write(f"stablehlo.constant {value.literal(self.r)}", value)

    def random(self, element: str, dims: Dims) -> Value:
        count, bits = int(np.prod(dims)), width(element)
        if element in COMPLEX and self.r.random() < 0.8:
            return whole([(self.r.randint(-3, 3), self.r.randint(-3, 3)) for _ in range(count)], element, dims)
        edges = [0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1]
        pick = [lambda: self.r.getrandbits(bits), lambda: self.r.choice(edges), lambda: self.r.randrange(-4, 5)]
        patterns = [self.r.choice(pick)() & ((1 << bits) - 1) for _ in range(count)]
        return Value("", element, array([patterns[0]] * count if self.r.random() < 0.2 else patterns, dims))

    # ---- Writing ----

    def write(self, text: str, value: Value, check: bool = True) -> Value:
        """Defines a value, and asserts it in one of the spellings."""
        named = Value(f"%{len(self.values)}", value.element, value.patterns, value.parts)
        self.lines.append(f"{named.name} = {text}")
        self.values.append(named)
        literal = named.literal(self.r)
        self.lines.append(
            self.r.choice(
                [
                    f"check.expect_eq_const {named.name}, {literal}",
                    f'"check.expect_eq_const"({named.name}) <{{value = {literal}}}> : ({named.type}) -> ()',
                    f"%e{len(self.values)} = stablehlo.constant {literal}\n  "
                    f"check.expect_eq {named.name}, %e{len(self.values)} : {named.type}",
                ]
            )
            if check
            else ""
        )
        return named

    def integers(self, text: str, element: str, numbers: list[int], dims: Dims) -> None:
        mask = (1 << width(element)) - 1
        self.write(text, Value("", element, array([n & mask for n in numbers], dims)))

    def op(self, op: str, operands: list[Value], element: str, dims: Dims, attributes: str = "") -> str:
        types = ", ".join(o.type for o in operands)
        names = ", ".join(o.name for o in operands)
        attributes = f" {{{attributes}}}" if attributes else ""
        return f'"stablehlo.{op}"({names}){attributes} : ({types}) -> {tensor(element, dims)}'

    # ---- Choosing ----

    def pick(self, *elements: str) -> Value | None:
        fits = [v for v in self.values if not elements or v.element in elements]
        return self.r.choice(fits) if fits else None

    def like(self, x: Value) -> Value:
        """A value of the same type: another one, or a new constant."""
        same = [v for v in self.values if v.type == x.type and (v.parts is None) == (x.parts is None)]
        if self.r.random() < 0.5:
            return self.r.choice(same)
        value = self.random(x.element, x.dims)
        while (value.parts is None) != (x.parts is None):
            value = self.random(x.element, x.dims)
        return self.write(f"stablehlo.constant {value.literal(self.r)}", value, check=False)

    # ---- Steps ----

    def unary(self) -> None:
        x = self.pick("i1", *INTEGERS)
        if x is None:
            return
        bits = width(x.element)
        functions: dict[str, Any] = {"not": lambda n: ~n}
        if x.element != "i1":
            functions |= {"negate": lambda n: -n}
            functions |= {"popcnt": lambda n: (n & ((1 << bits) - 1)).bit_count()}
            functions |= {"count_leading_zeros": lambda n: bits - (n & ((1 << bits) - 1)).bit_length()}
        if x.element in SIGNED:
            functions |= {"abs": abs, "sign": lambda n: (n > 0) - (n < 0)}
        op = self.r.choice(list(functions))
        self.integers(self.op(op, [x], x.element, x.dims), x.element, list(map(functions[op], x.numbers)), x.dims)

    def binary(self) -> None:
        x = self.pick("i1", *INTEGERS)
        if x is None:
            return
        y = self.like(x)
        functions = LOGICAL if x.element == "i1" else {**LOGICAL, **ARITHMETIC, "add": _add, "multiply": _multiply}
        op = self.r.choice(list(functions))
        bits, signed = width(x.element), x.element in SIGNED
        numbers = [functions[op](a, b, bits, signed) for a, b in zip(x.numbers, y.numbers, strict=True)]
        pretty = f"stablehlo.{op} {x.name}, {y.name} : {x.type}"
        self.integers(self.r.choice([pretty, self.op(op, [x, y], x.element, x.dims)]), x.element, numbers, x.dims)

    def compare(self) -> None:
        x = self.pick("i1", *INTEGERS, *COMPLEX)
        if x is None or (x.element in COMPLEX and x.parts is None):
            return
        y = self.like(x)
        direction = self.r.choice(["EQ", "NE"] if x.element in COMPLEX else list(COMPARISONS))
        pairs = zip(x.parts or x.numbers, y.parts or y.numbers, strict=True)
        numbers = [int(COMPARISONS[direction](a, b)) for a, b in pairs]
        text = f"stablehlo.compare {direction}, {x.name}, {y.name} : ({x.type}, {y.type}) -> {tensor('i1', x.dims)}"
        self.integers(text, "i1", numbers, x.dims)

    def choose(self) -> None:
        """`select` and `clamp`."""
        x = self.pick(*INTEGERS)
        if x is None:
            return
        y, z = self.like(x), self.like(x)
        if self.r.random() < 0.5:
            numbers = [min(max(a, b), c) for a, b, c in zip(x.numbers, y.numbers, z.numbers, strict=True)]
            self.integers(self.op("clamp", [x, y, z], x.element, x.dims), x.element, numbers, x.dims)
            return
        p = self.random("i1", x.dims)
        p = self.write(f"stablehlo.constant {p.literal(self.r)}", p)
        numbers = [a if c else b for a, b, c in zip(x.numbers, y.numbers, p.numbers, strict=True)]
        self.integers(self.op("select", [p, x, y], x.element, x.dims), x.element, numbers, x.dims)

    def convert(self) -> None:
        x = self.pick("i1", *INTEGERS, *COMPLEX)
        if x is None or (x.element in COMPLEX and x.parts is None):
            return
        numbers = [re for re, _ in x.parts] if x.parts is not None else x.numbers
        to = self.r.choice(["i1", *INTEGERS, *(COMPLEX if all(abs(n) < WHOLE for n in numbers) else [])])
        if x.parts is not None and to in INTEGERS:  # out of range is open
            low, high = (-(1 << (width(to) - 1)), 1 << (width(to) - 1)) if to in SIGNED else (0, 1 << width(to))
            if any(not low <= n < high for n in numbers):
                return
        text = self.op("convert", [x], to, x.dims)
        if to in COMPLEX:
            self.write(text, whole(x.parts or [(n, 0) for n in numbers], to, x.dims))
        else:
            self.integers(text, to, [int(n != 0) for n in numbers] if to == "i1" else numbers, x.dims)

    def bitcast(self) -> None:
        """Between all types of which one's width is a multiple of the other's; complex numbers among themselves."""
        x = self.pick()
        fits = [e for e in ELEMENTS if (e in COMPLEX) == (x.element in COMPLEX) and self.bitcast_dims(x, e) is not None]
        to = self.r.choice(fits)
        dims, flat = self.bitcast_dims(x, to), list(x.patterns.flat)
        have, want = width(x.element), width(to)
        if want <= have:
            mask = (1 << want) - 1
            flat = [p >> (i * want) & mask for p in flat for i in range(have // want)]
        else:
            parts = want // have
            flat = [sum(flat[g + i] << (i * have) for i in range(parts)) for g in range(0, len(flat), parts)]
        parts = x.parts if to == x.element else None
        self.write(self.op("bitcast_convert", [x], to, dims), Value("", to, array(flat, dims), parts))

    @staticmethod
    def bitcast_dims(x: Value, to: str) -> Dims | None:
        have, want = width(x.element), width(to)
        if have == want:
            return x.dims
        if have > want:
            return (*x.dims, have // want) if x.patterns.size * have // want <= 4096 else None
        return x.dims[:-1] if x.dims and x.dims[-1] * have == want else None

    def complex_arithmetic(self) -> None:
        x = self.pick(*COMPLEX)
        if x is None or x.parts is None:
            return
        op = self.r.choice(["add", "subtract", "multiply", "maximum", "minimum", "negate", "real", "imag", "reduce"])
        if op in ("real", "imag"):
            part = whole([(n[op == "imag"], 0) for n in x.parts], x.element, x.dims).patterns
            self.write(self.op(op, [x], PARTS[x.element], x.dims), Value("", PARTS[x.element], part))
            return
        if op == "reduce":
            self.reduce(x, self.r.choice(["maximum", "minimum", "add"]))
            return
        if op == "negate":  # without zeros: theirs are negative
            if all(all(n) for n in x.parts):
                negative = [(-re, -im) for re, im in x.parts]
                self.write(self.op(op, [x], x.element, x.dims), whole(negative, x.element, x.dims))
            return
        y = self.like(x)
        parts = [COMPLEX_OPS[op](a, b) for a, b in zip(x.parts, y.parts, strict=True)]
        # No negative zeros in, none out: those of products and differences are sums of opposite numbers.
        if all(abs(n) < WHOLE for number in parts for n in number) and not (
            op == "multiply" and any(0 in n for n in parts)
        ):
            self.write(f"stablehlo.{op} {x.name}, {y.name} : {x.type}", whole(parts, x.element, x.dims))

    def reduction(self) -> None:
        x = self.pick("i1", *INTEGERS)
        if x is not None:
            self.reduce(x, self.r.choice(list(LOGICAL) if x.element == "i1" else [*LOGICAL, "add", "multiply"]))

    def reduce(self, x: Value, op: str) -> None:
        """Over all dimensions, from an element of the array: what is first does not matter."""
        if not x.dims or not x.patterns.size:
            return
        items = x.parts or x.numbers
        bits, signed = width(x.element), x.element in SIGNED
        first = Value("", x.element, array([x.patterns.flat[0]], ()), x.parts and x.parts[:1])
        init = self.write(f"stablehlo.constant {first.literal(self.r)}", first)
        total = items[0]
        for item in items:
            if x.parts is not None:
                total = COMPLEX_OPS[op](total, item)
            else:
                total = _wrap(
                    {**LOGICAL, "add": _add, "multiply": _multiply}[op](total, item, bits, signed), bits, signed
                )
        dims = ", ".join(map(str, range(len(x.dims))))
        text = (
            f"stablehlo.reduce({x.name} init: {init.name}) applies stablehlo.{op} across dimensions = [{dims}] : "
            f"({x.type}, {init.type}) -> {tensor(x.element, ())}"
        )
        if x.parts is not None:
            self.write(text, whole([total], x.element, ()))
        else:
            self.integers(text, x.element, [total], ())

    def move(self) -> None:
        """What moves elements without looking at them."""
        x = self.pick()
        rank = len(x.dims)
        op = self.r.choice(["reshape", "transpose", "reverse", "concatenate", "broadcast", "slice", "barrier"])
        positions = array(list(range(x.patterns.size)), x.dims)
        axis = self.r.randrange(rank) if rank else 0
        if op == "reshape":
            text, at = "reshape", positions.reshape(-1)
            text = self.op("reshape", [x], x.element, at.shape)
        elif op == "broadcast":
            size = self.r.randint(1, 3)
            at = np.broadcast_to(positions, (size, *x.dims))
            kept = ", ".join(str(d + 1) for d in range(rank))
            attribute = f"broadcast_dimensions = array<i64{':' if rank else ''} {kept}>"
            text = self.op("broadcast_in_dim", [x], x.element, at.shape, attribute)
        elif op == "barrier":
            text, at = self.op("optimization_barrier", [x], x.element, x.dims), positions
        elif not rank:
            return
        elif op == "transpose":
            order = self.r.sample(range(rank), rank)
            at = positions.transpose(order)
            text = self.op(op, [x], x.element, at.shape, f"permutation = array<i64: {', '.join(map(str, order))}>")
        elif op == "reverse":
            at = np.flip(positions, axis)
            text = self.op(op, [x], x.element, at.shape, f"dimensions = array<i64: {axis}>")
        elif op == "concatenate":
            at = np.concatenate([positions, positions], axis)
            text = self.op(op, [x, x], x.element, at.shape, f"dimension = {axis} : i64")
        else:
            stride = self.r.randint(1, 2)
            at = positions[tuple(slice(0, None, stride) for _ in x.dims)]
            ranges = ", ".join(f"0:{n}:{stride}" for n in x.dims)
            text = f"stablehlo.slice {x.name} [{ranges}] : ({x.type}) -> {tensor(x.element, at.shape)}"
        if at.size > 4096:
            return
        flat = [int(p) for p in at.flat]
        patterns = array([x.patterns.flat[p] for p in flat], at.shape)
        self.write(text, Value("", x.element, patterns, None if x.parts is None else [x.parts[p] for p in flat]))

    def text(self) -> str:
        declared = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        results = self.values[-2:]
        types = ", ".join(v.type for v in results)
        body = "\n  ".join(line for line in self.lines if line)
        returned = f"return {', '.join(v.name for v in results)} : {types}"
        return f"// seed {self.seed}\nfunc.func @main({declared}) -> ({types}) {{\n  {body}\n  {returned}\n}}\n"


# ---- What operations do, on integers without bounds; the result is wrapped by whoever calls. -------------------------


def _wrap(n: int, bits: int, signed: bool) -> int:
    n &= (1 << bits) - 1
    return n - (1 << bits) if signed and n >> (bits - 1) else n


def _add(x: int, y: int, bits: int, signed: bool) -> int:
    return x + y


def _multiply(x: int, y: int, bits: int, signed: bool) -> int:
    return x * y


def _quotient(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _power(x: int, y: int, bits: int, signed: bool) -> int:
    if y >= 0:
        return pow(x, y, 1 << bits)
    return x if x == -1 and y % 2 else 1 if abs(x) == 1 else 0


def _shift(x: int, y: int, bits: int, how: str) -> int:
    """The amount is unsigned; one of at least the width shifts everything out."""
    amount = min(y & ((1 << bits) - 1), bits)
    pattern = x & ((1 << bits) - 1)
    if how == "left":
        return pattern << amount
    return pattern >> amount if how == "logical" else _wrap(pattern, bits, True) >> amount


LOGICAL: dict[str, Any] = {
    "and": lambda x, y, bits, signed: x & y,
    "or": lambda x, y, bits, signed: x | y,
    "xor": lambda x, y, bits, signed: x ^ y,
    "maximum": lambda x, y, bits, signed: max(x, y),
    "minimum": lambda x, y, bits, signed: min(x, y),
}
ARITHMETIC: dict[str, Any] = {
    "subtract": lambda x, y, bits, signed: x - y,
    "divide": lambda x, y, bits, signed: _quotient(x, y) if y else -1,
    "remainder": lambda x, y, bits, signed: x - y * _quotient(x, y) if y else x,
    "power": _power,
    "shift_left": lambda x, y, bits, signed: _shift(x, y, bits, "left"),
    "shift_right_logical": lambda x, y, bits, signed: _shift(x, y, bits, "logical"),
    "shift_right_arithmetic": lambda x, y, bits, signed: _shift(x, y, bits, "arithmetic"),
}
COMPARISONS: dict[str, Any] = {
    "EQ": lambda x, y: x == y,
    "NE": lambda x, y: x != y,
    "GE": lambda x, y: x >= y,
    "GT": lambda x, y: x > y,
    "LE": lambda x, y: x <= y,
    "LT": lambda x, y: x < y,
}
COMPLEX_OPS: dict[str, Any] = {
    "add": lambda x, y: (x[0] + y[0], x[1] + y[1]),
    "subtract": lambda x, y: (x[0] - y[0], x[1] - y[1]),
    "multiply": lambda x, y: (x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]),
    "maximum": max,
    "minimum": min,
}
STEPS = [
    Writer.unary,
    Writer.binary,
    Writer.binary,
    Writer.compare,
    Writer.choose,
    Writer.convert,
    Writer.convert,
    Writer.bitcast,
    Writer.bitcast,
    Writer.complex_arithmetic,
    Writer.complex_arithmetic,
    Writer.reduction,
    Writer.move,
]
