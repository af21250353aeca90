# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of hidden state: their distribution, that each draw is another, and the seed."""

from __future__ import annotations

import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from vector_cases import TARGETS

import mlir_xla
from mlir_xla import Shape, XlaBuilder, ops


def _uniform(dtype, low, high, count, target):
    builder = XlaBuilder("uniform")
    limits = [builder.constant(np.array(limit, dtype)) for limit in (low, high)]
    return np.asarray(mlir_xla.compile(builder.build(ops.RngUniform(*limits, Shape(dtype, (count,)))), target=target)())


def _normal(dtype, mu, sigma, count, target):
    builder = XlaBuilder("normal")
    limits = [builder.constant(np.array(limit, dtype)) for limit in (mu, sigma)]
    return np.asarray(mlir_xla.compile(builder.build(ops.RngNormal(*limits, Shape(dtype, (count,)))), target=target)())


def _fits(values: np.ndarray, cumulative) -> bool:
    """The test of Kolmogorov and Smirnov: a distance that chance exceeds once in a million times."""
    ordered = np.sort(values.astype(np.float64))
    steps = np.arange(ordered.size + 1) / ordered.size
    expected = cumulative(ordered)
    distance = max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max())
    return bool(distance < 2.7 / np.sqrt(ordered.size))


@pytest.fixture(autouse=True)
def _seed():
    mlir_xla.set_random_seed(20)


@pytest.mark.parametrize("target", TARGETS)
def test_uniform_x1(target):
    """RngUniform-X1."""
    values = _uniform(np.int32, 0, 2, 1000, target)
    assert set(values.tolist()) == {0, 1}
    assert 400 < values.sum() < 600


@pytest.mark.parametrize("target", TARGETS)
def test_uniform_x2(target):
    """RngUniform-X2."""
    values = _uniform(np.float32, 0, 1, 100_000, target)
    assert values.min() >= 0
    assert values.max() < 1
    assert abs(values.mean() - 0.5) < 0.005


