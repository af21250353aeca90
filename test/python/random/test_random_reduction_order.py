# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random reductions by combiners that are associative and do not commute: whatever the loops, lanes, blocks and
threads, operands meet in index order. Elements are whole numbers, or floats that are only compared, so that every
association gives the same results, and these are compared bit by bit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import ints, region, shapes, tensor, type_of

import mlir_xla

Array = np.ndarray
"""What makes the arrays of a combiner: (random numbers, shape) -> arrays."""
Maker = Callable[[np.random.Generator, Sequence[int]], list[Array]]


@dataclass
class Combiner:
    """`body` combines `%a0, %a1, ..` with `%b0, %b1, ..` and returns `%c0, %c1, ..`; `{t0}`, `{t1}`, .. are the types
    and `{p}` is that of truth values. `neutral` is the identity on the left, and on the right too if `both`."""

    name: str
    body: str
    neutral: list[Array]
    make: Maker
    both: bool = True

    def region(self) -> str:
        count, types = len(self.neutral), [tensor(n.dtype, ()) for n in self.neutral]
        body = self.body.format(p="tensor<i1>", **{f"t{i}": t for i, t in enumerate(types)})
        for i in range(count):
            body = body.replace(f"%a{i}", f"%p{i}").replace(f"%b{i}", f"%p{count + i}")
        results = ", ".join(f"%c{i}" for i in range(count))
        return region(*types, *types, body=f'{body}\n  "xla.return"({results}) : ({", ".join(types)}) -> ()')

    def __repr__(self) -> str:
        return self.name


def literal(number: Array) -> str:
    if number.dtype.kind == "f" and np.isinf(number):
        bits = number.view(f"u{number.dtype.itemsize}")
        return f"0x{int(bits):0{2 * number.dtype.itemsize}X}"
    return str(number[()])


def binary(result: str, op: str, lhs: str, rhs: str, t: str) -> str:
    return f'  {result} = "xla.{op}"({lhs}, {rhs}) : ({t}, {t}) -> {t}\n'


def compare(result: str, direction: str, lhs: str, rhs: str, t: str) -> str:
    attribute = f"{{{{comparison_direction = #xla<comparison_direction {direction}>}}}}"
    return f'  {result} = "xla.compare"({lhs}, {rhs}) {attribute} : ({t}, {t}) -> {{p}}\n'


def select(result: str, condition: str, lhs: str, rhs: str, t: str) -> str:
    return f'  {result} = "xla.select"({condition}, {lhs}, {rhs}) : ({{p}}, {t}, {t}) -> {t}\n'


def numbers(count: int, dtype: Any) -> Maker:
    def make(rng: np.random.Generator, dims: Sequence[int]) -> list[Array]:
        info = np.iinfo(dtype)
        return [rng.integers(info.min, info.max, dims, dtype, endpoint=True) for _ in range(count)]

    return make


def sparse(dtype: Any) -> Maker:
    def make(rng: np.random.Generator, dims: Sequence[int]) -> list[Array]:
        values = rng.integers(-100, 100, dims).astype(dtype)
        return [np.where(rng.random(dims) < rng.choice([0.02, 0.5]), values, 0).astype(dtype)]

    return make


def matrices(dtype: Any) -> Combiner:
    """Products of matrices of 2 x 2."""
    body = ""
    for row in range(2):
        for column in range(2):
            i = 2 * row + column
            body += binary(f"%x{i}", "multiply", f"%a{2 * row}", f"%b{column}", "{t0}")
            body += binary(f"%y{i}", "multiply", f"%a{2 * row + 1}", f"%b{2 + column}", "{t0}")
            body += binary(f"%c{i}", "add", f"%x{i}", f"%y{i}", "{t0}")
    return Combiner(f"matrices {dtype}", body, [np.array(n, dtype) for n in (1, 0, 0, 1)], numbers(4, dtype))


