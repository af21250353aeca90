# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The normalization family: batch_norm_training, batch_norm_inference, batch_norm_grad; computed in float64.

The names are those of the formulas: x operand, gamma scale, beta offset, mu mean, eps epsilon, y output; M is the
number of elements per feature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._numerics import narrow, widen
from ._program import Op
from ._types import element_of

Array = np.ndarray


def _per_feature(op: Op, x: Array) -> tuple[tuple[int, ...], Callable[[Array], Array]]:
    """The axes to sum over, and how a vector of features meets an array shaped like ``x``."""
    feature = op.attributes["feature_index"]
    column = [-1 if d == feature else 1 for d in range(x.ndim)]
    return tuple(d for d in range(x.ndim) if d != feature), lambda vector: vector.reshape(column)


def _inference(op: Op, *operands: Array) -> Array:
    x, gamma, beta, mu, var = map(widen, operands)
    _, spread = _per_feature(op, x)
    y = spread(gamma) * (x - spread(mu)) / np.sqrt(spread(var) + op.attributes["epsilon"]) + spread(beta)
    return narrow(y, element_of(operands[0]))


def _training(op: Op, *operands: Array) -> list[Array]:
    x, gamma, beta = map(widen, operands)
    axes, spread = _per_feature(op, x)
    mu = x.mean(axes)
    var = np.square(x - spread(mu)).mean(axes)
    y = spread(gamma) * (x - spread(mu)) / np.sqrt(spread(var) + op.attributes["epsilon"]) + spread(beta)
    return [narrow(result, element_of(operands[0])) for result in (y, mu, var)]


def _grad(op: Op, *operands: Array) -> list[Array]:
    x, gamma, mu, var, dy = map(widen, operands)
    axes, spread = _per_feature(op, x)
    denominator = var + op.attributes["epsilon"]
    centred = x - spread(mu)
    c = (dy * centred).mean(axes) / denominator
    d = dy.mean(axes)
    dx = spread(gamma / np.sqrt(denominator)) * (dy - spread(d) - spread(c) * centred)
    dgamma = (dy * centred).sum(axes) / np.sqrt(denominator)
    return [narrow(result, element_of(operands[0])) for result in (dx, dgamma, dy.sum(axes))]


OPS: dict[str, Callable[..., Any]] = {
    "batch_norm_inference": _inference,
    "batch_norm_training": _training,
    "batch_norm_grad": _grad,
}
