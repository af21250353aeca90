# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builtin types: construction, members, printing, downcasting and the errors of wrong arguments."""

import gc

import pytest

import mlir_xla.ir as ir
from mlir_xla.extras import types as T
from mlir_xla.ir import (
    AffineMap,
    AffineMapAttr,
    Attribute,
    BF16Type,
    ComplexType,
    Context,
    F16Type,
    F32Type,
    F64Type,
    FloatTF32Type,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    Location,
    MemRefType,
    MLIRError,
    NoneType,
    OpaqueType,
    RankedTensorType,
    ShapedType,
    StridedLayoutAttr,
    StringAttr,
    TupleType,
    Type,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)

SMALL_FLOATS = {
    "f4E2M1FN": 4,
    "f6E2M3FN": 6,
    "f6E3M2FN": 6,
    "f8E3M4": 8,
    "f8E4M3": 8,
    "f8E4M3FN": 8,
    "f8E5M2": 8,
    "f8E4M3FNUZ": 8,
    "f8E4M3B11FNUZ": 8,
    "f8E5M2FNUZ": 8,
    "f8E8M0FNU": 8,
}
FLOAT_CLASSES = {text: f"Float{text[1:]}Type" for text in SMALL_FLOATS} | {
    "bf16": "BF16Type",
    "f16": "F16Type",
    "tf32": "FloatTF32Type",
    "f32": "F32Type",
    "f64": "F64Type",
}
DYNAMIC = ShapedType.get_dynamic_size()


@pytest.fixture(autouse=True)
def context():
    with Context() as ctx, Location.unknown():
        yield ctx


def test_parse_gives_the_concrete_class(context):
    for text, cls in [
        ("i32", IntegerType),
        ("index", IndexType),
        ("none", NoneType),
        ("complex<f32>", ComplexType),
        ("vector<2x3xf32>", VectorType),
        ("tensor<2x?xf32>", RankedTensorType),
        ("tensor<*xf32>", UnrankedTensorType),
        ("memref<2xf32>", MemRefType),
        ("memref<*xf32, 2>", UnrankedMemRefType),
        ("tuple<i32, f32>", TupleType),
        ("(i32) -> f32", FunctionType),
    ]:
        type = Type.parse(text)
        assert type.__class__ is cls, text
        assert repr(type) == f"{cls.__name__}({text})"
        assert type.context is context
        assert cls.static_typeid == type.typeid
        assert hash(cls.static_typeid) == hash(type.typeid)
        assert Type(type).__class__ is Type and Type(type) == type
        assert Type(type).maybe_downcast().__class__ is cls


@pytest.mark.parametrize("text, name", FLOAT_CLASSES.items())
def test_floats(text, name):
    cls = getattr(ir, name)
    type = cls.get()
    assert str(type) == text
    assert isinstance(Type.parse(text), cls) and isinstance(type, FloatType)
    assert cls.isinstance(type) and FloatType.isinstance(type)
    assert type == Type.parse(text)
    assert cls.type_name.startswith("builtin.")
    width = SMALL_FLOATS.get(text) or {"bf16": 16, "f16": 16, "tf32": 19, "f32": 32, "f64": 64}[text]
    assert type.width == width
    for other in FLOAT_CLASSES:
        assert cls.isinstance(Type.parse(other)) == (other == text)


def test_casts():
    i32 = Type.parse("i32")
    assert IntegerType(IntegerType(i32)) == i32
    with pytest.raises(ValueError, match=r"Cannot cast type to IntegerType \(from Type\(f32\)\)"):
        IntegerType(Type.parse("f32"))
    with pytest.raises(ValueError, match="Cannot cast type to RankedTensorType"):
        RankedTensorType(i32)
    with pytest.raises((TypeError, ValueError)):
        IntegerType("i32")


def test_equality_and_hash():
    a, b, c = Type.parse("i32"), Type.parse("f32"), Type.parse("i32")
    assert a == c and a != b and a != "i32" and a is not None
    assert len({a, b, c}) == 2
    assert {a: 1}[c] == 1
    with Context():
        assert Type.parse("i32") != a


def test_type_keeps_the_context_alive():
    with Context():
        type = Type.parse("tensor<4xf32>")
    gc.collect()
    assert str(type) == "tensor<4xf32>"
    assert type.element_type.width == 32


def test_integer():
    assert str(IntegerType.get_signless(16)) == "i16"
    assert str(IntegerType.get_signed(8)) == "si8"
    assert str(IntegerType.get_unsigned(64)) == "ui64"
    assert IntegerType.get(4, IntegerType.UNSIGNED) == Type.parse("ui4")
    assert IntegerType.get(7) == Type.parse("i7")
    si = IntegerType(Type.parse("si32"))
    assert (si.width, si.is_signless, si.is_signed, si.is_unsigned) == (32, False, True, False)
    assert si.signedness == IntegerType.SIGNED
    with pytest.raises(ValueError, match="bitwidth is limited"):
        IntegerType.get_signless(1 << 24)
    with pytest.raises(TypeError):
        IntegerType.get_signless(-1)


