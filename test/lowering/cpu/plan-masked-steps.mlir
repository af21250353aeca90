// RUN: xla-opt %s --to=kernels="vector-bits=256" | FileCheck %s --check-prefixes=CHECK,SHORT
// RUN: xla-opt %s --to=kernels="vector-bits=512" | FileCheck %s --check-prefixes=CHECK,LONG

// Columns that are no whole steps: there is a copy of the code for what is left, ...
// CHECK: private @contraction_0
// CHECK-SAME: xla_rt.plans = [#xla_rt.nest<128x232x100, lanes d1 {{[0-9]+}}x{{[0-9]}}, jam d0 {{[0-9]+}}, reduce d2,
// CHECK-NOT: masked
// ... unless that is long, or it does not count beside a long sum: then all steps have masks. Vectors of 256 bits have
// none, as their masked stores are slow on some processors.
// SHORT-NOT: masked
// LONG: private @contraction_2
// LONG-SAME: masked
// LONG: private @reduction_4
// LONG-SAME: masked
func.func @main(%x: tensor<128x100xf32>, %y: tensor<100x232xf32>, %i: tensor<100x300xi32>, %j: tensor<300x200xi32>) -> (tensor<128x232xf32>, tensor<128x232xf32>, tensor<100x200xi32>) {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<128x100xf32>, tensor<100x232xf32>) -> tensor<128x232xf32>
  %1 = xla.negate %x : tensor<128x100xf32>
  %2 = xla.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<128x100xf32>, tensor<100x232xf32>) -> tensor<128x232xf32>
  %3 = xla.tanh %2 : tensor<128x232xf32>
  %4 = xla.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<100x300xi32>, tensor<300x200xi32>) -> tensor<100x200xi32>
  return %0, %3, %4 : tensor<128x232xf32>, tensor<128x232xf32>, tensor<100x200xi32>
}
