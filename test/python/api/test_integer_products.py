# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of bytes and halves are exact, wrap, and use what the processor has: all values, odd sizes, every order of
dimensions, on processors with other instructions."""

import re

import numpy as np
import pytest
from byte_products import extreme_integers, wrapped_product

import mlir_xla
from mlir_xla import ir
from mlir_xla._mlir_libs._xla import compiler

TYPES = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16}
# Rows, steps, columns: whole tiles, remainders of each, several blocks, few rows, few columns.
SIZES = [(64, 64, 64), (37, 41, 53), (4, 1000, 100), (300, 2500, 70), (6, 18, 24), (5, 4101, 17), (24, 66, 16)]
# The host's own processor, and those that it can be without some of its features.
FEATURES = ["", "-avx512vnni,-avxvnni", "-avx512f", "-avx512f,-avxvnni", "-avx2,-avx512f"]


def program(
    element: str, left: tuple[int, ...], right: tuple[int, ...], result: tuple[int, ...], dims: str, sums: str = "i32"
) -> str:
    x, y = (f"tensor<{'x'.join(map(str, shape))}x{element}>" for shape in (left, right))
    r = f"tensor<{'x'.join(map(str, result))}x{sums}>"
    return f"""
    func.func @main(%x: {x}, %y: {y}) -> {r} {{
      %0 = xla.dot_general %x, %y, {dims} : ({x}, {y}) -> {r}
      return %0 : {r}
    }}"""


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("features", FEATURES)
def test_products(element, features):
    rng = np.random.default_rng(1)
    for m, k, n in SIZES:
        for left_k, right_k in [(1, 0), (0, 0), (1, 1), (0, 1)]:
            x = extreme_integers((m, k) if left_k else (k, m), TYPES[element], rng)
            y = extreme_integers((n, k) if right_k else (k, n), TYPES[element], rng)
            text = program(element, x.shape, y.shape, (m, n), f"contracting_dims = [{left_k}] x [{right_k}]")
            have = np.asarray(mlir_xla.compile(text, features=features, threads=(m + k) % 2)(x, y))
            want = wrapped_product(x if left_k else x.T, y.T if right_k else y)
            np.testing.assert_array_equal(have, want, f"{m}x{k}x{n} {left_k} {right_k}")


@pytest.mark.parametrize("target", ["reference", "cpu", "cuda-emulated"])
@pytest.mark.parametrize(
    ("element", "result"), [("i8", "f32"), ("ui8", "f32"), ("i16", "f64"), ("i1", "f32"), ("i32", "bf16")]
)
def test_sums_as_floats(element, result, target):
    """`preferred_element_type` of integers may be a float."""
    rng = np.random.default_rng(5)
    for m, k, n in [(64, 64, 64), (37, 41, 53)]:
        if element == "i1":
            x, y = (rng.integers(0, 2, shape).astype(bool) for shape in ((m, k), (k, n)))
        else:
            x, y = (rng.integers(0, 5, shape).astype(TYPES.get(element, np.int32)) for shape in ((m, k), (k, n)))
        text = program(element, x.shape, y.shape, (m, n), "contracting_dims = [1] x [0]", result)
        have = np.asarray(mlir_xla.compile(text, target=target)(x, y))
        want = x.astype(np.float64) @ y.astype(np.float64)
        np.testing.assert_array_equal(have, want.astype(have.dtype))


@pytest.mark.parametrize("element", ["i8", "ui8"])
def test_batches(element):
    rng = np.random.default_rng(2)
    x, y = extreme_integers((7, 30, 50), TYPES[element], rng), extreme_integers((7, 50, 70), TYPES[element], rng)
    dims = "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
    have = mlir_xla.compile(program(element, x.shape, y.shape, (7, 30, 70), dims))(x, y)
    np.testing.assert_array_equal(np.asarray(have), wrapped_product(x, y))


@pytest.mark.parametrize(("left", "right"), [("ui8", "i8"), ("i8", "ui8"), ("i16", "i8"), ("ui8", "i16")])
@pytest.mark.parametrize("features", FEATURES)
def test_factors_of_two_types(left, right, features):
    """JAX widens both factors before the product, if their types differ."""
    rng = np.random.default_rng(4)
    for m, k, n in [(64, 64, 64), (37, 41, 53), (300, 2500, 70)]:
        x, y = extreme_integers((m, k), TYPES[left], rng), extreme_integers((k, n), TYPES[right], rng)
        text = f"""
        func.func @main(%x: tensor<{m}x{k}x{left}>, %y: tensor<{k}x{n}x{right}>) -> tensor<{m}x{n}xi32> {{
          %0 = xla.convert %x : (tensor<{m}x{k}x{left}>) -> tensor<{m}x{k}xi32>
          %1 = xla.convert %y : (tensor<{k}x{n}x{right}>) -> tensor<{k}x{n}xi32>
          %2 = xla.dot_general %0, %1, contracting_dims = [1] x [0]
            : (tensor<{m}x{k}xi32>, tensor<{k}x{n}xi32>) -> tensor<{m}x{n}xi32>
          return %2 : tensor<{m}x{n}xi32>
        }}"""
        have = np.asarray(mlir_xla.compile(text, features=features)(x, y))
        np.testing.assert_array_equal(have, wrapped_product(x, y), f"{m}x{k}x{n}")


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("features", FEATURES)
def test_narrow_results(element, features):
    """Sums of the factors' type wrap as it does."""
    rng = np.random.default_rng(5)
    for m, k, n in [(64, 64, 64), (37, 41, 53), (3, 5, 7)]:
        x, y = extreme_integers((m, k), TYPES[element], rng), extreme_integers((k, n), TYPES[element], rng)
        text = program(element, x.shape, y.shape, (m, n), "contracting_dims = [1] x [0]").replace("xi32", f"x{element}")
        have = np.asarray(mlir_xla.compile(text, features=features)(x, y))
        np.testing.assert_array_equal(have, wrapped_product(x, y).astype(TYPES[element]), f"{m}x{k}x{n}")


