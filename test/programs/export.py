# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes `exported/`: programs that JAX lowers for the CPU, and what XLA computes, for `test_exported_programs.py`.

    python test/programs/export.py [NAME ...]

Each program is one function of `jax.numpy`. Its text goes to `exported/NAME.mlir`; signature, tolerance and a digest of
XLA's results to `exported/NAME.json`. Inputs are drawn when they are needed (`exported_data.py`), so functions make
what is special, such as a positive definite matrix, out of numbers that are not. JAX is needed here, not by the test.
"""

from __future__ import annotations

import dataclasses
import math
import pathlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "python"), str(FOLDER.parent / "python" / "api")]

import exported_data  # noqa: E402

# As lowered where nobody has registered anything, instead of for the CPU.
NEUTRAL = "mlir_xla"


@dataclasses.dataclass(frozen=True)
class Program:
    """`inputs` are named as in exported_data.drawn. `roundings` bounds differences, in eps of a result's largest
    element: both sides round, in orders of their own, and recurrences and factorisations amplify that."""

    function: Callable[..., Any]
    inputs: tuple[str, ...]
    roundings: float = 16
    platform: str = "cpu"
    x64: bool = False


PROGRAMS: dict[str, Program] = {}


def program(*inputs: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a function under its name."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = Program(function, inputs, **options)
        return function

    return register


# ---- Training steps --------------------------------------------------------------------------------------------------


def adam(parameters: Any, gradients: Any, first: Any, second: Any, step: Any, rate: float = 1e-2) -> Any:
    """One step of Adam. `second` are roots of second moments, so that any numbers will do; given moments that are not
    0, an update is no mere sign, which rounding would decide where a gradient vanishes."""
    first = 0.9 * first + 0.1 * gradients
    second = 0.999 * second * second + 0.001 * gradients * gradients
    update = rate * (first / (1 - 0.9**step)) / (jnp.sqrt(second / (1 - 0.999**step)) + 1e-3)
    return parameters - update, first, second


def cross_entropy(logits: Any, labels: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], axis=-1))


def layer_norm(x: Any, scale: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return scale * centred * jax.lax.rsqrt(jnp.square(centred).mean(-1, keepdims=True) + 1e-5)


def cut(flat: Any, *shapes: Sequence[int]) -> list[Any]:
    """A vector of parameters as arrays."""
    parts, start = [], 0
    for shape in shapes:
        parts.append(flat[start : start + math.prod(shape)].reshape(shape))
        start += math.prod(shape)
    assert start == flat.size
    return parts


@program("2x8x8x4xf32", "2xi32 0..5", "f32 3..4", "316xf32", "316xf32", "316xf32", roundings=16)
def resnet_block_adam(x, labels, step, parameters, first, second):
    """A block of two convolutions with batch norms and a shortcut, a classifier on top, and one step of Adam."""

    def convolution(x, kernel):
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def norm(x, scale):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * jax.lax.rsqrt(variance + 1e-3) * scale

    def loss(parameters):
        one, scale, two, other, classes = cut(parameters, (3, 3, 4, 4), (4,), (3, 3, 4, 4), (4,), (4, 5))
        y = jax.nn.relu(norm(convolution(x, one), scale))
        y = jax.nn.relu(x + norm(convolution(y, two), other))
        y = jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return cross_entropy(y.mean((1, 2)) @ classes, labels)

    value, gradients = jax.value_and_grad(loss)(parameters)
    return value, gradients, adam(parameters, gradients, first, second, step)


_WEIGHTS = ((11, 16), (16,), (16, 48), (16, 16), (16,), (16, 32), (32,), (32, 16))
_COUNT = sum(map(math.prod, _WEIGHTS))


@program("2x8xi32 0..11", "2x8xi32 0..11", "f32 3..4", *3 * [f"{_COUNT}xf32"], roundings=16)
def transformer_block_adam(tokens, labels, step, parameters, first, second):
    """A causal transformer block between an embedding and its transpose, and one step of Adam."""

    def loss(parameters):
        embedding, scale, heads, merge, other_scale, wide, bias, narrow = cut(parameters, *_WEIGHTS)
        x = embedding[tokens]
        q, k, v = jnp.split(layer_norm(x, scale) @ heads / 4, 3, axis=-1)
        q, k, v = (each.reshape(2, 8, 2, 8).transpose(0, 2, 1, 3) for each in (q, k, v))
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(8)
        scores = jnp.where(jnp.tril(jnp.ones((8, 8), bool)), scores, -1e9)
        mixed = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), v)
        x = x + mixed.transpose(0, 2, 1, 3).reshape(2, 8, 16) @ merge / 4
        x = x + jax.nn.gelu(layer_norm(x, other_scale) @ wide / 4 + bias) @ narrow / 6
        return cross_entropy(x @ embedding.T / 4, labels)

    value, gradients = jax.value_and_grad(loss)(parameters)
    return value, gradients, adam(parameters, gradients, first, second, step)


@program("12x3x5xf32", "3x8xf32", "3x8xf32", "5x32xf32", "8x32xf32", "32xf32", "3x8xf32", roundings=16)
def lstm(inputs, hidden, cell, kernel, recurrent, bias, target):
    """An LSTM over twelve steps, with the gradients of its weights through time."""

    def loss(weights):
        kernel, recurrent, bias = weights

        def step(state, x):
            hidden, cell = state
            i, f, g, o = jnp.split(x @ kernel / 2 + hidden @ recurrent / 3 + bias, 4, axis=-1)
            cell = jax.nn.sigmoid(f + 1) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
            hidden = jax.nn.sigmoid(o) * jnp.tanh(cell)
            return (hidden, cell), hidden

        (hidden_, cell_), outputs = jax.lax.scan(step, (hidden, cell), inputs)
        return jnp.mean(jnp.square(hidden_ - target)), (outputs, cell_)

    return jax.value_and_grad(loss, has_aux=True)((kernel, recurrent, bias))


# ---- Statistics and signals ------------------------------------------------------------------------------------------


@program("60x3xf32")
def k_means(points):
    """Lloyd's algorithm until nothing moves: distances, argmin, means by segments."""
    count = 4
    points = points + 3 * (jnp.arange(60)[:, None] % count) * jnp.asarray([1.0, -1.0, 0.5])

    def assigned(centres):
        return jnp.argmin(jnp.square(points[:, None] - centres).sum(-1), axis=1)

    def body(state):
        centres, _, turn = state
        labels = assigned(centres)
        sizes = jax.ops.segment_sum(jnp.ones(60), labels, count)
        means = jax.ops.segment_sum(points, labels, count) / jnp.maximum(sizes, 1)[:, None]
        means = jnp.where(sizes[:, None] > 0, means, centres)
        return means, jnp.abs(means - centres).max(), turn + 1

    start = points[:count], jnp.inf, 0
    centres, _, turns = jax.lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 50), body, start)
    return centres, assigned(centres), turns


