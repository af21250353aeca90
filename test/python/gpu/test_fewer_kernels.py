# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is one kernel on a GPU where it was several, and what has more parts than it had."""

import re

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

DRAW = np.random.default_rng(28)


def compiled(function, *arguments):
    text = jax.jit(function).lower(*arguments).as_text()
    found = mlir_xla.compile(text, target="cuda-emulated")
    return found, mlir_xla.compile(text, target="reference")


def calls(found):
    """Kernels that the schedule calls."""
    return len(re.findall(r" = (func\.)?call @", found.stages["kernels"]))


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_dropout_by_a_mask(dtype):
    """More than 64 operations, of which one is a quotient: an instruction, and no function with coefficients."""

    def dropout(x, key):
        keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.9, x.shape)
        return x * (keep.astype(x.dtype) / 0.9).astype(x.dtype)

    x, key = DRAW.standard_normal((24, 130)).astype(dtype), np.array([3, 7], np.uint32)
    found, reference = compiled(dropout, x, key)
    assert calls(found) == 1
    have, want = (np.asarray(each(x, key)).astype(np.float64) for each in (found, reference))
    np.testing.assert_allclose(have, want, rtol=1e-2 if dtype != np.float32 else 1e-6)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16, np.float32])
def test_scans_of_columns_in_blocks(dtype, reverse):
    """Sums of blocks, a scan of those, a scan of each block: bf16 is widened, and rounded again, on the way."""
    x = (DRAW.integers(-2, 3, (256, 40)) / 4).astype(dtype)
    found, reference = compiled(lambda x: jax.lax.cumsum(x, 0, reverse=reverse), x)
    assert calls(found) == 3
    np.testing.assert_array_equal(np.asarray(found(x)).astype(np.float64), np.asarray(reference(x)).astype(np.float64))


def test_many_updates_of_few_elements():
    """A thread would make hundreds one after the other."""
    x, places = DRAW.standard_normal(20480).astype(np.float32), DRAW.integers(0, 10, 20480).astype(np.int32)
    found, reference = compiled(lambda x, places: jax.ops.segment_sum(x, places, 10), x, places)
    assert re.search(r"tensor<\d+x10xf32>", found.stages["kernels"])
    np.testing.assert_allclose(found(x, places), reference(x, places), rtol=1e-4, atol=1e-3)


def test_owners_are_there_at_once():
    """All blocks of a dealt scatter have a place, two on each multiprocessor."""
    x, places = DRAW.standard_normal((9000, 4)).astype(np.float32), DRAW.integers(0, 4000, 9000).astype(np.int32)
    found, reference = compiled(lambda x, places: jax.ops.segment_sum(x, places, 4000), x, places)
    assert "updates<dealt" in found.stages["kernels"]
    assert re.search(r"\.entry scatter_\d+\([^{]*\.minnctapersm 2\b", found.stages["binary"])
    np.testing.assert_allclose(found(x, places), reference(x, places), rtol=1e-5, atol=1e-5)


def test_64_rows_by_bytes():
    """A block has all rows and 128 columns, of which it brings fewer bytes than with 64."""
    x = DRAW.standard_normal((64, 512)).astype(ml_dtypes.bfloat16)
    w, scales = DRAW.integers(-3, 4, (512, 1024)).astype(np.int8), np.full(1024, 0.5, ml_dtypes.bfloat16)
    found, reference = compiled(lambda x, w, scales: x @ (w.astype(jnp.bfloat16) * scales), x, w, scales)
    assert calls(found) == 1
    have, want = (np.asarray(each(x, w, scales)).astype(np.float64) for each in (found, reference))
    np.testing.assert_allclose(have, want, rtol=2e-2, atol=0.3)


def test_tiles_of_64_rows_by_bytes():
    text = """
    func.func @main(%x: tensor<64x4096xbf16>, %w: tensor<4096x4096xi8>) -> tensor<64x4096xbf16> {
      %c = xla.convert %w : (tensor<4096x4096xi8>) -> tensor<4096x4096xbf16>
      %r = xla.dot_general %x, %c, contracting_dims = [1] x [0]
          : (tensor<64x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<64x4096xbf16>
      return %r : tensor<64x4096xbf16>
    }"""
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert re.search(r"m d0 64, n d1 128, k d2 32, register 32x32, instruction mma", found.stages["kernels"])


@pytest.mark.parametrize("function", [jnp.max, jnp.argmax, jnp.mean, jnp.linalg.norm])
def test_reductions_of_stacks(function):
    """The stack is nowhere in memory."""

    def around(x):
        padded = jnp.pad(x, 1)
        shifted = [padded[i : i + len(x), j : j + x.shape[1]] for i in range(3) for j in range(3)]
        return function(jnp.stack(shifted), axis=0)

    x = DRAW.standard_normal((30, 41)).astype(np.float32)
    found, reference = compiled(around, x)
    assert calls(found) == 1
    np.testing.assert_allclose(found(x), reference(x), rtol=1e-5, atol=1e-6)


