# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of a few elements, which permutations of registers are read from, give the bits that gathers do."""

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import plan_text
import pytest

import mlir_xla

Kernel = Callable[..., Any]


def _clips(x: jax.Array, table: jax.Array) -> jax.Array:
    """Also places that are not in the table."""
    return table.at[x].get(mode="clip")


def _fills(x: jax.Array, table: jax.Array) -> jax.Array:
    return table.at[x].get(mode="fill", fill_value=7)


def _wraps(x: jax.Array, table: jax.Array) -> jax.Array:
    return table[x % table.shape[-1]]


def _of_bits(x: jax.Array, table: jax.Array) -> jax.Array:
    return table.at[x & 7].get(mode="promise_in_bounds") + table.at[(x >> 3) & 3].get(mode="clip")


def _descends(x: jax.Array, table: jax.Array) -> jax.Array:
    place = jnp.zeros_like(x)
    for _ in range(3):
        place = 2 * place + 1 + (x > table.astype(jnp.int32)[place])
    return place


def _rows(x: jax.Array, table: jax.Array) -> jax.Array:
    """A table for each row, of which some choose none."""
    tables = jnp.stack([table * (row + 1) for row in range(5)])
    rows = jnp.arange(5)
    return jax.vmap(lambda row, at: tables[row].at[at].get(mode="clip"))(rows, x[None] + rows[:, None])


def _sums(x: jax.Array, table: jax.Array) -> jax.Array:
    return table.at[x].get(mode="clip").astype(jnp.float32).sum()


def _guarded(x: jax.Array, table: jax.Array) -> jax.Array:
    return jnp.concatenate([table[:3], table.at[x].get(mode="clip"), jnp.pad(table.at[x].get(mode="clip"), (2, 1))])


def _guarded_rows(x: jax.Array, table: jax.Array) -> jax.Array:
    """Of rows that are not there, the places are not read either."""
    tables = jnp.stack([table * (row + 1) for row in range(5)])
    rows = tables[
        jnp.clip(x[:6], 0, 4)[:, None], jnp.clip(x[None, :32] + jnp.arange(6)[:, None], 0, table.shape[0] - 1)
    ]
    return jnp.pad(rows, ((1, 1), (0, 0)))


FUNCTIONS = [_clips, _fills, _wraps, _of_bits, _descends, _rows, _sums, _guarded, _guarded_rows]
DTYPES = ["int8", "int16", "bfloat16", "int32", "float32", "float64", "bool"]


def _text(function: Kernel, count: int, size: int, dtype: str) -> str:
    with jax.enable_x64(dtype == "float64"):
        x, table = jax.ShapeDtypeStruct((count,), "int32"), jax.ShapeDtypeStruct((size,), dtype)
        return str(jax.jit(function).lower(x, table).compiler_ir("stablehlo"))


@pytest.mark.parametrize("size", [3, 8, 15, 16, 17, 32, 90, 256])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_tables_give_the_same_bits(function: Kernel, dtype: str, size: int) -> None:
    if size < 8 and function in (_of_bits, _descends):
        return
    generator = np.random.default_rng(size)
    for count in (37, 64, 133) if size <= 32 else (300,):
        x = generator.integers(-5, size + 5, count).astype(np.int32)
        table = generator.integers(0, 2 if dtype == "bool" else 100, size).astype(jnp.dtype(dtype))
        program = _text(function, count, size, dtype)
        want = np.asarray(mlir_xla.compile(program, target="reference")(x, table))
        for options in {plan_text.HOST, "{vector-bits=256}"}:
            text = plan_text.kernels(program, options)
            for changed in {text, re.sub(", lookup [0-9]+", "", text)}:
                np.testing.assert_array_equal(np.asarray(plan_text.run(changed, [x, table])[0]), want)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    "bits, size, dtype, are",
    [
        (512, 16, "float32", True),
        (512, 32, "int32", True),
        (512, 257, "float32", False),
        (512, 64, "float64", True),
        (512, 65, "float64", False),
        (256, 64, "int32", True),
        (256, 65, "float32", False),
        (256, 8, "float64", False),
        (128, 8, "float32", False),
    ],
)
def test_the_planner_looks_up(function: Kernel, bits: int, size: int, dtype: str, are: bool) -> None:
    """Of a table whose elements are numbered by bits, some are read, and of several those that have room."""
    if function in (_of_bits, _descends, _guarded_rows):
        return
    text = plan_text.kernels(_text(function, 256, size, dtype), f"{{vector-bits={bits}}}")
    assert any(plan.lookup for plan in plan_text.plans(text)) == are


@pytest.mark.parametrize("function", [_clips, _fills, _wraps, _sums, _guarded])
def test_sixteen_registers_have_a_table(function: Kernel) -> None:
    text = plan_text.kernels(_text(function, 256, 256, "float32"), "{vector-bits=512}")
    assert any(plan.lookup for plan in plan_text.plans(text))


def test_few_lanes_read_no_large_table() -> None:
    text = plan_text.kernels(_text(_clips, 64, 100, "float32"), "{vector-bits=512}")
    assert not any(plan.lookup for plan in plan_text.plans(text))


def test_places_of_any_size() -> None:
    """What is known of a number of 64 bits is nothing, not a difference that overflows."""
    with jax.enable_x64(True):
        text = jax.jit(lambda x, t: t.at[x].get(mode="promise_in_bounds")).lower(
            jax.ShapeDtypeStruct((64,), "int64"), jax.ShapeDtypeStruct((16,), "float32")
        )
    x, table = np.arange(64) % 16, np.arange(16, dtype=np.float32)
    np.testing.assert_array_equal(np.asarray(mlir_xla.compile(text.as_text())(x, table)), table[x])
