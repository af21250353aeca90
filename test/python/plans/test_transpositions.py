# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transpositions in registers: elements of every width, whole steps and what is left of them, large and small."""

import ml_dtypes
import numpy as np
import pytest

import mlir_xla

TYPES = {
    "i1": np.dtype(bool),
    "i4": np.dtype(ml_dtypes.int4),
    "i8": np.dtype(np.int8),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "complex<f32>": np.dtype(np.complex64),
}
SHAPES = {
    "a line": ((64, 128), (1, 0)),
    "rests": ((83, 150), (1, 0)),
    "few lanes": ((40, 19), (1, 0)),
    "batches": ((3, 70, 33), (0, 2, 1)),
    "channels last": ((2, 65, 7, 9), (0, 2, 3, 1)),
    "reversed": ((17, 3, 21, 35), (3, 2, 1, 0)),
    "short rows": ((3, 3, 20, 35), (3, 2, 0, 1)),
    "planes of pixels": ((2, 37, 19, 3), (0, 3, 1, 2)),
    "pixels of planes": ((2, 3, 37, 19), (0, 2, 3, 1)),
    "turned pixels": ((19, 37, 3), (1, 0, 2)),
    "turned pairs": ((37, 33, 2), (1, 0, 2)),
}
# Written past the caches, with what is left of steps: of a line, and of several.
LARGE = {
    "rows that follow each other": ((3, 128, 100, 61), (0, 2, 3, 1), "f32"),
    "from memory": ((2064, 3001), (1, 0), "f32"),
    "from memory, bytes": ((4160, 4099), (1, 0), "i8"),
    "rows apart": ((32, 43, 41, 40), (3, 2, 1, 0), "f32"),
}


def check(shape, order, name, features=""):
    def tensor(sizes):
        return "tensor<" + "".join(f"{size}x" for size in sizes) + name + ">"

    argument, result = tensor(shape), tensor([shape[dim] for dim in order])
    text = f"""func.func @main(%x: {argument}) -> {result} {{
      %0 = xla.transpose %x, dims = [{", ".join(map(str, order))}] : ({argument}) -> {result}
      return %0 : {result}
    }}"""
    x = (np.arange(np.prod(shape)) % 251).reshape(shape)
    if name == "i1":
        x = x % 3 == 0
    elif name == "i4":
        x = x % 16 - 8
    x = x.astype(TYPES[name])
    got = np.asarray(mlir_xla.compile(text, features=features)(x))
    assert got.tobytes() == np.ascontiguousarray(x.transpose(order)).tobytes()


@pytest.mark.parametrize("features", ["", "-avx512f", "-avx"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", TYPES)
def test_small(name, shape, features):
    check(*SHAPES[shape], name, features)


@pytest.mark.parametrize("case", LARGE)
def test_large(case):
    check(*LARGE[case])
