// RUN: xla-opt %s --xla-emit-kernels | FileCheck %s

// What a guard of rows and the mask of the last step let through, together, is known in the loop along the lanes.
// CHECK-LABEL: func.func private @masked_rows.impl
// CHECK: %[[ROW:.*]] = vector.broadcast %{{.*}} : i1 to vector<16xi1>
// CHECK: scf.for
// CHECK: %[[INSIDE:.*]] = llvm.intr.get.active.lane.mask
// CHECK: %[[BOTH:.*]] = arith.andi %[[ROW]], %[[INSIDE]]
// CHECK: llvm.intr.masked.load %{{.*}}, %[[BOTH]]
#whole = affine_map<(d0, d1) -> (d0, d1)>
func.func private @masked_rows(%x: tensor<2x104xf32>) -> tensor<4x104xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<4x104, lanes d1 16x1, work d0, masked>]} {
  %e = tensor.empty() : tensor<4x104xf32>
  %0 = linalg.generic {indexing_maps = [#whole], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x104xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %is_there = arith.cmpi slt, %i, %c2 : index
    %v = scf.if %is_there -> f32 {
      %a = tensor.extract %x[%i, %j] : tensor<2x104xf32>
      %s = arith.addf %a, %a : f32
      scf.yield %s : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x104xf32>
  return %0 : tensor<4x104xf32>
}
