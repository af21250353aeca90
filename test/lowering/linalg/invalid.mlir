// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file --verify-diagnostics

func.func @no_lowering(%x: tensor<3x3xf32>, %i: tensor<2xi32>, %u: tensor<2x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{failed to legalize operation 'xla.scatter'}}
  %0 = "xla.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #xla.scatter<update_window_dims = [1], inserted_window_dims = [0],
                                             scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    xla.return %b : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2xi32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @tensor_in_scalar_computation(%x: tensor<4xf32>, %v: tensor<2xf32>, %zero: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{failed to legalize operation 'xla.reduce'}}
  %0 = xla.reduce(%x init: %zero) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    // expected-error @+1 {{'xla.reduce' op in a scalar computation: only scalar operands and results can be compiled}}
    %s = xla.reduce(%v init: %a) applies xla.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    xla.return %s : tensor<f32>
  }
  return %0 : tensor<f32>
}
