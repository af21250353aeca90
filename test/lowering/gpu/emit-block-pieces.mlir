// RUN: xla-opt %s --target=cuda --to=kernels | FileCheck %s --check-prefix=PLAN
// RUN: xla-run %s --target=cuda --to=binary | FileCheck %s
// The pieces of a tile that a thread copies go to places that are constants apart, so one register has the first. With
// one for each, the assembler spilled.

// PLAN: #xla_rt.blocks<1021x1025x1023, m d0 64, n d1 32, k d2 16, register 4x4>
// Eight of rows, eight rows of 16 apart, and four of columns.
// CHECK: cp.async.ca.shared.global [%[[A:rd[0-9]+]]], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+512], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+1024], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+1536], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+2048], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+2560], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+3072], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[A]]+3584], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[B:rd[0-9]+]]+4096], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[B]]+4608], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[B]]+5120], [{{.*}}], 4, 4;
// CHECK: cp.async.ca.shared.global [%[[B]]+5632], [{{.*}}], 4, 4;
// CHECK: cp.async.commit_group;
func.func @main(%x: tensor<1021x1023xf32>, %y: tensor<1023x1025xf32>) -> tensor<1021x1025xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<1021x1023xf32>, tensor<1023x1025xf32>) -> tensor<1021x1025xf32>
  return %0 : tensor<1021x1025xf32>
}
