// RUN: xla-opt %s --to=legal --split-input-file --verify-diagnostics
// What an encoding says that is no layout would be lost: such a tensor lies in memory as nothing expects.

#sparse = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @operand(%x: tensor<4xf32, #sparse>) -> tensor<4xf32> {
  // expected-error @+1 {{'xla.reshape' op [G-C5] operand #0 has an encoding that is neither a layout nor bounds: 'tensor<4xf32, #sparse_tensor.encoding}}
  %0 = stablehlo.reshape %x : (tensor<4xf32, #sparse>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// As MHLO once wrote layouts.
// expected-error @+1 {{cannot be compiled: 'tensor<2x3xf32, dense<[0, 1]> : tensor<2xindex>>' has an encoding that is neither a layout nor bounds}}
func.func @signature(%x: tensor<2x3xf32, dense<[0, 1]> : tensor<2xindex>>) -> tensor<2x3xf32, dense<[0, 1]> : tensor<2xindex>> {
  return %x : tensor<2x3xf32, dense<[0, 1]> : tensor<2xindex>>
}
