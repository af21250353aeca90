# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks, their training steps and an optimiser as programs of any size; `programs.py` lists those measured."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence

import functions
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from program import Program, Spec, spec


def _weight(*shape: int, fan: int | None = None) -> Spec:
    """Weights that keep the size of what they are applied to; `fan` is the number of terms of a sum."""
    bound = (3.0 / (fan or math.prod(shape[:-1]))) ** 0.5
    return Spec(tuple(shape), np.dtype(np.float32), -bound, bound)


def _vector(count: int, low: float = -0.1, high: float = 0.1) -> Spec:
    return Spec((count,), np.dtype(np.float32), low, high)


def _step(loss, weights: Sequence, *inputs):
    """A step of gradient descent: new weights and the loss."""
    value, gradients = jax.value_and_grad(loss)(tuple(weights), *inputs)
    return *(w - 0.05 * g for w, g in zip(weights, gradients, strict=True)), value


# ---------------------------------------------------------------------------------------------------------------------
# Transformers


def _attend(q, k, v, mask=None):
    """Arrays are batch, heads, sequence, depth."""
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    if mask is not None:
        scores = jnp.where(mask, scores, -1e30)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, axis=-1), v)


def _block_weights(width: int) -> list[Spec]:
    """Norm, attention, norm, perceptron."""
    norm = [_vector(width, 0.9, 1.1), _vector(width)]
    attention = [_weight(width, 3 * width), _vector(3 * width), _weight(width, width), _vector(width)]
    perceptron = [_weight(width, 4 * width), _vector(4 * width), _weight(4 * width, width), _vector(width)]
    return [*norm, *attention, *norm, *perceptron]


