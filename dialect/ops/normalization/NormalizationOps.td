// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The normalization family: batch normalization, its inference form and its gradient.

#ifndef MLIR_XLA_DIALECT_OPS_NORMALIZATION_NORMALIZATIONOPS_TD
#define MLIR_XLA_DIALECT_OPS_NORMALIZATION_NORMALIZATIONOPS_TD

include "mlir_xla/dialect/XlaAttrs.td"

def Xla_BatchNormTrainingOp : Xla_InferredOp<"batch_norm_training", [Pure, Xla_HasTensorOperands]> {
  let summary = "normalizes each feature with the batch's own mean and variance";
  let description = [{
    Over all dimensions but `feature_index`: `output = scale * (operand - mean) / sqrt(variance + epsilon) + offset`.
    Also yields the mean and the (population) variance of each feature.

    ```mlir
    %y, %mean, %var = "xla.batch_norm_training"(%x, %scale, %offset) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}>
      : (tensor<8x4x4x16xf32>, tensor<16xf32>, tensor<16xf32>)
      -> (tensor<8x4x4x16xf32>, tensor<16xf32>, tensor<16xf32>)
    ```

    Constraints:
    - `BatchNormTraining-C1` `feature_index` is a dimension of `operand`.
    - `BatchNormTraining-C2` `scale` and `offset` have rank 1 and the size of that dimension.
    - `BatchNormTraining-C3` all arrays have the same floating-point element type.
    - `BatchNormTraining-C4` `output` has the type of `operand`, mean and variance that of `scale`.
  }];
  let arguments = (ins Xla_Tensor:$operand, Xla_Tensor:$scale, Xla_Tensor:$offset, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs Xla_Tensor:$output, Xla_Tensor:$batch_mean, Xla_Tensor:$batch_var);
}

def Xla_BatchNormInferenceOp : Xla_InferredOp<"batch_norm_inference", [Pure, Xla_HasTensorOperands]> {
  let summary = "normalizes each feature with a given mean and variance";
  let description = [{
    `result = scale * (operand - mean) / sqrt(variance + epsilon) + offset`, with one scale, offset, mean and variance per
    index of dimension `feature_index`.

    ```mlir
    %y = "xla.batch_norm_inference"(%x, %scale, %offset, %mean, %var) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
    ```

    Constraints:
    - `BatchNormInference-C1` `feature_index` is a dimension of `operand`.
    - `BatchNormInference-C2` `scale`, `offset`, `mean` and `variance` have rank 1 and the size of that dimension.
    - `BatchNormInference-C3` all arrays have the same floating-point element type.
    - `BatchNormInference-C4` the result has the type of `operand`.
  }];
  let arguments = (ins Xla_Tensor:$operand, Xla_Tensor:$scale, Xla_Tensor:$offset, Xla_Tensor:$mean,
                       Xla_Tensor:$variance, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Xla_Tensor:$result);
}

def Xla_BatchNormGradOp : Xla_InferredOp<"batch_norm_grad", [Pure, Xla_HasTensorOperands]> {
  let summary = "gradients of batch normalization";
  let description = [{
    From the operand, scale, batch mean and batch variance of `xla.batch_norm_training` and the gradient of its output:
    the gradients of operand, scale and offset. With `n = (operand - mean) / sqrt(variance + epsilon)` and averages over
    all dimensions but `feature_index`, `grad_operand = scale / sqrt(variance + epsilon) * (grad_output -
    mean(grad_output) - n * mean(grad_output * n))`, `grad_scale = sum(grad_output * n)`, `grad_offset =
    sum(grad_output)`.

    ```mlir
    %dx, %dscale, %doffset = "xla.batch_norm_grad"(%x, %scale, %mean, %var, %dy)
      <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x16xf32>)
      -> (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>)
    ```

    Constraints:
    - `BatchNormGrad-C1` `feature_index` is a dimension of `operand`.
    - `BatchNormGrad-C2` `scale`, `mean` and `variance` have rank 1 and the size of that dimension.
    - `BatchNormGrad-C3` `grad_output` has the dims of `operand`.
    - `BatchNormGrad-C4` all arrays have the same floating-point element type.
    - `BatchNormGrad-C5` `grad_operand` has the type of `operand`, the other results that of `scale`.
  }];
  let arguments = (ins Xla_Tensor:$operand, Xla_Tensor:$scale, Xla_Tensor:$mean, Xla_Tensor:$variance,
                       Xla_Tensor:$grad_output, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Xla_Tensor:$grad_operand, Xla_Tensor:$grad_scale, Xla_Tensor:$grad_offset);
}

#endif // MLIR_XLA_DIALECT_OPS_NORMALIZATION_NORMALIZATIONOPS_TD
