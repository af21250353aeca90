// RUN: xla-opt %s --xla-emit-blocks | FileCheck %s
// RUN: sed 's/16x32, instruction mma, work/16x32, instruction mma, stages 3, work/' %s | xla-opt --xla-emit-blocks | FileCheck %s --check-prefix=STAGES
// RUN: sed 's/n d2 32, k d3 32, register 16x32/n d2 32, k d3 32, register 16x16/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: sed '/70x36x70x32/s/instruction mma/instruction mma, stages 3/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: sed 's/m d1 16/m d1 64/; s/register 16x32, instruction mma/register 64x32, instruction wgmma/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: sed 's/70x32, m d1 16, n d2 32/70x32, m d1 16, n d2 8/; s/register 16x32/register 16x8/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/n d2 32, k d3 32, register 16x32/n d2 256, k d3 256, register 16x256/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: sed 's/, instruction mma, work/, instruction mma, stages 8, work/; s/m d1 16/m d1 512/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: sed 's/arith.truncf %in : f32 to bf16/arith.constant 1.0 : bf16/' %s | not xla-opt --xla-emit-blocks 2>&1 | FileCheck %s --check-prefix=FORM
// Attention of 16 bits by tensor cores: scores stay in registers, where their exponentials are factors of the values.

// COLUMNS: a warp has all keys and all columns of its rows
// SAME: both contractions have the same rows, keys, threads and stages
// GROUPS: warpgroups do not do attention
// SMALL: tensor cores need 16x16
// SUMS: scores and sums in registers; there are at most 128
// MEMORY: bytes of shared memory, and has at most 49152
// FORM: the fourth nest does not divide exponentials by their sum

// Tiles are asked for; then, for each, the next is, and matrices are multiplied.
// CHECK: gpu.func @rows_0
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.ldmatrix
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.mma.sync
// CHECK: gpu.shuffle xor
// CHECK: ex2.approx.ftz.f32
// CHECK: nvvm.convert.f32x2.to.bf16x2
// CHECK: nvvm.mma.sync
// CHECK: arith.divf

// STAGES: nvvm.cp.async.wait.group 1

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
func.func private @rows_0(%arg0: tensor<70x32xbf16>, %arg1: tensor<70x32xbf16>, %arg2: tensor<70x24xbf16>) -> tensor<70x24xf32> attributes {xla_rt.kernel = #xla_rt.kernel<rows, [70] by 36>, xla_rt.plans = [
    #xla_rt.blocks<70x36x70x32, m d1 16, n d2 32, k d3 32, register 16x32, instruction mma, work d0>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, reduce d2>,
    #xla_rt.nest<70x36x70x1, loop d2>,
    #xla_rt.blocks<70x36x24x70, m d1 16, n d2 32, k d3 32, register 16x32, instruction mma, work d0>]} {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<70x70xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<70x70xf32>) -> tensor<70x70xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<70x32xbf16>, tensor<70x32xbf16>) outs(%1 : tensor<70x70xf32>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: f32):
    %18 = arith.extf %in : bf16 to f32
    %19 = arith.extf %in_1 : bf16 to f32
    %20 = arith.mulf %18, %19 : f32
    %21 = arith.addf %out, %20 : f32
    linalg.yield %21 : f32
  } -> tensor<70x70xf32>
  %cst_0 = arith.constant 0xFF800000 : f32
  %3 = tensor.empty() : tensor<70xf32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<70x70xf32>) outs(%4 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.maximumf %out, %in : f32
    linalg.yield %18 : f32
  } -> tensor<70xf32>
  %6 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.subf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<70x70xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = math.exp %in : f32
    linalg.yield %18 : f32
  } -> tensor<70x70xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%3 : tensor<70xf32>) -> tensor<70xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<70x70xf32>) outs(%9 : tensor<70xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %out, %in : f32
    linalg.yield %18 : f32
  } -> tensor<70xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x70xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<70x70xf32>, tensor<70x70xf32>) outs(%0 : tensor<70x70xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.divf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<70x70xf32>
  %13 = tensor.empty() : tensor<70x70xbf16>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<70x70xf32>) outs(%13 : tensor<70x70xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %18 = arith.truncf %in : f32 to bf16
    linalg.yield %18 : bf16
  } -> tensor<70x70xbf16>
  %15 = tensor.empty() : tensor<70x24xf32>
  %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<70x24xf32>) -> tensor<70x24xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14, %arg2 : tensor<70x70xbf16>, tensor<70x24xbf16>) outs(%16 : tensor<70x24xf32>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: f32):
    %18 = arith.extf %in : bf16 to f32
    %19 = arith.extf %in_1 : bf16 to f32
    %20 = arith.mulf %18, %19 : f32
    %21 = arith.addf %out, %20 : f32
    linalg.yield %21 : f32
  } -> tensor<70x24xf32>
  return %17 : tensor<70x24xf32>
}