def test_sums_of_columns_beside_values_of_rows():
    """The gradient of a layer norm: rows, and sums of columns that the last block adds up."""

    def norm(x, scale, bias):
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * scale + bias

    def gradient(x, scale, given):
        return jax.vjp(norm, x, scale, jnp.zeros_like(scale))[1](given)

    arrays = [DRAW.standard_normal(shape).astype(np.float32) for shape in ((256, 512), 512, (256, 512))]
    found, reference = compiled(gradient, *arrays)
    assert found.stages["loops"].count("gpu.launch_func") == 2
    for have, want in zip(found(*arrays), reference(*arrays), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("box", [np.s_[1:-1, 1:-1], np.s_[:-1], np.s_[:, 5:]])
def test_updates_that_read_around(box):
    """A relaxation: each element is computed or read where it is written; a loop has two tensors that take turns."""

    def relax(x):
        def step(_, x):
            around = sum(jnp.roll(x, by, axis) for by in (1, -1) for axis in (0, 1))
            return x.at[box].set(0.25 * around[box])

        return jax.lax.fori_loop(0, 5, step, x)

    x = DRAW.standard_normal((100, 150)).astype(np.float32)
    found, reference = compiled(relax, x)
    assert calls(found) == 1
    np.testing.assert_allclose(found(x), reference(x), rtol=1e-5, atol=1e-6)


def test_borders_of_an_argument():
    """Which has to stay as it is: no copy of it comes before the update."""
    x, y = (DRAW.standard_normal((60, 64)).astype(np.float32) for _ in range(2))
    found, reference = compiled(lambda x, y: x.at[1:-1, 1:-1].add(jnp.tanh(y)[1:-1, 1:-1]), x, y)
    assert calls(found) == 1
    assert "xla_rt_cuda_copy" not in found.stages["loops"]
    np.testing.assert_allclose(found(x, y), reference(x, y), rtol=1e-5, atol=1e-6)


def test_conditions_of_batched_loops():
    """Which of the batch go on is asked once in each iteration, of rows; one more reduction says whether any does."""

    def root(x):
        def goes_on(y):
            return jnp.abs(y * y - x).sum() > 1e-3

        return jax.lax.while_loop(goes_on, lambda y: (y + x / y) / 2, x)

    x = np.abs(DRAW.standard_normal((20, 300))).astype(np.float32) + 0.5
    found, reference = compiled(jax.vmap(root), x)
    assert len(re.findall(r" = func\.call @(reduction|rows)", found.stages["kernels"])) == 2
    np.testing.assert_allclose(found(x), reference(x), rtol=1e-5)


@pytest.mark.parametrize("shape, axis", [((128, 40), 0), ((101, 3), 0), ((6, 77), 1), ((64, 5, 4), 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_levels_of_associative_scans(shape, axis, dtype):
    """Every level chooses between what it computes and the next one's results, so that several are a kernel; those on
    the way there are computed again where that is less than a launch."""

    def recurrence(a, x):
        def combine(before, after):
            return before[0] * after[0], after[0] * before[1] + after[1]

        return jax.lax.associative_scan(combine, (a, x), axis=axis)[1]

    def draw():
        parts = [DRAW.integers(-2, 3, shape).astype(np.float32) / 2 for _ in range(2)]
        return (parts[0] + 1j * parts[1]).astype(dtype) if dtype == np.complex64 else parts[0]

    a, x = draw(), draw()
    found, reference = compiled(recurrence, a, x)
    assert found.stages["loops"].count("gpu.launch_func") < 2 * np.log2(shape[axis])
    np.testing.assert_allclose(found(a, x), reference(a, x), rtol=1e-5, atol=1e-4)


def call_price(price, strike, years, rate, volatility):
    """The Black-Scholes formula, and its argument by price and volatility."""
    deviation = volatility * jnp.sqrt(years)
    first = (jnp.log(price / strike) + (rate + volatility * volatility / 2) * years) / deviation
    normal = jax.scipy.stats.norm.cdf
    return price * normal(first) - strike * jnp.exp(-rate * years) * normal(first - deviation)


def test_functions_of_few_numbers():
    """More than 64 operations with functions, of which a thread has few results at once."""

    def sensitivities(*arguments):
        return jax.vmap(jax.value_and_grad(call_price, (0, 2, 4)))(*arguments)

    arguments = [DRAW.uniform(*bounds, 1000).astype(np.float32) for bounds in ((50, 150),) * 2 + ((0.1, 2),) * 3]
    found, reference = compiled(sensitivities, *arguments)
    assert calls(found) == 1
    for have, want in zip(found(*arguments), reference(*arguments), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-3, atol=1e-3)


def test_parts_that_are_computed():
    """Sines and cosines of one argument are computed where they are written behind each other."""
    frequencies = 2.0 ** np.arange(4, dtype=np.float32)

    def encoded(x, w):
        angle = (x[:, None] * frequencies[:, None]).reshape(x.shape[0], -1)
        return jnp.concatenate([x, jnp.sin(angle), jnp.cos(angle)], -1) @ w

    x, w = (DRAW.standard_normal(shape).astype(np.float32) for shape in ((70, 3), (27, 40)))
    found, reference = compiled(encoded, x, w)
    assert "call @elementwise" not in found.stages["kernels"]
    assert calls(found) == 4
    np.testing.assert_allclose(found(x, w), reference(x, w), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shifts", [[1, -2, 5], [(1, 3), (-1, 0), (0, -4), (2, -1)]])
def test_rolls_that_are_stacked(shifts):
    """What each is rolled to is computed where it is written: nothing that is rolled is in memory."""
    axes = 0 if isinstance(shifts[0], int) else (0, 1)

    def streamed(x):
        y = jnp.exp(x)
        return jnp.stack([jnp.roll(y[i], shift, axes) for i, shift in enumerate(shifts)])

    x = DRAW.standard_normal((len(shifts), 9, 14)).astype(np.float32)
    found, reference = compiled(streamed, x)
    assert calls(found) <= 1 + len(shifts)
    np.testing.assert_allclose(found(x), reference(x), rtol=1e-5)
