// RUN: xla-opt %s --xla-emit-kernels=device | FileCheck %s
// A long scan in tiles. The block counts itself; the number of its tile is what is left of that, and how often all have
// begun marks the words that are of this launch. Threads have two elements each, which stay in registers while the sum
// of the tile is written, and those of the tiles before are asked for, two by each thread at a time.

// CHECK: llvm.mlir.global internal @tiles(dense<0> : tensor<316xi64>) {addr_space = 1 : i32, alignment = 128 : i64}
// CHECK: func.func private @sums.impl(%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index) attributes {xla_rt.numbers_blocks}
// CHECK-DAG: %[[COUNTER:.*]] = llvm.mlir.addressof @tiles
// CHECK-DAG: %[[WORDS:.*]] = llvm.getelementptr %[[COUNTER]][16]
// CHECK: scf.if
// CHECK: llvm.atomicrmw add %[[COUNTER]], %{{.*}} syncscope("device") monotonic
// CHECK: gpu.barrier
// CHECK: %[[BEFORE:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: %[[TIMES:.*]] = arith.divui %[[BEFORE]], %c300_i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[TIMES]], %c1_i64
// CHECK: %[[ROUND:.*]] = arith.shli %[[NEXT]], %c32_i64
// CHECK: %[[NUMBER:.*]] = arith.remui %[[BEFORE]], %c300_i64
// CHECK: llvm.load {{.*}} -> f32
// CHECK: llvm.load {{.*}} -> f32
// CHECK-NOT: llvm.load {{.*}}, !llvm.ptr -> f32
// CHECK: arith.ori %{{.*}}, %[[ROUND]]
// CHECK: llvm.store %{{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64} : i64
// CHECK: scf.for
// CHECK-COUNT-2: llvm.load {{.*}} atomic syncscope("device") monotonic {alignment = 8 : i64}
// CHECK: scf.while
// CHECK: arith.cmpi ult, %{{.*}}, %[[ROUND]]
// CHECK: llvm.load {{.*}} atomic syncscope("device") monotonic
// CHECK: scf.while
// CHECK: arith.select
// CHECK-COUNT-2: llvm.store {{.*}} : f32, !llvm.ptr
// CHECK: func.func private @sums({{.*}}work = 300{{.*}}team = 64
func.func private @sums(%x: tensor<38400xf32>, %i: tensor<f32>) -> tensor<38400xf32>
    attributes {xla_rt.kernel = #xla_rt.kernel<scan>, xla_rt.plans = [#xla_rt.nest<38400, ordered d0, cut d0 128, threads d0 64>]} {
  %e = tensor.empty() : tensor<38400xf32>
  %0 = xla_rt.scan ins(%x : tensor<38400xf32>) initial(%i : tensor<f32>) outs(%e : tensor<38400xf32>)
      dimension = 0 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    xla_rt.yield %s : f32
  } -> tensor<38400xf32>
  return %0 : tensor<38400xf32>
}
