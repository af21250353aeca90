# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CPU's elementary functions: special values, and the error in units of the last place."""

import math

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

# Functions of one operand: op, its reference, and the largest error in ulp of f32.
UNARY = {
    "exponential": (np.exp, 1),
    "exponential_minus_one": (np.expm1, 2),
    "log": (np.log, 1),
    "log_plus_one": (np.log1p, 2),
    "sine": (np.sin, 2),
    "cosine": (np.cos, 2),
    "tan": (np.tan, 1),
    "tanh": (np.tanh, 2),
    "cbrt": (np.cbrt, 1),
    "erf": (np.vectorize(math.erf, otypes=[float]), 2),
    "erfc": (np.vectorize(math.erfc, otypes=[float]), 2),
    "sinh": (np.sinh, 2),
    "cosh": (np.cosh, 2),
    "asinh": (np.arcsinh, 2),
    "acosh": (np.arccosh, 2),
    "atanh": (np.arctanh, 2),
    "asin": (np.arcsin, 1),
    "acos": (np.arccos, 1),
    "atan": (np.arctan, 2),
    "logistic": (lambda x: np.exp(-np.logaddexp(0, -x)), 3),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 2),
}
# Functions of f64, and the largest error.
DOUBLE = dict.fromkeys(
    ("exponential", "exponential_minus_one", "log", "log_plus_one", "tanh", "sinh", "cosh", "atanh"), 2
) | dict.fromkeys(("sine", "cosine", "tan", "asin", "acos", "asinh", "acosh"), 1)
WIDTHS = ["", "-avx512f", "-avx512f,-avx2,-avx,-fma"]
SPECIAL = [0.0, -0.0, 1, -1, 2, -2, 0.5, 1e-45, -1e-45, 1e-39, -1e-10, 88.7, 88.8, -87.5, -103.9, 3e38, -3e38]
SPECIAL += [math.inf, -math.inf, math.nan]


def run(op, dtype, *operands, features=""):
    count = operands[0].size
    name = {"float32": "f32", "float64": "f64", "bfloat16": "bf16"}[np.dtype(dtype).name]
    tensor = f"tensor<{count}x{name}>"
    arguments = ", ".join(f"%x{i}: {tensor}" for i in range(len(operands)))
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    text = (
        f"func.func @main({arguments}) -> {tensor} {{\n  %0 = xla.{op} {names} : {tensor}\n  return %0 : {tensor}\n}}"
    )
    return np.asarray(mlir_xla.compile(text, target="cpu", features=features)(*operands))


def samples(dtype):
    """Every order of magnitude, the neighbourhoods of 0 and 1, multiples of pi/2, and specials; an odd count."""
    random = np.random.default_rng(0)
    integer = np.dtype(f"i{np.dtype(dtype).itemsize}")
    limits = np.iinfo(integer)
    parts = [
        random.integers(limits.min, limits.max, 4000, dtype=integer).view(dtype),
        random.uniform(-1, 1, 4000),
        random.uniform(-110, 110, 4000),
        1 + random.normal(0, 0.01, 1000),
        random.integers(1, 1 << 20, 1000) * (np.pi / 2),
        SPECIAL,
    ]
    values = np.concatenate([np.asarray(part, dtype) for part in parts])
    return values[: values.size - (values.size + 1) % 2]


@np.errstate(all="ignore")
def check(given, exact, ulps):
    rounded = exact.astype(given.dtype)
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(given[~finite], rounded[~finite])
    error = np.abs(given.astype(exact.dtype) - exact)[finite] / np.spacing(np.abs(rounded[finite])).astype(exact.dtype)
    assert error.max() <= ulps
    zero = finite & (given == 0) & (rounded == 0)
    np.testing.assert_array_equal(np.signbit(given[zero]), np.signbit(rounded[zero]))


@pytest.mark.parametrize("op", UNARY)
@np.errstate(all="ignore")
def test_f32(op):
    reference, ulps = UNARY[op]
    x = samples(np.float32)
    check(run(op, np.float32, x), reference(x.astype(np.float64)), ulps)


