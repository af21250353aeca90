# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The edges of arithmetic, as docs/semantics.md defines them: for every element type, the same on both targets and,
where JAX has the operation, what XLA computes on the CPU.

Of each element type one program has all the operations, applied to all pairs of a few numbers at the limits.
"""

import ml_dtypes
import numpy as np
import pytest
from comparison import difference, is_float
from vector_cases import TARGETS

import mlir_xla
from mlir_xla import Shape

INTEGERS = [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
INTEGERS += [np.dtype(getattr(ml_dtypes, name)) for name in ("int2", "uint2", "int4", "uint4")]
FLOATS = [np.dtype(name) for name in ("float16", "float32", "float64")]
FLOATS += [np.dtype(getattr(ml_dtypes, n)) for n in ("bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e4m3b11fnuz")]
UNARY_INT = "abs negate sign not popcnt count_leading_zeros".split()
BINARY_INT = (
    "add subtract multiply divide remainder maximum minimum and or xor "
    "shift_left shift_right_arithmetic shift_right_logical power"
).split()
UNARY_FLOAT = "abs negate sign floor ceil round_nearest_afz round_nearest_even is_finite sqrt".split()
BINARY_FLOAT = "add subtract multiply divide remainder maximum minimum next_after".split()
DIRECTIONS = "EQ NE LT LE GT GE".split()


def bits_of(dtype):
    return ml_dtypes.iinfo(dtype).bits


def integers(dtype):
    """Numbers around zero, the limits and the width."""
    info = ml_dtypes.iinfo(dtype)
    wanted = {info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 3, info.bits - 1, info.bits, info.bits + 1, info.max - 1}
    return np.array([n for n in sorted({*wanted, info.max}) if info.min <= n <= info.max], object).astype(dtype)


def floats(dtype, subnormals):
    info = ml_dtypes.finfo(dtype)
    smallest = [float(info.smallest_subnormal), float(info.smallest_normal) / 2] if subnormals else []
    limits = [float(info.smallest_normal), float(info.max), float(info.eps)]
    numbers = [0.0, 0.5, 1.0, 1.5, 2.5, 3.7, 0.49999997, 100.0, np.inf, *limits, *smallest]
    with np.errstate(all="ignore"):
        return np.array([*numbers, *(-x for x in numbers), np.nan]).astype(dtype)


def pairs(values):
    i, j = np.meshgrid(np.arange(len(values)), np.arange(len(values)))
    return values[i.ravel()], values[j.ravel()]


def program(dtype, count, lines):
    """`lines` are pairs of an op, given %x and %y, and its result type."""
    element = Shape(dtype, (count,)).mlir
    types = [Shape(result, (count,)).mlir for _, result in lines]
    body = [f"  %{i} = {text} -> {type_}" for i, ((text, _), type_) in enumerate(zip(lines, types, strict=True))]
    names = ", ".join(f"%{i}" for i in range(len(lines)))
    return "\n".join(
        [
            f"func.func @main(%x: {element}, %y: {element}) -> ({', '.join(types)}) {{",
            *(line.replace("TYPE", element) for line in body),
            f"  return {names} : {', '.join(types)}\n}}",
        ]
    )


def lines_of(dtype):
    if not is_float(dtype):
        unary = UNARY_INT if "u" not in dtype.name else [n for n in UNARY_INT if n not in ("abs", "sign")]
        lines = [(f'"xla.{name}"(%x) : (TYPE)', dtype) for name in unary]
        return lines + [(f'"xla.{name}"(%x, %y) : (TYPE, TYPE)', dtype) for name in BINARY_INT]
    lines = [(f'"xla.{name}"(%x) : (TYPE)', np.bool_ if name == "is_finite" else dtype) for name in UNARY_FLOAT]
    lines += [(f'"xla.{name}"(%x, %y) : (TYPE, TYPE)', dtype) for name in BINARY_FLOAT]
    for kind in ("FLOAT", "TOTALORDER"):
        for direction in DIRECTIONS:
            attributes = (
                f"comparison_direction = #xla<comparison_direction {direction}>, "
                f"compare_type = #xla<comparison_type {kind}>"
            )
            lines.append((f'"xla.compare"(%x, %y) {{{attributes}}} : (TYPE, TYPE)', np.bool_))
    lines.append(('"xla.clamp"(%x, %y, %x) : (TYPE, TYPE, TYPE)', dtype))
    return lines


def expected_integer(name, x, y, dtype):
    """The operation on Python's integers, by the words of docs/semantics.md."""
    info, bits = ml_dtypes.iinfo(dtype), bits_of(dtype)
    x, y = int(x), int(y)
    unsigned_x, amount = x % 2**bits, y % 2**bits
    towards_zero = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) if y else -1

    def power():
        if y < 0:
            return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)
        return pow(x, y, 2**bits)

    value = {
        "abs": lambda: abs(x),
        "negate": lambda: -x,
        "sign": lambda: (x > 0) - (x < 0),
        "not": lambda: ~x,
        "popcnt": lambda: bin(unsigned_x).count("1"),
        "count_leading_zeros": lambda: bits - unsigned_x.bit_length(),
        "add": lambda: x + y,
        "subtract": lambda: x - y,
        "multiply": lambda: x * y,
        "divide": lambda: towards_zero,
        "remainder": lambda: x - y * towards_zero if y else x,
        "maximum": lambda: max(x, y),
        "minimum": lambda: min(x, y),
        "and": lambda: x & y,
        "or": lambda: x | y,
        "xor": lambda: x ^ y,
        "shift_left": lambda: x << amount if amount < bits else 0,
        "shift_right_arithmetic": lambda: wrapped(unsigned_x, bits, True) >> min(amount, bits - 1),
        "shift_right_logical": lambda: unsigned_x >> amount if amount < bits else 0,
        "power": power,
    }[name]()
    return wrapped(value, bits, info.min < 0)


