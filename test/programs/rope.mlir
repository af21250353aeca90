// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_rope attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16x16xf32>) -> (tensor<32x16x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<8xf32>
    %cst = stablehlo.constant dense<-1.15129256> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<8xf32>
    %3 = stablehlo.exponential %2 : tensor<8xf32>
    %4 = stablehlo.iota dim = 0 : tensor<32xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x8xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<32x8xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<32x8xf32>
    %10 = stablehlo.cosine %9 : tensor<32x8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
    %12 = stablehlo.sine %9 : tensor<32x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 2] : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
    %14 = stablehlo.slice %arg0 [0:32, 0:16, 0:8] : (tensor<32x16x16xf32>) -> tensor<32x16x8xf32>
    %15 = stablehlo.slice %arg0 [0:32, 0:16, 8:16] : (tensor<32x16x16xf32>) -> tensor<32x16x8xf32>
    %16 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<32x1x8xf32>) -> tensor<32x16x8xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<32x16x8xf32>
    %18 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<32x1x8xf32>) -> tensor<32x16x8xf32>
    %19 = stablehlo.multiply %15, %18 : tensor<32x16x8xf32>
    %20 = stablehlo.subtract %17, %19 : tensor<32x16x8xf32>
    %21 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<32x1x8xf32>) -> tensor<32x16x8xf32>
    %22 = stablehlo.multiply %14, %21 : tensor<32x16x8xf32>
    %23 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<32x1x8xf32>) -> tensor<32x16x8xf32>
    %24 = stablehlo.multiply %15, %23 : tensor<32x16x8xf32>
    %25 = stablehlo.add %22, %24 : tensor<32x16x8xf32>
    %26 = stablehlo.concatenate %20, %25, dim = 2 : (tensor<32x16x8xf32>, tensor<32x16x8xf32>) -> tensor<32x16x16xf32>
    return %26 : tensor<32x16x16xf32>
  }
}
