# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The errors of the CPU's elementwise functions, on a sample of what benchmarks/accuracy.py measures: f64 against
values of mpmath in accuracy_values.json (written by that script), f32 against f64. On this processor, and as on one
without fused multiply-adds, where sums of products are rounded twice and the limits are the same."""

import json
import pathlib

import numpy as np
import pytest

import mlir_xla

VALUES = json.loads((pathlib.Path(__file__).parent / "accuracy_values.json").read_text())
# f32, f64; f64 is compared with the rounded exact result, which may be half a unit away.
PROCESSORS = {"native": "", "no_fma": "-avx512f,-avx2,-avx,-fma,-f16c"}
LIMITS = dict.fromkeys(("tan", "erf_inv", "lgamma", "digamma", "power", "zeta", "polygamma"), (4, 2))


def run(op, *operands, features=""):
    tensor = f"tensor<{operands[0].size}x{ {'float32': 'f32', 'float64': 'f64'}[operands[0].dtype.name] }>"
    names = [f"%x{i}" for i in range(len(operands))]
    text = f"func.func @main({', '.join(f'{name}: {tensor}' for name in names)}) -> {tensor} {{\n"
    text += f"  %r = xla.{op} {', '.join(names)} : {tensor}\n  return %r : {tensor}\n}}"
    return np.asarray(mlir_xla.compile(text, target="cpu", features=features)(*operands))


@np.errstate(all="ignore")
def check(given, exact, limit, operands):
    """`exact` is of the same type, or a wider one."""
    rounded = exact.astype(given.dtype)
    finite = np.isfinite(rounded) & np.isfinite(given)
    wide = np.result_type(given, exact)
    error = np.abs(given.astype(wide) - exact) / np.spacing(np.abs(rounded)).astype(wide)
    good = np.where(finite, error <= limit, (given == rounded) | (np.isnan(given) & np.isnan(rounded)))
    wrong = [(*(x[i] for x in operands), given[i], exact[i], error[i]) for i in np.flatnonzero(~good)[:5]]
    assert not wrong


@pytest.mark.parametrize("op", VALUES)
@pytest.mark.parametrize("features", PROCESSORS.values(), ids=PROCESSORS)
def test_f64(op, features):
    *operands, exact = np.array([[float.fromhex(each) for each in row] for row in VALUES[op]]).T
    check(run(op, *operands, features=features), exact, LIMITS.get(op, (2, 2))[1], operands)


def samples(op, count):
    """Floats that f64 has, too: every order of magnitude, and the usual sizes."""
    random = np.random.default_rng(7)
    patterns = random.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32).view(np.float32)
    parts = [patterns, random.uniform(-1, 1, count), random.uniform(-12, 12, count), random.uniform(-110, 110, count)]
    x = np.concatenate([part.astype(np.float32) for part in parts])
    x = x[np.isfinite(x)]
    if op == "power":
        return np.abs(x), random.permutation(x)
    if op in ("atan2", "divide"):
        return x, random.permutation(x)
    if op in ("zeta", "polygamma"):
        return random.integers(1, 20, x.size).astype(np.float32), x
    return (x,)


@pytest.mark.parametrize("op", VALUES)
@pytest.mark.parametrize("features", PROCESSORS.values(), ids=PROCESSORS)
def test_f32(op, features):
    operands = samples(op, 1500)
    exact = run(op, *(x.astype(np.float64) for x in operands))
    check(run(op, *operands, features=features), exact, LIMITS.get(op, (2, 2))[0], operands)
