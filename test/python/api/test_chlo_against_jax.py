# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What CHLO has and JAX expresses otherwise on a CPU, against JAX's own formulas: ragged contractions and scans."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from vector_cases import TARGETS

import mlir_xla

# lhs, rhs, sizes of groups; batch and contracting dimensions of both, ragged and group dimension; result.
RAGGED = {
    "rows": ((16, 8), (4, 8, 3), (4,), ((), ()), ((1,), (1,)), 0, 0, (16, 3)),
    "rows_long": ((300, 8), (3, 8, 20), (3,), ((), ()), ((1,), (1,)), 0, 0, (300, 20)),
    "rows_group_last": ((16, 8), (8, 3, 4), (4,), ((), ()), ((1,), (0,)), 0, 2, (16, 3)),
    "rows_transposed": ((8, 16), (4, 8, 3), (4,), ((), ()), ((0,), (1,)), 1, 0, (16, 3)),
    "rows_one": ((1, 8), (4, 8, 3), (4,), ((), ()), ((1,), (1,)), 0, 0, (1, 3)),
    "rows_batch": ((2, 10, 8), (4, 2, 8, 3), (4,), ((0,), (1,)), ((2,), (2,)), 1, 0, (2, 10, 3)),
    "rows_batch_own": ((2, 10, 8), (4, 2, 8, 3), (2, 4), ((0,), (1,)), ((2,), (2,)), 1, 0, (2, 10, 3)),
    "rows_free_before": ((3, 10, 8), (4, 8, 5), (3, 4), ((), ()), ((2,), (1,)), 1, 0, (3, 10, 5)),
    "rows_free_after": ((10, 3, 8), (4, 8, 5), (4,), ((), ()), ((2,), (1,)), 0, 0, (10, 3, 5)),
    "rows_two_contracted": ((10, 3, 8), (4, 8, 3, 5), (4,), ((), ()), ((2, 1), (1, 2)), 0, 0, (10, 5)),
    "rows_of_no_batch": ((0, 10, 8), (4, 0, 8, 3), (0, 4), ((0,), (1,)), ((2,), (2,)), 1, 0, (0, 10, 3)),
    "contracted": ((5, 30), (30, 3), (4,), ((), ()), ((1,), (0,)), 1, None, (4, 5, 3)),
    "contracted_batch": ((2, 5, 30), (2, 30, 3), (4,), ((0,), (0,)), ((2,), (1,)), 2, None, (4, 2, 5, 3)),
    "contracted_batch_own": ((2, 5, 30), (2, 30, 3), (2, 4), ((0,), (0,)), ((2,), (1,)), 2, None, (4, 2, 5, 3)),
    "contracted_two": ((6, 5, 30), (30, 6, 3), (6, 4), ((), ()), ((0, 2), (1, 0)), 2, None, (4, 5, 3)),
    "batch": ((6, 5, 8), (6, 8, 3), (4,), ((0,), (0,)), ((2,), (1,)), 0, None, (6, 5, 3)),
}


