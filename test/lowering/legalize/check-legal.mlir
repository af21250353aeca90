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
