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

// Of a sum, too; each vector has a running value.
#xy = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @reduction_0.impl
// CHECK: %[[FIRST:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK-NEXT: %[[SECOND:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK: %[[A:.*]] = arith.divf {{.*}} : vector<16xf32>
// CHECK-NEXT: %[[B:.*]] = arith.divf {{.*}} : vector<16xf32>
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NEXT: scf.yield %{{.*}}, %{{.*}} : vector<16xf32>, vector<16xf32>
func.func private @reduction_0(%x: tensor<8x256xf32>) -> tensor<8xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>, xla_rt.plans = [#xla_rt.nest<8x256, lanes d1 16x2, work d0>]} {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#xy, #x], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x256xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.tanh %in : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
