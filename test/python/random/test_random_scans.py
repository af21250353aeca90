# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random scans: reduce_window over all elements up to each position, as JAX writes cumulative sums. Elements are small
whole numbers, so that every order of evaluation gives the same sum."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import (
    COMPLEX,
    DTYPES,
    FLOAT,
    INT,
    NARROW,
    PRED,
    Case,
    arrays,
    binary_region,
    check,
    elements,
    ints,
    one_op,
    region,
    shapes,
    tensor,
    type_of,
)
from test_random_reduction import neutral

FLOAT8 = ["float8_e4m3fn", "float8_e5m2"]
# Around the widths of vectors, and of two of them.
SIZES = st.one_of(st.integers(1, 5), st.sampled_from([0, 7, 8, 15, 16, 17, 31, 32, 33, 64, 70, 150]))
SHAPES = shapes(1, 3, SIZES, 5000)


def window(shape, dim, reverse):
    """The attributes of a scan along ``dim``."""
    sizes = [n if d == dim else 1 for d, n in enumerate(shape)]
    padding = [((0, n - 1) if reverse else (n - 1, 0)) if d == dim else (0, 0) for d, n in enumerate(shape)]
    pairs = ", ".join(f"[{low}, {high}]" for low, high in padding)
    return {"window_dimensions": ints(sizes), "padding": f"dense<[{pairs}]> : tensor<{len(shape)}x2xi64>"}


def scan_of(data, operands, inits, regions, **options):
    """The scan of ``operands`` along a drawn dimension, in a drawn direction; windows have a size."""
    shape = operands[0].shape
    dims = [d for d, n in enumerate(shape) if n]
    dim, reverse = data.draw(st.sampled_from(dims or [None])), data.draw(st.booleans())
    if dim is None:
        return
    results = [tensor(a.dtype, shape) for a in operands]
    check(one_op("reduce_window", [*operands, *inits], results, window(shape, dim, reverse), regions, **options))


@given(arrays(NARROW + INT + FLOAT, SHAPES, "small"), st.sampled_from(["add", "maximum", "minimum"]), st.data())
def test_scan(x, op, data):
    scan_of(data, [x], [neutral(op, x.dtype)], [binary_region(op, x.dtype)], constants=data.draw(st.integers(0, 1)))


@given(arrays(INT + FLOAT, SHAPES), st.sampled_from(["maximum", "minimum"]), st.data())
def test_scan_of_any_values(x, op, data):
    scan_of(data, [x], [neutral(op, x.dtype)], [binary_region(op, x.dtype)], signed_zeros=False)


@given(arrays(FLOAT8, shapes(1, 2, st.integers(1, 9), 60), "small"), st.sampled_from(["add", "maximum"]), st.data())
def test_scan_of_float8(x, op, data):
    init = neutral("add", x.dtype) if op == "add" else np.array(-4, x.dtype)
    scan_of(data, [x], [init], [binary_region(op, x.dtype)])


@given(arrays(INT, SHAPES, "small"), st.data())
def test_scan_product(x, data):
    scan_of(data, [x], [np.ones((), x.dtype)], [binary_region("multiply", x.dtype)])


@given(arrays(PRED + NARROW + INT, SHAPES), st.sampled_from(["and", "or", "xor"]), st.data())
def test_scan_of_bits(x, op, data):
    scan_of(data, [x], [neutral(op, x.dtype)], [binary_region(op, x.dtype)])


@given(arrays(COMPLEX, SHAPES, "small"), st.data())
def test_scan_of_complex_numbers(x, data):
    scan_of(data, [x], [np.zeros((), x.dtype)], [binary_region("add", x.dtype)], signed_zeros=False)


@given(arrays(["f32", "f64"], SHAPES, "moderate"), st.data())
def test_scan_of_rounded_sums(x, data):
    # Every element passes one rounding for each element that is added later, by half an eps each; on both targets.
    terms = max(x.shape)
    within = np.full(x.shape, (terms + 1) * np.finfo(x.dtype).eps * np.abs(x).sum(dtype=np.float64))
    scan_of(data, [x], [neutral("add", x.dtype)], [binary_region("add", x.dtype)], within=[within])


@given(arrays(["s8", "u16", "f32", "f64", "bf16"], SHAPES, "small"), st.sampled_from(["maximum", "minimum"]), st.data())
def test_scan_from_a_value_that_is_no_identity(x, op, data):
    scan_of(data, [x], [np.ones((), x.dtype)], [binary_region(op, x.dtype)])


def first_region(dtype):
    """The first of two values that is not zero: associative, and does not commute."""
    t, p = tensor(dtype, ()), "tensor<i1>"
    body = f"""  %zero = "xla.subtract"(%p0, %p0) : ({t}, {t}) -> {t}
  %none = "xla.compare"(%p0, %zero) {{comparison_direction = #xla<comparison_direction EQ>}} : ({t}, {t}) -> {p}
  %r = "xla.select"(%none, %p1, %p0) : ({p}, {t}, {t}) -> {t}
  "xla.return"(%r) : ({t}) -> ()"""
    return region(t, t, body=body)


@given(arrays(["s8", "s32", "u64", "f32", "f64", "bf16"], SHAPES, "small"), st.data())
def test_scan_in_order(x, data):
    scan_of(data, [x], [np.zeros((), x.dtype)], [first_region(x.dtype)], signed_zeros=False)


def constant_region(dtype, result):
    """A combiner that gives its first or second operand, or the same whatever they are."""
    t = tensor(dtype, ())
    body = f"""  %one = "xla.constant"() {{value = dense<1{"" if dtype.kind == "i" else ".0"}> : {t}}} : () -> {t}
  "xla.return"({result}) : ({t}) -> ()"""
    return region(t, t, body=body)