def affine(dtype: Any) -> Combiner:
    """(a, b), (c, d) -> (a c, b c + d)."""
    body = binary("%c0", "multiply", "%a0", "%b0", "{t0}") + binary("%x", "multiply", "%a1", "%b0", "{t0}")
    body += binary("%c1", "add", "%x", "%b1", "{t0}")
    return Combiner(f"affine {dtype}", body, [np.array(n, dtype) for n in (1, 0)], numbers(2, dtype))


def concatenation() -> Combiner:
    """Hashes of strings with 31 to the power of their lengths."""
    body = binary("%x", "multiply", "%a0", "%b1", "{t0}") + binary("%c0", "add", "%x", "%b0", "{t0}")
    body += binary("%c1", "multiply", "%a1", "%b1", "{t0}")

    def make(rng: np.random.Generator, dims: Sequence[int]) -> list[Array]:
        return [rng.integers(0, 128, dims).astype(np.uint32), np.full(dims, 31, np.uint32)]

    return Combiner("concatenation", body, [np.array(n, np.uint32) for n in (0, 1)], make)


def nonzero(which: str, dtype: Any) -> Combiner:
    """The first or the last element that is not zero."""
    t, chosen, other = "{t0}", *(("%a0", "%b0") if which == "first" else ("%b0", "%a0"))
    zero = f'  %z = "xla.constant"() {{{{value = dense<{literal(np.array(0, dtype))}> : {t}}}}} : () -> {t}\n'
    body = zero + compare("%is", "NE", chosen, "%z", t) + select("%c0", "%is", chosen, other, t)
    return Combiner(f"{which} nonzero {np.dtype(dtype)}", body, [np.array(0, dtype)], sparse(dtype))


def projection(side: str) -> Combiner:
    """One of the operands."""
    zero = '  %z = "xla.constant"() {{value = dense<0> : {t0}}} : () -> {t0}\n'
    body = zero + binary("%c0", "or", "%a0" if side == "left" else "%b0", "%z", "{t0}")
    return Combiner(f"{side} projection", body, [np.array(7, np.int32)], numbers(1, np.int32), both=False)


def extremum(direction: str, dtype: Any, index: Any) -> Combiner:
    """JAX's argmax and argmin: of two NaN the left one, of two equal values the smaller index."""
    v, i = "{t0}", "{t1}"
    body = compare("%better", direction, "%a0", "%b0", v) + compare("%nan", "NE", "%a0", "%a0", v)
    body += binary("%own", "or", "%better", "%nan", "{p}") + compare("%equal", "EQ", "%a0", "%b0", v)
    body += compare("%earlier", "LT", "%a1", "%b1", i) + binary("%tie", "and", "%equal", "%earlier", "{p}")
    body += binary("%both", "or", "%own", "%tie", "{p}")
    body += select("%c0", "%own", "%a0", "%b0", v) + select("%c1", "%both", "%a1", "%b1", i)
    if np.dtype(dtype).kind == "f":
        worst, choices = -np.inf if direction == "GT" else np.inf, [np.nan, -np.inf, np.inf, 0.0, -0.0, 1.0, 2.0]
    else:
        info = np.iinfo(dtype)
        worst, choices = info.min if direction == "GT" else info.max, [info.min, info.max, 0, 1]

    def make(rng: np.random.Generator, dims: Sequence[int]) -> list[Array]:
        few = rng.choice(np.array(choices, dtype), size=int(rng.integers(1, len(choices) + 1)), replace=False)
        return [rng.choice(few, dims), np.arange(np.prod(dims, dtype=np.int64)).astype(index).reshape(dims)]

    name = f"extremum {direction} {np.dtype(dtype)} {np.dtype(index)}"
    return Combiner(name, body, [np.array(worst, dtype), np.array(0, index)], make)


COMBINERS = [
    *(matrices(dtype) for dtype in (np.int32, np.int64)),
    *(affine(dtype) for dtype in (np.int8, np.int32, np.int64)),
    concatenation(),
    *(nonzero(which, dtype) for which in ("first", "last") for dtype in (np.int8, np.int32, np.float32)),
    *(projection(side) for side in ("left", "right")),
    *(extremum(d, dtype, np.int32) for d in ("GT", "LT") for dtype in (np.float32, np.float64, np.int32)),
    extremum("GT", np.float32, np.int64),
]


