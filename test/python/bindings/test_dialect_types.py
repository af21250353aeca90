# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and attributes of llvm, quant, nvgpu, gpu and sparse_tensor, and their downcasting."""

import subprocess
import sys

import numpy as np
import pytest

from mlir_xla.dialects import gpu, llvm, nvgpu, quant
from mlir_xla.dialects import sparse_tensor as st
from mlir_xla.extras import types as T
from mlir_xla.ir import (
    AffineExpr,
    AffineMap,
    Attribute,
    Context,
    DenseElementsAttr,
    F32Type,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    Location,
    MLIRError,
    Module,
    RankedTensorType,
    Type,
    TypeAttr,
)


@pytest.fixture(autouse=True)
def module():
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            yield module


def test_downcast_without_import():
    code = (
        "import sys\n"
        "from mlir_xla.ir import Context, Type, Attribute\n"
        "with Context():\n"
        "    names = [type(Type.parse(t)).__name__ for t in ('!transform.op<\"a.b\">', '!llvm.ptr', '!gpu.async.token',"
        " '!xla.token', '!pdl.value', '!quant.any<i8:f32>')]\n"
        "    assert names == ['OperationType', 'PointerType', 'AsyncTokenType', 'TokenType', 'ValueType',"
        " 'AnyQuantizedType'], names\n"
        "    assert type(Attribute.parse('#xla.dot<>')).__name__ == 'DotDimensionNumbers'\n"
        "assert not [m for m in sys.modules if m.startswith('mlir_xla.dialects.')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_literal_structs():
    i8, i32 = T.i8(), T.i32()
    assert str(llvm.StructType.get_literal([])) == "!llvm.struct<()>"
    literal = llvm.StructType.get_literal([i8, i32])
    assert literal.body == [i8, i32] and literal.name is None and not literal.packed and not literal.opaque
    packed = llvm.StructType.get_literal([i32, i32], packed=True)
    assert str(packed) == "!llvm.struct<packed (i32, i32)>" and packed.packed
    assert llvm.StructType.get_literal([i8, i32]) == literal == llvm.StructType.get_literal_unchecked([i8, i32])
    assert isinstance(Type.parse("!llvm.struct<(i8)>"), llvm.StructType)
    with pytest.raises(ValueError):
        literal.set_body([i8])
    with pytest.raises(MLIRError, match="Invalid type"):
        llvm.StructType.get_literal([llvm.VoidType.get()])


def test_identified_structs():
    i32, i64 = T.i32(), T.i64()
    foo = llvm.StructType.get_identified("foo")
    assert str(foo) == '!llvm.struct<"foo", opaque>' and foo.name == "foo" and foo.opaque and foo.body is None
    foo.set_body([i32, i64])
    foo.set_body([i32, i64])
    assert foo.body == [i32, i64] and not foo.opaque and llvm.StructType.get_identified("foo") == foo
    with pytest.raises(ValueError, match="Struct body already set to different content"):
        foo.set_body([])
    assert llvm.StructType.new_identified("foo", []) != llvm.StructType.new_identified("foo", [])
    assert llvm.StructType.get_opaque("opaque").opaque


def test_other_llvm_types():
    assert str(llvm.PointerType.get()) == "!llvm.ptr" and llvm.PointerType.get(1).address_space == 1
    array = llvm.ArrayType.get(T.f32(), 4)
    assert str(array) == "!llvm.array<4 x f32>" and array.num_elements == 4 and array.element_type == T.f32()
    function = llvm.FunctionType.get(llvm.VoidType.get(), [T.i32()], is_var_arg=True)
    assert str(function) == "!llvm.func<void (i32, ...)>" and function.is_var_arg
    assert function.inputs == [T.i32()] and function.return_type == llvm.VoidType.get()
    assert isinstance(Type.parse("!llvm.func<i32 ()>"), llvm.FunctionType)
    with pytest.raises(ValueError, match="invalid array element type"):
        llvm.ArrayType.get(llvm.VoidType.get(), 4)
    with pytest.raises(ValueError, match="invalid function argument type"):
        llvm.FunctionType.get(T.i32(), [llvm.VoidType.get()])


def test_llvm_operations(module):
    c = llvm.mlir_constant(IntegerAttr.get(T.i32(), 128))
    assert str(c.owner) == "%0 = llvm.mlir.constant(128 : i32) : i32"
    pointer = llvm.alloca(llvm.PointerType.get(), c, T.i32())
    byte = llvm.mlir_constant(IntegerAttr.get(T.i8(), 0))
    llvm.intr_memset(pointer, byte, c, False)
    function = llvm.FunctionType.get(llvm.VoidType.get(), [])
    declared = llvm.LLVMFuncOp("f", TypeAttr.get(function), linkage="external", CConv="fastcc")
    assert declared.operation.verify()
    assert "llvm.func fastcc @f()" in str(module)


def test_nvgpu_and_gpu():
    assert str(gpu.AsyncTokenType.get()) == "!gpu.async.token" == str(gpu.gpu_async_token())
    memref = T.memref(64, 64, T.f16(), memory_space=3)
    descriptor = nvgpu.TensorMapDescriptorType.get(
        memref,
        nvgpu.TensorMapSwizzleKind.SWIZZLE_128B,
        nvgpu.TensorMapL2PromoKind.L2PROMO_128B,
        nvgpu.TensorMapOOBKind.OOB_NAN,
        nvgpu.TensorMapInterleaveKind.INTERLEAVE_NONE,
    )
    assert isinstance(Type.parse(str(descriptor)), nvgpu.TensorMapDescriptorType)
    assert Type.parse(str(descriptor)) == descriptor and "swizzle = swizzle_128b" in str(descriptor)
    with pytest.raises(ValueError, match="describes a memref"):
        nvgpu.TensorMapDescriptorType.get(T.f32(), 0, 0, 0, 0)


def test_quant_hierarchy():
    texts = {
        quant.AnyQuantizedType: "!quant.any<i8<-8:7>:f32>",
        quant.UniformQuantizedType: "!quant.uniform<i8<-8:7>:f32, 9.987200e-01:127>",
        quant.UniformQuantizedPerAxisType: "!quant.uniform<i8:f32:1, {2.000000e+02,9.987200e-01:120}>",
        quant.UniformQuantizedSubChannelType: "!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:10, 3.0:20}, {4.0:30, 5.0:40}}>",
        quant.CalibratedQuantizedType: "!quant.calibrated<f32<-0.998:1.2321>>",
    }
    for cls, text in texts.items():
        type = Type.parse(text)
        assert type.__class__ is cls and isinstance(type, quant.QuantizedType)
        assert [other.isinstance(type) for other in texts] == [other is cls for other in texts]
    storage = quant.QuantizedType.cast_to_storage_type(Type.parse(texts[quant.UniformQuantizedType]))
    assert isinstance(storage, IntegerType)
    with pytest.raises(TypeError):
        quant.QuantizedType.cast_to_storage_type(T.i8())


def test_quant_members():
    i8, f32 = T.i8(), F32Type.get()
    signed = quant.QuantizedType.FLAG_SIGNED
    any_type = quant.AnyQuantizedType.get(signed, i8, f32, -8, 7)
    assert (any_type.flags, any_type.is_signed, any_type.storage_type, any_type.expressed_type) == (1, True, i8, f32)
    assert (any_type.storage_type_min, any_type.storage_type_max, any_type.storage_type_integral_width) == (-8, 7, 8)
    uniform = quant.UniformQuantizedType.get(signed, i8, f32, 0.99872, 127, -8, 7)
    assert (uniform.scale, uniform.zero_point, uniform.is_fixed_point) == (0.99872, 127, False)
    low = quant.QuantizedType.default_minimum_for_integer(is_signed=True, integral_width=8)
    high = quant.QuantizedType.default_maximum_for_integer(is_signed=True, integral_width=8)
    assert (low, high) == (-128, 127)
    per_axis = quant.UniformQuantizedPerAxisType.get(
        signed, i8, f32, [200, 0.99872], [0, 120], quantized_dimension=1, storage_type_min=low, storage_type_max=high
    )
    assert (per_axis.scales, per_axis.zero_points, per_axis.quantized_dimension) == ([200.0, 0.99872], [0, 120], 1)
    scales = DenseElementsAttr.get(np.array([[2, 3], [4, 5]], np.float32))
    zeros = DenseElementsAttr.get(np.array([[10, 20], [30, 40]], np.int8))
    sub = quant.UniformQuantizedSubChannelType.get(
        signed, i8, f32, scales, zeros, [0, 1], [1, 2], storage_type_min=low, storage_type_max=high
    )
    assert sub.quantized_dimensions == [0, 1] and sub.block_sizes == [1, 2] and sub.scales == scales
    calibrated = quant.CalibratedQuantizedType.get(f32, -0.998, 1.2321)
    assert (calibrated.min, calibrated.max) == (-0.998, 1.2321)
    with pytest.raises(ValueError, match="Mismatching number of scales and zero points"):
        quant.UniformQuantizedPerAxisType.get(signed, i8, f32, [1.0], [0, 1], 0, low, high)


def test_sparse_encoding():
    text = "#sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed), posWidth = 16, crdWidth = 32 }>"
    parsed = Attribute.parse(text)
    assert isinstance(parsed, st.EncodingAttr) and str(parsed) == text
    assert (parsed.pos_width, parsed.crd_width) == (16, 32)
    assert str(parsed.dim_to_lvl) == "(d0) -> (d0)" and parsed.explicit_val is None
    plain = st.EncodingAttr.get(parsed.lvl_types, None, None, 0, 0)
    assert plain != parsed and plain.pos_width == 0
    n_out_of_m = st.EncodingAttr.build_level_type(st.LevelFormat.n_out_of_m, [], 2, 4)
    dense = st.EncodingAttr.build_level_type(st.LevelFormat.dense)
    d0, d1, d2 = (AffineExpr.get_dim(i) for i in range(3))
    built = st.EncodingAttr.get(
        [dense, dense, n_out_of_m],
        AffineMap.get(2, 0, [d0, AffineExpr.get_floor_div(d1, 4), d1 % 4]),
        AffineMap.get(3, 0, [d0, d1 * 4 + d2]),
        0,
        0,
    )
    assert "structured[2, 4]" in str(built) and (built.structured_n, built.structured_m) == (2, 4)
    assert built.lvl_formats_enum == [st.LevelFormat.dense, st.LevelFormat.dense, st.LevelFormat.n_out_of_m]
    tensor = RankedTensorType.get([1024], T.f32(), parsed)
    assert tensor.encoding == parsed
    ordered = st.EncodingAttr.build_level_type(st.LevelFormat.compressed, [st.LevelProperty.non_unique])
    assert "compressed(nonunique)" in str(st.EncodingAttr.get([ordered], None, None, 0, 0))