def _ragged_text(case, dtype) -> str:
    lhs, rhs, sizes, batch, contracting, ragged, group, result = RAGGED[case]
    element = {"float32": "f32", "bfloat16": "bf16", "int32": "i32"}[np.dtype(dtype).name]

    def tensor(dims, name=element):
        return f"tensor<{''.join(f'{n}x' for n in dims)}{name}>"

    lists = {
        "lhs_batching_dimensions": batch[0],
        "rhs_batching_dimensions": batch[1],
        "lhs_contracting_dimensions": contracting[0],
        "rhs_contracting_dimensions": contracting[1],
        "lhs_ragged_dimensions": (ragged,),
        "rhs_group_dimensions": () if group is None else (group,),
    }
    numbers = ", ".join(f"{key} = {list(value)}" for key, value in lists.items() if value)
    types = ", ".join([tensor(lhs), tensor(rhs), tensor(sizes, "i32")])
    return f"""
func.func @main(%a: {tensor(lhs)}, %b: {tensor(rhs)}, %s: {tensor(sizes, "i32")}) -> {tensor(result)} {{
  %0 = "chlo.ragged_dot"(%a, %b, %s) <{{
    precision_config = [#chlo<precision HIGHEST>, #chlo<precision HIGHEST>],
    ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>}}> : ({types}) -> {tensor(result)}
  return %0 : {tensor(result)}
}}"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, jnp.bfloat16])
@pytest.mark.parametrize("case", RAGGED)
def test_ragged_dot(case, dtype, target):
    lhs, rhs, sizes, batch, contracting, ragged, group, _ = RAGGED[case]
    rng = np.random.default_rng(len(case))
    # Whole numbers, whose sums are exact.
    a, b = (rng.integers(-4, 5, dims).astype(dtype) for dims in (lhs, rhs))
    numbers = lax.RaggedDotDimensionNumbers((contracting, batch), [ragged], [] if group is None else [group])
    program = mlir_xla.compile(_ragged_text(case, dtype), target=target)
    length = lhs[ragged]
    for share in (1.0, 0.5, 0.0):
        # Groups that are empty, that are the whole, and that leave rows behind them.
        cuts = np.sort(rng.integers(0, max(1, int(share * length)) + 1, (*sizes[:-1], sizes[-1] - 1)), -1)
        end = np.full((*sizes[:-1], 1), length if share == 1.0 else int(share * length))
        groups = np.diff(np.minimum(cuts, end), prepend=0, append=end, axis=-1).astype(np.int32)
        want = lax.ragged_dot_general(a, b, groups, numbers, precision="highest")
        np.testing.assert_array_equal(np.asarray(program(a, b, groups)), np.asarray(want))


@pytest.mark.parametrize("target", TARGETS)
def test_ragged_dot_beyond_the_end(target):
    """Groups that are longer than the dimension end with it."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(-4, 5, (16, 8)).astype(np.float32), rng.integers(-4, 5, (4, 8, 3)).astype(np.float32)
    program = mlir_xla.compile(_ragged_text("rows", np.float32), target=target)
    for groups in ([10, 10, 10, 10], [100, 0, 0, 1], [0, 0, 0, 0], [2, 0, 13, 50]):
        groups = np.array(groups, np.int32)
        np.testing.assert_array_equal(np.asarray(program(a, b, groups)), np.asarray(lax.ragged_dot(a, b, groups)))


@pytest.mark.parametrize("target", TARGETS)
def test_ragged_dot_keeps_groups_apart(target):
    """What is not finite stays in the group that has it."""
    a = np.ones((5, 30), np.float32)
    b = np.ones((30, 3), np.float32)
    a[:, 3], b[20] = np.inf, np.nan
    program = mlir_xla.compile(_ragged_text("contracted", np.float32), target=target)
    result = np.asarray(program(a, b, np.array([10, 5, 10, 5], np.int32)))
    assert np.isinf(result[0]).all()
    assert (result[[1, 3]] == 5).all()
    assert np.isnan(result[2]).all()


def _scan_text(body: str, x: str, y: str, carry: str, arguments: str, returned: str, more: str = "") -> str:
    return f"""
func.func @main(%x: {x}, %c: {carry}) -> ({y}, {carry}) {{
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {more} {{
  ^bb0({arguments}):
    {body}
    stablehlo.return {returned}
  }} : ({x}, {carry}) -> ({y}, {carry})
  return %0#0, %0#1 : {y}, {carry}
}}"""


