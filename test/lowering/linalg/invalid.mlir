// RUN: xla-opt %s --xla-legalize-to-linalg --split-input-file --verify-diagnostics

func.func @no_lowering() {
  // expected-error @+1 {{failed to legalize operation 'xla.create_token'}}
  %0 = "xla.create_token"() : () -> !xla.token
  return
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
