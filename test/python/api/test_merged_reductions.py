# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions that read the same elements share a kernel."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

TARGETS = ["cpu", "cuda-emulated"]


def text_of(function, *arguments):
    return jax.jit(function).trace(*arguments).lower(lowering_platforms=("mlir_xla",)).as_text()


def kernels(executable, kind):
    return executable.stages["kernels"].count(f"xla_rt.kernel = #xla_rt.kernel<{kind}")


def all_of(dimensions):
    """Results of several kinds, two that follow from others, and one that all of them are needed for."""

    def function(x, y):
        total = x.sum(dimensions)
        most = x.max(dimensions)
        products = (x * y).sum(dimensions)
        shifted = lax.reduce(x, np.float32(3), lax.add, dimensions)
        above = (x - jnp.expand_dims(most, dimensions)).min(dimensions)
        signs = (y > 0).any(dimensions)
        return total, most, products, shifted, above, signs, total * most - products

    return function


def expected(dimensions, x, y):
    x, y = x.astype(np.float64), y.astype(np.float64)
    total, most, products = x.sum(dimensions), x.max(dimensions), (x * y).sum(dimensions)
    above = x.min(dimensions) - most
    return total, most, products, total + 3, above, (y > 0).any(dimensions), total * most - products


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("shape", "dimensions"),
    [
        ((67, 131), (0,)),
        ((67, 131), (1,)),
        ((67, 131), (0, 1)),
        ((5, 7, 9, 33), (0, 2, 3)),
        ((5, 7, 9, 33), (0, 1, 2)),
        ((1, 19), (0,)),
        ((300, 3), (1,)),
    ],
)
def test_results(target, shape, dimensions):
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(shape).astype(np.float32) for _ in range(2))
    executable = mlir_xla.compile(text_of(all_of(dimensions), x, y), target=target)
    for number, (got, wanted) in enumerate(zip(executable(x, y), expected(dimensions, x, y), strict=True)):
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-4, atol=1e-3, err_msg=f"result {number}")


@pytest.mark.parametrize(
    ("shape", "dimensions", "count"),
    [
        ((256, 1024), (0,), 1),
        ((512, 128), (1,), 1),
        ((512, 256), (0, 1), 2),  # in two steps
        ((8, 64, 14, 14), (0, 2, 3), 1),
    ],
)
def test_one_kernel_reads_once(shape, dimensions, count):
    x = np.zeros(shape, np.float32)
    program = text_of(lambda x: (x.sum(dimensions), (x * x).sum(dimensions), x.max(dimensions)), x)
    assert kernels(mlir_xla.compile(program), "reduction") == count


def test_gradient_of_layer_norm_keeps_nothing():
    """The sums over rows read what the kernel of rows reads, and no product of it in memory."""

    def norm(x, scale, bias):
        centred = x - jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
        return centred * lax.rsqrt(variance + 1e-5) * scale + bias

    def gradient(x, scale, bias, cotangent):
        return jax.vjp(norm, x, scale, bias)[1](cotangent)

    x, row = np.zeros((512, 1024), np.float32), np.zeros(1024, np.float32)
    executable = mlir_xla.compile(text_of(gradient, x, row, row, x))
    assert kernels(executable, "reduction") == 1
    assert executable.arena_size < x.nbytes // 16


@pytest.mark.parametrize("target", TARGETS)
def test_integers_and_narrow_numbers(target):
    rng = np.random.default_rng(1)
    x = rng.integers(-100, 100, (37, 45)).astype(np.int8)

    def function(x):
        wide = x.astype(jnp.int32)
        return x.max(0), x.min(0), wide.sum(0), lax.reduce(wide, np.int32(-1), lax.bitwise_and, (0,)), (wide * 2).max(0)

    wide = x.astype(np.int32)
    wanted = x.max(0), x.min(0), wide.sum(0), np.bitwise_and.reduce(wide, 0), (wide * 2).max(0)
    for got, want in zip(mlir_xla.compile(text_of(function, x), target=target)(x), wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize("dimensions", [(0, 1, 2), (0, 2, 3)])
def test_gradient_of_batch_norm_keeps_nothing(dimensions):
    """What kernels compute again of a tensor lets others compute again what follows from it, too."""

    def norm(x, scale, bias):
        mean, variance = x.mean(dimensions, keepdims=True), x.var(dimensions, keepdims=True)
        shape = mean.shape
        return jax.nn.relu((x - mean) * lax.rsqrt(variance + 1e-5) * scale.reshape(shape) + bias.reshape(shape))

    def step(x, scale, bias, cotangent):
        result, back = jax.vjp(norm, x, scale, bias)
        return result, *back(cotangent)

    x, channels = np.zeros((16, 32, 32, 32), np.float32), np.zeros(32, np.float32)
    assert mlir_xla.compile(text_of(step, x, channels, channels, x)).arena_size < x.nbytes // 16


def test_gradient_of_mean_square_keeps_nothing():
    """A sum that is all that reads a tensor reads the two that it follows from."""

    def step(x, y):
        return jax.value_and_grad(lambda x: ((x - y) ** 2).mean())(x)

    x = np.zeros((2048, 256), np.float32)
    assert mlir_xla.compile(text_of(step, x, x)).arena_size < x.nbytes // 16
