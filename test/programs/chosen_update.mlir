// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of which one element a turn is written or not, with counters beside it that another test decides on.
func.func @main(%x: tensor<9x9xi32>, %n: tensor<i32>) -> (tensor<9x9xi32>, tensor<12xi32>) {
  %zero = xla.constant dense<0> : tensor<i32>
  %zeros = xla.constant dense<0> : tensor<12xi32>
  %r:3 = xla.while(%k = %zero, %t = %x, %c = %zeros) : tensor<i32>, tensor<9x9xi32>, tensor<12xi32>
  cond {
    %most = xla.constant dense<40> : tensor<i32>
    %more = xla.compare LT, %k, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    xla.return %more : tensor<i1>
  } do {
    %one = xla.constant dense<1> : tensor<i32>
    %nine = xla.constant dense<9> : tensor<i32>
    %i = xla.remainder %k, %nine : tensor<i32>
    %square = xla.multiply %k, %k : tensor<i32>
    %j = xla.remainder %square, %nine : tensor<i32>
    %is_low = xla.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %old = xla.dynamic_slice %t, %j, %i, sizes = [1, 1] : (tensor<9x9xi32>, tensor<i32>, tensor<i32>) -> tensor<1x1xi32>
    %here = xla.reshape %k : (tensor<i32>) -> tensor<1x1xi32>
    %new = xla.add %old, %here : tensor<1x1xi32>
    %written = xla.dynamic_update_slice %t, %new, %i, %j : (tensor<9x9xi32>, tensor<1x1xi32>, tensor<i32>, tensor<i32>) -> tensor<9x9xi32>
    %next = xla.select %is_low, %written, %t : tensor<i1>, tensor<9x9xi32>
    %window = xla.dynamic_slice %c, %i, sizes = [3] : (tensor<12xi32>, tensor<i32>) -> tensor<3xi32>
    %ones = xla.constant dense<[1, 10, 100]> : tensor<3xi32>
    %counted = xla.add %window, %ones : tensor<3xi32>
    %first = xla.dynamic_update_slice %c, %counted, %i : (tensor<12xi32>, tensor<3xi32>, tensor<i32>) -> tensor<12xi32>
    %second = xla.dynamic_update_slice %first, %window, %j : (tensor<12xi32>, tensor<3xi32>, tensor<i32>) -> tensor<12xi32>
    %counts = xla.select %is_low, %c, %second : tensor<i1>, tensor<12xi32>
    %turn = xla.add %k, %one : tensor<i32>
    xla.return %turn, %next, %counts : tensor<i32>, tensor<9x9xi32>, tensor<12xi32>
  }
  return %r#1, %r#2 : tensor<9x9xi32>, tensor<12xi32>
}
func.func @inputs() -> (tensor<9x9xi32>, tensor<i32>) {
  %x = xla.iota dim = 1 : tensor<9x9xi32>
  %n = xla.constant dense<4> : tensor<i32>
  return %x, %n : tensor<9x9xi32>, tensor<i32>
}
