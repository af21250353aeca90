# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of stencils one behind the other: what the next one reads at several places is computed once, unless it is
little. Integers are compared exactly, so that a wrong neighbour shows."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mlir_xla

BOUNDARIES = ["periodic", "padded", "inner", "edge", "reflect", "wrap"]


def _neighbours(x, boundary: str, numpy):
    """`x` at its place, and one element before and behind along each dimension."""
    if boundary == "periodic":
        return [x, *(numpy.roll(x, by, dim) for dim in range(x.ndim) for by in (1, -1))]
    if boundary == "padded":
        x = numpy.pad(x, 1)
    elif boundary != "inner":
        x = numpy.pad(x, 1, mode=boundary)
    middle = [slice(1, -1)] * x.ndim
    places = [
        (*middle[:dim], slice(low, x.shape[dim] - 2 + low), *middle[dim + 1 :])
        for dim, low in itertools.product(range(x.ndim), (0, 2))
    ]
    return [x[tuple(middle)], *(x[place] for place in places)]


def _step(x, boundary: str, numpy):
    here, *others = _neighbours(x, boundary, numpy)
    return (here ^ sum(others)) + here * 3 - (others[0] & others[-1])


def _steps(x, boundary: str, count: int, numpy):
    for _ in range(count):
        x = _step(x, boundary, numpy)
    return x


def _text(function, *arrays) -> str:
    return str(jax.jit(function).lower(*arrays).compiler_ir("stablehlo"))


def _kernels(run) -> int:
    return run.stages["kernels"].count("call @")


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("shape", [(40,), (1000,), (20, 70), (130, 33), (9, 10, 40)])
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_steps(boundary, shape, target):
    x = np.random.default_rng(shape).integers(-99, 99, shape).astype(np.int32)
    run = mlir_xla.compile(_text(lambda x: _steps(x, boundary, 4, jnp), x), target=target)
    np.testing.assert_array_equal(np.asarray(run(x)), _steps(x, boundary, 4, np))


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_each_step_of_a_large_stencil_is_a_kernel(boundary):
    x = np.random.default_rng(3).integers(-99, 99, (300, 400)).astype(np.int32)
    run = mlir_xla.compile(_text(lambda x: _steps(x, boundary, 3, jnp), x))
    assert _kernels(run) == 3
    np.testing.assert_array_equal(np.asarray(run(x)), _steps(x, boundary, 3, np))


def test_what_is_little_is_computed_again():
    def differences(x):
        first = x[1:] - x[:-1]
        return first[1:] - first[:-1]

    x = np.arange(100000, dtype=np.int32) ** 2 % 1009
    run = mlir_xla.compile(_text(differences, x))
    assert _kernels(run) == 1
    np.testing.assert_array_equal(np.asarray(run(x)), np.diff(x, 2))


def test_others_read_a_step_too():
    """A step is a result itself, is read by a sum, and by what comes much later."""

    def function(x):
        first = _step(x, "periodic", jnp)
        scaled = first * 5 - 1
        second = _step(first, "periodic", jnp)
        return first, second + scaled, (first + second).sum(1), _step(second, "padded", jnp) ^ first

    def expected(x):
        first = _step(x, "periodic", np)
        second = _step(first, "periodic", np)
        return (
            first,
            second + first * 5 - 1,
            (first + second).sum(1, dtype=np.int32),
            _step(second, "padded", np) ^ first,
        )

    x = np.random.default_rng(4).integers(-99, 99, (65, 200)).astype(np.int32)
    for target in ("cpu", "cuda-emulated"):
        found = mlir_xla.compile(_text(function, x), target=target)(x)
        for have, want in zip(found, expected(x), strict=True):
            np.testing.assert_array_equal(np.asarray(have), want)


@pytest.mark.parametrize("columns", [2, 3, 48])
def test_systems_of_equations(columns):
    """Two fields, of which each reads the neighbours of both, as stages of a Runge-Kutta method do."""

    def rate(u, v, numpy):
        product = u * u - v
        return product + sum(_neighbours(u, "periodic", numpy)), 3 * u - product ^ sum(
            _neighbours(v, "periodic", numpy)
        )

    def stages(u, v, numpy):
        total = [u, v]
        for weight in (1, 2, 3):
            du, dv = rate(u, v, numpy)
            u, v = u + weight * du, v - weight * dv
            total = [total[0] + du, total[1] ^ dv]
        return total

    u, v = np.random.default_rng(columns).integers(-9, 9, (2, 64, columns)).astype(np.int32)
    found = mlir_xla.compile(_text(lambda u, v: stages(u, v, jnp), u, v))(u, v)
    for have, want in zip(found, stages(u, v, np), strict=True):
        np.testing.assert_array_equal(np.asarray(have), want)
