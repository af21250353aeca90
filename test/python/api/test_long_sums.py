# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long sums are added up in parts: their error is that of a few roundings, not of one per term, and their initial value
counts once."""

import numpy as np
import pytest

import mlir_xla

TERMS = 10_000_000


def tensor(shape):
    return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"


def uniform(*shape, seed=0):
    return np.random.default_rng(seed).random(shape, np.float32)


def total(x, dims, threads=0):
    result = tensor([n for d, n in enumerate(x.shape) if d not in dims])
    text = f"""
    func.func @main(%x: {tensor(x.shape)}) -> {result} {{
      %zero = xla.constant dense<-0.0> : tensor<f32>
      %r = xla.reduce(%x init: %zero) applies xla.add across dimensions = {list(dims)}
        : ({tensor(x.shape)}, tensor<f32>) -> {result}
      return %r : {result}
    }}"""
    return np.asarray(mlir_xla.compile(text, threads=threads)(x))


def relative_error(have, want):
    return float(np.max(np.abs(have - want) / np.maximum(np.abs(want), 1e-30)))


@pytest.mark.parametrize("threads", [1, 0])
@pytest.mark.parametrize("shape", [(1, TERMS), *((TERMS // n, n) for n in (1, 2, 3, 8)), (999_983, 7)])
def test_sums(shape, threads):
    x = uniform(*shape)
    for dims in ((0,), (1,), (0, 1)):
        assert relative_error(total(x, dims, threads), x.sum(dims, np.float64)) <= 1e-6


@pytest.mark.parametrize("threads", [1, 0])
@pytest.mark.parametrize("rows", [1, 3])
def test_products(rows, threads):
    x, y = uniform(rows, TERMS // rows), uniform(TERMS // rows, seed=1)
    for left, right, dim in ((x, y, 1), (y, x.T.copy(), 0)):
        a, b, r = tensor(left.shape), tensor(right.shape), tensor((rows,))
        text = f"""
        func.func @main(%x: {a}, %y: {b}) -> {r} {{
          %r = xla.dot_general %x, %y, contracting_dims = [{dim}] x [0] : ({a}, {b}) -> {r}
          return %r : {r}
        }}"""
        have = np.asarray(mlir_xla.compile(text, threads=threads)(left, right))
        assert relative_error(have, left.astype(np.float64) @ right.astype(np.float64)) <= 1e-6


def test_infinities_and_zeros_of_long_sums():
    x = np.full((100_003, 2), -0.0, np.float32)
    x[5_000, 1] = np.inf
    have = total(x, (0,))
    assert have[0] == 0 and np.signbit(have[0]) and have[1] == np.inf


@pytest.mark.parametrize("options", [{"threads": 1}, {}, {"target": "cuda-emulated"}], ids=str)
@pytest.mark.parametrize("shape", [(70_000, 1), (4_000, 20)])
def test_initial_values_of_several_results_count_once(shape, options):
    """Also of a reduction that is split: a sum and a product have parts that begin with 0 and 1."""
    rows, columns = shape
    x, r = f"tensor<{rows}x{columns}xi32>", f"tensor<{columns}xi32>"
    text = f"""
    func.func @main(%x: {x}, %i: tensor<i32>) -> ({r}, {r}, {r}) {{
      %r:3 = "stablehlo.reduce"(%x, %x, %x, %i, %i, %i) ({{
      ^bb0(%a0: tensor<i32>, %a1: tensor<i32>, %a2: tensor<i32>, %b0: tensor<i32>, %b1: tensor<i32>, %b2: tensor<i32>):
        %s = stablehlo.add %a0, %b0 : tensor<i32>
        %p = stablehlo.multiply %b1, %a1 : tensor<i32>
        %m = stablehlo.maximum %a2, %b2 : tensor<i32>
        stablehlo.return %s, %p, %m : tensor<i32>, tensor<i32>, tensor<i32>
      }}) {{dimensions = array<i64: 0>}}
        : ({x}, {x}, {x}, tensor<i32>, tensor<i32>, tensor<i32>) -> ({r}, {r}, {r})
      return %r#0, %r#1, %r#2 : {r}, {r}, {r}
    }}"""
    values = np.random.default_rng(rows).choice([-1, 1], shape).astype(np.int32)
    have = mlir_xla.compile(text, **options)(values, np.int32(3))
    want = 3 + values.sum(0), 3 * values.prod(0), np.full(columns, 3)
    for each, expected in zip(have, want, strict=True):
        assert np.array_equal(each, expected)


@pytest.mark.parametrize("options", [{"threads": 1}, {}, {"target": "cuda-emulated"}], ids=str)
@pytest.mark.parametrize("shape", [(20_000, 3), (20_000, 20), (3, 20_000)])
def test_sums_that_other_results_read(shape, options):
    """The mean and the variance by Welford's method, which weighs elements by how many there were."""
    dim = int(shape[1] > shape[0])
    x, r = tensor(shape), tensor(shape[:dim] + shape[dim + 1 :])
    scalars = ", ".join(f"%{each}: tensor<f32>" for each in ("n", "m", "s", "a", "b", "d"))
    text = f"""
    func.func @main(%x: {x}) -> ({r}, {r}, {r}) {{
      %one = stablehlo.constant dense<1.0> : {x}
      %none = stablehlo.constant dense<0.0> : {x}
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %r:3 = "stablehlo.reduce"(%one, %x, %none, %zero, %zero, %zero) ({{
      ^bb0({scalars}):
        %least = stablehlo.constant dense<1.0> : tensor<f32>
        %t = stablehlo.add %n, %a : tensor<f32>
        %at_least = stablehlo.maximum %t, %least : tensor<f32>
        %share = stablehlo.divide %a, %at_least : tensor<f32>
        %delta = stablehlo.subtract %b, %m : tensor<f32>
        %step = stablehlo.multiply %delta, %share : tensor<f32>
        %mean = stablehlo.add %m, %step : tensor<f32>
        %both = stablehlo.add %s, %d : tensor<f32>
        %weighed = stablehlo.multiply %step, %n : tensor<f32>
        %square = stablehlo.multiply %weighed, %delta : tensor<f32>
        %squares = stablehlo.add %both, %square : tensor<f32>
        stablehlo.return %t, %mean, %squares : tensor<f32>, tensor<f32>, tensor<f32>
      }}) {{dimensions = array<i64: {dim}>}}
        : ({x}, {x}, {x}, tensor<f32>, tensor<f32>, tensor<f32>) -> ({r}, {r}, {r})
      return %r#0, %r#1, %r#2 : {r}, {r}, {r}
    }}"""
    values = uniform(*shape)
    count, mean, squares = mlir_xla.compile(text, **options)(values)
    assert np.all(count == 20_000)
    assert relative_error(mean, values.mean(dim, np.float64)) <= 1e-4
    assert relative_error(squares / count, values.var(dim, np.float64)) <= 1e-4
