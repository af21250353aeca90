// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_log_softmax_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x31xf32>, %arg1: tensor<32xi32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<32xi32>) -> tensor<32x1xi32>
    %1 = stablehlo.iota dim = 0 : tensor<31xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<31xi32>) -> tensor<1x31xi32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<32x1xi32>) -> tensor<32x31xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x31xi32>) -> tensor<32x31xi32>
    %5 = stablehlo.compare EQ, %3, %4, SIGNED : (tensor<32x31xi32>, tensor<32x31xi32>) -> tensor<32x31xi1>
    %6 = call @log_softmax(%arg0) : (tensor<32x31xf32>) -> tensor<32x31xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = call @_where(%5, %6, %cst) : (tensor<32x31xi1>, tensor<32x31xf32>, tensor<f32>) -> tensor<32x31xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<32x31xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %10 = stablehlo.divide %9, %cst_2 : tensor<f32>
    %11 = stablehlo.negate %10 : tensor<f32>
    return %11 : tensor<f32>
  }
  func.func private @log_softmax(%arg0: tensor<32x31xf32>) -> tensor<32x31xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x31xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<32xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x31xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<32x31xf32>
    %6 = stablehlo.exponential %5 : tensor<32x31xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<32x31xf32>, tensor<f32>) -> tensor<32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %9 = stablehlo.log %8 : tensor<32x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x31xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<32x31xf32>
    return %11 : tensor<32x31xf32>
  }
  func.func private @_where(%arg0: tensor<32x31xi1>, %arg1: tensor<32x31xf32>, %arg2: tensor<f32>) -> tensor<32x31xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<32x31xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<32x31xi1>, tensor<32x31xf32>
    return %2 : tensor<32x31xf32>
  }
}
