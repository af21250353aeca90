# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and their gradients in tile registers, whatever their layouts: copies in order where there is need of
them, rows of pixels that are read where they are, results in the order of the program."""

from __future__ import annotations

from collections.abc import Iterator

import ml_dtypes
import numpy as np
import pytest
from test_tile_registers import FEATURES, Emulation, runs

import mlir_xla
from mlir_xla import _processors

pytestmark = runs
TYPES = {"i8": np.int8, "ui8": np.uint8, "bf16": ml_dtypes.bfloat16}
HWIO = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
OHWI = "[b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f]"
OIHW = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
MIXED = "[b, f, 0, 1]x[0, 1, i, o]->[b, 0, 1, f]"
# The gradient of a kernel: images are summed over.
OF_KERNEL = "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]"
OF_KERNEL_FIRST = "[f, b, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]"
# Images, kernel, results, dimension numbers, window, groups.
CASES = {
    "rows of 14 pixels": ("2x14x14x64", "3x3x64x40", "2x14x14x40", HWIO, "pad = [[1, 1], [1, 1]]", 1),
    "rows of 28 pixels": ("1x6x30x64", "3x3x64x48", "1x4x28x48", HWIO, "", 1),
    "rows of 16 pixels": ("1x6x34x64", "3x3x64x32", "1x4x32x32", HWIO, "", 1),
    "rows of 17 pixels": ("1x6x19x64", "3x3x64x32", "1x4x17x32", HWIO, "", 1),
    "rows of 7 pixels": ("3x7x7x128", "3x3x128x64", "3x7x7x64", HWIO, "pad = [[1, 1], [1, 1]]", 1),
    "strided": ("2x21x21x64", "3x3x64x33", "2x10x10x33", HWIO, "stride = [2, 2]", 1),
    "dilated": ("1x18x20x64", "3x3x64x32", "1x12x12x32", HWIO, "rhs_dilate = [3, 4]", 1),
    "channels first": ("2x64x12x13", "40x64x3x3", "2x40x12x13", OIHW, "pad = [[1, 1], [1, 1]]", 1),
    "channels first, on one side": ("2x64x12x12", "40x64x2x3", "2x40x13x10", OIHW, "pad = [[0, 2], [0, 0]]", 1),
    "features first": ("2x12x12x64", "40x3x3x64", "2x10x10x40", OHWI, "", 1),
    "two layouts": ("2x64x12x13", "3x3x64x40", "2x10x11x40", MIXED, "", 1),
    "few channels": ("1x33x33x3", "7x7x3x32", "1x15x15x32", HWIO, "stride = [2, 2], pad = [[1, 2], [2, 1]]", 1),
    "few channels first": ("2x3x26x26", "32x3x6x6", "2x32x21x21", OIHW, "", 1),
    "few features": ("1x24x24x64", "3x3x64x5", "1x24x24x5", HWIO, "pad = [[1, 1], [1, 1]]", 1),
    "groups": ("1x14x14x256", "3x3x64x64", "1x14x14x64", HWIO, "pad = [[1, 1], [1, 1]]", 4),
    "groups, channels first": ("1x128x14x14", "64x64x3x3", "1x64x12x12", OIHW, "", 2),
    "of a kernel": ("3x18x18x24", "3x16x16x40", "3x3x24x40", OF_KERNEL, "", 1),
    "of a kernel, strided": ("2x35x35x24", "2x16x17x40", "5x3x24x40", OF_KERNEL, "rhs_dilate = [2, 2]", 1),
    "of a kernel, channels first": ("3x24x18x18", "3x40x16x16", "24x40x3x3", OF_KERNEL_FIRST, "", 1),
    "of a kernel, one image": ("1x20x20x32", "1x18x18x40", "3x3x32x40", OF_KERNEL, "", 1),
    "one dimension": ("3x50x32", "5x32x40", "3x46x40", "[b, 0, f]x[0, i, o]->[b, 0, f]", "", 1),
    "one dimension, one image": ("1x200x64", "5x64x40", "1x196x40", "[b, 0, f]x[0, i, o]->[b, 0, f]", "", 1),
    "three dimensions": (
        "1x6x12x12x64",
        "3x3x3x64x32",
        "1x4x10x10x32",
        "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]",
        "",
        1,
    ),
}


@pytest.fixture(scope="module")
def emulation() -> Iterator[Emulation]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_processors, "missing", lambda cpu, features: ())
        yield Emulation()


def tensor(shape: str, element: str) -> str:
    return f"tensor<{shape}x{element}>"


def convolution(case: tuple, element: str, result: str) -> str:
    left, right, shape, dims, window, groups = case
    x, y, r = tensor(left, element), tensor(right, element), tensor(shape, result)
    return f"""stablehlo.convolution(%x, %y) dim_numbers = {dims}, window = {{{window}}}
          {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x}, {y}) -> {r}"""


def operands(case: tuple, element: str) -> list[np.ndarray]:
    """No sum of floats is rounded."""
    rng, low, high = np.random.default_rng(1), {"bf16": -4, "ui8": 0}.get(element, -128), {"bf16": 5, "ui8": 256}
    return [
        rng.integers(low, high.get(element, 128), tuple(map(int, shape.split("x")))).astype(TYPES[element])
        for shape in case[:2]
    ]


def check(text: str, arguments: list[np.ndarray], emulation: Emulation, **options) -> str:
    """In tile registers, with the interpreter's results; gives the kernels."""
    before = emulation.products()
    compiled = mlir_xla.compile(text, features=FEATURES, **options)
    have = np.asarray(compiled(*arguments))
    emulation.check(before)
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    np.testing.assert_array_equal(have, want)
    plans = compiled.stages["kernels"]
    assert "tdp" in plans, plans
    return plans


