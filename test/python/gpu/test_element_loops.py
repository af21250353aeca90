# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counted loops of elementwise operations are loops of each thread: same results, one launch, no memory between."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import mlir_xla

TARGET = "cuda-emulated"


def mandelbrot(re, im):
    """Three values of each element, of two types."""

    def body(_, state):
        zr, zi, count = state
        inside = zr * zr + zi * zi < 4.0
        zr, zi = jnp.where(inside, zr * zr - zi * zi + re, zr), jnp.where(inside, 2 * zr * zi + im, zi)
        return zr, zi, count + inside.astype(jnp.int32)

    return lax.fori_loop(0, 30, body, (jnp.zeros_like(re), jnp.zeros_like(im), jnp.zeros(re.shape, jnp.int32)))


def complex_mandelbrot(re, im):
    def body(_, state):
        z, count = state
        inside = jnp.abs(z) < 2.0
        return jnp.where(inside, z * z + lax.complex(re, im), z), count + inside

    zero = jnp.zeros(re.shape, jnp.complex64), jnp.zeros(re.shape, jnp.int32)
    return lax.fori_loop(0, 20, body, zero)[1]


def counter(x):
    """Of which all threads have their own, and which comes out as well."""
    return lax.fori_loop(0, 40, lambda i, s: (s[0] + jnp.sin(x * i), s[1] + 2 * i), (x, 5))


def nested(x, y):
    def body(i, v):
        return lax.fori_loop(0, 12, lambda j, w: 0.5 * w + jnp.cos(w + i * j), v) - y

    return lax.fori_loop(0, 11, body, x)


def shapes(x, y):
    """Loops of two shapes, one of which reads a row and indices, as they go."""

    def body(i, state):
        a, b, flags = state
        a = a * 0.9 + y[0] + lax.broadcasted_iota(jnp.float32, a.shape, 1) / (1.0 + i)
        return a, jnp.sqrt(jnp.abs(b) + 1), flags ^ (b > 1.5)

    return lax.fori_loop(0, 25, body, (x, y[0], y[0] > 0))


def narrow(x, y):
    """bf16 and bytes, which are rounded and wrap around in every iteration."""

    def body(_, state):
        a, b = state
        return a * jnp.bfloat16(1.01) + jnp.bfloat16(0.1), b * jnp.int8(3) + jnp.int8(1)

    return lax.fori_loop(0, 19, body, (x.astype(jnp.bfloat16), y.astype(jnp.int8)))


def exchanged(x, y):
    """What one value was is the other, and a third is what it is from the beginning."""
    return lax.fori_loop(0, 21, lambda _, s: (s[1], s[0] * 0.5 + s[2], s[2]), (x, y, x * y))


def search(x, y):
    """A binary search, whose gathers have a dimension of size 1."""
    return jnp.searchsorted(jnp.sort(y.ravel()), x, side="right")


PROGRAMS = [mandelbrot, complex_mandelbrot, counter, nested, shapes, narrow, exchanged, search]


def compiled(function, *arrays, target=TARGET):
    return mlir_xla.compile(jax.jit(function).lower(*arrays).as_text(), target=target)


@pytest.mark.parametrize("shape", [(4, 8), (3, 37)])
@pytest.mark.parametrize("function", PROGRAMS)
def test_results(function, shape, checked):
    draw = np.random.default_rng(len(function.__name__))
    arrays = [draw.uniform(-2, 2, shape).astype(np.float32) for _ in range(function.__code__.co_argcount)]
    program = compiled(function, *arrays)
    got, want = program(*arrays), compiled(function, *arrays, target="reference")(*arrays)
    for have, expected in zip(*(each if isinstance(each, tuple) else (each,) for each in (got, want)), strict=True):
        have, expected = np.asarray(have), np.asarray(expected)
        assert have.dtype == expected.dtype
        np.testing.assert_allclose(have.astype(np.float64), expected.astype(np.float64), rtol=1e-5, atol=1e-5)
    main = program.stages["kernels"].split("func.func private")[0]
    assert "scf.for" not in main and "scf.while" not in main


def test_large_arrays_have_lanes():
    """As many as leave no thread without work."""
    few, many = (
        compiled(mandelbrot, *(np.zeros(size, np.float32),) * 2).stages["kernels"] for size in (1 << 18, 1 << 21)
    )
    assert "work d0" in few and "lanes" not in few
    assert "lanes d0 4x1" in many


def test_what_stays_a_loop():
    """Neighbours, sums, and more work than a kernel should do that nobody can interrupt."""
    x = np.zeros(64, np.float32)
    for step, trips in [
        (lambda v: jnp.roll(v, 1) * 0.5, 30),
        (lambda v: v / jnp.sum(v), 30),
        (lambda v: v * 0.5, 1 << 27),
    ]:
        program = compiled(lambda x, step=step, trips=trips: lax.fori_loop(0, trips, lambda _, v: step(v), x), x)
        assert "scf.for" in program.stages["kernels"].split("func.func private")[0]


@pytest.mark.parametrize("op", ["polygamma", "zeta"])
def test_sum_of_functions_with_loops(op):
    """Loops of a function in the loop of a reduction, whose conversion to LLVM has crashed."""
    text = f"""func.func @main(%n: tensor<300xf32>, %x: tensor<300xf32>) -> tensor<f32> {{
      %0 = xla.{op} %n, %x : tensor<300xf32>
      %zero = xla.constant dense<0.0> : tensor<f32>
      %1 = xla.reduce(%0 init: %zero) applies xla.add across dimensions = [0]
          : (tensor<300xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }}"""
    arguments = np.full(300, 3, np.float32), np.linspace(0.5, 9, 300, dtype=np.float32)
    want = mlir_xla.compile(text, target="reference")(*arguments)
    np.testing.assert_allclose(mlir_xla.compile(text, target="cuda-emulated")(*arguments), want, 1e-4)
