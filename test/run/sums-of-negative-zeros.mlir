// RUN: xla-run %s
// RUN: xla-run %s --target=reference

// -0 is what sums leave alone: a sum of nothing but -0 is -0, in lanes, in columns and in several steps.

func.func @main() {
  %constant = xla.constant dense<-0.0> : tensor<64x300xf32>
  %x = xla.optimization_barrier %constant : tensor<64x300xf32>
  %init = xla.constant dense<-0.0> : tensor<f32>
  %rows = xla.reduce(%x init: %init) applies xla.add across dimensions = [1] : (tensor<64x300xf32>, tensor<f32>) -> tensor<64xf32>
  %0 = xla.bitcast_convert %rows : (tensor<64xf32>) -> tensor<64xi32>
  check.expect_eq_const %0, dense<0x80000000> : tensor<64xi32>
  %columns = xla.reduce(%x init: %init) applies xla.add across dimensions = [0] : (tensor<64x300xf32>, tensor<f32>) -> tensor<300xf32>
  %1 = xla.bitcast_convert %columns : (tensor<300xf32>) -> tensor<300xi32>
  check.expect_eq_const %1, dense<0x80000000> : tensor<300xi32>
  %constants = xla.constant dense<-0.0> : tensor<300000xf64>
  %y = xla.optimization_barrier %constants : tensor<300000xf64>
  %init64 = xla.constant dense<-0.0> : tensor<f64>
  %all = xla.reduce(%y init: %init64) applies xla.add across dimensions = [0] : (tensor<300000xf64>, tensor<f64>) -> tensor<f64>
  %2 = xla.bitcast_convert %all : (tensor<f64>) -> tensor<i64>
  check.expect_eq_const %2, dense<0x8000000000000000> : tensor<i64>
  return
}
