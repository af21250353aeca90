# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JAX functions that are measured, by what they exercise. They take and return flat arrays."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

# ---------------------------------------------------------------------------------------------------------------------
# Elementwise, reductions and normalisations


def gelu_chain(x, scale, bias):
    h = x * scale + bias
    h = 0.5 * h * (1.0 + jnp.tanh(0.7978845608 * (h + 0.044715 * h * h * h)))
    return h * jax.nn.sigmoid(h) + x


def polynomial(x):
    y = jnp.full_like(x, 0.5)
    for k in range(16):
        y = y * x + (1.0 / (k + 1))
    return y


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def log_softmax_loss(logits, labels):
    onehot = labels[:, None] == jnp.arange(logits.shape[1], dtype=labels.dtype)
    return -jnp.mean(jnp.sum(jnp.where(onehot, jax.nn.log_softmax(logits), 0.0), axis=1))


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return centred * lax.rsqrt(variance + 1e-5) * scale + bias


def rms_norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * scale


def add_rms_norm(x, residual, scale):
    """The sum goes on as the trunk of a network, its norm into a layer."""
    total = x + residual
    return total, rms_norm(total, scale)


def add_layer_norm(x, residual, scale, bias):
    total = x + residual
    return total, layer_norm(total, scale, bias)


def layer_norm_gradient(x, scale, bias, cotangent):
    return jax.vjp(layer_norm, x, scale, bias)[1](cotangent)


def n_body(places, masses):
    """The acceleration of every body by all others."""
    apart = places[None, :] - places[:, None]
    squares = jnp.sum(apart * apart, axis=-1) + 1e-2
    return jnp.sum((masses * squares**-1.5)[:, :, None] * apart, axis=1)


def pairwise_distances(x, y):
    squares = jnp.sum(x * x, axis=1)[:, None] + jnp.sum(y * y, axis=1) - 2.0 * (x @ y.T)
    return jnp.sqrt(jnp.maximum(squares, 0.0))


def batch_statistics(x):
    return jnp.mean(x, axis=(0, 1, 2)), jnp.var(x, axis=(0, 1, 2))


# ---------------------------------------------------------------------------------------------------------------------
# Scatters


def sums_of_groups(rows, ids):
    return jax.ops.segment_sum(rows, ids, num_segments=5000)


def sums_of_sorted_groups(rows, ids):
    return jax.ops.segment_sum(rows, ids, num_segments=5000, indices_are_sorted=True)


def largest_of_groups(rows, ids):
    return jax.ops.segment_max(rows, ids, num_segments=5000)


def put(x, ids, values):
    return x.at[ids].set(values[0])


def put_distinct(x, ids, values):
    return x.at[ids].set(values, unique_indices=True)


def counts(ids):
    return jnp.bincount(ids, length=1000)


def histogram(x):
    return jnp.histogram(x, bins=64, range=(-4.0, 4.0))[0]


def embedding_gradient(table, ids, cotangent):
    return jax.vjp(lambda t: jnp.take(t, ids, axis=0, mode="clip"), table)[1](cotangent)[0]


def sort_by_distance(x, centre):
    return lax.sort_key_val(jnp.abs(x - centre), x)[1]


# ---------------------------------------------------------------------------------------------------------------------
# Convolutions


def conv(strides=(1, 1), padding="SAME", layout="NHWC", groups=1, rhs_dilation=(1, 1), result=None):
    dims = (layout, "HWIO" if layout == "NHWC" else "OIHW", layout)

    def convolution(x, kernel):
        return lax.conv_general_dilated(
            x,
            kernel,
            strides,
            padding,
            rhs_dilation=rhs_dilation,
            dimension_numbers=dims,
            feature_group_count=groups,
            preferred_element_type=result,
        )

    return convolution


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def conv_input_gradient(image, **how):
    """From the kernel and the gradient of the result; `image` is the shape of the input."""

    def gradient(kernel, cotangent):
        return jax.linear_transpose(lambda x: conv(**how)(x, kernel), jnp.zeros(image, kernel.dtype))(cotangent)[0]

    return gradient


def conv_kernel_gradient(kernel, **how):
    """From the input and the gradient of the result; `kernel` is the shape of the kernel."""

    def gradient(x, cotangent):
        return jax.linear_transpose(lambda k: conv(**how)(x, k), jnp.zeros(kernel, x.dtype))(cotangent)[0]

    return gradient


