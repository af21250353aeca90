// RUN: xla-opt --xla-expand-approx-top-k --split-input-file --verify-diagnostics %s

func.func @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func public @main(%x: tensor<8x16xf32>, %y: tensor<f32>) -> tensor<8x3xf32> {
  // expected-error @+1 {{@ApproxTopK needs a dimension of its arrays as 'reduction_dim'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %y) {
    called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1000 : i64}
  } : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

func.func public @main(%x: tensor<8x16xf32>, %y: tensor<f32>) -> tensor<8x3xf32> {
  // expected-error @+1 {{needs a comparator of two elements of each array}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %y) {mhlo.backend_config = {reduction_dim = 1 : i64}}
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

func.func public @main(%x: tensor<8x16xf32>, %y: tensor<f32>) -> tensor<8x17xf32> {
  // expected-error @+1 {{the results are smaller along dimension 1 only}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %y) {mhlo.backend_config = {reduction_dim = 1 : i64}}
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x17xf32>
  return %0 : tensor<8x17xf32>
}

// -----

func.func public @main(%x: tensor<8x16xf32>, %y: tensor<f32>) -> tensor<8x3xi32> {
  // expected-error @+1 {{needs arrays of one shape, and results of their rank and element types}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %y) {mhlo.backend_config = {reduction_dim = 1 : i64}}
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x3xi32>
  return %0 : tensor<8x3xi32>
}

// -----

func.func public @main(%x: tensor<8x16xf32>) -> tensor<8x3xf32> {
  // expected-error @+1 {{takes an array and an initial value for each result}}
  %0 = stablehlo.custom_call @ApproxTopK(%x) {mhlo.backend_config = {reduction_dim = 1 : i64}}
    : (tensor<8x16xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
