// RUN: xla-opt %s --split-input-file --to=kernels=instructions=pmaddwd | FileCheck %s
// RUN: xla-opt %s --split-input-file --to=loops=instructions=pmaddwd | FileCheck %s --check-prefix=LOOPS
// Narrow floats that the processor has no products of are widened while tiles pack them, once for a block.

// Columns that are neighbours along the sum are transposed, as they are in memory, before that.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x256x1024, {{.*}} lanes 16, instruction fma, pack a, b, prefetch 8>]
// LOOPS-LABEL: func.func {{.*}}@main
// LOOPS: llvm.load {{.*}} -> vector<8xbf16>
// LOOPS: vector.shuffle {{.*}} : vector<{{[0-9]+}}xbf16>
// LOOPS: arith.extui {{.*}} : vector<16xi16> to vector<16xi32>
// LOOPS-NOT: gather
func.func @main(%x: tensor<512x1024xbf16>, %y: tensor<256x1024xbf16>) -> tensor<512x256xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<512x1024xbf16>, tensor<256x1024xbf16>) -> tensor<512x256xbf16>
  return %0 : tensor<512x256xbf16>
}

// -----

// A few rows read columns where they are.
// CHECK-LABEL: func.func @main
// CHECK: xla_rt.plans = [#xla_rt.tiles<16x4096x1024, {{.*}} instruction fma, pack a>]
func.func @main(%x: tensor<16x1024xf16>, %y: tensor<1024x4096xf16>) -> tensor<16x4096xf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<16x1024xf16>, tensor<1024x4096xf16>) -> tensor<16x4096xf16>
  return %0 : tensor<16x4096xf16>
}

// -----

// Rows that are no neighbours along the sum are widened and transposed as a whole, before.
// CHECK-LABEL: func.func @main
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @main(%x: tensor<1024x512xbf16>, %y: tensor<1024x256xbf16>) -> tensor<512x256xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1024x512xbf16>, tensor<1024x256xbf16>) -> tensor<512x256xbf16>
  return %0 : tensor<512x256xbf16>
}