@pytest.mark.parametrize("element", ["bf16", "i8"])
@pytest.mark.parametrize("name", CASES)
def test_cases(name, element, emulation):
    case, result = CASES[name], "f32" if element == "bf16" else "i32"
    r = tensor(case[2], result)
    text = f"""
    func.func @main(%x: {tensor(case[0], element)}, %y: {tensor(case[1], element)}) -> {r} {{
      %0 = {convolution(case, element, result)}
      return %0 : {r}
    }}"""
    plans = check(text, operands(case, element), emulation, threads=1 + len(name) % 2)
    # Rows are read where they are, unless pixels are no whole parts of a row.
    if name in ("rows of 14 pixels", "rows of 28 pixels", "rows of 16 pixels", "channels first", "strided"):
        assert "pack b>" in plans, plans
    if name == "rows of 17 pixels":
        assert "pack a, b>" in plans, plans


@pytest.mark.parametrize("name", ["channels first", "rows of 14 pixels"])
def test_what_is_computed_of_results(name, emulation):
    """A scale, a bias and a maximum are of the kernel of the product; what it is added to is read in its own order."""
    case = CASES[name]
    x, y, r = (tensor(shape, "bf16") for shape in case[:3])
    features, dim = tensor("40", "bf16"), 1 if name == "channels first" else 3
    text = f"""
    func.func @main(%x: {x}, %y: {y}, %s: {features}, %b: {features}, %z: {r}) -> {r} {{
      %0 = {convolution(case, "bf16", "bf16")}
      %1 = stablehlo.broadcast_in_dim %s, dims = [{dim}] : ({features}) -> {r}
      %2 = stablehlo.multiply %0, %1 : {r}
      %3 = stablehlo.broadcast_in_dim %b, dims = [{dim}] : ({features}) -> {r}
      %4 = stablehlo.add %2, %3 : {r}
      %zero = stablehlo.constant dense<0.0> : {r}
      %5 = stablehlo.maximum %4, %zero : {r}
      %6 = stablehlo.add %5, %z : {r}
      return %6 : {r}
    }}"""
    rng = np.random.default_rng(2)
    sizes = tuple(map(int, case[2].split("x")))
    more = [rng.integers(-4, 5, shape).astype(TYPES["bf16"]) for shape in [(40,), (40,), sizes]]
    plans = check(text, operands(case, "bf16") + more, emulation)
    product = plans[plans.index("tdpbf16ps") :]
    product = product[: product.index("return")]
    assert "maximum" in product, plans


def test_nan_stays_in_its_windows(emulation):
    """Where rows of the window are filled up with zeros, neither what is behind them is multiplied nor NaN."""
    case = ("1x20x20x3", "5x5x3x32", "1x16x16x32", HWIO, "", 1)
    x, y = operands(case, "bf16")
    x[0, 9, 9, 1], x[0, 0, 19, 2] = np.nan, np.inf
    r = tensor(case[2], "f32")
    text = f"""
    func.func @main(%x: {tensor(case[0], "bf16")}, %y: {tensor(case[1], "bf16")}) -> {r} {{
      %0 = {convolution(case, "bf16", "f32")}
      return %0 : {r}
    }}"""
    check(text, [x, np.abs(y) + np.asarray(1, y.dtype)], emulation)


def test_chain_without_transpositions_between(emulation):
    """One after the other, channels first: what one has put back the next one does not copy again."""
    x, y = tensor("1x64x14x14", "bf16"), tensor("64x64x3x3", "bf16")
    window = "{stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    text = f"""
    func.func @main(%x: {x}, %y: {y}) -> {x} {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = {OIHW}, window = {window} : ({x}, {y}) -> {x}
      %1 = stablehlo.convolution(%0, %y) dim_numbers = {OIHW}, window = {window} : ({x}, {y}) -> {x}
      return %1 : {x}
    }}"""
    rng = np.random.default_rng(3)
    arguments = [
        rng.integers(-1, 2, (1, 64, 14, 14)).astype(TYPES["bf16"]),
        (rng.integers(0, 40, (64, 64, 3, 3)) == 0).astype(TYPES["bf16"]),
    ]
    plans = check(text, arguments, emulation)
    assert plans.count("into tensor<1x64x14x14xbf16>") == 0, plans
    # Of one kernel, its call and its operation.
    assert plans.count("-> tensor<1x64x14x14xbf16>\n") == 2, plans
