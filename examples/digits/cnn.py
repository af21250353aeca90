# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The convolutional network, read from StableHLO files that JAX wrote (`export_from_jax.py`); JAX is not needed here.

    8x8x1 -> conv 3x3, 16 -> conv 3x3, 32 -> max pool -> conv 3x3, 64 -> max pool -> dense, 10

`cnn_train_step.mlir` takes and returns the whole state of the training, so that a step is one call:

    parameters (8), first moments (8), second moments (8), step count, learning rate, images, labels
    -> parameters (8), first moments (8), second moments (8), step count, loss
"""

from __future__ import annotations

import pathlib

import numpy as np

BATCH = 64
EPOCHS = 15
LEARNING_RATE = 3e-3

# Kernels and biases of the three convolutions (height, width, in, out), then of the dense layer.
SHAPES = ((3, 3, 1, 16), (16,), (3, 3, 16, 32), (32,), (3, 3, 32, 64), (64,), (256, 10), (10,))

_HERE = pathlib.Path(__file__).resolve().parent
TRAIN_STEP = _HERE / "cnn_train_step.mlir"
PREDICT = _HERE / "cnn_predict.mlir"


def initial_state(rng: np.random.Generator) -> list[np.ndarray]:
    """He's initialisation of the parameters; the moments and the step count are zero."""
    parameters = [
        (rng.standard_normal(shape) * np.sqrt(2.0 / np.prod(shape[:-1]))).astype(np.float32)
        if len(shape) > 1
        else np.zeros(shape, np.float32)
        for shape in SHAPES
    ]
    moments = [np.zeros(shape, np.float32) for shape in (*SHAPES, *SHAPES)]
    return [*parameters, *moments, np.zeros((), np.float32)]


def images(pixels: np.ndarray) -> np.ndarray:
    """Images as the network takes them: with a channel."""
    return pixels[..., np.newaxis]
