# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers for products of small integers, and what these are."""

from __future__ import annotations

import numpy as np


def extreme_integers(shape: tuple[int, ...], dtype: type[np.integer], rng: np.random.Generator) -> np.ndarray:
    """All values, the extremes often: sums of products leave 32 bits."""
    info = np.iinfo(dtype)
    x = rng.integers(info.min, info.max + 1, shape)
    return np.where(rng.random(shape) < 0.3, rng.choice([info.min, info.max], shape), x).astype(dtype)


def wrapped_product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Sums of 32 bits, which wrap."""
    return (x.astype(np.int64) @ y.astype(np.int64)).astype(np.int32)
