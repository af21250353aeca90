# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured programs as a user of PyTorch writes them: functions of the module `torch` and of tensors.

They are named as the programs are, and have their results. A program that has no natural form there has none here:
loops, integers without a sign, generators of random bits. Nothing of PyTorch is imported.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

Form = Callable[..., object]


def _chain(t, x, scale, bias):
    h = x * scale + bias
    h = t.nn.functional.gelu(h, approximate="tanh")
    return h * t.sigmoid(h) + x


def _polynomial(t, x):
    y = t.full_like(x, 0.5)
    for k in range(16):
        y = y * x + (1.0 / (k + 1))
    return y


def _n_body(t, places, masses):
    apart = places[None, :] - places[:, None]
    squares = t.sum(apart * apart, -1) + 1e-2
    return t.sum((masses * squares**-1.5)[:, :, None] * apart, 1)


def _statistics(t, x):
    variance, mean = t.var_mean(x, dim=(0, 1, 2), correction=0)
    return mean, variance


def _layer_norm(t, x, scale, bias):
    return t.nn.functional.layer_norm(x, x.shape[-1:], scale, bias, 1e-5)


def _rms_norm(t, x, scale):
    return t.nn.functional.rms_norm(x, x.shape[-1:], scale, 1e-6)


def _add_rms_norm(t, x, residual, scale):
    total = x + residual
    return total, _rms_norm(t, total, scale)


def _add_layer_norm(t, x, residual, scale, bias):
    total = x + residual
    return total, _layer_norm(t, total, scale, bias)


def _sort_by_key(t, keys, values):
    found = t.sort(keys, stable=True)
    return found.values, values[found.indices]


def _sort_by_distance(t, x, centre):
    return t.gather(x, -1, t.sort(t.abs(x - centre), stable=True).indices)


def _top_k(t, x):
    found = t.topk(x, 64)
    return found.values, found.indices


# Images that are stored channels last are read as such, which PyTorch's convolutions know.
_IMAGE, _KERNEL, _BACK = (0, 3, 1, 2), (3, 2, 0, 1), (0, 2, 3, 1)


def _conv(t, x, kernel, **how):
    return t.nn.functional.conv2d(x.permute(_IMAGE), kernel.permute(_KERNEL), **how).permute(_BACK)


def _conv_nchw(t, x, kernel, **how):
    return t.nn.functional.conv2d(x, kernel, **how)


def _conv_bias_relu(t, x, kernel, bias):
    found = t.nn.functional.conv2d(x.permute(_IMAGE), kernel.permute(_KERNEL), bias, padding=1)
    return t.relu(found).permute(_BACK)


def _input_gradient(t, kernel, result):
    image = t.empty(8, 64, 56, 56, device="meta").shape
    found = t.nn.grad.conv2d_input(image, kernel.permute(_KERNEL), result.permute(_IMAGE), padding=1)
    return found.permute(_BACK)


def _kernel_gradient(t, image, result):
    found = t.nn.grad.conv2d_weight(image.permute(_IMAGE), (64, 64, 3, 3), result.permute(_IMAGE), padding=1)
    return found.permute(2, 3, 1, 0)


def _fft_convolve(t, x, kernel):
    full = x.shape[-1] + kernel.shape[-1] - 1
    product = t.fft.irfft(t.fft.rfft(x, full) * t.fft.rfft(kernel, full), full)
    begin = (kernel.shape[-1] - 1) // 2
    return product[..., begin : begin + x.shape[-1]]


def _low_pass(t, images):
    spectrum = t.fft.rfft2(images)
    rows = t.abs(t.fft.fftfreq(images.shape[-2]))[:, None]
    columns = t.fft.rfftfreq(images.shape[-1])[None, :]
    return t.fft.irfft2(t.where(rows**2 + columns**2 < 0.0156, spectrum, 0), images.shape[-2:])


def _cholesky(t, x):
    n = x.shape[-1]
    return t.linalg.cholesky(x + 2 * n * t.eye(n, dtype=x.dtype))


def _triangular_solve(t, a, b):
    n = a.shape[-1]
    return t.linalg.solve_triangular(a + n * t.eye(n, dtype=a.dtype), b, upper=False)


def _shape_mix(t, x, y):
    a = t.cat([x[:, ::2], y[:, 1::2]], 1)
    b = t.nn.functional.pad(a, (2, 2, 1, 1), value=1.0)[1:-1, 2:-2]
    return t.flip(b, (1,)) * 2.0 + t.roll(x, 3, 1)


def _periodic_laplacian(t, x):
    return t.roll(x, 1, 0) + t.roll(x, -1, 0) + t.roll(x, 1, 1) + t.roll(x, -1, 1) - 4.0 * x


def _game_of_life(t, cells):
    around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    alive = sum(t.roll(cells, shifts, (0, 1)) for shifts in around)
    return ((alive == 3) | ((cells == 1) & (alive == 2))).to(t.int32)


