# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a few elements that are padded: comparisons of rows become those of elements, and rows one dimension."""

import ml_dtypes
import numpy as np
import pytest

from mlir_xla import api

# Each comparison of `row - 5` with 17, the index on the left.
COMPARISONS = {
    "slt": np.less,
    "sle": np.less_equal,
    "sgt": np.greater,
    "sge": np.greater_equal,
    "ult": lambda x, y: np.less(x.astype(np.uint64), y),
    "ule": lambda x, y: np.less_equal(x.astype(np.uint64), y),
    "ugt": lambda x, y: np.greater(x.astype(np.uint64), y),
    "uge": lambda x, y: np.greater_equal(x.astype(np.uint64), y),
    "eq": np.equal,
    "ne": np.not_equal,
}


def choosing(predicate: str, operands: str, others: str = "") -> str:
    return f"""
#whole = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<40x3xf32>) -> tensor<40x3xf32> {{
  %e = tensor.empty() : tensor<40x3xf32>
  %0 = linalg.generic {{indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}}
      ins(%x : tensor<40x3xf32>) outs(%e : tensor<40x3xf32>) {{
  ^bb0(%a: f32, %out: f32):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %five = arith.constant 5 : index
    %index = arith.subi %row, %five : index
    %bound = arith.constant 17 : index
    %holds = arith.cmpi {predicate}, {operands} : index
    %twice = arith.addf %a, %a : f32
    %chosen = arith.select %holds, %twice, %a : f32{others}
    linalg.yield %chosen : f32
  }} -> tensor<40x3xf32>
  return %0 : tensor<40x3xf32>
}}
"""


def nest_of(executable) -> str:
    return executable.stages["kernels"].split("#xla_rt.nest<")[1].split(",")[0]


@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize("predicate", COMPARISONS)
def test_each_comparison(predicate, is_swapped):
    expected, operands = COMPARISONS[predicate], "%index, %bound"
    if is_swapped:
        predicate, operands = predicate.translate(str.maketrans("lg", "gl")), "%bound, %index"
    executable = api.compile_stage(choosing(predicate, operands), "cpu", "linalg")
    x = np.arange(1, 121, dtype=np.float32).reshape(40, 3)
    holds = expected(np.arange(40) - 5, 17)
    assert np.array_equal(executable(x)[0], np.where(holds[:, None], 2 * x, x))
    # What is equal to a bound is no range of elements.
    assert nest_of(executable) == ("40x3" if predicate in ("eq", "ne") else "1x120")


def test_indices_with_other_uses_stay():
    others = """
    %number = arith.index_cast %index : index to i32
    %float = arith.sitofp %number : i32 to f32
    %sum = arith.addf %chosen, %float : f32"""
    text = choosing("slt", "%index, %bound", others).replace("linalg.yield %chosen", "linalg.yield %sum")
    executable = api.compile_stage(text, "cpu", "linalg")
    x = np.arange(1, 121, dtype=np.float32).reshape(40, 3)
    index = (np.arange(40, dtype=np.float32) - 5)[:, None]
    assert np.array_equal(executable(x)[0], np.where(index < 17, 2 * x, x) + index)
    assert nest_of(executable) != "1x120"


@pytest.mark.parametrize("target", ["cpu", "cuda-emulated"])
@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "ui8"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 7, 16, 33, 70])
def test_padded_images(channels, dtype, target):
    of = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "ui8": np.uint8}[dtype]
    shape = (2, 9, 11, channels)
    x = np.random.default_rng(0).integers(1, 100, shape).astype(of)
    zero = "0" if dtype == "ui8" else "0.0"
    before, after = ("x".join(map(str, (*each, ""))) + dtype for each in (shape, (2, 12, 16, channels)))
    text = f"""
func.func @main(%x: tensor<{before}>) -> tensor<{after}> {{
  %zero = xla.constant dense<{zero}> : tensor<{dtype}>
  %0 = xla.pad %x, %zero, low = [0, 1, 3, 0], high = [0, 2, 2, 0], interior = [0, 0, 0, 0]
    : (tensor<{before}>, tensor<{dtype}>) -> tensor<{after}>
  return %0 : tensor<{after}>
}}
"""
    result = api.compile(text, target=target)(x)
    assert np.array_equal(np.asarray(result), np.pad(x, ((0, 0), (1, 2), (3, 2), (0, 0))))