def conv_bias_relu(x, kernel, bias):
    return jax.nn.relu(conv()(x, kernel) + bias)


# ---------------------------------------------------------------------------------------------------------------------
# Fourier transforms and linear algebra


def integer_matmul(a, b):
    """A product of small integers with sums of 32 bits."""
    return lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)


def cholesky(x):
    """Factors of matrices that a large diagonal makes positive definite. Their lower triangle is all that is read."""
    n = x.shape[-1]
    return jax.lax.linalg.cholesky(x + 2 * n * jnp.eye(n, dtype=x.dtype), symmetrize_input=False)


def triangular_solve(a, b):
    n = a.shape[-1]
    return jax.lax.linalg.triangular_solve(a + n * jnp.eye(n, dtype=a.dtype), b, left_side=True, lower=True)


def fft_convolve(x, kernel):
    """Each row of `x` with `kernel`, as `scipy.signal.fftconvolve` has it in mode "same"."""
    full = x.shape[-1] + kernel.shape[-1] - 1
    product = jnp.fft.irfft(jnp.fft.rfft(x, full) * jnp.fft.rfft(kernel, full), full)
    begin = (kernel.shape[-1] - 1) // 2
    return product[..., begin : begin + x.shape[-1]]


def power_spectrum(x):
    """Welch's method: the mean over half-overlapping windows of each row."""
    width = x.shape[-1] // 8
    starts = range(0, x.shape[-1] - width + 1, max(1, width // 2))
    windows = jnp.stack([x[..., s : s + width] for s in starts], axis=-2)
    return jnp.mean(jnp.abs(jnp.fft.rfft(windows * jnp.hanning(width))) ** 2, axis=-2)


def low_pass(images):
    """Images without what varies faster than a quarter of the highest frequency."""
    spectrum = jnp.fft.rfft2(images)
    rows = jnp.abs(jnp.fft.fftfreq(images.shape[-2]))[:, None]
    columns = jnp.fft.rfftfreq(images.shape[-1])[None, :]
    return jnp.fft.irfft2(jnp.where(rows**2 + columns**2 < 0.0156, spectrum, 0), images.shape[-2:])


# ---------------------------------------------------------------------------------------------------------------------
# Attention


def attention(q, k, v):
    scores = (q @ k.T) * (q.shape[-1] ** -0.5)
    return jax.nn.softmax(scores, axis=-1) @ v


def multi_head_attention(q, k, v):
    """Arrays are batch, sequence, heads, depth."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), v)


def causal_attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    length = q.shape[1]
    mask = lax.broadcasted_iota(jnp.int32, (length, length), 0) >= lax.broadcasted_iota(jnp.int32, (length, length), 1)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e30), axis=-1), v)


def masked_attention(q, k, v, mask):
    """Which key a query sees is an input."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e30), axis=-1), v)


def narrow_attention(q, k, v, mask=None):
    """Products of bf16 or f16 whose sums are f32, as models have them: weights are rounded before the second."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32) * (q.shape[-1] ** -0.5)
    scores = scores if mask is None else jnp.where(mask, scores, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1).astype(q.dtype), v)


def narrow_causal_attention(q, k, v):
    length = q.shape[1]
    rows, columns = (lax.broadcasted_iota(jnp.int32, (length, length), dim) for dim in (0, 1))
    return narrow_attention(q, k, v, rows >= columns)


def transformer_block(x, wqkv, wo, w1, w2, g1, g2):
    """Pre-norm block of four heads; `x` is sequence by width."""
    length, width = x.shape
    heads = 4
    q, k, v = jnp.split(rms_norm(x, g1) @ wqkv, 3, axis=-1)
    q, k, v = (each.reshape(1, length, heads, width // heads) for each in (q, k, v))
    x = x + causal_attention(q, k, v).reshape(length, width) @ wo
    return x + jax.nn.gelu(rms_norm(x, g2) @ w1) @ w2


# ---------------------------------------------------------------------------------------------------------------------
# Training steps


def _cross_entropy(logits, labels):
    return log_softmax_loss(logits, labels)


def mlp_train_step(w1, b1, w2, b2, w3, b3, x, labels):
    """One SGD step of a three-layer perceptron: new parameters and the loss."""

    def loss(parameters):
        w1, b1, w2, b2, w3, b3 = parameters
        h = jax.nn.relu(x @ w1 + b1)
        h = jax.nn.relu(h @ w2 + b2)
        return _cross_entropy(h @ w3 + b3, labels)

    parameters = (w1, b1, w2, b2, w3, b3)
    value, gradients = jax.value_and_grad(loss)(parameters)
    return *(p - 0.05 * g for p, g in zip(parameters, gradients, strict=True)), value


def average_pool(x):
    batch, height, width, channels = x.shape
    return jnp.mean(x.reshape(batch, height // 2, 2, width // 2, 2, channels), axis=(2, 4))


def cnn_train_step(k1, b1, k2, b2, w, b, x, labels):
    """One SGD step of a network of two 3x3 convolutions with average pooling."""

    def loss(parameters):
        k1, b1, k2, b2, w, b = parameters
        h = average_pool(jax.nn.relu(conv()(x, k1) + b1))
        h = average_pool(jax.nn.relu(conv()(h, k2) + b2))
        return _cross_entropy(h.reshape(h.shape[0], -1) @ w + b, labels)

    parameters = (k1, b1, k2, b2, w, b)
    value, gradients = jax.value_and_grad(loss)(parameters)
    return *(p - 0.05 * g for p, g in zip(parameters, gradients, strict=True)), value


# ---------------------------------------------------------------------------------------------------------------------
# Loops


def rnn_scan(xs, h0, wx, wh, b):
    """An Elman network over time-major `xs`; the last state and all states."""

    def step(h, x):
        h = jnp.tanh(x @ wx + h @ wh + b)
        return h, h

    return lax.scan(step, h0, xs)


def rnn_while(xs, h0, wx, wh, b):
    """The same network by `while_loop`, keeping only the state."""

    def body(state):
        t, h = state
        return t + 1, jnp.tanh(lax.dynamic_index_in_dim(xs, t, keepdims=False) @ wx + h @ wh + b)

    return lax.while_loop(lambda state: state[0] < xs.shape[0], body, (jnp.int32(0), h0))[1]


def lstm_scan(xs, h0, c0, w, b):
    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(jnp.concatenate([x, h], axis=-1) @ w + b, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    (h, c), hs = lax.scan(step, (h0, c0), xs)
    return h, c, hs


def fori_tiny(x):
    """Ten thousand dependent scalar steps: what one turn of a loop costs."""
    return lax.fori_loop(0, 10000, lambda i, v: v * 0.999 + jnp.float32(1e-3) * jnp.cos(v), x)


def fori_vector(x):
    return lax.fori_loop(0, 1000, lambda i, v: v + 0.01 * (1.0 - v * v) * v, x)


def newton_sqrt(a):
    """Newton's iteration until no element moves by more than 1e-6 of its size."""

    def going(state):
        x, step = state
        return jnp.any(jnp.abs(step) > 1e-6 * x)

    def body(state):
        x, _ = state
        new = 0.5 * (x + a / x)
        return new, new - x

    return lax.while_loop(going, body, (a, a))[0]


def mandelbrot(re, im):
    def body(_, state):
        zr, zi, count = state
        inside = zr * zr + zi * zi < 4.0
        new_r = zr * zr - zi * zi + re
        new_i = 2.0 * zr * zi + im
        return jnp.where(inside, new_r, zr), jnp.where(inside, new_i, zi), count + inside.astype(jnp.int32)

    return lax.fori_loop(0, 50, body, (jnp.zeros_like(re), jnp.zeros_like(im), jnp.zeros(re.shape, jnp.int32)))[2]


def update_slices(buffer, rows):
    """Writes one row after the other into a large buffer: free of copies only if done in place."""

    def body(i, b):
        return lax.dynamic_update_slice(b, rows * i.astype(jnp.float32), (i * 2 % b.shape[0], 0))

    return lax.fori_loop(0, buffer.shape[0] // 2, body, buffer)


def swap_loop(a, b):
    """Carried values that trade places."""
    return lax.fori_loop(0, 101, lambda i, s: (s[1], s[0] * 0.5 + s[1] * 0.5), (a, b))


def heat(x):
    """Explicit diffusion on a line, by pad and slice."""

    def body(_, u):
        left = lax.pad(u[:-1], jnp.float32(0), [(1, 0, 0)])
        right = lax.pad(u[1:], jnp.float32(0), [(0, 1, 0)])
        return u + 0.25 * (left - 2.0 * u + right)

    return lax.fori_loop(0, 200, body, x)


def conditional_loop(x):
    def body(i, v):
        return lax.cond(i % 3 == 0, lambda u: u * 1.01, lambda u: u - 0.001, v)

    return lax.fori_loop(0, 300, body, x)


def sieve(numbers):
    """Numbers that no smaller one up to 100 divides: remainders of integers."""

    def body(i, prime):
        return jnp.where((numbers % i == 0) & (numbers > i), False, prime)

    return lax.fori_loop(2, 101, body, numbers >= 2)


def adaptive_oscillator(y):
    """Van der Pol's oscillator by the method of Bogacki and Shampine, whose steps are as long as their errors allow."""

    def slope(y):
        return jnp.array([y[1], 5.0 * (1.0 - y[0] ** 2) * y[1] - y[0]])

    def body(state):
        t, y, h = state
        h = jnp.minimum(h, 20.0 - t)
        k1 = slope(y)
        k2 = slope(y + h * k1 / 2)
        k3 = slope(y + 0.75 * h * k2)
        new = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
        error = jnp.max(jnp.abs(h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - slope(new) / 8)))
        accepted = error < 1e-4
        factor = jnp.clip(0.9 * jnp.cbrt(1e-4 / (error + 1e-12)), 0.2, 5.0)
        return jnp.where(accepted, t + h, t), jnp.where(accepted, new, y), h * factor

    return lax.while_loop(lambda state: state[0] < 20.0, body, (jnp.float32(0.0), y, jnp.float32(0.01)))[1]


# ---------------------------------------------------------------------------------------------------------------------
# Images and bytes


def resized(images):
    """Images one and a half times as large, bilinear."""
    n, height, width, channels = images.shape
    return jax.image.resize(images, (n, height * 3 // 2, width * 3 // 2, channels), "bilinear")


def quantized_layers(x, v, w, v_scale, w_scale):
    """Two layers of bytes: each row is scaled by the greatest of its numbers."""

    def layer(h, weights, scale):
        step = jnp.max(jnp.abs(h), axis=1, keepdims=True) / 127.0
        bytes_ = jnp.clip(jnp.round(h / step), -127, 127).astype(jnp.int8)
        return lax.dot(bytes_, weights, preferred_element_type=jnp.int32).astype(jnp.float32) * step * scale

    return layer(jax.nn.relu(layer(x, v, v_scale)), w, w_scale)


# ---------------------------------------------------------------------------------------------------------------------
# Data movement


def shape_mix(x, y):
    a = jnp.concatenate([x[:, ::2], y[:, 1::2]], axis=1)
    b = jnp.pad(a, ((1, 1), (2, 2)), constant_values=1.0)[1:-1, 2:-2]
    return jnp.flip(b, 1) * 2.0 + jnp.roll(x, 3, axis=1)


def periodic_laplacian(x):
    """Five points, with periodic boundaries."""
    return jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) + jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1) - 4.0 * x


def game_of_life(cells):
    around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    alive = sum(jnp.roll(cells, shifts, (0, 1)) for shifts in around)
    return ((alive == 3) | ((cells == 1) & (alive == 2))).astype(jnp.int32)


def rope(x):
    """Rotary embedding of a sequence by heads by depth array."""
    length, _, depth = x.shape
    half = depth // 2
    frequency = jnp.exp(jnp.arange(half, dtype=jnp.float32) * (-9.210340372 / half))
    angle = jnp.arange(length, dtype=jnp.float32)[:, None] * frequency
    cos, sin = jnp.cos(angle)[:, None, :], jnp.sin(angle)[:, None, :]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def random_normal(key):
    return jax.random.normal(jax.random.wrap_key_data(key, impl="rbg"), (1 << 20,))


def random_bits(key):
    return jax.random.bits(jax.random.wrap_key_data(key, impl="threefry2x32"), (1 << 22,))
