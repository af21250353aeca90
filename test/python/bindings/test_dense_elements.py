# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense elements from and to NumPy, lists and splats; dense resources."""

import gc
import weakref

import ml_dtypes
import numpy as np
import pytest

from mlir_xla.ir import (
    Attribute,
    BF16Type,
    ComplexType,
    Context,
    DenseElementsAttr,
    DenseFPElementsAttr,
    DenseIntElementsAttr,
    DenseResourceElementsAttr,
    F32Type,
    F64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Location,
    MLIRError,
    Module,
    RankedTensorType,
    StringAttr,
    Type,
    UnrankedTensorType,
)

NATIVE = {
    np.bool_: "i1",
    np.int8: "i8",
    np.int16: "i16",
    np.int32: "i32",
    np.int64: "i64",
    np.uint8: "ui8",
    np.uint16: "ui16",
    np.uint32: "ui32",
    np.uint64: "ui64",
    np.float16: "f16",
    np.float32: "f32",
    np.float64: "f64",
    np.complex64: "complex<f32>",
    np.complex128: "complex<f64>",
}
EXTENDED = {
    "bfloat16": "bf16",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float4_e2m1fn": "f4E2M1FN",
    "int4": "i4",
    "uint4": "ui4",
    "int2": "i2",
    "uint2": "ui2",
}


@pytest.fixture(autouse=True)
def context():
    with Context() as ctx, Location.unknown():
        yield ctx


@pytest.mark.parametrize("dtype, element", NATIVE.items())
def test_native_dtypes(dtype, element):
    array = np.array([[0, 1, 2], [3, 4, 5]], dtype=dtype)
    attr = DenseElementsAttr.get(array)
    signless = element.replace("ui", "i")
    assert str(attr.type) == f"tensor<2x3x{signless}>"
    assert not attr.is_splat and len(attr) == 6
    back = np.array(attr)
    assert back.dtype == (np.dtype(dtype) if element == signless else np.dtype(f"int{dtype().itemsize * 8}"))
    np.testing.assert_array_equal(back.astype(dtype), array)
    # Through text: what is stored is what MLIR prints and parses.
    assert Attribute.parse(str(attr)) == attr
    exact = DenseElementsAttr.get(array, signless=False)
    assert str(exact.type.element_type) == (
        element
        if element[0] == "u" or element == "i1"
        else element.replace("i", "si")
        if element[0] == "i"
        else element
    )
    assert np.array(exact).dtype == np.dtype(dtype)
    np.testing.assert_array_equal(np.array(exact), array)


@pytest.mark.parametrize("dtype, element", EXTENDED.items())
def test_ml_dtypes(dtype, element):
    dtype = np.dtype(getattr(ml_dtypes, dtype))
    values = [1, 2, -1, 0] if element in ("i4", "i2") else [0.5, 1, 2, 4] if element == "f8E8M0FNU" else [0, 1, 2, 3]
    array = np.array(values, dtype=dtype).reshape(2, 2)
    attr = DenseElementsAttr.get(array, signless=not element.startswith("ui"))
    assert str(attr.type) == f"tensor<2x2x{element}>"
    back = np.array(attr)
    assert back.dtype == dtype and back.shape == (2, 2)
    np.testing.assert_array_equal(back.astype(np.float64), array.astype(np.float64))
    assert [float(x) for x in attr] == [float(x) for x in array.reshape(-1).astype(np.float64)]
    # A byte view with an explicit type gives the same.
    same = DenseElementsAttr.get(array.view(np.uint8 if dtype.itemsize == 1 else np.uint16), type=attr.type)
    assert same == attr
    assert np.array(attr, dtype=np.float64).dtype == np.float64
    splat = DenseElementsAttr.get(np.full((2, 3), values[1], dtype=dtype), type=attr.type.element_type)
    assert splat.is_splat and np.array(splat).shape == (2, 3)


def test_parsed_small_elements():
    np.testing.assert_array_equal(np.array(Attribute.parse("dense<[1, -8, 7]> : tensor<3xi4>")).astype(int), [1, -8, 7])
    np.testing.assert_array_equal(
        np.array(Attribute.parse("dense<[1.5, -2.0]> : tensor<2xbf16>")).astype(float), [1.5, -2.0]
    )


