# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Division of vectors of integers, which is done in floats: quotients that are whole or nearly so, of all sizes."""

import numpy as np
import pytest

import mlir_xla

PROGRAM = """
func.func @main(%x: tensor<{size}x{element}>, %y: tensor<{size}x{element}>)
    -> (tensor<{size}x{element}>, tensor<{size}x{element}>) {{
  %0 = xla.divide %x, %y : tensor<{size}x{element}>
  %1 = xla.remainder %x, %y : tensor<{size}x{element}>
  return %0, %1 : tensor<{size}x{element}>, tensor<{size}x{element}>
}}
"""
PROGRAM_OF_ONE = """
func.func @main(%x: tensor<{size}x{element}>, %one: tensor<{element}>)
    -> (tensor<{size}x{element}>, tensor<{size}x{element}>) {{
  %y = xla.broadcast_in_dim %one, dims = [] : (tensor<{element}>) -> tensor<{size}x{element}>
  %0 = xla.divide %x, %y : tensor<{size}x{element}>
  %1 = xla.remainder %x, %y : tensor<{size}x{element}>
  return %0, %1 : tensor<{size}x{element}>, tensor<{size}x{element}>
}}
"""
ELEMENTS = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16, "ui16": np.uint16, "i32": np.int32, "ui32": np.uint32}
SIZE = 1 << 16


def compiled(element: str, size: int, is_uniform: bool, **options):
    text = (PROGRAM_OF_ONE if is_uniform else PROGRAM).format(size=size, element=element)
    return mlir_xla.compile(text, **options)


def near_multiples(rng: np.random.Generator, limits: np.iinfo, divisors: np.ndarray) -> np.ndarray:
    quotients = rng.integers(limits.min, limits.max + 1, SIZE) >> rng.integers(0, limits.bits, SIZE)
    return np.clip(divisors * quotients + rng.integers(-1, 2, SIZE), limits.min, limits.max)


def check(program, x: np.ndarray, y: np.ndarray):
    wide, divisor = x.astype(np.int64), y.astype(np.int64)
    safe = np.where(divisor == 0, 1, divisor)
    quotients = np.sign(wide) * np.sign(safe) * (np.abs(wide) // np.abs(safe))
    remainders = wide - quotients * safe
    found = program(x, y)
    np.testing.assert_array_equal(found[0], np.where(divisor == 0, -1, quotients).astype(x.dtype))
    np.testing.assert_array_equal(found[1], np.where(divisor == 0, wide, remainders).astype(x.dtype))


@pytest.mark.parametrize("cpu", ["", "haswell", "x86-64"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_near_multiples(element, cpu):
    rng, limits = np.random.default_rng(0), np.iinfo(ELEMENTS[element])
    if limits.bits == 8:  # all there are
        every = np.arange(limits.min, limits.max + 1)
        x, y = (each.ravel() for each in np.meshgrid(every, every))
    else:
        y = rng.integers(limits.min, limits.max + 1, SIZE) >> rng.integers(0, limits.bits, SIZE)
        x = near_multiples(rng, limits, y)
        special = [limits.min, limits.min + 1, -1, 0, 1, 2, limits.max - 1, limits.max]
        ends = [np.clip(each.ravel(), limits.min, limits.max) for each in np.meshgrid(special, special)]
        x[:64], y[:64] = ends
    check(compiled(element, SIZE, False, cpu=cpu), x.astype(limits.dtype), y.astype(limits.dtype))


@pytest.mark.parametrize("element", ELEMENTS)
def test_one_divisor(element):
    rng, limits = np.random.default_rng(0), np.iinfo(ELEMENTS[element])
    program = compiled(element, SIZE, True)
    divisors = [0, 1, 2, 3, 7, 10, 127, limits.max - 1, limits.max, limits.min, limits.min + 1]
    divisors += list(rng.integers(limits.min, limits.max + 1, 30) >> rng.integers(0, limits.bits, 30))
    for divisor in divisors:
        x = near_multiples(rng, limits, np.full(SIZE, divisor)).astype(limits.dtype)
        check(program, x, np.array(divisor, limits.dtype))
