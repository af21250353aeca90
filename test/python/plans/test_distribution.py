# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long chains that are cut into loops of parts give the bits that they give as one."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import plan_text
import pytest
from jax import lax

import mlir_xla

Function = Callable[..., Any]


def _two(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    y = jnp.log1p(jnp.exp(x))
    return y, jnp.tanh(y) * jnp.exp(-y)


def _masked(x: jax.Array) -> jax.Array:
    """Comparisons cross from part to part."""
    y = jnp.where(x > 0.5, jnp.log1p(jnp.exp(x)), jnp.tanh(x))
    return jnp.where(x < -0.5, jnp.exp(y), jnp.where(x > 0.25, y, lax.erfc(y)))


def _gathered(x: jax.Array) -> jax.Array:
    return jax.nn.softplus(x[:, ::-1]) + jax.nn.softplus(x)


FUNCTIONS: dict[str, Function] = {
    "softplus": jax.nn.softplus,
    "mish": jax.nn.mish,
    "erfc": lax.erfc,
    "lgamma": lax.lgamma,
    "angles": lambda x: jnp.tanh(jnp.sin(1e9 * x) + jnp.exp(jnp.cos(x))),  # a branch for large ones
    "two results": _two,
    "masked": _masked,
    "gathered": _gathered,
    "sums": lambda x: jax.nn.softplus(x).sum(1),
    "sum and greatest": lambda x: (jax.nn.mish(x).sum(1), jax.nn.mish(x).max(1)),
    "columns": lambda x: jax.nn.softplus(x).sum(0),
    "sum of all": lambda x: jax.nn.softplus(x).sum(),
    "normalised": lambda x: jax.nn.softplus(x) / jax.nn.softplus(x).sum(1, keepdims=True),
}


def _lowered(function: Function, shape: tuple[int, ...], dtype: Any) -> str:
    argument = jax.ShapeDtypeStruct(shape, dtype)
    return jax.jit(function).trace(argument).lower(lowering_platforms=("mlir_xla",)).as_text()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64, jnp.bfloat16])
def test_parts_give_the_same_bits(name: str, dtype: Any) -> None:
    """Rows that are whole blocks, whole steps, and neither."""
    distributed = 0
    with jax.enable_x64(dtype == jnp.float64):
        for shape in (3, 1024), (2, 16 * 37), (5, 533), (64, 520):
            x = np.random.default_rng(0).normal(0, 2, shape).astype(dtype)
            text = plan_text.kernels(_lowered(FUNCTIONS[name], shape, dtype), plan_text.HOST)
            whole = plan_text.replan(text, lambda _, plan: replace(plan, distribute=0))
            expected = plan_text.run(whole, [x])
            for steps in (2, 32):
                parts = plan_text.replan(text, lambda _, plan, steps=steps: _distributes(plan, steps))
                for ours, one in zip(plan_text.run(parts, [x]), expected, strict=True):
                    assert ours.tobytes() == one.tobytes(), (shape, steps)
                distributed += _loops(parts) > _loops(whole)
    # Of f64, it is branches rather than a chain.
    assert distributed or (name == "lgamma" and dtype != jnp.float32)


def _distributes(plan: plan_text.Nest, steps: int) -> plan_text.Nest:
    return replace(plan, distribute=steps if plan.lanes else 0)


def _loops(text: str) -> int:
    return mlir_xla.api.compile_stage(text, "cpu", "kernels").stages["loops"].count("scf.for")


@pytest.mark.parametrize("vectors", [1, 2, 4])
def test_vectors_in_turn_are_cut_too(vectors: int) -> None:
    x = np.random.default_rng(0).normal(0, 2, 4096).astype(np.float32)
    text = plan_text.kernels(_lowered(jax.nn.mish, x.shape, x.dtype), plan_text.HOST)

    def changed(plan: plan_text.Nest, steps: int) -> plan_text.Nest:
        assert plan.lanes
        return replace(plan, lanes=(*plan.lanes[:2], vectors), distribute=steps)

    whole, parts = (plan_text.replan(text, lambda _, plan, s=s: changed(plan, s)) for s in (0, 8))
    assert _loops(parts) > _loops(whole)
    np.testing.assert_array_equal(plan_text.run(parts, [x])[0], plan_text.run(whole, [x])[0])


