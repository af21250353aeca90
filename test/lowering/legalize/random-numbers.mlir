// RUN: xla-opt %s --xla-decompose-composites | FileCheck %s
// RUN: xla-opt %s --to=legal | FileCheck %s --check-prefix=LEGAL

// Numbers of hidden state: bits that follow from the runtime's next state, and a formula.

// CHECK-LABEL: func.func private @uniform
// CHECK:         %[[STATE:.*]] = xla.custom_call @xla_rt.random_state() {has_side_effect = true} : () -> tensor<3xui64>
// CHECK:         %{{.*}}, %[[BITS:.*]] = xla.rng_bit_generator %[[STATE]], algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
// CHECK:         xla.shift_right_logical %[[BITS]]
// CHECK:         xla.next_after %arg1, %arg0 : tensor<bf16>
// CHECK:         xla.select %{{.*}} : tensor<5xi1>, tensor<5xbf16>
func.func private @uniform(%a: tensor<bf16>, %b: tensor<bf16>) -> tensor<5xbf16> {
  %n = xla.constant dense<5> : tensor<1xi64>
  %0 = xla.rng %a, %b, %n, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<1xi64>) -> tensor<5xbf16>
  return %0 : tensor<5xbf16>
}

// CHECK-LABEL: func.func private @integers
// CHECK:         xla.rng_bit_generator %{{.*}} -> (tensor<3xui64>, tensor<5xui64>)
// CHECK:         xla.mulhi
func.func private @integers(%a: tensor<i8>, %b: tensor<i8>) -> tensor<5xi8> {
  %n = xla.constant dense<5> : tensor<1xi64>
  %0 = xla.rng %a, %b, %n, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<1xi64>) -> tensor<5xi8>
  return %0 : tensor<5xi8>
}

// CHECK-LABEL: func.func private @normal
// CHECK:         xla.rng_bit_generator %{{.*}} -> (tensor<3xui64>, tensor<5xui64>)
// CHECK:         xla.erf_inv %{{.*}} : tensor<5xf64>
func.func private @normal(%a: tensor<f64>, %b: tensor<f64>) -> tensor<5xf64> {
  %n = xla.constant dense<5> : tensor<1xi64>
  %0 = xla.rng %a, %b, %n, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// Draws are not merged, even if nobody reads one of them, and stay in their loop.

// LEGAL-LABEL: func.func @main
// LEGAL-COUNT-3: xla.custom_call @xla_rt.random_state
// LEGAL:         xla.while
// LEGAL:         do
// LEGAL:           xla.custom_call @xla_rt.random_state
// LEGAL-NOT:     xla.custom_call
func.func public @main(%a: tensor<f64>, %b: tensor<f64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  %0 = call @normal(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<5xf64>
  %1 = call @normal(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<5xf64>
  %unread = call @normal(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<5xf64>
  %zero = xla.constant dense<0> : tensor<i32>
  %2:2 = xla.while(%i = %zero, %x = %0) : tensor<i32>, tensor<5xf64>
  cond {
    %n = xla.constant dense<3> : tensor<i32>
    %more = xla.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %j = xla.add %i, %one : tensor<i32>
    %y = func.call @normal(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<5xf64>
    xla.return %j, %y : tensor<i32>, tensor<5xf64>
  }
  return %0, %1, %2#1 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}
