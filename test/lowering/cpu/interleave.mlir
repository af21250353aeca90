// RUN: xla-opt %s --from=kernels --to=loops | FileCheck %s
// Functions of several vectors: instructions of each in turn, for they wait for each other within one.

#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = call @elementwise_0(%x) : (tensor<256xf32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}

// CHECK-LABEL: @elementwise_0.impl
// CHECK: %[[FIRST:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK-NEXT: %[[SECOND:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[A:.*]] = arith.divf {{.*}} : vector<16xf32>
// CHECK-NEXT: %[[B:.*]] = arith.divf {{.*}} : vector<16xf32>
// CHECK: llvm.store {{.*}} : vector<16xf32>
// CHECK-NEXT: llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT: llvm.store
func.func private @elementwise_0(%x: tensor<256xf32>) -> tensor<256xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<256, lanes d0 16x2>]} {
  %0 = tensor.empty() : tensor<256xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<256xf32>) outs(%0 : tensor<256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.tanh %in : f32
    linalg.yield %2 : f32
  } -> tensor<256xf32>
  return %1 : tensor<256xf32>
}
