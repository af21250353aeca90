# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and their gradients in every form that is computed in a way of its own: dilated inputs in phases,
factors that are transposed first, windows of one element; odd sizes, one to three dimensions, several processors."""

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

FEATURES = ["", "-avx512f", "-avx2,-avx512f"]


def convolution(lhs, rhs, result, numbers, window="", groups=1, batch_groups=1, element="f32") -> str:
    x, k, r = (f"tensor<{'x'.join(map(str, shape))}x{element}>" for shape in (lhs, rhs, result))
    counts = f"{{feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64}}"
    return f"""
    func.func @main(%x: {x}, %k: {k}) -> {r} {{
      %0 = xla.convolution(%x, %k) dim_numbers = {numbers}, window = {{{window}}} {counts} : ({x}, {k}) -> {r}
      return %0 : {r}
    }}"""


def check(lhs, rhs, result, *form, features=("",), **more):
    """Small integers, so that every order of the sums gives the same."""
    rng = np.random.default_rng(7)
    text = convolution(lhs, rhs, result, *form, **more)
    dtype = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16}[more.get("element", "f32")]
    x, k = (rng.integers(-4, 5, shape).astype(dtype) for shape in (lhs, rhs))
    want = np.asarray(mlir_xla.compile(text, target="reference")(x, k))
    for feature in features:
        for threads in (1, 2):
            have = np.asarray(mlir_xla.compile(text, features=feature, threads=threads)(x, k))
            np.testing.assert_array_equal(have, want, f"{lhs} {rhs} {result} {form} {more} {feature}")


# Dilation, window, low and high padding: phases with as many elements of the window, with more and fewer, with none.
DILATED = [
    (2, 3, (2, 1)),
    (2, 3, (1, 1)),
    (2, 2, (1, 1)),
    (2, 1, (0, 1)),
    (3, 2, (0, 0)),
    (3, 7, (5, 4)),
    (4, 4, (3, 3)),
    (2, 5, (-1, -2)),
    (5, 2, (7, 9)),
    (3, 4, (-2, 6)),
    (17, 3, (2, 2)),
]


def dilated_size(size, dilation, window, padding):
    return (size - 1) * dilation + 1 + sum(padding) - window + 1


@pytest.mark.parametrize(
    "size, dilation, window, padding",
    [(size, *each) for size in (1, 2, 7) for each in DILATED if dilated_size(size, *each) > 0],
)
def test_dilated_inputs_of_one_dimension(size, dilation, window, padding):
    result = dilated_size(size, dilation, window, padding)
    attributes = f"pad = [[{padding[0]}, {padding[1]}]], lhs_dilate = [{dilation}]"
    form = "[b, 0, f]x[0, o, i]->[b, 0, f]", attributes
    check((2, size, 5), (window, 18, 5), (2, result, 18), *form, features=FEATURES)
    check((2, size, 6), (window, 4, 3), (2, result, 4), *form, groups=2)


@pytest.mark.parametrize(
    "numbers", ["[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]", "[b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]"]
)
@pytest.mark.parametrize("reverse", ["", ", reverse = [true, true]"])
def test_dilated_inputs_of_two_dimensions(numbers, reverse):
    def order(batch, features, height, width):
        return (batch, features, height, width) if ", f, 0" in numbers else (batch, height, width, features)

    def kernel(height, width, into, out):
        return (into, out, height, width) if "x[i" in numbers else (height, width, out, into)

    for dilations, window, padding in [((2, 2), (3, 3), (2, 1)), ((2, 1), (3, 2), (1, 1)), ((3, 2), (2, 4), (1, 3))]:
        height, width = (
            dilated_size(size, d, w, padding) for size, d, w in zip((5, 7), dilations, window, strict=True)
        )
        pads = f"pad = [[{padding[0]}, {padding[1]}], [{padding[0]}, {padding[1]}]]"
        attributes = f"{pads}, lhs_dilate = [{dilations[0]}, {dilations[1]}]{reverse}"
        shapes = order(2, 20, 5, 7), kernel(*window, 20, 37), order(2, 37, height, width)
        check(*shapes, numbers, attributes, features=FEATURES)


def test_dilated_inputs_of_three_dimensions():
    attributes = "pad = [[1, 1], [2, 1], [0, 0]], lhs_dilate = [2, 2, 2]"
    numbers = "[b, 0, 1, 2, f]x[0, 1, 2, o, i]->[b, 0, 1, 2, f]"
    check((1, 3, 4, 2, 8), (3, 3, 2, 19, 8), (1, 5, 8, 2, 19), numbers, attributes)


def test_dilated_inputs_with_strides_and_dilated_windows():
    numbers = "[b, 0, f]x[0, o, i]->[b, 0, f]"
    check((2, 6, 5), (3, 18, 5), (2, 6, 18), numbers, "pad = [[1, 1]], lhs_dilate = [2], stride = [2]")
    check((2, 6, 5), (3, 18, 5), (2, 9, 18), numbers, "pad = [[1, 1]], lhs_dilate = [2], rhs_dilate = [2]")


@pytest.mark.parametrize("features", [5, 16, 67])
def test_contracted_dimension_contiguous(features):
    """The kernel of an input's gradient is transposed first."""
    numbers = "[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]"
    attributes = "pad = [[1, 1], [1, 1]]"
    check((2, 9, 11, features), (3, 3, 33, features), (2, 9, 11, 33), numbers, attributes, features=FEATURES)
    # Two groups, each with such a kernel.
    check((2, 9, 11, 2 * features), (3, 3, 34, features), (2, 9, 11, 34), numbers, attributes, groups=2)
    check((2, 40, features), (3, 21, features), (2, 38, 21), "[b, 0, f]x[0, o, i]->[b, 0, f]", features=FEATURES)


