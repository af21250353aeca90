# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Offsets that constant indices of `llvm.getelementptr`, of 29 bits, do not hold: in the arena and within a tensor."""

import numpy as np

import mlir_xla

N = 2**28 + 64


def _numbers(count):
    return np.resize(np.arange(251, dtype=np.uint8), count).view(np.int8)


def test_offsets_in_the_arena():
    text = f"""
    func.func @main(%x: tensor<{N}xi8>) -> (tensor<8xi8>, tensor<8xi8>) {{
      %three = stablehlo.constant dense<3> : tensor<{N}xi8>
      %0 = stablehlo.add %x, %three : tensor<{N}xi8>
      %1 = stablehlo.multiply %x, %three : tensor<{N}xi8>
      %2:2 = stablehlo.optimization_barrier %0, %1 : tensor<{N}xi8>, tensor<{N}xi8>
      %3 = stablehlo.slice %2#0 [{N - 8}:{N}] : (tensor<{N}xi8>) -> tensor<8xi8>
      %4 = stablehlo.slice %2#1 [{N - 8}:{N}] : (tensor<{N}xi8>) -> tensor<8xi8>
      return %3, %4 : tensor<8xi8>, tensor<8xi8>
    }}"""
    executable = mlir_xla.compile(text)
    assert executable.arena_size >= 2 * N
    x = _numbers(N)
    sums, products = executable(x)
    np.testing.assert_array_equal(sums, x[-8:] + np.int8(3))
    np.testing.assert_array_equal(products, x[-8:] * np.int8(3))


def test_offsets_within_a_tensor():
    rows = 2**24 + 3
    executable = mlir_xla.compile(f"""
    func.func @main(%x: tensor<{rows}x17xi8>) -> tensor<17x{rows}xi8> {{
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<{rows}x17xi8>) -> tensor<17x{rows}xi8>
      return %0 : tensor<17x{rows}xi8>
    }}""")
    x = _numbers(rows * 17).reshape(rows, 17)
    result = np.asarray(executable(x))
    for column in range(17):
        assert np.array_equal(result[column], x[:, column])
