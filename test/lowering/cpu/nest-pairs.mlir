// RUN: xla-opt %s --to=kernels=instructions=vdpbf16ps | FileCheck %s --check-prefix=PLAN
// RUN: xla-opt %s --to=kernels="vector-bits=256 instructions=vdpbf16ps" | FileCheck %s --check-prefix=NARROW
// RUN: xla-opt %s --to=kernels | FileCheck %s --check-prefix=WITHOUT
// RUN: xla-opt %s --to=loops=instructions=vdpbf16ps | FileCheck %s --check-prefix=LOOPS
// Attention of bf16: loops over rows take two steps of both products at a time. Keys and values are packed in pairs of
// steps, queries and weights are neighbours as they are.

// PLAN: %[[KEYS:.*]] = call @{{.*}} -> tensor<2x2x16x64x2xbf16>
// PLAN: %[[VALUES:.*]] = call @{{.*}} -> tensor<2x1x64x64x2xbf16>
// PLAN: #xla_rt.kernel<rows, [2, 128] by {{.*}}x128x32, lanes d3 16x4, jam d2 4, reduce d4, pairs>
// PLAN-SAME: x128, lanes d3 16x4, jam d2 4, reduce d4, pairs>]
// NARROW: lanes d3 8x4, jam d2 3, reduce d4, pairs>
// WITHOUT-NOT: pairs
// WITHOUT: xla_rt.kernel<rows
// WITHOUT-NOT: pairs

// LOOPS: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c2
// LOOPS-COUNT-16: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
func.func @main(%q: tensor<2x128x32xbf16>, %k: tensor<2x128x32xbf16>, %v: tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16> {
  %0 = xla.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x128x32xbf16>, tensor<2x128x32xbf16>) -> tensor<2x128x128xf32>
  %low = xla.constant dense<0xFF800000> : tensor<f32>
  %1 = xla.reduce(%0 init: %low) applies xla.maximum across dimensions = [2] : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
  %2 = xla.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
  %3 = xla.subtract %0, %2 : tensor<2x128x128xf32>
  %4 = xla.exponential %3 : tensor<2x128x128xf32>
  %zero = xla.constant dense<0.0> : tensor<f32>
  %5 = xla.reduce(%4 init: %zero) applies xla.add across dimensions = [2] : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
  %6 = xla.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
  %7 = xla.divide %4, %6 : tensor<2x128x128xf32>
  %8 = xla.convert %7 : (tensor<2x128x128xf32>) -> tensor<2x128x128xbf16>
  %9 = xla.dot_general %8, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x128x128xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  return %9 : tensor<2x128x64xbf16>
}
