# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of much to little on the emulated GPU: in two steps, whose results do not depend on their order, and in a
third where something remains."""

import numpy as np
import pytest
from test_teams import FIRST_OF_LARGEST

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")


def reduction(shape: tuple[int, ...], dims: list[int], op: str, initial: str, element: str) -> str:
    operand = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    kept = [str(size) for dim, size in enumerate(shape) if dim not in dims]
    result = f"tensor<{'x'.join([*kept, element])}>"
    return f"""
    func.func @main(%x: {operand}) -> {result} {{
      %init = xla.constant dense<{initial}> : tensor<{element}>
      %r = xla.reduce(%x init: %init) applies xla.{op} across dimensions = {dims}
          : ({operand}, tensor<{element}>) -> {result}
      return %r : {result}
    }}"""


@pytest.mark.parametrize(
    "shape, dims, kernels, launches",
    [
        ((131072,), [0], 2, 1),
        ((100003,), [0], 2, 1),
        ((70, 1100), [0, 1], 2, 1),
        ((3, 40000), [1], 2, 1),
        ((5000, 24), [0], 2, 2),
        ((4999, 40), [0], 3, 1),
        ((40, 50, 40), [0, 1], 2, 1),
        ((64, 2000), [1], 1, 1),
    ],
)
@pytest.mark.parametrize("op, initial, element", [("add", "0", "i32"), ("maximum", "0xFF800000", "f32")])
def test_two_steps(shape, dims, kernels, launches, op, initial, element):
    """The last block does the second one, if that is little."""
    text = reduction(shape, dims, op, initial, element)
    x = np.random.default_rng(shape).integers(-1000, 1000, shape).astype("f4" if element == "f32" else "i4")
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert program.stages["kernels"].count("xla_rt.kernel = ") == kernels
    assert program.stages["loops"].count("gpu.launch_func") == launches
    want = x.sum(tuple(dims), dtype=np.int32) if op == "add" else x.max(tuple(dims))
    np.testing.assert_array_equal(program(x), want)


@pytest.mark.parametrize("size", [100000, 100003])
def test_the_first_of_equal_elements(size):
    """Elements that do not commute meet in order."""
    text = f"""
    func.func @main(%x: tensor<{size}xf32>) -> tensor<i32> {{
      %i = xla.iota dim = 0 : tensor<{size}xi32>
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %none = xla.constant dense<0> : tensor<i32>
      %r:2 = xla.reduce(%x init: %low), (%i init: %none) across dimensions = [0]
          : (tensor<{size}xf32>, tensor<{size}xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
       reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
        %ge = xla.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = xla.select %ge, %a, %c : tensor<i1>, tensor<f32>
        %j = xla.select %ge, %b, %d : tensor<i1>, tensor<i32>
        xla.return %v, %j : tensor<f32>, tensor<i32>
      }}
      return %r#1 : tensor<i32>
    }}"""
    x = np.floor(np.random.default_rng(size).standard_normal(size) * 3).astype(np.float32)
    assert mlir_xla.compile(text, target="cuda-emulated")(x) == np.argmax(x)


def test_the_first_of_equal_elements_of_columns():
    """Also NaN, of which each wins over what comes behind it, and columns that are like the initial value. The results
    of parts are shared among warps, because their numbers ascend."""
    rows, columns = 8192, 32
    operand, numbers = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}x{columns}xi32>"
    text = f"""
    func.func @main(%x: {operand}) -> tensor<{columns}xi32> {{
      %i = xla.iota dim = 0 : {numbers}
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %none = xla.constant dense<0> : tensor<i32>
      %r:2 = xla.reduce(%x init: %low), (%i init: %none) across dimensions = [0]
          : ({operand}, {numbers}, tensor<f32>, tensor<i32>) -> (tensor<{columns}xf32>, tensor<{columns}xi32>)
{FIRST_OF_LARGEST}
      return %r#1 : tensor<{columns}xi32>
    }}"""
    draw = np.random.default_rng(5)
    x = np.floor(draw.standard_normal((rows, columns)) * 3).astype(np.float32)
    for column in range(4):
        x[draw.integers(0, rows, 40), column] = np.nan
    x[0, 4] = np.nan
    x[:, 5] = -np.inf
    x[:1000, 6] = -np.inf
    program = mlir_xla.compile(text, target="cuda-emulated")
    assert "nest<32x64, reduce d1, threads d1 1024, columns d0>" in program.stages["kernels"]
    assert program.stages["loops"].count("gpu.launch_func") == 1
    np.testing.assert_array_equal(program(x), np.argmax(x, axis=0))
