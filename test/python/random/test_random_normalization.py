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


@given(OPERAND, EPSILON, SEEDS, st.data())
def test_inference(x, epsilon, seed, data):
    feature = data.draw(st.integers(0, x.ndim - 1))
    operands = [x, *vectors(x, feature, seed, 4)]
    check(
        one_op(
            "batch_norm_inference",
            operands,
            [tensor(x.dtype, x.shape)],
            attributes(epsilon, feature),
            ulps=64,
            scale=10.0,
        )
    )


@given(OPERAND, EPSILON, SEEDS, st.data())
def test_training(x, epsilon, seed, data):
    feature = data.draw(st.integers(0, x.ndim - 1))
    operands = [x, *vectors(x, feature, seed, 2)]
    results = [tensor(x.dtype, x.shape), *2 * [tensor(x.dtype, (x.shape[feature],))]]
    check(one_op("batch_norm_training", operands, results, attributes(epsilon, feature), ulps=256, scale=100.0))


@given(OPERAND, EPSILON, SEEDS, st.data())
def test_grad(x, epsilon, seed, data):
    feature = data.draw(st.integers(0, x.ndim - 1))
    operands = [x, *vectors(x, feature, seed, 3), elements(x.dtype, x.shape, seed + 9, "moderate")]
    results = [tensor(x.dtype, x.shape), *2 * [tensor(x.dtype, (x.shape[feature],))]]
    scale = float(np.abs(x).sum() * 10 + 100)
    check(one_op("batch_norm_grad", operands, results, attributes(epsilon, feature), ulps=256, scale=scale))
