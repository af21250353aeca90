# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the error of the CPU's elementwise functions in units of the last place, against mpmath.

    python benchmarks/accuracy.py                       the tables of docs/accuracy.md
    python benchmarks/accuracy.py erf lgamma            some functions
    python benchmarks/accuracy.py --exhaustive sine     every f32: minutes per function
    python benchmarks/accuracy.py --features=-avx512f,-avx2,-fma    as on another machine
    python benchmarks/accuracy.py --write               replaces the tables in docs/accuracy.md
    python benchmarks/accuracy.py --values              writes what test/python/api/test_accuracy.py compares with

f32 runs over evenly spaced bit patterns, or all, and the neighbourhoods of zeros, poles and thresholds, and is compared
with NumPy's float64, or the compiled f64 where NumPy has no such function; f64 runs over random numbers of all kinds
and the same neighbourhoods, and is compared with NumPy's long double where it has one. The numbers with the largest
differences are then judged by mpmath in hundreds of bits, and so is every f64 that has nothing else to be compared
with. f16 and bf16 run over all numbers: how many differ from the correctly rounded result. The errors of complex
numbers are those of the whole number, in units of the last place of its modulus.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import multiprocessing
import pathlib
import re
from collections.abc import Iterator

import ml_dtypes
import mpmath
import numpy as np
from exact import BINARY, BITS, COMPLEX, UNARY, ComplexFunction, Function
from mpmath import mp

import mlir_xla

NAMES = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16"}
NAMES |= {"complex64": "complex<f32>", "complex128": "complex<f64>"}
PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "accuracy.md"
VALUES = PAGE.parents[1] / "test" / "python" / "api" / "accuracy_values.json"
BEGIN, END = "<!-- accuracy: benchmarks/accuracy.py --write -->", "<!-- end of accuracy -->"
NARROW = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
# The vectors that a machine may have; scalars take the same formulas.
WIDTHS = ("", "-avx512f", "-avx512f,-avx2")
# Those of 128 bits, without fused multiply-adds.
SPLIT = "-avx512f,-avx2,-avx,-fma,-f16c"
# How many numbers are judged by mpmath.
JUDGED = 400
# The features of `--features`, in each process.
MACHINE = ""


def run(function: Function | ComplexFunction, operands: list[np.ndarray], features: str | None = None) -> np.ndarray:
    tensor = result = f"tensor<{operands[0].size}x{NAMES[operands[0].dtype.name]}>"
    names = [f"%x{i}" for i in range(len(operands))]
    arguments = ", ".join(f"{name}: {tensor}" for name in names)
    type_of_all = tensor
    if function.op == "abs":
        result = tensor.replace("complex<", "").replace(">>", ">")
        type_of_all = f"{tensor} -> {result}"
    text = f"func.func @main({arguments}) -> {result} {{ %r = xla.{function.op} {', '.join(names)} : {type_of_all}\n"
    text += f"  return %r : {result} }}"
    return np.asarray(
        mlir_xla.compile(text, target="cpu", features=MACHINE if features is None else features)(*operands)
    )


# ---- Where it is measured --------------------------------------------------------------------------------------------


def neighbours(points: np.ndarray, steps: int) -> np.ndarray:
    """The numbers around each point: every one of the nearest, and fewer and fewer as the distance grows."""
    integer = np.dtype(f"i{points.dtype.itemsize}")
    near = np.arange(-steps, steps + 1)
    far = np.unique(np.round(2.0 ** np.linspace(0, points.dtype.itemsize * 5, steps)).astype(np.int64))
    offsets = np.concatenate([near, far, -far]).astype(integer)
    with np.errstate(over="ignore"):
        return (points.view(integer)[:, None] + offsets).ravel().view(points.dtype)


