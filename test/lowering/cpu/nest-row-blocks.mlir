// RUN: xla-opt %s --xla-emit-kernels --split-input-file | FileCheck %s

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, d, j)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (i, h, d)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// 3 times 4 blocks of 6 rows each, the last of which begins at row 14 of 20. A step with scores above the diagonal only does not
// compute them. The scratch memory holds one block of scores, and the second contraction writes its rows as the
// first dimension of the result.
// CHECK: func.func private @attention.impl
// CHECK: scf.for
// CHECK: %[[BLOCK:.*]] = arith.remui %{{.*}}, %c4_i64
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c6_i64
// CHECK: arith.minsi %[[FIRST]], %c14_i64
// CHECK: %[[READ:.*]] = arith.cmpi sge
// CHECK: scf.if %[[READ]] ->
// CHECK: scf.for
// CHECK: } else {
// CHECK: vector<16xf32>
// CHECK: scf.for %{{.*}} = %c0_i64 to %c6_i64 step %c1_i64
// CHECK: arith.maximumf
// CHECK: arith.subf
// CHECK: scf.for %{{.*}} = %c0_i64 to %c32_i64 step %c1_i64
// CHECK: math.fma
// CHECK: func.func private @attention(
// CHECK-SAME: #xla_rt.implementation<@attention.impl, work = 12, cost = {{[0-9]+}}, scratch = 768>
func.func private @attention(%x: tensor<3x20x8xf32>, %y: tensor<3x8x32xf32>, %z: tensor<3x32x16xf32>) -> tensor<20x3x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 20] by 6>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<3x20x32xf32>
  %er = tensor.empty() : tensor<3x20xf32>
  %eo = tensor.empty() : tensor<20x3x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x20x32xf32>) -> tensor<3x20x32xf32>
  %ir = linalg.fill ins(%low : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<20x3x16xf32>) -> tensor<20x3x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x20x8xf32>, tensor<3x8x32xf32>) outs(%is : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<3x20x32xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %0 = arith.cmpi sge, %i, %j : index
    %1 = arith.select %0, %a, %low : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x20x32xf32>) outs(%ir : tensor<3x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x20xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %m : tensor<3x20x32xf32>, tensor<3x20xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x32xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d, %z : tensor<3x20x32xf32>, tensor<3x32x16xf32>) outs(%io : tensor<20x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<20x3x16xf32>
  return %o : tensor<20x3x16xf32>
}

// -----

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, d, j)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

// The maximum of each row scales what its second product is: 6 of them are in memory, behind the block of scores.
// CHECK: func.func private @kernel.impl
// CHECK: %[[MAXIMA:.*]] = llvm.getelementptr %{{.*}}[768]
// CHECK: llvm.getelementptr %[[MAXIMA]]
// CHECK: llvm.store
// CHECK: math.fma
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[MAXIMA]]
// CHECK: %[[SCALE:.*]] = llvm.load %[[AT]] {{.*}} -> f32
// CHECK: arith.mulf
// CHECK: func.func private @kernel(
// CHECK-SAME: scratch = 832>
func.func private @kernel(%x: tensor<3x20x8xf32>, %y: tensor<3x8x32xf32>, %z: tensor<3x32x16xf32>) -> tensor<3x20x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 20] by 6>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<3x20x32xf32>
  %er = tensor.empty() : tensor<3x20xf32>
  %eo = tensor.empty() : tensor<3x20x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x20x32xf32>) -> tensor<3x20x32xf32>
  %ir = linalg.fill ins(%low : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x20x16xf32>) -> tensor<3x20x16xf32>
  %iz = linalg.fill ins(%zero : f32) outs(%er : tensor<3x20xf32>) -> tensor<3x20xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x20x8xf32>, tensor<3x8x32xf32>) outs(%is : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<3x20x32xf32>) outs(%ir : tensor<3x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x20xf32>
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<3x20x32xf32>, tensor<3x20xf32>) outs(%es : tensor<3x20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x32xf32>
  %o = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d, %z : tensor<3x20x32xf32>, tensor<3x32x16xf32>) outs(%io : tensor<3x20x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x20x16xf32>
  %scaled = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o, %m : tensor<3x20x16xf32>, tensor<3x20xf32>) outs(%eo : tensor<3x20x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x20x16xf32>
  return %scaled : tensor<3x20x16xf32>
}
