// RUN: xla-opt %s --xla-emit-kernels | FileCheck %s

#p = affine_map<(n, y, z, c) -> (n, y, z, c)>
#x = affine_map<(n, y, z, f, t, c) -> (n, y * 2 + t, z, c)>
#k = affine_map<(n, y, z, f, t, c) -> (t, c, f)>
#o = affine_map<(n, y, z, f, t, c) -> (n, y, z, f)>

// 3 times 3 blocks of 4 rows of the result, the last of which begins at row 6 of 10, which is row 12 of what its window
// reads. A block has 9 of those rows, of 9 times 8 elements, in scratch memory.
// CHECK: func.func private @window.impl
// CHECK: %[[BLOCK:.*]] = arith.remui %{{.*}}, %c3_i64
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c4_i64
// CHECK: %[[ROW:.*]] = arith.minsi %[[FIRST]], %c6_i64
// CHECK: arith.muli %[[ROW]], %c2_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %c9_i64 step %c1_i64
// CHECK: arith.cmpi ult
// CHECK: llvm.store
// CHECK: scf.for %{{.*}} = %c0_i64 to %c4_i64 step %c1_i64
// CHECK: math.fma
// CHECK: func.func private @window(
// CHECK-SAME: #xla_rt.implementation<@window.impl, work = 9, cost = {{[0-9]+}}, scratch = 2624>
func.func private @window(%x: tensor<3x21x9x8xf32>, %k: tensor<3x8x16xf32>) -> tensor<3x10x9x16xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<rows, [3, 10] by 4>} {
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<3x23x9x8xf32>
  %eo = tensor.empty() : tensor<3x10x9x16xf32>
  %io = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x10x9x16xf32>) -> tensor<3x10x9x16xf32>
  %p = linalg.generic {indexing_maps = [#p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%ep : tensor<3x23x9x8xf32>) {
  ^bb0(%a: f32):
    %one = arith.constant 1 : index
    %size = arith.constant 21 : index
    %n = linalg.index 0 : index
    %y = linalg.index 1 : index
    %z = linalg.index 2 : index
    %c = linalg.index 3 : index
    %from = arith.subi %y, %one : index
    %inside = arith.cmpi ult, %from, %size : index
    %0 = scf.if %inside -> (f32) {
      %1 = tensor.extract %x[%n, %from, %z, %c] : tensor<3x21x9x8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<3x23x9x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : tensor<3x23x9x8xf32>, tensor<3x8x16xf32>) outs(%io : tensor<3x10x9x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x10x9x16xf32>
  return %r : tensor<3x10x9x16xf32>
}
