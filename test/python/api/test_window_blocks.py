# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows whose padding is computed for a block of rows at a time: every form of padding, stride, dilation and groups,
odd sizes, blocks of every size, and windows that are no convolution. Small integers, so that every order of the sums
gives the same."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from test_convolutions import convolution

import mlir_xla

sys.path.insert(0, str(Path(__file__).parents[1] / "plans"))

from plan_text import kernels, run

NHWC, NCHW = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"

# Shape of the input without its channels, channels in and out, groups, window, stride, dilation, padding.
CONVOLUTIONS = [
    ((2, 29, 31), (16, 33), 1, (3, 3), (1, 1), (1, 1), ((1, 1), (1, 1))),
    ((1, 37, 30), (16, 20), 1, (5, 4), (2, 3), (1, 1), ((4, 0), (0, 3))),
    ((3, 21, 23), (20, 16), 1, (3, 3), (1, 1), (3, 2), ((3, 2), (-1, 4))),
    ((2, 40, 19), (24, 24), 24, (3, 3), (1, 1), (1, 1), ((1, 1), (1, 1))),
    ((2, 41, 19), (24, 48), 24, (5, 5), (2, 1), (1, 1), ((-2, 2), (2, 2))),
    ((2, 26, 27), (24, 18), 3, (3, 3), (1, 1), (1, 1), ((1, 2), (2, 1))),
    ((2, 25, 33), (16, 32), 1, (1, 3), (1, 1), (1, 1), ((0, 0), (1, 1))),
    ((2, 30, 30), (3, 40), 1, (7, 7), (2, 2), (1, 1), ((3, 2), (3, 2))),
    ((2, 9, 150), (8, 16), 1, (9, 3), (1, 1), (1, 1), ((0, 0), (1, 1))),
]


def program(case, numbers) -> tuple[str, list[np.ndarray]]:
    (batch, *size), (into, out), groups, window, stride, dilation, padding = case
    result = [
        (n + sum(pad) - (w - 1) * d - 1) // s + 1
        for n, w, s, d, pad in zip(size, window, stride, dilation, padding, strict=True)
    ]
    if numbers == NHWC:
        shapes = (batch, *size, into), (*window, into // groups, out), (batch, *result, out)
    else:
        shapes = (batch, into, *size), (out, into // groups, *window), (batch, out, *result)
    attributes = f"stride = {list(stride)}, pad = {[list(pad) for pad in padding]}, rhs_dilate = {list(dilation)}"
    rng = np.random.default_rng(5)
    arguments = [rng.integers(-4, 5, shape).astype(np.float32) for shape in shapes[:2]]
    return convolution(*shapes, numbers, attributes, groups=groups), arguments


def reference(text: str, arguments: list[np.ndarray]) -> np.ndarray:
    return np.asarray(mlir_xla.compile(text, target="reference")(*arguments))


@pytest.mark.parametrize("numbers", [NHWC, NCHW], ids=["nhwc", "nchw"])
@pytest.mark.parametrize("case", CONVOLUTIONS, ids=range(len(CONVOLUTIONS)))
def test_convolutions_in_blocks_of_rows(case, numbers):
    text, arguments = program(case, numbers)
    want = reference(text, arguments)
    for features, threads in (("", 2), ("-avx512f", 1)):
        have = np.asarray(mlir_xla.compile(text, features=features, threads=threads)(*arguments))
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("case", [0, 1, 4])
@pytest.mark.parametrize("numbers", [NHWC, NCHW], ids=["nhwc", "nchw"])
def test_blocks_of_every_size(case, numbers):
    """The block is a part of the plan that may be changed by hand; the nests are planned anew."""
    text, arguments = program(CONVOLUTIONS[case], numbers)
    planned, want = kernels(text), reference(text, arguments)
    found = re.search(r"<rows, \[[0-9, ]*?(\d+)\] by \d+>", planned)
    assert found
    unplanned = re.sub(r", xla_rt.plans = \[#xla_rt.nest.*?>\]", "", planned)
    for block in {1, 2, 3, int(found[1]) - 1, int(found[1])}:
        changed = re.sub(r"\] by \d+>", f"] by {block}>", unplanned)
        np.testing.assert_array_equal(np.asarray(run(changed, arguments)[0]), want, f"by {block}")


@pytest.mark.parametrize("combiner, start", [("maximum", "0xFF800000"), ("add", "0.0")])
@pytest.mark.parametrize("stride, padding", [((1, 1), ((1, 1), (1, 1))), ((2, 1), ((0, 2), (2, 0)))])
def test_other_windows(combiner, start, stride, padding):
    size, window = (2, 23, 25, 24), (5, 4)
    height, width = (
        (n + sum(pad) - w) // s + 1 for n, w, s, pad in zip(size[1:3], window, stride, padding, strict=True)
    )
    result = f"tensor<2x{height}x{width}x24xf32>"
    pads = [[0, 0], *map(list, padding), [0, 0]]
    text = f"""
    func.func @main(%x: tensor<2x23x25x24xf32>) -> {result} {{
      %c = xla.constant dense<{start}> : tensor<f32>
      %n = xla.negate %x : tensor<2x23x25x24xf32>
      %0 = "xla.reduce_window"(%n, %c) <{{window_dimensions = array<i64: 1, {window[0]}, {window[1]}, 1>,
          window_strides = array<i64: 1, {stride[0]}, {stride[1]}, 1>, padding = dense<{pads}> : tensor<4x2xi64>}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %m = xla.{combiner} %a, %b : tensor<f32>
        xla.return %m : tensor<f32>
      }}) : (tensor<2x23x25x24xf32>, tensor<f32>) -> {result}
      return %0 : {result}
    }}"""
    assert " by " in kernels(text)
    x = np.random.default_rng(6).integers(-4, 5, size).astype(np.float32)
    np.testing.assert_array_equal(np.asarray(mlir_xla.compile(text)(x)), reference(text, [x]))


def test_padding_needs_no_memory():
    text, arguments = program(CONVOLUTIONS[0], NHWC)
    executable = mlir_xla.compile(text)
    assert executable.arena_size < arguments[0].nbytes / 2
