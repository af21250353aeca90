# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes and layouts beside the vectors: text, equality, dtypes, what is refused."""

import ml_dtypes
import numpy as np
import pytest

from mlir_xla import Layout, PaddingValue, Shape, ShapeError, XlaBuilder, ops

CASES = [
    (Shape(np.float32), "tensor<f32>", "f32[]"),
    (Shape("bf16", (2, 3)), "tensor<2x3xbf16>", "bf16[2,3]"),
    (Shape(np.uint8, (0,)), "tensor<0xui8>", "u8[0]"),
    (Shape(bool, (4,)), "tensor<4xi1>", "pred[4]"),
    (Shape(np.complex128, (1,)), "tensor<1xcomplex<f64>>", "c128[1]"),
    (Shape(ml_dtypes.int4, (2,)), "tensor<2xi4>", "s4[2]"),
    (
        Shape("f16", (10, 2), Layout([0, 1])),
        "tensor<10x2xf16, #xla.layout<minor_to_major = [0, 1]>>",
        "f16[10,2]{0,1}",
    ),
    (Shape.tuple([Shape("f32"), Shape.tuple([])]), "tuple<tensor<f32>, tuple<>>", "(f32[], ())"),
    (Shape.token(), "!xla.token", "token[]"),
]


@pytest.mark.parametrize(("shape", "mlir", "text"), CASES, ids=[text for _, _, text in CASES])
def test_text(shape, mlir, text):
    assert (shape.mlir, str(shape)) == (mlir, text)
    assert Shape.parse(mlir) == shape
    assert hash(Shape.parse(mlir)) == hash(shape)


def test_padded_layout():
    shape = Shape("f32", (2, 3), Layout([0, 1], [3, 5], PaddingValue.ZERO))
    assert shape.buffer_length == 15
    assert Shape.parse(shape.mlir) == shape
    assert shape != Shape("f32", (2, 3)) != Shape("f32", (2, 3), Layout([0, 1]))
    assert Shape("f32", (2, 3)) == Shape("f32", (2, 3), Layout([1, 0]))


def test_layout_in_a_program():
    builder = XlaBuilder("layouts")
    x = builder.parameter(0, Shape("f32", (2, 3), Layout([0, 1])))
    assert "#xla.layout<minor_to_major = [0, 1]>" in str(builder.build(ops.Neg(x)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Shape("f32", (-1,)), r"\[G-C4\]"),
        (lambda: Shape("string"), "string"),
        (lambda: Shape(np.float128), "float128"),
        (lambda: Shape.parse("tensor<?xf32>"), r"tensor<\?xf32>"),
        (lambda: Shape.parse("index"), "index"),
        (lambda: Shape.token().dims, r"\[G-C5\]"),
        (lambda: Shape("f32").tuple_shapes, "not a tuple"),
        (lambda: Shape("f32", (2,)).linear_index((2,)), r"\[IDX-C1\]"),
        (lambda: Shape("f32", (2,)).linear_index((0, 0)), r"\[IDX-C1\]"),
        (lambda: Shape("f32", (2,)).multi_index(2), r"\[IDX-C2\]"),
        (lambda: Shape("f32", (2,)).dimension_number(1), r"\[SH-4\]"),
        (lambda: Layout([0, 2]), r"\[LAY-C1\]"),
        (lambda: Layout([1, 0], [3, 5], "TWO"), r"\[LAY-C3\]"),
    ],
)
def test_refused(make, message):
    with pytest.raises(ShapeError, match=message):
        make()


def test_indices_are_inverse():
    shape = Shape("f32", (2, 3, 4), Layout([1, 2, 0], [2, 5, 4]))
    for index in np.ndindex(*shape.dims):
        assert shape.multi_index(shape.linear_index(index)) == index