def samples(function: Function, dtype: np.dtype, count: int, random: np.random.Generator) -> list[np.ndarray]:
    """Every order of magnitude, the usual ranges, subnormal numbers and the neighbourhoods of the function's points."""
    integer, info = np.dtype(f"i{dtype.itemsize}"), np.finfo(dtype)
    limits = np.iinfo(integer)
    points = np.array([0.0, 1.0, -1.0, 2.0, 0.5, info.max, -info.max, info.tiny, -info.tiny, *function.points], dtype)
    parts = [
        random.integers(limits.min, limits.max, count, dtype=integer, endpoint=True).view(dtype),
        2.0 ** random.uniform(-30, 30, count) * random.choice([-1, 1], count),
        random.uniform(-1, 1, count),
        random.uniform(-12, 12, count),
        random.uniform(-120, 120, count),
        random.uniform(-760, 760, count),
        1 + random.choice([-1, 1], count) * 2.0 ** random.uniform(-52, 0, count),
        random.integers(1, 1 << 40, count) * (np.pi / 2),
        random.integers(0, 1 << (info.nmant), count // 4).astype(integer).view(dtype),
        neighbours(points, max(8, count // 400)),
    ]
    with np.errstate(over="ignore"):
        x = np.concatenate([part.astype(dtype) for part in parts])
    return [x[np.isfinite(x)]]


def binary_samples(function: Function, dtype: np.dtype, count: int, random: np.random.Generator) -> list[np.ndarray]:
    integer, limits = np.dtype(f"i{dtype.itemsize}"), np.iinfo(np.dtype(f"i{dtype.itemsize}"))

    def patterns() -> np.ndarray:
        return random.integers(limits.min, limits.max, count, dtype=integer, endpoint=True).view(dtype)

    def magnitudes(low: float, high: float) -> np.ndarray:
        return 2.0 ** random.uniform(low, high, count)

    if function.op in ("zeta", "polygamma"):
        whole = random.integers(0, 12, count).astype(dtype)
        pairs = [
            (whole + 1, magnitudes(-8, 8)),
            (whole + 1, magnitudes(-100, 100)),
            (random.integers(1, 120, count), magnitudes(-3, 8)),
        ]
        if function.op == "zeta":
            pairs += [(1 + magnitudes(-20, 6), magnitudes(-6, 8)), (1 + magnitudes(-20, 7), np.ones(count))]
    else:
        near_one = 1 + random.choice([-1, 1], count) * magnitudes(-30, -1)
        pairs = [
            (patterns(), patterns()),
            (magnitudes(-40, 40), random.uniform(-40, 40, count)),
            (random.uniform(-20, 20, count), random.integers(-20, 20, count)),
            (near_one, random.uniform(-1, 1, count) * magnitudes(0, 40)),
            (random.uniform(0, 3, count), random.uniform(-1100, 1100, count)),
            (magnitudes(-1074, 1023 if dtype.itemsize == 8 else 127), random.uniform(-3, 3, count)),
        ]
    with np.errstate(over="ignore"):
        operands = [np.concatenate([np.asarray(pair[i]).astype(dtype) for pair in pairs]) for i in (0, 1)]
    finite = np.isfinite(operands[0]) & np.isfinite(operands[1])
    return [x[finite] for x in operands]


# ---- Errors ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Worst:
    """The largest error and where it is; `wrong` counts results that are NaN where the function has a value."""

    ulps: float = 0.0
    at: tuple[float, ...] = ()
    wrong: int = 0
    count: int = 0

    def join(self, other: Worst) -> None:
        if other.ulps > self.ulps:
            self.ulps, self.at = other.ulps, other.at
        self.wrong += other.wrong
        self.count += other.count


def roughly(given: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Errors in ulp against a reference of a wider type: infinite where only one of them is NaN or infinite."""
    info = np.finfo(given.dtype)
    wide = reference.dtype.type
    _, exponent = np.frexp(reference)
    quantum = np.ldexp(wide(1), np.maximum(exponent, info.minexp + 1) - 1 - info.nmant)
    # Infinity stands for the power of two behind the largest number.
    beyond = np.ldexp(wide(1), info.maxexp)
    value = np.where(np.isinf(given), np.copysign(beyond, given), given.astype(reference.dtype))
    error = np.abs(value - reference) / quantum
    error = np.where(np.isinf(given) & (np.abs(reference) >= beyond) & (np.sign(given) == np.sign(reference)), 0, error)
    both = np.isnan(given) & np.isnan(reference)
    return np.where(both, 0, np.where(np.isnan(error), np.inf, error))


def judge(function: Function, given: float, operands: tuple[float, ...], dtype: np.dtype) -> float:
    """The error in ulp by mpmath; infinite for NaN where there is a value, 0 where the function has none."""
    info = np.finfo(dtype)
    if any(map(math.isnan, operands)):
        return 0.0 if math.isnan(given) else math.inf
    with mpmath.workprec(BITS):
        exact = function.exact(*map(mp.mpf, operands))
        if exact is None:
            return 0.0
        if math.isnan(given):
            return math.inf
        beyond = mp.ldexp(1, info.maxexp)
        if abs(exact) >= beyond:
            exact = mp.sign(exact) * beyond
        value = mp.mpf(given)
        if mp.isinf(value):
            value = mp.sign(value) * beyond
        quantum = mp.ldexp(1, max(int(mp.mag(exact)) if exact else info.minexp, info.minexp + 1) - 1 - info.nmant)
        if abs(exact) == beyond:
            quantum /= 2
        return float(abs(value - exact) / quantum)


def judged(function: Function, given: np.ndarray, operands: list[np.ndarray], chosen: np.ndarray) -> Worst:
    worst = Worst(count=given.size)
    for i in chosen:
        at = tuple(float(x[i]) for x in operands)
        ulps = judge(function, float(given[i]), at, given.dtype)
        if math.isinf(ulps):
            worst.wrong += 1
        if ulps > worst.ulps:
            worst.ulps, worst.at = ulps, at
    return worst


def worst_of(function: Function, given: np.ndarray, operands: list[np.ndarray], reference: np.ndarray) -> Worst:
    error = roughly(given, reference)
    chosen = np.argpartition(error, -min(JUDGED, error.size))[-min(JUDGED, error.size) :]
    return judged(function, given, operands, chosen)


def reference_of(function: Function, operands: list[np.ndarray]) -> np.ndarray:
    """For f32: NumPy's in float64, or ours."""
    wide = [x.astype(np.float64) for x in operands]
    if function.wide and function.op not in ("rsqrt", "logistic"):
        return function.wide(*wide)
    return run(function, wide)


# ---- Measurements ----------------------------------------------------------------------------------------------------


def every_pattern(stride: int, chunk: int = 1 << 22) -> Iterator[np.ndarray]:
    for begin in range(0, 1 << 32, stride * chunk):
        end = min(begin + stride * chunk, 1 << 32)
        yield np.arange(begin, end, stride, dtype=np.uint64).astype(np.uint32).view(np.float32)


def single(function: Function, options: argparse.Namespace) -> Worst:
    random, dtype = np.random.default_rng(1), np.dtype(np.float32)
    sampler = samples if function.operands == 1 else binary_samples
    batches = [sampler(function, dtype, options.samples, random)]
    if function.operands == 1:
        stride = 1 if options.exhaustive else max(1, (1 << 32) // (options.samples * 40)) | 1
        chunks = ([x] for x in every_pattern(stride))
    else:
        chunks = iter(())
    worst = Worst()
    for operands in (*batches, *chunks):
        worst.join(worst_of(function, run(function, operands), operands, reference_of(function, operands)))
    return worst


def double(function: Function, options: argparse.Namespace) -> Worst:
    random, dtype = np.random.default_rng(2), np.dtype(np.float64)
    sampler = samples if function.operands == 1 else binary_samples
    count = options.samples if function.wide else max(20, options.samples // 60)
    operands = sampler(function, dtype, count, random)
    given = run(function, operands)
    if function.wide:
        return worst_of(function, given, operands, function.wide(*(x.astype(np.longdouble) for x in operands)))
    return judged(function, given, operands, np.arange(given.size))


def rounded(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """f64 to a narrow type by one rounding."""
    odd = x.astype(np.float32)
    bits = odd.view(np.uint32)
    bits -= (np.abs(odd.astype(np.float64)) > np.abs(x)).astype(np.uint32)
    bits |= ((odd.astype(np.float64) != x) & np.isfinite(odd)).astype(np.uint32)
    return odd.astype(dtype)


def narrow(function: Function, dtype: np.dtype) -> tuple[int, int]:
    """How many of all numbers differ from the correctly rounded result, and by how many steps at most."""
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    best = rounded(reference_of(function, [every]), dtype)
    given = run(function, [every])
    differ = (given.view(np.uint16) != best.view(np.uint16)) & ~(np.isnan(given) & np.isnan(best))
    steps = np.abs(given.view(np.int16).astype(int) - best.view(np.int16).astype(int))[differ]
    return int(differ.sum()), int(steps.max(initial=0))


def widths(function: Function, dtype: np.dtype) -> int:
    """How many results depend on the vectors of the machine."""
    sampler = samples if function.operands == 1 else binary_samples
    operands = sampler(function, dtype, 200, np.random.default_rng(3))
    first, *others = (run(function, operands, features) for features in WIDTHS)
    bits = np.dtype(f"u{dtype.itemsize}")
    return sum(
        int(((first.view(bits) != other.view(bits)) & ~(np.isnan(first) & np.isnan(other))).sum()) for other in others
    )


def complex_samples(dtype: np.dtype, count: int, operands: int, random: np.random.Generator) -> list[np.ndarray]:
    """Both parts of the usual sizes, of very different ones, and next to the branch points."""
    part = dtype.type(0).real.dtype
    largest = np.finfo(part).maxexp - 2

    def some() -> np.ndarray:
        sign = random.choice([-1, 1], count)
        kinds = [
            random.uniform(-4, 4, count),
            random.uniform(-80, 80, count),
            sign * 2.0 ** random.uniform(-40, 20, count),
            sign * 2.0 ** random.uniform(-largest, largest, count),
            sign * (1 + 2.0 ** random.uniform(-40, -2, count)),
            sign * (1 - 2.0 ** random.uniform(-40, -2, count)),
            np.zeros(count),
        ]
        return np.choose(random.integers(0, len(kinds), count), kinds).astype(part)

    numbers = []
    for _ in range(operands):
        x = np.empty(count, dtype)
        x.real, x.imag = some(), some()
        pole = (x == 0) | (np.abs(x.real) + np.abs(x.imag) == 1)
        numbers.append(np.where(pole, dtype.type(2), x))
    return numbers


def on_side(z: complex) -> mpmath.mpc:
    """A zero part of the smallest size: which side of a cut it is on, mpmath's zeros do not tell."""
    parts = [mp.mpf(x) if x else mp.mpf(math.copysign(1, x)) * mp.mpf(2) ** -2000 for x in (z.real, z.imag)]
    return mp.mpc(*parts)


def judge_complex(function: ComplexFunction, given: complex, operands: tuple[complex, ...], part: np.dtype) -> float:
    """The error in ulp of the modulus; 0 where a part of the result exceeds the type or all of it is subnormal."""
    info = np.finfo(part)
    with mpmath.workprec(BITS * 2):
        try:
            exact = mp.mpc(function.exact(*map(on_side, operands)))
        except (ZeroDivisionError, OverflowError):
            return 0.0
        beyond = mp.ldexp(1, info.maxexp)
        if not mp.isfinite(exact) or max(abs(exact.real), abs(exact.imag)) > beyond * 0.999:
            return 0.0
        if not np.isfinite(given):
            return math.inf
        exponent = max(int(mp.mag(abs(exact))) if exact else info.minexp, info.minexp + 1)
        return float(abs(mp.mpc(given) - exact) / mp.ldexp(1, exponent - 1 - info.nmant))


def complex_row(argument: tuple[str, argparse.Namespace]) -> tuple[str, bool]:
    op, options = argument
    function = next(f for f in COMPLEX if f.op == op)
    globals()["MACHINE"] = options.features
    cells = [f"`{op}`"]
    with np.errstate(all="ignore"):
        for dtype in (np.dtype(np.complex64), np.dtype(np.complex128)):
            random = np.random.default_rng(5)
            operands = complex_samples(dtype, max(200, options.samples // 20), function.operands, random)
            if op == "power":  # e^(y log(x)) of a large logarithm has the digits of its angle
                shape = operands[1].shape
                operands[1] = (random.uniform(-4, 4, shape) + 1j * random.uniform(-4, 4, shape)).astype(dtype)
            given, part = run(function, operands), dtype.type(0).real.dtype
            errors = [
                judge_complex(function, complex(given[i]), tuple(complex(x[i]) for x in operands), part)
                for i in range(given.size)
            ]
            worst = int(np.argmax(errors))
            at = ", ".join(f"{complex(x[worst]):.9g}" for x in operands)
            cells += [f"{np.quantile(errors, 0.99):.1f}", f"{errors[worst]:.1f}", at]
    return f"| {' | '.join(cells)} |", True


def row(argument: tuple[str, argparse.Namespace]) -> tuple[str, bool]:
    op, options = argument
    globals()["MACHINE"] = options.features
    function = next(f for f in (*UNARY, *BINARY) if f.op == op)
    with np.errstate(all="ignore"):
        cells, good = [f"`{function.op}`"], True
        for measure, limit in ((single, function.limit[0]), (double, function.limit[1])):
            worst = measure(function, options)
            at = ", ".join(f"{x:.9g}" if measure is single else f"{x:.17g}" for x in worst.at)
            cells += [f"{worst.ulps:.2f}", str(limit), at]
            good &= worst.ulps <= limit
        for dtype in NARROW.values() if function.operands == 1 else ():
            count, steps = narrow(function, dtype)
            cells.append(f"{count}" if steps <= 1 else f"{count} (by {steps})")
        cells += [""] * (2 * (function.operands - 1))
        apart = widths(function, np.dtype(np.float32)) + widths(function, np.dtype(np.float64))
        cells.append("same" if not apart else f"{apart} differ")
        globals()["MACHINE"] = SPLIT
        for measure, limit in ((single, function.limit[0]), (double, function.limit[1])):
            worst = measure(function, options)
            cells.append(f"{worst.ulps:.2f}")
            good &= worst.ulps <= limit
    return f"| {' | '.join(cells)} |", good


def values() -> None:
    """Stores a few numbers of each kind with the exact f64 result, where there is one that is not subnormal."""
    stored = {}
    for function in (*UNARY, *BINARY):
        sampler = samples if function.operands == 1 else binary_samples
        operands, rows = sampler(function, np.dtype(np.float64), 24, np.random.default_rng(11)), []
        for at in zip(*(x.tolist() for x in operands), strict=True):
            with mpmath.workprec(BITS):
                exact = function.exact(*map(mp.mpf, at))
            if exact is not None:
                rows.append([each.hex() for each in (*at, float(exact))])
        stored[function.op] = rows[:: max(1, len(rows) // 40)]
    rows = ",\n".join(f'"{op}": {json.dumps(each)}' for op, each in stored.items())
    VALUES.write_text(f"{{\n{rows}\n}}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*", help="ops; all of them if none is named")
    parser.add_argument("--exhaustive", action="store_true", help="every f32")
    parser.add_argument("--samples", type=int, default=40_000, help="numbers of each kind")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--features", default="", help="what the processor is to have or lack, as of compile()")
    parser.add_argument("--write", action="store_true", help="replaces the tables in docs/accuracy.md")
    parser.add_argument("--values", action="store_true", help="writes test/python/api/accuracy_values.json")
    options = parser.parse_args()
    if options.values:
        values()
        return 0
    named = [f.op for f in (*UNARY, *BINARY) if not options.functions or f.op in options.functions]
    named_complex = [f.op for f in COMPLEX if not options.functions or f"complex-{f.op}" in options.functions]
    tables = [
        (
            row,
            named,
            "| function | f32: ulp | limit | at | f64: ulp | limit | at | f16: not rounded correctly | bf16 "
            "| other vectors | without FMA: f32 | f64 |",
        ),
        (complex_row, named_complex, "| complex | c64: 99 % | worst | at | c128: 99 % | worst | at |"),
    ]
    lines, failed = [], False
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for measure, names, head in tables:
            if not names:
                continue
            lines += [head, "|---" * (head.count("|") - 1) + "|"]
            print("\n".join(lines[-2:]), flush=True)
            for line, good in pool.imap(measure, [(name, options) for name in names]):
                lines.append(line)
                print(line + ("" if good else " EXCEEDS"), flush=True)
                failed |= not good
            lines.append("")
    if options.write:
        table = "\n".join([BEGIN, *lines[:-1], END])
        PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: table, PAGE.read_text(), flags=re.DOTALL))
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