def test_layouts_of_arrays():
    base = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    for array in (
        base,
        base.T,
        base[:, ::2],
        base[::-1],
        np.asfortranarray(base),
        base[1],
        np.int32(7),
        np.array(7, dtype=np.int32),
        base.astype(">i4"),
        np.zeros((0, 3), np.int32),
        np.zeros((2, 0), np.int32),
    ):
        attr = DenseElementsAttr.get(array)
        assert attr.type.shape == list(np.shape(array))
        np.testing.assert_array_equal(np.array(attr), array)
        assert np.array(attr).dtype == np.int32


def test_other_buffers():
    import array

    assert str(DenseElementsAttr.get(array.array("i", [1, 2]))) == "dense<[1, 2]> : tensor<2xi32>"
    assert str(DenseElementsAttr.get(b"\x01\x02")) == "dense<[1, 2]> : tensor<2xi8>"
    assert str(DenseElementsAttr.get(memoryview(np.arange(4.0)[::2]))) == (
        "dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf64>"
    )
    with pytest.raises(TypeError):
        DenseElementsAttr.get(42)
    with pytest.raises(ValueError, match="unimplemented array format conversion from format"):
        DenseElementsAttr.get(np.array([["hello", "goodbye"]]))


def test_the_attribute_does_not_alias_the_array():
    array = np.arange(4, dtype=np.float32)
    attr = DenseElementsAttr.get(array)
    array[:] = 0
    np.testing.assert_array_equal(np.array(attr), [0, 1, 2, 3])
    view = np.asarray(attr)
    assert not view.flags.writeable
    del attr
    gc.collect()
    np.testing.assert_array_equal(view, [0, 1, 2, 3])


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 64, 1000])
def test_booleans(size):
    rng = np.random.default_rng(size)
    array = rng.integers(0, 2, size).astype(np.bool_)
    attr = DenseElementsAttr.get(array)
    assert str(attr.type) == f"tensor<{size}xi1>"
    np.testing.assert_array_equal(np.array(attr), array)
    assert list(attr) == array.astype(int).tolist()
    packed = np.packbits(array, bitorder="little")
    if size > 1 and 0 < array.sum() < size:
        assert DenseElementsAttr.get(packed, type=IntegerType.get_signless(1), shape=array.shape) == attr
    for value in (True, False):
        splat = DenseElementsAttr.get(np.full(size, value))
        assert splat.is_splat and np.array(splat).tolist() == [value] * size


def test_explicit_types():
    data = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int64)
    attr = DenseElementsAttr.get(data, type=IndexType.get())
    assert str(attr) == "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xindex>"
    assert np.array(attr).dtype == np.int64
    assert str(DenseElementsAttr.get(data, type=Type.parse("vector<3x2xi64>")).type) == "vector<3x2xi64>"
    assert str(DenseElementsAttr.get(data, type=IntegerType.get_signless(64), shape=[6]).type) == "tensor<6xi64>"
    bits = DenseElementsAttr.get(np.array([0x3F80, 0x4000], dtype=np.uint16), type=BF16Type.get())
    assert list(bits) == [1.0, 2.0]
    dates = data.view(np.dtype("datetime64[s]"))
    assert DenseElementsAttr.get(dates, type=IntegerType.get_signless(64)) == DenseElementsAttr.get(data)
    with pytest.raises(ValueError, match="Shape can only be specified explicitly when the type is not a shaped type"):
        DenseElementsAttr.get(data, type=Type.parse("tensor<6xi64>"), shape=[6])
    with pytest.raises(ValueError, match="do not match the type"):
        DenseElementsAttr.get(data, type=Type.parse("tensor<7xi64>"))
    with pytest.raises(ValueError, match="do not match the type"):
        DenseElementsAttr.get(data, type=F32Type.get(), shape=[5])
    with pytest.raises(ValueError, match="static ShapedType"):
        DenseElementsAttr.get(data, type=Type.parse("tensor<?xi64>"))
    with pytest.raises(ValueError):
        DenseElementsAttr.get(data, shape=[-6])
    with pytest.raises(MLIRError, match="invalid tensor element type"):
        DenseElementsAttr.get(data, type=Type.parse("none"))


