// RUN: xla-opt %s --xla-emit-kernels=device | FileCheck %s
// Threads that have several elements, which are apart. Of 50 rows, 13 for each would be enough, and 16 let what is
// written begin at sectors; so 2 times 3 threads have four elements, and the others three. All loads come before stores.

// CHECK: func.func private @add.impl
// CHECK: %[[ROW:.*]] = arith.divui
// CHECK: %[[WHOLE:.*]] = arith.cmpi slt, %[[ROW]], %c2_i64
// CHECK: scf.if %[[WHOLE]] {
// CHECK: llvm.load
// CHECK: llvm.getelementptr %{{.*}}[48] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.load
// CHECK: llvm.getelementptr %{{.*}}[96] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.load
// CHECK: llvm.getelementptr %{{.*}}[144] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.load
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK-NOT: llvm.store
// CHECK: scf.if
// CHECK-COUNT-3: llvm.load
// CHECK-NOT: llvm.load
// CHECK-COUNT-3: llvm.store
// CHECK-NOT: llvm.store
// CHECK: func.func private @add({{.*}}work = 48
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func private @add(%x: tensor<50x3xf32>, %y: tensor<3xf32>) -> tensor<50x3xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<50x3, jam d0 4, apart, work d1>]} {
  %e = tensor.empty() : tensor<50x3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<50x3xf32>, tensor<3xf32>) outs(%e : tensor<50x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<50x3xf32>
  return %0 : tensor<50x3xf32>
}

// A block has a square of each of two batches; a thread reads four elements of each before it waits for any.
// CHECK: func.func private @turn.impl
// CHECK: llvm.mlir.addressof @shared
// CHECK-NOT: llvm.store
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-NOT: llvm.load
// CHECK-COUNT-8: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load
// CHECK-COUNT-8: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: func.func private @turn({{.*}}work = 4
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#turned = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
func.func private @turn(%x: tensor<4x32x64xf32>) -> tensor<4x64x32xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<elementwise>, xla_rt.plans = [#xla_rt.nest<4x64x32, jam d0 2, apart, threads 256, square d1 d2>]} {
  %e = tensor.empty() : tensor<4x64x32xf32>
  %0 = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x32x64xf32>) outs(%e : tensor<4x64x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x64x32xf32>
  return %0 : tensor<4x64x32xf32>
}