@dataclass
class Operands:
    """The arrays that a program reduces: arguments, or what is computed from them."""

    arguments: list[Array]
    lines: list[str]
    values: list[str]
    types: list[str]


def operands(data: st.DataObject, combiner: Combiner, dims: Sequence[int], seed: int) -> Operands:
    """Arguments of shape `dims`, as they are or transposed from another order of dimensions; the indices of an extremum
    may be an iota along a dimension or along all."""
    made = combiner.make(np.random.default_rng(seed), dims)
    arguments, lines, values = [], [], []
    order = data.draw(st.permutations(range(len(dims)))) if data.draw(st.booleans()) else list(range(len(dims)))
    iota = combiner.name.startswith("extremum") and len(dims) > 0 and data.draw(st.booleans())
    for i, array in enumerate(made):
        t = type_of(array)
        if iota and i == 1:
            along = data.draw(st.sampled_from([*range(len(dims)), -1]))
            whole = tensor(array.dtype, (array.size,)) if along < 0 else t
            lines.append(f'  %n = "xla.iota"() {{iota_dimension = {max(along, 0)} : i64}} : () -> {whole}')
            if along < 0:
                lines.append(f'  %m = "xla.reshape"(%n) : ({whole}) -> {t}')
            values.append("%m" if along < 0 else "%n")
            continue
        # Stored in another order of dimensions and brought back: the innermost loop is not the contiguous one.
        stored = np.ascontiguousarray(array.transpose(order))
        name = f"%arg{len(arguments)}"
        arguments.append(stored)
        if list(order) == sorted(order):
            values.append(name)
            continue
        back = f"{{permutation = {ints(np.argsort(order))}}}"
        lines.append(f'  %t{i} = "xla.transpose"({name}) {back} : ({type_of(stored)}) -> {t}')
        values.append(f"%t{i}")
    return Operands(arguments, lines, values, [type_of(a) for a in made])


def check(
    data: st.DataObject, combiner: Combiner, given: Operands, op: str, attributes: dict[str, str], dims: Any
) -> None:
    """Runs a reduction of `given` to arrays of `dims`, some or all of which are returned."""
    count = len(combiner.neutral)
    results = [tensor(n.dtype, dims) for n in combiner.neutral]
    kept = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1))) if count > 1 else [0]
    inits = [
        f'  %i{i} = "xla.constant"() {{value = dense<{literal(n)}> : {type_of(n)}}} : () -> {type_of(n)}'
        for i, n in enumerate(combiner.neutral)
    ]
    parameters = ", ".join(f"%arg{i}: {type_of(a)}" for i, a in enumerate(given.arguments))
    names = [*given.values, *(f"%i{i}" for i in range(count))]
    types = [*given.types, *(type_of(n) for n in combiner.neutral)]
    returned = [f"%r#{i}" for i in kept] if count > 1 else ["%r"]
    written = ", ".join(f"{key} = {value}" for key, value in attributes.items())
    text = "\n".join(
        [
            f"func.func @main({parameters}) -> ({', '.join(results[i] for i in kept)}) {{",
            *given.lines,
            *inits,
            f'  %r{f":{count}" if count > 1 else ""} = "xla.{op}"({", ".join(names)}) ({combiner.region()}) '
            f"{{{written}}} : ({', '.join(types)}) -> ({', '.join(results)})",
            f"  return {', '.join(returned)} : {', '.join(results[i] for i in kept)}",
            "}",
        ]
    )
    note(text)
    options: dict[str, Any] = {"threads": data.draw(st.integers(0, 3))}
    if data.draw(st.integers(0, 3)) == 0:
        options["features"] = "-avx512f"
    note(str(options))
    want, have = (
        mlir_xla.compile(text, target=target, **extra)(*given.arguments)
        for target, extra in (("reference", {}), ("cpu", options))
    )
    for i, (x, y) in enumerate(zip(*((r if isinstance(r, tuple) else (r,)) for r in (have, want)), strict=True)):
        x, y = np.asarray(x), np.asarray(y)
        wrong = x != y
        if x.dtype.kind == "f":
            wrong = ~((np.isnan(x) & np.isnan(y)) | ((x == y) & (np.signbit(x) == np.signbit(y))))
        assert x.shape == y.shape and not wrong.any(), (
            f"result {i} at {np.argwhere(wrong)[0].tolist()}: {x[wrong][0]!r} instead of {y[wrong][0]!r}"
        )


