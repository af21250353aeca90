// RUN: xla-opt %s --xla-check-legal --split-input-file --verify-diagnostics

// expected-error @+1 {{'func.func' op cannot be compiled: 'tensor<?xf32>' has a dynamic dimension}}
func.func @dynamic(%x: tensor<?xf32>) {
  return
}

// -----

func.func @token() {
  // expected-error @+1 {{'xla.create_token' op cannot be compiled: tokens order communication}}
  %0 = xla.create_token : !xla.token
  return
}

// -----

// expected-error @+1 {{'func.func' op cannot be compiled: the element type 'i3' is not supported}}
func.func @element_type(%x: tensor<4xi3>) {
  return
}

// -----

func.func @scatter(%x: tensor<3xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'xla.scatter' op cannot be compiled: scattering has no lowering}}
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
