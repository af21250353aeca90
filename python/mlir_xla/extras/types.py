# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short functions for builtin types: `T.f32()`, `T.tensor(2, 3, T.f32())`, `T.memref(4, T.i8())`."""

from typing import Optional

from ..ir import (
    Attribute,
    BF16Type,
    ComplexType,
    F16Type,
    F32Type,
    F64Type,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    FloatTF32Type,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneType,
    OpaqueType,
    RankedTensorType,
    StridedLayoutAttr,
    StringAttr,
    TupleType,
    Type,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)


def index() -> IndexType:
    return IndexType.get()


def i(width: int) -> IntegerType:
    return IntegerType.get_signless(width)


def si(width: int) -> IntegerType:
    return IntegerType.get_signed(width)


def ui(width: int) -> IntegerType:
    return IntegerType.get_unsigned(width)


def bool() -> IntegerType:
    return i(1)


def i8() -> IntegerType:
    return i(8)


def i16() -> IntegerType:
    return i(16)


def i32() -> IntegerType:
    return i(32)


def i64() -> IntegerType:
    return i(64)


def si8() -> IntegerType:
    return si(8)


def si16() -> IntegerType:
    return si(16)


def si32() -> IntegerType:
    return si(32)


def si64() -> IntegerType:
    return si(64)


def ui8() -> IntegerType:
    return ui(8)


def ui16() -> IntegerType:
    return ui(16)


def ui32() -> IntegerType:
    return ui(32)


def ui64() -> IntegerType:
    return ui(64)


def f16() -> F16Type:
    return F16Type.get()


def f32() -> F32Type:
    return F32Type.get()


def f64() -> F64Type:
    return F64Type.get()


def tf32() -> FloatTF32Type:
    return FloatTF32Type.get()


def bf16() -> BF16Type:
    return BF16Type.get()


def f8E5M2() -> Float8E5M2Type:
    return Float8E5M2Type.get()


def f8E4M3() -> Float8E4M3Type:
    return Float8E4M3Type.get()


def f8E4M3FN() -> Float8E4M3FNType:
    return Float8E4M3FNType.get()


def f8E4M3B11FNUZ() -> Float8E4M3B11FNUZType:
    return Float8E4M3B11FNUZType.get()


def f8E4M3FNUZ() -> Float8E4M3FNUZType:
    return Float8E4M3FNUZType.get()


def f8E5M2FNUZ() -> Float8E5M2FNUZType:
    return Float8E5M2FNUZType.get()


def f8E3M4() -> Float8E3M4Type:
    return Float8E3M4Type.get()


def f8E8M0FNU() -> Float8E8M0FNUType:
    return Float8E8M0FNUType.get()


def f6E2M3FN() -> Float6E2M3FNType:
    return Float6E2M3FNType.get()


def f6E3M2FN() -> Float6E3M2FNType:
    return Float6E3M2FNType.get()


def f4E2M1FN() -> Float4E2M1FNType:
    return Float4E2M1FNType.get()


def none() -> NoneType:
    return NoneType.get()


def complex(type: Type) -> ComplexType:
    return ComplexType.get(type)


def opaque(dialect_namespace: str, type_data: str) -> OpaqueType:
    return OpaqueType.get(dialect_namespace, type_data)


def _split(shape, element_type: Optional[Type]):
    """The dimensions and the element type, which may be the last of the positional arguments."""
    if element_type is None:
        if not shape:
            raise ValueError("Either pass the element type as the last positional argument or as element_type=")
        element_type = shape[-1]
        shape = shape[:-1]
    if not isinstance(element_type, Type):
        raise TypeError(f"the element type must be a Type, got {element_type!r}")
    return list(shape), element_type


def tensor(*shape, element_type: Optional[Type] = None, encoding=None):
    """A ranked tensor type; without dimensions an unranked one. A string encoding becomes an attribute."""
    dims, element_type = _split(shape, element_type)
    if isinstance(encoding, str):
        encoding = StringAttr.get(encoding)
    if not dims:
        if encoding is not None:
            raise ValueError("UnrankedTensorType does not support encoding.")
        return UnrankedTensorType.get(element_type)
    return RankedTensorType.get(dims, element_type, encoding=encoding)


def memref(
    *shape,
    element_type: Optional[Type] = None,
    memory_space=None,
    layout: Optional[StridedLayoutAttr] = None,
):
    """A memref type; without dimensions an unranked one. An int as memory space becomes an i64 attribute."""
    dims, element_type = _split(shape, element_type)
    if memory_space is not None and not isinstance(memory_space, Attribute):
        memory_space = IntegerAttr.get(i64(), int(memory_space))
    if not dims:
        if layout is not None:
            raise ValueError("UnrankedMemRefType does not support layout.")
        return UnrankedMemRefType.get(element_type, memory_space)
    return MemRefType.get(dims, element_type, memory_space=memory_space, layout=layout)


def vector(*shape, element_type: Optional[Type] = None, scalable=None, scalable_dims=None) -> VectorType:
    """A vector type; scalable dimensions as a list of flags, or as a list of dimensions."""
    dims, element_type = _split(shape, element_type)
    return VectorType.get(dims, element_type, scalable=scalable, scalable_dims=scalable_dims)


def tuple(*elements: Type) -> TupleType:
    return TupleType.get_tuple(elements)


def function(*, inputs, results) -> FunctionType:
    return FunctionType.get(inputs, results)
