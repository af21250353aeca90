// RUN: xla-opt %s --to=kernels=instructions=vdpbf16ps | FileCheck %s
// RUN: xla-opt %s --to=kernels="vector-bits=256 instructions=vdpbf16ps" | FileCheck %s --check-prefix=NARROW
// RUN: xla-opt %s --to=kernels=instructions=pmaddwd,vpdpbusd | FileCheck %s --check-prefix=NONE
// RUN: xla-opt %s --to=loops=instructions=vdpbf16ps | FileCheck %s --check-prefix=LOOPS
// Products of bf16: two steps of an instruction where the processor has one, otherwise they are
// widened, while both factors are packed.

// CHECK-NOT: xla_rt.kernel<elementwise>
// CHECK: xla_rt.plans = [#xla_rt.tiles<512x300x2501, m d0 258, n d1 128, k d2 1252, register 6x4, lanes 16, instruction vdpbf16ps, pack a, b>]
// NARROW: xla_rt.plans = [#xla_rt.tiles<512x300x2501, m d0 258, n d1 112, k d2 1252, register 6x2, lanes 8, instruction vdpbf16ps, pack a, b>]
// NONE-NOT: xla_rt.kernel<elementwise>
// NONE: xla_rt.plans = [#xla_rt.tiles<512x300x2501, m d0 258, n d1 128, k d2 512, register 6x4, lanes 16, instruction fma, pack a, b, prefetch 8>]

// The odd last step has zeros beside it.
// LOOPS: arith.bitcast {{.*}} : vector<16xbf16> to vector<16xi16>
// LOOPS: arith.shli {{.*}} : vector<16xi32>
// LOOPS-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// LOOPS-NOT: dpbf16ps
func.func @main(%x: tensor<512x2501xbf16>, %y: tensor<2501x300xbf16>) -> tensor<512x300xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x2501xbf16>, tensor<2501x300xbf16>) -> tensor<512x300xbf16>
  return %0 : tensor<512x300xbf16>
}
