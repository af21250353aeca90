// RUN: xla-opt %s --to=kernels="vector-bits=256" | FileCheck %s --check-prefix=SHORT
// RUN: xla-opt %s --to=kernels="vector-bits=512" | FileCheck %s --check-prefix=LONG

// Columns that are no whole steps: masks in all steps of vectors of 512 bits, a copy of the code for what is left of
// vectors of 256 bits, whose masked stores are slow on some processors.

// SHORT: private @contraction_0
// SHORT-SAME: xla_rt.plans = [#xla_rt.nest<128x232x100, lanes d1 8x{{[0-9]}}, jam d0 {{[0-9]+}}, reduce d2,
// SHORT-NOT: masked
// LONG: private @contraction_0
// LONG-SAME: xla_rt.plans = [#xla_rt.nest<128x232x100, lanes d1 16x{{[0-9]}}, jam d0 {{[0-9]+}}, reduce d2,
// LONG-SAME: masked
func.func @main(%x: tensor<128x100xf32>, %y: tensor<100x232xf32>) -> tensor<128x232xf32> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<128x100xf32>, tensor<100x232xf32>) -> tensor<128x232xf32>
  return %0 : tensor<128x232xf32>
}
