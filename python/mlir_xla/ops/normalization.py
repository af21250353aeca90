# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batch normalisation."""

from __future__ import annotations

from ..builder import XlaOp


def BatchNormTraining(operand: XlaOp, scale: XlaOp, offset: XlaOp, epsilon: float, feature_index: int) -> XlaOp:
    """The operand normalised per feature, and the mean and variance of the batch: a tuple of three.

    Example:
        >>> x = value([[1.0, 10.0], [3.0, 30.0]])
        >>> run(ops.BatchNormTraining(x, value([1.0, 2.0]), value([0.0, 5.0]), epsilon=0, feature_index=1))
        (array([[-1.,  3.],
               [ 1.,  7.]], dtype=float32), array([ 2., 20.], dtype=float32), array([  1., 100.], dtype=float32))
    """
    attributes = {"epsilon": float(epsilon), "feature_index": int(feature_index)}
    return operand.builder.emit(
        "BatchNormTraining", "batch_norm_training", [operand, scale, offset], attributes, tuple_result=True
    )


def BatchNormInference(
    operand: XlaOp, scale: XlaOp, offset: XlaOp, mean: XlaOp, variance: XlaOp, epsilon: float, feature_index: int
) -> XlaOp:
    """The operand normalised per feature with the given mean and variance.

    Example:
        >>> x = value([[1.0, 10.0], [3.0, 30.0]])
        >>> scale, offset = value([1.0, 2.0]), value([0.0, 5.0])
        >>> mean, variance = value([2.0, 20.0]), value([1.0, 100.0])
        >>> run(ops.BatchNormInference(x, scale, offset, mean, variance, epsilon=0, feature_index=1))
        array([[-1.,  3.],
               [ 1.,  7.]], dtype=float32)
    """
    attributes = {"epsilon": float(epsilon), "feature_index": int(feature_index)}
    operands = [operand, scale, offset, mean, variance]
    return operand.builder.emit("BatchNormInference", "batch_norm_inference", operands, attributes)


def BatchNormGrad(
    operand: XlaOp,
    scale: XlaOp,
    batch_mean: XlaOp,
    batch_var: XlaOp,
    grad_output: XlaOp,
    epsilon: float,
    feature_index: int,
) -> XlaOp:
    """The gradients of operand, scale and offset: a tuple of three.

    Example:
        >>> x, dy = value([[0.0], [0.0], [2.0], [2.0]]), value([[1.0], [2.0], [3.0], [6.0]])
        >>> scale, mean, variance = value([2.0]), value([1.0]), value([1.0])
        >>> run(ops.BatchNormGrad(x, scale, mean, variance, dy, epsilon=0, feature_index=1))
        (array([[-1.],
               [ 1.],
               [-3.],
               [ 3.]], dtype=float32), array([6.], dtype=float32), array([12.], dtype=float32))
    """
    attributes = {"epsilon": float(epsilon), "feature_index": int(feature_index)}
    operands = [operand, scale, batch_mean, batch_var, grad_output]
    return operand.builder.emit("BatchNormGrad", "batch_norm_grad", operands, attributes, tuple_result=True)
