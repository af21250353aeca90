// Every unary op on each class of element types it takes.
// RUN: xla-opt %s | FileCheck %s
// RUN: xla-opt %s --mlir-print-op-generic | xla-opt | FileCheck %s
// RUN: xla-opt %s --emit-bytecode | xla-opt | FileCheck %s

// CHECK-LABEL: func.func @float(
func.func @float(%x: tensor<4x?xf32>) {
  // CHECK: xla.abs %{{.+}} : tensor<4x?xf32>
  %0 = xla.abs %x : tensor<4x?xf32>
  // CHECK: xla.negate %{{.+}} : tensor<4x?xf32>
  %1 = xla.negate %x : tensor<4x?xf32>
  // CHECK: xla.sign %{{.+}} : tensor<4x?xf32>
  %2 = xla.sign %x : tensor<4x?xf32>
  // CHECK: xla.square %{{.+}} : tensor<4x?xf32>
  %3 = xla.square %x : tensor<4x?xf32>
  // CHECK: xla.ceil %{{.+}} : tensor<4x?xf32>
  %4 = xla.ceil %x : tensor<4x?xf32>
  // CHECK: xla.floor %{{.+}} : tensor<4x?xf32>
  %5 = xla.floor %x : tensor<4x?xf32>
  // CHECK: xla.round_nearest_afz %{{.+}} : tensor<4x?xf32>
  %6 = xla.round_nearest_afz %x : tensor<4x?xf32>
  // CHECK: xla.round_nearest_even %{{.+}} : tensor<4x?xf32>
  %7 = xla.round_nearest_even %x : tensor<4x?xf32>
  // CHECK: xla.cbrt %{{.+}} : tensor<4x?xf32>
  %8 = xla.cbrt %x : tensor<4x?xf32>
  // CHECK: xla.erf %{{.+}} : tensor<4x?xf32>
  %9 = xla.erf %x : tensor<4x?xf32>
  // CHECK: xla.erfc %{{.+}} : tensor<4x?xf32>
  %10 = xla.erfc %x : tensor<4x?xf32>
  // CHECK: xla.erf_inv %{{.+}} : tensor<4x?xf32>
  %11 = xla.erf_inv %x : tensor<4x?xf32>
  // CHECK: xla.lgamma %{{.+}} : tensor<4x?xf32>
  %12 = xla.lgamma %x : tensor<4x?xf32>
  // CHECK: xla.digamma %{{.+}} : tensor<4x?xf32>
  %13 = xla.digamma %x : tensor<4x?xf32>
  // CHECK: xla.sqrt %{{.+}} : tensor<4x?xf32>
  %14 = xla.sqrt %x : tensor<4x?xf32>
  // CHECK: xla.rsqrt %{{.+}} : tensor<4x?xf32>
  %15 = xla.rsqrt %x : tensor<4x?xf32>
  // CHECK: xla.exponential %{{.+}} : tensor<4x?xf32>
  %16 = xla.exponential %x : tensor<4x?xf32>
  // CHECK: xla.exponential_minus_one %{{.+}} : tensor<4x?xf32>
  %17 = xla.exponential_minus_one %x : tensor<4x?xf32>
  // CHECK: xla.log %{{.+}} : tensor<4x?xf32>
  %18 = xla.log %x : tensor<4x?xf32>
  // CHECK: xla.log_plus_one %{{.+}} : tensor<4x?xf32>
  %19 = xla.log_plus_one %x : tensor<4x?xf32>
  // CHECK: xla.logistic %{{.+}} : tensor<4x?xf32>
  %20 = xla.logistic %x : tensor<4x?xf32>
  // CHECK: xla.sine %{{.+}} : tensor<4x?xf32>
  %21 = xla.sine %x : tensor<4x?xf32>
  // CHECK: xla.cosine %{{.+}} : tensor<4x?xf32>
  %22 = xla.cosine %x : tensor<4x?xf32>
  // CHECK: xla.tan %{{.+}} : tensor<4x?xf32>
  %23 = xla.tan %x : tensor<4x?xf32>
  // CHECK: xla.tanh %{{.+}} : tensor<4x?xf32>
  %24 = xla.tanh %x : tensor<4x?xf32>
  // CHECK: xla.sinh %{{.+}} : tensor<4x?xf32>
  %25 = xla.sinh %x : tensor<4x?xf32>
  // CHECK: xla.cosh %{{.+}} : tensor<4x?xf32>
  %26 = xla.cosh %x : tensor<4x?xf32>
  // CHECK: xla.asin %{{.+}} : tensor<4x?xf32>
  %27 = xla.asin %x : tensor<4x?xf32>
  // CHECK: xla.acos %{{.+}} : tensor<4x?xf32>
  %28 = xla.acos %x : tensor<4x?xf32>
  // CHECK: xla.atan %{{.+}} : tensor<4x?xf32>
  %29 = xla.atan %x : tensor<4x?xf32>
  // CHECK: xla.asinh %{{.+}} : tensor<4x?xf32>
  %30 = xla.asinh %x : tensor<4x?xf32>
  // CHECK: xla.acosh %{{.+}} : tensor<4x?xf32>
  %31 = xla.acosh %x : tensor<4x?xf32>
  // CHECK: xla.atanh %{{.+}} : tensor<4x?xf32>
  %32 = xla.atanh %x : tensor<4x?xf32>
  // CHECK: xla.conj %{{.+}} : tensor<4x?xf32>
  %33 = xla.conj %x : tensor<4x?xf32>
  // CHECK: xla.is_finite %{{.+}} : (tensor<4x?xf32>) -> tensor<4x?xi1>
  %p = xla.is_finite %x : (tensor<4x?xf32>) -> tensor<4x?xi1>
  // CHECK: xla.real %{{.+}} : tensor<4x?xf32>
  %re = xla.real %x : tensor<4x?xf32>
  // CHECK: xla.imag %{{.+}} : tensor<4x?xf32>
  %im = xla.imag %x : tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @scalar(
func.func @scalar(%x: tensor<bf16>) {
  // CHECK: xla.abs %{{.+}} : tensor<bf16>
  %0 = xla.abs %x : tensor<bf16>
  // CHECK: xla.tanh %{{.+}} : tensor<bf16>
  %1 = xla.tanh %x : tensor<bf16>
  // CHECK: xla.floor %{{.+}} : tensor<bf16>
  %2 = xla.floor %x : tensor<bf16>
  return
}

// CHECK-LABEL: func.func @small_floats(
func.func @small_floats(%x: tensor<2xf8E4M3FN>, %y: tensor<2xf4E2M1FN>) {
  // CHECK: xla.negate %{{.+}} : tensor<2xf8E4M3FN>
  %0 = xla.negate %x : tensor<2xf8E4M3FN>
  // CHECK: xla.abs %{{.+}} : tensor<2xf4E2M1FN>
  %1 = xla.abs %y : tensor<2xf4E2M1FN>
  return
}

// CHECK-LABEL: func.func @complex(
func.func @complex(%z: tensor<4xcomplex<f64>>) {
  // CHECK: xla.negate %{{.+}} : tensor<4xcomplex<f64>>
  %0 = xla.negate %z : tensor<4xcomplex<f64>>
  // CHECK: xla.sign %{{.+}} : tensor<4xcomplex<f64>>
  %1 = xla.sign %z : tensor<4xcomplex<f64>>
  // CHECK: xla.square %{{.+}} : tensor<4xcomplex<f64>>
  %2 = xla.square %z : tensor<4xcomplex<f64>>
  // CHECK: xla.sqrt %{{.+}} : tensor<4xcomplex<f64>>
  %3 = xla.sqrt %z : tensor<4xcomplex<f64>>
  // CHECK: xla.rsqrt %{{.+}} : tensor<4xcomplex<f64>>
  %4 = xla.rsqrt %z : tensor<4xcomplex<f64>>
  // CHECK: xla.exponential %{{.+}} : tensor<4xcomplex<f64>>
  %5 = xla.exponential %z : tensor<4xcomplex<f64>>
  // CHECK: xla.exponential_minus_one %{{.+}} : tensor<4xcomplex<f64>>
  %6 = xla.exponential_minus_one %z : tensor<4xcomplex<f64>>
  // CHECK: xla.log %{{.+}} : tensor<4xcomplex<f64>>
  %7 = xla.log %z : tensor<4xcomplex<f64>>
  // CHECK: xla.log_plus_one %{{.+}} : tensor<4xcomplex<f64>>
  %8 = xla.log_plus_one %z : tensor<4xcomplex<f64>>
  // CHECK: xla.logistic %{{.+}} : tensor<4xcomplex<f64>>
  %9 = xla.logistic %z : tensor<4xcomplex<f64>>
  // CHECK: xla.sine %{{.+}} : tensor<4xcomplex<f64>>
  %10 = xla.sine %z : tensor<4xcomplex<f64>>
  // CHECK: xla.cosine %{{.+}} : tensor<4xcomplex<f64>>
  %11 = xla.cosine %z : tensor<4xcomplex<f64>>
  // CHECK: xla.tan %{{.+}} : tensor<4xcomplex<f64>>
  %12 = xla.tan %z : tensor<4xcomplex<f64>>
  // CHECK: xla.tanh %{{.+}} : tensor<4xcomplex<f64>>
  %13 = xla.tanh %z : tensor<4xcomplex<f64>>
  // CHECK: xla.sinh %{{.+}} : tensor<4xcomplex<f64>>
  %14 = xla.sinh %z : tensor<4xcomplex<f64>>
  // CHECK: xla.cosh %{{.+}} : tensor<4xcomplex<f64>>
  %15 = xla.cosh %z : tensor<4xcomplex<f64>>
  // CHECK: xla.asin %{{.+}} : tensor<4xcomplex<f64>>
  %16 = xla.asin %z : tensor<4xcomplex<f64>>
  // CHECK: xla.acos %{{.+}} : tensor<4xcomplex<f64>>
  %17 = xla.acos %z : tensor<4xcomplex<f64>>
  // CHECK: xla.atan %{{.+}} : tensor<4xcomplex<f64>>
  %18 = xla.atan %z : tensor<4xcomplex<f64>>
  // CHECK: xla.asinh %{{.+}} : tensor<4xcomplex<f64>>
  %19 = xla.asinh %z : tensor<4xcomplex<f64>>
  // CHECK: xla.acosh %{{.+}} : tensor<4xcomplex<f64>>
  %20 = xla.acosh %z : tensor<4xcomplex<f64>>
  // CHECK: xla.atanh %{{.+}} : tensor<4xcomplex<f64>>
  %21 = xla.atanh %z : tensor<4xcomplex<f64>>
  // CHECK: xla.conj %{{.+}} : tensor<4xcomplex<f64>>
  %22 = xla.conj %z : tensor<4xcomplex<f64>>
  // CHECK: xla.abs %{{.+}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %rabs = xla.abs %z : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: xla.real %{{.+}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %rreal = xla.real %z : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  // CHECK: xla.imag %{{.+}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %rimag = xla.imag %z : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @signed(
func.func @signed(%x: tensor<2xi32>) {
  // CHECK: xla.abs %{{.+}} : tensor<2xi32>
  %0 = xla.abs %x : tensor<2xi32>
  // CHECK: xla.negate %{{.+}} : tensor<2xi32>
  %1 = xla.negate %x : tensor<2xi32>
  // CHECK: xla.sign %{{.+}} : tensor<2xi32>
  %2 = xla.sign %x : tensor<2xi32>
  // CHECK: xla.square %{{.+}} : tensor<2xi32>
  %3 = xla.square %x : tensor<2xi32>
  // CHECK: xla.not %{{.+}} : tensor<2xi32>
  %4 = xla.not %x : tensor<2xi32>
  // CHECK: xla.popcnt %{{.+}} : tensor<2xi32>
  %5 = xla.popcnt %x : tensor<2xi32>
  // CHECK: xla.count_leading_zeros %{{.+}} : tensor<2xi32>
  %6 = xla.count_leading_zeros %x : tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @unsigned(
func.func @unsigned(%x: tensor<2xui4>) {
  // CHECK: xla.negate %{{.+}} : tensor<2xui4>
  %0 = xla.negate %x : tensor<2xui4>
  // CHECK: xla.square %{{.+}} : tensor<2xui4>
  %1 = xla.square %x : tensor<2xui4>
  // CHECK: xla.not %{{.+}} : tensor<2xui4>
  %2 = xla.not %x : tensor<2xui4>
  // CHECK: xla.popcnt %{{.+}} : tensor<2xui4>
  %3 = xla.popcnt %x : tensor<2xui4>
  // CHECK: xla.count_leading_zeros %{{.+}} : tensor<2xui4>
  %4 = xla.count_leading_zeros %x : tensor<2xui4>
  return
}

// CHECK-LABEL: func.func @pred(
func.func @pred(%x: tensor<2xi1>) {
  // CHECK: xla.not %{{.+}} : tensor<2xi1>
  %0 = xla.not %x : tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @accuracy(
func.func @accuracy(%x: tensor<2xf32>) {
  // CHECK: xla.cbrt %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %0 = xla.cbrt %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.sqrt %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %1 = xla.sqrt %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.rsqrt %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %2 = xla.rsqrt %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.exponential %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %3 = xla.exponential %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.exponential_minus_one %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %4 = xla.exponential_minus_one %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.log %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %5 = xla.log %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.log_plus_one %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %6 = xla.log_plus_one %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.logistic %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %7 = xla.logistic %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.sine %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %8 = xla.sine %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.cosine %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %9 = xla.cosine %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.tan %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %10 = xla.tan %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  // CHECK: xla.tanh %{{.+}} {result_accuracy = #xla.result_accuracy<mode = <HIGHEST>>} : tensor<2xf32>
  %11 = xla.tanh %x {result_accuracy = #xla.result_accuracy<mode = #xla.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return
}

// CHLO writes the result type after an arrow.
// CHECK-LABEL: func.func @chlo_form(
func.func @chlo_form(%x: tensor<2xf32>) {
  // CHECK: xla.erf_inv %{{.+}} : tensor<2xf32>
  %0 = xla.erf_inv %x : tensor<2xf32> -> tensor<2xf32>
  return
}
