// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_heat attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>) -> (tensor<32xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<32xf32>
    cond {
      %c_3 = stablehlo.constant dense<200> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<32xf32>) -> (tensor<i32>, tensor<32xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<32xf32>
    }
    return %0#2 : tensor<32xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<32xf32>) -> (tensor<i32>, tensor<32xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg1 [0:31] : (tensor<32xf32>) -> tensor<31xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.pad %1, %cst, low = [1], high = [0], interior = [0] : (tensor<31xf32>, tensor<f32>) -> tensor<32xf32>
    %3 = stablehlo.slice %arg1 [1:32] : (tensor<32xf32>) -> tensor<31xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.pad %3, %cst_0, low = [0], high = [1], interior = [0] : (tensor<31xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %6 = stablehlo.multiply %5, %arg1 : tensor<32xf32>
    %7 = stablehlo.subtract %2, %6 : tensor<32xf32>
    %8 = stablehlo.add %7, %4 : tensor<32xf32>
    %cst_2 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<32xf32>
    %11 = stablehlo.add %arg1, %10 : tensor<32xf32>
    return %0, %11 : tensor<i32>, tensor<32xf32>
  }
}