def wrapped(value, bits, signed):
    value %= 2**bits
    return value - 2**bits if signed and value >= 2 ** (bits - 1) else value


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers(dtype, target):
    x, y = pairs(integers(dtype))
    lines = lines_of(dtype)
    found = mlir_xla.compile(program(dtype, len(x), lines), target=target)(x, y)
    for (text, _), result in zip(lines, found, strict=True):
        name = text.split('"')[1].removeprefix("xla.")
        want = [expected_integer(name, a, b, dtype) for a, b in zip(x, y, strict=True)]
        wrong = [(a, b, r, w) for a, b, r, w in zip(x, y, result, want, strict=True) if int(r) != w]
        assert not wrong, f"{name} of {wrong[0][:2]} is {wrong[0][2]}, not {wrong[0][3]}"


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_floats_on_both_targets(dtype):
    """Subnormal numbers, zeros with signs, infinities and NaN, bit by bit."""
    x, y = pairs(floats(dtype, subnormals=True))
    lines = lines_of(dtype)
    text = program(dtype, len(x), lines)
    have, want = (mlir_xla.compile(text, target=target)(x, y) for target in ("cpu", "reference"))
    for (line, _), a, b in zip(lines, have, want, strict=True):
        assert not (found := difference(a, b)), f"{line}: {found}"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [d for d in FLOATS if d.itemsize > 1], ids=str)
def test_words_about_floats(dtype, target):
    """Some of docs/semantics.md, said again."""
    tiny = float(ml_dtypes.finfo(dtype).smallest_subnormal)
    x = np.array([np.nan, 1, -0.0, 0.0, tiny, np.inf, -7.5]).astype(dtype)
    y = np.array([1, np.nan, 0.0, -0.0, 1, 2, np.inf]).astype(dtype)
    names = "maximum minimum multiply remainder".split()
    lines = [(f'"xla.{name}"(%x, %y) : (TYPE, TYPE)', dtype) for name in names]
    larger, smaller, product, rest = mlir_xla.compile(program(dtype, len(x), lines), target=target)(x, y)
    assert np.isnan(larger[:2]).all() and np.isnan(smaller[:2]).all()
    assert not np.signbit(larger[2:4]).any() and np.signbit(smaller[2:4]).all()
    assert product[4] == x[4] > 0  # a subnormal number is a number
    assert np.isnan(rest[5]) and rest[6] == x[6]


def conversions(dtype):
    others = [d for d in [np.dtype(np.bool_), *INTEGERS, *FLOATS] if d != dtype]
    return others, [('"xla.convert"(%x) : (TYPE)', other) for other in others]


LARGE = [127.5, 128, -128.5, -129, 255.9, 256, 32767.9, 65535.9, 2.0**31, -(2.0**31) - 1, 2.0**32, 2.0**63, 2.0**64]


