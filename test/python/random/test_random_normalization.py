# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the normalization family."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import SEEDS, arrays, check, elements, one_op, shapes, tensor

OPERAND = arrays(["f32", "f64"], shapes(1, 4, st.integers(1, 9), 2000), "moderate")
EPSILON = st.sampled_from([1e-3, 0.1, 1.0])


def vectors(x, feature, seed, count):
    """Vectors of features: all positive, so that any of them may be a variance."""
    size = x.shape[feature]
    return [np.abs(elements(x.dtype, (size,), seed + i, "unit")) + x.dtype.type(0.1) for i in range(count)]


def attributes(epsilon, feature):
    return {"epsilon": f"{epsilon} : f32", "feature_index": f"{feature} : i64"}


# Bounds of the errors, to first order in eps: what is rounded is at most the sum of the magnitudes that enter it. Both
# targets round, by half an eps each.


def wide(*values):
    """The arrays in float64."""
    return [np.asarray(v, np.float64) for v in values]


def along(vector, x, feature):
    """A vector of features where it can be combined with `x`."""
    return vector.reshape([-1 if d == feature else 1 for d in range(x.ndim)])


def normalized(x, mean, variance, epsilon):
    """Bounds of |x - mean| / sqrt(variance + epsilon), and of 1 / sqrt(variance + epsilon)."""
    inverse = 1 / np.sqrt(variance + epsilon)
    return (np.abs(x) + np.abs(mean)) * inverse, inverse


@given(OPERAND, EPSILON, SEEDS, st.data())
def test_inference(x, epsilon, seed, data):
    feature = data.draw(st.integers(0, x.ndim - 1))
    operands = [x, *vectors(x, feature, seed, 4)]
    scale, offset, mean, variance = (along(v, x, feature) for v in wide(*operands[1:]))
    unit = normalized(x.astype(np.float64), mean, variance, epsilon)[0]
    within = 8 * np.finfo(x.dtype).eps * (scale * unit + offset)  # 3 sums, 2 products, a root and a quotient
    result = tensor(x.dtype, x.shape)
    check(one_op("batch_norm_inference", operands, [result], attributes(epsilon, feature), within=[within]))


@given(OPERAND, EPSILON, SEEDS, st.data())
def test_training(x, epsilon, seed, data):
    feature = data.draw(st.integers(0, x.ndim - 1))
    operands = [x, *vectors(x, feature, seed, 2)]
    (values,) = wide(x)
    scale, offset = (along(v, x, feature) for v in wide(*operands[1:]))
    axes = tuple(d for d in range(x.ndim) if d != feature)
    eps, terms = np.finfo(x.dtype).eps, x.size // x.shape[feature]
    size = np.abs(values).mean(axes, keepdims=True)
    mean = (terms + 1) * eps * size
    # A square has twice the relative error of its root, which has that of the mean.
    variance = (3 * terms + 8) * eps * np.square(np.abs(values) + size).mean(axes, keepdims=True)
    unit, inverse = normalized(values, values.mean(axes, keepdims=True), values.var(axes, keepdims=True), epsilon)
    y = 8 * eps * (scale * unit + offset) + scale * (mean * inverse + unit * variance * np.square(inverse) / 2)
    results = [tensor(x.dtype, x.shape), *2 * [tensor(x.dtype, (x.shape[feature],))]]
    within = [y, mean.reshape(-1), variance.reshape(-1)]
    check(one_op("batch_norm_training", operands, results, attributes(epsilon, feature), within=within))


@given(OPERAND, EPSILON, SEEDS, st.data())
def test_grad(x, epsilon, seed, data):
    feature = data.draw(st.integers(0, x.ndim - 1))
    operands = [x, *vectors(x, feature, seed, 3), elements(x.dtype, x.shape, seed + 9, "moderate")]
    values, slopes = wide(x, np.abs(operands[-1]))
    scale, mean, variance = (along(v, x, feature) for v in wide(*operands[1:-1]))
    axes = tuple(d for d in range(x.ndim) if d != feature)
    eps, terms = np.finfo(x.dtype).eps, x.size // x.shape[feature]
    unit, inverse = normalized(values, mean, variance, epsilon)
    products = slopes * unit
    # The slopes, less their mean and their part along the normalized operand.
    size = slopes + slopes.mean(axes, keepdims=True) + unit * products.mean(axes, keepdims=True)
    within = [
        (terms + 16) * eps * scale * inverse * size,
        (terms + 8) * eps * products.sum(axes),
        (terms + 1) * eps * slopes.sum(axes),
    ]
    results = [tensor(x.dtype, x.shape), *2 * [tensor(x.dtype, (x.shape[feature],))]]
    check(one_op("batch_norm_grad", operands, results, attributes(epsilon, feature), within=within))
