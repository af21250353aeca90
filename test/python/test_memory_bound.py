# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that move more than they compute, at sizes that make kernels of several forms: against NumPy and XLA."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler


def _run(function: Callable[..., object], *arguments: np.ndarray) -> list[np.ndarray]:
    with jax.enable_x64(True):
        text = jax.jit(function, keep_unused=True).lower(*arguments).as_text()
    found = mlir_xla.compile(text)(*arguments)
    return [np.asarray(each) for each in (found if isinstance(found, (list, tuple)) else [found])]


_SHAPES = (
    ((3, 40, 50), (1, 2, 0)),
    ((40, 50, 3), (2, 0, 1)),
    ((9, 33, 65), (2, 1, 0)),
    ((5, 7, 9, 11), (3, 2, 0, 1)),
    ((2, 3, 100, 70), (3, 2, 0, 1)),
    ((3, 3, 63, 61), (3, 2, 0, 1)),
    ((3, 3, 64, 64), (3, 2, 0, 1)),
    ((13, 64, 64), (2, 1, 0)),
    ((130, 19), (1, 0)),
    ((7, 5), (1, 0)),
)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize(("shape", "order"), _SHAPES)
def test_transpositions(dtype: type, shape: tuple[int, ...], order: tuple[int, ...]) -> None:
    """Rows shorter than a vector, remainders along both dimensions, and elements of every size."""
    rng = np.random.default_rng(len(shape))
    x = (rng.standard_normal(shape) * 100).astype(dtype)
    if np.iscomplexobj(x):
        x += (1j * rng.standard_normal(shape)).astype(dtype)
    (found,) = _run(lambda a: jnp.transpose(a, order), x)
    np.testing.assert_array_equal(found, x.transpose(order))
    (found,) = _run(lambda a: jnp.pad(jnp.transpose(a, order)[::-1], [(1, 2)] * a.ndim), x)
    np.testing.assert_array_equal(found, np.pad(x.transpose(order)[::-1], [(1, 2)] * x.ndim))


