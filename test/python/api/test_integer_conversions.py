# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers become floats of fewer bits by one rounding, also those that f32 or f64 would have rounded before, and what
they are divided by then is the quotient that IEEE 754 asks for."""

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

INTEGERS = {"i32": np.int32, "ui32": np.uint32, "i64": np.int64, "ui64": np.uint64}


def _convert(integer: str, real: str, count: int) -> str:
    return f"""
func.func @main(%x: tensor<{count}x{integer}>) -> tensor<{count}x{real}> {{
  %y = xla.convert %x : (tensor<{count}x{integer}>) -> tensor<{count}x{real}>
  return %y : tensor<{count}x{real}>
}}
"""


def _hard_cases(dtype: type) -> np.ndarray:
    """Numbers at and beside those in the middle of two floats of 2 to 12 bits, and any."""
    limits = np.iinfo(dtype)
    found = {limits.min, limits.max, 0}
    for exponent in range(limits.bits):
        for odd in (1, 3, 127, 129, 255, 257, 259, 513, 2049, 4097, 8193):
            for beside in (-1, 0, 1):
                number = (odd << exponent) + beside
                found |= {each for each in (number, -number) if limits.min <= each <= limits.max}
    rng = np.random.default_rng(0)
    drawn = rng.integers(limits.min, limits.max, 4000, dtype=dtype) >> rng.integers(0, limits.bits, 4000).astype(dtype)
    return np.concatenate([np.array(sorted(found), dtype), drawn])


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("real", ["bf16", "f16", "f8E4M3FN", "f8E5M2", "f32", "f64"])
@pytest.mark.parametrize("integer", INTEGERS)
def test_one_rounding(integer, real, target):
    numbers = _hard_cases(INTEGERS[integer])
    text = _convert(integer, real, numbers.size)
    result = np.asarray(mlir_xla.compile(text, target=target)(numbers))
    expected = np.asarray(mlir_xla.compile(text, target="reference")(numbers))
    np.testing.assert_array_equal(result.view(f"u{result.itemsize}"), expected.view(f"u{expected.itemsize}"))


def test_beside_the_middle():
    # In bf16, 2^62 has neighbours of 2^55 apart. Each number lies beside the middle of two, and is that middle in f64.
    numbers = np.array([2**62 + 2**54 + 1, 2**62 + 2**54 - 1, -(2**62) - 2**54 - 1, 2**62 + 2**54], np.int64)
    result = np.asarray(mlir_xla.compile(_convert("i64", "bf16", 4))(numbers))
    expected = np.array([2.0**62 + 2.0**55, 2.0**62, -(2.0**62) - 2.0**55, 2.0**62]).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
def test_quotients_by_constants(dtype, target):
    limits = np.iinfo(dtype)
    numbers = np.arange(limits.min, limits.max + 1).astype(dtype)
    integer = np.dtype(dtype).name.replace("uint", "ui").replace("int", "i")
    for divisor in (255, 127.5, 3, -3, 0.225, 58.395, 65535, 4, 1e-37, 1.5e-39, 3e38, 0, np.inf):
        bits = f"0x{np.float32(divisor).view(np.uint32):08X}"
        text = f"""
func.func @main(%x: tensor<{numbers.size}x{integer}>) -> tensor<{numbers.size}xf32> {{
  %c = xla.constant dense<{bits}> : tensor<{numbers.size}xf32>
  %0 = xla.convert %x : (tensor<{numbers.size}x{integer}>) -> tensor<{numbers.size}xf32>
  %1 = xla.divide %0, %c : tensor<{numbers.size}xf32>
  return %1 : tensor<{numbers.size}xf32>
}}
"""
        result = np.asarray(mlir_xla.compile(text, target=target)(numbers))
        with np.errstate(all="ignore"):
            expected = numbers.astype(np.float32) / np.float32(divisor)
        differ = (result.view(np.uint32) != expected.view(np.uint32)) & ~(np.isnan(result) & np.isnan(expected))
        assert not differ.any(), f"{numbers[differ][0]} / {divisor}"