def test_epilogue():
    """What is computed of the sums, here in f32, is computed behind the last block of steps."""
    rng = np.random.default_rng(3)
    x, y = extreme_integers((50, 5000), TYPES["i8"], rng), extreme_integers((5000, 40), TYPES["i8"], rng)
    scale = rng.standard_normal(40).astype(np.float32)
    text = """
    func.func @main(%x: tensor<50x5000xi8>, %y: tensor<5000x40xi8>, %s: tensor<40xf32>) -> tensor<50x40xf32> {
      %0 = xla.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<50x5000xi8>, tensor<5000x40xi8>) -> tensor<50x40xi32>
      %1 = xla.convert %0 : (tensor<50x40xi32>) -> tensor<50x40xf32>
      %2 = xla.broadcast_in_dim %s, dims = [1] : (tensor<40xf32>) -> tensor<50x40xf32>
      %3 = xla.multiply %1, %2 : tensor<50x40xf32>
      return %3 : tensor<50x40xf32>
    }"""
    have = np.asarray(mlir_xla.compile(text)(x, y, scale))
    np.testing.assert_array_equal(have, wrapped_product(x, y).astype(np.float32) * scale)


@pytest.mark.parametrize(
    ("element", "cpu", "features", "instruction"),
    [
        ("i8", "x86-64-v4", "+avx512vnni", r"vpdpbusd\t.*%zmm"),
        ("i8", "x86-64-v4", "", r"vpmaddwd\t.*%zmm"),
        ("i8", "x86-64-v3", "+avxvnni", r"vpdpbusd\t.*%ymm"),
        ("i8", "x86-64-v3", "", r"vpmaddwd\t.*%ymm"),
        ("i8", "x86-64", "", r"pmaddwd\t.*%xmm"),
        ("i16", "x86-64-v4", "+avx512vnni", r"vpdpwssd\t.*%zmm"),
        ("i16", "x86-64-v3", "+avxvnni", r"vpdpwssd\t.*%ymm"),
    ],
)
def test_instructions(element, cpu, features, instruction):
    """Code for processors that this one need not be."""
    text = program(element, (64, 64), (64, 64), (64, 64), "contracting_dims = [1] x [0]")
    with ir.Context():
        executable = compiler.compile(ir.Module.parse(text).operation, cpu=cpu, features=features, keep_stages=True)
    assert re.search(instruction, executable.stages["binary"])
