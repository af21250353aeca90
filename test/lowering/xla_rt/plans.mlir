// RUN: xla-opt %s | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// How a kernel's loop nests are walked: the parts come in any order and are printed in one.
// CHECK: xla_rt.plans = [#xla_rt.nest<1000x200x64x3, lanes d1 16x4, jam d0 6, reduce d3, d2, cut d1 64, cut d0 120, masked, overlap>, #xla_rt.nest<>]
func.func private @every(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.nest<1000x200x64x3, overlap, masked, cut d0 120, cut d1 64, reduce d3, d2, jam d0 6, lanes d1 16x4>,
                    #xla_rt.nest<>]} {
  return %x : tensor<4xf32>
}

// CHECK: #xla_rt.tiles<1x1000x200x64x3, m d1 240, n d2 128, k d3 64, register 6x4, lanes 16, instruction vpdpbusd, pack a, b, work d0, d4>
// CHECK-SAME: #xla_rt.tiles<10x20x30, m d0 4, n d1 8, k d2 32, register 1x1, lanes 8, instruction fma>
// CHECK-SAME: #xla_rt.tiles<10x20x30, m d0 4, n d1 8, k d2 32, register 4x1, lanes 8, instruction pmaddwd, pack a, b, prefetch 16>
func.func private @tiles(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<contraction>,
    xla_rt.plans = [#xla_rt.tiles<1x1000x200x64x3, work d0, d4, pack b, a, register 6x4, k d3 64, lanes 16, m d1 240, instruction vpdpbusd, n d2 128>,
                    #xla_rt.tiles<10x20x30, m d0 4, n d1 8, k d2 32, lanes 8>,
                    #xla_rt.tiles<10x20x30, register 4x1, m d0 4, n d1 8, k d2 32, lanes 8, prefetch 16, instruction pmaddwd, pack a, b>]} {
  return %x : tensor<4xf32>
}

// CHECK: #xla_rt.nest<0x8x4, work d0, loop d2, d1>
// CHECK-SAME: #xla_rt.nest<1024x4096, lanes d0 16x1, jam d1 16, reduce d1, cut d0 512, in_memory>
// CHECK-SAME: #xla_rt.nest<64x128, lanes d1 16x1, jam d0 4, transpose 4>
// CHECK-SAME: #xla_rt.nest<64x128, lanes d1 16x1, work d0, ordered d1>
// CHECK-SAME: #xla_rt.nest<6x64x32, lanes d1 16x4, jam d0 6, reduce d2, trim, pairs>
// CHECK-SAME: #xla_rt.nest<32x64x32, lanes d1 16x2, jam d0 32, reduce d2, pairs, tile_registers>
func.func private @others(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    xla_rt.kernel = #xla_rt.kernel<elementwise>,
    xla_rt.plans = [#xla_rt.nest<0x8x4, work d0, loop d2, d1>,
                    #xla_rt.nest<1024x4096, lanes d0 16x1, jam d1 16, reduce d1, cut d0 512, in_memory>,
                    #xla_rt.nest<64x128, lanes d1 16x1, jam d0 4, transpose 4>,
                    #xla_rt.nest<64x128, ordered d1, lanes d1 16x1, work d0>,
                    #xla_rt.nest<6x64x32, pairs, trim, lanes d1 16x4, jam d0 6, reduce d2>,
                    #xla_rt.nest<32x64x32, tile_registers, lanes d1 16x2, jam d0 32, pairs, reduce d2>]} {
  return %x : tensor<4xf32>
}
