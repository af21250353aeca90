# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence

from ..builder import XlaOp
from ._attributes import FftType


def Fft(operand: XlaOp, fft_type: FftType | str, fft_length: Sequence[int]) -> XlaOp:
    """The discrete Fourier transform along the last `len(fft_length)` dimensions, 1 to 3 of them.

    `fft_length` has their sizes, of the real array for RFFT and IRFFT. FFT and IFFT take and give complex numbers; the
    inverse divides by the lengths. RFFT takes real numbers and gives the frequencies 0 to `fft_length[-1] // 2` of the
    last dimension; IRFFT takes these and gives real numbers.

    Example:
        >>> run(ops.Fft(value([10, -2 + 2j, -2]), "IRFFT", [4]))
        array([1., 2., 3., 4.], dtype=float32)
    """
    attributes = {"fft_type": f"#xla<fft_type {FftType(fft_type).value}>", "fft_length": fft_length}
    return operand.builder.emit("Fft", "fft", [operand], attributes)
