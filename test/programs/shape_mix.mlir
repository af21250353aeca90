// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_shape_mix attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<16x32xf32>) -> (tensor<16x32xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:16, 0:32:2] : (tensor<16x32xf32>) -> tensor<16x16xf32>
    %1 = stablehlo.slice %arg1 [0:16, 1:32:2] : (tensor<16x32xf32>) -> tensor<16x16xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = call @_pad(%2, %cst) : (tensor<16x32xf32>, tensor<f32>) -> tensor<18x36xf32>
    %4 = stablehlo.slice %3 [1:17, 2:34] : (tensor<18x36xf32>) -> tensor<16x32xf32>
    %5 = call @_flip(%4) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<16x32xf32>
    %8 = call @_roll_static(%arg0) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %9 = stablehlo.add %7, %8 : tensor<16x32xf32>
    return %9 : tensor<16x32xf32>
  }
  func.func private @_pad(%arg0: tensor<16x32xf32>, %arg1: tensor<f32>) -> tensor<18x36xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 2], high = [1, 2], interior = [0, 0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<18x36xf32>
    return %1 : tensor<18x36xf32>
  }
  func.func private @_flip(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
  func.func private @_roll_static(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 29:32] : (tensor<16x32xf32>) -> tensor<16x3xf32>
    %1 = stablehlo.slice %arg0 [0:16, 0:29] : (tensor<16x32xf32>) -> tensor<16x29xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x3xf32>, tensor<16x29xf32>) -> tensor<16x32xf32>
    return %2 : tensor<16x32xf32>
  }
}