_VECTOR, _MATRIX = "tensor<5xf32>", "tensor<7x5xf32>"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("reverse", [False, True])
def test_scan_with_any_body(reverse, target):
    text = _scan_text(
        f"%p = stablehlo.multiply %e, %s : {_VECTOR}\n    %n = stablehlo.add %s, %e : {_VECTOR}",
        _MATRIX,
        _MATRIX,
        _VECTOR,
        f"%e: {_VECTOR}, %s: {_VECTOR}",
        f"%p, %n : {_VECTOR}, {_VECTOR}",
        "attributes {is_reverse = true}" if reverse else "",
    )
    rng = np.random.default_rng(1)
    x, c = (rng.integers(-4, 5, dims).astype(np.float32) for dims in ((7, 5), (5,)))
    carry, out = lax.scan(lambda s, e: (s + e, e * s), c, x, reverse=reverse)
    have = mlir_xla.compile(text, target=target)(x, c)
    np.testing.assert_array_equal(np.asarray(have[0]), np.asarray(out))
    np.testing.assert_array_equal(np.asarray(have[1]), np.asarray(carry))


_COMBINERS = {"add": jnp.add, "multiply": jnp.multiply, "maximum": jnp.maximum, "minimum": jnp.minimum}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("combiner", _COMBINERS)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
def test_scan_with_an_associative_body(combiner, reverse, dtype, target):
    element = {"float32": "f32", "int32": "i32", "uint8": "ui8"}[np.dtype(dtype).name]
    vector, matrix = f"tensor<5x{element}>", f"tensor<40x5x{element}>"
    text = _scan_text(
        f"%n = stablehlo.{combiner} %e, %s : {vector}",
        matrix,
        matrix,
        vector,
        f"%e: {vector}, %s: {vector}",
        f"%n, %n : {vector}, {vector}",
        f"attributes {{is_associative = true, is_reverse = {str(reverse).lower()}}}",
    )
    rng = np.random.default_rng(2)
    x, c = (rng.integers(1, 3, dims).astype(dtype) for dims in ((40, 5), (5,)))
    operation = _COMBINERS[combiner]
    carry, out = lax.scan(lambda s, e: (operation(s, e), operation(s, e)), c, x, reverse=reverse)
    have = mlir_xla.compile(text, target=target)(x, c)
    np.testing.assert_array_equal(np.asarray(have[0]), np.asarray(out))
    np.testing.assert_array_equal(np.asarray(have[1]), np.asarray(carry))


@pytest.mark.parametrize("target", TARGETS)
def test_scan_without_arrays(target):
    text = """
func.func @main(%c: tensor<i32>) -> (tensor<5xi32>, tensor<i32>) {
  %0:2 = chlo.scan() inits (%c) dimension=0 attributes {scan_dim_size = 5 : i64} {
  ^bb0(%s: tensor<i32>):
    %n = stablehlo.add %s, %s : tensor<i32>
    stablehlo.return %s, %n : tensor<i32>, tensor<i32>
  } : (tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<5xi32>, tensor<i32>
}"""
    out, last = mlir_xla.compile(text, target=target)(np.int32(3))
    assert np.asarray(out).tolist() == [3, 6, 12, 24, 48]
    assert np.asarray(last) == 96


