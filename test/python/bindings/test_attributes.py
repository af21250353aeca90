# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builtin attributes other than dense elements: construction, values, lists, downcasting and errors."""

import math

import pytest

import mlir_xla.ir as ir
from mlir_xla.ir import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineMap,
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    BoolAttr,
    Context,
    DenseBoolArrayAttr,
    DenseF32ArrayAttr,
    DenseF64ArrayAttr,
    DenseI8ArrayAttr,
    DenseI16ArrayAttr,
    DenseI32ArrayAttr,
    DenseI64ArrayAttr,
    DictAttr,
    F16Type,
    F32Type,
    FlatSymbolRefAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerSet,
    IntegerSetAttr,
    IntegerType,
    Location,
    MLIRError,
    NoneType,
    OpaqueAttr,
    ShapedType,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    Type,
    TypeAttr,
    UnitAttr,
    VectorType,
)


@pytest.fixture(autouse=True)
def context():
    with Context() as ctx, Location.unknown():
        yield ctx


@pytest.mark.parametrize(
    "text, name",
    [
        ("42 : i32", "IntegerAttr"),
        ("true", "BoolAttr"),
        ("1.000000e+00 : f32", "FloatAttr"),
        ('"text"', "StringAttr"),
        ("@a", "FlatSymbolRefAttr"),
        ("@a::@b", "SymbolRefAttr"),
        ("f32", "TypeAttr"),
        ("unit", "UnitAttr"),
        ("[1, 2]", "ArrayAttr"),
        ("{a = 1 : i64}", "DictAttr"),
        ("affine_map<(d0) -> (d0)>", "AffineMapAttr"),
        ("affine_set<(d0) : (d0 >= 0)>", "IntegerSetAttr"),
        ("strided<[1], offset: 2>", "StridedLayoutAttr"),
        ("array<i1: true>", "DenseBoolArrayAttr"),
        ("array<i8: 1>", "DenseI8ArrayAttr"),
        ("array<i16: 1>", "DenseI16ArrayAttr"),
        ("array<i32: 1>", "DenseI32ArrayAttr"),
        ("array<i64: 1>", "DenseI64ArrayAttr"),
        ("array<f32: 1.000000e+00>", "DenseF32ArrayAttr"),
        ("array<f64: 1.000000e+00>", "DenseF64ArrayAttr"),
        ("dense<1> : tensor<2xi32>", "DenseIntElementsAttr"),
        ("dense<true> : tensor<2xi1>", "DenseIntElementsAttr"),
        ("dense<1.0> : tensor<2xf32>", "DenseFPElementsAttr"),
        ("dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>", "DenseElementsAttr"),
    ],
)
def test_parse_gives_the_concrete_class(text, name, context):
    attr = Attribute.parse(text)
    assert type(attr).__name__ == name
    assert repr(attr).startswith(name + "(") and str(attr) in repr(attr)
    assert attr.context is context
    assert getattr(ir, name).isinstance(attr)
    plain = Attribute(attr)
    assert type(plain) is Attribute and plain == attr
    assert type(plain.maybe_downcast()) is type(attr)
    assert Attribute.parse(str(attr)) == attr


def test_parse_error():
    with pytest.raises(MLIRError, match="Unable to parse attribute:\nerror: .*expected attribute value"):
        Attribute.parse("BAD_ATTR_DOES_NOT_EXIST")


def test_casts():
    text = Attribute.parse('"attr1"')
    assert StringAttr(StringAttr(text)) == text
    with pytest.raises(
        ValueError, match=r"Cannot cast attribute to StringAttr \(from Attribute\(1.000000e\+00 : f64\)\)"
    ):
        StringAttr(Attribute.parse("1.0"))
    assert isinstance(text, Attribute) and not isinstance(text, ArrayAttr)


def test_capsule(context):
    attr = Attribute.parse("42")
    assert "mlir_xla.ir.Attribute._CAPIPtr" in repr(attr._CAPIPtr)
    assert Attribute._CAPICreate(attr._CAPIPtr) == attr


def test_affine_attributes():
    d0, d1 = AffineDimExpr.get(0), AffineDimExpr.get(1)
    affine_map = AffineMap.get(2, 3, [d1, d0 + 2])
    attr = AffineMapAttr.get(affine_map)
    assert str(attr) == "affine_map<(d0, d1)[s0, s1, s2] -> (d1, d0 + 2)>"
    assert attr.value == affine_map
    integer_set = IntegerSet.get(2, 0, [d0 - d1, d0 - AffineConstantExpr.get(42)], [True, False])
    set_attr = IntegerSetAttr.get(integer_set)
    assert str(set_attr) == "affine_set<(d0, d1) : (d0 - d1 == 0, d0 - 42 >= 0)>"
    assert set_attr.value == integer_set


