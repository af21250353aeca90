# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""f16 by its own instructions, where the processor has them, has the bits of f32 that is rounded op by op; narrower
floats are widened by way of f16."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest

import mlir_xla
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler

#: With instructions for f16 if there are any, and without; without conversions of f16, too.
FEATURES = ["", "-avx512fp16", "-avx512f", "-avx512f,-avx2,-avx,-fma,-f16c"]
NARROW = {
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}
WIDE = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}


def program(body: str, shape: str = "96x48", result: str = "f16") -> str:
    x, r = f"tensor<{shape}xf16>", f"tensor<{shape}x{result}>"
    return f"""
    func.func @main(%x: {x}, %y: {x}) -> {r} {{
      {body.replace(" : T", f" : {x}")}
      return %r : {r}
    }}"""


CHAINS = {
    "sum": "%r = xla.add %x, %y : T",
    "difference": "%r = xla.subtract %x, %y : T",
    "product": "%r = xla.multiply %x, %y : T",
    "quotient": "%r = xla.divide %x, %y : T",
    "root": "%0 = xla.multiply %x, %y : T\n %r = xla.sqrt %0 : T",
    "product and sum": "%0 = xla.multiply %x, %y : T\n %r = xla.add %0, %x : T",
    "opposite of a product": "%0 = xla.multiply %x, %y : T\n %1 = xla.negate %0 : T\n %r = xla.subtract %y, %1 : T",
    "extrema": "%0 = xla.maximum %x, %y : T\n %1 = xla.abs %x : T\n %r = xla.minimum %0, %1 : T",
    "rounded": "%0 = xla.divide %x, %y : T\n %1 = xla.round_nearest_even %0 : T\n %r = xla.floor %1 : T",
    "chosen": "%0 = xla.add %x, %y : T\n"
    " %1 = xla.compare LT, %0, %x : (tensor<96x48xf16>, tensor<96x48xf16>) -> tensor<96x48xi1>\n"
    " %r = xla.select %1, %0, %y : (tensor<96x48xi1>, tensor<96x48xf16>, tensor<96x48xf16>) -> tensor<96x48xf16>",
}
NUMPY = {
    "sum": lambda x, y: x + y,
    "difference": lambda x, y: x - y,
    "product": lambda x, y: x * y,
    "quotient": lambda x, y: x / y,
    "root": lambda x, y: np.sqrt(x * y),
    "product and sum": lambda x, y: x * y + x,
    "opposite of a product": lambda x, y: y + x * y,
    "rounded": lambda x, y: np.floor(np.rint(x / y)),
    "chosen": lambda x, y: np.where(x + y < x, x + y, y),
}


def operands() -> tuple[np.ndarray, np.ndarray]:
    """Any bits, and all pairs of special numbers."""
    rng = np.random.default_rng(7)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 65504, 6e-8, 6.1e-5, -6.1e-5, 2048], np.float16)
    pairs = np.meshgrid(special, special)
    return tuple(
        np.concatenate([each.ravel(), rng.integers(0, 1 << 16, 96 * 48 - each.size, np.uint16).view(np.float16)])
        .astype(np.float16)
        .reshape(96, 48)
        for each in pairs
    )


def bits(values: object) -> np.ndarray:
    """Those of a number, and one of all NaNs."""
    values = np.asarray(values)
    integers = values.view(f"u{values.itemsize}")
    return np.where(np.isnan(values.astype(np.float32)), np.array(-1).astype(integers.dtype), integers)


@pytest.mark.parametrize("name", CHAINS)
def test_bits_of_chains(name):
    x, y = operands()
    text = program(CHAINS[name])
    want = bits(mlir_xla.compile(text, target="reference")(x, y))
    if name in NUMPY:
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(want, bits(NUMPY[name](x, y).astype(np.float16)))
    for features in FEATURES:
        for threads in (1, 2):
            have = mlir_xla.compile(text, features=features, threads=threads)(x, y)
            np.testing.assert_array_equal(bits(have), want, f"{features} {threads}")


def assembly_for(cpu: str, body: str) -> str:
    """What a processor is given that need not be this one."""
    with ir.Context():
        operation = ir.Module.parse(program(body)).operation
        return compiler.compile(operation, cpu=cpu, threads=1, keep_stages=True).stages["binary"]


def test_instructions_for_halves():
    """One for each operation, and none that rounds a product and a sum once."""
    assembly = assembly_for("sapphirerapids", CHAINS["product and sum"])
    assert re.search(r"\tvmulph\t", assembly) and re.search(r"\tvaddph\t", assembly)
    assert not re.search(r"vcvt|vfn?m(add|sub)", assembly)


def test_halves_for_another_processor():
    """Made anywhere; what this processor has does not count."""
    assembly = assembly_for("sapphirerapids", CHAINS["sum"])
    assert "vaddph" in assembly and "vcvt" not in assembly
    assembly = assembly_for("znver4", CHAINS["sum"])
    assert "vaddph" not in assembly and "vcvtph2ps" in assembly


@pytest.mark.parametrize("narrow", NARROW)
def test_all_numbers_of_narrow_floats(narrow):
    values = np.arange(1 << ml_dtypes.finfo(NARROW[narrow]).bits, dtype=np.uint8).view(NARROW[narrow])
    for wide, dtype in WIDE.items():
        text = f"""
        func.func @main(%x: tensor<{values.size}x{narrow}>) -> tensor<{values.size}x{wide}> {{
          %0 = xla.convert %x : (tensor<{values.size}x{narrow}>) -> tensor<{values.size}x{wide}>
          return %0 : tensor<{values.size}x{wide}>
        }}"""
        with np.errstate(over="ignore"):
            want = bits(values.astype(np.float32).astype(dtype))
        for features in FEATURES:
            have = mlir_xla.compile(text, features=features)(values)
            np.testing.assert_array_equal(bits(have), want, f"{wide} {features}")


@pytest.mark.parametrize("narrow", NARROW)
def test_products_of_narrow_floats(narrow):
    """Sums of few numbers that are exact in any order."""
    rng = np.random.default_rng(3)
    values = rng.choice([0.5, 1, 2] if narrow == "f8E8M0FNU" else [-1, -0.5, 0.5, 1, 1.5, 2], (37, 66 + 53))
    x, y = values[:, :66].astype(NARROW[narrow]), rng.permutation(values.reshape(-1)[: 66 * 53]).reshape(66, 53)
    y = y.astype(NARROW[narrow])
    want = x.astype(np.float32) @ y.astype(np.float32)
    for result, dtype in {"f32": np.float32, "bf16": ml_dtypes.bfloat16, narrow: NARROW[narrow]}.items():
        types = f"(tensor<37x66x{narrow}>, tensor<66x53x{narrow}>) -> tensor<37x53x{result}>"
        text = f"""
        func.func @main(%x: tensor<37x66x{narrow}>, %y: tensor<66x53x{narrow}>) -> tensor<37x53x{result}> {{
          %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : {types}
          return %0 : tensor<37x53x{result}>
        }}"""
        for features in FEATURES:
            have = mlir_xla.compile(text, features=features, threads=len(features) % 2)(x, y)
            np.testing.assert_array_equal(bits(have), bits(want.astype(dtype)), f"{result} {features}")