@pytest.mark.parametrize("target", TARGETS)
def test_scan_in_scan(target):
    """Along the second dimension, and within it along the first."""
    text = """
func.func @main(%x: tensor<4x6xf32>, %c: tensor<f32>) -> (tensor<4x6xf32>, tensor<f32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=1 {
  ^bb0(%column: tensor<4xf32>, %s: tensor<f32>):
    %1:2 = chlo.scan(%column) inits (%s) dimension=0 {
    ^bb0(%e: tensor<f32>, %t: tensor<f32>):
      %half = stablehlo.constant dense<0.5> : tensor<f32>
      %less = stablehlo.multiply %t, %half : tensor<f32>
      %n = stablehlo.add %e, %less : tensor<f32>
      stablehlo.return %n, %n : tensor<f32>, tensor<f32>
    } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
    stablehlo.return %1#0, %1#1 : tensor<4xf32>, tensor<f32>
  } : (tensor<4x6xf32>, tensor<f32>) -> (tensor<4x6xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<f32>
}"""
    x = np.random.default_rng(3).standard_normal((4, 6)).astype(np.float32)

    def step(t, e):
        n = e + np.float32(0.5) * t
        return n, n

    carry, flat = lax.scan(step, np.float32(1), x.T.reshape(-1))
    have = mlir_xla.compile(text, target=target)(x, np.float32(1))
    np.testing.assert_allclose(np.asarray(have[0]), np.asarray(flat).reshape(6, 4).T, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(np.asarray(have[1]), np.asarray(carry), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("target", TARGETS)
def test_asin_acos_kernel(target):
    """The kernel of asin, acos, asinh and acosh, as CHLO documents it."""
    text = """
func.func @main(%z: tensor<200xcomplex<f64>>) -> tensor<200xcomplex<f64>> {
  %0 = chlo._asin_acos_kernel %z : tensor<200xcomplex<f64>> -> tensor<200xcomplex<f64>>
  return %0 : tensor<200xcomplex<f64>>
}"""
    rng = np.random.default_rng(4)
    z = (rng.standard_normal(200) + 1j * rng.standard_normal(200)) * 2.0 ** rng.integers(-20, 20, 200)
    w = np.asarray(mlir_xla.compile(text, target=target)(z))
    np.testing.assert_allclose(np.arctan2(z.real, w.real) + 1j * np.copysign(w.imag, z.imag), np.arcsin(z), rtol=1e-12)


@pytest.mark.parametrize("target", TARGETS)
def test_broadcasting_ops(target):
    text = """
func.func @main(%a: tensor<3x1xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>)
    -> (tensor<3x4xf32>, tensor<3x4xi1>, tensor<3x4xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %1 = chlo.broadcast_compare %0, %c
    {broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>}
    : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xi1>
  %2 = chlo.broadcast_select %1, %b, %a : (tensor<3x4xi1>, tensor<4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<3x4xi1>, tensor<3x4xf32>
}"""
    rng = np.random.default_rng(5)
    a, b, c = (rng.standard_normal(dims).astype(np.float32) for dims in ((3, 1), (4,), (3,)))
    have = [np.asarray(x) for x in mlir_xla.compile(text, target=target)(a, b, c)]
    less = a + b < c[:, None]
    for value, want in zip(have, (a + b, less, np.where(less, b, a)), strict=True):
        np.testing.assert_array_equal(value, want)


@pytest.mark.parametrize("target", TARGETS)
def test_infinities(target):
    text = """
func.func @main(%a: tensor<6xf32>) -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xf32>) {
  %0 = chlo.is_inf %a : tensor<6xf32> -> tensor<6xi1>
  %1 = chlo.is_pos_inf %a : tensor<6xf32> -> tensor<6xi1>
  %2 = chlo.is_neg_inf %a : tensor<6xf32> -> tensor<6xi1>
  %3 = "chlo.constant_like"(%a) <{value = 2.5 : f32}> : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %2, %3 : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xf32>
}"""
    a = np.array([0, np.inf, -np.inf, np.nan, 3e38, -1], np.float32)
    have = [np.asarray(x) for x in mlir_xla.compile(text, target=target)(a)]
    for value, want in zip(
        have, (np.isinf(a), np.isposinf(a), np.isneginf(a), np.full(6, 2.5, np.float32)), strict=True
    ):
        np.testing.assert_array_equal(value, want)


UNARY = "acos acosh asin asinh atan atanh cosh sinh tan".split()


@pytest.mark.parametrize("name", UNARY)
def test_complex(name):
    """Elementwise functions that JAX writes in CHLO for complex numbers."""
    rng = np.random.default_rng(6)
    z = (rng.standard_normal(500) + 1j * rng.standard_normal(500)).astype(np.complex64)
    text = f"""
func.func @main(%z: tensor<500xcomplex<f32>>) -> tensor<500xcomplex<f32>> {{
  %0 = chlo.{name} %z : tensor<500xcomplex<f32>> -> tensor<500xcomplex<f32>>
  return %0 : tensor<500xcomplex<f32>>
}}"""
    want = np.asarray(jax.jit(getattr(lax, name))(z))
    have = np.asarray(mlir_xla.compile(text)(z))
    assert (np.abs(have - want) <= 2e-6 * (1 + np.abs(want))).all()