def gpt2_decode(
    name: str, layers: int = 12, width: int = 768, heads: int = 12, length: int = 1024, words: int = 50257
) -> Program:
    """One token through GPT-2: reads all weights and caches, returns the logits and the caches with a row more."""
    depth = width // heads
    per_layer = len(_block_weights(width))

    def decode(token, position, embedding, positions, scale, bias, *rest):
        caches, weights = rest[: 2 * layers], rest[2 * layers :]
        x = embedding[token] + positions[position]
        seen = jnp.arange(length) <= position
        new = []
        for layer in range(layers):
            g1, b1, wqkv, bqkv, wo, bo, g2, b2, w1, c1, w2, c2 = weights[per_layer * layer : per_layer * (layer + 1)]
            q, k, v = jnp.split((functions.layer_norm(x, g1, b1) @ wqkv + bqkv).reshape(3 * heads, 1, depth), 3)
            keys = lax.dynamic_update_slice(caches[2 * layer], k, (0, position, 0))
            values = lax.dynamic_update_slice(caches[2 * layer + 1], v, (0, position, 0))
            new += [keys, values]
            x = x + _attend(q[None], keys[None], values[None], seen).reshape(width) @ wo + bo
            x = x + jax.nn.gelu(functions.layer_norm(x, g2, b2) @ w1 + c1) @ w2 + c2
        return functions.layer_norm(x, scale, bias) @ embedding.T, *new

    cache = spec(f"{heads}x{length}x{depth}xf32")
    specs = (
        *(spec("i32", 0, words), spec("i32", length // 2, length), spec(f"{words}x{width}xf32", -0.1, 0.1)),
        *(spec(f"{length}x{width}xf32", -0.1, 0.1), _vector(width, 0.9, 1.1), _vector(width)),
        *(2 * layers * [cache] + layers * _block_weights(width)),
    )
    return Program(name, "network", decode, specs, rtol=1e-3, atol=1e-3)


def _vit_block(heads, x, weights):
    batch, length, width = x.shape
    g1, b1, wqkv, bqkv, wo, bo, g2, b2, w1, c1, w2, c2 = weights
    h = (functions.layer_norm(x, g1, b1) @ wqkv + bqkv).reshape(batch, length, 3, heads, width // heads)
    q, k, v = (h[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    x = x + _attend(q, k, v).transpose(0, 2, 1, 3).reshape(x.shape) @ wo + bo
    return x + jax.nn.gelu(functions.layer_norm(x, g2, b2) @ w1 + c1, approximate=False) @ w2 + c2


def vit_block(name: str, train: bool, batch: int = 2, length: int = 197, width: int = 768, heads: int = 12) -> Program:
    """An encoder block of ViT-Base."""

    def loss(weights, x, target):
        return jnp.mean(jnp.square(_vit_block(heads, x, weights) - target))

    def forward(x, *weights):
        return _vit_block(heads, x, weights)

    def step(x, target, *weights):
        return _step(loss, weights, x, target)

    x, weights = spec(f"{batch}x{length}x{width}xf32"), _block_weights(width)
    specs = (x, x, *weights) if train else (x, *weights)
    return Program(name, "network", step if train else forward, specs, rtol=1e-3, atol=1e-3)


# ---------------------------------------------------------------------------------------------------------------------
# Residual networks


def _conv(x, kernel, stride=1):
    padding = [(k // 2, k // 2) for k in kernel.shape[:2]]
    dims = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (stride, stride), padding, dimension_numbers=dims)


def _batch_norm(x, scale, bias):
    """By the batch's own statistics, as in training."""
    mean = jnp.mean(x, axis=(0, 1, 2))
    variance = jnp.mean(jnp.square(x - mean), axis=(0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def _affine(x, scale, bias):
    """A batch norm with known statistics."""
    return x * scale + bias


def _residual_block(norm, x, weights):
    """Convolutions, each with a norm, a ReLU in between, around which `x` goes as it is."""
    h, count = x, len(weights) // 3
    for index in range(count):
        kernel, scale, bias = weights[3 * index : 3 * index + 3]
        h = norm(_conv(h, kernel), scale, bias)
        h = jax.nn.relu(h if index < count - 1 else h + x)
    return h


def _convolution_weights(size: int, inputs: int, outputs: int, low: float = 0.9, high: float = 1.1) -> list[Spec]:
    return [_weight(size, size, inputs, outputs), _vector(outputs, low, high), _vector(outputs)]


def residual_block(name: str, train: bool, image: str, kernels: Sequence[tuple[int, int, int]]) -> Program:
    """A block of convolutions (size, inputs, outputs): ResNet's basic block or its bottleneck."""

    def loss(weights, x, target):
        return jnp.mean(jnp.square(_residual_block(_batch_norm, x, weights) - target))

    def forward(x, *weights):
        return _residual_block(_affine, x, weights)

    def step(x, target, *weights):
        return _step(loss, weights, x, target)

    weights = [each for kernel in kernels for each in _convolution_weights(*kernel)]
    specs = (spec(image), spec(image), *weights) if train else (spec(image), *weights)
    return Program(name, "network", step if train else forward, specs, rtol=1e-3, atol=1e-3)


def _resnet_convolutions(width: int, stages: Sequence[int], classes: int) -> Iterator[list[Spec]]:
    """The weights of ResNet with bottlenecks, convolution by convolution, then those of the classifier."""
    yield _convolution_weights(7, 3, width)
    inputs = width
    for stage, blocks in enumerate(stages):
        middle = width << stage
        for block in range(blocks):
            yield _convolution_weights(1, inputs, middle)
            yield _convolution_weights(3, middle, middle)
            # What is added to the trunk is small, so that fifty layers do not make large numbers.
            yield _convolution_weights(1, middle, 4 * middle, 0.1, 0.3)
            if block == 0:
                yield _convolution_weights(1, inputs, 4 * middle)
            inputs = 4 * middle
    yield [_weight(inputs, classes), _vector(classes)]


def resnet50(
    name: str,
    batch: int = 1,
    size: int = 224,
    width: int = 64,
    stages: Sequence[int] = (3, 4, 6, 3),
    classes: int = 1000,
) -> Program:
    """The forward pass, with norms by known statistics."""

    def forward(x, *weights):
        remaining = iter(weights)

        def convolved(x, stride=1):
            kernel, scale, bias = (next(remaining) for _ in range(3))
            return _affine(_conv(x, kernel, stride), scale, bias)

        x = jax.nn.relu(convolved(x, 2))
        padding = [(0, 0), (1, 1), (1, 1), (0, 0)]
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), padding)
        for stage, blocks in enumerate(stages):
            for block in range(blocks):
                stride = 2 if stage and not block else 1
                h = jax.nn.relu(convolved(x))
                h = jax.nn.relu(convolved(h, stride))
                h = convolved(h)
                x = jax.nn.relu(h + (x if block else convolved(x, stride)))
        return jnp.mean(x, axis=(1, 2)) @ next(remaining) + next(remaining)

    weights = [each for convolution in _resnet_convolutions(width, stages, classes) for each in convolution]
    return Program(name, "network", forward, (spec(f"{batch}x{size}x{size}x3xf32"), *weights), rtol=1e-3, atol=1e-3)


# ---------------------------------------------------------------------------------------------------------------------
# Optimisers


def _adam(count, rate, step, *arrays):
    parameters, gradients, firsts, seconds = (arrays[count * i : count * (i + 1)] for i in range(4))
    results = []
    for p, g, m, v in zip(parameters, gradients, firsts, seconds, strict=True):
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        p = p - rate * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)
        results += [p, m, v]
    return tuple(results)


def adam(name: str, layers: int = 10, width: int = 256) -> Program:
    """A step of Adam over five tensors per layer: parameters, gradients and both moments in, all but gradients out."""
    shapes = layers * [(width, width), (width,), (width, 4 * width), (4 * width,), (4 * width, width)]
    plain = [Spec(shape, np.dtype(np.float32)) for shape in shapes]
    squares = [Spec(shape, np.dtype(np.float32), 0.01, 1.0) for shape in shapes]
    specs = (spec("f32", 3.0, 9.0), *plain, *plain, *plain, *squares)
    return Program(name, "network", functools.partial(_adam, len(shapes), 1e-3), specs)


BASIC = (3, 128, 128), (3, 128, 128)
BOTTLENECK = (1, 512, 128), (3, 128, 128), (1, 128, 512)


def networks() -> list[Program]:
    """The networks that are measured."""
    return [
        gpt2_decode("gpt2_decode"),
        vit_block("vit_block", train=False),
        vit_block("vit_block_train", train=True),
        residual_block("resnet_block_train", True, "8x28x28x128xf32", BASIC),
        residual_block("resnet_bottleneck", False, "8x28x28x512xf32", BOTTLENECK),
        residual_block("resnet_bottleneck_train", True, "8x28x28x512xf32", BOTTLENECK),
        resnet50("resnet50"),
        adam("adam_50"),
    ]


def small_networks() -> dict[str, Program]:
    """The same, quick enough for a test."""
    basic, bottleneck = ((3, 4, 4), (3, 4, 4)), ((1, 8, 4), (3, 4, 4), (1, 4, 8))
    small = [
        gpt2_decode("gpt2_decode_small", 2, 8, 2, 12, 17),
        vit_block("vit_block_small", False, 2, 5, 12, 3),
        vit_block("vit_block_train_small", True, 2, 5, 12, 3),
        residual_block("resnet_block_train_small", True, "2x6x6x4xf32", basic),
        residual_block("resnet_bottleneck_small", False, "2x6x6x8xf32", bottleneck),
        residual_block("resnet_bottleneck_train_small", True, "2x6x6x8xf32", bottleneck),
        resnet50("resnet50_small", 2, 32, 4, (2, 1), 7),
        adam("adam_50_small", 2, 4),
    ]
    return {each.name: each for each in small}
