# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that are measured: JAX functions, the shapes they run on, and how each becomes StableHLO text.

A `Program` is a function of flat arrays together with its inputs. `export` lowers it for an invented platform, so that
the text holds only platform-neutral StableHLO, and that one text is what every system under comparison runs.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

# The platform does not exist: JAX then takes the platform-neutral lowering of every primitive.
PLATFORM = "mlir_xla"

_DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
}


@dataclasses.dataclass(frozen=True)
class Spec:
    """An input: shape, dtype and the values to draw. `low` and `high` bound uniform draws; without them floats are normal."""

    shape: tuple[int, ...]
    dtype: np.dtype
    low: float | None = None
    high: float | None = None

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Values of this spec from `rng`."""
        kind = np.dtype(self.dtype)
        if kind == np.bool_:
            return rng.integers(0, 2, self.shape).astype(np.bool_)
        if kind in (np.complex64, np.complex128):
            return np.asarray(rng.standard_normal(self.shape) + 1j * rng.standard_normal(self.shape)).astype(kind)
        integer = kind.kind in "iu" or kind in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4))
        if integer:
            low = (0 if kind.kind == "u" or kind == ml_dtypes.uint4 else -8) if self.low is None else self.low
            high = 8 if self.high is None else self.high
            return np.asarray(rng.integers(int(low), int(high), self.shape)).astype(kind)
        if self.low is not None or self.high is not None:
            return np.asarray(rng.uniform(self.low or 0.0, 1.0 if self.high is None else self.high, self.shape)).astype(kind)
        return np.asarray(rng.standard_normal(self.shape)).astype(kind)


def spec(text: str, low: float | None = None, high: float | None = None) -> Spec:
    """`spec("4x8xf32")`: a 4 by 8 array of f32; `spec("i32")` is a scalar."""
    *dims, dtype = text.split("x")
    return Spec(tuple(int(dim) for dim in dims), np.dtype(_DTYPES[dtype]), low, high)


@dataclasses.dataclass(frozen=True)
class Program:
    """A measured program.

    `flops` and `bytes` are what one run must at least compute and move; they turn times into rates where given.
    `rtol` and `atol` bound the difference that two correct implementations may show.
    """

    name: str
    family: str
    function: Callable[..., object]
    specs: tuple[Spec, ...]
    flops: float = 0.0
    bytes: float = 0.0
    rtol: float = 1e-4
    atol: float = 1e-5
    x64: bool = False

    def arguments(self) -> list[np.ndarray]:
        """The inputs: the same in every process, different from program to program."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return [each.draw(rng) for each in self.specs]

    def jitted(self) -> Callable[..., object]:
        """The function under `jax.jit`, every argument kept even when unused."""
        return jax.jit(self.function, keep_unused=True)

    def export(self, generic: bool = False) -> str:
        """The program as StableHLO text, pretty as JAX prints it or in MLIR's generic form."""
        with jax.enable_x64(self.x64):
            shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in self.specs]
            module = self.jitted().trace(*shapes).lower(lowering_platforms=(PLATFORM,)).compiler_ir("stablehlo")
            return module.operation.get_asm(print_generic_op_form=generic)

    def expected(self, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What JAX computes for these arguments, as a flat list."""
        with jax.enable_x64(self.x64):
            return [np.asarray(each) for each in jax.tree.leaves(self.jitted()(*arguments))]


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


def batch_statistics(x):
    return jnp.mean(x, axis=(0, 1, 2)), jnp.var(x, axis=(0, 1, 2))


# ---------------------------------------------------------------------------------------------------------------------
# Convolutions


def conv(strides=(1, 1), padding="SAME", layout="NHWC", groups=1, rhs_dilation=(1, 1)):
    dims = (layout, "HWIO" if layout == "NHWC" else "OIHW", layout)

    def convolution(x, kernel):
        return lax.conv_general_dilated(
            x, kernel, strides, padding, rhs_dilation=rhs_dilation, dimension_numbers=dims, feature_group_count=groups
        )

    return convolution


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def conv_bias_relu(x, kernel, bias):
    return jax.nn.relu(conv()(x, kernel) + bias)


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


# ---------------------------------------------------------------------------------------------------------------------
# Data movement


def shape_mix(x, y):
    a = jnp.concatenate([x[:, ::2], y[:, 1::2]], axis=1)
    b = jnp.pad(a, ((1, 1), (2, 2)), constant_values=1.0)[1:-1, 2:-2]
    return jnp.flip(b, 1) * 2.0 + jnp.roll(x, 3, axis=1)


def rope(x):
    """Rotary embedding of a sequence by heads by depth array."""
    length, _, depth = x.shape
    half = depth // 2
    frequency = jnp.exp(jnp.arange(half, dtype=jnp.float32) * (-9.210340372 / half))
    angle = jnp.arange(length, dtype=jnp.float32)[:, None] * frequency
    cos, sin = jnp.cos(angle)[:, None, :], jnp.sin(angle)[:, None, :]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def _programs() -> list[Program]:
    found: list[Program] = []

    def add(name, family, function, *inputs, **more):
        specs = tuple(spec(each) if isinstance(each, str) else each for each in inputs)
        found.append(Program(name, family, function, specs, **more))

    def matmul(name, m, k, n, dtype="f32", family="matmul"):
        size = np.dtype(_DTYPES[dtype]).itemsize
        tolerance = {"f32": (1e-4, 1e-4), "f64": (1e-10, 1e-10), "bf16": (3e-2, 3e-1)}[dtype]
        add(name, family, jnp.matmul, f"{m}x{k}x{dtype}", f"{k}x{n}x{dtype}", flops=2.0 * m * k * n,
            bytes=float(size * (m * k + k * n + m * n)), rtol=tolerance[0], atol=tolerance[1] * k**0.5, x64=dtype == "f64")  # fmt: skip

    def moving(name, family, function, *inputs, traffic, **more):
        add(name, family, function, *inputs, bytes=float(traffic), **more)

    # Tiny programs: the cost of a call.
    add("add_scalar", "tiny", jnp.add, "f32", "f32")
    add("add_16", "tiny", jnp.add, "16xf32", "16xf32")
    add("fma_1k", "tiny", lambda a, b, c: a * b + c, "1024xf32", "1024xf32", "1024xf32")
    add("dot_8", "tiny", jnp.matmul, "8x8xf32", "8x8xf32")

    # Elementwise.
    n = 1 << 22
    moving("add_4m", "elementwise", jnp.add, f"{n}xf32", f"{n}xf32", traffic=12 * n)
    moving("add_bf16_4m", "elementwise", jnp.add, f"{n}xbf16", f"{n}xbf16", traffic=6 * n, rtol=1e-2)
    moving("exp_4m", "elementwise", jnp.exp, f"{n}xf32", traffic=8 * n)
    moving("tanh_4m", "elementwise", jnp.tanh, f"{n}xf32", traffic=8 * n)
    moving("sincos_1m", "elementwise", lambda x: jnp.sin(x) * jnp.cos(x), "1048576xf32", traffic=8 << 20)
    moving("log1p_1m", "elementwise", jnp.log1p, spec("1048576xf32", 0.0, 9.0), traffic=8 << 20)
    moving("polynomial_4m", "elementwise", polynomial, f"{n}xf32", traffic=8 * n, rtol=1e-3, atol=1e-2)
    moving("gelu_chain", "elementwise", gelu_chain, "2048x1024xf32", "1024xf32", "1024xf32", traffic=8 * 2048 * 1024)
    moving("select_4m", "elementwise", lambda a, b: jnp.where(a > b, a * 2.0, b - 1.0), f"{n}xf32", f"{n}xf32",
           traffic=12 * n)  # fmt: skip
    moving("convert_4m", "elementwise", lambda x: (x * 3.0).astype(jnp.int32), f"{n}xf32", traffic=8 * n)
    moving("int_hash_4m", "elementwise", lambda x: (x ^ (x >> 15)) * jnp.uint32(0x85EBCA6B), f"{n}xui32", traffic=8 * n)
    moving("broadcast_add", "elementwise", lambda x, r, c: x + r + c[:, None], "2048x2048xf32", "2048xf32", "2048xf32",
           traffic=8 * 2048 * 2048)  # fmt: skip

    # Reductions.
    area = 4 * 4096 * 1024
    moving("reduce_rows", "reduction", lambda x: jnp.sum(x, axis=1), "4096x1024xf32", traffic=area, atol=1e-3)
    moving("reduce_columns", "reduction", lambda x: jnp.sum(x, axis=0), "4096x1024xf32", traffic=area, atol=1e-3)
    moving("reduce_full", "reduction", jnp.sum, "4096x1024xf32", traffic=area, atol=1e-1, rtol=1e-3)
    moving("reduce_max_full", "reduction", jnp.max, "4096x1024xf32", traffic=area)
    moving("reduce_middle", "reduction", lambda x: jnp.sum(x, axis=1), "64x256x256xf32", traffic=area, atol=1e-3)
    moving("mean_square", "reduction", lambda x: jnp.mean(x * x, axis=-1), "4096x1024xf32", traffic=area)
    moving("batch_statistics", "reduction", batch_statistics, "32x28x28x64xf32", traffic=4 * 32 * 28 * 28 * 64)
    moving("argmax_rows", "reduction", lambda x: jnp.argmax(x, axis=1), "4096x1024xf32", traffic=area)
    moving("argmax_columns", "reduction", lambda x: jnp.argmax(x, axis=0), "4096x1024xf32", traffic=area)
    moving("cumsum_rows", "reduction", lambda x: jnp.cumsum(x, axis=1), "512x1024xf32", traffic=8 * 512 * 1024, atol=1e-3)
    moving("cumsum_1m", "reduction", jnp.cumsum, "262144xf32", traffic=8 * 262144, rtol=1e-3, atol=5e-2)

    # Normalisations.
    moving("softmax", "normalization", softmax, "2048x1024xf32", traffic=8 * 2048 * 1024)
    moving("softmax_narrow", "normalization", softmax, "65536x32xf32", traffic=8 * 65536 * 32)
    moving("softmax_wide", "normalization", softmax, "16x131072xf32", traffic=8 * 16 * 131072, atol=1e-7)
    add("cross_entropy", "normalization", log_softmax_loss, "4096x1000xf32", spec("4096xi32", 0, 1000),
        bytes=4.0 * 4096 * 1000)  # fmt: skip
    moving("layer_norm", "normalization", layer_norm, "2048x1024xf32", "1024xf32", "1024xf32", traffic=8 * 2048 * 1024)
    moving("rms_norm", "normalization", rms_norm, "2048x1024xf32", "1024xf32", traffic=8 * 2048 * 1024)

    # Products of matrices.
    matmul("matmul_256", 256, 256, 256)
    matmul("matmul_512", 512, 512, 512)
    matmul("matmul_1024", 1024, 1024, 1024)
    matmul("matmul_2048", 2048, 2048, 2048)
    matmul("matmul_odd", 1021, 1023, 1025)
    matmul("matmul_skinny_k", 4096, 64, 4096)
    matmul("matmul_skinny_m", 16, 1024, 1024)
    matmul("matmul_skinny_n", 1024, 1024, 16)
    matmul("matmul_long_k", 64, 16384, 64)
    matmul("matmul_f64_512", 512, 512, 512, "f64")
    matmul("matmul_bf16_1024", 1024, 1024, 1024, "bf16")
    add("matmul_transposed", "matmul", lambda a, b: a.T @ b, "1024x768xf32", "1024x512xf32", flops=2.0 * 1024 * 768 * 512,
        atol=3e-3)  # fmt: skip
    add("matmul_bt", "matmul", lambda a, b: a @ b.T, "768x1024xf32", "512x1024xf32", flops=2.0 * 1024 * 768 * 512,
        atol=3e-3)  # fmt: skip
    add("matvec", "matmul", jnp.matmul, "4096x4096xf32", "4096xf32", flops=2.0 * 4096**2, bytes=4.0 * 4096**2, atol=5e-3)
    add("vecmat", "matmul", jnp.matmul, "4096xf32", "4096x4096xf32", flops=2.0 * 4096**2, bytes=4.0 * 4096**2, atol=5e-3)
    add("matmul_batched", "matmul", jnp.matmul, "32x128x128xf32", "32x128x128xf32", flops=2.0 * 32 * 128**3, atol=1e-3)
    add("matmul_batched_tiny", "matmul", jnp.matmul, "4096x8x8xf32", "4096x8x8xf32", flops=2.0 * 4096 * 8**3)
    add("matmul_bias_relu", "matmul", lambda x, w, b: jax.nn.relu(x @ w + b), "512x1024xf32", "1024x1024xf32", "1024xf32",
        flops=2.0 * 512 * 1024 * 1024, atol=3e-3)  # fmt: skip
    add("outer_product", "matmul", jnp.outer, "2048xf32", "2048xf32", bytes=4.0 * 2048**2)

    # Convolutions.
    add("conv_3x3", "convolution", conv(), "8x56x56x64xf32", "3x3x64x64xf32", flops=2.0 * 8 * 56 * 56 * 64 * 64 * 9,
        atol=1e-3)  # fmt: skip
    add("conv_3x3_nchw", "convolution", conv(layout="NCHW"), "8x64x56x56xf32", "64x64x3x3xf32",
        flops=2.0 * 8 * 56 * 56 * 64 * 64 * 9, atol=1e-3)  # fmt: skip
    add("conv_7x7_s2", "convolution", conv((2, 2), [(3, 3), (3, 3)]), "4x224x224x3xf32", "7x7x3x64xf32",
        flops=2.0 * 4 * 112 * 112 * 64 * 3 * 49, atol=1e-3)  # fmt: skip
    add("conv_7x7_s2_nchw", "convolution", conv((2, 2), [(3, 3), (3, 3)], "NCHW"), "4x3x224x224xf32", "64x3x7x7xf32",
        flops=2.0 * 4 * 112 * 112 * 64 * 3 * 49, atol=1e-3)  # fmt: skip
    add("conv_1x1", "convolution", conv(), "8x28x28x256xf32", "1x1x256x256xf32", flops=2.0 * 8 * 28 * 28 * 256 * 256,
        atol=1e-3)  # fmt: skip
    add("conv_1x1_nchw", "convolution", conv(layout="NCHW"), "8x256x28x28xf32", "256x256x1x1xf32",
        flops=2.0 * 8 * 28 * 28 * 256 * 256, atol=1e-3)  # fmt: skip
    add("conv_depthwise", "convolution", conv(groups=128), "4x56x56x128xf32", "3x3x1x128xf32",
        flops=2.0 * 4 * 56 * 56 * 128 * 9)  # fmt: skip
    add("conv_depthwise_nchw", "convolution", conv(layout="NCHW", groups=128), "4x128x56x56xf32", "128x1x3x3xf32",
        flops=2.0 * 4 * 56 * 56 * 128 * 9)  # fmt: skip
    add("conv_dilated", "convolution", conv(rhs_dilation=(2, 2)), "4x56x56x64xf32", "3x3x64x64xf32",
        flops=2.0 * 4 * 56 * 56 * 64 * 64 * 9, atol=1e-3)  # fmt: skip
    add("conv_bias_relu", "convolution", conv_bias_relu, "8x56x56x64xf32", "3x3x64x64xf32", "64xf32",
        flops=2.0 * 8 * 56 * 56 * 64 * 64 * 9, atol=1e-3)  # fmt: skip
    moving("max_pool", "convolution", max_pool, "8x112x112x64xf32", traffic=5 * 8 * 112 * 112 * 64)

    # Data movement.
    moving("transpose_2d", "movement", jnp.transpose, "4096x4096xf32", traffic=8 * 4096**2)
    moving("transpose_odd", "movement", jnp.transpose, "1021x3001xf32", traffic=8 * 1021 * 3001)
    moving("permute_4d", "movement", lambda x: jnp.transpose(x, (0, 2, 1, 3)), "8x512x16x64xf32", traffic=8 * 8 * 512 * 1024)
    moving("nhwc_to_nchw", "movement", lambda x: jnp.transpose(x, (0, 3, 1, 2)), "8x56x56x128xf32",
           traffic=8 * 8 * 56 * 56 * 128)  # fmt: skip
    moving("embedding", "movement", lambda table, ids: jnp.take(table, ids, axis=0, mode="clip"), "50000x256xf32",
           spec("8192xi32", 0, 50000), traffic=8 * 8192 * 256)  # fmt: skip
    moving("gather_columns", "movement", lambda x, ids: x[:, ids], "1024x2048xf32", spec("512xi32", 0, 2048),
           traffic=8 * 1024 * 512)  # fmt: skip
    moving("shape_mix", "movement", shape_mix, "2048x1024xf32", "2048x1024xf32", traffic=12 * 2048 * 1024)
    moving("concatenate", "movement", lambda a, b: jnp.concatenate([a, b], axis=1), "2048x1024xf32", "2048x512xf32",
           traffic=8 * 2048 * 1536)  # fmt: skip
    moving("pad", "movement", lambda x: jnp.pad(x, ((3, 5), (7, 9))), "2048x2048xf32", traffic=8 * 2048 * 2048)
    moving("rope", "movement", rope, "1024x16x64xf32", traffic=8 * 1024 * 1024, atol=1e-3)

    # Attention.
    add("attention", "attention", attention, "1024x64xf32", "1024x64xf32", "1024x64xf32", flops=4.0 * 1024 * 1024 * 64)
    add("attention_heads", "attention", multi_head_attention, *["2x512x8x64xf32"] * 3, flops=4.0 * 2 * 8 * 512 * 512 * 64)
    add("attention_causal", "attention", causal_attention, *["2x512x8x64xf32"] * 3, flops=4.0 * 2 * 8 * 512 * 512 * 64)
    w = 256
    scale = {"low": -0.06, "high": 0.06}
    add("transformer_block", "attention", transformer_block, f"256x{w}xf32", spec(f"{w}x{3 * w}xf32", **scale),
        spec(f"{w}x{w}xf32", **scale), spec(f"{w}x{4 * w}xf32", **scale), spec(f"{4 * w}x{w}xf32", **scale), f"{w}xf32",
        f"{w}xf32", flops=2.0 * 256 * w * w * 12 + 4.0 * 256 * 256 * w, atol=1e-3)  # fmt: skip

    # Training steps.
    add("mlp_train_step", "training", mlp_train_step, spec("784x512xf32", -0.04, 0.04), "512xf32",
        spec("512x256xf32", -0.05, 0.05), "256xf32", spec("256x10xf32", -0.06, 0.06), "10xf32",
        spec("256x784xf32", 0, 1), spec("256xi32", 0, 10), flops=6.0 * 256 * (784 * 512 + 512 * 256 + 2560), rtol=1e-3)  # fmt: skip
    add("cnn_train_step", "training", cnn_train_step, spec("3x3x1x32xf32", -0.3, 0.3), "32xf32",
        spec("3x3x32x64xf32", -0.06, 0.06), "64xf32", spec("3136x10xf32", -0.02, 0.02), "10xf32",
        spec("64x28x28x1xf32", 0, 1), spec("64xi32", 0, 10),
        flops=6.0 * 64 * (784 * 9 * 32 + 196 * 9 * 32 * 64 + 31360), rtol=1e-3, atol=1e-4)  # fmt: skip

    # Loops.
    add("rnn_scan", "loop", rnn_scan, "128x32x128xf32", "32x128xf32", spec("128x128xf32", -0.1, 0.1),
        spec("128x128xf32", -0.1, 0.1), "128xf32", flops=4.0 * 128 * 32 * 128 * 128, atol=1e-3)  # fmt: skip
    add("rnn_while", "loop", rnn_while, "128x32x128xf32", "32x128xf32", spec("128x128xf32", -0.1, 0.1),
        spec("128x128xf32", -0.1, 0.1), "128xf32", flops=4.0 * 128 * 32 * 128 * 128, atol=1e-3)  # fmt: skip
    add("rnn_small", "loop", rnn_while, "256x1x32xf32", "1x32xf32", spec("32x32xf32", -0.2, 0.2),
        spec("32x32xf32", -0.2, 0.2), "32xf32", flops=4.0 * 256 * 32 * 32, atol=1e-3)  # fmt: skip
    add("lstm_scan", "loop", lstm_scan, "64x16x64xf32", "16x64xf32", "16x64xf32", spec("128x256xf32", -0.1, 0.1), "256xf32",
        flops=2.0 * 64 * 16 * 128 * 256, atol=1e-3)  # fmt: skip
    add("fori_tiny", "loop", fori_tiny, "f32", rtol=1e-3)
    add("fori_vector", "loop", fori_vector, "256xf32", rtol=1e-3)
    add("newton_sqrt", "loop", newton_sqrt, spec("4096xf32", 0.1, 100.0))
    add("mandelbrot", "loop", mandelbrot, spec("512x512xf32", -2.0, 0.6), spec("512x512xf32", -1.2, 1.2))
    add("update_slices", "loop", update_slices, "4096x256xf32", "1x256xf32", rtol=1e-3)
    add("swap_loop", "loop", swap_loop, "4096xf32", "4096xf32")
    add("heat", "loop", heat, "4096xf32", rtol=1e-3)
    add("conditional_loop", "loop", conditional_loop, "1024xf32", rtol=1e-3)
    return found


def _small(program: Program) -> Program | None:
    """The same program on shapes a reference interpreter can run, for testing. Divides every large dimension alike."""
    keep = {"tiny"}
    if program.family in keep:
        return None

    def shrink(dim: int) -> int:
        for limit, factor in ((20000, 4096), (2000, 128), (500, 32), (100, 8), (40, 4)):
            if dim > limit:
                return max(dim // factor, 3)
        return dim

    specs = []
    for each in program.specs:
        high = shrink(int(each.high)) if each.dtype == np.int32 and each.high and each.high > 40 else each.high
        specs.append(dataclasses.replace(each, shape=tuple(shrink(dim) for dim in each.shape), high=high))
    return dataclasses.replace(program, name=f"{program.name}_small", specs=tuple(specs), flops=0.0, bytes=0.0)


PROGRAMS: dict[str, Program] = {each.name: each for each in _programs()}


def small_programs() -> dict[str, Program]:
    """Small variants of the measured programs: the same operations, quick enough for a test."""
    special = {
        "attention": attention,
        "transformer_block": None,
        "mlp_train_step": None,
        "cnn_train_step": None,
        "lstm_scan": None,
        "conv_depthwise": None,
        "conv_depthwise_nchw": None,
    }
    found = {}
    for program in PROGRAMS.values():
        small = _small(program) if special.get(program.name, program) is not None else None
        if small:
            found[small.name] = small

    def add(name, family, function, *inputs, **more):
        specs = tuple(spec(each) if isinstance(each, str) else each for each in inputs)
        found[name] = Program(name, family, function, specs, **more)

    add("transformer_block_small", "attention", transformer_block, "8x16xf32", spec("16x48xf32", -0.3, 0.3),
        spec("16x16xf32", -0.3, 0.3), spec("16x64xf32", -0.3, 0.3), spec("64x16xf32", -0.3, 0.3), "16xf32", "16xf32",
        atol=1e-4)  # fmt: skip
    add("mlp_train_step_small", "training", mlp_train_step, "12x8xf32", "8xf32", "8x6xf32", "6xf32", "6x3xf32", "3xf32",
        "5x12xf32", spec("5xi32", 0, 3), atol=1e-4)  # fmt: skip
    add("cnn_train_step_small", "training", cnn_train_step, "3x3x1x4xf32", "4xf32", "3x3x4x6xf32", "6xf32", "24x3xf32",
        "3xf32", "2x8x8x1xf32", spec("2xi32", 0, 3), atol=1e-4)  # fmt: skip
    add("lstm_scan_small", "loop", lstm_scan, "5x2x4xf32", "2x4xf32", "2x4xf32", "8x16xf32", "16xf32", atol=1e-4)
    add("conv_depthwise_small", "convolution", conv(groups=8), "2x7x7x8xf32", "3x3x1x8xf32")
    add("conv_depthwise_nchw_small", "convolution", conv(layout="NCHW", groups=8), "2x8x7x7xf32", "8x1x3x3xf32")
    return found
