// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @length(%x: tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32> {
  // expected-error@+1 {{op cannot see 'tensor<4x8xcomplex<f32>>' as 'tensor<4x8xf32>': a row of complex numbers is one of twice as many parts}}
  %0 = xla_rt.parts %x : tensor<4x8xcomplex<f32>> to tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @element(%x: tensor<4x8xf64>) -> tensor<4x4xcomplex<f32>> {
  // expected-error@+1 {{op cannot see 'tensor<4x8xf64>' as 'tensor<4x4xcomplex<f32>>': a row of complex numbers}}
  %0 = xla_rt.parts %x : tensor<4x8xf64> to tensor<4x4xcomplex<f32>>
  return %0 : tensor<4x4xcomplex<f32>>
}

// -----

func.func @real(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{op cannot see 'tensor<4x8xf32>' as 'tensor<4x8xf32>'}}
  %0 = xla_rt.parts %x : tensor<4x8xf32> to tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @scalar(%x: tensor<complex<f32>>) -> tensor<2xf32> {
  // expected-error@+1 {{op cannot see 'tensor<complex<f32>>' as 'tensor<2xf32>'}}
  %0 = xla_rt.parts %x : tensor<complex<f32>> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
