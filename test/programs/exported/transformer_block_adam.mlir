module @transformer_block_adam attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xi32>, %arg1: tensor<2x8xi32>, %arg2: tensor<f32>, %arg3: tensor<2288xf32>, %arg4: tensor<2288xf32>, %arg5: tensor<2288xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2288xf32> {jax.result_info = "result[1]"}, tensor<2288xf32> {jax.result_info = "result[2][0]"}, tensor<2288xf32> {jax.result_info = "result[2][1]"}, tensor<2288xf32> {jax.result_info = "result[2][2]"}) {
    %0 = stablehlo.slice %arg3 [0:176] : (tensor<2288xf32>) -> tensor<176xf32>
    %1 = stablehlo.reshape %0 : (tensor<176xf32>) -> tensor<11x16xf32>
    %2 = stablehlo.slice %arg3 [176:192] : (tensor<2288xf32>) -> tensor<16xf32>
    %3 = stablehlo.slice %arg3 [192:960] : (tensor<2288xf32>) -> tensor<768xf32>
    %4 = stablehlo.reshape %3 : (tensor<768xf32>) -> tensor<16x48xf32>
    %5 = stablehlo.slice %arg3 [960:1216] : (tensor<2288xf32>) -> tensor<256xf32>
    %6 = stablehlo.reshape %5 : (tensor<256xf32>) -> tensor<16x16xf32>
    %7 = stablehlo.slice %arg3 [1216:1232] : (tensor<2288xf32>) -> tensor<16xf32>
    %8 = stablehlo.slice %arg3 [1232:1744] : (tensor<2288xf32>) -> tensor<512xf32>
    %9 = stablehlo.reshape %8 : (tensor<512xf32>) -> tensor<16x32xf32>
    %10 = stablehlo.slice %arg3 [1744:1776] : (tensor<2288xf32>) -> tensor<32xf32>
    %11 = stablehlo.slice %arg3 [1776:2288] : (tensor<2288xf32>) -> tensor<512xf32>
    %12 = stablehlo.reshape %11 : (tensor<512xf32>) -> tensor<32x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %14 = stablehlo.compare LT, %arg0, %13, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_0 = stablehlo.constant dense<11> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %16 = stablehlo.add %arg0, %15 : tensor<2x8xi32>
    %17 = stablehlo.select %14, %16, %arg0 : tensor<2x8xi1>, tensor<2x8xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %19 = "stablehlo.gather"(%1, %18) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<11x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %23 = stablehlo.divide %21, %22 : tensor<2x8x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %25 = stablehlo.subtract %19, %24 : tensor<2x8x16xf32>
    %26 = stablehlo.broadcast_in_dim %2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %28 = stablehlo.multiply %27, %25 : tensor<2x8x16xf32>
    %29 = chlo.square %25 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %31 = stablehlo.multiply %30, %25 : tensor<2x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %35 = stablehlo.divide %33, %34 : tensor<2x8x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %37 = stablehlo.add %35, %36 : tensor<2x8x1xf32>
    %38 = stablehlo.rsqrt %37 : tensor<2x8x1xf32>
    %39 = stablehlo.divide %38, %37 : tensor<2x8x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %41 = stablehlo.multiply %40, %39 : tensor<2x8x1xf32>
    %42 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %43 = stablehlo.multiply %28, %42 : tensor<2x8x16xf32>
    %44 = stablehlo.dot_general %43, %4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    %cst_7 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x8x48xf32>
    %46 = stablehlo.divide %44, %45 : tensor<2x8x48xf32>
    %47 = stablehlo.slice %46 [0:2, 0:8, 0:16] : (tensor<2x8x48xf32>) -> tensor<2x8x16xf32>
    %48 = stablehlo.slice %46 [0:2, 0:8, 16:32] : (tensor<2x8x48xf32>) -> tensor<2x8x16xf32>
    %49 = stablehlo.slice %46 [0:2, 0:8, 32:48] : (tensor<2x8x48xf32>) -> tensor<2x8x16xf32>
    %50 = stablehlo.reshape %47 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %52 = stablehlo.reshape %48 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %53 = stablehlo.transpose %52, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %54 = stablehlo.reshape %49 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %55 = stablehlo.transpose %54, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %56 = stablehlo.dot_general %51, %53, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_8 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %58 = stablehlo.divide %56, %57 : tensor<2x2x8x8xf32>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %59 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %60 = call @tril(%59) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_10 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %61:3 = call @_where(%60, %58, %cst_10) : (tensor<8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>)
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %62 = stablehlo.reduce(%61#0 init: %cst_11) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %63 = stablehlo.reshape %62 : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %65 = stablehlo.compare EQ, %61#0, %64, FLOAT : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xi1>
    %66 = stablehlo.convert %65 : (tensor<2x2x8x8xi1>) -> tensor<2x2x8x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %69 = stablehlo.maximum %68, %62 : tensor<2x2x8xf32>
    %70 = stablehlo.compare EQ, %62, %69, FLOAT : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xi1>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %73 = stablehlo.select %70, %71, %72 : tensor<2x2x8xi1>, tensor<2x2x8xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %75 = stablehlo.compare EQ, %74, %69, FLOAT : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xi1>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
    %78 = stablehlo.select %75, %76, %77 : tensor<2x2x8xi1>, tensor<2x2x8xf32>
    %79 = stablehlo.divide %73, %78 : tensor<2x2x8xf32>
    %80 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %82 = stablehlo.subtract %61#0, %81 : tensor<2x2x8x8xf32>
    %83 = stablehlo.exponential %82 : tensor<2x2x8x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_19) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %87 = stablehlo.divide %83, %86 : tensor<2x2x8x8xf32>
    %88 = stablehlo.multiply %85, %85 : tensor<2x2x8x1xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x2x8x1xf32>
    %90 = stablehlo.divide %89, %88 : tensor<2x2x8x1xf32>
    %91 = stablehlo.dot_general %87, %55, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %92 = stablehlo.transpose %91, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %93 = stablehlo.reshape %92 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %94 = stablehlo.dot_general %93, %6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_21 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %96 = stablehlo.divide %94, %95 : tensor<2x8x16xf32>
    %97 = stablehlo.add %19, %96 : tensor<2x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_23 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %101 = stablehlo.divide %99, %100 : tensor<2x8x1xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %103 = stablehlo.subtract %97, %102 : tensor<2x8x16xf32>
    %104 = stablehlo.broadcast_in_dim %7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %106 = stablehlo.multiply %105, %103 : tensor<2x8x16xf32>
    %107 = chlo.square %103 : tensor<2x8x16xf32> -> tensor<2x8x16xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %109 = stablehlo.multiply %108, %103 : tensor<2x8x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%107 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_26 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %113 = stablehlo.divide %111, %112 : tensor<2x8x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %115 = stablehlo.add %113, %114 : tensor<2x8x1xf32>
    %116 = stablehlo.rsqrt %115 : tensor<2x8x1xf32>
    %117 = stablehlo.divide %116, %115 : tensor<2x8x1xf32>
    %cst_28 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %119 = stablehlo.multiply %118, %117 : tensor<2x8x1xf32>
    %120 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %121 = stablehlo.multiply %106, %120 : tensor<2x8x16xf32>
    %122 = stablehlo.dot_general %121, %9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %cst_29 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %124 = stablehlo.divide %122, %123 : tensor<2x8x32xf32>
    %125 = stablehlo.broadcast_in_dim %10, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %127 = stablehlo.add %124, %126 : tensor<2x8x32xf32>
    %128 = stablehlo.multiply %127, %127 : tensor<2x8x32xf32>
    %129 = stablehlo.multiply %128, %127 : tensor<2x8x32xf32>
    %130 = stablehlo.multiply %127, %127 : tensor<2x8x32xf32>
    %cst_30 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %132 = stablehlo.multiply %131, %130 : tensor<2x8x32xf32>
    %cst_31 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %134 = stablehlo.multiply %133, %129 : tensor<2x8x32xf32>
    %135 = stablehlo.add %127, %134 : tensor<2x8x32xf32>
    %cst_32 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %137 = stablehlo.multiply %136, %135 : tensor<2x8x32xf32>
    %138 = stablehlo.tanh %137 : tensor<2x8x32xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %140 = stablehlo.subtract %139, %138 : tensor<2x8x32xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %142 = stablehlo.add %141, %138 : tensor<2x8x32xf32>
    %cst_35 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %144 = stablehlo.multiply %143, %142 : tensor<2x8x32xf32>
    %145 = stablehlo.multiply %127, %144 : tensor<2x8x32xf32>
    %146 = stablehlo.dot_general %145, %12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_36 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %148 = stablehlo.divide %146, %147 : tensor<2x8x16xf32>
    %149 = stablehlo.add %97, %148 : tensor<2x8x16xf32>
    %150 = stablehlo.transpose %1, dims = [1, 0] : (tensor<11x16xf32>) -> tensor<16x11xf32>
    %151 = stablehlo.dot_general %149, %150, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x11xf32>) -> tensor<2x8x11xf32>
    %cst_37 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x8x11xf32>
    %153 = stablehlo.divide %151, %152 : tensor<2x8x11xf32>
    %154:3 = call @log_softmax(%153) : (tensor<2x8x11xf32>) -> (tensor<2x8x11xf32>, tensor<2x8x11xf32>, tensor<2x8x1xf32>)
    %155 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %156:2 = call @take_along_axis(%154#0, %155) : (tensor<2x8x11xf32>, tensor<2x8x1xi32>) -> (tensor<2x8x1xf32>, tensor<2x8x1x1xi32>)
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156#0 init: %cst_38) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_39 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %158 = stablehlo.divide %157, %cst_39 : tensor<f32>
    %159 = stablehlo.negate %158 : tensor<f32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.negate %cst_40 : tensor<f32>
    %cst_41 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %161 = stablehlo.divide %160, %cst_41 : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %163 = call @take_along_axis_0(%156#1, %162) : (tensor<2x8x1x1xi32>, tensor<2x8x1xf32>) -> tensor<2x8x11xf32>
    %164 = call @log_softmax_1(%154#1, %154#2, %163) : (tensor<2x8x11xf32>, tensor<2x8x1xf32>, tensor<2x8x11xf32>) -> tensor<2x8x11xf32>
    %cst_42 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x8x11xf32>
    %166 = stablehlo.divide %164, %165 : tensor<2x8x11xf32>
    %167 = stablehlo.dot_general %166, %149, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x11xf32>, tensor<2x8x16xf32>) -> tensor<11x16xf32>
    %168 = stablehlo.transpose %167, dims = [1, 0] : (tensor<11x16xf32>) -> tensor<16x11xf32>
    %169 = stablehlo.dot_general %166, %150, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x11xf32>, tensor<16x11xf32>) -> tensor<2x8x16xf32>
    %170 = stablehlo.transpose %168, dims = [1, 0] : (tensor<16x11xf32>) -> tensor<11x16xf32>
    %cst_43 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %172 = stablehlo.divide %169, %171 : tensor<2x8x16xf32>
    %173 = stablehlo.dot_general %172, %145, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %174 = stablehlo.transpose %173, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %175 = stablehlo.dot_general %172, %12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<32x16xf32>) -> tensor<2x8x32xf32>
    %176 = stablehlo.multiply %127, %175 : tensor<2x8x32xf32>
    %177 = stablehlo.multiply %175, %144 : tensor<2x8x32xf32>
    %cst_44 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %179 = stablehlo.multiply %178, %176 : tensor<2x8x32xf32>
    %180 = stablehlo.multiply %179, %140 : tensor<2x8x32xf32>
    %181 = stablehlo.multiply %180, %138 : tensor<2x8x32xf32>
    %182 = stablehlo.add %180, %181 : tensor<2x8x32xf32>
    %cst_45 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %184 = stablehlo.multiply %183, %182 : tensor<2x8x32xf32>
    %185 = stablehlo.add %177, %184 : tensor<2x8x32xf32>
    %cst_46 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %187 = stablehlo.multiply %186, %184 : tensor<2x8x32xf32>
    %188 = stablehlo.multiply %187, %132 : tensor<2x8x32xf32>
    %189 = stablehlo.add %185, %188 : tensor<2x8x32xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%189 init: %cst_47) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %191 = stablehlo.reshape %190 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_48) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_49 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %194 = stablehlo.divide %189, %193 : tensor<2x8x32xf32>
    %195 = stablehlo.dot_general %194, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<2x8x16xf32>) -> tensor<32x16xf32>
    %196 = stablehlo.transpose %195, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %197 = stablehlo.dot_general %194, %9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<16x32xf32>) -> tensor<2x8x16xf32>
    %198 = stablehlo.multiply %106, %197 : tensor<2x8x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.reduce(%198 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %200 = stablehlo.reshape %199 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %201 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %202 = stablehlo.multiply %197, %201 : tensor<2x8x16xf32>
    %203 = stablehlo.multiply %200, %119 : tensor<2x8x1xf32>
    %cst_51 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %205 = stablehlo.divide %203, %204 : tensor<2x8x1xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x16xf32>
    %208 = stablehlo.multiply %207, %109 : tensor<2x8x16xf32>
    %209 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %210 = stablehlo.multiply %209, %202 : tensor<2x8x16xf32>
    %211 = stablehlo.add %208, %210 : tensor<2x8x16xf32>
    %212 = stablehlo.multiply %202, %103 : tensor<2x8x16xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %213 = stablehlo.reduce(%212 init: %cst_53) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %214 = stablehlo.reshape %213 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.reduce(%214 init: %cst_54) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %216 = stablehlo.negate %211 : tensor<2x8x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %217 = stablehlo.reduce(%216 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %218 = stablehlo.reshape %217 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %219 = stablehlo.add %169, %211 : tensor<2x8x16xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %221 = stablehlo.divide %218, %220 : tensor<2x8x1xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.reduce(%221 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x16xf32>
    %224 = stablehlo.add %219, %223 : tensor<2x8x16xf32>
    %cst_58 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %226 = stablehlo.divide %224, %225 : tensor<2x8x16xf32>
    %227 = stablehlo.dot_general %226, %93, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<16x16xf32>
    %228 = stablehlo.transpose %227, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %229 = stablehlo.dot_general %226, %6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %230 = stablehlo.reshape %229 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %231 = stablehlo.transpose %230, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %232 = stablehlo.dot_general %231, %87, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %233 = stablehlo.transpose %232, dims = [0, 1, 3, 2] : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %234 = stablehlo.dot_general %231, %55, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %235 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %236 = stablehlo.multiply %234, %235 : tensor<2x2x8x8xf32>
    %237 = stablehlo.multiply %236, %83 : tensor<2x2x8x8xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%237 init: %cst_59) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %239 = stablehlo.reshape %238 : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %240 = stablehlo.negate %239 : tensor<2x2x8x1xf32>
    %241 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %242 = stablehlo.divide %234, %241 : tensor<2x2x8x8xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.reduce(%240 init: %cst_60) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x1xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x8xf32>
    %245 = stablehlo.add %242, %244 : tensor<2x2x8x8xf32>
    %246 = stablehlo.multiply %245, %83 : tensor<2x2x8x8xf32>
    %247 = call @_where_2(%61#1, %61#2, %246) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_61 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %249 = stablehlo.divide %247, %248 : tensor<2x2x8x8xf32>
    %250 = stablehlo.dot_general %249, %51, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %251 = stablehlo.dot_general %249, %53, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %252 = stablehlo.transpose %233, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %253 = stablehlo.reshape %252 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %254 = stablehlo.transpose %250, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %255 = stablehlo.reshape %254 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %256 = stablehlo.transpose %251, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %257 = stablehlo.reshape %256 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %258 = stablehlo.concatenate %257, %255, %253, dim = 2 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x48xf32>
    %cst_62 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<2x8x48xf32>
    %260 = stablehlo.divide %258, %259 : tensor<2x8x48xf32>
    %261 = stablehlo.dot_general %260, %43, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x48xf32>, tensor<2x8x16xf32>) -> tensor<48x16xf32>
    %262 = stablehlo.transpose %261, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %263 = stablehlo.dot_general %260, %4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x48xf32>, tensor<16x48xf32>) -> tensor<2x8x16xf32>
    %264 = stablehlo.multiply %28, %263 : tensor<2x8x16xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %265 = stablehlo.reduce(%264 init: %cst_63) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %266 = stablehlo.reshape %265 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %267 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %268 = stablehlo.multiply %263, %267 : tensor<2x8x16xf32>
    %269 = stablehlo.multiply %266, %41 : tensor<2x8x1xf32>
    %cst_64 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %271 = stablehlo.divide %269, %270 : tensor<2x8x1xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %272 = stablehlo.reduce(%271 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x16xf32>
    %274 = stablehlo.multiply %273, %31 : tensor<2x8x16xf32>
    %275 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %276 = stablehlo.multiply %275, %268 : tensor<2x8x16xf32>
    %277 = stablehlo.add %274, %276 : tensor<2x8x16xf32>
    %278 = stablehlo.multiply %268, %25 : tensor<2x8x16xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.reduce(%278 init: %cst_66) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %280 = stablehlo.reshape %279 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %281 = stablehlo.reduce(%280 init: %cst_67) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %282 = stablehlo.negate %277 : tensor<2x8x16xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %283 = stablehlo.reduce(%282 init: %cst_68) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %284 = stablehlo.reshape %283 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %285 = stablehlo.add %224, %277 : tensor<2x8x16xf32>
    %cst_69 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %287 = stablehlo.divide %284, %286 : tensor<2x8x1xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %288 = stablehlo.reduce(%287 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
    %289 = stablehlo.broadcast_in_dim %288, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x16xf32>
    %290 = stablehlo.add %285, %289 : tensor<2x8x16xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<11x16xf32>
    %292 = "stablehlo.scatter"(%291, %18, %290) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %341 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %341 : tensor<f32>
    }) : (tensor<11x16xf32>, tensor<2x8x1xi32>, tensor<2x8x16xf32>) -> tensor<11x16xf32>
    %293 = stablehlo.add %170, %292 : tensor<11x16xf32>
    %294 = stablehlo.reshape %174 : (tensor<32x16xf32>) -> tensor<512xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %295 = stablehlo.pad %294, %cst_72, low = [1776], high = [0], interior = [0] : (tensor<512xf32>, tensor<f32>) -> tensor<2288xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.pad %192, %cst_73, low = [1744], high = [512], interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<2288xf32>
    %297 = stablehlo.add %295, %296 : tensor<2288xf32>
    %298 = stablehlo.reshape %196 : (tensor<16x32xf32>) -> tensor<512xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %299 = stablehlo.pad %298, %cst_74, low = [1232], high = [544], interior = [0] : (tensor<512xf32>, tensor<f32>) -> tensor<2288xf32>
    %300 = stablehlo.add %297, %299 : tensor<2288xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.pad %215, %cst_75, low = [1216], high = [1056], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<2288xf32>
    %302 = stablehlo.add %300, %301 : tensor<2288xf32>
    %303 = stablehlo.reshape %228 : (tensor<16x16xf32>) -> tensor<256xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.pad %303, %cst_76, low = [960], high = [1072], interior = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<2288xf32>
    %305 = stablehlo.add %302, %304 : tensor<2288xf32>
    %306 = stablehlo.reshape %262 : (tensor<16x48xf32>) -> tensor<768xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.pad %306, %cst_77, low = [192], high = [1328], interior = [0] : (tensor<768xf32>, tensor<f32>) -> tensor<2288xf32>
    %308 = stablehlo.add %305, %307 : tensor<2288xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %309 = stablehlo.pad %281, %cst_78, low = [176], high = [2096], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<2288xf32>
    %310 = stablehlo.add %308, %309 : tensor<2288xf32>
    %311 = stablehlo.reshape %293 : (tensor<11x16xf32>) -> tensor<176xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %312 = stablehlo.pad %311, %cst_79, low = [0], high = [2112], interior = [0] : (tensor<176xf32>, tensor<f32>) -> tensor<2288xf32>
    %313 = stablehlo.add %310, %312 : tensor<2288xf32>
    %cst_80 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %315 = stablehlo.multiply %314, %arg4 : tensor<2288xf32>
    %cst_81 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %317 = stablehlo.multiply %316, %313 : tensor<2288xf32>
    %318 = stablehlo.add %315, %317 : tensor<2288xf32>
    %cst_82 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %320 = stablehlo.multiply %319, %arg5 : tensor<2288xf32>
    %321 = stablehlo.multiply %320, %arg5 : tensor<2288xf32>
    %cst_83 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %323 = stablehlo.multiply %322, %313 : tensor<2288xf32>
    %324 = stablehlo.multiply %323, %313 : tensor<2288xf32>
    %325 = stablehlo.add %321, %324 : tensor<2288xf32>
    %cst_84 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %326 = stablehlo.power %cst_84, %arg2 : tensor<f32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %327 = stablehlo.subtract %cst_85, %326 : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %329 = stablehlo.divide %318, %328 : tensor<2288xf32>
    %cst_86 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %331 = stablehlo.multiply %330, %329 : tensor<2288xf32>
    %cst_87 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %332 = stablehlo.power %cst_87, %arg2 : tensor<f32>
    %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %333 = stablehlo.subtract %cst_88, %332 : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %335 = stablehlo.divide %325, %334 : tensor<2288xf32>
    %336 = stablehlo.sqrt %335 : tensor<2288xf32>
    %cst_89 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<2288xf32>
    %338 = stablehlo.add %336, %337 : tensor<2288xf32>
    %339 = stablehlo.divide %331, %338 : tensor<2288xf32>
    %340 = stablehlo.subtract %arg3, %339 : tensor<2288xf32>
    return %159, %313, %340, %318, %325 : tensor<f32>, tensor<2288xf32>, tensor<2288xf32>, tensor<2288xf32>, tensor<2288xf32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    return %3, %1, %4 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x8x11xf32>) -> (tensor<2x8x11xf32>, tensor<2x8x11xf32>, tensor<2x8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x11xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x11xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x8x11xf32>
    %6 = stablehlo.exponential %5 : tensor<2x8x11xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x11xf32>, tensor<f32>) -> tensor<2x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %9 = stablehlo.log %8 : tensor<2x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x11xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x8x11xf32>
    return %11, %6, %8 : tensor<2x8x11xf32>, tensor<2x8x11xf32>, tensor<2x8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<2x8x11xf32>, %arg1: tensor<2x8x1xi32>) -> (tensor<2x8x1xf32>, tensor<2x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi1>
    %c_0 = stablehlo.constant dense<11> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<2x8x1xi1>, tensor<2x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<2x8x1xi32>) -> tensor<2x8x1x1xi32>
    %c_1 = stablehlo.constant dense<10> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<2x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<2x8x1x1xi1>, tensor<i1>) -> tensor<2x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x8x11xf32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<2x8x1xi1>, tensor<2x8x1xf32>
    return %15, %5 : tensor<2x8x1xf32>, tensor<2x8x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<2x8x1x1xi32>, %arg1: tensor<2x8x1xf32>) -> tensor<2x8x11xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x11xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x8x11xf32>, tensor<2x8x1x1xi32>, tensor<2x8x1xf32>) -> tensor<2x8x11xf32>
    return %1 : tensor<2x8x11xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<2x8x11xf32>, %arg1: tensor<2x8x1xf32>, %arg2: tensor<2x8x11xf32>) -> tensor<2x8x11xf32> {
    %0 = stablehlo.negate %arg2 : tensor<2x8x11xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x11xf32>, tensor<f32>) -> tensor<2x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<2x8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x11xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<2x8x11xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<2x8x11xf32>
    return %7 : tensor<2x8x11xf32>
  }
  func.func private @_where_2(%arg0: tensor<2x2x8x8xi1>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    return %1 : tensor<2x2x8x8xf32>
  }
}
