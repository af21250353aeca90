# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of 16 bits on the emulated GPU: an instruction rounds to them, as the CPU's code does."""

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")


def f32_of(bits: list[int]) -> np.ndarray:
    return np.array(bits, np.uint32).view(np.float32)


@pytest.mark.parametrize("source", ["f32", "f64"])
def test_bf16_by_an_instruction(source):
    """Ties, numbers around them, subnormal ones, those that round to infinity, infinities, NaNs, and many others."""
    edges = [
        half << 16 | low
        for half in (0, 1, 0x7F, 0x80, 0x3F80, 0x3F81, 0x7F7F)
        for low in (0, 1, 0x7FFF, 0x8000, 0x8001)
    ]
    edges += [0x7F800000, 0x7F800001, 0x7FFFFFFF, 0x7FC00000]
    edges += [each | 0x80000000 for each in edges]
    others = np.random.default_rng(3).integers(0, 1 << 32, 4096 - len(edges), dtype=np.uint32).view(np.float32)
    with np.errstate(invalid="ignore"):
        x = np.concatenate([f32_of(edges), others]).astype(np.float32 if source == "f32" else np.float64)
    text = f"""
    func.func @main(%x: tensor<{x.size}x{source}>) -> (tensor<{x.size}xbf16>, tensor<{x.size}xf32>) {{
      %r = xla.convert %x : (tensor<{x.size}x{source}>) -> tensor<{x.size}xbf16>
      %s = xla.convert %r : (tensor<{x.size}xbf16>) -> tensor<{x.size}xf32>
      return %r, %s : tensor<{x.size}xbf16>, tensor<{x.size}xf32>
    }}"""
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "cvt.rn.bf16" in program.stages["binary"]
    rounded, again = program(x)
    with np.errstate(all="ignore"):
        want = x.astype(np.float32).astype(ml_dtypes.bfloat16)
    is_number = ~np.isnan(x)
    np.testing.assert_array_equal(rounded.view(np.uint16)[is_number], want.view(np.uint16)[is_number])
    assert np.isnan(rounded[~is_number].astype(np.float32)).all()
    np.testing.assert_array_equal(again, rounded.astype(np.float32))
