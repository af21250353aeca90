# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that have several elements which are apart (`jam d0 4, apart`): along each dimension, of sizes with every
remainder, of less and of more than a block; blocks that have several squares."""

import itertools
import re

import numpy as np
import pytest
from ml_dtypes import bfloat16

import mlir_xla
from mlir_xla import _contexts, ir, parse
from mlir_xla._mlir_libs._xla import compiler
from mlir_xla.passmanager import PassManager

pytestmark = pytest.mark.usefixtures("checked")


def planned(text: str, dim: int, count: int):
    """The program, of whose kernel each thread has `count` elements along `dim`."""
    module = parse(text)
    with module.context:
        PassManager.parse("builtin.module(xla-to-kernels{target=cuda-emulated})").run(module.operation)

    def several(match: re.Match) -> str:
        work = [each for each in match[2].split(", ") if each != f"d{dim}"]
        rest = f", work {', '.join(work)}" if work else ""
        return f"{match[1]}, jam d{dim} {count}, apart{rest}{match[3] or ''}>"

    changed, found = re.subn(
        r"(#xla_rt\.nest<[\dx]+), work (d\d(?:, d\d)*)(, (?:reduce|threads) [^<>]*)?>", several, str(module)
    )
    assert found == 1, str(module)
    with _contexts.Lease(len(changed)) as context:
        module = ir.Module.parse(changed, context)
        return compiler.compile(module.operation, target="cuda-emulated", from_stage="kernels")


def compare(text: str, dim: int, count: int, *arrays: np.ndarray) -> None:
    have = planned(text, dim, count).run(list(arrays))
    want = mlir_xla.compile(text, target="reference")(*arrays)
    np.testing.assert_array_equal(have[0] if isinstance(have, (list, tuple)) else have, want)


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(
    "count, size",
    [(count, size) for count in (2, 3, 4) for size in (9, 10, 11, 12, 101, 102, 103, 400)]
    + [(8, size) for size in (64, 65, 71, 72, 403)],
)
def test_neighbours(count, size):
    """Along the only dimension. What is written begins at sectors where there are enough elements."""
    text = f"""func.func @main(%x: tensor<{size + 1}xf32>) -> tensor<{size}xf32> {{
      %a = xla.slice %x [0:{size}] : (tensor<{size + 1}xf32>) -> tensor<{size}xf32>
      %b = xla.slice %x [1:{size + 1}] : (tensor<{size + 1}xf32>) -> tensor<{size}xf32>
      %0 = xla.subtract %b, %a : tensor<{size}xf32>
      return %0 : tensor<{size}xf32>
    }}"""
    compare(text, 0, count, drawn(size + 1))


@pytest.mark.parametrize(
    "dim, count, rows, columns",
    [
        (dim, count, *sizes)
        for dim, count in itertools.product((0, 1), (2, 4))
        for sizes in ((9, 11), (10, 14), (11, 13), (12, 12), (133, 9), (18, 135))
    ],
)
def test_padding(dim, count, rows, columns):
    """What is read where there is something, in all of a step or in a part of it."""
    result = f"tensor<{rows}x{columns}xf32>"
    inner = f"tensor<{rows - 3}x{columns - 5}xf32>"
    text = f"""func.func @main(%x: {inner}) -> {result} {{
      %c = xla.constant dense<7.0> : tensor<f32>
      %0 = xla.pad %x, %c, low = [1, 3], high = [2, 2], interior = [0, 0] : ({inner}, tensor<f32>) -> {result}
      return %0 : {result}
    }}"""
    compare(text, dim, count, drawn(rows - 3, columns - 5))


@pytest.mark.parametrize("dim, count", [(0, 4), (1, 3)])
@pytest.mark.parametrize("size", [9, 10, 11, 12, 50, 130])
def test_short_rows(dim, count, size):
    """Of what is computed of bytes, with numbers of each column."""
    x, r = f"tensor<{size}x3xi8>", f"tensor<{size}x3xf32>"
    text = f"""func.func @main(%x: {x}, %mean: tensor<3xf32>) -> {r} {{
      %0 = xla.convert %x : ({x}) -> {r}
      %1 = xla.broadcast_in_dim %mean, dims = [1] : (tensor<3xf32>) -> {r}
      %2 = xla.subtract %0, %1 : {r}
      return %2 : {r}
    }}"""
    compare(text, dim, count, np.random.default_rng(size).integers(-128, 128, (size, 3)).astype(np.int8), drawn(3))


@pytest.mark.parametrize("dim, count", [(0, 2), (0, 4), (1, 2), (1, 4)])
@pytest.mark.parametrize("rows", [9, 10, 11, 12])
def test_windows(dim, count, rows):
    """Of which a thread sums up several, each with what is added behind."""
    x, r = f"tensor<{2 * rows}x37xf32>", f"tensor<{rows}x37xf32>"
    text = f"""func.func @main(%x: {x}, %bias: {r}) -> {r} {{
      %init = xla.constant dense<-1.0> : tensor<f32>
      %0 = "xla.reduce_window"(%x, %init) <{{
          window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = xla.maximum %a, %b : tensor<f32>
        xla.return %c : tensor<f32>
      }}) : ({x}, tensor<f32>) -> {r}
      %1 = xla.add %0, %bias : {r}
      return %1 : {r}
    }}"""
    compare(text, dim, count, drawn(2 * rows, 37), drawn(rows, 37))


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("rows, columns", [(9, 10), (11, 133)])
def test_indices_and_complex_numbers(dim, rows, columns):
    """Values that depend on where an element is, two results, and one argument that is read in another order."""
    real, pairs = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}x{columns}xcomplex<f32>>"
    text = f"""func.func @main(%x: {pairs}, %y: {real}) -> {pairs} {{
      %0 = xla.iota dim = 0 : {real}
      %1 = xla.reverse %y, dims = [0, 1] : {real}
      %2 = xla.multiply %0, %1 : {real}
      %3 = xla.complex %2, %y : ({real}, {real}) -> {pairs}
      %4 = xla.add %x, %3 : {pairs}
      return %4 : {pairs}
    }}"""
    x = drawn(rows, columns) + 1j * drawn(columns, rows).T
    compare(text, dim, 4, x.astype(np.complex64), drawn(rows, columns))


def squares(rows: int, columns: int) -> str:
    """Of batches, one of which is the same for them all; what is multiplied is read along the columns."""
    x, y, r = f"tensor<8x{rows}x{columns}xf32>", f"tensor<{rows}x{columns}xbf16>", f"tensor<8x{columns}x{rows}xf32>"
    return f"""func.func @main(%x: {x}, %y: {y}, %z: {r}) -> {r} {{
      %0 = xla.transpose %x, dims = [0, 2, 1] : ({x}) -> {r}
      %t = xla.transpose %y, dims = [1, 0] : ({y}) -> tensor<{columns}x{rows}xbf16>
      %1 = xla.convert %t : (tensor<{columns}x{rows}xbf16>) -> tensor<{columns}x{rows}xf32>
      %2 = xla.broadcast_in_dim %1, dims = [1, 2] : (tensor<{columns}x{rows}xf32>) -> {r}
      %3 = xla.subtract %0, %2 : {r}
      %4 = xla.multiply %3, %z : {r}
      return %4 : {r}
    }}"""


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("rows, columns", [(32, 64), (17, 33), (40, 100)])
def test_squares(count, rows, columns):
    arrays = drawn(8, rows, columns), drawn(rows, columns).astype(bfloat16), drawn(8, columns, rows)
    compare(squares(rows, columns), 0, count, *arrays)


@pytest.mark.parametrize(
    "count, rows, columns", [(2, 64, 32), (2, 100, 40), (2, 33, 33), (3, 96, 17), (4, 128, 64), (4, 193, 33)]
)
def test_squares_behind_each_other(count, rows, columns):
    """The last one may lack, or be smaller."""
    arrays = drawn(8, rows, columns), drawn(rows, columns).astype(bfloat16), drawn(8, columns, rows)
    compare(squares(rows, columns), 2, count, *arrays)


def test_many_elements():
    """As the planner has it, of more elements than a device has threads."""
    text = """func.func @main(%x: tensor<400x801xf32>) -> tensor<403x803xf32> {
      %c = xla.constant dense<7.0> : tensor<f32>
      %0 = xla.pad %x, %c, low = [1, 1], high = [2, 1], interior = [0, 0]
          : (tensor<400x801xf32>, tensor<f32>) -> tensor<403x803xf32>
      return %0 : tensor<403x803xf32>
    }"""
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert "403x803, jam d0 2, apart, work d1>" in found.stages["kernels"]
    x = drawn(400, 801)
    np.testing.assert_array_equal(found(x), np.pad(x, ((1, 2), (1, 1)), constant_values=7))


@pytest.mark.parametrize(
    "shape, kernel, numbers, window, element",
    [
        ((1, 64, 64, 64), (5, 5, 1, 64), "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "pad = [[2, 2], [2, 2]]", "f32"),
        ((1, 16, 64, 64), (16, 1, 7, 3), "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "pad = [[3, 3], [1, 1]]", "f32"),
        (
            (2, 16, 128, 128),
            (16, 1, 5, 5),
            "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
            "stride = [2, 2], pad = [[2, 1], [2, 1]]",
            "f64",
        ),
    ],
)
def test_windows_of_channels(shape, kernel, numbers, window, element):
    """Long windows, of which neighbours are one thread's, and what these have in common is read once."""
    channels = 64 if shape[1] == 64 else 16
    size = tuple(each // 2 if "stride" in window and each == 128 else each for each in shape)
    x, k, r = (f"tensor<{'x'.join(map(str, each))}x{element}>" for each in (shape, kernel, size))
    text = f"""
    func.func @main(%x: {x}, %k: {k}) -> {r} {{
      %r = xla.convolution(%x, %k) dim_numbers = {numbers}, window = {{{window}}}
          {{batch_group_count = 1 : i64, feature_group_count = {channels} : i64}} : ({x}, {k}) -> {r}
      return %r : {r}
    }}"""
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert ", slide" in program.stages["kernels"], program.stages["kernels"]
    draw = np.random.default_rng(shape)
    dtype = {"f32": "f4", "f64": "f8"}[element]
    arguments = [draw.integers(-3, 4, each).astype(dtype) for each in (shape, kernel)]
    np.testing.assert_array_equal(program(*arguments), mlir_xla.compile(text)(*arguments))
