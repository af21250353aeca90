# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The perceptron, written operation by operation with `XlaBuilder`, its gradient derived by hand.

    64 -> dense, 128, ReLU -> dense, 10 -> softmax cross-entropy, SGD with momentum

`train_step()` is one program for a whole step:

    parameters (4), velocities (4), learning rate, images (64 x 64), labels (64)
    -> parameters (4), velocities (4), loss
"""

from __future__ import annotations

import numpy as np

from mlir_xla import DotDimensionNumbers, Shape, XlaBuilder, ops

BATCH, PIXELS, HIDDEN, DIGITS = 64, 64, 128, 10
EPOCHS = 30
LEARNING_RATE = 0.2
MOMENTUM = 0.9
DESCRIPTION = f"{PIXELS}-{HIDDEN}-{DIGITS}"

SHAPES = ((PIXELS, HIDDEN), (HIDDEN,), (HIDDEN, DIGITS), (DIGITS,))


def initial_state(rng: np.random.Generator) -> list[np.ndarray]:
    """He's initialisation of the weights; biases and velocities are zero."""
    parameters = [
        (rng.standard_normal(shape) * np.sqrt(2.0 / shape[0])).astype(np.float32)
        if len(shape) > 1
        else np.zeros(shape, np.float32)
        for shape in SHAPES
    ]
    return [*parameters, *(np.zeros(shape, np.float32) for shape in SHAPES)]


def images(pixels: np.ndarray) -> np.ndarray:
    """Images as the network takes them: flat."""
    return pixels.reshape(len(pixels), PIXELS)


def _reducer(operation, name: str):
    """The scalar computation that a reduction repeats."""
    builder = XlaBuilder(name)
    scalar = Shape(np.float32, ())
    operation(ops.Parameter(builder, 0, scalar, "accumulator"), ops.Parameter(builder, 1, scalar, "element"))
    return builder.build()


def _forward(builder, parameters, x):
    """Hidden layer before its ReLU, hidden layer, logits."""
    w1, b1, w2, b2 = parameters
    before = ops.Add(ops.Dot(x, w1), b1, broadcast_dimensions=[1])
    hidden = ops.Max(before, ops.ConstantR0(builder, np.float32(0)))
    return before, hidden, ops.Add(ops.Dot(hidden, w2), b2, broadcast_dimensions=[1])


def _contract(lhs, rhs, lhs_dimension: int, rhs_dimension: int):
    numbers = DotDimensionNumbers(
        lhs_contracting_dimensions=[lhs_dimension], rhs_contracting_dimensions=[rhs_dimension]
    )
    return ops.DotGeneral(lhs, rhs, numbers)


def train_step():
    """Forward, cross-entropy, gradients and update as one computation."""
    builder = XlaBuilder("mlp_train_step")

    def parameter(number: int, shape: tuple[int, ...], name: str, dtype=np.float32):
        return ops.Parameter(builder, number, Shape(dtype, shape), name)

    names = ("w1", "b1", "w2", "b2")
    parameters = [parameter(i, shape, name) for i, (shape, name) in enumerate(zip(SHAPES, names, strict=True))]
    velocities = [
        parameter(4 + i, shape, f"v_{name}") for i, (shape, name) in enumerate(zip(SHAPES, names, strict=True))
    ]
    rate = parameter(8, (), "rate")
    x = parameter(9, (BATCH, PIXELS), "images")
    labels = parameter(10, (BATCH,), "labels", np.int32)

    zero = ops.ConstantR0(builder, np.float32(0))
    lowest = ops.ConstantR0(builder, np.float32(-np.inf))
    add, maximum = _reducer(ops.Add, "add"), _reducer(ops.Max, "max")

    before, hidden, logits = _forward(builder, parameters, x)

    # log softmax, with the largest logit of each image taken off first
    shifted = ops.Sub(logits, ops.Reduce(logits, lowest, maximum, [1]), broadcast_dimensions=[0])
    powers = ops.Exp(shifted)
    total = ops.Reduce(powers, zero, add, [1])
    log_probabilities = ops.Sub(shifted, ops.Log(total), broadcast_dimensions=[0])

    digits = ops.Iota(builder, Shape(np.int32, (BATCH, DIGITS)), 1)
    truth = ops.ConvertElementType(ops.Eq(digits, labels, broadcast_dimensions=[0]), np.float32)
    loss = -ops.Reduce(log_probabilities * truth, zero, add, [0, 1]) / BATCH

    # d loss / d logits = (softmax - truth) / batch; then the chain rule, layer by layer
    d_logits = (ops.Div(powers, total, broadcast_dimensions=[0]) - truth) / BATCH
    d_w2 = _contract(hidden, d_logits, 0, 0)
    d_b2 = ops.Reduce(d_logits, zero, add, [0])
    d_hidden = _contract(d_logits, parameters[2], 1, 1)
    d_before = ops.Select(ops.Gt(before, zero), d_hidden, ops.Broadcast(zero, [BATCH, HIDDEN]))
    d_w1 = _contract(x, d_before, 0, 0)
    d_b1 = ops.Reduce(d_before, zero, add, [0])

    gradients = (d_w1, d_b1, d_w2, d_b2)
    velocities = [v * MOMENTUM + g for v, g in zip(velocities, gradients, strict=True)]
    parameters = [p - v * rate for p, v in zip(parameters, velocities, strict=True)]
    return builder.build(ops.Tuple(builder, [*parameters, *velocities, loss]))


def predict():
    """The digit with the largest logit: parameters (4), images -> labels."""
    builder = XlaBuilder("mlp_predict")
    parameters = [ops.Parameter(builder, i, Shape(np.float32, shape), f"p{i}") for i, shape in enumerate(SHAPES)]
    x = ops.Parameter(builder, len(SHAPES), Shape(np.float32, (BATCH, PIXELS)), "images")
    _, _, logits = _forward(builder, parameters, x)
    lowest = ops.ConstantR0(builder, np.float32(-np.inf))
    largest = ops.Reduce(logits, lowest, _reducer(ops.Max, "max"), [1])
    # The first index at which the largest logit stands: the least of those indices, DIGITS elsewhere.
    index = ops.Iota(builder, Shape(np.int32, (BATCH, DIGITS)), 1)
    none = ops.Broadcast(ops.ConstantR0(builder, np.int32(DIGITS)), [BATCH, DIGITS])
    candidates = ops.Select(ops.Eq(logits, largest, broadcast_dimensions=[0]), index, none)
    scalar = Shape(np.int32, ())
    least = XlaBuilder("min")
    ops.Min(ops.Parameter(least, 0, scalar, "a"), ops.Parameter(least, 1, scalar, "b"))
    return builder.build(ops.Reduce(candidates, ops.ConstantR0(builder, np.int32(DIGITS)), least.build(), [1]))
