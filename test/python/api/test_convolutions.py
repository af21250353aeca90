# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and their gradients in every form that is computed in a way of its own: dilated inputs in phases,
factors that are transposed first, windows of one element; odd sizes, one to three dimensions, several processors."""

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
    x, k = (rng.integers(-4, 5, shape).astype(np.float32) for shape in (lhs, rhs))
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


@pytest.mark.parametrize("window", ["pad = [[1, 1], [1, 1]]", "pad = [[1, 1], [1, 1]], rhs_dilate = [2, 2]"])
def test_kernel_gradients(window):
    """Lanes are for the channels, not for the window."""
    inputs, kernel = (15, 17), (13, 15)
    if "rhs" in window:
        kernel = (7, 8)
    size = [n + 2 - ((k - 1) * (2 if "rhs" in window else 1) + 1) + 1 for n, k in zip(inputs, kernel, strict=True)]
    for into, out in [(16, 33), (35, 7), (64, 64)]:
        nchw = (5, into, *inputs), (5, out, *kernel), (into, out, *size)
        check(*nchw, "[f, b, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]", window, features=FEATURES)
        nchw = (5, into, *inputs), (5, out, *kernel), (out, into, *size)
        check(*nchw, "[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]", window)
        nhwc = (5, *inputs, into), (5, *kernel, out), (*size, into, out)
        check(*nhwc, "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]", window)


def test_gradients_of_windows_of_one_element():
    """Sums over all pixels: the window of the gradient is the whole image."""
    numbers = "[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]"
    check((8, 28, 28, 40), (8, 28, 28, 72), (1, 1, 40, 72), numbers, features=FEATURES)
    check((3, 5, 7, 13), (3, 5, 7, 9), (1, 1, 13, 9), numbers)
    check((3, 13, 5, 7), (3, 9, 5, 7), (9, 13, 1, 1), "[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]")


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_windows_of_one_element(stride):
    size = -(-9 // stride)
    window = f"stride = [{stride}, {stride}]"
    check((2, 9, 9, 70), (1, 1, 70, 130), (2, size, size, 130), "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", window)
    check((2, 70, 9, 9), (130, 70, 1, 1), (2, 130, size, size), "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", window)
    window = f"{window}, pad = [[1, {stride}], [0, {stride}]]"
    height, width = (-(-(9 + low + stride) // stride) for low in (1, 0))
    shapes = (2, 9, 9, 6), (1, 1, 3, 20), (2, height, width, 20)
    check(*shapes, "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", window, groups=2)
    batches = (4, 9, 9, 6), (1, 1, 6, 20), (2, height, width, 20)
    check(*batches, "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", window, batch_groups=2)


@pytest.mark.parametrize("dilation", [1, 2])
@pytest.mark.parametrize("low, high", [(0, 0), (3, 0), (-1, 2)])
def test_one_result_of_a_larger_input(dilation, low, high):
    """What lies behind the only window is not read, however far the input goes."""
    size, window, stride = 9, 3, 8
    count = (size + low + high - (window - 1) * dilation - 1) // stride + 1
    form = f"stride = [{stride}], pad = [[{low}, {high}]], rhs_dilate = [{dilation}]"
    check((2, size, 4), (window, 4, 5), (2, count, 5), "[b, 0, f]x[0, i, o]->[b, 0, f]", form)
