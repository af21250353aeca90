# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that a GPU's threads do together: rows by warps and blocks, squares through shared memory. Sizes are of less
than one, of one and of several teams, with and without remainders."""

import re

import numpy as np
import pytest

import mlir_xla

pytestmark = pytest.mark.usefixtures("checked")

SUM = """
  %zero = xla.constant dense<0.0> : tensor<f32>
  %s = xla.reduce(%e init: %zero) applies xla.add across dimensions = [1]
      : (tensor<{rows}x{n}xf32>, tensor<f32>) -> tensor<{rows}xf32>
"""

#: A reducer, as JAX has it for `argmax`: the largest element with its number, which is the least of equal ones. NaN is
#: larger than all.
FIRST_OF_LARGEST = """
       reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
        %gt = xla.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %ne = xla.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %first = xla.or %gt, %ne : tensor<i1>
        %eq = xla.compare EQ, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %lt = xla.compare LT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %tie = xla.and %eq, %lt : tensor<i1>
        %take = xla.or %first, %tie : tensor<i1>
        %v = xla.select %first, %a, %c : tensor<i1>, tensor<f32>
        %j = xla.select %take, %b, %d : tensor<i1>, tensor<i32>
        xla.return %v, %j : tensor<f32>, tensor<i32>
      }"""


def compared(text, arrays, plan):
    """The largest difference from the reference, relative to the largest element."""
    found = mlir_xla.compile(text, target="cuda-emulated")
    assert re.search(plan, found.stages["kernels"]), found.stages["kernels"]
    have, want = found(*arrays), mlir_xla.compile(text, target="reference")(*arrays)
    assert have.dtype == want.dtype
    scale = max(1.0, float(np.abs(want).max()))
    return float(np.abs(have.astype(np.complex128) - want.astype(np.complex128)).max()) / scale


def drawn(*shape):
    return np.random.default_rng(shape).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(
    "rows, n, threads",
    [
        (1, 40, 32),
        (7, 33, 32),
        (130, 100, 32),
        (133, 520, 64),
        (140, 1025, 128),
        (1, 5000, 256),
        (5, 1025, 256),
        (3, 3000, 256),
    ],
)
def test_sums_of_rows(rows, n, threads):
    text = f"""
    func.func @main(%e: tensor<{rows}x{n}xf32>) -> tensor<{rows}xf32> {{
      {SUM.format(rows=rows, n=n)}
      return %s : tensor<{rows}xf32>
    }}"""
    assert compared(text, [drawn(rows, n)], rf"threads d\d {threads}(, aligned)?>") < 1e-6


@pytest.mark.parametrize(
    "rows, n, threads", [(4, 37, 32), (70, 256, 32), (133, 515, 64), (133, 1030, 128), (3, 1500, 256)]
)
def test_rows_that_are_normalised(rows, n, threads):
    text = f"""
    func.func @main(%x: tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}xf32> {{
      %e = xla.exponential %x : tensor<{rows}x{n}xf32>
      {SUM.format(rows=rows, n=n)}
      %b = xla.broadcast_in_dim %s, dims = [0] : (tensor<{rows}xf32>) -> tensor<{rows}x{n}xf32>
      %r = xla.divide %e, %b : tensor<{rows}x{n}xf32>
      return %r : tensor<{rows}x{n}xf32>
    }}"""
    assert compared(text, [drawn(rows, n)], rf"(loop d\d|lanes d\d \dx1), threads d\d {threads}(, aligned)?>") < 1e-6


@pytest.mark.parametrize("element, lanes", [("bf16", 8), ("f16", 8), ("f32", 4), ("f64", 2), ("i8", 8), ("i32", 4)])
@pytest.mark.parametrize("rows, pieces", [(140, 32), (1100, 33), (600, 70)])
def test_pieces_of_rows(rows, pieces, element, lanes):
    """A thread has vectors of a row, as many as others or one less; sums, and what each element is beside them."""
    n = pieces * lanes
    text = f"""
    func.func @main(%x: tensor<{rows}x{n}xf32>) -> (tensor<{rows}x{n}x{element}>) {{
      %c = xla.convert %x : (tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}x{element}>
      %e = xla.optimization_barrier %c : tensor<{rows}x{n}x{element}>
      %i = xla.iota dim = 1 : tensor<{rows}x{n}x{element}>
      %p = xla.maximum %e, %i : tensor<{rows}x{n}x{element}>
      %low = xla.constant dense<-100> : tensor<i32>
      %init = xla.convert %low : (tensor<i32>) -> tensor<{element}>
      %m = xla.reduce(%e init: %init) applies xla.maximum across dimensions = [1]
          : (tensor<{rows}x{n}x{element}>, tensor<{element}>) -> tensor<{rows}x{element}>
      %b = xla.broadcast_in_dim %m, dims = [0] : (tensor<{rows}x{element}>) -> tensor<{rows}x{n}x{element}>
      %r = xla.subtract %p, %b : tensor<{rows}x{n}x{element}>
      return %r : tensor<{rows}x{n}x{element}>
    }}"""
    plan = rf"nest<{rows}x{n}, lanes d1 {lanes}x1, threads d1 \d+, aligned>"
    assert compared(text, [np.trunc(drawn(rows, n) * 8)], plan) == 0


@pytest.mark.parametrize("element", ["bf16", "f32"])
@pytest.mark.parametrize("rows, n", [(3, 4096), (133, 1024), (300, 520)])
def test_sums_of_pieces(rows, n, element):
    text = f"""
    func.func @main(%x: tensor<{rows}x{n}xf32>) -> tensor<{rows}xf32> {{
      %c = xla.convert %x : (tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}x{element}>
      %o = xla.optimization_barrier %c : tensor<{rows}x{n}x{element}>
      %e = xla.convert %o : (tensor<{rows}x{n}x{element}>) -> tensor<{rows}x{n}xf32>
      {SUM.format(rows=rows, n=n)}
      return %s : tensor<{rows}xf32>
    }}"""
    assert compared(text, [drawn(rows, n)], rf"nest<{rows}x{n}, lanes d1 \d+x1, work d0, threads d1 \d+") < 1e-6


@pytest.mark.parametrize("n, threads", [(50, 32), (2500, 256)])
def test_extrema_with_their_places(n, threads):
    """Several arrays are folded together, and ties go to the smaller index."""
    text = f"""
    func.func @main(%x: tensor<5x{n}xf32>) -> tensor<5xi32> {{
      %i = xla.iota dim = 1 : tensor<5x{n}xi32>
      %low = xla.constant dense<0xFF800000> : tensor<f32>
      %none = xla.constant dense<0> : tensor<i32>
      %r:2 = xla.reduce(%x init: %low), (%i init: %none) across dimensions = [1]
          : (tensor<5x{n}xf32>, tensor<5x{n}xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
{FIRST_OF_LARGEST}
      return %r#1 : tensor<5xi32>
    }}"""
    x = np.floor(drawn(5, n) * 2)
    assert compared(text, [x], rf"threads d\d {threads}(, aligned)?>") == 0


@pytest.mark.parametrize("element", ["f32", "f64", "i8", "bf16", "i1"])
@pytest.mark.parametrize("rows, columns", [(32, 32), (16, 100), (33, 31), (70, 45), (128, 64)])
def test_transposes(rows, columns, element):
    text = f"""
    func.func @main(%x: tensor<{rows}x{columns}xf32>) -> tensor<{columns}x{rows}xf32> {{
      %c = xla.convert %x : (tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}x{element}>
      %b = xla.optimization_barrier %c : tensor<{rows}x{columns}x{element}>
      %t = xla.transpose %b, dims = [1, 0] : (tensor<{rows}x{columns}x{element}>) -> tensor<{columns}x{rows}x{element}>
      %r = xla.convert %t : (tensor<{columns}x{rows}x{element}>) -> tensor<{columns}x{rows}xf32>
      return %r : tensor<{columns}x{rows}xf32>
    }}"""
    assert compared(text, [np.trunc(drawn(rows, columns) * 4)], r"threads 256, square d\d d\d>") == 0


def test_two_transposed_operands():
    text = """
    func.func @main(%x: tensor<3x40x50xf32>, %y: tensor<3x40x50xf32>, %z: tensor<3x50x40xf32>) -> tensor<3x50x40xf32> {
      %a = xla.transpose %x, dims = [0, 2, 1] : (tensor<3x40x50xf32>) -> tensor<3x50x40xf32>
      %b = xla.transpose %y, dims = [0, 2, 1] : (tensor<3x40x50xf32>) -> tensor<3x50x40xf32>
      %s = xla.multiply %a, %b : tensor<3x50x40xf32>
      %r = xla.add %s, %z : tensor<3x50x40xf32>
      return %r : tensor<3x50x40xf32>
    }"""
    arrays = [drawn(3, 40, 50), drawn(3, 40, 50) + 1, drawn(3, 50, 40)]
    assert compared(text, arrays, r"work d0, threads 256, square d1 d2>") < 1e-6


@pytest.mark.parametrize("op, initial", [("add", "(3.0, -2.0)"), ("multiply", "(0.5, 0.25)")])
def test_initial_values_of_complex_reductions(op, initial):
    """The initial value is combined once, however many threads there are."""
    text = f"""
    func.func @main(%x: tensor<2x64xcomplex<f64>>) -> tensor<2xcomplex<f64>> {{
      %init = xla.constant dense<{initial}> : tensor<complex<f64>>
      %r = xla.reduce(%x init: %init) applies xla.{op} across dimensions = [1]
          : (tensor<2x64xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
      return %r : tensor<2xcomplex<f64>>
    }}"""
    x = 1 + 0.1 * (drawn(2, 64) + 1j * drawn(64, 2).T).astype(np.complex128)
    assert compared(text, [x], r"reduce d\d") < 1e-12


def test_kernels_are_looked_at(tmp_path, monkeypatch):
    """The tests of this file, and of others that say so, are in checked mode."""
    journal = tmp_path / "journal"
    monkeypatch.setenv("CUDA_EMU_JOURNAL", str(journal))
    test_sums_of_rows(3, 1500, 256)
    assert re.fullmatch(r"kernel [0-9a-f]{16} reduction_0 shared\n", journal.read_text())