def test_sign_bits_of_narrow_integers_do_not_matter():
    array = np.array([[2, 4, 7], [-2, -4, -8]], dtype=np.int8)
    attr = DenseElementsAttr.get(array, type=IntegerType.get_signless(4))
    assert str(attr) == "dense<[[2, 4, 7], [-2, -4, -8]]> : tensor<2x3xi4>"
    assert attr == Attribute.parse(str(attr))
    assert list(attr) == [2, 4, 7, -2, -4, -8]
    wide = DenseElementsAttr.get(np.array([-1, 5], np.int16), type=IntegerType.get_signless(12))
    assert wide == Attribute.parse("dense<[-1, 5]> : tensor<2xi12>")


def test_list_of_attributes():
    f64 = F64Type.get()
    values = [FloatAttr.get(f64, 1.0), FloatAttr.get(f64, 2.0)]
    assert str(DenseElementsAttr.get(values)) == "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>"
    assert str(DenseElementsAttr.get(values, Type.parse("vector<2xf64>")).type) == "vector<2xf64>"
    with pytest.raises(ValueError, match="Attributes list must be non-empty"):
        DenseElementsAttr.get([])
    with pytest.raises(RuntimeError, match="Invalid attribute when attempting to create an ArrayAttribute"):
        DenseElementsAttr.get([1.0])
    for bad in ([values[0], FloatAttr.get_f32(2.0)], [values[0], StringAttr.get("x")]):
        with pytest.raises(ValueError, match="All attributes must be of the same type and match the type parameter"):
            DenseElementsAttr.get(bad)
    with pytest.raises(ValueError, match="All attributes must be of the same type"):
        DenseElementsAttr.get(values, Type.parse("tensor<2xf32>"))
    with pytest.raises(ValueError, match="Expected 3 attributes"):
        DenseElementsAttr.get(values, Type.parse("tensor<3xf64>"))


def test_splats():
    i32 = IntegerType.get_signless(32)
    shape = RankedTensorType.get((2, 3, 4), i32)
    element = IntegerAttr.get(i32, 555)
    attr = DenseElementsAttr.get_splat(shape, element)
    assert str(attr) == "dense<555> : tensor<2x3x4xi32>" and attr.is_splat
    assert attr.get_splat_value() == element
    array = np.array(attr)
    assert array.shape == (2, 3, 4) and (array == 555).all()
    assert np.asarray(attr).strides == (0, 0, 0)
    assert memoryview(attr).tobytes() == np.full((2, 3, 4), 555, np.int32).tobytes()
    assert bytes(attr) == np.full((2, 3, 4), 555, np.int32).tobytes()
    assert DenseElementsAttr.get(np.full((2, 3, 4), 555, np.int32)) == attr
    assert DenseElementsAttr.get(np.broadcast_to(np.int32(555), (2, 3, 4))) == attr
    with pytest.raises(ValueError, match="get_splat_value called on a non-splat attribute"):
        DenseElementsAttr.get(np.arange(3)).get_splat_value()
    with pytest.raises(ValueError, match=r"Expected a static ShapedType for the shaped_type parameter: Type\(i32\)"):
        DenseElementsAttr.get_splat(i32, element)
    with pytest.raises(ValueError, match="Expected a static ShapedType"):
        DenseElementsAttr.get_splat(UnrankedTensorType.get(i32), element)
    with pytest.raises(ValueError, match="Shaped element type and attribute type must be equal"):
        DenseElementsAttr.get_splat(shape, FloatAttr.get_f32(1.0))


def test_large_broadcasts_stay_small():
    attr = DenseElementsAttr.get(np.broadcast_to(np.float32(1.5), (1 << 14, 1 << 14)))
    assert attr.is_splat and attr.get_splat_value().value == 1.5


def test_elements():
    ints = Attribute.parse("dense<[[0, 1, 2], [3, 4, -5]]> : vector<2x3xi32>")
    assert isinstance(ints, DenseIntElementsAttr) and list(ints) == [0, 1, 2, 3, 4, -5] and ints[-1] == -5
    for text, value in [
        ("true> : tensor<i1", 1),
        ("-123> : tensor<si8", -123),
        ("123> : tensor<ui64", 123),
        ("-1> : tensor<i7", -1),
        ("3> : tensor<ui2", 3),
        ("5> : tensor<index", 5),
    ]:
        assert Attribute.parse(f"dense<{text}>")[0] == value
    floats = Attribute.parse("dense<[0.0, 1.0, 2.5]> : tensor<3xf32>")
    assert isinstance(floats, DenseFPElementsAttr) and list(floats) == [0.0, 1.0, 2.5]
    assert Attribute.parse("dense<0.5> : tensor<f8E5M2>")[0] == 0.5
    with pytest.raises(IndexError, match="out of bounds element"):
        ints[6]


