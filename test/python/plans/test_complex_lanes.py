# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers in lanes, as pairs of vectors."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from plan_text import kernels, plans, replan, run

import mlir_xla
from mlir_xla.tuning.plans import Nest


def iterated(x, y):
    """The fractal of z^2 + 0.3."""

    def step(_, carried):
        z, count = carried
        z = jnp.where(jnp.abs(z) < 2, z * z + 0.3, z)
        return z, count + (jnp.abs(z) < 2)

    return lax.fori_loop(0, 5, step, (x, jnp.zeros(x.shape, jnp.int32)))


# What rounds at most once, in whatever way it is compiled.
ELEMENTWISE = {
    "sum": lambda x, y: x + y,
    "parts": lambda x, y: (jnp.real(x + y), jnp.imag(x) - jnp.real(y)),
    "one part": lambda x, y: jnp.imag(x) * 2,
    "made": lambda x, y: lax.complex(jnp.real(x), jnp.imag(y)),
    "conjugate": lambda x, y: jnp.conj(x) - y,
    "chosen": lambda x, y: jnp.where(jnp.real(x) < 1, x, -y),
    "compared": lambda x, y: (x == y, x + x != y),
    "converted": lambda x, y: x + lax.iota(jnp.int32, x.shape[1]),
    "reversed": lambda x, y: x[:, ::-1] - y,
    "every second": lambda x, y: -x[:, ::2],
    "every third": lambda x, y: x[:, ::3] + 1,
    "padded": lambda x, y: -jnp.pad(x + y, ((1, 2), (3, 0)), constant_values=2j),
    "joined": lambda x, y: -jnp.concatenate([x, y + y], axis=1),
    "transposed": lambda x, y: jnp.conj(x).T,
    "transposed with others": lambda x, y: jnp.conj(x).T + lax.optimization_barrier(jnp.imag(y)).T,
    "broadcast": lambda x, y: x + y[:, :1] - y[0],
    "gathered": lambda x, y: x[:, jnp.arange(x.shape[1]) * 7 % x.shape[1]] - y,
    "updated": lambda x, y: x.at[1, 2:].set(y[0, 2:] + y[1, 2:]),
}

OTHERS = {
    "product": lambda x, y: x * y - 1j,
    "quotient": lambda x, y: x / y,
    "modulus": lambda x, y: jnp.abs(x - y),
    "functions": lambda x, y: jnp.exp(x) + jnp.log(y) + jnp.sqrt(x * y),
    "power": lambda x, y: x**y,
    "iterated": iterated,
    "sum of all": lambda x, y: (x * y).sum(),
    "sum of rows": lambda x, y: (x * y).sum(1),
    "sum of columns": lambda x, y: x.sum(0),
    "product of rows": lambda x, y: (x / 4).prod(1),
    "inner product": lambda x, y: jnp.vdot(x, y),
    "matrix product": lambda x, y: x @ y.T,
    "norm": lambda x, y: x / jnp.abs(x).sum(1, keepdims=True),
    "normalised": lambda x, y: x / x.sum(1, keepdims=True) * y,
    "mean and largest": lambda x, y: (x.mean(0), jnp.abs(x).max(0), (x * y).sum(0)),
    "scan of rows": lambda x, y: lax.cumsum(x, axis=1) * y,
    "scan of columns": lambda x, y: lax.cumprod(x / 2, axis=0, reverse=True),
    "largest": lambda x, y: jnp.argmax(jnp.abs(x), axis=1),
    "window": lambda x, y: lax.reduce_window(x * y, 0j, lax.add, (1, 3), (1, 1), "SAME"),
    "real product": lambda x, y: jnp.where(jnp.abs(x) < 1, jnp.real(x), 0) @ jnp.imag(y).T,
}


def arguments(element, shape):
    rng = np.random.default_rng(5)
    x, y = ((rng.uniform(0.2, 2, shape) + 1j * rng.uniform(-2, 2, shape)).astype(element) for _ in range(2))
    y[0] = x[0]
    return x, y


def lowered(function, x, y) -> str:
    with jax.enable_x64(x.dtype == np.complex128):
        return jax.jit(function, keep_unused=True).lower(x, y).as_text()


def one_by_one(_: int, plan: Nest) -> Nest:
    return Nest(plan.sizes, work=[dim for dim, size in enumerate(plan.sizes) if size != 1])


def close(have, want, rtol):
    for left, right in zip(have, want, strict=True):
        left, right = np.asarray(left), np.asarray(right)
        if left.dtype.kind not in "fc":
            np.testing.assert_array_equal(left, right)
            continue
        np.testing.assert_allclose(left, right, rtol=rtol, atol=rtol * max(1.0, float(np.abs(right).max(initial=0))))


@pytest.mark.parametrize("shape", [(3, 41), (4, 64)])
@pytest.mark.parametrize("element", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.parametrize("bits", [128, 512])
def test_elementwise(name, element, shape, bits):
    x, y = arguments(element, shape)
    text = lowered(ELEMENTWISE[name], x, y)
    planned = kernels(text, f"{{vector-bits={bits}}}")
    assert any(plan.lanes for plan in plans(planned))
    have = run(planned, [x, y])
    for left, right in zip(have, run(replan(planned, one_by_one), [x, y]), strict=True):
        assert left.tobytes() == right.tobytes()
    want = jax.tree.leaves(mlir_xla.compile(text, target="reference")(x, y))
    close(have, want, 2e-5 if element == np.complex64 else 1e-12)


@pytest.mark.parametrize("shape", [(3, 41), (70, 130)])
@pytest.mark.parametrize("element", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", OTHERS)
def test_combined(name, element, shape):
    x, y = arguments(element, shape)
    text = lowered(OTHERS[name], x, y)
    have = jax.tree.leaves(mlir_xla.compile(text)(x, y))
    want = jax.tree.leaves(mlir_xla.compile(text, target="reference")(x, y))
    close(have, want, 1e-4 if element == np.complex64 else 1e-11)
