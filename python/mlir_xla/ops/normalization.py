# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batch normalisation."""

from __future__ import annotations

from ..builder import XlaOp


def BatchNormTraining(operand: XlaOp, scale: XlaOp, offset: XlaOp, epsilon: float, feature_index: int) -> XlaOp:
    """The operand normalised per feature, and the mean and variance of the batch: a tuple of three."""
    attributes = {"epsilon": float(epsilon), "feature_index": int(feature_index)}
    return operand.builder.emit(
        "BatchNormTraining", "batch_norm_training", [operand, scale, offset], attributes, tuple_result=True
    )


def BatchNormInference(
    operand: XlaOp, scale: XlaOp, offset: XlaOp, mean: XlaOp, variance: XlaOp, epsilon: float, feature_index: int
) -> XlaOp:
    """The operand normalised per feature with the given mean and variance."""
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
    """The gradients of operand, scale and offset: a tuple of three."""
    attributes = {"epsilon": float(epsilon), "feature_index": int(feature_index)}
    operands = [operand, scale, batch_mean, batch_var, grad_output]
    return operand.builder.emit("BatchNormGrad", "batch_norm_grad", operands, attributes, tuple_result=True)