def test_float():
    attr = FloatAttr(Attribute.parse("42.0 : f32"))
    assert attr.value == 42.0 and float(attr) == 42.0 and attr.type == F32Type.get()
    assert FloatAttr.get(F32Type.get(), 42.0) == FloatAttr.get_f32(42.0) == attr
    assert str(FloatAttr.get_f64(42.0)) == "4.200000e+01 : f64"
    assert FloatAttr.get(F16Type.get(), 1e-3).value == pytest.approx(1e-3, rel=1e-3)
    assert math.isinf(FloatAttr.get_f32(math.inf).value) and math.isnan(FloatAttr.get_f32(math.nan).value)
    assert FloatAttr.get_unchecked(F32Type.get(), 42.0) == attr
    with pytest.raises(MLIRError, match="Invalid attribute:\nerror: unknown: expected floating point type"):
        FloatAttr.get(IntegerType.get_signless(32), 42)


@pytest.mark.parametrize(
    "text, value",
    [("42", 42), ("-1 : si8", -1), ("255 : ui8", 255), ("-1 : index", -1), ("-1 : i32", -1), ("0 : i0", 0)],
)
def test_integer_value(text, value):
    attr = IntegerAttr(Attribute.parse(text))
    assert attr.value == value and int(attr) == value
    assert IntegerAttr.get(attr.type, value) == attr


@pytest.mark.parametrize("width", [65, 128, 256, 512])
def test_wide_integers(width):
    signed, unsigned = IntegerType.get_signed(width), IntegerType.get_unsigned(width)
    for value in (0, 1, -1, (1 << (width - 1)) - 1, -(1 << (width - 1)), (1 << 64) - 1):
        assert int(IntegerAttr.get(signed, value)) == value
    for value in (0, (1 << width) - 1, 1 << (width - 1)):
        assert int(IntegerAttr.get(unsigned, value)) == value


def test_integer_range():
    for kind, good, bad in [
        ("i8", (-128, 255), (-129, 256)),
        ("si8", (-128, 127), (-129, 128)),
        ("ui8", (0, 255), (-1, 256)),
        ("i1", (-1, 0, 1), (2, -2)),
        ("index", (-(1 << 63), (1 << 63) - 1), (1 << 64,)),
    ]:
        type = Type.parse(kind)
        for value in good:
            assert IntegerAttr.get(type, value).value in (value, value - (1 << 8), -value, value % 2)
        for value in bad:
            with pytest.raises(ValueError, match="out of range"):
                IntegerAttr.get(type, value)
    with pytest.raises(ValueError, match="expected integer or index type"):
        IntegerAttr.get(F32Type.get(), 1)
    with pytest.raises(TypeError):
        IntegerAttr.get(IndexType.get(), 1.5)


def test_bool():
    assert BoolAttr.get(True) == Attribute.parse("true") and BoolAttr.get(True).value is True
    assert bool(BoolAttr.get(False)) is False and str(BoolAttr.get(False)) == "false"
    assert isinstance(IntegerAttr(BoolAttr.get(True)), IntegerAttr)


def test_symbols():
    assert Attribute.parse("@symbol").value == "symbol"
    assert str(FlatSymbolRefAttr.get("foobar")) == "@foobar"
    assert Attribute.parse("@a::@b").value == ["a", "b"]
    assert str(SymbolRefAttr.get(["a", "b", "c"])) == "@a::@b::@c"
    assert SymbolRefAttr.get(["a", "b", "c"]).value == ["a", "b", "c"]
    assert str(SymbolRefAttr.get(["@a"])) == '@"@a"'
    with pytest.raises(RuntimeError, match="at least one symbol"):
        SymbolRefAttr.get([])


def test_strings():
    assert StringAttr.get("foobar").value == "foobar"
    assert StringAttr.get(b"a\x00\xff").value_bytes == b"a\x00\xff"
    assert StringAttr.get("naïve").value == "naïve"
    typed = StringAttr.get_typed(IntegerType.get_signless(32), "12345")
    assert str(typed) == '"12345" : i32' and typed.type == IntegerType.get_signless(32)


def test_opaque(context):
    context.allow_unregistered_dialects = True
    attr = OpaqueAttr(Attribute.parse("#pytest_dummy.dummyattr<>"))
    assert attr.dialect_namespace == "pytest_dummy" and attr.data == b"dummyattr<>"
    assert str(OpaqueAttr.get("foobar", b"123", NoneType.get())) == "#foobar<123>"


def test_type_and_unit():
    attr = TypeAttr(Attribute.parse("vector<4xf32>"))
    assert isinstance(attr.value, VectorType) and attr.value.element_type == F32Type.get()
    assert TypeAttr.get(F32Type.get()) == Attribute.parse("f32")
    assert UnitAttr.get() == Attribute.parse("unit")


def test_named_attribute():
    named = StringAttr.get("value").get_named("foobar")
    assert named.name == "foobar" and named.attr == StringAttr.get("value")
    assert str(named) == 'NamedAttribute(foobar="value")'


