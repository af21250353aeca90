// RUN: xla-opt %s --split-input-file --xla-plan-kernels | FileCheck %s
// RUN: xla-opt %s --split-input-file --xla-plan-kernels=vector-bits=128 | FileCheck %s --check-prefix=NARROW
// RUN: xla-opt %s --split-input-file --xla-plan-kernels --xla-emit-kernels | FileCheck %s --check-prefix=EMIT

// NARROW-NOT: stream

// A result of 32 MB that the program returns. Vectors are written past the caches if the memory is aligned.
// CHECK: xla_rt.plans = [#xla_rt.nest<8388608, lanes d0 16x1, cut d0 2048, stream>]
// EMIT-LABEL: func.func private @add.impl(
// EMIT-SAME: %{{.*}}: !llvm.ptr, %[[RESULT:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index)
// EMIT: %[[BITS:.*]] = llvm.ptrtoint %[[RESULT]]
// EMIT: %[[LOW:.*]] = arith.andi %[[BITS]]
// EMIT: %[[ALIGNED:.*]] = arith.cmpi eq, %[[LOW]]
// EMIT: scf.if %[[ALIGNED]] {
// EMIT: llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<16xf32>
// EMIT: llvm.call_intrinsic "llvm.x86.sse.sfence"
// EMIT: %[[OTHER:.*]] = arith.xori %[[ALIGNED]]
// EMIT: scf.if %[[OTHER]] {
// EMIT: llvm.store {{.*}} {alignment = 4 : i64} : vector<16xf32>
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8388608xf32>) -> tensor<8388608xf32> {
  %0 = call @add(%x) : (tensor<8388608xf32>) -> tensor<8388608xf32>
  return %0 : tensor<8388608xf32>
}
func.func private @add(%x: tensor<8388608xf32>) -> tensor<8388608xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<8388608xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<8388608xf32>) outs(%e : tensor<8388608xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8388608xf32>
  return %0 : tensor<8388608xf32>
}

// -----

// The first is read by the second, which is not larger than a cache.
// CHECK-LABEL: func.func private @first
// CHECK-NOT: stream
// EMIT-LABEL: func.func private @first.impl(
// EMIT-NOT: nontemporal
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<4096x2048xf32>) -> tensor<4096xf32> {
  %0 = call @first(%x) : (tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
  %1 = call @second(%0) : (tensor<4096x2048xf32>) -> tensor<4096xf32>
  return %1 : tensor<4096xf32>
}
func.func private @first(%x: tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<4096x2048xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x2048xf32>) outs(%e : tensor<4096x2048xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4096x2048xf32>
  return %0 : tensor<4096x2048xf32>
}
func.func private @second(%x: tensor<4096x2048xf32>) -> tensor<4096xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<reduction>} {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %0 = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x2048xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// What is read is little, so a result of 16 MB has the caches for itself.
// CHECK-LABEL: func.func private @outer
// CHECK-NOT: stream
// EMIT-LABEL: func.func private @outer.impl(
// EMIT-NOT: nontemporal
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<2048xf32>) -> tensor<2048x2048xf32> {
  %0 = call @outer(%x) : (tensor<2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
func.func private @outer(%x: tensor<2048xf32>) -> tensor<2048x2048xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>} {
  %e = tensor.empty() : tensor<2048x2048xf32>
  %0 = linalg.generic {indexing_maps = [#row, #column, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<2048xf32>, tensor<2048xf32>) outs(%e : tensor<2048x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
