// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024xui32>) -> (tensor<1024xui32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<15> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<1024xui32>
    %1 = stablehlo.shift_right_logical %arg0, %0 : tensor<1024xui32>
    %2 = stablehlo.xor %arg0, %1 : tensor<1024xui32>
    %c_0 = stablehlo.constant dense<2246822507> : tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<1024xui32>
    %4 = stablehlo.multiply %2, %3 : tensor<1024xui32>
    return %4 : tensor<1024xui32>
  }
}
