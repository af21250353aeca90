# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of convolutions' kernels, whose windows are as large as images: parts of these are padded in memory of the
worker (`kernels/Windows.cpp`) for all places of the window, where there are enough parts."""

from __future__ import annotations

import numpy as np
import pytest
from plan_text import kernels, run

# Dimension numbers of the images and of both factors and the result, by the order of pixels and channels.
ORDERS = {
    "nhwc": ("[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]", (0, 1, 2, 3), (0, 1, 2, 3)),
    "nchw": ("[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]", (0, 3, 1, 2), (3, 2, 0, 1)),
}
# Batch, pixels, channels of both factors, padding, the window, the stride of the convolution, rows of its kernel.
CASES = {
    "padded": (8, (56, 58), (48, 64), ((1, 1), (1, 1)), (3, 3), (1, 1), "[8, 2] by 1"),
    "on one side": (8, (55, 60), (48, 64), ((2, 1), (0, 1)), (3, 2), (1, 1), "[8, 2] by 1"),
    "strided": (8, (62, 60), (48, 64), ((1, 1), (2, 1)), (2, 4), (2, 2), "[8, 2] by 1"),
    "few parts": (2, (120, 100), (32, 48), ((1, 1), (1, 1)), (3, 3), (1, 1), None),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("case", CASES)
def test_gradient(case, order):
    batch, sizes, (inputs, features), padding, window, stride, rows = CASES[case]
    numbers, of_images, of_kernel = ORDERS[order]
    padded = [size + low + high for size, (low, high) in zip(sizes, padding, strict=True)]
    pixels = [(size - w) // s + 1 for size, w, s in zip(padded, window, stride, strict=True)]
    # What the steps of the convolution left over at the end is not read.
    high = [
        (p - 1) * s + w - size - low
        for p, s, w, size, (low, _) in zip(pixels, stride, window, sizes, padding, strict=True)
    ]
    rng = np.random.default_rng(0)
    x = rng.integers(-2, 3, (batch, *sizes, inputs)).astype(np.float32)
    g = rng.integers(-2, 3, (batch, *pixels, features)).astype(np.float32)
    images = np.pad(x, ((0, 0), *padding, (0, 0)))
    want = np.zeros((*window, inputs, features), np.float32)
    for row in range(window[0]):
        for column in range(window[1]):
            read = images[:, row :: stride[0], column :: stride[1]][:, : pixels[0], : pixels[1]]
            want[row, column] = np.tensordot(read, g, ((0, 1, 2), (0, 1, 2)))
    x, g, want = x.transpose(of_images), g.transpose(of_images), want.transpose(of_kernel)

    def type_of(array):
        return f"tensor<{'x'.join(map(str, array.shape))}xf32>"

    pad = [[low, last] for (low, _), last in zip(padding, high, strict=True)]
    text = kernels(f"""func.func @main(%x: {type_of(x)}, %g: {type_of(g)}) -> {type_of(want)} {{
      %0 = xla.convolution(%x, %g) dim_numbers = {numbers}, window = {{pad = {pad}, rhs_dilate = {list(stride)}}}
        {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}}
        : ({type_of(x)}, {type_of(g)}) -> {type_of(want)}
      return %0 : {type_of(want)}
    }}""")
    assert ("kernel<rows" in text) == (rows is not None)
    assert rows is None or f"kernel<rows, {rows}" in text
    # Integers, of which no sum is rounded.
    [have] = run(text, [np.ascontiguousarray(x), np.ascontiguousarray(g)])
    assert np.array_equal(have, want)
