// RUN: xla-opt %s -xla-legalize-to-linalg -verify-diagnostics

func.func @token() {
  // expected-error @+1 {{failed to legalize operation 'xla.create_token'}}
  %0 = "xla.create_token"() : () -> !xla.token
  return
}
