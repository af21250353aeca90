# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of products by blocks of threads, on the emulated GPU: sizes of one to four tiles and odd remainders, types,
orders of dimensions, batches, what is computed of factors and sums, and plans other than the planner's."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest

import mlir_xla
from mlir_xla import _contexts, ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager

pytestmark = pytest.mark.usefixtures("checked")

TARGET = "cuda-emulated"
BLOCKS = re.compile(r"#xla_rt\.blocks<([^<>]*)>")
TYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
}


def kernels(program: str) -> str:
    """The program at the stage `kernels`, with the planner's plans."""
    module = parse(program)
    with module.context:
        PassManager.parse(f"builtin.module(xla-to-kernels{{target={TARGET}}})").run(module.operation)
    return str(module)


def run(text: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """At that stage, integers have no signs any more."""
    arguments = [each.view(f"i{each.itemsize}") if each.dtype.kind == "u" else each for each in arguments]
    with _contexts.Lease(len(text)) as context:
        module = ir.Module.parse(text, context)
        return compiler.compile(module.operation, target=TARGET, from_stage="kernels").run(arguments)


def product(left: str, right: str, shape: str, element: str, result: str, dims: str, batch: str = "") -> str:
    x, y, r = f"tensor<{left}x{element}>", f"tensor<{right}x{element}>", f"tensor<{shape}x{result}>"
    return f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = xla.dot_general %x, %y, {batch}contracting_dims = {dims} : ({x}, {y}) -> {r}
      return %0 : {r}
    }}"""


def numbers(rng: np.random.Generator, shape: str, element: str) -> np.ndarray:
    """Small integers, whatever the type: no order of sums and products rounds."""
    return rng.integers(-4, 5, tuple(map(int, shape.split("x")))).astype(TYPES[element])


def check(text: str, arguments: list[np.ndarray], is_planned: bool = True) -> None:
    planned = kernels(text)
    assert bool(BLOCKS.search(planned)) == is_planned, planned
    want = mlir_xla.compile(text, target="reference")(*arguments)
    have = run(planned, arguments)
    np.testing.assert_array_equal(np.asarray(have[0]), np.asarray(want))


ORDERS = {
    "plain": lambda m, n, k: (f"{m}x{k}", f"{k}x{n}", "[1] x [0]"),
    "left transposed": lambda m, n, k: (f"{k}x{m}", f"{k}x{n}", "[0] x [0]"),
    "right transposed": lambda m, n, k: (f"{m}x{k}", f"{n}x{k}", "[1] x [1]"),
    "both transposed": lambda m, n, k: (f"{k}x{m}", f"{n}x{k}", "[0] x [1]"),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("sizes", [(32, 32, 16), (64, 96, 48), (33, 37, 19), (70, 100, 36)])
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_sizes_and_orders(order, sizes, element):
    left, right, dims = ORDERS[order](*sizes)
    rng = np.random.default_rng(1)
    text = product(left, right, f"{sizes[0]}x{sizes[1]}", element, element, dims)
    check(text, [numbers(rng, left, element), numbers(rng, right, element)])


@pytest.mark.parametrize(
    ("element", "result"),
    [("i32", "i32"), ("i64", "i64"), ("i8", "i32"), ("i8", "i8"), ("bf16", "f32"), ("bf16", "bf16"), ("f16", "f16")],
)
@pytest.mark.parametrize("order", ["plain", "both transposed"])
def test_types(order, element, result):
    left, right, dims = ORDERS[order](50, 40, 24)
    rng = np.random.default_rng(2)
    text = product(left, right, "50x40", element, result, dims)
    check(text, [numbers(rng, left, element), numbers(rng, right, element)])


def test_batches():
    rng = np.random.default_rng(3)
    text = product("3x40x20", "3x20x36", "3x40x36", "f32", "f32", "[2] x [1]", "batching_dims = [0] x [0], ")
    check(text, [numbers(rng, "3x40x20", "f32"), numbers(rng, "3x20x36", "f32")])


def test_several_dimensions():
    """Dimensions that no address walks as one are walked as one by blocks."""
    rng = np.random.default_rng(4)
    x, y = "5x12x7x20", "20x12x6x8"
    text = product(x, y, "5x7x6x8", "f32", "f32", "[1, 3] x [1, 0]")
    check(text, [numbers(rng, x, "f32"), numbers(rng, y, "f32")])


@pytest.mark.parametrize("strides", ["1, 1", "2, 2"])
def test_convolution(strides):
    rng = np.random.default_rng(5)
    x, y = "2x9x9x16", "3x3x16x24"
    extent = 9 if strides == "1, 1" else 5
    text = f"""
    func.func @main(%x: tensor<{x}xf32>, %y: tensor<{y}xf32>) -> tensor<2x{extent}x{extent}x24xf32> {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {{stride = [{strides}], pad = [[1, 1], [1, 1]]}}
        {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
        : (tensor<{x}xf32>, tensor<{y}xf32>) -> tensor<2x{extent}x{extent}x24xf32>
      return %0 : tensor<2x{extent}x{extent}x24xf32>
    }}"""
    check(text, [numbers(rng, x, "f32"), numbers(rng, y, "f32")])


WINDOWS = {  # and the image that comes out
    "stride = [2, 1], pad = [[0, 3], [2, 0]]": "5x12",
    "pad = [[-1, 2], [1, -2]]": "8x9",
    "pad = [[2, 2], [1, 1]], rhs_dilate = [2, 1]": "9x12",
    "pad = [[1, 1], [2, 2]], lhs_dilate = [2, 3]": "17x34",
    "stride = [2, 3], pad = [[1, 2], [3, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, false]": "9x5",
}


LAST = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"


def check_windows(windows, element, result="f32", numbering=LAST, groups=1) -> str:
    """Several convolutions in one program, of a window of three by two. Yields the planned kernels."""
    rng = np.random.default_rng(15)
    of_group, features = 16 // groups, 16 if groups == 16 else 24
    sizes = {"b": 2, "f": 16, "i": of_group, "o": features}

    def shape(dims: str, rows: int, columns: int) -> str:
        return "x".join(str({**sizes, "0": rows, "1": columns}[each]) for each in dims.strip("[]").split(", "))

    image, kernel, results = numbering.replace("->", "x").split("x")
    x, y = f"tensor<{shape(image, 9, 11)}x{element}>", f"tensor<{shape(kernel, 3, 2)}x{element}>"
    counts = f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}"
    sizes["f"] = features
    lines, names, types = [], [], []
    for window, size in windows.items():
        names.append(f"%{len(names)}")
        types.append(f"tensor<{shape(results, *size.split('x'))}x{result}>")
        lines.append(f"""{names[-1]} = stablehlo.convolution(%x, %y)
        dim_numbers = {numbering}, window = {{{window}}} {counts} : ({x}, {y}) -> {types[-1]}""")
    body = "\n      ".join(lines)
    text = f"""
    func.func @main(%x: {x}, %y: {y}) -> ({", ".join(types)}) {{
      {body}
      return {", ".join(names)} : {", ".join(types)}
    }}"""
    arguments = [numbers(rng, each[7 : each.rindex("x")], element) for each in (x, y)]
    planned = kernels(text)
    wanted = mlir_xla.compile(text, target="reference")(*arguments)
    for window, have, want in zip(windows, run(planned, arguments), wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(have), np.asarray(want), err_msg=window)
    return planned


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_windows(element):
    """Windows that reach beyond the image, into gaps, or are turned around."""
    planned = check_windows(WINDOWS, element)
    assert len(BLOCKS.findall(planned)) >= len(WINDOWS)  # gaps have convolutions of their own


PADDED = {
    "pad = [[1, 1], [1, 1]]": "9x12",
    "stride = [2, 1], pad = [[0, 3], [2, 0]]": "5x12",
    "pad = [[-1, 2], [1, -2]]": "8x9",
    "pad = [[2, 2], [1, 1]], rhs_dilate = [2, 1]": "9x12",
    "stride = [3, 2], pad = [[3, 0], [0, 4]], reverse = [true, true]": "4x7",
    "pad = [[5, 6], [0, 0]]": "18x10",  # windows of nothing else
}
FIRST = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"


@pytest.mark.parametrize(
    "element, result, numbering, groups",
    [
        *(
            (each, {"i8": "i32", "f64": "f64"}.get(each, "f32"), LAST, 1)
            for each in ("f32", "f64", "f16", "bf16", "i8")
        ),
        *((each, "f32", FIRST, 1) for each in ("f32", "bf16")),
        *(("f32", "f32", order, 16) for order in (LAST, FIRST)),
    ],
)
def test_padding_is_read_where_it_is(element, result, numbering, groups):
    """By threads, by warps past their registers, and by loop nests: nothing is written before the products."""
    planned = check_windows(PADDED, element, result, numbering, groups)
    assert "kernel<elementwise>" not in planned


@pytest.mark.parametrize(
    "element, result, numbering, groups",
    [
        ("bf16", "f32", LAST, 2),
        ("f32", "f32", LAST, 4),
        ("f32", "f32", FIRST, 2),
        ("bf16", "f32", FIRST, 2),
        ("i8", "i32", LAST, 8),
        ("f64", "f64", LAST, 2),
        ("f32", "f32", "[0, f, 1, b]x[i, 0, 1, o]->[0, b, 1, f]", 2),
    ],
)
def test_padding_of_groups(element, result, numbering, groups):
    """Of several channels each, which are taken apart before the image would be padded."""
    planned = check_windows(PADDED, element, result, numbering, groups)
    before = re.findall(r"func\.func private @elementwise_.*?\n  \}", planned, re.DOTALL)
    assert not any("scf.if" in each for each in before), (
        planned
    )  # kernels may be brought into order, but nothing is padded


GAPS = {  # that no phase of the results leaves out
    "stride = [3, 3], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]": "6x8",
    "pad = [[2, 2], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [2, 2]": "17x21",
    "stride = [2, 2], pad = [[-1, 0], [0, -2]], lhs_dilate = [5, 3]": "19x14",
    "stride = [2, 3], pad = [[1, 2], [3, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, false]": "9x5",
    "pad = [[0, 0], [1, 1]], lhs_dilate = [5, 5]": "39x52",  # more phases than convolutions are cut into
}


@pytest.mark.parametrize(
    "element, result, numbering, groups",
    [
        *((each, {"i8": "i32", "f64": "f64"}.get(each, "f32"), LAST, 1) for each in ("f32", "f64", "bf16", "i8")),
        *((each, "f32", FIRST, 1) for each in ("f32", "bf16")),
        *(("f32", "f32", order, groups) for order in (LAST, FIRST) for groups in (2, 16)),
    ],
)
def test_gaps_are_read_where_they_are(element, result, numbering, groups):
    """Between pixels, as beside them: nothing is written before the products."""
    planned = check_windows(GAPS, element, result, numbering, groups)
    before = re.findall(r"func\.func private @elementwise_.*?\n  \}", planned, re.DOTALL)
    assert not any("scf.if" in each for each in before), planned


def test_accelerator_reads_no_gaps():
    """What warpgroups multiply comes as boxes of pixels that follow each other."""
    x, y, r = "tensor<8x56x56x128xbf16>", "tensor<3x3x128x128xbf16>", "tensor<8x37x37x128xf32>"
    for dilation, has_boxes in (("", True), (", lhs_dilate = [2, 2]", False)):
        stride = "[3, 3]" if dilation else "[1, 1]"
        results = r if dilation else r.replace("37x37", "56x56")
        planned = kernels(f"""
        func.func @main(%x: {x}, %y: {y}) -> {results} {{
          %0 = stablehlo.convolution(%x, %y) dim_numbers = {LAST},
              window = {{stride = {stride}, pad = [[1, 1], [1, 1]]{dilation}}}
              {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {y}) -> {results}
          return %0 : {results}
        }}""")
        assert ("xla_rt.plans_sm_90a" in planned) == has_boxes, planned
        assert "instruction mma" in planned


def test_padding_of_groups_of_batches():
    """As in gradients of grouped kernels: images are taken apart."""
    rng = np.random.default_rng(17)
    x, y, r = "tensor<4x9x11x16xf32>", "tensor<9x11x16x24xf32>", "tensor<2x3x3x24xf32>"
    text = f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 2 : i64, feature_group_count = 1 : i64}}
          : ({x}, {y}) -> {r}
      return %0 : {r}
    }}"""
    planned = kernels(text)
    assert "kernel<elementwise>" not in planned
    arguments = [numbers(rng, each[7 : each.rindex("x")], "f32") for each in (x, y)]
    (have,) = run(planned, arguments)
    np.testing.assert_array_equal(have, np.asarray(mlir_xla.compile(text, target="reference")(*arguments)))


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_padding_in_gradients(element):
    """Of the kernel, whose window is the image: steps of the sum are inside or outside. Of the image, whose kernel is
    read backwards."""
    rng = np.random.default_rng(16)
    x, y, w = (f"tensor<{each}x{element}>" for each in ("3x9x11x16", "3x9x11x24", "3x3x16x24"))
    pad = "pad = [[1, 1], [1, 1]]"
    one = "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    text = f"""
    func.func @main(%x: {x}, %y: {y}, %w: {w}) -> (tensor<3x3x16x24xf32>, tensor<3x9x11x16xf32>) {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {{{pad}}} {one}
          : ({x}, {y}) -> tensor<3x3x16x24xf32>
      %1 = stablehlo.convolution(%y, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
          window = {{{pad}, reverse = [true, true]}} {one} : ({y}, {w}) -> tensor<3x9x11x16xf32>
      return %0, %1 : tensor<3x3x16x24xf32>, tensor<3x9x11x16xf32>
    }}"""
    planned = kernels(text)
    assert "kernel<elementwise>" not in planned
    arguments = [numbers(rng, each[7 : each.rindex("x")], element) for each in (x, y, w)]
    for have, want in zip(run(planned, arguments), mlir_xla.compile(text, target="reference")(*arguments), strict=True):
        np.testing.assert_array_equal(np.asarray(have), np.asarray(want))


def test_factors_and_sums_are_computed():
    rng = np.random.default_rng(6)
    x, y, r = "tensor<50x33xf32>", "tensor<33x44xf32>", "tensor<50x44xf32>"
    text = f"""
    func.func @main(%x: {x}, %s: tensor<33xf32>, %y: {y}, %b: tensor<44xf32>) -> {r} {{
      %0 = xla.broadcast_in_dim %s, dims = [1] : (tensor<33xf32>) -> {x}
      %1 = xla.multiply %x, %0 : {x}
      %2 = xla.dot_general %1, %y, contracting_dims = [1] x [0] : ({x}, {y}) -> {r}
      %3 = xla.broadcast_in_dim %b, dims = [1] : (tensor<44xf32>) -> {r}
      %4 = xla.add %2, %3 : {r}
      %5 = xla.constant dense<0.0> : {r}
      %6 = xla.maximum %4, %5 : {r}
      return %6 : {r}
    }}"""
    check(text, [numbers(rng, shape, "f32") for shape in ("50x33", "33", "33x44", "44")])


@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("m, k, n", [(9, 64, 80), (128, 96, 50), (3, 512, 128), (1, 128, 33)])
def test_weights_of_few_bytes(element, m, k, n):
    """Bytes, groups of which share a scale and an offset, are made factors on the way to shared memory."""
    rng = np.random.default_rng(m)
    x, w, s, r = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}", f"tensor<2x{n}xf32>", f"tensor<{m}x{n}x{element}>"
    groups, all_of_k = f"tensor<2x{k // 2}x{n}xf32>", f"{w}xf32>"
    text = f"""
    func.func @main(%x: {x}, %w: {w}xi8>, %s: {s}, %z: {s}) -> {r} {{
      %0 = xla.convert %w : ({w}xi8>) -> {all_of_k}
      %1 = xla.reshape %0 : ({all_of_k}) -> {groups}
      %2 = xla.broadcast_in_dim %z, dims = [0, 2] : ({s}) -> {groups}
      %3 = xla.subtract %1, %2 : {groups}
      %4 = xla.broadcast_in_dim %s, dims = [0, 2] : ({s}) -> {groups}
      %5 = xla.multiply %3, %4 : {groups}
      %6 = xla.reshape %5 : ({groups}) -> {all_of_k}
      %7 = xla.convert %6 : ({all_of_k}) -> {w}x{element}>
      %8 = xla.dot_general %x, %7, contracting_dims = [1] x [0] : ({x}, {w}x{element}>) -> {r}
      return %8 : {r}
    }}"""
    planned = kernels(text)
    assert planned.count("xla_rt.kernel = ") == 1, planned
    w = rng.integers(-2, 3, (k, n)).astype(np.int8)
    scales, offsets = rng.integers(1, 3, (2, n)).astype("f4"), rng.integers(-1, 2, (2, n)).astype("f4")
    x = rng.integers(-1, 2, (m, k)).astype(TYPES[element])
    check(text, [x, w, scales, offsets])


def test_long_sums_have_parts():
    """As many equal terms as would lose what one partial sum keeps."""
    steps = 20000
    text = product(f"16x{steps}", f"{steps}x16", "16x16", "f32", "f32", "[1] x [0]")
    x, y = np.full((16, steps), 0.1, np.float32), np.full((steps, 16), 0.1, np.float32)
    planned = kernels(text)
    assert BLOCKS.search(planned)
    (have,) = run(planned, [x, y])
    want = steps * float(x[0, 0]) ** 2
    assert np.all(np.abs(have - want) <= 1e-5 * want)


def test_values_beside_the_end_go_nowhere():
    """Infinities and NaN in the last rows, columns and steps; negative zeros stay."""
    left, right, dims = ORDERS["plain"](35, 37, 19)
    x, y = np.zeros((35, 19), np.float32), np.full((19, 37), -1.0, np.float32)
    x[34, 18], y[18, 36], y[0, 0] = np.inf, np.nan, -np.inf
    x[1, :] = 1.0
    text = product(left, right, "35x37", "f32", "f32", dims)
    with np.errstate(invalid="ignore"):
        check(text, [x, y])


def test_sums_that_begin_with_negative_zero():
    """Steps beyond the end make no -0 positive, as zeros that are copied past the registers would."""
    text = """
    func.func @main(%x: tensor<64x44xf32>, %y: tensor<44x64xf32>) -> tensor<64x64xf32> {
      %zero = stablehlo.constant dense<-0.0> : tensor<f32>
      %a = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<64x44xf32>) -> tensor<64x44x64xf32>
      %b = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<44x64xf32>) -> tensor<64x44x64xf32>
      %p = stablehlo.multiply %a, %b : tensor<64x44x64xf32>
      %r = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1]
           : (tensor<64x44x64xf32>, tensor<f32>) -> tensor<64x64xf32>
      return %r : tensor<64x64xf32>
    }"""
    planned = kernels(text)
    assert "#xla_rt.blocks<" in planned
    planned = re.sub(
        r"m d0 \d+, n d(\d) \d+, k d(\d) \d+, register \d+x\d+(, split \d+)?",
        r"m d0 64, n d\1 64, k d\2 16, register 4x4",
        planned,
    )
    assert "k d" in planned and " 16, register 4x4>" in planned, planned
    (have,) = run(planned, [np.zeros((64, 44), np.float32), np.full((44, 64), -1.0, np.float32)])
    assert np.signbit(have).all()


PLANS = [
    "m d0 64, n d1 64, k d2 16, register 8x8",
    "m d0 128, n d1 64, k d2 16, register 8x8",
    "m d0 128, n d1 128, k d2 16, register 8x8",
    "m d0 16, n d1 64, k d2 8, register 2x4",
    "m d0 64, n d1 16, k d2 32, register 4x1",
    "m d0 32, n d1 128, k d2 16, register 4x8",
]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("sizes", [(50, 70, 33), (132, 136, 36)])
def test_other_plans(plan, order, sizes):
    left, right, dims = ORDERS[order](*sizes)
    rng = np.random.default_rng(7)
    text = product(left, right, f"{sizes[0]}x{sizes[1]}", "f32", "f32", dims)
    arguments = [numbers(rng, left, "f32"), numbers(rng, right, "f32")]
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    changed, count = BLOCKS.subn(f"#xla_rt.blocks<{'x'.join(map(str, sizes))}, {plan}>", kernels(text))
    assert count == 1
    (have,) = run(changed, arguments)
    np.testing.assert_array_equal(have, want)


def replanned(planned: str, sizes: tuple[int, ...], plan: str) -> str:
    changed, count = BLOCKS.subn(f"#xla_rt.blocks<{'x'.join(map(str, sizes))}, {plan}>", planned)
    assert count == 1, planned
    return changed


# Tiles along k are in bytes.
WARPS = [
    "m d0 64, n d1 64, k d2 {128}, register 32x32, instruction mma, stages 3",
    "m d0 128, n d1 64, k d2 {64}, register 32x32, instruction mma, stages 3",
    "m d0 64, n d1 128, k d2 {64}, register 32x32, instruction mma",
    "m d0 128, n d1 64, k d2 {64}, register 64x32, instruction mma, stages 3",
    "m d0 32, n d1 64, k d2 {64}, register 16x32, instruction mma, stages 4",
    "m d0 16, n d1 32, k d2 {128}, register 16x16, instruction mma, split 2",
]
NARROW = {"bf16": "f32", "i8": "i32", "f64": "f64"}


def steps(plan: str, element: str) -> str:
    size = np.dtype(TYPES[element]).itemsize
    return re.sub(r"\{(\d+)\}", lambda found: str(int(found[1]) // size), plan)


@pytest.mark.parametrize("plan", WARPS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("element", NARROW)
def test_tensor_cores(element, plan, order):
    """Copied past the registers where rows are whole pieces of 16 bytes, through them where not."""
    is_odd = (WARPS.index(plan) + list(ORDERS).index(order)) % 2
    sizes = (50, 70, 133) if is_odd else (136, 72, 208)
    left, right, dims = ORDERS[order](*sizes)
    rng = np.random.default_rng(8)
    text = product(left, right, f"{sizes[0]}x{sizes[1]}", element, NARROW[element], dims)
    arguments = [numbers(rng, left, element), numbers(rng, right, element)]
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    planned = kernels(text)
    assert "instruction mma" in planned
    (have,) = run(replanned(planned, sizes, steps(plan, element)), arguments)
    np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("order", ["plain", "both transposed"])
def test_tf32_where_the_algorithm_says_so(order):
    left, right, dims = ORDERS[order](50, 72, 36)
    rng = np.random.default_rng(10)
    text = product(left, right, "50x72", "f32", "f32", dims)
    assert "mma" not in kernels(text)
    algorithm = """algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
        allow_imprecise_accumulation = false>"""
    text = text.replace(dims, f"{dims}, {algorithm}")
    assert "mma" in kernels(text)
    check(text, [numbers(rng, left, "f32"), numbers(rng, right, "f32")])


def signs(left: str, right: str, shape: str, dims: str, unsigned: int) -> tuple[str, list[np.ndarray]]:
    """Of two factors of bytes, one has no sign; the program widens both of them itself. And all their values."""
    types = ["i8", "i8"]
    types[unsigned] = "ui8"
    (x, y), (wide_x, wide_y) = (
        [f"tensor<{each}x{element}>" for each, element in zip((left, right), elements, strict=True)]
        for elements in (types, ("i32", "i32"))
    )
    text = f"""
    func.func @main(%x: {x}, %y: {y}) -> tensor<{shape}xi32> {{
      %0 = xla.convert %x : ({x}) -> {wide_x}
      %1 = xla.convert %y : ({y}) -> {wide_y}
      %2 = xla.dot_general %0, %1, contracting_dims = {dims} : ({wide_x}, {wide_y}) -> tensor<{shape}xi32>
      return %2 : tensor<{shape}xi32>
    }}"""
    rng = np.random.default_rng(11)
    arrays = [rng.integers(-128, 128, tuple(map(int, each.split("x")))).astype(np.int8) for each in (left, right)]
    arrays[unsigned] = arrays[unsigned].view(np.uint8)
    return text, arrays


@pytest.mark.parametrize("unsigned", [0, 1])
@pytest.mark.parametrize("order", ORDERS)
def test_bytes_of_both_signs(order, unsigned):
    left, right, dims = ORDERS[order](40, 48, 100)
    text, arrays = signs(left, right, "40x48", dims, unsigned)
    assert "instruction mma" in kernels(text)
    check(text, arrays)
    both = ".u8.s8" if unsigned == 0 else ".s8.u8"
    assert both in mlir_xla.compile(text, target=TARGET).stages["binary"]


@pytest.mark.parametrize("element, result", [("f32", "f32"), ("bf16", "bf16"), ("i8", "i32"), ("f64", "f64")])
@pytest.mark.parametrize(
    "left, right, shape, dims",
    [
        ("96", "96x136", "136", "[0] x [0]"),
        ("136x96", "96", "136", "[1] x [0]"),
        ("3x100", "100x72", "3x72", "[1] x [0]"),
        ("72x100", "5x100", "72x5", "[1] x [1]"),
    ],
)
def test_vectors_and_few_rows(left, right, shape, dims, element, result):
    rng = np.random.default_rng(12)
    check(
        product(left, right, shape, element, result, dims), [numbers(rng, left, element), numbers(rng, right, element)]
    )


@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("m, n, k", [(12, 10, 24), (32, 32, 32)])
def test_batches_of_small_matrices(element, m, n, k):
    rng = np.random.default_rng(13)
    x, y = f"7x{m}x{k}", f"7x{k}x{n}"
    text = product(x, y, f"7x{m}x{n}", element, "f32", "[2] x [1]", "batching_dims = [0] x [0], ")
    check(text, [numbers(rng, x, element), numbers(rng, y, element)])


SPLIT = [
    "m d0 32, n d1 32, k d2 16, register 4x4, split 3",
    "m d0 8, n d1 128, k d2 32, register 2x4, split 3",
    "m d0 64, n d1 64, k d2 16, register 8x8, split 12",
]


@pytest.mark.parametrize("plan", SPLIT)
@pytest.mark.parametrize("sizes", [(40, 36, 190), (33, 41, 177)])
def test_split_sums(plan, sizes):
    """What is computed of sums is computed once, when their parts are added."""
    m, n, k = sizes
    rng = np.random.default_rng(14)
    text = f"""
    func.func @main(%x: tensor<{m}x{k}xf32>, %y: tensor<{k}x{n}xf32>, %z: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
          : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
      %1 = xla.maximum %0, %z : tensor<{m}x{n}xf32>
      return %1 : tensor<{m}x{n}xf32>
    }}"""
    arguments = [numbers(rng, shape, "f32") for shape in (f"{m}x{k}", f"{k}x{n}", f"{m}x{n}")]
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    (have,) = run(replanned(kernels(text), sizes, plan), arguments)
    np.testing.assert_array_equal(have, want)


def test_tensor_cores_in_a_convolution():
    rng = np.random.default_rng(9)
    x, y = "2x9x9x16", "3x3x16x24"
    text = f"""
    func.func @main(%x: tensor<{x}xbf16>, %y: tensor<{y}xbf16>) -> tensor<2x9x9x24xbf16> {{
      %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
        : (tensor<{x}xbf16>, tensor<{y}xbf16>) -> tensor<2x9x9x24xbf16>
      return %0 : tensor<2x9x9x24xbf16>
    }}"""
    check(text, [numbers(rng, x, "bf16"), numbers(rng, y, "bf16")])
