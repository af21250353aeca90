# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that are measured, by family, at the sizes they are measured at."""

from __future__ import annotations

import functools
import math

import functions
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from networks import networks
from program import DTYPES, Program, spec

#: The family of programs for GPUs alone.
GPU = "gpu"


def _programs() -> list[Program]:
    found: list[Program] = []

    def add(name, family, function, *inputs, **more):
        specs = tuple(spec(each) if isinstance(each, str) else each for each in inputs)
        found.append(Program(name, family, function, specs, **more))

    def matmul(name, m, k, n, dtype="f32", family="matmul"):
        size = np.dtype(DTYPES[dtype]).itemsize
        tolerance = {"f32": (1e-4, 1e-4), "f64": (1e-10, 1e-10), "bf16": (3e-2, 3e-1)}[dtype]
        add(
            name,
            family,
            jnp.matmul,
            f"{m}x{k}x{dtype}",
            f"{k}x{n}x{dtype}",
            flops=2.0 * m * k * n,
            bytes=float(size * (m * k + k * n + m * n)),
            rtol=tolerance[0],
            atol=tolerance[1] * k**0.5,
            x64=dtype == "f64",
            # NumPy has no library for bf16.
            numpy=None if dtype == "bf16" else np.matmul,
        )

    def moving(name, family, function, *inputs, traffic, **more):
        add(name, family, function, *inputs, bytes=float(traffic), **more)

    def conv(name, function, image, kernel, pixels, *more_inputs, atol=1e-3):
        flops = 2.0 * pixels * math.prod(spec(kernel).shape)
        add(name, "convolution", function, image, kernel, *more_inputs, flops=flops, atol=atol)

    # Tiny programs: the cost of a call.
    add("add_scalar", "tiny", jnp.add, "f32", "f32")
    add("add_16", "tiny", jnp.add, "16xf32", "16xf32")
    add("fma_1k", "tiny", lambda a, b, c: a * b + c, "1024xf32", "1024xf32", "1024xf32")
    add("dot_8", "tiny", jnp.matmul, "8x8xf32", "8x8xf32")

    # Random bits, and numbers made of them.
    key = spec("4xui32", 0, 2**32)
    generators = {"philox": lax.RandomAlgorithm.RNG_PHILOX, "three_fry": lax.RandomAlgorithm.RNG_THREE_FRY}
    for name, algorithm in generators.items():
        bits = functools.partial(lax.rng_bit_generator, shape=(1 << 22,), dtype=jnp.uint32, algorithm=algorithm)
        moving(f"random_bits_{name}_4m", "random", bits, key, traffic=16 << 20)
    moving("threefry_4m", "random", functions.random_bits, spec("2xui32", 0, 2**32), traffic=16 << 20)
    moving("random_normal_rbg_1m", "random", functions.random_normal, key, traffic=4 << 20)

    # Elementwise.
    n = 1 << 22
    moving("add_4m", "elementwise", jnp.add, f"{n}xf32", f"{n}xf32", traffic=12 * n)
    moving("add_bf16_4m", "elementwise", jnp.add, f"{n}xbf16", f"{n}xbf16", traffic=6 * n, rtol=1e-2)
    moving("exp_4m", "elementwise", jnp.exp, f"{n}xf32", traffic=8 * n)
    moving("tanh_4m", "elementwise", jnp.tanh, f"{n}xf32", traffic=8 * n)
    moving("sincos_1m", "elementwise", lambda x: jnp.sin(x) * jnp.cos(x), "1048576xf32", traffic=8 << 20)
    moving("log1p_1m", "elementwise", jnp.log1p, spec("1048576xf32", 0.0, 9.0), traffic=8 << 20)
    moving("polynomial_4m", "elementwise", functions.polynomial, f"{n}xf32", traffic=8 * n, rtol=1e-3, atol=1e-2)
    moving(
        "gelu_chain",
        "elementwise",
        functions.gelu_chain,
        "2048x1024xf32",
        "1024xf32",
        "1024xf32",
        traffic=8 * 2048 * 1024,
    )
    moving(
        "select_4m",
        "elementwise",
        lambda a, b: jnp.where(a > b, a * 2.0, b - 1.0),
        f"{n}xf32",
        f"{n}xf32",
        traffic=12 * n,
    )
    moving("convert_4m", "elementwise", lambda x: (x * 3.0).astype(jnp.int32), f"{n}xf32", traffic=8 * n)
    moving("int_hash_4m", "elementwise", lambda x: (x ^ (x >> 15)) * jnp.uint32(0x85EBCA6B), f"{n}xui32", traffic=8 * n)
    moving(
        "broadcast_add",
        "elementwise",
        lambda x, r, c: x + r + c[:, None],
        "2048x2048xf32",
        "2048xf32",
        "2048xf32",
        traffic=8 * 2048 * 2048,
    )

    add("n_body_1000", "elementwise", functions.n_body, "1000x3xf32", spec("1000xf32", 0.1, 1.0), rtol=1e-3, atol=1e-2)

    # Reductions.
    area = 4 * 4096 * 1024
    moving("reduce_rows", "reduction", lambda x: jnp.sum(x, axis=1), "4096x1024xf32", traffic=area, atol=1e-3)
    moving("reduce_columns", "reduction", lambda x: jnp.sum(x, axis=0), "4096x1024xf32", traffic=area, atol=1e-3)
    moving("reduce_full", "reduction", jnp.sum, "4096x1024xf32", traffic=area, atol=1e-1, rtol=1e-3)
    moving("reduce_max_full", "reduction", jnp.max, "4096x1024xf32", traffic=area)
    moving("reduce_middle", "reduction", lambda x: jnp.sum(x, axis=1), "64x256x256xf32", traffic=area, atol=1e-3)
    moving("mean_square", "reduction", lambda x: jnp.mean(x * x, axis=-1), "4096x1024xf32", traffic=area)
    moving(
        "batch_statistics", "reduction", functions.batch_statistics, "32x28x28x64xf32", traffic=4 * 32 * 28 * 28 * 64
    )
    moving("argmax_rows", "reduction", lambda x: jnp.argmax(x, axis=1), "4096x1024xf32", traffic=area)
    moving("argmax_columns", "reduction", lambda x: jnp.argmax(x, axis=0), "4096x1024xf32", traffic=area)
    moving(
        "cumsum_rows", "reduction", lambda x: jnp.cumsum(x, axis=1), "512x1024xf32", traffic=8 * 512 * 1024, atol=1e-3
    )
    moving("cumsum_1m", "reduction", jnp.cumsum, "262144xf32", traffic=8 * 262144, rtol=1e-3, atol=5e-2)
    moving("cumsum_4m", "reduction", jnp.cumsum, f"{n}xf32", traffic=8 * n, rtol=1e-3, atol=5e-1)
    moving("cumsum_columns", "reduction", lambda x: jnp.cumsum(x, axis=0), "1024x512xf32", traffic=4 << 20, atol=1e-3)
    moving("cummax_rows", "reduction", lambda x: jax.lax.cummax(x, axis=1), "512x1024xf32", traffic=4 << 20)
    moving("cumlogsumexp_rows", "reduction", lambda x: jax.lax.cumlogsumexp(x, axis=1), "512x1024xf32", traffic=4 << 20)

    # Sorting.
    million = 1 << 20
    moving("sort_1m", "sort", jnp.sort, f"{million}xf32", traffic=8 << 20)
    moving("sort_1m_i32", "sort", jnp.sort, spec(f"{million}xi32", -(2**31), 2**31 - 1), traffic=8 << 20)
    moving("sort_rows", "sort", jnp.sort, "16384x64xf32", traffic=8 << 20)
    moving("sort_columns", "sort", lambda x: jnp.sort(x, axis=0), "1024x1024xf32", traffic=8 << 20)
    moving("argsort_rows", "sort", jnp.argsort, "1024x1024xf32", traffic=8 << 20)
    moving("argsort_short_rows", "sort", jnp.argsort, "65536x16xf32", traffic=8 << 20)
    moving("sort_by_key_1m", "sort", jax.lax.sort_key_val, f"{million}xf32", f"{million}xi32", traffic=16 << 20)
    moving(
        "sort_two_keys",
        "sort",
        lambda a, b: jax.lax.sort((a, b), num_keys=2),
        "64x4096xi32",
        "64x4096xf32",
        traffic=4 << 20,
    )
    moving("sort_f64", "sort", jnp.sort, "262144xf64", traffic=4 << 20, x64=True)
    moving("sort_bf16", "sort", jnp.sort, "256x4096xbf16", traffic=4 << 20)
    moving("sort_by_distance", "sort", functions.sort_by_distance, "1024x256xf32", "f32", traffic=2 << 20)
    moving("top_k_64", "sort", lambda x: jax.lax.top_k(x, min(64, x.shape[-1])), "8x100000xf32", traffic=4 * 800000)
    moving("top_k_one_row", "sort", lambda x: jax.lax.top_k(x, min(64, x.shape[-1])), "100000xf32", traffic=4 * 100000)
    moving("median_rows", "sort", lambda x: jnp.median(x, axis=1), "1024x1001xf32", traffic=4 * 1024 * 1001)

    # Normalisations.
    moving("softmax", "normalization", functions.softmax, "2048x1024xf32", traffic=8 * 2048 * 1024)
    moving("softmax_narrow", "normalization", functions.softmax, "65536x32xf32", traffic=8 * 65536 * 32)
    moving("softmax_wide", "normalization", functions.softmax, "16x131072xf32", traffic=8 * 16 * 131072, atol=1e-7)
    add(
        "cross_entropy",
        "normalization",
        functions.log_softmax_loss,
        "4096x1000xf32",
        spec("4096xi32", 0, 1000),
        bytes=4.0 * 4096 * 1000,
    )
    moving(
        "layer_norm",
        "normalization",
        functions.layer_norm,
        "2048x1024xf32",
        "1024xf32",
        "1024xf32",
        traffic=8 * 2048 * 1024,
    )
    moving("rms_norm", "normalization", functions.rms_norm, "2048x1024xf32", "1024xf32", traffic=8 * 2048 * 1024)

    trunk, channels = ["2048x1024xf32"] * 2, "1024xf32"
    add("add_rms_norm", "normalization", functions.add_rms_norm, *trunk, channels)
    add("add_layer_norm", "normalization", functions.add_layer_norm, *trunk, channels, channels)
    gradient = functions.layer_norm_gradient
    add("layer_norm_gradient", "normalization", gradient, trunk[0], channels, channels, trunk[1], rtol=1e-3, atol=1e-3)

    # Products of matrices.
    matmul("matmul_256", 256, 256, 256)
    matmul("matmul_512", 512, 512, 512)
    matmul("matmul_1024", 1024, 1024, 1024)
    matmul("matmul_2048", 2048, 2048, 2048)
    matmul("matmul_4096", 4096, 4096, 4096)
    matmul("matmul_odd", 1021, 1023, 1025)
    matmul("matmul_skinny_k", 4096, 64, 4096)
    matmul("matmul_skinny_m", 16, 1024, 1024)
    matmul("matmul_skinny_n", 1024, 1024, 16)
    matmul("matmul_long_k", 64, 16384, 64)
    matmul("matmul_f64_512", 512, 512, 512, "f64")
    matmul("matmul_bf16_1024", 1024, 1024, 1024, "bf16")
    matmul("matmul_bf16_4096", 4096, 4096, 4096, "bf16", GPU)
    add(
        "matmul_transposed",
        "matmul",
        lambda a, b: a.T @ b,
        "1024x768xf32",
        "1024x512xf32",
        flops=2.0 * 1024 * 768 * 512,
        atol=3e-3,
        numpy=lambda a, b: a.T @ b,
    )
    add(
        "matmul_bt",
        "matmul",
        lambda a, b: a @ b.T,
        "768x1024xf32",
        "512x1024xf32",
        flops=2.0 * 1024 * 768 * 512,
        atol=3e-3,
        numpy=lambda a, b: a @ b.T,
    )
    add(
        "matvec",
        "matmul",
        jnp.matmul,
        "4096x4096xf32",
        "4096xf32",
        flops=2.0 * 4096**2,
        bytes=4.0 * 4096**2,
        atol=5e-3,
        numpy=np.matmul,
    )
    add(
        "vecmat",
        "matmul",
        jnp.matmul,
        "4096xf32",
        "4096x4096xf32",
        flops=2.0 * 4096**2,
        bytes=4.0 * 4096**2,
        atol=5e-3,
        numpy=np.matmul,
    )
    add(
        "matmul_batched",
        "matmul",
        jnp.matmul,
        "32x128x128xf32",
        "32x128x128xf32",
        flops=2.0 * 32 * 128**3,
        atol=1e-3,
        numpy=np.matmul,
    )
    add(
        "matmul_batched_tiny",
        "matmul",
        jnp.matmul,
        "4096x8x8xf32",
        "4096x8x8xf32",
        flops=2.0 * 4096 * 8**3,
        numpy=np.matmul,
    )
    add(
        "matmul_bias_relu",
        "matmul",
        lambda x, w, b: jax.nn.relu(x @ w + b),
        "512x1024xf32",
        "1024x1024xf32",
        "1024xf32",
        flops=2.0 * 512 * 1024 * 1024,
        atol=3e-3,
        numpy=lambda x, w, b: np.maximum(x @ w + b, 0),
    )
    squares = ["512x512xf32"] * 4
    add("matmul_sum", "matmul", lambda a, b, c, d: a @ b + c @ d, *squares, flops=4.0 * 512**3, atol=3e-3)
    for rows in (1, 4, 8, 16, 32):
        matmul(f"matmul_rows_{rows}", rows, 2048, 2048)
    for count, size in ((4096, 16), (1024, 32), (256, 64)):
        factor, flops = f"{count}x{size}x{size}xf32", 2.0 * count * size**3
        add(f"matmul_batched_{size}", "matmul", jnp.matmul, factor, factor, flops=flops, atol=1e-3, numpy=np.matmul)
    for size in (512, 1024):
        for name, low, dtype in (("i8", -128, "i8"), ("u8_i8", 0, "ui8")):
            left, right = (
                spec(f"{size}x{size}x{each}", first, first + 256) for each, first in ((dtype, low), ("i8", -128))
            )
            add(f"matmul_{name}_{size}", "matmul", functions.integer_matmul, left, right, flops=2.0 * size**3)
    distances = functions.pairwise_distances
    add("pairwise_distances", "matmul", distances, "2048x64xf32", "2048x64xf32", flops=2.0 * 2048**2 * 64, atol=1e-2)
    add("outer_product", "matmul", jnp.outer, "2048xf32", "2048xf32", bytes=4.0 * 2048**2)

    # Convolutions, with the number of pixels of the result over the batch.
    conv("conv_3x3", functions.conv(), "8x56x56x64xf32", "3x3x64x64xf32", 8 * 56 * 56)
    conv("conv_3x3_nchw", functions.conv(layout="NCHW"), "8x64x56x56xf32", "64x64x3x3xf32", 8 * 56 * 56)
    stride2 = ((2, 2), [(3, 3), (3, 3)])
    conv("conv_7x7_s2", functions.conv(*stride2), "4x224x224x3xf32", "7x7x3x64xf32", 4 * 112 * 112)
    conv("conv_7x7_s2_nchw", functions.conv(*stride2, "NCHW"), "4x3x224x224xf32", "64x3x7x7xf32", 4 * 112 * 112)
    conv("conv_1x1", functions.conv(), "8x28x28x256xf32", "1x1x256x256xf32", 8 * 28 * 28)
    conv("conv_1x1_nchw", functions.conv(layout="NCHW"), "8x256x28x28xf32", "256x256x1x1xf32", 8 * 28 * 28)
    narrow, pixels = ("8x28x28x128x{}", "3x3x128x128x{}"), 8 * 28 * 28
    add(
        "conv_3x3_bf16",
        "convolution",
        functions.conv(),
        *(each.format("bf16") for each in narrow),
        flops=2.0 * pixels * 9 * 128**2,
        rtol=3e-2,
        atol=3.0,
    )
    add(
        "conv_3x3_i8",
        "convolution",
        functions.conv(result=jnp.int32),
        *(each.format("i8") for each in narrow),
        flops=2.0 * pixels * 9 * 128**2,
    )
    images, kernel = "32x28x28x256xbf16", "3x3x256x256xbf16"
    add("conv_bf16", GPU, functions.conv(), images, kernel, flops=2.0 * 32 * 28 * 28 * 9 * 256**2, rtol=3e-2, atol=10.0)
    few = {"atol": 1e-5}  # the sums have nine terms
    conv("conv_depthwise", functions.conv(groups=128), "4x56x56x128xf32", "3x3x1x128xf32", 4 * 56 * 56, **few)
    depthwise = functions.conv(layout="NCHW", groups=128)
    conv("conv_depthwise_nchw", depthwise, "4x128x56x56xf32", "128x1x3x3xf32", 4 * 56 * 56, **few)
    conv("conv_dilated", functions.conv(rhs_dilation=(2, 2)), "4x56x56x64xf32", "3x3x64x64xf32", 4 * 56 * 56)
    conv("conv_bias_relu", functions.conv_bias_relu, "8x56x56x64xf32", "3x3x64x64xf32", 8 * 56 * 56, "64xf32")
    for name, half, how in (("3x3", 1, {}), ("3x3_s2", 2, {"strides": (2, 2)}), ("3x3_nchw", 1, {"layout": "NCHW"})):
        x, k = (8, 56, 56, 64), (3, 3, 64, 64)
        side = 56 // half
        result = f"8x{side}x{side}x64xf32"
        if "layout" in how:
            x, k, result = (8, 64, 56, 56), (64, 64, 3, 3), "8x64x56x56xf32"
        image, kernel = ("x".join(map(str, each)) + "xf32" for each in (x, k))
        flops = 2.0 * 8 * side**2 * math.prod(k)
        back = functions.conv_input_gradient(x, **how)
        add(f"conv_{name}_input_gradient", "convolution", back, kernel, result, flops=flops, atol=1e-3)
        sums = functions.conv_kernel_gradient(k, **how)
        add(f"conv_{name}_kernel_gradient", "convolution", sums, image, result, flops=flops, rtol=1e-3, atol=1e-2)
    moving("max_pool", "convolution", functions.max_pool, "8x112x112x64xf32", traffic=5 * 8 * 112 * 112 * 64)

    # Fourier transforms.
    def fourier(name, function, *inputs, atol, **more):
        moved = 2 * sum(math.prod(spec(each).shape) * spec(each).dtype.itemsize for each in inputs)
        moving(name, "fft", function, *inputs, traffic=moved, atol=atol, **more)

    fourier("fft_1024", jnp.fft.fft, "1024x1024xc64", atol=1e-3)
    fourier("ifft_1000", jnp.fft.ifft, "1000x1000xc64", atol=1e-5)
    fourier("fft_prime", jnp.fft.fft, "1000x1009xc64", atol=1e-3)
    fourier("fft_columns", lambda x: jnp.fft.fft(x, axis=0), "1024x1024xc64", atol=1e-3)
    fourier("rfft_256", jnp.fft.rfft, "4096x256xf32", atol=1e-3)
    fourier("rfft_f64", jnp.fft.rfft, "1000x1000xf64", atol=1e-9, x64=True)
    fourier("rfft2_512", jnp.fft.rfft2, "16x512x512xf32", atol=1e-2)
    fourier("irfft2_512", jnp.fft.irfft2, "16x512x257xc64", atol=1e-5)
    fourier("fft2_1024", jnp.fft.fft2, "1024x1024xc64", atol=1e-2)
    fourier("fftn_64_c128", jnp.fft.fftn, "64x64x64xc128", atol=1e-9, x64=True)
    fourier("fft_long", jnp.fft.fft, "1048576xc64", atol=1e-2)
    fourier("fft_convolve", functions.fft_convolve, "64x16384xf32", "1023xf32", atol=1e-3)
    fourier("power_spectrum", functions.power_spectrum, "64x16384xf32", atol=1e-1)
    fourier("low_pass", functions.low_pass, "8x512x512xf32", atol=1e-4)

    # Linear systems.
    add("cholesky_512", "solve", functions.cholesky, spec("512x512xf32", -1.0, 1.0), flops=512**3 / 3)
    add("cholesky_16", "solve", functions.cholesky, spec("256x16x16xf32", -1.0, 1.0), flops=256 * 16**3 / 3)
    add("cholesky_c64", "solve", functions.cholesky, "8x100x100xc64", flops=8 * 4 * 100**3 / 3)
    add(
        "triangular_solve_512",
        "solve",
        functions.triangular_solve,
        spec("512x512xf32", -1.0, 1.0),
        "512x256xf32",
        flops=512.0**2 * 256,
    )
    add(
        "triangular_solve_16",
        "solve",
        functions.triangular_solve,
        spec("256x16x16xf32", -1.0, 1.0),
        "256x16x16xf32",
        flops=256.0 * 16**3,
    )

    # Data movement.
    moving("transpose_2d", "movement", jnp.transpose, "4096x4096xf32", traffic=8 * 4096**2)
    moving("transpose_odd", "movement", jnp.transpose, "1021x3001xf32", traffic=8 * 1021 * 3001)
    moving(
        "permute_4d",
        "movement",
        lambda x: jnp.transpose(x, (0, 2, 1, 3)),
        "8x512x16x64xf32",
        traffic=8 * 8 * 512 * 1024,
    )
    moving(
        "nhwc_to_nchw",
        "movement",
        lambda x: jnp.transpose(x, (0, 3, 1, 2)),
        "8x56x56x128xf32",
        traffic=8 * 8 * 56 * 56 * 128,
    )
    for name, order, shape in (
        ("nchw_to_nhwc", (0, 2, 3, 1), "8x128x56x56xf32"),
        ("permute_reversed", (3, 2, 1, 0), "32x48x64x40xf32"),
        ("permute_kernel", (3, 2, 0, 1), "3x3x512x512xf32"),
    ):
        traffic = 8 * math.prod(spec(shape).shape)
        moving(name, "movement", functools.partial(jnp.transpose, axes=order), shape, traffic=traffic)
    moving(
        "embedding",
        "movement",
        lambda table, ids: jnp.take(table, ids, axis=0, mode="clip"),
        "50000x256xf32",
        spec("8192xi32", 0, 50000),
        traffic=8 * 8192 * 256,
    )
    moving(
        "gather_columns",
        "movement",
        lambda x, ids: x[:, ids],
        "1024x2048xf32",
        spec("512xi32", 0, 2048),
        traffic=8 * 1024 * 512,
    )
    moving("shape_mix", "movement", functions.shape_mix, "2048x1024xf32", "2048x1024xf32", traffic=12 * 2048 * 1024)
    moving(
        "concatenate",
        "movement",
        lambda a, b: jnp.concatenate([a, b], axis=1),
        "2048x1024xf32",
        "2048x512xf32",
        traffic=8 * 2048 * 1536,
    )
    moving("pad", "movement", lambda x: jnp.pad(x, ((3, 5), (7, 9))), "2048x2048xf32", traffic=8 * 2048 * 2048)
    size = 2048 * 2048
    moving("periodic_laplacian", "movement", functions.periodic_laplacian, "2048x2048xf32", traffic=8 * size, atol=1e-5)
    moving("game_of_life", "movement", functions.game_of_life, spec("2048x2048xi32", 0, 2), traffic=8 * size)
    moving("rope", "movement", functions.rope, "1024x16x64xf32", traffic=8 * 1024 * 1024, atol=1e-3)

    # Scatters: sums by group, places that are all different, counts, gradients of lookups.
    rows, groups = 200000, 5000
    for width in (16, 64):
        traffic = 4 * width * (rows + groups)
        for order, sums in (("sorted", functions.sums_of_sorted_groups), ("any", functions.sums_of_groups)):
            name = f"segment_sum_{'sorted_' if order == 'sorted' else ''}{width}"
            ids = spec(f"{rows}xi32", 0, groups, order)
            moving(name, "scatter", sums, f"{rows}x{width}xf32", ids, traffic=traffic, atol=1e-3)
    ids = spec(f"{rows}xi32", 0, groups)
    moving("segment_max", "scatter", functions.largest_of_groups, f"{rows}x16xf32", ids, traffic=64 * rows)
    moving(
        "scatter_rows_unique",
        "scatter",
        functions.put_distinct,
        "20000x64xf32",
        spec("10000xi32", 0, 20000, "distinct"),
        "10000x64xf32",
        traffic=4 * 64 * 50000,
    )
    moving(
        "scatter_scalars_unique",
        "scatter",
        functions.put_distinct,
        "1048576xf32",
        spec("524288xi32", 0, 1048576, "distinct"),
        "524288xf32",
        traffic=8 << 20,
    )
    moving(
        "scatter_set",
        "scatter",
        functions.put,
        "65536xf32",
        spec("262144xi32", 0, 65536),
        "262144xf32",
        traffic=1 << 21,
    )
    moving("bincount", "scatter", functions.counts, spec("1000000xi32", 0, 1000), traffic=4e6)
    moving("histogram", "scatter", functions.histogram, "262144xf32", traffic=1 << 20)
    moving(
        "scatter_points",
        "scatter",
        lambda x, i, j, v: x.at[i, j].add(v),
        "512x512xf32",
        spec("262144xi32", 0, 512),
        spec("262144xi32", 0, 512),
        "262144xf32",
        traffic=1 << 22,
        atol=1e-4,
    )
    moving(
        "scatter_columns",
        "scatter",
        lambda x, i, v: x.at[:, i].add(v),
        "1024x512xf32",
        spec("256xi32", 0, 512),
        "1024x256xf32",
        traffic=4 * 1024 * 1280,
        atol=1e-4,
    )
    moving(
        "embedding_gradient",
        "scatter",
        functions.embedding_gradient,
        "20000x128xf32",
        spec("8192xi32", 0, 20000),
        "8192x128xf32",
        traffic=4 * 128 * 40000,
        atol=1e-4,
    )
    moving(
        "scatter_batched",
        "scatter",
        jax.vmap(lambda x, i, v: x.at[i].add(v)),
        "64x1000x16xf32",
        spec("64x500xi32", 0, 1000),
        "64x500x16xf32",
        traffic=4 * 64 * 40000,
        atol=1e-4,
    )

    # Attention.
    add("attention", "attention", functions.attention, *["1024x64xf32"] * 3, flops=4.0 * 1024 * 1024 * 64)
    heads, heads_flops = ["2x512x8x64xf32"] * 3, 4.0 * 2 * 8 * 512 * 512 * 64
    add("attention_heads", "attention", functions.multi_head_attention, *heads, flops=heads_flops)
    # Half of the products are masked, and need not be computed.
    add("attention_causal", "attention", functions.causal_attention, *heads, flops=heads_flops / 2)
    mask = spec("512x512xi1")
    add("attention_masked", "attention", functions.masked_attention, *heads, mask, flops=heads_flops)
    long, long_flops = ["1x2048x8x64xf32"] * 3, 4.0 * 8 * 2048 * 2048 * 64
    add("attention_long", "attention", functions.multi_head_attention, *long, flops=long_flops)
    add("attention_long_causal", "attention", functions.causal_attention, *long, flops=long_flops / 2)
    narrow = {"rtol": 3e-2, "atol": 1e-2}
    long = ["1x2048x8x64xbf16"] * 3
    add("attention_bf16", "attention", functions.narrow_attention, *long, flops=long_flops, **narrow)
    add("attention_bf16_causal", "attention", functions.narrow_causal_attention, *long, flops=long_flops / 2, **narrow)
    wide = ["1x2048x8x128xbf16"] * 3
    add("attention_bf16_wide", GPU, functions.narrow_attention, *wide, flops=2 * long_flops, **narrow)
    # One more word, with what there is of those before it.
    step = ["8x1x16x64xbf16", *["8x2048x16x64xbf16"] * 2]
    add("attention_bf16_step", "attention", functions.narrow_attention, *step, bytes=4.0 * 8 * 2048 * 16 * 64, **narrow)
    w = 256
    scale = {"low": -0.06, "high": 0.06}
    add(
        "transformer_block",
        "attention",
        functions.transformer_block,
        f"256x{w}xf32",
        spec(f"{w}x{3 * w}xf32", **scale),
        spec(f"{w}x{w}xf32", **scale),
        spec(f"{w}x{4 * w}xf32", **scale),
        spec(f"{4 * w}x{w}xf32", **scale),
        f"{w}xf32",
        f"{w}xf32",
        flops=2.0 * 256 * w * w * 12 + 4.0 * 256 * 256 * w,
        atol=1e-3,
    )

    # Training steps.
    add(
        "mlp_train_step",
        "training",
        functions.mlp_train_step,
        spec("784x512xf32", -0.04, 0.04),
        "512xf32",
        spec("512x256xf32", -0.05, 0.05),
        "256xf32",
        spec("256x10xf32", -0.06, 0.06),
        "10xf32",
        spec("256x784xf32", 0, 1),
        spec("256xi32", 0, 10),
        rtol=1e-3,
    )
    add(
        "cnn_train_step",
        "training",
        functions.cnn_train_step,
        spec("3x3x1x32xf32", -0.3, 0.3),
        "32xf32",
        spec("3x3x32x64xf32", -0.06, 0.06),
        "64xf32",
        spec("3136x10xf32", -0.02, 0.02),
        "10xf32",
        spec("64x28x28x1xf32", 0, 1),
        spec("64xi32", 0, 10),
        rtol=1e-3,
        atol=1e-4,
    )

    # Loops.
    weights = spec("128x128xf32", -0.1, 0.1)
    rnn = ("128x32x128xf32", "32x128xf32", weights, weights, "128xf32")
    rnn_flops = 4.0 * 128 * 32 * 128 * 128
    add("rnn_scan", "loop", functions.rnn_scan, *rnn, flops=rnn_flops, atol=1e-3)
    add("rnn_while", "loop", functions.rnn_while, *rnn, flops=rnn_flops, atol=1e-3)
    add(
        "rnn_small",
        "loop",
        functions.rnn_while,
        "256x1x32xf32",
        "1x32xf32",
        spec("32x32xf32", -0.2, 0.2),
        spec("32x32xf32", -0.2, 0.2),
        "32xf32",
        flops=4.0 * 256 * 32 * 32,
        atol=1e-3,
    )
    add(
        "lstm_scan",
        "loop",
        functions.lstm_scan,
        "64x16x64xf32",
        "16x64xf32",
        "16x64xf32",
        spec("128x256xf32", -0.1, 0.1),
        "256xf32",
        flops=2.0 * 64 * 16 * 128 * 256,
        atol=1e-3,
    )
    add("fori_tiny", "loop", functions.fori_tiny, "f32", rtol=1e-3)
    add("fori_vector", "loop", functions.fori_vector, "256xf32", rtol=1e-3)
    add("newton_sqrt", "loop", functions.newton_sqrt, spec("4096xf32", 0.1, 100.0), turns=8)
    add(
        "mandelbrot",
        "loop",
        functions.mandelbrot,
        spec("512x512xf32", -2.0, 0.6),
        spec("512x512xf32", -1.2, 1.2),
        mismatch=5e-3,
    )
    add("update_slices", "loop", functions.update_slices, "4096x256xf32", "1x256xf32", rtol=1e-3)
    add("swap_loop", "loop", functions.swap_loop, "4096xf32", "4096xf32")
    add("heat", "loop", functions.heat, "4096xf32", rtol=1e-3)
    add("conditional_loop", "loop", functions.conditional_loop, "1024xf32", rtol=1e-3)
    add("sieve", "loop", functions.sieve, spec("20000xi32", 0, 20000))
    add("ode_adaptive", "loop", functions.adaptive_oscillator, spec("2xf32", 0.5, 2.0), rtol=1e-2, atol=1e-2, turns=443)

    # Images and bytes.
    add("resize_bilinear", "image", functions.resized, "4x256x256x3xf32", atol=1e-4)
    moving(
        "normalize_images",
        "image",
        lambda x, mean, deviation: (x.astype(jnp.float32) / 255.0 - mean) / deviation,
        spec("32x224x224x3xui8", 0, 256),
        "3xf32",
        spec("3xf32", 0.5, 1.0),
        traffic=5 * 32 * 224 * 224 * 3,
    )
    add(
        "quantized_layers",
        "bytes",
        functions.quantized_layers,
        "256x512xf32",
        spec("512x512xi8", -127, 128),
        spec("512x512xi8", -127, 128),
        spec("512xf32", 0.0, 0.01),
        spec("512xf32", 0.0, 0.01),
        flops=4.0 * 256 * 512 * 512,
        # A number beside the middle of two bytes is rounded to either.
        rtol=2e-2,
        atol=2e-2,
    )
    return found


_ALL: dict[str, Program] = {each.name: each for each in _programs() + networks()}
PROGRAMS = {name: each for name, each in _ALL.items() if each.family != GPU}


def choose(filters: list[str], gpu: bool = False) -> list[Program]:
    """The programs that a family, a name or else a part of a name selects; all for no filter. With `gpu`, also those
    that take a processor too long. Ends the script if a filter selects none."""
    known = _ALL if gpu else PROGRAMS
    for word in filters:
        if not any(word == each.family or word in each.name for each in known.values()):
            raise SystemExit(
                f"'{word}' is no program, no family of programs and no part of a name; compare.py --list has them"
            )

    def selected(program: Program) -> bool:
        for word in filters:
            if word in known or word in {each.family for each in known.values()}:
                if word in (program.name, program.family):
                    return True
            elif word in program.name:
                return True
        return not filters

    return [program for program in known.values() if selected(program)]
