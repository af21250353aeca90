# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that no target takes, and sizes beyond any machine: an error each, with its place where there is one."""

import numpy as np
import pytest
from api_programs import TARGETS

import mlir_xla
from mlir_xla import ir
from mlir_xla.errors import XlaError
from mlir_xla.reference import InterpreterError

RECURSIVE = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @other(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @other(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @main(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_recursion(target):
    with pytest.raises((ir.MLIRError, InterpreterError), match=r"\[Call-N2\] recursion: @\w+ is called from within"):
        mlir_xla.compile(RECURSIVE, target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_deeply_nested_types(target):
    nested = "tuple<" * 400 + "tensor<f32>" + ">" * 400
    text = f"func.func @main(%x: {nested}) -> {nested} {{ return %x : {nested} }}"
    with pytest.raises((XlaError, ir.MLIRError), match="nested too deeply|nest"):
        mlir_xla.compile(text, target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_endless_tuples(target):
    """Types are shared, so that 40 lines write a tuple of 2^40 arrays."""
    aliases = "!t0 = tensor<f32>\n" + "".join(f"!t{i + 1} = tuple<!t{i}, !t{i}>\n" for i in range(40))
    with pytest.raises(ir.MLIRError, match="a tuple of more than 100000 elements"):
        mlir_xla.compile(aliases + "func.func @main(%x: !t40) { return }", target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("encoding", ["dense<[0, 1]> : tensor<2xindex>", '"column"'])
def test_encodings(encoding, target):
    """What is no layout would be lost."""
    for operation in ("", f"%y = stablehlo.negate %x : tensor<2x3xf32, {encoding}>"):
        text = f"func.func @main(%x: tensor<2x3xf32, {encoding}>) {{ {operation} return }}"
        with pytest.raises((XlaError, ir.MLIRError), match="has an encoding that is neither a layout nor bounds"):
            mlir_xla.compile(text, target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("strides", ["array<i32: 3>", "dense<3> : tensor<1xi64>"])
def test_attributes_of_another_kind(strides, target):
    """None is left out, so that the windows are others."""
    text = f"""
func.func @main(%x: tensor<8xf32>, %i: tensor<f32>) -> tensor<7xf32> {{
  %0 = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: 2>, window_strides = {strides}}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}}"""
    with pytest.raises(ir.MLIRError, match="attribute 'window_strides' failed to satisfy constraint"):
        mlir_xla.compile(text, target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_deeply_nested_regions(target):
    text = "func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {\n"
    for i in range(300):
        text += f'%{i} = "xla.if"(%p) ({{\n'
    text += '"xla.return"(%x) : (tensor<f32>) -> ()\n'
    for i in reversed(range(300)):
        text += '}, { "xla.return"(%x) : (tensor<f32>) -> () }) : (tensor<i1>) -> tensor<f32>\n'
        text += f'"xla.return"(%{i}) : (tensor<f32>) -> ()\n' if i else f"return %{i} : tensor<f32>\n"
    text += "}"
    try:
        assert mlir_xla.compile(text, target=target)(True, np.float32(3)) == 3
    except (XlaError, InterpreterError) as error:
        assert target == "reference" and "nested too deeply" in str(error)


@pytest.mark.parametrize("target", TARGETS)
def test_places_of_signatures(target):
    text = "\n\nfunc.func @main(%x: tensor<2x?xf32>) -> tensor<2x?xf32> { return %x : tensor<2x?xf32> }"
    with pytest.raises(XlaError, match="^-:3:1: argument 0 of the program:"):
        mlir_xla.compile(text, target=target)


def test_half_a_character():
    with pytest.raises(ValueError, match="surrogates"):
        mlir_xla.compile("\udcff")


def test_more_elements_than_memory():
    text = """
func.func @main() -> tensor<1099511627776xf32> {
  %r = "xla.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1099511627776xf32>
  return %r : tensor<1099511627776xf32>
}
"""
    with pytest.raises(MemoryError, match="4398046511104 bytes"):
        mlir_xla.compile(text)()


@pytest.mark.parametrize("spelling", ["array<index: 0>", "array < index : 0 >"])
@pytest.mark.parametrize("target", TARGETS)
def test_array_of_index(target, spelling):
    """MLIR's parser crashes on them."""
    text = f"""
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = "xla.reverse"(%x) <{{dimensions = {spelling}}}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}
"""
    with pytest.raises(ir.MLIRError, match="dense array has integers or floats") as error:
        mlir_xla.compile(text, target=target)
    assert "3:4" in str(error.value.error_diagnostics[0].location)
    commented = text.replace(spelling, "array<i64: 0> /*").replace("/*", f"// {spelling}\n")
    assert mlir_xla.compile(commented, target=target)(np.float32([1, 2])).tolist() == [2, 1]


@pytest.mark.parametrize(
    "body",
    [
        '%r = "xla.broadcast"(%x) <{broadcast_sizes = array<i64: 9223372036854775807>}> '
        ": (tensor<2xf32>) -> tensor<9223372036854775807x2xf32>",
        "%r = xla.constant dense<1.0> : tensor<9223372036854775807x2xf32>",
    ],
)
def test_sizes_beyond_64_bits(body):
    text = f"""
func.func @main(%x: tensor<2xf32>) -> tensor<9223372036854775807x2xf32> {{
  {body}
  return %r : tensor<9223372036854775807x2xf32>
}}
"""
    with pytest.raises(mlir_xla.XlaError, match=r":2:1: result 0 .* takes more than 2\^63 - 1 bytes"):
        mlir_xla.compile(text)
    inside = text.replace("-> tensor<9223372036854775807x2xf32> {", "-> tensor<2xf32> {")
    inside = inside.replace("return %r : tensor<9223372036854775807x2xf32>", "return %x : tensor<2xf32>")
    inside = inside.replace(
        "  return",
        "  xla.custom_call @f(%r) {has_side_effect = true} : (tensor<9223372036854775807x2xf32>) -> ()\n  return",
    )
    with pytest.raises(ir.MLIRError, match="has more elements than any memory holds"):
        mlir_xla.compile(inside)
