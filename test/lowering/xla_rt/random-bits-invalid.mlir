// RUN: xla-opt --verify-diagnostics --split-input-file %s

func.func @state(%s: tensor<3xi64>, %e: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{has a state of type 'tensor<3xi64>' instead of tensor<2xi64>}}
  %0 = xla_rt.random_bits three_fry ins(%s : tensor<3xi64>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @words(%s: tensor<3xi64>, %e: tensor<2x2xi32>) -> tensor<2x2xi32> {
  // expected-error @+1 {{which is no row of words}}
  %0 = xla_rt.random_bits philox ins(%s : tensor<3xi64>) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @out(%s: tensor<3xi64>, %e: tensor<3xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{has a result of type 'tensor<4xi32>', but an out of type 'tensor<3xi32>'}}
  %0 = xla_rt.random_bits philox ins(%s : tensor<3xi64>) outs(%e : tensor<3xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