# Stride, dilation and padding of a window of 3 by 3 that slides along both dimensions, and whether it goes backwards.
SLIDING = [
    ((1, 1), (1, 1), (1, 1), False),
    ((1, 1), (1, 1), (0, 0), False),
    ((1, 1), (2, 3), (2, 3), False),
    ((2, 2), (1, 1), (1, 1), False),
    ((2, 3), (3, 2), (3, 0), False),
    ((1, 1), (1, 1), (1, 1), True),
]


@pytest.mark.parametrize("stride, dilation, padding, reverse", SLIDING)
@pytest.mark.parametrize(
    "height, width, channels, element", [(5, 29, 37, "f32"), (31, 7, 64, "f32"), (9, 10, 24, "f64"), (8, 9, 33, "bf16")]
)
def test_depthwise_windows_slide(height, width, channels, element, stride, dilation, padding, reverse):
    """Neighbours share what their windows have in common, in rows of channels and in rows of pixels."""
    sizes = zip((height, width), stride, dilation, padding, strict=True)
    high, wide = ((size + 2 * pad - 2 * dilate - 1) // step + 1 for size, step, dilate, pad in sizes)
    window = f"stride = {list(stride)}, pad = {[[each, each] for each in padding]}, rhs_dilate = {list(dilation)}"
    window += ", reverse = [true, true]" if reverse else ""
    more = {"groups": channels, "element": element, "features": FEATURES if element == "f32" else FEATURES[:1]}
    numbers = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
    check((2, height, width, channels), (3, 3, 1, channels), (2, high, wide, channels), numbers, window, **more)
    numbers = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
    check((2, channels, height, width), (channels, 1, 3, 3), (2, channels, high, wide), numbers, window, **more)


@pytest.mark.parametrize("shape", [(2, 19, 23, 33), (1, 40, 3, 17)])
@pytest.mark.parametrize("dims", [(1, 3, 1, 1), (1, 1, 3, 1), (1, 3, 2, 1), (1, 17, 1, 1)])
@pytest.mark.parametrize("stride", [1, 2])
def test_pooling_slides(shape, dims, stride):
    """Maxima and sums of windows, in all of which neighbours share elements."""
    x = np.random.default_rng(5).integers(-9, 9, shape).astype(np.float32)
    padding = [[each // 2, (each - 1) // 2] for each in dims]
    strides = [1, stride, stride, 1]
    result = "x".join(str((size - 1) // step + 1) for size, step in zip(shape, strides, strict=True)) + "xf32"
    form = "x".join(map(str, shape)) + "xf32"
    for combiner, init in (("xla.maximum", "0xFF800000"), ("xla.add", "0.0")):
        text = f"""
        func.func @main(%x: tensor<{form}>) -> tensor<{result}> {{
          %c = xla.constant dense<{init}> : tensor<f32>
          %0 = "xla.reduce_window"(%x, %c) <{{window_dimensions = array<i64: {", ".join(map(str, dims))}>,
            window_strides = array<i64: {", ".join(map(str, strides))}>,
            padding = dense<{padding}> : tensor<4x2xi64>}}> ({{
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %m = {combiner} %a, %b : tensor<f32>
            xla.return %m : tensor<f32>
          }}) : (tensor<{form}>, tensor<f32>) -> tensor<{result}>
          return %0 : tensor<{result}>
        }}"""
        want = np.asarray(mlir_xla.compile(text, target="reference")(x))
        for feature in ("", "-avx512f"):
            np.testing.assert_array_equal(np.asarray(mlir_xla.compile(text, features=feature)(x)), want)


@pytest.mark.parametrize("width", [24, 28, 56, 60])
def test_rows_that_leave_lanes_idle(width):
    """Lanes are for channels of the result, whose kernel is transposed first."""
    check(
        (2, 33, 6, width),
        (47, 33, 3, 3),
        (2, 47, 6, width),
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
        "pad = [[1, 1], [1, 1]]",
        features=FEATURES,
    )


@pytest.mark.parametrize(
    "numbers", ["[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]", "[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]"]
)
@pytest.mark.parametrize("stride", [1, 2])
def test_gradients_of_kernels_in_parts(numbers, stride):
    """Images that are larger than a cache: halves of each have a gradient of their own."""
    images, size, into, out = 3, 64, 40, 44
    first = numbers.startswith("[f, 0")
    shapes = (images, size, size, into), (images, size // stride, size // stride, out)
    lhs, rhs = shapes if first else ((s[0], s[3], s[1], s[2]) for s in shapes)
    window = (
        f"pad = [[1, {1 if stride == 1 else 0}], [1, {1 if stride == 1 else 0}]], rhs_dilate = [{stride}, {stride}]"
    )
    check(lhs, rhs, (3, 3, into, out) if first else (out, into, 3, 3), numbers, window)


@pytest.mark.parametrize("element", ["f32", "f64", "bf16"])
@pytest.mark.parametrize("channels", [64, 40, 17])
@pytest.mark.parametrize("width", [56, 21, 9])
def test_channels_first(width, channels, element):
    """Channels are in lanes and pixels are written: whole steps of them, remainders, and fewer channels than lanes."""
    form = ("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "stride = [1, 1], pad = [[1, 1], [1, 1]]")
    sizes = (1, 24, 6, width), (channels, 24, 3, 3), (1, channels, 6, width)
    check(*sizes, *form, element=element, features=FEATURES)