@program("2x21x26xf32", "2x5x4xf32", "3x50xc64", "3x37xf32", roundings=8)
def fft_convolution(images, kernels, signals, reals):
    """Convolutions of images by two-dimensional real transforms, of complex signals, and lengths that are no power of
    two."""
    shape = 25, 29
    product = jnp.fft.rfft2(images, shape) * jnp.fft.rfft2(kernels, shape)
    full = jnp.fft.irfft2(product, shape)
    circular = jnp.fft.ifft(jnp.fft.fft(signals) * jnp.fft.fft(jnp.conj(signals[::-1])))
    return full, circular, jnp.abs(jnp.fft.rfft(reals)), jnp.fft.fftshift(jnp.fft.fft(reals, axis=0), axes=1)


def _likelihood(x, y, at, scales):
    """The log marginal likelihood, posterior means and variances, for a kernel of one length."""
    length, noise = jnp.exp(scales * 0.2)

    def kernel(a, b):
        return jnp.exp(-0.5 * jnp.square(a[:, None] - b).sum(-1) / length**2)

    factor = jnp.linalg.cholesky(kernel(x, x) + noise * jnp.eye(len(x)))
    weights = jax.scipy.linalg.cho_solve((factor, True), y)
    value = -0.5 * y @ weights - jnp.log(jnp.diagonal(factor)).sum() - 0.5 * len(x) * np.log(2 * np.pi)
    cross = kernel(at, x)
    reduced = jax.scipy.linalg.solve_triangular(factor, cross.T, lower=True)
    return value, (cross @ weights, 1 - jnp.square(reduced).sum(0))


