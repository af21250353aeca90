# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that differ in offsets are compiled once and take them: phases of transposed convolutions, layers whose
weights are slices of one tensor."""

import numpy as np
import pytest

import mlir_xla


def check(text: str, products: int, *shapes: tuple[int, ...]) -> None:
    """Small integers, so that every order of the sums gives the same."""
    rng = np.random.default_rng(3)
    arguments = [rng.integers(-3, 4, shape).astype(np.float32) for shape in shapes]
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    for threads in (1, 2):
        executable = mlir_xla.compile(text, threads=threads)
        np.testing.assert_array_equal(np.asarray(executable(*arguments)), want)
        assert executable.stages["kernels"].count("arith.mulf") == products


# Windows of as many elements in each phase, at last of different sizes.
@pytest.mark.parametrize(
    "size, window, dilation, padding, products",
    [(9, 4, 2, (2, 2), 1), (9, 4, 2, (1, 3), 1), (6, 2, 2, (1, 1), 1), (5, 6, 3, (3, 4), 1), (9, 3, 2, (1, 2), 4)],
)
def test_phases_of_a_transposed_convolution(size, window, dilation, padding, products):
    result = (size - 1) * dilation + 1 + sum(padding) - window + 1
    x, k, r = (
        f"tensor<{each}xf32>" for each in (f"2x{size}x{size}x5", f"{window}x{window}x5x20", f"2x{result}x{result}x20")
    )
    pads = f"[{padding[0]}, {padding[1]}]"
    check(
        f"""
        func.func @main(%x: {x}, %k: {k}) -> {r} {{
          %0 = xla.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
            window = {{pad = [{pads}, {pads}], lhs_dilate = [{dilation}, {dilation}]}}
            {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}} : ({x}, {k}) -> {r}
          return %0 : {r}
        }}""",
        products,
        (2, size, size, 5),
        (window, window, 5, 20),
    )


@pytest.mark.parametrize("rows, columns", [(3, 40), (70, 64)])
def test_layers_with_slices_of_one_tensor(rows, columns):
    t, w = f"tensor<{rows}x{columns}xf32>", f"tensor<4x{columns}x{columns}xf32>"
    s, m = f"tensor<1x{columns}x{columns}xf32>", f"tensor<{columns}x{columns}xf32>"
    lines = []
    for layer in range(4):
        lines.append(f"""
          %s{layer} = xla.slice %w [{layer}:{layer + 1}, 0:{columns}, 0:{columns}] : ({w}) -> {s}
          %m{layer} = xla.reshape %s{layer} : ({s}) -> {m}
          %x{layer + 1} = xla.dot %x{layer}, %m{layer} : ({t}, {m}) -> {t}""")
    check(
        f"func.func @main(%x0: {t}, %w: {w}) -> {t} {{ {''.join(lines)}\n return %x4 : {t} }}",
        1,
        (rows, columns),
        (4, columns, columns),
    )
