// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-blocks
// Plans of attention that its nests do not allow, and kernels that are none.

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{it is for a nest of sizes [70, 36, 64, 32], and the nest has [70, 36, 70, 32]}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x64x32, m d1 16, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{attention has tiles of m d1, n d2 and k d3, and the rows as work}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d0 16, n d2 64, k d3 32, register 2x4, work d1>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{attention has no split}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 2x4, split 2, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{attention has blocks for both contractions, and loops for the nests between them}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.nest<70x36x70x32, loop d1, d2, reduce d3>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{both contractions have the same rows, keys, threads and stages}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 32, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{a block has all steps of a score, and all columns}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 16, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{a thread has 2 columns, no groups of 4}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 32, k d3 64, register 2x2, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{tensor cores multiply bf16 or f16 that is widened to f32: queries with keys, and quotients that are rounded to it with values}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 16x64, instruction mma, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 16x64, instruction mma, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{it does not walk d2, a reduced dimension of several iterations}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{there are 4 plans, and the kernel has 5 loop nests}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{a block needs 78848 bytes of shared memory, and has at most 49152}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 64, n d2 128, k d3 32, register 4x16, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 64, n d2 32, k d3 128, register 4x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{attention is scores of blocks of rows, their softmax and its product with values; the third nest is not the sum of exponentials}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.absf %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{the second nest is not the maximum of each row of scores}}
func.func private @rows_0(%arg0: tensor<70x32xf32>, %arg1: tensor<70x32xf32>, %arg2: tensor<70x24xf32>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 64, k d3 32, register 2x4, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xf32>, tensor<70x32xf32>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.minimumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<70x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<70x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<70x24xf32>
  return %15 : tensor<70x24xf32>
}