@given(arrays(["s8", "s32", "f32", "bf16"], SHAPES, "small"), st.sampled_from(["%p0", "%p1", "%one"]), st.data())
def test_scan_that_does_not_compute(x, result, data):
    # What comes first or last depends on where initial values are taken to be.
    init = np.ones((), x.dtype)
    x = x if result == "%one" else np.ones_like(x)
    scan_of(data, [x], [init], [constant_region(x.dtype, result)])


def affine_region(dtype):
    """First x -> a x + b, then x -> c x + d."""
    t = tensor(dtype, ())
    body = f"""  %a = "xla.multiply"(%p0, %p2) : ({t}, {t}) -> {t}
  %bc = "xla.multiply"(%p1, %p2) : ({t}, {t}) -> {t}
  %b = "xla.add"(%bc, %p3) : ({t}, {t}) -> {t}
  "xla.return"(%a, %b) : ({t}, {t}) -> ()"""
    return region(t, t, t, t, body=body)


@given(st.sampled_from(["s8", "u16", "s32", "s64"]), SHAPES, st.integers(0, 2**31), st.data())
def test_scan_of_several_arrays(name, shape, seed, data):
    factors, terms = elements(DTYPES[name], shape, seed), elements(DTYPES[name], shape, seed + 1)
    inits = [np.ones((), factors.dtype), np.zeros((), factors.dtype)]
    scan_of(data, [factors, terms], inits, [affine_region(factors.dtype)])


def side_by_side_region(ops, dtypes):
    """Each array by its own operation; the array after those is taken from where the first one's extremum is."""
    types = [tensor(dtype, ()) for dtype in dtypes]
    count, body, returned = len(dtypes), [], []
    for i, (op, t) in enumerate(zip(ops, types, strict=False)):
        body.append(f'  %r{i} = "xla.{op}"(%p{i}, %p{count + i}) : ({t}, {t}) -> {t}')
        returned.append(f"%r{i}")
    if len(ops) < count:
        last, t = count - 1, types[-1]
        direction = "#xla<comparison_direction {}>".format({"maximum": "GE", "minimum": "LE"}[ops[0]])
        body.append(
            f'  %first = "xla.compare"(%p0, %p{count}) {{comparison_direction = {direction}}}'
            f" : ({types[0]}, {types[0]}) -> tensor<i1>"
        )
        body.append(f'  %chosen = "xla.select"(%first, %p{last}, %p{2 * last + 1}) : (tensor<i1>, {t}, {t}) -> {t}')
        returned.append("%chosen")
    body.append(f'  "xla.return"({", ".join(returned)}) : ({", ".join(types)}) -> ()')
    return region(*types, *types, body="\n".join(body))


@given(
    st.lists(st.sampled_from(["s8", "u16", "s32", "s64", "f32", "f64", "bf16"]), min_size=2, max_size=4),
    st.booleans(),
    st.one_of(st.tuples(st.sampled_from([17, 24, 37, 60, 100])), SHAPES),
    st.integers(0, 2**31),
    st.data(),
)
def test_arrays_side_by_side(names, alike, shape, seed, data):
    """Lanes of several arrays at once, scanned or reduced: LLVM joins what is done to equal lanes of them."""
    dtypes = [DTYPES[names[0] if alike else name] for name in names]
    carries = data.draw(st.booleans())
    ops = [data.draw(st.sampled_from(["maximum", "minimum"]))]
    ops += [data.draw(st.sampled_from(["add", "maximum", "minimum"])) for _ in dtypes[1 + carries :]]
    operands = [elements(dtype, shape, seed + i, "small") for i, dtype in enumerate(dtypes)]
    inits = [neutral(op, dtype) for op, dtype in zip(ops, dtypes, strict=False)]
    inits += [np.zeros((), dtype) for dtype in dtypes[len(ops) :]]
    # No element ties with the initial value, so that an element is chosen wherever there is one.
    if carries and ops[0] == "maximum" and dtypes[0].kind == "u":
        operands[0] = np.maximum(operands[0], 1)
    regions = [side_by_side_region(ops, dtypes)]
    if data.draw(st.booleans()):
        scan_of(data, operands, inits, regions, signed_zeros=False)
        return
    dims = sorted(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    rest = [n for d, n in enumerate(shape) if d not in dims]
    results = [tensor(dtype, rest) for dtype in dtypes]
    check(one_op("reduce", [*operands, *inits], results, {"dimensions": ints(dims)}, regions, signed_zeros=False))


@given(arrays(["s32", "f32", "bf16"], SHAPES, "small"), st.data())
def test_scan_among_elementwise_code(x, data):
    dims = [d for d, n in enumerate(x.shape) if n]
    if not dims:
        return
    t, s = type_of(x), tensor(x.dtype, ())
    attributes = window(x.shape, data.draw(st.sampled_from(dims)), data.draw(st.booleans()))
    written = ", ".join(f"{key} = {value}" for key, value in attributes.items())
    returned = data.draw(st.sampled_from([["%more"], ["%more", "%sums"], ["%sums", "%sums"], ["%more", "%twice"]]))
    types = ", ".join([t] * len(returned))
    text = f"""func.func @main(%x: {t}) -> ({types}) {{
  %zero = "xla.constant"() {{value = dense<0{"" if x.dtype.kind == "i" else ".0"}> : {s}}} : () -> {s}
  %twice = "xla.add"(%x, %x) : ({t}, {t}) -> {t}
  %sums = "xla.reduce_window"(%twice, %zero) ({binary_region("add", x.dtype)}) {{{written}}} : ({t}, {s}) -> {t}
  %more = "xla.add"(%sums, %x) : ({t}, {t}) -> {t}
  return {", ".join(returned)} : {types}
}}"""
    check(Case(text, [x], signed_zeros=False))
