// RUN: xla-opt %s --split-input-file --verify-diagnostics
// Attributes of StableHLO's generic form that are of another kind than the operation's, or unknown to it: none is left
// out in silence.

func.func @strides(%x: tensor<8xf32>, %i: tensor<f32>) -> tensor<7xf32> {
  // expected-error @+1 {{'xla.reduce_window' op attribute 'window_strides' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i32: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @flag(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'xla.sort' op attribute 'is_stable' failed to satisfy constraint: bool attribute}}
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// As older versions of StableHLO wrote it.
func.func @elements(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{'xla.transpose' op attribute 'permutation' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "stablehlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @misspelt(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'xla.sort' op has no attribute 'is_stabel'; did you mean 'is_stable'?}}
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stabel = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Beside them, a program may say what it likes.
func.func @discardable(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.abs"(%x) {note = "of the user's"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @of_another_operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'xla.custom_call' op has no attribute 'value'}}
  %0 = "stablehlo.custom_call"(%x) <{value = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
