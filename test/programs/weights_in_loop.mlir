// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_weights_in_loop attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x4x16xf32>, %arg1: tensor<4x32xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<16x8xf32>) -> (tensor<4x32xf32> {jax.result_info = "result[0]"}, tensor<9x4x32xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x4x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:8 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg2, %iterArg_1 = %arg3, %iterArg_2 = %arg4, %iterArg_3 = %arg5, %iterArg_4 = %c, %iterArg_5 = %arg1, %iterArg_6 = %0) : tensor<9x4x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x32xf32>, tensor<16x8xf32>, tensor<i32>, tensor<4x32xf32>, tensor<9x4x32xf32>
    cond {
      %c_7 = stablehlo.constant dense<9> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_4) : (tensor<9x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %3:2 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_5, %2) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x32xf32>, tensor<16x8xf32>, tensor<4x32xf32>, tensor<4x16xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>)
      %4 = func.call @dynamic_update_index_in_dim(%iterArg_6, %3#1, %iterArg_4) : (tensor<9x4x32xf32>, tensor<4x32xf32>, tensor<i32>) -> tensor<9x4x32xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %5, %3#0, %4 : tensor<9x4x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x32xf32>, tensor<16x8xf32>, tensor<i32>, tensor<4x32xf32>, tensor<9x4x32xf32>
    }
    return %1#6, %1#7 : tensor<4x32xf32>, tensor<9x4x32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x4x16xf32>, %arg1: tensor<i32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 16] : (tensor<9x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<4x32xf32>, %arg5: tensor<4x16xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.multiply %0, %arg5 : tensor<4x16xf32>
    %2 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x32xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %5 = stablehlo.multiply %4, %arg4 : tensor<4x32xf32>
    %6 = call @tril(%arg2) : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %8 = stablehlo.dot_general %5, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
    %9 = stablehlo.add %3, %8 : tensor<4x32xf32>
    %10 = stablehlo.slice %9 [0:4, 0:16] : (tensor<4x32xf32>) -> tensor<4x16xf32>
    %11 = stablehlo.exponential %10 : tensor<4x16xf32>
    %12 = stablehlo.log_plus_one %11 : tensor<4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %14 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<16x8xf32>) -> tensor<1x16x8xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x16x8xf32>) -> tensor<4x16x8xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<4x16x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x2xf32>
    %20 = stablehlo.reshape %19 : (tensor<4x16x2xf32>) -> tensor<4x32xf32>
    %21 = stablehlo.add %9, %20 : tensor<4x32xf32>
    %22 = stablehlo.tanh %21 : tensor<4x32xf32>
    %23 = stablehlo.dot_general %22, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
    return %22, %23 : tensor<4x32xf32>, tensor<4x32xf32>
  }
  func.func private @tril(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32x32xi32>
    %2 = stablehlo.add %0, %1 : tensor<32x32xi32>
    %3 = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<32x32xi1>, tensor<32x32xf32>
    return %6 : tensor<32x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x4x32xf32>, %arg1: tensor<4x32xf32>, %arg2: tensor<i32>) -> tensor<9x4x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x32xf32>) -> tensor<1x4x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<9x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x4x32xf32>
    return %1 : tensor<9x4x32xf32>
  }
}
