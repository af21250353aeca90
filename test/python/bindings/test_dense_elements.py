# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense elements from and to arrays that upstream's bindings do not take: ml_dtypes, complex numbers, strides, bool."""

import ml_dtypes
import numpy as np
import pytest

from mlir_xla import ir

TYPES = {
    np.complex64: "complex<f32>",
    np.complex128: "complex<f64>",
    ml_dtypes.bfloat16: "bf16",
    ml_dtypes.float8_e4m3fn: "f8E4M3FN",
    ml_dtypes.int4: "i4",
    np.float32: "f32",
    np.int8: "i8",
    np.bool_: "i1",
}


@pytest.fixture(autouse=True)
def ctx():
    with ir.Context(), ir.Location.unknown():
        yield


@pytest.mark.parametrize("array", [[[1, 0, 1], [0, 0, 1]], [[1, 1]], [[0]], 1], ids=str)
@pytest.mark.parametrize("dtype", TYPES, ids=lambda dtype: dtype.__name__)
def test_there_and_back(dtype, array):
    array = np.asarray(array).astype(dtype)
    shape = "".join(f"{size}x" for size in array.shape)
    attr = ir.DenseElementsAttr.get(array)
    assert str(attr.type) == f"tensor<{shape}{TYPES[dtype]}>"
    assert ir.DenseElementsAttr.get(array, type=attr.type) == attr == ir.Attribute.parse(str(attr))
    back = np.asarray(ir.Attribute.parse(str(attr)))
    assert back.dtype == array.dtype and back.shape == array.shape
    np.testing.assert_array_equal(back, array)


def test_negative_integers_of_less_than_a_byte():
    attr = ir.DenseElementsAttr.get(np.array([-8, 7, -1], ml_dtypes.int4))
    assert str(attr) == "dense<[-8, 7, -1]> : tensor<3xi4>" and ir.Attribute.parse(str(attr)) == attr
    assert np.asarray(attr).astype(np.int8).tolist() == [-8, 7, -1]


def test_unsigned_integers():
    array = np.array([1, 3], ml_dtypes.uint2)
    assert str(ir.DenseElementsAttr.get(array).type) == "tensor<2xi2>"
    assert str(ir.DenseElementsAttr.get(array, signless=False).type) == "tensor<2xui2>"


@pytest.mark.parametrize("dtype", [np.float32, np.bool_, ml_dtypes.bfloat16])
def test_strides(dtype):
    array = np.array([[1, 0, 1], [0, 0, 1]]).astype(dtype)
    for view in (array.T, array[:, ::2], np.broadcast_to(array, (2, 2, 3))):
        np.testing.assert_array_equal(np.asarray(ir.DenseElementsAttr.get(view)), view)
    swapped = np.array([1.5, 2.5], ">f4")
    assert np.asarray(ir.DenseElementsAttr.get(swapped)).tolist() == [1.5, 2.5]


def test_upstreams_forms_still_work():
    two = [ir.FloatAttr.get_f32(1.0), ir.FloatAttr.get_f32(2.0)]
    assert str(ir.DenseElementsAttr.get(two)) == "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>"
    i8 = ir.IntegerType.get_signless(8)
    splat = ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([2], i8), ir.IntegerAttr.get(i8, 3))
    assert np.asarray(splat).tolist() == [3, 3]
    assert str(ir.DenseElementsAttr.get(b"ab", type=i8)) == "dense<[97, 98]> : tensor<2xi8>"
    assert str(ir.DenseElementsAttr.get(np.zeros(4, np.int8), shape=[2, 2]).type) == "tensor<2x2xi8>"


@pytest.mark.parametrize(
    "dtype", ["f2", "f4", "f8", "i1", "i4", "i8", "u2", ">f4", "?", "c8", ml_dtypes.bfloat16, ml_dtypes.int4]
)
def test_no_location_is_needed(dtype):
    with ir.Context() as context:
        array = np.array([[0, 1], [1, 0]]).astype(dtype)
        attr = ir.DenseElementsAttr.get(array)
        assert attr == ir.DenseElementsAttr.get(array, context=context)
        np.testing.assert_array_equal(np.asarray(attr), array)


def test_signed_integers():
    with ir.Context():
        for dtype, element in (("i2", "si16"), ("u2", "ui16"), (ml_dtypes.int4, "si4"), (ml_dtypes.uint4, "ui4")):
            attr = ir.DenseElementsAttr.get(np.array([1, 2]).astype(dtype), signless=False)
            assert str(attr.type) == f"tensor<2x{element}>"


def test_integers_from_attributes():
    with ir.Context():
        one = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
        assert str(ir.DenseI8ArrayAttr.get([one])) == "array<i8: 1>"