@program("24x2xf32", "24xf32", "9x2xf32", "2xf32", roundings=32)
def gaussian_process(x, y, at, scales):
    """Gaussian process regression by Cholesky, as calls of LAPACK."""
    return _likelihood(x, y, at, scales)


@program("24x2xf64", "24xf64", "9x2xf64", "2xf64", roundings=32, platform=NEUTRAL, x64=True)
def gaussian_process_neutral(x, y, at, scales):
    """The same in f64, with the operations `cholesky` and `triangular_solve` and with the gradient."""
    return jax.value_and_grad(lambda s: _likelihood(x, y, at, s), has_aux=True)(scales)


@program("40x6xf32", roundings=16)
def pca_svd(x):
    """Principal components by a singular value decomposition; the largest entry of each is made positive."""
    x = (x * 2.0 ** jnp.arange(6)) @ (jnp.eye(6) + 0.2 * jnp.tri(6))
    centred = x - x.mean(0)
    _, values, components = jnp.linalg.svd(centred, full_matrices=False)
    largest = jnp.take_along_axis(components, jnp.abs(components).argmax(1)[:, None], axis=1)
    components = components * jnp.sign(largest)
    scores = centred @ components[:2].T
    return jnp.square(values) / 39, components, scores, scores @ components[:2] + x.mean(0)


@program("15x2xf32", "4xf32", roundings=16)
def kalman_filter(measured, start):
    """Positions and velocities in a plane from noisy positions; the gain by solving, which is LU."""
    move = jnp.eye(4) + 0.1 * jnp.eye(4, k=2)
    look = jnp.eye(2, 4)

    def step(state, z):
        mean, covariance = state
        mean, covariance = move @ mean, move @ covariance @ move.T + 0.05 * jnp.eye(4)
        residual = look @ covariance @ look.T + 0.3 * jnp.eye(2)
        gain = jnp.linalg.solve(residual, look @ covariance).T
        innovation = z - look @ mean
        mean, covariance = mean + gain @ innovation, (jnp.eye(4) - gain @ look) @ covariance
        return (mean, covariance), (mean, innovation)

    (_, covariance), (means, innovations) = jax.lax.scan(step, (start, jnp.eye(4)), measured.cumsum(0))
    return means, covariance, innovations


@program("30x5xf32", "30x2xf32", "6x6xf32", roundings=16)
def factorisations(x, y, a):
    """Least squares by QR, and the eigenvalues of a symmetric matrix with what it is rebuilt from."""
    q, r = jnp.linalg.qr(x)
    fitted = jax.scipy.linalg.solve_triangular(r, q.T @ y)
    symmetric = a + a.T
    values, vectors = jnp.linalg.eigh(symmetric)
    rebuilt = (vectors * values) @ vectors.T
    return fitted, q @ r, values, rebuilt


# ---- Random bits, order, segments ------------------------------------------------------------------------------------


@program("2xui32", roundings=2)
def threefry(seed):
    """JAX's default generator: splitting, folding in, and what it draws."""
    key = jax.random.wrap_key_data(seed, impl="threefry2x32")
    one, two = jax.random.split(key)
    return jax.random.key_data(two), jax.random.normal(one, (33,)), jax.random.permutation(two, 23)


@program("4xui32", roundings=2)
def random_bits(seed):
    """The generator that is one operation, whose state advances."""
    key = jax.random.wrap_key_data(seed, impl="unsafe_rbg")
    one, two = jax.random.split(key)
    return jax.random.key_data(one), jax.random.bits(one, (6, 5)), jax.random.uniform(two, (11,))


@program("7x40xf32", "40xi32 -5..6", "40xi32 -3..4", "50xf32", roundings=4)
def sorting_and_top_k(x, minor, major, other):
    """Sorting with one and several keys, of both directions, with NaN and zeros of both signs; top-k; order
    statistics."""
    special = jnp.where(jnp.abs(x) < 0.3, -0.0 * x, jnp.where(x > 1.5, jnp.nan, x))
    order = jnp.lexsort((minor, major))
    values, places = jax.lax.top_k(x, 5)
    return (
        jnp.sort(special, axis=1),
        jnp.sort(x, axis=0, descending=True),
        jnp.argsort(x, axis=1, stable=True),
        (order, minor[order], major[order]),
        (values, places),
        jnp.median(x, axis=1),
        jnp.searchsorted(jnp.sort(other), x[0]),
        jnp.unique(minor, size=8, fill_value=99),
        jax.lax.sort((minor, x[0], x[1]), num_keys=2),
    )


