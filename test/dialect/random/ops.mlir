// RUN: xla-opt %s | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @ops
func.func @ops(%a: tensor<f32>, %b: tensor<f32>, %key: tensor<2xui64>, %state: tensor<3xui64>) {
  %shape = xla.constant dense<[3, 4]> : tensor<2xi64>
  // CHECK: xla.rng %{{.*}}, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  // CHECK: xla.rng %{{.*}}, distribution = NORMAL
  %1 = xla.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  // CHECK: xla.rng_bit_generator %{{.*}}, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  %2, %3 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  // CHECK: xla.rng_bit_generator %{{.*}}, algorithm = THREE_FRY
  %4, %5 = "stablehlo.rng_bit_generator"(%key) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xbf16>)
  // The state that JAX has on CPUs. CHECK: xla.rng_bit_generator %{{.*}}, algorithm = DEFAULT
  %6, %7 = stablehlo.rng_bit_generator %key, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i64>)
  // That of StableHLO's Philox. CHECK: xla.rng_bit_generator %{{.*}}, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i8>)
  %8, %9 = stablehlo.rng_bit_generator %key, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i8>)
  // CHECK: xla.rng_bit_generator %{{.*}}, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i16>)
  %10, %11 = "stablehlo.rng_bit_generator"(%key) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i16>)
  return
}
