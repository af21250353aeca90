// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO as JAX exports it; run on random inputs by test/python/api/test_programs.py.
module @jit_transformer_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x48xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x64xf32>, %arg4: tensor<64x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>) -> (tensor<8x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<8x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<8x16xf32>
    %10 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<8x16xf32>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x48xf32>) -> tensor<8x48xf32>
    %14 = stablehlo.slice %13 [0:8, 0:16] : (tensor<8x48xf32>) -> tensor<8x16xf32>
    %15 = stablehlo.slice %13 [0:8, 16:32] : (tensor<8x48xf32>) -> tensor<8x16xf32>
    %16 = stablehlo.slice %13 [0:8, 32:48] : (tensor<8x48xf32>) -> tensor<8x16xf32>
    %17 = stablehlo.reshape %14 : (tensor<8x16xf32>) -> tensor<1x8x4x4xf32>
    %18 = stablehlo.reshape %15 : (tensor<8x16xf32>) -> tensor<1x8x4x4xf32>
    %19 = stablehlo.reshape %16 : (tensor<8x16xf32>) -> tensor<1x8x4x4xf32>
    %20 = stablehlo.dot_general %17, %18, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x8xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<1x4x8x8xf32>
    %23 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %24 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %25 = stablehlo.compare GE, %23, %24, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %cst_3 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %26 = call @_where(%25, %22, %cst_3) : (tensor<8x8xi1>, tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x8xf32>
    %29 = stablehlo.maximum %28, %27 : tensor<1x4x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %32 = stablehlo.subtract %26, %31 : tensor<1x4x8x8xf32>
    %33 = stablehlo.exponential %32 : tensor<1x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %37 = stablehlo.divide %33, %36 : tensor<1x4x8x8xf32>
    %38 = stablehlo.dot_general %19, %37, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x8x4x4xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x4x8xf32>
    %39 = stablehlo.transpose %38, dims = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
    %40 = stablehlo.reshape %39 : (tensor<1x8x4x4xf32>) -> tensor<8x16xf32>
    %41 = stablehlo.dot_general %40, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %42 = stablehlo.add %arg0, %41 : tensor<8x16xf32>
    %43 = stablehlo.multiply %42, %42 : tensor<8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %47 = stablehlo.divide %45, %46 : tensor<8x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %49 = stablehlo.add %47, %48 : tensor<8x1xf32>
    %50 = stablehlo.rsqrt %49 : tensor<8x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
    %52 = stablehlo.multiply %42, %51 : tensor<8x16xf32>
    %53 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>
    %55 = stablehlo.multiply %52, %54 : tensor<8x16xf32>
    %56 = stablehlo.dot_general %55, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %57 = stablehlo.multiply %56, %56 : tensor<8x64xf32>
    %58 = stablehlo.multiply %57, %56 : tensor<8x64xf32>
    %cst_10 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %60 = stablehlo.multiply %59, %58 : tensor<8x64xf32>
    %61 = stablehlo.add %56, %60 : tensor<8x64xf32>
    %cst_11 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %63 = stablehlo.multiply %62, %61 : tensor<8x64xf32>
    %64 = stablehlo.tanh %63 : tensor<8x64xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %66 = stablehlo.add %65, %64 : tensor<8x64xf32>
    %cst_13 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %68 = stablehlo.multiply %67, %66 : tensor<8x64xf32>
    %69 = stablehlo.multiply %56, %68 : tensor<8x64xf32>
    %70 = stablehlo.dot_general %69, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %71 = stablehlo.add %42, %70 : tensor<8x16xf32>
    return %71 : tensor<8x16xf32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<1x4x8x8xf32>, %arg2: tensor<f32>) -> tensor<1x4x8x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>
    return %3 : tensor<1x4x8x8xf32>
  }
}
