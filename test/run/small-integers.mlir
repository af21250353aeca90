// REQUIRES: xla-run
// RUN: xla-run %s --split-input-file --target=cpu
// RUN: xla-run %s --split-input-file --target=cuda-emulated
// RUN: xla-run %s --split-input-file --target=reference

// Integers of less than a byte against constants: only their own bits count. Functions are named as they like.
func.func @signed() {
  %x0 = stablehlo.constant dense<[0, 1, 2, -3, 0]> : tensor<5xi4>
  %y0 = stablehlo.constant dense<[-8, -1, 2, -3, 7]> : tensor<5xi4>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<5xi4>, tensor<5xi4>
  %add = stablehlo.add %x, %y : tensor<5xi4>
  check.expect_eq_const %add, dense<[-8, 0, 4, -6, 7]> : tensor<5xi4>
  %subtract = stablehlo.subtract %x, %y : tensor<5xi4>
  check.expect_eq_const %subtract, dense<[-8, 2, 0, 0, -7]> : tensor<5xi4>
  %maximum = stablehlo.maximum %x, %y : tensor<5xi4>
  check.expect_eq_const %maximum, dense<[0, 1, 2, -3, 7]> : tensor<5xi4>
  %minimum = stablehlo.minimum %x, %y : tensor<5xi4>
  check.expect_eq_const %minimum, dense<[-8, -1, 2, -3, 0]> : tensor<5xi4>
  %negate = stablehlo.negate %y : tensor<5xi4>
  check.expect_eq_const %negate, dense<[-8, 1, -2, 3, -7]> : tensor<5xi4>
  %not = stablehlo.not %x : tensor<5xi4>
  check.expect_eq_const %not, dense<[-1, -2, -3, 2, -1]> : tensor<5xi4>
  %and = stablehlo.and %x, %y : tensor<5xi4>
  check.expect_eq_const %and, dense<[0, 1, 2, -3, 0]> : tensor<5xi4>
  %or = stablehlo.or %x, %y : tensor<5xi4>
  check.expect_eq_const %or, dense<[-8, -1, 2, -3, 7]> : tensor<5xi4>
  %xor = stablehlo.xor %x, %y : tensor<5xi4>
  check.expect_eq_const %xor, dense<[-8, -2, 0, 0, 7]> : tensor<5xi4>
  check.expect_eq_const %xor, dense<"0x080E000007"> : tensor<5xi4>
  check.expect_eq_const %xor, dense<"0xF8FE000007"> : tensor<5xi4>
  check.expect_eq_const %xor, dense_resource<xor> : tensor<5xi4>
  return
}

{-#
  dialect_resources: {
    builtin: {
      xor: "0x0100000008FE10F007"
    }
  }
#-}

// -----

func.func @unsigned() {
  %x0 = stablehlo.constant dense<[0, 2, 9]> : tensor<3xui4>
  %y0 = stablehlo.constant dense<[15, 3, 9]> : tensor<3xui4>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<3xui4>, tensor<3xui4>
  %add = stablehlo.add %x, %y : tensor<3xui4>
  check.expect_eq_const %add, dense<[15, 5, 2]> : tensor<3xui4>
  %maximum = stablehlo.maximum %x, %y : tensor<3xui4>
  check.expect_eq_const %maximum, dense<[15, 3, 9]> : tensor<3xui4>
  %shift = stablehlo.shift_right_arithmetic %y, %y : tensor<3xui4>
  check.expect_eq_const %shift, dense<[15, 0, 15]> : tensor<3xui4>
  return
}

// -----

func.func @two_bits() {
  %x0 = stablehlo.constant dense<[-2, -1, 0, 1]> : tensor<4xi2>
  %y0 = stablehlo.constant dense<3> : tensor<4xui2>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<4xi2>, tensor<4xui2>
  %add = stablehlo.add %x, %x : tensor<4xi2>
  check.expect_eq_const %add, dense<[0, -2, 0, -2]> : tensor<4xi2>
  %not = stablehlo.not %y : tensor<4xui2>
  check.expect_eq_const %not, dense<0> : tensor<4xui2>
  check.expect_eq_const %y, dense<3> : tensor<4xui2>
  %wide = stablehlo.convert %y : (tensor<4xui2>) -> tensor<4xi32>
  check.expect_eq_const %wide, dense<3> : tensor<4xi32>
  return
}

// -----

// Bits in other groups.
func.func @bitcast() {
  %x0 = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<i64>
  %x = stablehlo.optimization_barrier %x0 : tensor<i64>
  %nibbles = stablehlo.bitcast_convert %x : (tensor<i64>) -> tensor<16xi4>
  check.expect_eq_const %nibbles, dense<[0xF, 0xE, 0xD, 0xC, 0xB, 0xA, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<16xi4>
  %back = stablehlo.bitcast_convert %nibbles : (tensor<16xi4>) -> tensor<f64>
  check.expect_eq_const %back, dense<0x0123456789ABCDEF> : tensor<f64>
  %bits = stablehlo.bitcast_convert %nibbles : (tensor<16xi4>) -> tensor<16x4xi1>
  %first = stablehlo.slice %bits [0:2, 0:4] : (tensor<16x4xi1>) -> tensor<2x4xi1>
  check.expect_eq_const %first, dense<[[true, true, true, true], [false, true, true, true]]> : tensor<2x4xi1>
  return
}
