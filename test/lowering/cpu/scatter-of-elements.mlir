// RUN: xla-opt --from=linalg --to=kernels %s | xla-opt --xla-emit-kernels=vector-bits=512 | FileCheck %s

// Single elements: four updates are one turn of the loop, in their order, and what is left is another loop.
// CHECK-LABEL: func.func private @scatter_0.impl(
// CHECK:       scf.for %[[K:.*]] = %{{.*}} to %c8_i64 step %c4_i64
// CHECK-COUNT-4: scf.if
// CHECK:       scf.for %{{.*}} = %c8_i64{{.*}} to %c11_i64
// CHECK:         scf.if
// CHECK-NOT:   scf.if
// CHECK:       func.func private @scatter_0(
func.func @main(%x: tensor<5xf32>, %i: tensor<11x1xi32>, %u: tensor<11xf32>) -> tensor<5xf32> {
  %0 = xla_rt.scatter indices(%i : tensor<11x1xi32>) updates(%u : tensor<11xf32>) outs(%x : tensor<5xf32>)
      starts = [0] steps = [-1] batch = [0] vector = 1 {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    xla_rt.yield %1 : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
