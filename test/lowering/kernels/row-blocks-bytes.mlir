// RUN: xla-opt %s --to=kernels=instructions=pmaddwd,vpdpbusd | FileCheck %s --check-prefix=TILES
// RUN: xla-opt %s --to=kernels=instructions=pmaddwd | FileCheck %s --check-prefix=TILES
// RUN: xla-opt %s --to=kernels | FileCheck %s --check-prefix=NESTS
// Two layers of bytes, whose sums are quantised by the greatest of their row in between: three kernels where tiles have
// instructions for the products, else one for blocks of rows.

// TILES-LABEL: func.func @main
// TILES: call @contraction
// TILES: call @rows
// TILES: call @contraction
// TILES-COUNT-2: xla_rt.plans = [#xla_rt.tiles<256x512x512,
// NESTS-LABEL: func.func @main
// NESTS-NEXT: %[[R:.*]] = call @rows_0(%arg0, %arg1, %arg2)
// NESTS-NEXT: return %[[R]]
func.func @main(%x: tensor<256x512xi8>, %v: tensor<512x512xi8>, %w: tensor<512x512xi8>) -> tensor<256x512xi32> {
  %least = xla.constant dense<0xFF800000> : tensor<f32>
  %sums = xla.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<256x512xi8>, tensor<512x512xi8>) -> tensor<256x512xi32>
  %s = xla.convert %sums : (tensor<256x512xi32>) -> tensor<256x512xf32>
  %m = xla.reduce(%s init: %least) applies xla.maximum across dimensions = [1] : (tensor<256x512xf32>, tensor<f32>) -> tensor<256xf32>
  %mb = xla.broadcast_in_dim %m, dims = [0] : (tensor<256xf32>) -> tensor<256x512xf32>
  %d = xla.divide %s, %mb : tensor<256x512xf32>
  %q = xla.convert %d : (tensor<256x512xf32>) -> tensor<256x512xi8>
  %r = xla.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<256x512xi8>, tensor<512x512xi8>) -> tensor<256x512xi32>
  return %r : tensor<256x512xi32>
}