def test_export_without_format():
    attr = Attribute.parse("dense<1.0> : tensor<2xf8E5M2>")
    with pytest.raises(BufferError, match="unsupported data type for conversion to Python buffer"):
        memoryview(attr)
    with pytest.raises(TypeError, match="no NumPy dtype"):
        attr7 = Attribute.parse("dense<1> : tensor<2xi7>")
        attr7.__array__()
    complex_attr = DenseElementsAttr.get(np.array([1 + 2j], np.complex64))
    assert complex_attr.type.element_type == ComplexType.get(F32Type.get())
    assert str(complex_attr) == "dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>"


def test_resource():
    array = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int32)
    tensor = RankedTensorType.get((2, 3), IntegerType.get_signless(32))
    resource = DenseResourceElementsAttr.get_from_buffer(memoryview(array), "from_py", tensor)
    assert str(resource) == "dense_resource<from_py> : tensor<2x3xi32>"
    assert resource.key == "from_py" and resource.has_data and len(resource) == 6
    module = Module.parse("module {}")
    module.operation.attributes["test.resource"] = resource
    text = str(module)
    assert 'from_py: "0x04000000010000000200000003000000040000000500000006000000"' in text
    read = module.operation.attributes["test.resource"]
    assert isinstance(read, DenseResourceElementsAttr)
    np.testing.assert_array_equal(np.array(read), array)
    with Context():
        parsed = Module.parse(text).operation.attributes["test.resource"]
        np.testing.assert_array_equal(np.asarray(parsed), array)
    # The memory is the array's.
    array[0, 0] = 100
    assert np.asarray(resource)[0, 0] == 100


def test_resource_of_small_elements_and_booleans():
    data = np.array([1, 2], dtype=ml_dtypes.bfloat16)
    resource = DenseResourceElementsAttr.get_from_buffer(data.view(np.uint16), "b", Type.parse("tensor<2xbf16>"))
    assert np.array(resource).dtype == ml_dtypes.bfloat16 and np.array(resource).tolist() == [1, 2]
    flags = np.array([True, False, True])
    resource = DenseResourceElementsAttr.get_from_buffer(flags, "flags", Type.parse("tensor<3xi1>"))
    assert np.array(resource).tolist() == [True, False, True]


def test_resource_errors():
    array = np.arange(6, dtype=np.int32)
    tensor = Type.parse("tensor<6xi32>")
    with pytest.raises(ValueError, match="requires a ShapedType"):
        DenseResourceElementsAttr.get_from_buffer(array, "a", Type.parse("i32"))
    with pytest.raises(ValueError, match="Contiguous buffer is required"):
        DenseResourceElementsAttr.get_from_buffer(np.arange(12, dtype=np.int32)[::2], "a", tensor)
    with pytest.raises(ValueError, match="24 bytes does not match the type tensor<7xi32>"):
        DenseResourceElementsAttr.get_from_buffer(array, "a", Type.parse("tensor<7xi32>"))
    with pytest.raises(ValueError, match="static shape"):
        DenseResourceElementsAttr.get_from_buffer(array, "a", Type.parse("tensor<?xi32>"))
    missing = Attribute.parse("dense_resource<nowhere> : tensor<2xi32>")
    assert not missing.has_data
    with pytest.raises(ValueError, match="has no data"):
        missing.__array__()
    array.flags.writeable = False
    with pytest.raises((BufferError, ValueError)):
        DenseResourceElementsAttr.get_from_buffer(array, "a", tensor, is_mutable=True)


def test_resource_lives_as_long_as_the_context():
    events = []

    class Buffer(np.ndarray):
        pass

    context = Context()
    array = np.arange(6, dtype=np.int32).view(Buffer)
    weakref.finalize(array, lambda: events.append("freed"))
    with context, Location.unknown():
        DenseResourceElementsAttr.get_from_buffer(array, "r", Type.parse("tensor<6xi32>"))
    del array
    gc.collect()
    assert events == []
    del context
    gc.collect()
    assert events == ["freed"]