@pytest.mark.parametrize("target", TARGETS)
def test_normal_x1(target):
    """RngNormal-X1."""
    values = _normal(np.float32, 3, 2, 1_000_000, target)
    assert abs(values.mean() - 3) < 0.02
    assert abs(values.std() - 2) < 0.02


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_distributions(dtype, target):
    from math import erf

    values = _uniform(dtype, -3, 5, 50_000, target)
    assert _fits(values, lambda x: (x + 3) / 8)
    values = _normal(dtype, -1, 0.5, 50_000, target)
    assert _fits(values, lambda x: 0.5 * (1 + np.vectorize(erf)((x + 1) / 0.5 / np.sqrt(2))))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_narrow_floats(dtype, target):
    # Most of what is drawn would round to b.
    values = _uniform(dtype, 1, 1.5, 20_000, target).astype(np.float64)
    assert values.min() == 1
    assert values.max() < 1.5
    values = _normal(dtype, 1, 0.5, 20_000, target).astype(np.float64)
    assert abs(values.mean() - 1) < 0.02
    assert abs(values.std() - 0.5) < 0.02


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64, ml_dtypes.int4])
def test_integers(dtype, target):
    info = ml_dtypes.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    values = _uniform(dtype, low, high, 50_000, target).astype(object)
    assert low <= values.min()
    assert values.max() < high
    assert _fits(((values - low) * 2**16 // (high - low) / 2**16 + 0.0).astype(np.float64) + 2.0**-17, lambda x: x) or (
        info.bits < 16
    )
    # Few values are equally frequent.
    values = _uniform(dtype, 1, 6, 50_000, target).astype(np.int64)
    assert np.abs(np.bincount(values, minlength=6)[1:] - 10_000).max() < 500
    if low < 0:
        values = _uniform(dtype, -3, 2, 50_000, target).astype(np.int64)
        assert np.abs(np.bincount(values + 3) - 10_000).max() < 500


@pytest.mark.parametrize("target", TARGETS)
def test_finite_between_the_largest_numbers(target):
    largest = np.finfo(np.float32).max
    values = _uniform(np.float32, -largest, largest, 1000, target)
    assert np.isfinite(values).all()
    assert values.min() < -0.9 * largest
    assert values.max() > 0.9 * largest


PROGRAM = """
func.func private @draw(%a: tensor<f32>, %b: tensor<f32>) -> tensor<4xf32> {
  %shape = xla.constant dense<4> : tensor<1xi64>
  %0 = xla.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  %0 = call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %1 = call @draw(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %zero = xla.constant dense<0> : tensor<i32>
  %rows = xla.constant dense<0.0> : tensor<3x4xf32>
  %2:2 = xla.while(%i = %zero, %drawn = %rows) : tensor<i32>, tensor<3x4xf32>
  cond {
    %n = xla.constant dense<3> : tensor<i32>
    %more = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %shape = xla.constant dense<[1, 4]> : tensor<2xi64>
    %row = xla.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<1x4xf32>
    %next = xla.dynamic_update_slice %drawn, %row, %i, %zero
      : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %j = xla.add %i, %one : tensor<i32>
    xla.return %j, %next : tensor<i32>, tensor<3x4xf32>
  }
  return %0, %1, %2#1 : tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_each_draw_is_another(target):
    """Calls alike are two draws, each iteration of a loop is one, and so is each execution."""
    program = mlir_xla.compile(PROGRAM, target=target)
    drawn = [np.asarray(x).reshape(-1, 4) for _ in range(2) for x in program(np.float32(0), np.float32(1))]
    rows = np.concatenate(drawn)
    assert len(np.unique(rows)) == rows.size == 40


@pytest.mark.parametrize("target", TARGETS)
def test_seed(target):
    program = mlir_xla.compile(PROGRAM, target=target)
    drawn = []
    for seed in (1, 1, 2):
        mlir_xla.set_random_seed(seed)
        drawn.append(np.concatenate([np.asarray(x).reshape(-1) for x in program(np.float32(0), np.float32(1))]))
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).all()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seed_out_of_range(seed):
    with pytest.raises(ValueError, match=r"is not in \[0, 2\^64\)"):
        mlir_xla.set_random_seed(seed)


def test_seed_is_no_integer():
    with pytest.raises(TypeError):
        mlir_xla.set_random_seed(0.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="seed is 'seven', not an integer"):
        mlir_xla.set_random_seed("seven")  # type: ignore[arg-type]


def test_seed_of_the_environment():
    """The same numbers in each process with the seed, others without it."""
    script = (
        "import mlir_xla, numpy as np; from mlir_xla import *\n"
        "b = XlaBuilder('u'); c = [b.constant(np.float32(x)) for x in (0, 1)]\n"
        "print(mlir_xla.compile(b.build(ops.RngUniform(*c, Shape(np.float32, (4,)))))().tobytes().hex())"
    )

    def run(**more: str) -> str:
        environment = {k: v for k, v in os.environ.items() if k != "XLA_RT_RANDOM_SEED"} | more
        return subprocess.run(
            [sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert run(XLA_RT_RANDOM_SEED="7") == run(XLA_RT_RANDOM_SEED="7")
    assert run() != run()


@pytest.mark.parametrize("target", TARGETS)
def test_bits_of_the_builder(target):
    builder = XlaBuilder("bits")
    state = ops.Parameter(builder, 0, Shape(np.uint64, (3,)))
    both = ops.RngBitGenerator(ops.RandomAlgorithm.RNG_PHILOX, state, Shape(np.uint32, (4,)))
    after, bits = mlir_xla.compile(builder.build(both), target=target)(np.zeros(3, np.uint64))
    assert np.asarray(after).tolist() == [0, 1, 0]
    assert [hex(word) for word in np.asarray(bits)] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]


def test_unknown_algorithm():
    builder = XlaBuilder("bits")
    state = ops.Parameter(builder, 0, Shape(np.uint64, (3,)))
    with pytest.raises(mlir_xla.XlaError, match="algorithm is 'PHILOX_2', not a RandomAlgorithm"):
        ops.RngBitGenerator("PHILOX_2", state, Shape(np.uint32, (4,)))


@pytest.mark.parametrize(
    ("limits", "rule"),
    [((np.float32(0), np.int32(1)), "RngUniform-C3"), ((np.zeros(2, np.float32), np.float32(1)), "RngUniform-C1")],
)
def test_limits_that_do_not_fit(limits, rule):
    builder = XlaBuilder("uniform")
    a, b = map(builder.constant, limits)
    with pytest.raises(mlir_xla.XlaError, match=rule):
        ops.RngUniform(a, b, Shape(np.float32, (4,)))
