// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_mandelbrot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<16x16xi32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3:7 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %arg1, %iterArg_4 = %c_2, %iterArg_5 = %c_1, %iterArg_6 = %0, %iterArg_7 = %1, %iterArg_8 = %2) : tensor<16x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xi32>
    cond {
      %c_9 = stablehlo.constant dense<50> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_4, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:4 = func.call @closed_call(%iterArg, %iterArg_3, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xi32>) -> (tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xi32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_4, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %5, %4#0, %4#1, %4#2, %4#3 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xi32>
    }
    return %3#6 : tensor<16x16xi32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16x16xi32>) -> (tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg2, %c : tensor<i32>
    %1 = stablehlo.multiply %arg3, %arg3 : tensor<16x16xf32>
    %2 = stablehlo.multiply %arg4, %arg4 : tensor<16x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<16x16xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %5 = stablehlo.compare LT, %3, %4, FLOAT : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xi1>
    %6 = stablehlo.multiply %arg3, %arg3 : tensor<16x16xf32>
    %7 = stablehlo.multiply %arg4, %arg4 : tensor<16x16xf32>
    %8 = stablehlo.subtract %6, %7 : tensor<16x16xf32>
    %9 = stablehlo.add %8, %arg0 : tensor<16x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %11 = stablehlo.multiply %10, %arg3 : tensor<16x16xf32>
    %12 = stablehlo.multiply %11, %arg4 : tensor<16x16xf32>
    %13 = stablehlo.add %12, %arg1 : tensor<16x16xf32>
    %14 = call @_where(%5, %9, %arg3) : (tensor<16x16xi1>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %15 = call @_where(%5, %13, %arg4) : (tensor<16x16xi1>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %16 = stablehlo.convert %5 : (tensor<16x16xi1>) -> tensor<16x16xi32>
    %17 = stablehlo.add %arg5, %16 : tensor<16x16xi32>
    return %0, %14, %15, %17 : tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xi32>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<16x16xi1>, tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
}