def test_array():
    array = ArrayAttr.get([Attribute.parse("vector<4xf32>"), BoolAttr.get(True), Attribute.parse("42")])
    assert str(array) == "[vector<4xf32>, true, 42]" and len(array) == 3
    assert [type(a).__name__ for a in array] == ["TypeAttr", "BoolAttr", "IntegerAttr"]
    assert array[0] == Attribute.parse("vector<4xf32>") and array[-1] == Attribute.parse("42")
    assert str(array + [StringAttr.get("c")]) == '[vector<4xf32>, true, 42, "c"]'
    assert array + array == ArrayAttr.get([*array, *array])
    with pytest.raises(IndexError, match="ArrayAttribute index out of range"):
        array[3]
    with pytest.raises(RuntimeError, match=r"Invalid attribute \(None\?\) when attempting to create an ArrayAttribute"):
        ArrayAttr.get([None])
    with pytest.raises(RuntimeError, match="Invalid attribute when attempting to create an ArrayAttribute"):
        ArrayAttr.get([42])
    assert len(ArrayAttr.get([])) == 0


def test_dictionary():
    a = DictAttr.get({"string": StringAttr.get("s"), "integer": IntegerAttr.get(IntegerType.get_signless(32), 42)})
    assert str(a) == '{integer = 42 : i32, string = "s"}' and len(a) == 2
    assert a["integer"].value == 42 and a[0].name == "integer" and a[1].attr == StringAttr.get("s")
    assert "string" in a and "other" not in a
    with pytest.raises(KeyError):
        a["other"]
    with pytest.raises(IndexError):
        a[42]
    assert str(DictAttr.get()) == "{}"
    assert [named.name for named in a] == ["integer", "string"]


@pytest.mark.parametrize(
    "cls, values, text",
    [
        (DenseBoolArrayAttr, [False, True], "array<i1: false, true>"),
        (DenseI8ArrayAttr, [-128, 127], "array<i8: -128, 127>"),
        (DenseI16ArrayAttr, [4, 5], "array<i16: 4, 5>"),
        (DenseI32ArrayAttr, [6, 7], "array<i32: 6, 7>"),
        (DenseI64ArrayAttr, [8, -(1 << 63)], "array<i64: 8, -9223372036854775808>"),
        (DenseF32ArrayAttr, [1.0, 2.5], "array<f32: 1.000000e+00, 2.500000e+00>"),
        (DenseF64ArrayAttr, [3.0, 4.0], "array<f64: 3.000000e+00, 4.000000e+00>"),
    ],
)
def test_dense_arrays(cls, values, text):
    attr = cls.get(values)
    assert str(attr) == text and Attribute.parse(text) == attr
    assert len(attr) == 2 and list(attr) == values and attr[0] == values[0] and attr[-1] == values[1]
    assert list(attr + [values[0]]) == [*values, values[0]]
    assert len(cls.get([])) == 0
    with pytest.raises(IndexError, match="DenseArray index out of range"):
        attr[2]


def test_dense_array_elements():
    class Truthy:
        def __bool__(self):
            return True

    assert str(DenseBoolArrayAttr.get([Truthy(), BoolAttr.get(False)])) == "array<i1: true, false>"
    assert list(DenseI8ArrayAttr.get(range(4))) == [0, 1, 2, 3]
    assert list(DenseI8ArrayAttr.get([Attribute.parse("4 : i8"), Attribute.parse("2 : ui16")])) == [4, 2]
    assert list(DenseF32ArrayAttr.get([Attribute.parse("4.0"), 2])) == [4.0, 2.0]
    for bad in ([4, 2.0], [40000, 2], ["4"], [Attribute.parse("4000")], [Attribute.parse("2.0")], [None]):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            DenseI8ArrayAttr.get(bad)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        DenseF32ArrayAttr.get(["1.0"])


def test_strided_layout():
    attr = StridedLayoutAttr.get(42, [5, 7, 13])
    assert str(attr) == "strided<[5, 7, 13], offset: 42>"
    assert attr.offset == 42 and attr.strides == [5, 7, 13]
    dynamic = ShapedType.get_dynamic_stride_or_offset()
    attr = StridedLayoutAttr.get_fully_dynamic(3)
    assert attr.offset == dynamic and attr.strides == [dynamic] * 3
    assert str(attr) == "strided<[?, ?, ?], offset: ?>"


def test_names_and_typeids():
    for cls, name in [
        (AffineMapAttr, "affine_map"),
        (ArrayAttr, "array"),
        (IntegerAttr, "integer"),
        (SymbolRefAttr, "symbol_ref"),
        (DictAttr, "dictionary"),
        (StringAttr, "string"),
        (FloatAttr, "float"),
        (ir.DenseResourceElementsAttr, "dense_resource_elements"),
    ]:
        assert cls.attr_name == f"builtin.{name}"
    assert IntegerAttr.static_typeid == Attribute.parse("1").typeid
    with pytest.raises(AttributeError, match="has no typeid"):
        ir.DenseElementsAttr.static_typeid  # noqa: B018