@pytest.mark.parametrize("size", [5000, 50_000])
def test_results_in_place_of_what_is_read(size: int) -> None:
    """The first result overwrites the elements that the second one is computed from."""

    def program(x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        y = jnp.sort(x) * 1.5
        return jnp.tanh(jnp.log1p(jnp.exp(y))), y * y, -y

    x = np.random.default_rng(0).normal(0, 2, size).astype(np.float32)
    text = _lowered(program, x.shape, x.dtype)
    executable = mlir_xla.compile(text)
    calls = re.findall(r"call @elementwise_0\.impl\((%\w+), (%\w+)", executable.stages["loops"])
    assert size > 5000 or calls[0][0] == calls[0][1], "nothing is in place"
    for ours, want in zip(executable(x), mlir_xla.compile(text, target="reference")(x), strict=True):
        np.testing.assert_allclose(ours, want, rtol=1e-5)


@pytest.mark.parametrize(("rows", "columns", "vectors"), [(9, 64, 4), (9, 64, 1), (5, 4096, 4), (3, 100, 2)])
def test_long_code_behind_a_reduction(rows: int, columns: int, vectors: int) -> None:
    """It is a loop over the vectors of a step, which is cut, too."""
    x = np.random.default_rng(0).normal(0, 2, (rows, columns)).astype(np.float32)
    text = plan_text.kernels(_lowered(lambda x: jax.nn.mish(x.sum(0)), x.shape, x.dtype), plan_text.HOST)

    def changed(plan: plan_text.Nest, steps: int) -> plan_text.Nest:
        assert plan.lanes
        return replace(plan, lanes=(*plan.lanes[:2], vectors), cut={}, distribute=steps)

    whole, parts = (plan_text.replan(text, lambda _, plan, s=s: changed(plan, s)) for s in (0, 32))
    np.testing.assert_array_equal(plan_text.run(parts, [x])[0], plan_text.run(whole, [x])[0])


def test_long_code_before_and_behind_a_reduction() -> None:
    x = np.random.default_rng(0).normal(0, 2, (8, 65_536)).astype(np.float32)
    text = _lowered(
        lambda x: jnp.tanh(jax.nn.softplus(jax.nn.softplus(x).mean(0) - 1) * lax.erfc(x.mean(0))), x.shape, x.dtype
    )
    for features in "", "-avx512f":
        ours = mlir_xla.compile(text, features=features)(x)
        np.testing.assert_allclose(ours, mlir_xla.compile(text, target="reference")(x), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("element", ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f4E2M1FN"])
def test_narrow_floats_are_handed_on(element: str) -> None:
    """LLVM has none of these types: what is handed on in memory is their bits."""
    text = f"""
    func.func @main(%x: tensor<294x3x{element}>, %y: tensor<{element}>, %z: tensor<3x294x{element}>)
        -> tensor<294x3xf32> {{
      %0 = xla.broadcast_in_dim %y, dims = [] : (tensor<{element}>) -> tensor<3x294x{element}>
      %1 = xla.add %0, %z : tensor<3x294x{element}>
      %2 = xla.transpose %1, dims = [1, 0] : (tensor<3x294x{element}>) -> tensor<294x3x{element}>
      %3 = xla.subtract %x, %2 : tensor<294x3x{element}>
      %4 = xla.add %3, %x : tensor<294x3x{element}>
      %5 = xla.convert %4 : (tensor<294x3x{element}>) -> tensor<294x3xf32>
      return %5 : tensor<294x3xf32>
    }}"""
    rng = np.random.default_rng(3)
    dtype = getattr(ml_dtypes, {"f8": "float8_", "f6": "float6_", "f4": "float4_"}[element[:2]] + element[2:].lower())
    args = [rng.integers(-3, 4, shape).astype(dtype) for shape in ((294, 3), (), (3, 294))]
    program = mlir_xla.compile(text)
    assert "distribute" in program.stages["kernels"]
    want = mlir_xla.compile(text, target="reference")(*args)
    np.testing.assert_array_equal(program(*args), want)