@pytest.mark.parametrize("dtype", [np.int16, np.float32])
def test_large_transpositions_to_short_rows(dtype: type) -> None:
    """Whole lines of what is read, at a time, of which the last rows are none."""
    x = np.random.default_rng(3).integers(-9999, 9999, (3, 3, 468, 512)).astype(dtype)
    (found,) = _run(lambda a: jnp.transpose(a, (3, 2, 0, 1)), x)
    np.testing.assert_array_equal(found, x.transpose(3, 2, 0, 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_transpositions_whose_rows_collide(dtype: type) -> None:
    """The last block of rows is half of one."""
    for shape in ((1024, 528), (3, 512, 272)):
        x = np.random.default_rng(4).integers(-9999, 9999, shape).astype(dtype)
        (found,) = _run(lambda a: jnp.swapaxes(a, -1, -2) + a.dtype.type(1), x)
        np.testing.assert_array_equal(found, np.swapaxes(x, -1, -2) + dtype(1))


def test_complex_padding_keeps_bits() -> None:
    """Complex numbers are moved with their signs of zero and payloads of NaN, and pad with any value."""
    x = np.zeros((40, 24), np.complex64)
    x.view(np.uint32)[:] = np.random.default_rng(0).integers(0, 2**32, (40, 48), dtype=np.uint32)
    (found,) = _run(lambda a: jnp.pad(a.T, 1, constant_values=complex(-0.0, 3.0)), x)
    want = np.pad(x.T, 1, constant_values=np.complex64(complex(-0.0, 3.0)))
    bits = [np.ascontiguousarray(each).view(np.uint32) for each in (found, want)]
    np.testing.assert_array_equal(*bits)


@pytest.mark.parametrize("shape", [(300, 1000), (5000, 70), (65, 129), (3, 40000), (700, 16), (1, 50)])
@pytest.mark.parametrize("axis", [0, 1])
def test_extrema_with_their_indices(shape: tuple[int, int], axis: int) -> None:
    """Ties go to the first, and NaN wins, whatever the number of vectors."""
    x = np.random.default_rng(1).integers(0, 50, shape).astype(np.float32)
    x[shape[0] // 2, shape[1] // 3] = np.nan
    found = _run(lambda a: (jnp.argmax(a, axis=axis), jnp.argmin(a, axis=axis)), x)
    np.testing.assert_array_equal(found[0], np.argmax(x, axis=axis))
    np.testing.assert_array_equal(found[1], np.argmin(x, axis=axis))


_SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 1e-40, -1e-40, 3e38)


@pytest.mark.parametrize("features", ["", "-avx512f", "-avx512dq"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_extrema_of_special_numbers(dtype: type, features: str) -> None:
    """NaN wins, and +0 is more than -0: elementwise, along rows and down columns, of vectors, two, and numbers."""
    x, y = (np.array(each, dtype) for each in zip(*itertools.product(_SPECIAL, repeat=2), strict=True))
    rows = np.random.default_rng(4).choice(np.array(_SPECIAL[:6] + _SPECIAL[8:], dtype), (48, 200))
    rows[:16] = np.where(rows[:16] > 0, dtype(0.0), dtype(-0.0))
    rows[0], rows[17, 3], rows[18, 199], rows[:, 5] = -0.0, np.nan, -np.nan, -np.inf

    def extrema(x: jax.Array, y: jax.Array, rows: jax.Array) -> list[jax.Array]:
        both = [jnp.maximum(x, y), jnp.minimum(x, y), jnp.clip(x, -1.0, 1.0)]
        for f, reduction in ((jnp.maximum, jnp.max), (jnp.minimum, jnp.min)):
            both += [f(x[i], y[i]) for i in (1, 11, 6, 66, 15)]
            both += [reduction(jnp.stack([x[i], y[i]])) for i in (1, 11, 6, 66, 15)]
        return both + [f(part, axis=i) for f in (jnp.max, jnp.min) for part in (rows, rows[:, :37]) for i in (0, 1)]

    with jax.enable_x64(True):
        text = jax.jit(extrema).lower(x, y, rows).as_text()
    wanted = mlir_xla.compile(text, target="reference")(x, y, rows)
    for have, want in zip(mlir_xla.compile(text, features=features)(x, y, rows), wanted, strict=True):
        np.testing.assert_array_equal(have, want)
        np.testing.assert_array_equal(np.signbit(have) | np.isnan(have), np.signbit(want) | np.isnan(want))


@pytest.mark.parametrize("shape", [(64,), (2,), ()])
def test_extrema_by_the_instruction_for_ranges(shape: tuple[int, ...]) -> None:
    """Three instructions where the processor has AVX-512 DQ, which this one need not."""
    text = jax.jit(lambda x, y: jnp.max(jnp.maximum(x, y))).lower(*[np.zeros(shape, np.float32)] * 2).as_text()
    for features, is_chosen in (("", True), ("-avx512dq", False), ("-avx512f", False)):
        assert ("vrangeps" in _assembly(text, features)) == is_chosen


def test_extrema_beside_a_number_by_one_instruction() -> None:
    text = jax.jit(lambda x: jnp.clip(x, 0.25, 4.0)).lower(np.zeros(64, np.float32)).as_text()
    assembly = _assembly(text, "")
    assert "vrangeps" not in assembly
    assert "vcmpunordps" not in assembly
    assert "vmaxps" in assembly
    assert "vminps" in assembly


def _assembly(text: str, features: str) -> str:
    with ir.Context():
        module = ir.Module.parse(text).operation
        return compiler.compile(module, cpu="x86-64-v4", features=features, keep_stages=True).stages["binary"]


def _layer(x: jax.Array, w: jax.Array, scale: jax.Array, v: jax.Array) -> jax.Array:
    y = x @ w
    y = (y - y.mean(0)) * jax.lax.rsqrt(y.var(0) + 1e-3) * scale
    return jnp.sum((jax.nn.gelu(y) @ v) ** 2)


@pytest.mark.parametrize("rows", [512, 500])
def test_gradients_of_a_layer(rows: int) -> None:
    """What a gradient reads of the layer is computed again by its kernels."""
    rng = np.random.default_rng(2)
    shapes = ((rows, 96), (96, 515), (515,), (515, 64))
    arguments = [rng.standard_normal(shape).astype(np.float32) / 8 for shape in shapes]
    step = jax.value_and_grad(_layer, argnums=(0, 1, 2, 3))
    found = _run(lambda *a: jax.tree.leaves(step(*a)), *arguments)
    for have, want in zip(found, jax.tree.leaves(jax.jit(step)(*arguments)), strict=True):
        np.testing.assert_allclose(have, want, rtol=2e-3, atol=2e-4 * float(np.abs(want).max()))


def test_scalars_read_by_many_kernels() -> None:
    """A step of Adam over several arrays: scalars are broadcast where they are read."""
    rng = np.random.default_rng(3)
    count = np.float32(7)
    arrays = [rng.standard_normal((each, 33)).astype(np.float32) for each in (3, 40, 40, 200)]

    def step(t: jax.Array, *xs: jax.Array) -> list[jax.Array]:
        rate, other = 1.0 - 0.9**t, 1.0 - 0.99**t
        return [x - 0.1 * (x / rate) / (jnp.sqrt(x * x / other) + 1e-3) for x in xs]

    for have, want in zip(_run(step, count, *arrays), jax.jit(step)(count, *arrays), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-6)
