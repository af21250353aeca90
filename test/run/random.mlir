// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

func.func @main() {
  %state = stablehlo.constant dense<0> : tensor<3xui64>
  %s0 = stablehlo.optimization_barrier %state : tensor<3xui64>
  %s1, %bits = stablehlo.rng_bit_generator %s0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3xui32>)
  check.expect_eq_const %s1, dense<[0, 2, 0]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[0x6627e8d5, 0xe169c58d, 0xbc57ac4c], [0x9b00dbd8, 0xf8e4cca4, 0x5cb200db]]> : tensor<2x3xui32>

  // Of [0, 1), another number each time.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<1000> : tensor<1xi64>
  %a = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
  %b = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
  %same = stablehlo.compare EQ, %a, %b : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.reduce(%same init: %true) applies stablehlo.and across dimensions = [0] : (tensor<1000xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %all, dense<false> : tensor<i1>
  %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %low = stablehlo.constant dense<430.0> : tensor<f32>
  %high = stablehlo.constant dense<570.0> : tensor<f32>
  %inside = stablehlo.clamp %low, %sum, %high : tensor<f32>
  check.expect_eq %inside, %sum : tensor<f32>
  return
}