def test_context_is_needed():
    with Context() as other:
        type = F32Type.get(other)
    assert type.context is other


def test_complex():
    assert str(ComplexType.get(F32Type.get())) == "complex<f32>"
    assert ComplexType(Type.parse("complex<i32>")).element_type == IntegerType.get_signless(32)
    with pytest.raises(ValueError, match=r"invalid 'Type\(index\)' and expected floating point or integer type."):
        ComplexType.get(IndexType.get())


def test_shaped_members():
    vector = VectorType(Type.parse("vector<2x3xf32>"))
    assert vector.element_type == F32Type.get()
    assert vector.has_rank and vector.rank == 2 and vector.shape == [2, 3]
    assert vector.has_static_shape
    assert not vector.is_dynamic_dim(0) and vector.is_static_dim(0)
    assert vector.get_dim_size(1) == 3 and vector.get_dim_size(-1) == 3
    assert not vector.is_dynamic_size(3) and vector.is_dynamic_size(DYNAMIC) and vector.is_static_size(3)
    assert not vector.is_dynamic_stride_or_offset(1)
    assert vector.is_static_stride_or_offset(1)
    assert isinstance(vector, ShapedType) and ShapedType(vector).typeid == vector.typeid
    with pytest.raises(IndexError):
        vector.get_dim_size(2)
    with pytest.raises(AttributeError, match="ShapedType has no typeid."):
        ShapedType.static_typeid  # noqa: B018
    tensor = RankedTensorType.get([2, DYNAMIC], F32Type.get())
    assert tensor.is_dynamic_dim(1) and not tensor.has_static_shape
    assert str(tensor) == "tensor<2x?xf32>"


@pytest.mark.parametrize("text", ["tensor<*xf32>", "memref<*xf32>"])
def test_unranked_have_no_dimensions(text):
    type = Type.parse(text)
    assert not type.has_rank
    for call in (
        lambda: type.rank,
        lambda: type.shape,
        lambda: type.is_dynamic_dim(0),
        lambda: type.get_dim_size(0),
        lambda: type.is_dynamic_stride_or_offset(0),
    ):
        with pytest.raises(ValueError, match="calling this method requires that the type has a rank."):
            call()


def test_vector():
    f32 = F32Type.get()
    assert str(VectorType.get([2, 3], f32)) == "vector<2x3xf32>"
    scalable = VectorType.get([2, 3, 4], f32, scalable=[True, False, True])
    assert str(scalable) == "vector<[2]x3x[4]xf32>"
    assert scalable.scalable and scalable.scalable_dims == [True, False, True]
    assert VectorType.get([2, 3, 4], f32, scalable_dims=[0, 2]) == scalable
    assert not VectorType.get([2], f32).scalable
    assert VectorType.get_unchecked([2], f32) == VectorType.get([2], f32)
    with pytest.raises(MLIRError, match="Invalid type:\nerror: unknown: failed to verify 'elementType'"):
        VectorType.get([2, 3], NoneType.get())
    with pytest.raises(ValueError, match=r"Expected len\(scalable\) == len\(shape\)."):
        VectorType.get([2, 3], f32, scalable=[True])
    with pytest.raises(ValueError, match="kwargs are mutually exclusive."):
        VectorType.get([2, 3], f32, scalable=[False, True], scalable_dims=[1])
    for dim in (42, -1):
        with pytest.raises(ValueError, match="Scalable dimension index out of bounds."):
            VectorType.get([2, 3], f32, scalable_dims=[dim])


def test_ranked_tensor():
    f32 = F32Type.get()
    assert str(RankedTensorType.get((2, 3), f32)) == "tensor<2x3xf32>"
    assert str(RankedTensorType.get([], f32)) == "tensor<f32>"
    tensor = RankedTensorType.get([2, 3], f32, StringAttr.get("encoding"))
    assert tensor.encoding.value == "encoding"
    assert RankedTensorType.get([2], f32).encoding is None
    assert RankedTensorType.get_unchecked([2], f32) == Type.parse("tensor<2xf32>")
    with pytest.raises(MLIRError, match="invalid tensor element type: 'none'") as error:
        RankedTensorType.get([2], NoneType.get(), loc=Location.file("a.py", 3, 4))
    assert error.value.error_diagnostics[0].location == Location.file("a.py", 3, 4)
    with pytest.raises(MLIRError):
        RankedTensorType.get([-7], f32)


def test_location_is_optional():
    with Context():
        assert RankedTensorType.get([2], F32Type.get()).rank == 1
        with pytest.raises(MLIRError, match="error: unknown: invalid tensor element type"):
            UnrankedTensorType.get(NoneType.get())


