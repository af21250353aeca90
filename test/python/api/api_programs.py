# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs for the tests of compile, Executable and xla-run."""

import os

TARGETS = os.environ.get("MLIR_XLA_TEST_TARGETS", "reference,cpu").split(",")
# For whole programs, which take long where they are emulated only if they are large.
ALL_TARGETS = os.environ.get("MLIR_XLA_TEST_TARGETS", "reference,cpu,cuda-emulated").split(",")

ADD = """
func.func @main(%a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %0 = xla.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = xla.add %a, %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
"""

STABLEHLO = """
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<3xf32> {mhlo.layout_mode = "default"}) -> (tensor<f32> {jax.result_info = ""}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
"""

GENERIC = """
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>) -> tensor<3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<3xf32>):
    %0 = "stablehlo.add"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
"""

TUPLES = """
func.func @main(%a: tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>, tuple<tensor<2xf32>>> {
  %0 = xla.get_tuple_element %a[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  %1 = xla.get_tuple_element %a[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %2 = xla.tuple %0 : tuple<tensor<2xf32>>
  %3 = xla.tuple %1, %2 : tuple<tensor<i32>, tuple<tensor<2xf32>>>
  return %3 : tuple<tensor<i32>, tuple<tensor<2xf32>>>
}
"""

CHECKS = """
func.func private @inputs() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func private @expected() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<[2.0, 4.0, LAST]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func public @main() -> (tensor<3xf32> {jax.result_info = ""}) {
  %0 = call @inputs() : () -> tensor<3xf32>
  %1 = call @expected() : () -> tensor<3xf32>
  %2 = stablehlo.add %0, %0 : tensor<3xf32>
  CHECK
  return %2 : tensor<3xf32>
}
"""

CHECK_SPELLINGS = {
    "custom call": "stablehlo.custom_call @check.expect_eq(%2, %1) {has_side_effect = true}"
    " : (tensor<3xf32>, tensor<3xf32>) -> ()",
    "close": "stablehlo.custom_call @check.expect_close(%2, %1) {has_side_effect = true}"
    " : (tensor<3xf32>, tensor<3xf32>) -> ()",
    "almost": "stablehlo.custom_call @check.expect_almost_eq(%2, %1) : (tensor<3xf32>, tensor<3xf32>) -> ()",
    "op": "check.expect_eq %2, %1 : tensor<3xf32>",
    "almost op": "check.expect_almost_eq %2, %1 : tensor<3xf32>",
    "close op": "check.expect_close %2, %1, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>",
    "generic op": '"check.expect_eq"(%2, %1) : (tensor<3xf32>, tensor<3xf32>) -> ()',
    "constant": "check.expect_eq_const %2, dense<[2.0, 4.0, LAST]> : tensor<3xf32>",
    "almost constant": "check.expect_almost_eq_const %2, dense<[2.0, 4.0, LAST]> : tensor<3xf32>",
    "generic constant": '"check.expect_eq_const"(%2) <{value = dense<[2.0, 4.0, LAST]> : tensor<3xf32>}>'
    " : (tensor<3xf32>) -> ()",
}


def checks(spelling: str, last: str) -> str:
    """A program whose check compares the last element, 6, with `last`."""
    return CHECKS.replace("CHECK", CHECK_SPELLINGS[spelling]).replace("LAST", last)


# Doubles LIMIT times; what it has must not exceed 16.
LOOP = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<LIMIT> : tensor<i32>
  %most = stablehlo.constant dense<16.0> : tensor<2xf32>
  %0:2 = stablehlo.while(%k = %i, %y = %x) : tensor<i32>, tensor<2xf32> cond {
    %more = stablehlo.compare LT, %k, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %y, %y : tensor<2xf32>
    %bounded = stablehlo.minimum %next, %most : tensor<2xf32>
    stablehlo.custom_call @check.expect_eq(%next, %bounded) : (tensor<2xf32>, tensor<2xf32>) -> ()
    %j = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}
"""