@program("50x3xf32", "50xi32 -1..9", "50xi32 0..20", roundings=8)
def segment_sums(data, segments, counts):
    """Sums, products and extrema of segments, sorted or not, some empty, some rows of none."""
    ordered = jnp.sort(segments)
    return (
        jax.ops.segment_sum(data, segments, 8),
        jax.ops.segment_sum(data, ordered, 8, indices_are_sorted=True),
        jax.ops.segment_prod(data[:, 0], segments, 8),
        jax.ops.segment_max(data, segments, 8),
        jax.ops.segment_min(counts, segments, 8),
        jnp.bincount(counts, length=20),
        jnp.zeros((8, 3)).at[segments].multiply(2.0).at[ordered[::7], 1].set(4.0, unique_indices=False),
    )


@program("10x6xf32", "25xi32 0..10", "25xi32 0..10", "12x8xf32", "8xf32", "14x6xf32", roundings=16)
def graph_network(nodes, senders, receivers, message, attention, update):
    """A layer with attention over the edges into each node, and its gradients."""

    def layer(weights):
        message, attention, update = weights
        edges = jnp.tanh(jnp.concatenate([nodes[senders], nodes[receivers]], axis=1) @ message / 3)
        scores = edges @ attention
        top = jax.ops.segment_max(scores, receivers, 10)
        powers = jnp.exp(scores - jax.lax.stop_gradient(top)[receivers])
        weights_ = powers / jax.ops.segment_sum(powers, receivers, 10)[receivers]
        gathered = jax.ops.segment_sum(edges * weights_[:, None], receivers, 10)
        return nodes + jax.nn.relu(jnp.concatenate([nodes, gathered], axis=1) @ update / 3)

    def loss(weights):
        out = layer(weights)
        return jnp.square(out).mean(), out

    return jax.value_and_grad(loss, has_aux=True)((message, attention, update))


# The platform for which JAX keeps the operation.
@program("20x8xf32", "8x4xf32", "4x8x12xf32", "4x12x8xf32", roundings=16, platform="tpu")
def mixture_of_experts(tokens, router, wide, narrow):
    """Each token goes to the two experts that the router likes best, whose products are ragged dots; with gradients."""
    count = router.shape[1]
    chances, chosen = jax.lax.top_k(jax.nn.softmax(tokens @ router), 2)
    flat = chosen.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    sizes = jnp.bincount(flat, length=count).astype(jnp.int32)

    def loss(weights):
        wide, narrow = weights
        rows = tokens[order // 2]
        hidden = jax.nn.silu(jax.lax.ragged_dot(rows, wide, sizes) / 3)
        outputs = jax.lax.ragged_dot(hidden, narrow, sizes) / 3
        outputs = outputs * chances.reshape(-1)[order][:, None]
        mixed = jnp.zeros_like(tokens).at[order // 2].add(outputs)
        return jnp.square(mixed).mean(), mixed

    return sizes, jax.value_and_grad(loss, has_aux=True)((wide, narrow))


# ---- Writing ---------------------------------------------------------------------------------------------------------


def write(name: str) -> None:
    """Writes one program."""
    about = PROGRAMS[name]
    with jax.enable_x64(about.x64):
        arguments = exported_data.drawn(name, about.inputs)
        jitted = jax.jit(about.function, keep_unused=True)
        text = jitted.trace(*arguments).lower(lowering_platforms=(about.platform,)).as_text()
        results = [np.asarray(each) for each in jax.tree.leaves(jitted(*arguments))]
    (FOLDER / "exported" / f"{name}.mlir").write_text(text.replace("module @jit_", "module @"))
    exported_data.store(FOLDER / "exported" / f"{name}.json", name, about.inputs, about.roundings, results)


def main() -> None:
    for name in sys.argv[1:] or PROGRAMS:
        write(name)
    files = sorted((FOLDER / "exported").iterdir())
    print(f"{len(files)} files, {sum(each.stat().st_size for each in files) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
