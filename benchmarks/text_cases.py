# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small StableHLO programs that JAX does not emit, written by hand: operations and spellings of other producers.

Each entry is the body of a module; its `@main` says the inputs. `run_text` executes any StableHLO text on XLA:CPU.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import jax
import numpy as np
from program import Spec, spec

_REGION_ADD = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
})"""

TEXT_CASES: dict[str, str] = {
    "map": """
func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    %2 = stablehlo.tanh %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}""",
    "map_changes_type": """
func.func @main(%x: tensor<7xf32>) -> tensor<7xi32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7xf32>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}""",
    "dot_legacy": """
func.func @main(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot %x, %y, precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}""",
    "dot_legacy_vectors": """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}""",
    "batch_norm_inference": """
func.func @main(%x: tensor<2x5x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>,
    %mean: tensor<3xf32>, %variance: tensor<3xf32>) -> tensor<2x5x3xf32> {
  %v = stablehlo.abs %variance : tensor<3xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %v) <{
    epsilon = 0.001 : f32, feature_index = 2 : i64
  }> : (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}""",
    "batch_norm_training": """
func.func @main(%x: tensor<2x3x5xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>)
    -> (tensor<2x3x5xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 0.001 : f32, feature_index = 1 : i64}>
    : (tensor<2x3x5xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x5xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3x5xf32>, tensor<3xf32>, tensor<3xf32>
}""",
    "batch_norm_grad": """
func.func @main(%x: tensor<2x5x3xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>,
    %variance: tensor<3xf32>, %g: tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %v = stablehlo.abs %variance : tensor<3xf32>
  %0:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %v, %g) <{epsilon = 0.001 : f32, feature_index = 2 : i64}>
    : (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x5x3xf32>)
    -> (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>
}""",
    "tuple": """
func.func @main(%x: tensor<3xf32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<3xf32>) {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<3xf32>, tensor<2xi32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<3xf32>, tensor<2xi32>>) -> tensor<2xi32>
  %2 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<3xf32>, tensor<2xi32>>) -> tensor<3xf32>
  return %1, %2 : tensor<2xi32>, tensor<3xf32>
}""",
    "tuple_nested": """
func.func @main(%x: tensor<3xf32>, %y: tensor<2xi32>) -> tensor<3xf32> {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<3xf32>, tensor<2xi32>>
  %1 = stablehlo.tuple %0, %x : tuple<tuple<tensor<3xf32>, tensor<2xi32>>, tensor<3xf32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<3xf32>, tensor<2xi32>>, tensor<3xf32>>)
    -> tuple<tensor<3xf32>, tensor<2xi32>>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<3xf32>, tensor<2xi32>>) -> tensor<3xf32>
  %4 = stablehlo.negate %3 : tensor<3xf32>
  return %4 : tensor<3xf32>
}""",
    "if": """
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %x : tensor<4xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %1, %c : tensor<4xf32>, tensor<i32>
  }, {
    %1 = stablehlo.cosine %x : tensor<4xf32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1, %c : tensor<4xf32>, tensor<i32>
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<i32>
}""",
    "case_out_of_range": """
func.func @main(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %k = stablehlo.add %i, %i : tensor<i32>
  %0 = "stablehlo.case"(%k) ({
    %1 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""",
    "broadcast_legacy": """
func.func @main(%x: tensor<3xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2, 4] : (tensor<3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}""",
    "compare_total_order": """
func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xi1>, tensor<6xi1>) {
  %n = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0xFFC00000, 0x7F800000, 1.0]> : tensor<6xf32>
  %m = stablehlo.constant dense<[-0.0, 0.0, 1.0, 1.0, 0x7FC00000, 1.0]> : tensor<6xf32>
  %nb:2 = stablehlo.optimization_barrier %n, %m : tensor<6xf32>, tensor<6xf32>
  %0 = stablehlo.compare LT, %nb#0, %nb#1, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %1 = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %0, %1 : tensor<6xi1>, tensor<6xi1>
}""",
    "compare_nan": """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %n = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7F800000, -0.0]> : tensor<4xf32>
  %0 = stablehlo.compare NE, %n, %n, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare LE, %n, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare EQ, %n, %n : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}""",
    "minmax_nan": """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %n = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7F800000, -0.0]> : tensor<4xf32>
  %0 = stablehlo.maximum %n, %x : tensor<4xf32>
  %1 = stablehlo.minimum %x, %n : tensor<4xf32>
  %2 = stablehlo.clamp %x, %n, %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}""",
    "special_values": """
