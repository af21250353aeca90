# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums whose kernel writes them to a part of a tensor: strided, at a place that is data, as parts of a concatenation,
behind attention; odd sizes, and the memory that this needs."""

import numpy as np
import pytest

import mlir_xla


def check(text, *shapes, tolerance=0.0, arena=None, scalars=()):
    rng = np.random.default_rng(3)
    arguments = [rng.integers(-4, 5, shape).astype(np.float32) for shape in shapes]
    if tolerance:
        arguments = [each / 4 for each in arguments]
    arguments += [np.array(each, np.int32) for each in scalars]
    want = np.asarray(mlir_xla.compile(text, target="reference")(*arguments))
    for threads, feature in ((1, "-avx512f"), (2, "")):
        exe = mlir_xla.compile(text, features=feature, threads=threads)
        np.testing.assert_allclose(np.asarray(exe(*arguments)), want, rtol=tolerance, atol=tolerance)
    if arena is not None:
        assert exe.arena_size <= arena
    return exe


@pytest.mark.parametrize("height, width, features", [(29, 31, 40), (28, 28, 32), (1, 57, 67)])
def test_gradient_of_a_stride(height, width, features):
    x, k = f"tensor<3x{height}x{width}x{features}xf32>", f"tensor<3x3x17x{features}xf32>"
    r = f"tensor<3x{2 * height}x{2 * width}x17xf32>"
    text = f"""
    func.func @main(%x: {x}, %k: {k}) -> {r} {{
      %0 = xla.reverse %k, dims = [0, 1] : {k}
      %1 = xla.convolution(%x, %0) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
        window = {{pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]}} : ({x}, {k}) -> {r}
      return %1 : {r}
    }}"""
    check(text, (3, height, width, features), (3, 3, 17, features))


def test_gradient_of_a_stride_takes_no_memory_for_its_phases():
    text = """
    func.func @main(%x: tensor<8x28x28x64xf32>, %k: tensor<3x3x64x64xf32>) -> tensor<8x56x56x64xf32> {
      %0 = xla.reverse %k, dims = [0, 1] : tensor<3x3x64x64xf32>
      %1 = xla.convolution(%x, %0) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
        window = {pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]}
        : (tensor<8x28x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<8x56x56x64xf32>
      return %1 : tensor<8x56x56x64xf32>
    }"""
    check(text, (8, 28, 28, 64), (3, 3, 64, 64), arena=4 * 64 * 64 * 4)


@pytest.mark.parametrize("rows", [7, 201])
@pytest.mark.parametrize("place", [3, 1000])
def test_product_at_a_place_that_is_data(rows, place):
    a, r = f"tensor<{rows}x33xf32>", f"tensor<{rows + 9}x50xf32>"
    text = f"""
    func.func @main(%a: {a}, %b: tensor<33x50xf32>, %r: {r}, %i: tensor<i32>) -> {r} {{
      %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, tensor<33x50xf32>) -> tensor<{rows}x50xf32>
      %1 = xla.add %0, %0 : tensor<{rows}x50xf32>
      %z = xla.constant dense<0> : tensor<i32>
      %2 = xla.dynamic_update_slice %r, %1, %i, %z : ({r}, tensor<{rows}x50xf32>, tensor<i32>, tensor<i32>) -> {r}
      return %2 : {r}
    }}"""
    check(text, (rows, 33), (33, 50), (rows + 9, 50), scalars=[place])


def test_product_of_what_it_overwrites():
    text = """
    func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %s = xla.slice %a [0:40, 0:64] : (tensor<64x64xf32>) -> tensor<40x64xf32>
      %0 = xla.dot_general %s, %b, contracting_dims = [1] x [0]
        : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32>
      %i = xla.constant dense<7> : tensor<i32>
      %1 = xla.dynamic_update_slice %a, %0, %i, %i
        : (tensor<64x64xf32>, tensor<40x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x64xf32>
      return %1 : tensor<64x64xf32>
    }"""
    check(text, (64, 64), (64, 64))


def test_concatenated_sums():
    text = """
    func.func @main(%a: tensor<37x45xf32>, %b: tensor<45x70xf32>, %c: tensor<5x11x37x70xf32>) -> tensor<37x210xf32> {
      %0 = xla.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<37x45xf32>, tensor<45x70xf32>) -> tensor<37x70xf32>
      %1 = xla.tanh %0 : tensor<37x70xf32>
      %z = xla.constant dense<0.0> : tensor<f32>
      %2 = xla.reduce(%c init: %z) applies xla.add across dimensions = [0, 1]
        : (tensor<5x11x37x70xf32>, tensor<f32>) -> tensor<37x70xf32>
      %3 = xla.concatenate %1, %2, %1, dim = 1
        : (tensor<37x70xf32>, tensor<37x70xf32>, tensor<37x70xf32>) -> tensor<37x210xf32>
      return %3 : tensor<37x210xf32>
    }"""
    check(text, (37, 45), (45, 70), (5, 11, 37, 70), tolerance=2e-5)


def test_attention_into_a_part():
    """Products, a softmax and products in one kernel, which writes to rows of a larger tensor."""
    s, o = "tensor<130x130xf32>", "tensor<130x32xf32>"
    text = f"""
    func.func @main(%q: {o}, %k: {o}, %v: {o}, %r: tensor<300x32xf32>, %i: tensor<i32>) -> tensor<300x32xf32> {{
      %0 = xla.dot_general %q, %k, contracting_dims = [1] x [1] : ({o}, {o}) -> {s}
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %zero = xla.constant dense<0.0> : tensor<f32>
      %m = xla.reduce(%0 init: %low) applies xla.maximum across dimensions = [1] : ({s}, tensor<f32>) -> tensor<130xf32>
      %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<130xf32>) -> {s}
      %d = xla.subtract %0, %mb : {s}
      %e = xla.exponential %d : {s}
      %t = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1] : ({s}, tensor<f32>) -> tensor<130xf32>
      %tb = xla.broadcast_in_dim %t, dims = [0] : (tensor<130xf32>) -> {s}
      %p = xla.divide %e, %tb : {s}
      %1 = xla.dot_general %p, %v, contracting_dims = [1] x [0] : ({s}, {o}) -> {o}
      %z = xla.constant dense<0> : tensor<i32>
      %2 = xla.dynamic_update_slice %r, %1, %i, %z
        : (tensor<300x32xf32>, {o}, tensor<i32>, tensor<i32>) -> tensor<300x32xf32>
      return %2 : tensor<300x32xf32>
    }}"""
    exe = check(text, (130, 32), (130, 32), (130, 32), (300, 32), tolerance=2e-5, scalars=[99])
    assert exe.arena_size < 130 * 130 * 4 * 2
