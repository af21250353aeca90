// RUN: xla-opt %s --xla-check-legal --split-input-file --verify-diagnostics --allow-unregistered-dialect

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

func.func @unknown(%x: tensor<f32>) {
  // expected-error @+1 {{'other.op' op cannot be compiled: this is no op of the xla dialect}}
  %0 = "other.op"(%x) : (tensor<f32>) -> tensor<f32>
  return
}