func.func @main(%x: tensor<7xf32>)
    -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %n = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0e-30, 3.0e38]> : tensor<7xf32>
  %0 = stablehlo.exponential %n : tensor<7xf32>
  %1 = stablehlo.log %n : tensor<7xf32>
  %2 = stablehlo.tanh %n : tensor<7xf32>
  %3 = stablehlo.sqrt %n : tensor<7xf32>
  %4 = stablehlo.sign %n : tensor<7xf32>
  %5 = stablehlo.log_plus_one %n : tensor<7xf32>
  %6 = stablehlo.logistic %n : tensor<7xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}""",
    "integer_edges": """
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %n = stablehlo.constant dense<[-2147483648, 2147483647, -1, 7]> : tensor<4xi32>
  %m = stablehlo.constant dense<[2, -2, 3, -3]> : tensor<4xi32>
  %s = stablehlo.constant dense<[32, 40, -1, 31]> : tensor<4xi32>
  %0 = stablehlo.divide %n, %m : tensor<4xi32>
  %1 = stablehlo.remainder %n, %m : tensor<4xi32>
  %2 = stablehlo.shift_left %n, %s : tensor<4xi32>
  %3 = stablehlo.shift_right_arithmetic %n, %s : tensor<4xi32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}""",
    "constants": """