@pytest.mark.parametrize("dtype", [np.dtype(np.bool_), *INTEGERS, *FLOATS], ids=str)
def test_conversions(dtype):
    """Both targets, and, from floats to integers, what the words say: truncated, limited, zero for NaN."""
    if dtype == np.bool_:
        x = np.array([False, True])
    elif is_float(dtype):
        with np.errstate(all="ignore"):
            x = np.concatenate([floats(dtype, True), np.array(LARGE).astype(dtype), -np.array(LARGE).astype(dtype)])
    else:
        x = integers(dtype)
    others, lines = conversions(dtype)
    text = program(dtype, len(x), lines)
    have, want = (mlir_xla.compile(text, target=target)(x, x) for target in ("cpu", "reference"))
    for other, a, b in zip(others, have, want, strict=True):
        assert not (found := difference(a, b)), f"to {other}: {found}"
        if is_float(dtype) and other in INTEGERS:
            info = ml_dtypes.iinfo(other)
            for value, result in zip(x.astype(np.float64), a, strict=True):
                limited = 0 if np.isnan(value) else min(max(value, float(info.min)), float(info.max))
                assert int(result) == min(max(int(limited), info.min), info.max), (value, result)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS], ids=str)
def test_against_xla(dtype):
    """All but what XLA's compiler for the CPU does in its own way: it takes subnormal numbers for zeros."""
    jax = pytest.importorskip("jax")
    from jax import lax

    if bits_of(dtype) < 4 if not is_float(dtype) else dtype.itemsize == 1:
        pytest.skip("XLA's compiler for the CPU has these types only in parts")
    functions = {
        "negate": "neg",
        "not": "bitwise_not",
        "popcnt": "population_count",
        "count_leading_zeros": "clz",
        "subtract": "sub",
        "multiply": "mul",
        "divide": "div",
        "remainder": "rem",
        "maximum": "max",
        "minimum": "min",
        "and": "bitwise_and",
        "or": "bitwise_or",
        "xor": "bitwise_xor",
        "next_after": "nextafter",
    }
    names = UNARY_FLOAT + BINARY_FLOAT if is_float(dtype) else UNARY_INT + BINARY_INT
    # XLA counts the bits of a 4-bit integer in a byte, into which it extends the sign. JAX rounds with an argument, and
    # has no power of two integers.
    left_out = {"popcnt"} if "int4" in dtype.name else set()
    left_out |= {"power", "round_nearest_afz", "round_nearest_even"}
    left_out |= {"abs", "sign"} if "u" in dtype.name or "int4" in dtype.name else set()
    names = [name for name in names if name not in left_out]
    numbers = floats(dtype, subnormals=False) if is_float(dtype) else integers(dtype)
    x, y = pairs(numbers)

    def compute(x, y):
        found = []
        for name in names:
            function = getattr(lax, functions.get(name, name))
            found.append(function(x, y) if name in BINARY_FLOAT + BINARY_INT else function(x))
        return found

    with jax.enable_x64(True):
        lowered = jax.jit(compute).lower(x, y)
        want = [np.asarray(each) for each in lowered.compile()(x, y)]
        text = lowered.as_text()
    small = float(ml_dtypes.finfo(dtype).smallest_normal) if is_float(dtype) else 0
    for target in TARGETS:
        for name, a, b in zip(names, mlir_xla.compile(text, target=target)(x, y), want, strict=True):
            if is_float(dtype) and is_float(a.dtype):
                a = np.where((a != 0) & (np.abs(a.astype(np.float64)) < small), b, a)
            assert not (found := difference(a, b)), f"{name} on {target}: {found}"


@pytest.mark.parametrize("dtype", [np.dtype(np.bool_), *INTEGERS, *FLOATS], ids=str)
def test_conversions_against_xla(dtype):
    jax = pytest.importorskip("jax")
    if dtype in INTEGERS and bits_of(dtype) < 8:
        pytest.skip("JAX has these types only in parts")
    if dtype == np.bool_:
        x = np.array([False, True])
    elif is_float(dtype):
        with np.errstate(all="ignore"):
            x = np.concatenate([floats(dtype, False), np.array(LARGE).astype(dtype), -np.array(LARGE).astype(dtype)])
    else:
        x = integers(dtype)
    others = [d for d in conversions(dtype)[0] if d not in INTEGERS or bits_of(d) >= 8]
    with jax.enable_x64(True):
        lowered = jax.jit(lambda v: [jax.lax.convert_element_type(v, other) for other in others]).lower(x)
        want = lowered.compile()(x)
        have = mlir_xla.compile(lowered.as_text())(x)
    for other, a, b in zip(others, have, want, strict=True):
        assert not (found := difference(a, np.asarray(b))), f"to {other}: {found}"


WINDOWS = """func.func @main(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {{
  %init = xla.constant dense<{init}> : tensor<f32>
{ops}
  return %0, %1, %2 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}}"""
