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
PROGRAM_OF_BOTH = """
func.func @main(%x: tensor<64xi32>, %one: tensor<i32>) -> (tensor<64xi32>, tensor<64xui32>) {
  %y = xla.broadcast_in_dim %one, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %0 = xla.divide %x, %y : tensor<64xi32>
  %u = xla.bitcast_convert %x : (tensor<64xi32>) -> tensor<64xui32>
  %v = xla.bitcast_convert %y : (tensor<64xi32>) -> tensor<64xui32>
  %1 = xla.divide %u, %v : tensor<64xui32>
  return %0, %1 : tensor<64xi32>, tensor<64xui32>
}
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


def test_one_divisor_with_and_without_a_sign():
    x, y = np.arange(-1000, 920, 30, dtype=np.int32), np.array(-7, np.int32)
    signed, unsigned = mlir_xla.compile(PROGRAM_OF_BOTH)(x, y)
    np.testing.assert_array_equal(signed, np.trunc(x / y).astype(np.int32))
    np.testing.assert_array_equal(unsigned, x.view(np.uint32) // y.view(np.uint32))


LONG = {"i64": np.int64, "ui64": np.uint64}


def check_long(program, x: np.ndarray, *divisor: np.ndarray, by=None):
    """By Python's own integers."""
    divisors = divisor[0] if divisor else by
    pairs = list(zip(x.tolist(), np.broadcast_to(divisors, x.shape).tolist(), strict=True))
    bits = (1 << 64) - 1

    def truncated(a, b):
        return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    quotients = [bits if b == 0 else truncated(a, b) & bits for a, b in pairs]
    remainders = [(a if b == 0 else a - truncated(a, b) * b) & bits for a, b in pairs]
    found = program(x, *divisor)
    np.testing.assert_array_equal(found[0].view(np.uint64), np.array(quotients, np.uint64))
    np.testing.assert_array_equal(found[1].view(np.uint64), np.array(remainders, np.uint64))


def long_numbers(rng: np.random.Generator, dtype, count: int) -> np.ndarray:
    """Of all sizes, ends of the range, and powers of two with their neighbours."""
    limits = np.iinfo(dtype)
    x = rng.integers(0, 1 << 64, count, np.uint64) >> rng.integers(0, 64, count).astype(np.uint64)
    special = [limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1, 2, 3]
    special += [(1 << k) + d for k in range(2, 63) for d in (-1, 0, 1)]
    x[: len(special)] = np.array([each & ((1 << 64) - 1) for each in special], np.uint64)
    x = x.view(dtype)
    return np.where(rng.random(count) < 0.3, np.zeros(count, dtype) - x, x)


@pytest.mark.parametrize("cpu", ["", "haswell"])
@pytest.mark.parametrize("element", LONG)
def test_long_numbers(element, cpu):
    rng, dtype, size = np.random.default_rng(1), LONG[element], 4096
    program = compiled(element, size, False, cpu=cpu)
    for _ in range(8):
        x, y = rng.permutation(long_numbers(rng, dtype, size)), long_numbers(rng, dtype, size)
        check_long(program, x, y)
        # Multiples, and their neighbours.
        with np.errstate(over="ignore"):
            near = y * (x >> rng.integers(0, 64, size).astype(dtype)) + rng.integers(-1, 2, size).astype(dtype)
        check_long(program, near, y)


@pytest.mark.parametrize("element", LONG)
@pytest.mark.parametrize("divisor", [1, 3, 7, 10, 1000003, (1 << 40) + 1, (1 << 62) + 3, 64, (1 << 63) - 1])
def test_long_constants(divisor, element):
    rng, dtype = np.random.default_rng(2), LONG[element]
    size = 4096
    text = PROGRAM_OF_ONE.format(size=size, element=element).replace(f", %one: tensor<{element}>", "")
    text = text.replace("%y = ", f"%one = xla.constant dense<{divisor}> : tensor<{element}>\n  %y = ")
    check_long(mlir_xla.compile(text), long_numbers(rng, dtype, size), by=dtype(divisor))
    one = compiled(element, size, True)
    check_long(one, long_numbers(rng, dtype, size), np.array(divisor, dtype))
    if dtype == np.int64:
        check_long(one, long_numbers(rng, dtype, size), np.array(-divisor, dtype))
