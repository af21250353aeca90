// RUN: xla-opt %s --split-input-file --verify-diagnostics --xla-emit-blocks
// Plans that stream keys, and nests that do not allow it.

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{it is for a nest of sizes [3, 3, 64, 16], and the nest has [3, 3, 70, 16]}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x64x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 4, keys d3 8, lanes d2 4x8, threads 64>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{this nest has rows d1, keys d2 and lanes d3}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 4, keys d0 8, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 4, keys d3 8, lanes d2 4x8, threads 64>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{keys are streamed in both contractions, and there are loops for the nests between them}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.nest<3x3x24x70, loop d2, reduce d3>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{there are 4 plans, and the kernel has 5 loop nests}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.stream<3x3x24x70, rows d1 4, keys d3 8, lanes d2 4x8, threads 64>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{both contractions have the same rows, keys, groups, threads and parts}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 4, keys d3 8, lanes d2 4x8, threads 128>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{a thread has 320 queries, keys, values, scores and sums in registers; there are at most 168}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 8, keys d2 16, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 8, keys d3 16, lanes d2 4x8, threads 64>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{a block needs 66560 bytes of shared memory, and has at most 49152}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 16, keys d2 1, lanes d3 4x32, threads 256>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 16, keys d3 1, lanes d2 4x32, threads 256>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{of 3 parts some have no keys: there are 2 tiles of 64}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 64, split 3>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 4, keys d3 8, lanes d2 4x8, threads 64, split 3>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
// expected-error @below {{a thread reads 8 neighbours of d2, and those of 4 are an aligned access}}
func.func private @rows_0(%arg0: tensor<3x16xf32>, %arg1: tensor<70x16xf32>, %arg2: tensor<70x24xf32>) -> tensor<3x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3] by 3>, xla_rt.plans = [
    #xla_rt.stream<3x3x70x16, rows d1 4, keys d2 8, lanes d3 4x8, threads 64>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, reduce d2>,
    #xla_rt.nest<3x3x70x1, loop d2>,
    #xla_rt.stream<3x3x24x70, rows d1 4, keys d3 8, lanes d2 8x8, threads 64>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x70xf32>) -> tensor<3x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x16xf32>, tensor<70x16xf32>) outs(%1 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<3xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<3x70xf32>) outs(%4 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.subf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x70xf32>) outs(%9 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<3xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%0 : tensor<3x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.divf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<3x70xf32>
  %13 = tensor.empty() : tensor<3x24xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x24xf32>) -> tensor<3x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %arg2 : tensor<3x70xf32>, tensor<70x24xf32>) outs(%14 : tensor<3x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    %17 = arith.addf %out, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<3x24xf32>
  return %15 : tensor<3x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// expected-error @below {{each row has keys of its own, and a block 2 rows}}
func.func private @rows_0(%arg0: tensor<i32>, %arg1: tensor<12x64xf32>, %arg2: tensor<12x1000x64xf32>, %arg3: tensor<12x1000x64xf32>) -> tensor<12x64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [12] by 1>, xla_rt.plans = [
    #xla_rt.stream<12x1x1000x64, rows d1 2, keys d2 8, lanes d3 4x16, threads 64>,
    #xla_rt.nest<12x1x1000x1, reduce d2>,
    #xla_rt.nest<12x1x1000x1, reduce d2>,
    #xla_rt.nest<12x1x1000x1, loop d2>,
    #xla_rt.stream<12x1x64x1000, rows d1 2, keys d3 8, lanes d2 4x16, threads 64>]} {
  %0 = tensor.empty() : tensor<12x1000xi32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<12x1000xi32>) {
  ^bb0(%out: i32):
    %22 = linalg.index 1 : index
    %23 = arith.index_cast %22 : index to i32
    linalg.yield %23 : i32
  } -> tensor<12x1000xi32>
  %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<i32>) outs(%0 : tensor<12x1000xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<12x1000xi32>
  %3 = tensor.empty() : tensor<12x1000xi1>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<12x1000xi32>, tensor<12x1000xi32>) outs(%3 : tensor<12x1000xi1>) {
  ^bb0(%in: i32, %in_2: i32, %out: i1):
    %22 = arith.cmpi slt, %in, %in_2 : i32
    linalg.yield %22 : i1
  } -> tensor<12x1000xi1>
  %cst = arith.constant 0.000000e+00 : f32
  %5 = tensor.empty() : tensor<12x1000xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<12x1000xf32>) -> tensor<12x1000xf32>
  %7 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg2 : tensor<12x64xf32>, tensor<12x1000x64xf32>) outs(%6 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.mulf %in, %in_2 : f32
    %23 = arith.addf %out, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<12x1000xf32>
  %cst_0 = arith.constant dense<-1.000000e+30> : tensor<12x1000xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7, %cst_0 : tensor<12x1000xi1>, tensor<12x1000xf32>, tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: i1, %in_2: f32, %in_3: f32, %out: f32):
    %22 = arith.select %in, %in_2, %in_3 : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %cst_1 = arith.constant 0xFF800000 : f32
  %9 = tensor.empty() : tensor<12xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<12xf32>) -> tensor<12xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<12x1000xf32>) outs(%10 : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.maximumf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<12xf32>
  %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<12xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<12x1000xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %12 : tensor<12x1000xf32>, tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.subf %in, %in_2 : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = math.exp %in : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %15 = linalg.fill ins(%cst : f32) outs(%9 : tensor<12xf32>) -> tensor<12xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<12x1000xf32>) outs(%15 : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.addf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<12xf32>
  %17 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<12xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<12x1000xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %17 : tensor<12x1000xf32>, tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.divf %in, %in_2 : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %19 = tensor.empty() : tensor<12x64xf32>
  %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<12x64xf32>) -> tensor<12x64xf32>
  %21 = linalg.generic {indexing_maps = [#map2, #map6, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18, %arg3 : tensor<12x1000xf32>, tensor<12x1000x64xf32>) outs(%20 : tensor<12x64xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.mulf %in, %in_2 : f32
    %23 = arith.addf %out, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<12x64xf32>
  return %21 : tensor<12x64xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// expected-error @below {{each row has keys of its own, which blocks of several rows do not share}}
func.func private @rows_0(%arg0: tensor<i32>, %arg1: tensor<12x64xf32>, %arg2: tensor<12x1000x64xf32>, %arg3: tensor<12x1000x64xf32>) -> tensor<12x64xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [12] by 1>, xla_rt.plans = [
    #xla_rt.blocks<12x1x1000x64, m d1 16, n d2 64, k d3 64, register 2x4, work d0>,
    #xla_rt.nest<12x1x1000x1, reduce d2>,
    #xla_rt.nest<12x1x1000x1, reduce d2>,
    #xla_rt.nest<12x1x1000x1, loop d2>,
    #xla_rt.blocks<12x1x64x1000, m d1 16, n d2 64, k d3 64, register 2x4, work d0>]} {
  %0 = tensor.empty() : tensor<12x1000xi32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<12x1000xi32>) {
  ^bb0(%out: i32):
    %22 = linalg.index 1 : index
    %23 = arith.index_cast %22 : index to i32
    linalg.yield %23 : i32
  } -> tensor<12x1000xi32>
  %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<i32>) outs(%0 : tensor<12x1000xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<12x1000xi32>
  %3 = tensor.empty() : tensor<12x1000xi1>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<12x1000xi32>, tensor<12x1000xi32>) outs(%3 : tensor<12x1000xi1>) {
  ^bb0(%in: i32, %in_2: i32, %out: i1):
    %22 = arith.cmpi slt, %in, %in_2 : i32
    linalg.yield %22 : i1
  } -> tensor<12x1000xi1>
  %cst = arith.constant 0.000000e+00 : f32
  %5 = tensor.empty() : tensor<12x1000xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<12x1000xf32>) -> tensor<12x1000xf32>
  %7 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg2 : tensor<12x64xf32>, tensor<12x1000x64xf32>) outs(%6 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.mulf %in, %in_2 : f32
    %23 = arith.addf %out, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<12x1000xf32>
  %cst_0 = arith.constant dense<-1.000000e+30> : tensor<12x1000xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7, %cst_0 : tensor<12x1000xi1>, tensor<12x1000xf32>, tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: i1, %in_2: f32, %in_3: f32, %out: f32):
    %22 = arith.select %in, %in_2, %in_3 : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %cst_1 = arith.constant 0xFF800000 : f32
  %9 = tensor.empty() : tensor<12xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<12xf32>) -> tensor<12xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<12x1000xf32>) outs(%10 : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.maximumf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<12xf32>
  %12 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<12xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<12x1000xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %12 : tensor<12x1000xf32>, tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.subf %in, %in_2 : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = math.exp %in : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %15 = linalg.fill ins(%cst : f32) outs(%9 : tensor<12xf32>) -> tensor<12xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<12x1000xf32>) outs(%15 : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.addf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<12xf32>
  %17 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<12xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<12x1000xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %17 : tensor<12x1000xf32>, tensor<12x1000xf32>) outs(%5 : tensor<12x1000xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.divf %in, %in_2 : f32
    linalg.yield %22 : f32
  } -> tensor<12x1000xf32>
  %19 = tensor.empty() : tensor<12x64xf32>
  %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<12x64xf32>) -> tensor<12x64xf32>
  %21 = linalg.generic {indexing_maps = [#map2, #map6, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18, %arg3 : tensor<12x1000xf32>, tensor<12x1000x64xf32>) outs(%20 : tensor<12x64xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %22 = arith.mulf %in, %in_2 : f32
    %23 = arith.addf %out, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<12x64xf32>
  return %21 : tensor<12x64xf32>
}
