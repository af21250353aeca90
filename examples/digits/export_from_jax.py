# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes `cnn_train_step.mlir` and `cnn_predict.mlir`: the network and its Adam step, differentiated by JAX.

pip install jax
python examples/digits/export_from_jax.py
"""

from __future__ import annotations

import functools
import pathlib

import cnn
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def convolution(x, kernel):
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@jax.custom_vjp
def max_pool(x):
    """The largest of each 2 by 2 window. Its gradient goes to every element that equals the maximum."""
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def _upsample(y):
    batch, height, width, channels = y.shape
    wide = jnp.broadcast_to(y[:, :, None, :, None, :], (batch, height, 2, width, 2, channels))
    return wide.reshape(batch, height * 2, width * 2, channels)


def _max_pool_forward(x):
    y = max_pool(x)
    return y, (x, y)


def _max_pool_backward(saved, gradient):
    x, y = saved
    return (jnp.where(x == _upsample(y), _upsample(gradient), 0.0),)


max_pool.defvjp(_max_pool_forward, _max_pool_backward)


def logits(parameters, x):
    k1, b1, k2, b2, k3, b3, w, b = parameters
    h = jax.nn.relu(convolution(x, k1) + b1)
    h = max_pool(jax.nn.relu(convolution(h, k2) + b2))
    h = max_pool(jax.nn.relu(convolution(h, k3) + b3))
    return h.reshape(h.shape[0], -1) @ w + b


def cross_entropy(parameters, x, labels):
    scores = jax.nn.log_softmax(logits(parameters, x))
    return -jnp.mean(jnp.sum(scores * jax.nn.one_hot(labels, scores.shape[1]), axis=1))


def train_step(*arguments):
    """One step of Adam (Kingma and Ba, 2015)."""
    count = len(cnn.SHAPES)
    parameters, first, second = (arguments[i * count : (i + 1) * count] for i in range(3))
    step, rate, x, labels = arguments[3 * count :]
    loss, gradients = jax.value_and_grad(cross_entropy)(parameters, x, labels)
    step = step + 1.0
    first = [0.9 * m + 0.1 * g for m, g in zip(first, gradients, strict=True)]
    second = [0.999 * v + 0.001 * g * g for v, g in zip(second, gradients, strict=True)]
    rate = rate * jnp.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
    parameters = [p - rate * m / (jnp.sqrt(v) + 1e-8) for p, m, v in zip(parameters, first, second, strict=True)]
    return *parameters, *first, *second, step, loss


def predict(*arguments):
    """The most likely digit of each image."""
    *parameters, x = arguments
    return lax.argmax(logits(parameters, x), 1, jnp.int32)


def export(function, path: pathlib.Path, *arguments) -> None:
    """Lowers for a platform JAX does not know, so that nothing platform-specific gets in."""
    lowered = jax.jit(function).trace(*arguments).lower(lowering_platforms=("mlir_xla",))
    path.write_text(lowered.as_text())
    print(f"wrote {path.name}")


def main() -> None:
    shape = functools.partial(jax.ShapeDtypeStruct, dtype=np.float32)
    parameters = [shape(each) for each in cnn.SHAPES]
    x, labels = shape((cnn.BATCH, 8, 8, 1)), jax.ShapeDtypeStruct((cnn.BATCH,), np.int32)
    export(train_step, cnn.TRAIN_STEP, *parameters * 3, shape(()), shape(()), x, labels)
    export(predict, cnn.PREDICT, *parameters, x)


if __name__ == "__main__":
    main()
