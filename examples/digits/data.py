# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The digits: scikit-learn's bundled 1,797 handwritten digits of 8 by 8 pixels, in a fixed split."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np


@dataclasses.dataclass(frozen=True)
class Digits:
    """Images as n by 8 by 8 f32 in [0, 1], labels as n i32 in 0..9."""

    images: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """One epoch in random order, in batches of exactly `size`; the rest that fills no batch sits this one out."""
        order = rng.permutation(len(self))
        for start in range(0, len(self) - size + 1, size):
            chosen = order[start : start + size]
            yield self.images[chosen], self.labels[chosen]


def load(test_images: int = 360) -> tuple[Digits, Digits]:
    """The images to learn from and those to test with."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images = (images / 16.0).astype(np.float32).reshape(-1, 8, 8)
    labels = labels.astype(np.int32)
    order = np.random.default_rng(2026).permutation(len(labels))
    train, test = order[test_images:], order[:test_images]
    return Digits(images[train], labels[train]), Digits(images[test], labels[test])
