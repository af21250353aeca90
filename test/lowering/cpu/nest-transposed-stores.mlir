// RUN: xla-opt %s --xla-emit-kernels | FileCheck %s

#a = affine_map<(n, m, k) -> (m, k)>
#b = affine_map<(n, m, k) -> (k, n)>
#r = affine_map<(n, m, k) -> (n, m)>

// Lanes are rows of the result, and the step has 6 neighbours of each: 4 and 2 of them are written at a time, of the 8
// rows of the last step as well.
// CHECK-LABEL: func.func private @transposed.impl
// CHECK-NOT: scatter
// CHECK: %[[X:.*]] = vector.shuffle %{{.*}}#0, %{{.*}}#2 [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK: %[[Y:.*]] = vector.shuffle %{{.*}}#1, %{{.*}}#3 [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK: vector.shuffle %[[X]], %[[Y]] [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
// CHECK-COUNT-16: llvm.store {{.*}} : vector<4xf32>
// CHECK-COUNT-16: llvm.store {{.*}} : vector<2xf32>
// CHECK-COUNT-8: llvm.store {{.*}} : vector<4xf32>
// CHECK-COUNT-8: llvm.store {{.*}} : vector<2xf32>
// CHECK-NOT: llvm.store
func.func private @transposed(%a: tensor<12x8xf32>, %b: tensor<8x24xf32>) -> tensor<24x12xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<contraction>, xla_rt.plans = [#xla_rt.nest<24x12x8, lanes d0 16x1, jam d1 6, reduce d2>]} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x12xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x12xf32>) -> tensor<24x12xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<12x8xf32>, tensor<8x24xf32>) outs(%i : tensor<24x12xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<24x12xf32>
  return %p : tensor<24x12xf32>
}