def test_memref():
    f32 = F32Type.get()
    memref = MemRefType.get([2, 3], f32, memory_space=Attribute.parse("2"))
    assert str(memref) == "memref<2x3xf32, 2>"
    assert repr(memref.layout) == "AffineMapAttr(affine_map<(d0, d1) -> (d0, d1)>)"
    assert memref.affine_map == AffineMap.get_identity(2)
    assert repr(memref.memory_space) == "IntegerAttr(2 : i64)"
    assert memref.get_strides_and_offset() == ([3, 1], 0)
    transposed = MemRefType.get([2, 3], f32, layout=AffineMapAttr.get(AffineMap.get_permutation([1, 0])))
    assert str(transposed) == "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>"
    assert transposed.memory_space is None
    strided = MemRefType.get([2, 3], f32, StridedLayoutAttr.get(5, [7, 1]))
    assert strided.get_strides_and_offset() == ([7, 1], 5)
    with pytest.raises(RuntimeError, match="Failed to extract strides and offset"):
        Type.parse("memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>").get_strides_and_offset()
    with pytest.raises(MLIRError, match="invalid memref element type"):
        MemRefType.get([2], NoneType.get())
    unranked = UnrankedMemRefType.get(f32, Attribute.parse("2"))
    assert str(unranked) == "memref<*xf32, 2>" and unranked.memory_space == Attribute.parse("2")
    assert UnrankedMemRefType.get(f32, None).memory_space is None
    with pytest.raises(MLIRError, match="invalid memref element type"):
        UnrankedMemRefType.get(NoneType.get(), None)


@pytest.mark.parametrize("get", [MemRefType.get, MemRefType.get_unchecked])
@pytest.mark.parametrize("text", ['"x"', "unit", "[1]", "#xla<precision HIGH>"])
def test_memref_layout_that_is_none(get, text):
    with Context(), Location.unknown():
        with pytest.raises(ValueError, match="is not the layout of a memref"):
            get([2], F32Type.get(), layout=Attribute.parse(text))
        assert str(get([2], F32Type.get(), layout=Attribute.parse("strided<[2]>"))) == "memref<2xf32, strided<[2]>>"


def test_tuple_and_function():
    i32, f32 = IntegerType.get_signless(32), F32Type.get()
    tuple_type = TupleType.get_tuple([i32, f32])
    assert str(tuple_type) == "tuple<i32, f32>" and tuple_type.num_types == 2
    assert tuple_type.get_type(1) == f32 and isinstance(tuple_type.get_type(1), F32Type)
    with pytest.raises(IndexError):
        tuple_type.get_type(2)
    function = FunctionType.get([i32, f32], [IndexType.get()])
    assert str(function) == "(i32, f32) -> index"
    assert repr(function.inputs) == "[IntegerType(i32), F32Type(f32)]"
    assert repr(function.results) == "[IndexType(index)]"
    assert FunctionType.get(inputs=[], results=[]).inputs == []


def test_opaque(context):
    context.allow_unregistered_dialects = True
    opaque = OpaqueType.get("dialect", "type")
    assert str(opaque) == "!dialect.type"
    assert opaque.dialect_namespace == "dialect" and opaque.data == "type"
    assert isinstance(Type.parse("!dialect.type"), OpaqueType)


def test_capsule(context):
    type = Type.parse("i32")
    assert "mlir_xla.ir.Type._CAPIPtr" in repr(type._CAPIPtr)
    again = Type._CAPICreate(type._CAPIPtr)
    assert again == type and again.context is context


def test_short_names():
    assert T.i(16) == T.i16() and T.si(16) == T.si16() and T.ui(16) == T.ui16()
    assert repr(T.complex(T.f16())) == "ComplexType(complex<f16>)"
    assert repr(T.vector(2, 3, T.f32())) == "VectorType(vector<2x3xf32>)"
    assert repr(T.memref(2, 3, T.f64(), memory_space=1)) == "MemRefType(memref<2x3xf64, 1>)"
    layout = StridedLayoutAttr.get(42, [5, 7, 13])
    assert str(T.memref(2, 3, 4, T.f64(), memory_space=1, layout=layout)) == (
        "memref<2x3x4xf64, strided<[5, 7, 13], offset: 42>, 1>"
    )
    assert repr(T.tensor(DYNAMIC, 3, T.f64())) == "RankedTensorType(tensor<?x3xf64>)"
    assert repr(T.tensor(DYNAMIC, 3, element_type=T.f64())) == "RankedTensorType(tensor<?x3xf64>)"
    assert repr(T.tensor(T.f64())) == "UnrankedTensorType(tensor<*xf64>)"
    assert repr(T.memref(T.f64())) == "UnrankedMemRefType(memref<*xf64>)"
    assert str(T.tensor(3, T.f64(), encoding="e")) == 'tensor<3xf64, "e">'
    assert str(T.vector(2, 3, T.f32(), scalable=[False, True])) == "vector<2x[3]xf32>"
    assert T.function(inputs=[T.i32()], results=[T.tuple(T.bool(), T.index())]) == Type.parse(
        "(i32) -> tuple<i1, index>"
    )
    assert [T.bf16(), T.f16(), T.tf32()] == [BF16Type.get(), F16Type.get(), FloatTF32Type.get()]
    assert T.f64() == F64Type.get() and T.none() == NoneType.get()
    with pytest.raises(ValueError):
        T.tensor()
    with pytest.raises(ValueError, match="does not support encoding"):
        T.tensor(T.f32(), encoding="e")
