# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of bytes, of bf16 and of floats with large kernels as products of matrices
(`--xla-flatten-convolutions`): windows, strides, dilation and padding, both orders of kernels, what is computed of the
sums, and what stays a nest."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest

import mlir_xla
from mlir_xla import api

HWIO = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
OHWI = "[b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f]"
OIHW = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
ROWS = "[b, 0, f]x[0, i, o]->[b, 0, f]"
# Images, kernel, results, dimension numbers, window.
FLAT = {
    "padded": ("2x9x10x64", "3x3x64x40", "2x9x10x40", HWIO, "pad = [[1, 1], [1, 1]]"),
    "strided": ("2x11x13x32", "3x2x32x24", "2x5x6x24", HWIO, "stride = [2, 2]"),
    "dilated along the rows": ("1x12x9x32", "3x3x32x16", "1x8x7x16", HWIO, "rhs_dilate = [2, 1]"),
    "dilated along both": ("1x12x12x32", "3x3x32x16", "1x8x8x16", HWIO, "rhs_dilate = [2, 2]"),
    "dilated and padded": ("2x9x11x64", "3x2x64x24", "2x9x9x24", HWIO, "pad = [[2, 2], [1, 1]], rhs_dilate = [2, 4]"),
    "dilated and strided": ("1x12x17x32", "1x3x32x24", "1x6x6x24", HWIO, "stride = [2, 2], rhs_dilate = [1, 3]"),
    "few channels": ("3x8x20x4", "3x8x4x24", "3x6x13x24", HWIO, ""),
    "one row of the window": ("2x6x12x32", "1x4x32x24", "2x6x9x24", HWIO, ""),
    "one column": ("2x12x6x64", "5x1x64x24", "2x8x6x24", HWIO, ""),
    "features first": ("2x8x9x32", "24x3x3x32", "2x6x7x24", OHWI, ""),
    "rows": ("3x40x32", "5x32x24", "3x18x24", ROWS, "stride = [2]"),
    "turned around": ("1x12x12x32", "3x3x32x16", "1x10x10x16", HWIO, "reverse = [true, true]"),
    "padded and strided": ("2x9x11x32", "3x3x32x24", "2x5x6x24", HWIO, "stride = [2, 2], pad = [[1, 1], [1, 1]]"),
    "padded on one side": ("1x7x6x96", "3x2x96x24", "1x8x8x24", HWIO, "pad = [[3, 0], [0, 3]]"),
    "padded, dilated": ("1x9x8x64", "3x3x64x16", "1x9x8x16", HWIO, "pad = [[2, 2], [1, 1]], rhs_dilate = [2, 1]"),
    "padded, one row": ("2x6x12x64", "1x4x64x24", "2x6x12x24", HWIO, "pad = [[0, 0], [2, 1]]"),
    "padded, one column": ("2x7x6x32", "5x1x32x24", "2x7x6x24", HWIO, "pad = [[2, 2], [0, 0]]"),
    "padded, few channels": ("2x9x10x8", "3x4x8x24", "2x9x10x24", HWIO, "pad = [[1, 1], [2, 1]]"),
    "padded rows": ("3x40x32", "5x32x24", "3x20x24", ROWS, "stride = [2], pad = [[2, 1]]"),
    "padded, many steps": ("1x4x5x256", "3x3x256x24", "1x4x5x24", HWIO, "pad = [[1, 1], [1, 1]]"),
    "many steps": ("1x6x7x256", "3x3x256x24", "1x4x5x24", HWIO, ""),
}
# Of floats, whose kernels have more than a megabyte.
LARGE = {
    "padded": ("1x5x6x256", "3x3x256x128", "1x5x6x128", HWIO, "pad = [[1, 1], [1, 1]]"),
    "strided and padded": ("2x9x8x256", "3x3x256x136", "2x5x4x136", HWIO, "stride = [2, 2], pad = [[1, 1], [1, 0]]"),
    "dilated": ("1x9x7x256", "3x3x256x128", "1x5x3x128", HWIO, "rhs_dilate = [2, 2]"),
    "vectors across pixels": ("2x9x8x24", "7x7x24x300", "2x3x2x300", HWIO, ""),
}
# The same with channels first, on copies.
CHANNELS_FIRST = {
    "padded": ("2x256x5x6", "128x256x3x3", "2x128x5x6", OIHW, "pad = [[1, 1], [1, 1]]"),
    "strided": ("2x256x9x8", "136x256x3x3", "2x136x5x4", OIHW, "stride = [2, 2], pad = [[1, 1], [1, 0]]"),
    "dilated": (
        "1x256x9x7",
        "3x3x256x128",
        "1x128x5x3",
        "[b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1]",
        "rhs_dilate = [2, 2]",
    ),
}
NESTS = {
    "dilated and few channels": ("1x12x12x8", "3x4x8x16", "1x8x6x16", HWIO, "rhs_dilate = [2, 2]"),
    "few results": ("1x3x4x256", "3x3x256x32", "1x1x2x32", HWIO, ""),
    "odd channels": ("2x9x9x3", "3x3x3x24", "2x7x7x24", HWIO, ""),
}