def _rope(t, x):
    length, _, depth = x.shape
    half = depth // 2
    frequency = t.exp(t.arange(half, dtype=t.float32) * (-9.210340372 / half))
    angle = t.arange(length, dtype=t.float32)[:, None] * frequency
    cos, sin = t.cos(angle)[:, None, :], t.sin(angle)[:, None, :]
    a, b = x[..., :half], x[..., half:]
    return t.cat([a * cos - b * sin, a * sin + b * cos], -1)


def _segment_sum(t, rows, ids):
    return t.zeros(5000, rows.shape[1]).index_add_(0, ids, rows)


def _segment_max(t, rows, ids):
    return t.full((5000, rows.shape[1]), -t.inf).index_reduce_(0, ids, rows, "amax")


def _put_distinct(t, x, ids, values):
    return x.index_copy(0, ids.long(), values)


def _attention(t, q, k, v):
    return t.nn.functional.scaled_dot_product_attention(q[None, None], k[None, None], v[None, None])[0, 0]


def _heads(t, q, k, v, mask=None, **how):
    q, k, v = (each.transpose(1, 2) for each in (q, k, v))
    return t.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, **how).transpose(1, 2)


def _causal(t, q, k, v):
    return _heads(t, q, k, v, is_causal=True)


def _matmul(t, a, b):
    return t.matmul(a, b)


def _permuted(t, x, order):
    return x.permute(order).contiguous()


_PRODUCTS = """256 512 1024 2048 4096 odd skinny_k skinny_m skinny_n long_k f64_512 bf16_1024
    batched batched_tiny batched_16 batched_32 batched_64 rows_1 rows_4 rows_8 rows_16 rows_32""".split()

