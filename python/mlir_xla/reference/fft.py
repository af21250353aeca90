# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fft family. Transforms are computed in complex128 and rounded once, to the result's element type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Op

Array = np.ndarray


def _fft(op: Op, x: Array) -> Array:
    lengths, kind = op.attributes["fft_length"], op.attributes["fft_type"]
    result = op.array
    if 0 in result.shape:
        return np.zeros(result.shape, result.element.dtype)
    axes = range(x.ndim - len(lengths), x.ndim)
    values = widen(x)
    if kind == "IRFFT":
        # Along the last axis the spectrum is completed by the conjugates of its entries from the end. What cannot be in
        # the spectrum of real numbers drops out with the imaginary part, which is that of the entries 0 and n / 2.
        values = np.fft.ifftn(values, axes=axes[:-1]) if len(axes) > 1 else values
        mirrored = np.conj(values[..., 1 : (lengths[-1] + 1) // 2])[..., ::-1]
        values = np.fft.ifft(np.concatenate([values, mirrored], axis=-1), axis=-1).real
    else:
        transform = np.fft.ifftn if kind == "IFFT" else np.fft.fftn
        values = transform(values, axes=axes)[..., : result.shape[-1]]
    return narrow(values, result.element)


OPS: dict[str, Callable[..., Any]] = {"fft": _fft}