def array(rng: np.random.Generator, shape: str, element: str) -> np.ndarray:
    sizes = tuple(map(int, shape.split("x")))
    if "f" in element:
        # No sum of them is rounded.
        floats = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64}
        return rng.integers(-4, 5, sizes).astype(floats[element])
    return rng.integers(-128, 128, sizes).astype({"i8": np.int8, "ui8": np.uint8}[element])


def program(case: tuple[str, ...], element: str) -> tuple[str, list[np.ndarray]]:
    left, right, shape, dims, window = case
    result = {"bf16": "f32", "f16": "f32", "i8": "i32", "ui8": "i32"}.get(element, element)
    x, y, r = f"tensor<{left}x{element}>", f"tensor<{right}x{element}>", f"tensor<{shape}x{result}>"
    text = f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = {dims}, window = {{{window}}}
          {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {y}) -> {r}
      return %0 : {r}
    }}"""
    rng = np.random.default_rng(1)
    return text, [array(rng, left, element), array(rng, right, element)]


def check(text: str, arguments: list[np.ndarray], features: str = "") -> str:
    """The results are those of the interpreter; gives the plans."""
    compiled = mlir_xla.compile(text, features=features)
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_array_equal(np.asarray(compiled(*arguments)), np.asarray(want))
    return compiled.stages["kernels"]


# Instructions of the processor at hand, but for tile registers (test_arranged_convolutions.py): four bytes at a time,
# if it can; two; with half of the lanes.
@pytest.mark.parametrize("features", ["-amx-int8", "-amx-int8,-avx512vnni,-avxvnni", "-avx512f"])
@pytest.mark.parametrize("name", FLAT)
def test_bytes(name, features):
    plans = check(*program(FLAT[name], "i8"), features)
    # Kernels along k are read 32 bits at a time, which two bytes are not.
    assert "#xla_rt.tiles<" in plans or name == "features first", plans
    # Tiles read the padding of whole vectors where it is.
    if name.startswith("padded"):
        assert plans.count("xla_rt.plans") == 1 + (name == "padded, few channels"), plans


@pytest.mark.parametrize("name", FLAT)
def test_bf16(name):
    check(*program(FLAT[name], "bf16"))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("features", ["", "-avx512f"])
@pytest.mark.parametrize("name", LARGE)
def test_large_kernels(name, features, element):
    text, arguments = program(LARGE[name], element)
    plans = check(text, arguments, features)
    # The image is packed, its padding is read where it is, and the kernel is walked in the order of memory.
    assert re.findall(r"pack [ab, ]*(?=>)", plans) == ["pack a"], plans
    assert plans.count("xla_rt.plans") == 1, plans


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("features", ["", "-avx512f"])
@pytest.mark.parametrize("name", CHANNELS_FIRST)
def test_large_kernels_with_channels_first(name, features, element):
    plans = check(*program(CHANNELS_FIRST[name], element), features)
    assert re.findall(r"pack [ab, ]*(?=>)", plans) == ["pack a"], plans


@pytest.mark.parametrize("low", [[0, 1, 2, 0], [0, 1, 2, 8]])
def test_padding_of_its_own(low):
    """Padding with something else than zero, which a tile reads as well; and of channels, which it does not."""
    sizes = [2, 8 + low[1], 7 + low[2], 64 + low[3]]
    padded, k = "x".join(map(str, sizes)), f"3x3x{sizes[3]}x24"
    r = f"2x{sizes[1] - 2}x{sizes[2] - 2}x24"
    text = f"""
    func.func @main(%x: tensor<2x8x7x64xi8>, %k: tensor<{k}xi8>) -> tensor<{r}xi32> {{
      %value = stablehlo.constant dense<-3> : tensor<i8>
      %0 = stablehlo.pad %x, %value, low = {low}, high = [0, 0, 0, 0], interior = [0, 0, 0, 0]
          : (tensor<2x8x7x64xi8>, tensor<i8>) -> tensor<{padded}xi8>
      %1 = stablehlo.convolution(%0, %k) dim_numbers = {HWIO}, window = {{}}
          {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
          : (tensor<{padded}xi8>, tensor<{k}xi8>) -> tensor<{r}xi32>
      return %1 : tensor<{r}xi32>
    }}"""
    rng = np.random.default_rng(3)
    plans = check(text, [array(rng, "2x8x7x64", "i8"), array(rng, k, "i8")], "-amx-int8")
    assert plans.count("xla_rt.plans") == 1 + (low[3] > 0), plans


@pytest.mark.parametrize("name", NESTS)
def test_what_stays_a_nest(name):
    plans = check(*program(NESTS[name], "i8"))
    assert "#xla_rt.tiles<" not in plans, plans


@pytest.mark.parametrize("element", ["bf16", "f16"])
@pytest.mark.parametrize("features", ["", "-avx512f"])
@pytest.mark.parametrize("name", NESTS)
def test_nests_of_16_bits(name, features, element):
    plans = check(*program(NESTS[name], element), features)
    # Factors whose elements are read many times are widened before.
    before = re.search(r'"reduction"\]\} ins\([^)]*xf32>, tensor<[^>]*xf32>\)', plans) is not None
    assert before == (name != "few results"), plans


def test_unsigned_bytes():
    check(*program(FLAT["padded"], "ui8"))


@pytest.mark.parametrize(
    ("name", "block"),
    [
        *(("many steps", block) for block in (1152, 320, 100, 36)),
        ("dilated along both", 100),
        ("dilated along both", 36),
    ],
)
def test_blocks_of_steps_by_hand(name, block):
    """They may end within the rows of a window, and within a vector of these; those of tile registers may not."""
    text, arguments = program(FLAT[name], "i8")
    features = "-amx-int8"
    stage, count = re.subn(r"(#xla_rt\.tiles<[^<>]*, k d2) \d+", rf"\1 {block}", check(text, arguments, features))
    assert count == 1
    (have,) = api.compile_stage(stage, "cpu", "kernels", features=features)(*arguments)
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_array_equal(np.asarray(have), np.asarray(want))


def test_what_is_computed_of_the_sums():
    """Bias, scale and rounding to bytes are of the same kernel."""
    x, k, r = "2x9x10x64", "3x3x64x40", "2x9x10x40"
    text = f"""
    func.func @main(%x: tensor<{x}xi8>, %k: tensor<{k}xi8>, %bias: tensor<40xi32>, %scale: tensor<40xf32>,
                    %other: tensor<{r}xi8>) -> tensor<{r}xi8> {{
      %0 = stablehlo.convolution(%x, %k) dim_numbers = {HWIO}, window = {{pad = [[1, 1], [1, 1]]}}
          {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
          : (tensor<{x}xi8>, tensor<{k}xi8>) -> tensor<{r}xi32>
      %1 = stablehlo.broadcast_in_dim %bias, dims = [3] : (tensor<40xi32>) -> tensor<{r}xi32>
      %2 = stablehlo.add %0, %1 : tensor<{r}xi32>
      %3 = stablehlo.convert %2 : (tensor<{r}xi32>) -> tensor<{r}xf32>
      %4 = stablehlo.broadcast_in_dim %scale, dims = [3] : (tensor<40xf32>) -> tensor<{r}xf32>
      %5 = stablehlo.multiply %3, %4 : tensor<{r}xf32>
      %6 = stablehlo.convert %other : (tensor<{r}xi8>) -> tensor<{r}xf32>
      %7 = stablehlo.add %5, %6 : tensor<{r}xf32>
      %low = stablehlo.constant dense<-128.0> : tensor<f32>
      %high = stablehlo.constant dense<127.0> : tensor<f32>
      %8 = stablehlo.clamp %low, %7, %high : (tensor<f32>, tensor<{r}xf32>, tensor<f32>) -> tensor<{r}xf32>
      %9 = stablehlo.round_nearest_even %8 : tensor<{r}xf32>
      %10 = stablehlo.convert %9 : (tensor<{r}xf32>) -> tensor<{r}xi8>
      return %10 : tensor<{r}xi8>
    }}"""
    rng = np.random.default_rng(2)
    bias, scale = rng.integers(-1000, 1000, 40).astype(np.int32), (2.0 ** rng.integers(-9, -6, 40)).astype(np.float32)
    arguments = [array(rng, x, "i8"), array(rng, k, "i8"), bias, scale, array(rng, r, "i8")]
    plans = check(text, arguments, "-amx-int8")
    # So is the padding.
    assert plans.count("xla_rt.plans") == 1, plans