FORMS: dict[str, Form] = {
    **{f"matmul_{each}": _matmul for each in _PRODUCTS},
    "matvec": _matmul,
    "vecmat": _matmul,
    "dot_8": _matmul,
    "add_scalar": lambda t, a, b: a + b,
    "add_16": lambda t, a, b: a + b,
    "fma_1k": lambda t, a, b, c: t.addcmul(c, a, b),
    "add_4m": lambda t, a, b: a + b,
    "add_bf16_4m": lambda t, a, b: a + b,
    "exp_4m": lambda t, x: t.exp(x),
    "tanh_4m": lambda t, x: t.tanh(x),
    "sincos_1m": lambda t, x: t.sin(x) * t.cos(x),
    "log1p_1m": lambda t, x: t.log1p(x),
    "polynomial_4m": _polynomial,
    "gelu_chain": _chain,
    "select_4m": lambda t, a, b: t.where(a > b, a * 2.0, b - 1.0),
    "convert_4m": lambda t, x: (x * 3.0).to(t.int32),
    "broadcast_add": lambda t, x, r, c: x + r + c[:, None],
    "n_body_1000": _n_body,
    "reduce_rows": lambda t, x: t.sum(x, 1),
    "reduce_columns": lambda t, x: t.sum(x, 0),
    "reduce_full": lambda t, x: t.sum(x),
    "reduce_max_full": lambda t, x: t.max(x),
    "reduce_middle": lambda t, x: t.sum(x, 1),
    "mean_square": lambda t, x: t.mean(x * x, -1),
    "batch_statistics": _statistics,
    "argmax_rows": lambda t, x: t.argmax(x, 1),
    "argmax_columns": lambda t, x: t.argmax(x, 0),
    "cumsum_rows": lambda t, x: t.cumsum(x, 1),
    "cumsum_1m": lambda t, x: t.cumsum(x, 0),
    "cumsum_4m": lambda t, x: t.cumsum(x, 0),
    "cumsum_columns": lambda t, x: t.cumsum(x, 0),
    "cummax_rows": lambda t, x: t.cummax(x, 1).values,
    "cumlogsumexp_rows": lambda t, x: t.logcumsumexp(x, 1),
    "sort_1m": lambda t, x: t.sort(x).values,
    "sort_1m_i32": lambda t, x: t.sort(x).values,
    "sort_rows": lambda t, x: t.sort(x).values,
    "sort_columns": lambda t, x: t.sort(x, 0).values,
    "argsort_rows": lambda t, x: t.argsort(x, stable=True),
    "argsort_short_rows": lambda t, x: t.argsort(x, stable=True),
    "sort_by_key_1m": _sort_by_key,
    "sort_f64": lambda t, x: t.sort(x).values,
    "sort_bf16": lambda t, x: t.sort(x).values,
    "sort_by_distance": _sort_by_distance,
    "top_k_64": _top_k,
    "top_k_one_row": _top_k,
    "median_rows": lambda t, x: t.median(x, 1).values,
    "softmax": lambda t, x: t.softmax(x, -1),
    "softmax_narrow": lambda t, x: t.softmax(x, -1),
    "softmax_wide": lambda t, x: t.softmax(x, -1),
    "cross_entropy": lambda t, logits, labels: t.nn.functional.cross_entropy(logits, labels.long()),
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "add_rms_norm": _add_rms_norm,
    "add_layer_norm": _add_layer_norm,
    "matmul_transposed": lambda t, a, b: a.T @ b,
    "matmul_bt": lambda t, a, b: a @ b.T,
    "matmul_bias_relu": lambda t, x, w, b: t.relu(t.addmm(b, x, w)),
    "matmul_sum": lambda t, a, b, c, d: t.addmm(a @ b, c, d),
    "matmul_i8_512": lambda t, a, b: t._int_mm(a, b),
    "matmul_i8_1024": lambda t, a, b: t._int_mm(a, b),
    "pairwise_distances": lambda t, x, y: t.cdist(x, y),
    "outer_product": lambda t, a, b: t.outer(a, b),
    "conv_3x3": functools.partial(_conv, padding=1),
    "conv_3x3_nchw": functools.partial(_conv_nchw, padding=1),
    "conv_7x7_s2": functools.partial(_conv, padding=3, stride=2),
    "conv_7x7_s2_nchw": functools.partial(_conv_nchw, padding=3, stride=2),
    "conv_1x1": _conv,
    "conv_1x1_nchw": _conv_nchw,
    "conv_depthwise": functools.partial(_conv, padding=1, groups=128),
    "conv_depthwise_nchw": functools.partial(_conv_nchw, padding=1, groups=128),
    "conv_dilated": functools.partial(_conv, padding=2, dilation=2),
    "conv_bias_relu": _conv_bias_relu,
    "conv_3x3_input_gradient": _input_gradient,
    "conv_3x3_kernel_gradient": _kernel_gradient,
    "max_pool": lambda t, x: t.nn.functional.max_pool2d(x.permute(_IMAGE), 2).permute(_BACK),
    "fft_1024": lambda t, x: t.fft.fft(x),
    "ifft_1000": lambda t, x: t.fft.ifft(x),
    "fft_prime": lambda t, x: t.fft.fft(x),
    "fft_columns": lambda t, x: t.fft.fft(x, dim=0),
    "rfft_256": lambda t, x: t.fft.rfft(x),
    "rfft_f64": lambda t, x: t.fft.rfft(x),
    "rfft2_512": lambda t, x: t.fft.rfft2(x),
    "irfft2_512": lambda t, x: t.fft.irfft2(x),
    "fft2_1024": lambda t, x: t.fft.fft2(x),
    "fftn_64_c128": lambda t, x: t.fft.fftn(x),
    "fft_long": lambda t, x: t.fft.fft(x),
    "fft_convolve": _fft_convolve,
    "low_pass": _low_pass,
    "cholesky_512": _cholesky,
    "cholesky_16": _cholesky,
    "cholesky_c64": _cholesky,
    "triangular_solve_512": _triangular_solve,
    "triangular_solve_16": _triangular_solve,
    "transpose_2d": lambda t, x: x.T.contiguous(),
    "transpose_odd": lambda t, x: x.T.contiguous(),
    "permute_4d": functools.partial(_permuted, order=(0, 2, 1, 3)),
    "nhwc_to_nchw": functools.partial(_permuted, order=(0, 3, 1, 2)),
    "nchw_to_nhwc": functools.partial(_permuted, order=(0, 2, 3, 1)),
    "permute_reversed": functools.partial(_permuted, order=(3, 2, 1, 0)),
    "permute_kernel": functools.partial(_permuted, order=(3, 2, 0, 1)),
    "embedding": lambda t, table, ids: t.index_select(table, 0, ids),
    "gather_columns": lambda t, x, ids: t.index_select(x, 1, ids),
    "shape_mix": _shape_mix,
    "concatenate": lambda t, a, b: t.cat([a, b], 1),
    "pad": lambda t, x: t.nn.functional.pad(x, (7, 9, 3, 5)),
    "periodic_laplacian": _periodic_laplacian,
    "game_of_life": _game_of_life,
    "rope": _rope,
    "segment_sum_16": _segment_sum,
    "segment_sum_64": _segment_sum,
    "segment_sum_sorted_16": _segment_sum,
    "segment_sum_sorted_64": _segment_sum,
    "segment_max": _segment_max,
    "scatter_rows_unique": _put_distinct,
    "scatter_scalars_unique": _put_distinct,
    "bincount": lambda t, ids: t.bincount(ids, minlength=1000),
    "scatter_points": lambda t, x, i, j, v: x.index_put((i, j), v, accumulate=True),
    "scatter_columns": lambda t, x, i, v: x.index_add(1, i, v),
    "embedding_gradient": lambda t, table, ids, cotangent: t.zeros_like(table).index_add_(0, ids, cotangent),
    "attention": _attention,
    "attention_heads": _heads,
    "attention_causal": _causal,
    "attention_masked": _heads,
    "attention_long": _heads,
    "attention_long_causal": _causal,
}