WINDOW = """  %{i} = "xla.reduce_window"(%x, %init) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = xla.{op} %a, %b : tensor<f32>
    "xla.return"(%c) : (tensor<f32>) -> ()
  }}) {{window_dimensions = array<i64: {size}>, padding = dense<[[{low}, {high}]]> : tensor<1x2xi64>}}
    : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "op, init, forward, backward, around",
    [
        ("add", 1, [2, 4, 7, 11, 16], [16, 15, 13, 10, 6], [5, 7, 10, 13, 11]),
        ("multiply", 2, [2, 4, 12, 48, 240], [240, 240, 120, 40, 10], [8, 12, 48, 120, 80]),
        ("maximum", 3, [3, 3, 3, 4, 5], [5, 5, 5, 5, 5], [3, 3, 4, 5, 5]),
        ("add", 0, [1, 3, 6, 10, 15], [15, 14, 12, 9, 5], [3, 6, 9, 12, 9]),
    ],
)
def test_initial_values_that_are_no_identity(op, init, forward, backward, around, target):
    """Cumulative windows count it once, others as often as there is padding and once more."""
    windows = [(5, 4, 0), (5, 0, 4), (3, 1, 1)]
    ops = [WINDOW.format(i=i, op=op, size=s, low=lo, high=hi) for i, (s, lo, hi) in enumerate(windows)]
    text = WINDOWS.format(init=float(init), ops="\n".join(ops))
    found = mlir_xla.compile(text, target=target)(np.arange(1, 6, dtype=np.float32))
    assert [each.tolist() for each in found] == [forward, backward, around]


NOTHING = """func.func @main(%x: tensor<0x3xf32>, %i: tensor<i32>) -> (tensor<3xf32>, tensor<0xf32>, tensor<3x3xf32>,
    tensor<2x3xf32>, tensor<0x2xf32>, tensor<0x3xf32>, tensor<3x0xf32>) {
  %c = xla.constant dense<7.0> : tensor<f32>
  %0 = "xla.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    "xla.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = "xla.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = xla.add %a, %b : tensor<f32>
    "xla.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<0x3xf32>, tensor<f32>) -> tensor<0xf32>
  %2 = xla.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<3x3xf32>
  %3 = xla.pad %x, %c, low = [1, 0], high = [1, 0], interior = [5, 0]
    : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %4 = "xla.dynamic_slice"(%x, %i, %i) {slice_sizes = array<i64: 0, 2>}
    : (tensor<0x3xf32>, tensor<i32>, tensor<i32>) -> tensor<0x2xf32>
  %5 = "xla.concatenate"(%x, %x) {dimension = 0 : i64} : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  %6 = xla.transpose %x, dims = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xf32>, tensor<0xf32>, tensor<3x3xf32>, tensor<2x3xf32>, tensor<0x2xf32>,
    tensor<0x3xf32>, tensor<3x0xf32>
}"""


@pytest.mark.parametrize("target", TARGETS)
def test_sizes_of_zero(target):
    found = mlir_xla.compile(NOTHING, target=target)(np.zeros((0, 3), np.float32), np.int32(5))
    assert found[0].tolist() == [7, 7, 7] and found[2].tolist() == [[0] * 3] * 3 and found[3].tolist() == [[7] * 3] * 2
    assert [found[i].shape for i in (1, 4, 5, 6)] == [(0,), (0, 2), (0, 3), (3, 0)]


STARTS = """func.func @main(%x: tensor<5xi32>, %i: TYPE) -> (tensor<2xi32>, tensor<5xi32>) {
  %0 = "xla.dynamic_slice"(%x, %i) {slice_sizes = array<i64: 2>} : (tensor<5xi32>, TYPE) -> tensor<2xi32>
  %1 = "xla.dynamic_update_slice"(%x, %0, %i) : (tensor<5xi32>, tensor<2xi32>, TYPE) -> tensor<5xi32>
  return %0, %1 : tensor<2xi32>, tensor<5xi32>
}"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [d for d in INTEGERS if bits_of(d) >= 8], ids=str)
def test_starts(dtype, target):
    """Of any integer type, compared in its own sign."""
    exe = mlir_xla.compile(STARTS.replace("TYPE", Shape(dtype).mlir), target=target)
    x = np.arange(5, dtype=np.int32)
    for start in integers(dtype):
        clamped = min(max(int(start), 0), 3)
        piece, whole = exe(x, start)
        assert piece.tolist() == [clamped, clamped + 1] and whole.tolist() == x.tolist()