func.func @main() -> (tensor<2x2xf32>, tensor<3xi1>, tensor<2xcomplex<f32>>, tensor<4xui8>, tensor<2xf64>) {
  %0 = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = stablehlo.constant dense<[(1.0, -2.0), (0.5, 3.0)]> : tensor<2xcomplex<f32>>
  %3 = "stablehlo.constant"() <{value = dense<[1, 255, 0, 128]> : tensor<4xui8>}> : () -> tensor<4xui8>
  %4 = stablehlo.constant dense<[1.0e300, -0.1]> : tensor<2xf64>
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<3xi1>, tensor<2xcomplex<f32>>, tensor<4xui8>, tensor<2xf64>
}""",
    "constant_resource": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense_resource<weights> : tensor<4xf32>
  %1 = stablehlo.add %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}""",
    "reduce_generic": f"""
func.func @main(%x: tensor<3x4xf32>, %init: tensor<f32>) -> tensor<4xf32> {{
  %0 = "stablehlo.reduce"(%x, %init) <{{dimensions = array<i64: 0>}}> {_REGION_ADD}
    : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}""",
    "reduce_window_defaults": f"""
func.func @main(%x: tensor<5x6xf32>, %init: tensor<f32>) -> tensor<4x3xf32> {{
  %0 = "stablehlo.reduce_window"(%x, %init) <{{window_dimensions = array<i64: 2, 4>}}> {_REGION_ADD}
    : (tensor<5x6xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}}""",
    "convolution_reversed": """
func.func @main(%x: tensor<1x6x5x2xf32>, %k: tensor<3x2x2x4xf32>) -> tensor<1x4x5x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [1, 1], pad = [[0, 0], [1, 0]], reverse = [true, false]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x6x5x2xf32>, tensor<3x2x2x4xf32>) -> tensor<1x4x5x4xf32>
  return %0 : tensor<1x4x5x4xf32>
}""",
    "convolution_generic": """
func.func @main(%x: tensor<1x6x5x2xf32>, %k: tensor<3x2x2x4xf32>) -> tensor<1x2x5x4xf32> {
  %0 = "stablehlo.convolution"(%x, %k) <{
    batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64,
    padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>,
    precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>],
    window_reversal = array<i1: true, true>,
    window_strides = array<i64: 2, 1>
  }> : (tensor<1x6x5x2xf32>, tensor<3x2x2x4xf32>) -> tensor<1x2x5x4xf32>
  return %0 : tensor<1x2x5x4xf32>
}""",
    "while_generic": """
func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<3xf32>):
    %five = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<3xf32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %v, %v : tensor<3xf32>
    "stablehlo.return"(%1, %2) : (tensor<i32>, tensor<3xf32>) -> ()
  }) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
  return %0#1 : tensor<3xf32>
}""",
    "while_condition_captures": """
func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %lim = stablehlo.constant dense<1000.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<3xf32>
  %first = stablehlo.constant dense<1.0> : tensor<3xf32>
  %0 = stablehlo.while(%v = %first) : tensor<3xf32>
    cond {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %c = stablehlo.compare LT, %s, %lim, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %m = stablehlo.multiply %v, %two : tensor<3xf32>
      stablehlo.return %m : tensor<3xf32>
    }
  %1 = stablehlo.add %0, %x : tensor<3xf32>
  return %1 : tensor<3xf32>
}""",
    "calls": """
func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = func.call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = call @twice(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}""",
    "function_attributes": """
func.func public @main(%x: tensor<3xf32> {mhlo.sharding = "{replicated}", jax.buffer_donor = true},
    %y: tensor<3xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<3xf32> {jax.result_info = "result[0]"})
    attributes {llvm.linkage = "external"} {
  %0 = stablehlo.add %x, %y {mhlo.frontend_attributes = {note = "kept"}} : tensor<3xf32>
  return %0 : tensor<3xf32>
}""",
    "bfloat_chain": """
func.func @main(%x: tensor<33xbf16>, %y: tensor<33xbf16>) -> (tensor<33xbf16>, tensor<33xi1>) {
  %0 = stablehlo.exponential %x : tensor<33xbf16>
  %1 = stablehlo.divide %0, %y : tensor<33xbf16>
  %2 = stablehlo.compare GT, %1, %y : (tensor<33xbf16>, tensor<33xbf16>) -> tensor<33xi1>
  return %1, %2 : tensor<33xbf16>, tensor<33xi1>
}""",
    "complex_math": """
func.func @main(%x: tensor<5xcomplex<f32>>, %y: tensor<5xcomplex<f32>>)
    -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xcomplex<f32>>) {
  %0 = stablehlo.divide %x, %y : tensor<5xcomplex<f32>>
  %1 = stablehlo.tanh %x : tensor<5xcomplex<f32>>
  %2 = stablehlo.power %x, %y : tensor<5xcomplex<f32>>
  %3 = stablehlo.abs %x : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %4 = stablehlo.rsqrt %x : tensor<5xcomplex<f32>>
  return %0, %1, %2, %3, %4
    : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xcomplex<f32>>
}""",
}

_NAMES = {"complex<f32>": "c64", "complex<f64>": "c128"}


def text_specs(text: str) -> tuple[Spec, ...]:
    """The inputs of `@main`, read from the text."""
    head = text[text.index("@main(") :]
    head = head[: head.index(") ->") + 1 if ") ->" in head else head.index("->")]
    types = re.findall(r"%\w+: tensor<((?:\d+x)*)([\w<>]+?)>(?=[,) {\n])", head)
    return tuple(spec(dims + _NAMES.get(element, element)) for dims, element in types)


def run_text(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Runs StableHLO text on XLA:CPU, by JAX's private client."""
    from jax._src import xla_bridge
    from jax._src.lib import xla_client

    with jax.enable_x64(True):
        client = xla_bridge.get_backend("cpu")
        devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
        executable = client.compile_and_load(text, devices, xla_client.CompileOptions())
        return [np.asarray(each) for each in executable.execute([jax.device_put(each) for each in arguments])]