@pytest.mark.parametrize("features", WIDTHS[1:])
@np.errstate(all="ignore")
def test_other_vectors(features):
    """On processors with shorter ones, which lack instructions, too."""
    x = samples(np.float32)
    for op, (reference, ulps) in UNARY.items():
        check(run(op, np.float32, x, features=features), reference(x.astype(np.float64)), ulps)
        run(op, ml_dtypes.bfloat16, x.astype(ml_dtypes.bfloat16), features=features)
    y = np.roll(x, 1)
    exact = np.power(x.astype(np.float64), y.astype(np.float64))
    check(run("power", np.float32, x, y, features=features), exact, 1)


@pytest.mark.parametrize("op", DOUBLE)
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="needs a reference of more than 64 bits")
@np.errstate(all="ignore")
def test_f64(op):
    x = samples(np.float64)
    check(run(op, np.float64, x), UNARY[op][0](x.astype(np.longdouble)), DOUBLE[op])


@pytest.mark.parametrize("features", WIDTHS)
@pytest.mark.parametrize("dtype, exact", [(np.float32, np.float64), (np.float64, np.longdouble)])
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="needs a reference of more than 64 bits")
@np.errstate(all="ignore")
def test_exponential_near_its_limits(dtype, exact, features):
    """Subnormal results, the smallest and the largest; NaN with any bits."""
    limits = np.finfo(dtype)
    ends = np.log(exact([limits.smallest_subnormal, limits.tiny, limits.max]))
    x = np.concatenate([np.linspace(ends[0] - 2, ends[1] + 2, 5000), np.linspace(ends[2] - 1, ends[2] + 1, 1000)])
    near = [np.nextafter(dtype(end), dtype(to), dtype=dtype) for end in ends for to in (-np.inf, np.inf)]
    x = np.concatenate([x, ends, near, [-1e30, 1e30, np.inf, -np.inf, np.nan, -np.nan]]).astype(dtype)
    integer = np.dtype(f"u{x.itemsize}")
    odd = (np.full(200, np.nan, dtype).view(integer) + np.arange(200, dtype=integer)).view(dtype)
    x = np.concatenate([x, odd, -odd])
    check(run("exponential", dtype, x, features=features), np.exp(x.astype(exact)), 1)


# Large angles, some closer to a multiple of a right angle than all others: the exact sines and cosines, rounded.
ANGLES = [
    (6381956970095103 * 2.0**797, "0x1.0000000000000p+0", "-0x1.14ae72e6ba22fp-61"),
    (-5319372648326541 * 2.0**-50, "0x1.fff64e073e217p-1", "0x1.8e8c39cb8b9a9p-7"),
    (2.0**1023, "0x1.205248cbdb760p-1", "-0x1.a719f26c232bfp-1"),
    (1e22, "-0x1.b453ab76bf397p-1", "0x1.0be2cef01c8f4p-1"),
    (2.0**40, "-0x1.9f7122716d5d9p-2", "-0x1.d3f8577b3aa88p-1"),
    (0.5 - 2.0**40, "-0x1.50841f2a3a079p-4", "-0x1.fe44e52c8a562p-1"),
    (2.0**52 + 1, "0x1.053c35068e10dp-4", "-0x1.fef526a39c993p-1"),
    (2.0**53 + 2, "-0x1.04b40dd7d9a6ap-3", "0x1.fbd5b0b6def11p-1"),
    (1e300, "-0x1.a2c16b010e385p-1", "-0x1.2699022adc4c1p-1"),
    (3e105, "0x1.825a418be530fp-2", "0x1.da28bfc4ba238p-1"),
]


def test_large_angles():
    x, *exact = np.array([(at, *map(float.fromhex, values)) for at, *values in ANGLES]).T
    for op, value in (("sine", exact[0]), ("cosine", exact[1]), ("tan", np.longdouble(exact[0]) / exact[1])):
        check(run(op, np.float64, x), value, 2)


