// REQUIRES: xla-run
// RUN: xla-run %s --target=cpu
// RUN: xla-run %s --target=cuda-emulated
// RUN: xla-run %s --target=reference

// The barriers keep constants from being folded before they are compiled.
func.func @main() {
  %x0 = stablehlo.constant dense<[-2.5, -0.0, 0.5, 4.0]> : tensor<4xf32>
  %y0 = stablehlo.constant dense<[2.0, 1.0, -0.5, 0.25]> : tensor<4xf32>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<4xf32>, tensor<4xf32>

  %add = stablehlo.add %x, %y : tensor<4xf32>
  check.expect_eq_const %add, dense<[-0.5, 1.0, 0.0, 4.25]> : tensor<4xf32>
  %divide = stablehlo.divide %x, %y : tensor<4xf32>
  check.expect_eq_const %divide, dense<[-1.25, -0.0, -1.0, 16.0]> : tensor<4xf32>
  %remainder = stablehlo.remainder %x, %y : tensor<4xf32>
  check.expect_eq_const %remainder, dense<[-0.5, -0.0, 0.0, 0.0]> : tensor<4xf32>
  %even = stablehlo.round_nearest_even %x : tensor<4xf32>
  check.expect_eq_const %even, dense<[-2.0, -0.0, 0.0, 4.0]> : tensor<4xf32>
  %away = stablehlo.round_nearest_afz %x : tensor<4xf32>
  check.expect_eq_const %away, dense<[-3.0, -0.0, 1.0, 4.0]> : tensor<4xf32>
  %sign = stablehlo.sign %x : tensor<4xf32>
  check.expect_eq_const %sign, dense<[-1.0, -0.0, 1.0, 1.0]> : tensor<4xf32>

  // Transcendental functions are approximations.
  %exp = stablehlo.exponential %x : tensor<4xf32>
  check.expect_almost_eq_const %exp, dense<[0.082085, 1.0, 1.6487213, 54.59815]> : tensor<4xf32>
  %tanh = "stablehlo.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %tanh, dense<[-0.9866143, -0.0, 0.46211717, 0.9993293]> : tensor<4xf32>
  %erf = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  check.expect_almost_eq_const %erf, dense<[-0.999593, -0.0, 0.5204999, 1.0]> : tensor<4xf32>

  %less = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %less, dense<[true, true, false, false]> : tensor<4xi1>
  %select = stablehlo.select %less, %x, %y : tensor<4xi1>, tensor<4xf32>
  check.expect_eq_const %select, dense<[-2.5, -0.0, -0.5, 0.25]> : tensor<4xf32>
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %clamp = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %clamp, dense<[-1.0, -0.0, 0.5, 1.0]> : tensor<4xf32>

  %bits = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0xC0200000, 0x80000000, 0x3F000000, 0x40800000]> : tensor<4xui32>
  %integer = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %integer, dense<[-2, 0, 0, 4]> : tensor<4xi32>

  // Signed, unsigned: the type decides.
  %i0 = stablehlo.constant dense<[-7, 7, 127]> : tensor<3xi8>
  %u0 = stablehlo.constant dense<[249, 7, 127]> : tensor<3xui8>
  %i, %u = stablehlo.optimization_barrier %i0, %u0 : tensor<3xi8>, tensor<3xui8>
  %i2 = stablehlo.constant dense<[2, -2, 2]> : tensor<3xi8>
  %u2 = stablehlo.constant dense<2> : tensor<3xui8>
  %idiv = stablehlo.divide %i, %i2 : tensor<3xi8>
  check.expect_eq_const %idiv, dense<[-3, -3, 63]> : tensor<3xi8>
  %udiv = stablehlo.divide %u, %u2 : tensor<3xui8>
  check.expect_eq_const %udiv, dense<[124, 3, 63]> : tensor<3xui8>
  %wrap = stablehlo.add %i, %i2 : tensor<3xi8>
  check.expect_eq_const %wrap, dense<[-5, 5, -127]> : tensor<3xi8>
  %count = stablehlo.popcnt %u : tensor<3xui8>
  check.expect_eq_const %count, dense<[6, 3, 7]> : tensor<3xui8>

  // (1 + 2i) (3 - i) = 5 + 5i
  %c0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %c = stablehlo.optimization_barrier %c0 : tensor<complex<f32>>
  %d = stablehlo.constant dense<(3.0, -1.0)> : tensor<complex<f32>>
  %product = stablehlo.multiply %c, %d : tensor<complex<f32>>
  check.expect_eq_const %product, dense<(5.0, 5.0)> : tensor<complex<f32>>

  %next_from0 = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf32>
  %next_from = stablehlo.optimization_barrier %next_from0 : tensor<3xf32>
  %next_towards = stablehlo.constant dense<[2.0, -1.0, 0.0]> : tensor<3xf32>
  %next = chlo.next_after %next_from, %next_towards : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  check.expect_eq_const %next, dense<"0x0100803F01000080FFFF7FBF"> : tensor<3xf32>

  // pi^2 / 6, pi^4 / 90 and their like.
  %order0 = stablehlo.constant dense<[2.0, 4.0, 3.0]> : tensor<3xf64>
  %order = stablehlo.optimization_barrier %order0 : tensor<3xf64>
  %from = stablehlo.constant dense<[1.0, 1.0, 0.5]> : tensor<3xf64>
  %zeta = chlo.zeta %order, %from : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %zeta, dense<[1.6449340668482264, 1.0823232337111381, 8.41439832211716]> : tensor<3xf64>
  %polygamma = chlo.polygamma %order, %from : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %polygamma, dense<[-2.4041138063191886, -24.88626612344088, 97.40909103400244]> : tensor<3xf64>
  %bessel = chlo.bessel_i1e %order : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %bessel, dense<[0.21526928924893766, 0.17875083950243534, 0.19682671329730086]> : tensor<3xf64>
  return
}
