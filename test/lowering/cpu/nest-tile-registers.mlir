// RUN: xla-opt %s --to=kernels=instructions=vdpbf16ps,tdpbf16ps | FileCheck %s --check-prefix=PLAN
// RUN: xla-opt %s --to=loops=instructions=vdpbf16ps,tdpbf16ps | FileCheck %s --check-prefix=LOOPS
// Attention of bf16 in tile registers: 32 rows by 32 columns in a step, of which what is left of the last 32 steps of a
// sum has registers of its own.

// PLAN: -> tensor<2x2x24x64x2xbf16>
// PLAN: -> tensor<2x1x50x64x2xbf16>
// PLAN: #xla_rt.kernel<rows, [2, 128] by {{.*}}x99x48, lanes d3 16x2, jam d2 32, reduce d4, pairs, tile_registers>
// PLAN-SAME: x99, lanes d3 16x2, jam d2 32, reduce d4, pairs, tile_registers>]

// A step of the first product: 32 whole steps, then 16, each by one register of rows and one of columns.
// LOOPS: call @xla_rt_allow_tile_registers
// LOOPS: "llvm.x86.ldtilecfg"
// LOOPS-COUNT-4: "llvm.x86.tilezero"
// LOOPS: scf.for
// LOOPS-COUNT-4: "llvm.x86.tdpbf16ps"
// LOOPS-NOT: scf.for
// LOOPS-COUNT-4: "llvm.x86.tdpbf16ps"
// LOOPS-COUNT-4: "llvm.x86.tilestored64"
// Weights are rounded by an instruction.
// LOOPS: "llvm.x86.avx512bf16.cvtneps2bf16.512"
// LOOPS: "llvm.x86.ldtilecfg"
// Behind 99 keys, half a pair is zero.
// LOOPS: scf.for
// LOOPS: llvm.store %{{.*}} : bf16, !llvm.ptr
// LOOPS-COUNT-8: "llvm.x86.tdpbf16ps"
// LOOPS: "llvm.x86.tilerelease"
func.func @main(%q: tensor<2x128x48xbf16>, %k: tensor<2x99x48xbf16>, %v: tensor<2x99x64xbf16>) -> tensor<2x128x64xbf16> {
  %0 = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x128x48xbf16>, tensor<2x99x48xbf16>) -> tensor<2x128x99xf32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %1 = xla.reduce(%0 init: %low) applies xla.maximum across dimensions = [2] : (tensor<2x128x99xf32>, tensor<f32>) -> tensor<2x128xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x99xf32>
  %3 = xla.subtract %0, %2 : tensor<2x128x99xf32>
  %4 = xla.exponential %3 : tensor<2x128x99xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %5 = xla.reduce(%4 init: %zero) applies xla.add across dimensions = [2] : (tensor<2x128x99xf32>, tensor<f32>) -> tensor<2x128xf32>
  %6 = xla.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x99xf32>
  %7 = xla.divide %4, %6 : tensor<2x128x99xf32>
  %8 = xla.convert %7 : (tensor<2x128x99xf32>) -> tensor<2x128x99xbf16>
  %9 = xla.dot_general %8, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x128x99xbf16>, tensor<2x99x64xbf16>) -> tensor<2x128x64xbf16>
  return %9 : tensor<2x128x64xbf16>
}