@pytest.mark.parametrize("features", WIDTHS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@np.errstate(all="ignore")
def test_remainders_are_exact(dtype, features):
    """Of all orders of magnitude, up to the largest number by the smallest one."""
    random, limits = np.random.default_rng(2), np.finfo(dtype)
    integer = np.dtype(f"i{limits.bits // 8}")

    def patterns(low, high):
        return random.integers(low, high, 4000, dtype=integer, endpoint=True).view(dtype)

    every = np.iinfo(integer)
    extremes = [limits.max, -limits.max, limits.tiny, limits.smallest_subnormal, -limits.smallest_subnormal, 7, 2.5]
    extremes = np.array([*SPECIAL, *extremes], dtype)
    x, y = (axis.ravel() for axis in np.meshgrid(extremes, extremes))
    x = np.concatenate(
        [x, patterns(every.min, every.max), patterns(every.min, every.max), random.integers(-50, 50, 500)]
    )
    y = np.concatenate([y, patterns(every.min, every.max), patterns(1, 1 << 20), random.integers(-9, 9, 500)])
    x, y = x.astype(dtype), y.astype(dtype)
    check(run("remainder", dtype, x, y, features=features), np.fmod(x, y), 0)


@pytest.mark.parametrize("op, reference, ulps", [("power", np.power, 1), ("atan2", np.arctan2, 2)])
@np.errstate(all="ignore")
def test_binary(op, reference, ulps):
    random = np.random.default_rng(1)
    x, y = (np.ravel(axis) for axis in np.meshgrid(np.float32(SPECIAL), np.float32([*SPECIAL, 3, -3, 2.5])))
    x = np.concatenate([x, random.uniform(0, 20, 3000), random.uniform(-20, 20, 1000)]).astype(np.float32)
    y = np.concatenate([y, random.uniform(-20, 20, 3000), random.integers(-9, 9, 1000)]).astype(np.float32)
    check(run(op, np.float32, x, y), reference(x.astype(np.float64), y.astype(np.float64)), ulps)


@pytest.mark.parametrize("exponent", [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 2.0, -2.0, 3.0, -3.0, 4.0, -1.0])
@np.errstate(all="ignore")
def test_constant_powers(exponent):
    x = samples(np.float32)
    tensor = f"tensor<{x.size}xf32>"
    text = f"""func.func @main(%x: {tensor}) -> {tensor} {{
      %e = xla.constant dense<{exponent}> : {tensor}
      %0 = xla.power %x, %e : {tensor}
      return %0 : {tensor}
    }}"""
    exact = np.power(x.astype(np.float64), np.full(x.size, exponent))
    exact[x == -np.inf] = math.pow(-math.inf, exponent)
    negative_zero = (x == 0) & np.signbit(x)
    exact[negative_zero] = np.abs(exact[negative_zero]) if exponent % 2 != 1 else np.copysign(exact[negative_zero], -1)
    check(np.asarray(mlir_xla.compile(text, target="cpu")(x)), exact, 4)


@pytest.mark.parametrize("op", ["exponential", "log", "tanh", "sine"])
@np.errstate(all="ignore")
def test_bf16(op):
    every = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    exact = UNARY[op][0](every.astype(np.float64))
    given, rounded = run(op, ml_dtypes.bfloat16, every), exact.astype(np.float32).astype(ml_dtypes.bfloat16)
    # f32 results are within 2 ulp: in the worst case the next bf16 is the nearer one.
    finite = np.isfinite(rounded.astype(np.float32))
    np.testing.assert_array_equal(given[~finite].astype(np.float32), rounded[~finite].astype(np.float32))
    apart = np.abs(given.view(np.int16).astype(int) - rounded.view(np.int16).astype(int))[finite]
    assert apart.max() <= 1 and (apart > 0).mean() < 1e-3


@pytest.mark.parametrize("features", WIDTHS)
@np.errstate(all="ignore")
def test_bf16_arithmetic(features):
    """Rounded once from f32, and numbers only where f32 has one: NaNs of all payloads stay what they are."""
    every = np.arange(1 << 16, dtype=np.uint16)
    others = np.array([0x3F80, 0x0001, 0x807F, 0x7F80, 0x7FFF, 0xFF81, 0x7F7F, 0xC123], np.uint16)
    x, y = np.repeat(every, others.size).view(ml_dtypes.bfloat16), np.tile(others, every.size).view(ml_dtypes.bfloat16)
    wide = x.astype(np.float32), y.astype(np.float32)
    for op, exact in {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}.items():
        given = run(op, ml_dtypes.bfloat16, x, y, features=features).astype(np.float32)
        np.testing.assert_array_equal(given, exact(*wide).astype(ml_dtypes.bfloat16).astype(np.float32))
    given = run("exponential", ml_dtypes.bfloat16, x, features=features).astype(np.float32)
    np.testing.assert_array_equal(np.isnan(given), np.isnan(wide[0]))


@pytest.mark.parametrize("op", UNARY)
@np.errstate(all="ignore")
def test_vector_and_scalar_agree(op):
    """A value has one result, whether it is computed in a vector or in the loop for what is left over."""
    x = np.float32([0.3, -1.7, 21.5])
    many = run(op, np.float32, np.tile(x, 33))
    np.testing.assert_array_equal(many, np.tile(run(op, np.float32, x), 33))


@pytest.mark.parametrize("features", WIDTHS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("is_masked", [False, True])
def test_weights_of_a_softmax(dtype, features, is_masked):
    """Exponentials of what is left of a row when its greatest number is subtracted: 0 below the normal numbers. Those
    of a mask are so many that code asks for vectors of them.
    """
    kind, lowest = {np.float32: ("f32", "0xFF800000"), np.float64: ("f64", "0xFFF0000000000000")}[dtype]
    least = np.finfo(dtype).smallest_normal
    columns, threshold = 515, float(np.log(float(least)))
    scores = np.zeros((5, columns), dtype)
    scores[0] = np.linspace(1.3 * threshold, 0, columns)
    scores[1, 1:] = threshold + np.arange(columns - 1) * 1e-3 - 0.2
    scores[2, 100], scores[3, 100], scores[4] = np.nan, np.inf, -np.inf
    # Of one score of a vector, of rows and parts of rows, with what is not finite among them and beyond.
    mask = np.ones(scores.shape, np.bool_)
    if is_masked:
        mask[0, 64:] = mask[1] = mask[2, 128:] = mask[3, :90] = mask[3, 110:300] = False
        mask[2, 200] = mask[4, ::16] = False
    rows, matrix, choices = f"tensor<5x{kind}>", f"tensor<5x{columns}x{kind}>", f"tensor<5x{columns}xi1>"
    reduced = f"({matrix}, tensor<{kind}>) -> {rows}"
    text = f"""func.func @main(%s: {matrix}, %mask: {choices}) -> ({matrix}, {rows}) {{
      %low = xla.constant dense<-1.0e+30> : {matrix}
      %x = xla.select %mask, %s, %low : {choices}, {matrix}
      %lowest = xla.constant dense<{lowest}> : tensor<{kind}>
      %zero = xla.constant dense<0.0> : tensor<{kind}>
      %m = xla.reduce(%x init: %lowest) applies xla.maximum across dimensions = [1] : {reduced}
      %mb = xla.broadcast_in_dim %m, dims = [0] : ({rows}) -> {matrix}
      %d = xla.subtract %x, %mb : {matrix}
      %e = xla.exponential %d : {matrix}
      %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : {reduced}
      return %e, %t : {matrix}, {rows}
    }}"""
    if not is_masked:
        text = text.replace("-1.0e+30", "-1.0")  # a choice, and no mask
    executable = mlir_xla.compile(text, features=features)
    assert ("xla_rt.masked" in executable.stages["kernels"]) == is_masked
    weights, sums = executable(scores, mask)
    scores = np.where(mask, scores, dtype(-1e30))
    with np.errstate(invalid="ignore"):
        exact = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.longdouble))
    expected = np.where(exact < least, 0, exact).astype(dtype)
    # A result that is nearly the least normal number may be either.
    near = np.abs(exact - least) < 4 * np.finfo(dtype).eps * least
    np.testing.assert_array_equal(weights[~near] == 0, expected[~near] == 0)
    np.testing.assert_allclose(weights[~near], expected[~near], rtol=2 * np.finfo(dtype).eps)
    np.testing.assert_allclose(sums, expected.sum(axis=1), rtol=1e-5)