LENGTHS = st.one_of(st.integers(1, 6), st.integers(7, 40), st.sampled_from([1, 16, 31, 33, 64, 65, 100, 127, 128, 300]))


@given(st.sampled_from(COMBINERS), shapes(1, 4, LENGTHS, 6000), st.integers(0, 2**31), st.data())
def test_reduce_in_order(combiner, dims, seed, data):
    reduced = sorted(data.draw(st.sets(st.integers(0, len(dims) - 1), min_size=1)))
    result = [n for d, n in enumerate(dims) if d not in reduced]
    check(data, combiner, operands(data, combiner, dims, seed), "reduce", {"dimensions": ints(reduced)}, result)


@given(st.sampled_from(COMBINERS), st.integers(0, 2**31), st.data())
def test_large_reduce_in_order(combiner, seed, data):
    """Large enough for several cores: cut into rows, or one dimension into blocks."""
    dims = data.draw(
        st.sampled_from(
            [(70000,), (65537,), (131072,), (256, 320), (5, 14000), (14000, 5), (2, 300, 130), (70, 31, 33)]
        )
    )
    reduced = sorted(data.draw(st.sets(st.integers(0, len(dims) - 1), min_size=1)))
    result = [n for d, n in enumerate(dims) if d not in reduced]
    check(data, combiner, operands(data, combiner, dims, seed), "reduce", {"dimensions": ints(reduced)}, result)


@given(st.sampled_from(COMBINERS), shapes(1, 3, st.integers(1, 20), 600), st.integers(0, 2**31), st.data())
def test_reduce_window_in_order(combiner, dims, seed, data):
    sizes, strides, padding, dilation, result = [], [], [], [], []
    for n in dims:
        size, stride, apart = (data.draw(st.integers(1, top)) for top in (min(n, 9), 3, 2))
        apart = apart if (size - 1) * apart < n else 1
        low, high = (data.draw(st.integers(0, 2)) for _ in range(2)) if combiner.both else (0, 0)
        result.append((n + low + high - (size - 1) * apart - 1) // stride + 1)
        for values, value in ((sizes, size), (strides, stride), (padding, [low, high]), (dilation, apart)):
            values.append(value)
    attributes = {
        "window_dimensions": ints(sizes),
        "window_strides": ints(strides),
        "window_dilations": ints(dilation),
        "padding": f"dense<{padding}> : tensor<{len(dims)}x2xi64>",
    }
    check(data, combiner, operands(data, combiner, dims, seed), "reduce_window", attributes, result)


@settings(max_examples=max(10, settings.default.max_examples // 2))
@given(
    st.sampled_from([c for c in COMBINERS if c.both]),
    st.integers(10, 70),
    st.integers(1, 4),
    st.booleans(),
    st.integers(0, 2**31),
    st.data(),
)
def test_cumulative_in_order(combiner, length, others, backwards, seed, data):
    """Every prefix, or every suffix."""
    dims, along = data.draw(st.sampled_from([((length,), 0), ((others, length), 1), ((length, others), 0)]))
    padding = [[0, 0] for _ in dims]
    padding[along][1 if backwards else 0] = length - 1
    attributes = {
        "window_dimensions": ints([length if d == along else 1 for d in range(len(dims))]),
        "padding": f"dense<{padding}> : tensor<{len(dims)}x2xi64>",
    }
    check(data, combiner, operands(data, combiner, dims, seed), "reduce_window", attributes, dims)
