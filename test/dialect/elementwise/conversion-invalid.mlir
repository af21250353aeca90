// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @convert_dims(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.convert' op [ConvertElementType-C2] result dimensions [2, 2] differ from the operand's [4]}}
  %0 = xla.convert %x : (tensor<4xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @convert_tuple(%x: tuple<tensor<f32>>) {
  // expected-error@+1 {{'xla.convert' op [ConvertElementType-C1] operand #0 must be a ranked tensor of XLA elements, but got 'tuple<tensor<f32>>'}}
  %0 = xla.convert %x : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @bitcast_token(%x: !xla.token) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C1] operand #0 must be a ranked tensor of XLA elements, but got '!xla.token'}}
  %0 = xla.bitcast_convert %x : (!xla.token) -> tensor<f32>
  return
}

// -----

func.func @bitcast_multiple(%x: tensor<4xf6E2M3FN>) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C2] the larger of the widths 6 and 8 is no multiple of the smaller}}
  %0 = xla.bitcast_convert %x : (tensor<4xf6E2M3FN>) -> tensor<4xi8>
  return
}

// -----

func.func @bitcast_last_dim(%x: tensor<10x4xf16>) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C3] from 'f16' to 'f32' the last dimension of the operand must be 2, got [10, 4]}}
  %0 = xla.bitcast_convert %x : (tensor<10x4xf16>) -> tensor<10xf32>
  return
}

// -----

func.func @bitcast_scalar(%x: tensor<f16>) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C3] from 'f16' to 'f32' the last dimension of the operand must be 2, got []}}
  %0 = xla.bitcast_convert %x : (tensor<f16>) -> tensor<f32>
  return
}

// -----

func.func @bitcast_new_dim(%x: tensor<10xf32>) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C4] from 'f32' to 'f16' the result must have a new last dimension of 2, got [20]}}
  %0 = xla.bitcast_convert %x : (tensor<10xf32>) -> tensor<20xf16>
  return
}

// -----

func.func @bitcast_dims(%x: tensor<10xf32>) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C4] result dimensions [11] do not fit the operand's [10]}}
  %0 = xla.bitcast_convert %x : (tensor<10xf32>) -> tensor<11xi32>
  return
}

// -----

func.func @bitcast_complex(%x: tensor<10xcomplex<f32>>) {
  // expected-error@+1 {{'xla.bitcast_convert' op [BitcastConvertType-C5] complex types only convert to complex types, got 'complex<f32>' to 'i64'}}
  %0 = xla.bitcast_convert %x : (tensor<10xcomplex<f32>>) -> tensor<10xi64>
  return
}

// -----

func.func @reduce_precision_int(%x: tensor<4xi32>) {
  // expected-error@+1 {{'xla.reduce_precision' op [ReducePrecision-C1] does not take elements of type 'i32', expected FLOAT}}
  %0 = xla.reduce_precision %x, format = e5m10 : tensor<4xi32>
  return
}

// -----

func.func @reduce_precision_exponent(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.reduce_precision' op [ReducePrecision-C2] exponent_bits must be at least 1, got 0}}
  %0 = xla.reduce_precision %x, format = e0m10 : tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_mantissa(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.reduce_precision' op [ReducePrecision-C3] mantissa_bits must not be negative, got -1}}
  %0 = "xla.reduce_precision"(%x) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{'xla.reduce_precision' op [ReducePrecision-C4] result types 'tensor<4xf16>' differ from the inferred 'tensor<4xf32>'}}
  %0 = xla.reduce_precision %x, format = e5m10 : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @reduce_precision_syntax(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a format such as e5m10, got m5e10}}
  %0 = xla.reduce_precision %x, format = m5e10 : tensor<4xf32>
  return
}
