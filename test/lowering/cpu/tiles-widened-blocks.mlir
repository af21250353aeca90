// RUN: xla-opt %s --to=kernels="vector-bits=128 instructions=pmaddwd" | FileCheck %s
// Blocks are whole copies of the columns that are transposed, of eight steps, also where vectors have four lanes.

// CHECK: xla_rt.plans = [#xla_rt.tiles<64x512x1044, m d0 {{[0-9]+}}, n d1 {{[0-9]+}}, k d2 352,
func.func @main(%x: tensor<64x1044xbf16>, %y: tensor<512x1044xbf16>) -> tensor<64x512xbf16> {
  %0 = xla.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<64x1044xbf16>, tensor<512x1044xbf16>) -> tensor<64x512xbf16>
  return %0 : tensor<64x512xbf16>
}
