# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""InferTypeOpInterface and InferShapedTypeOpInterface."""

import pytest

from mlir_xla import ir


class Add(ir.OpView):
    OPERATION_NAME = "arith.addi"


class Constant(ir.OpView):
    OPERATION_NAME = "arith.constant"


class Return(ir.OpView):
    OPERATION_NAME = "func.return"


def test_infer_from_a_class(ctx, i32):
    value = ir.Operation.create("custom.value", results=[i32]).result
    interface = ir.InferTypeOpInterface(Add)
    assert interface.inferReturnTypes(operands=[value, value]) == [i32]
    with pytest.raises(TypeError, match="static interface"):
        interface.operation


def test_infer_from_attributes(ctx):
    attributes = ir.Attribute.parse("{value = 3 : i64}")
    assert [str(t) for t in ir.InferTypeOpInterface(Constant).inferReturnTypes(attributes=attributes)] == ["i64"]
    with pytest.raises(ValueError, match="Failed to infer result types"):
        ir.InferTypeOpInterface(Constant).inferReturnTypes(attributes=ir.Attribute.parse("{value = []}"))


def test_infer_from_an_operation(ctx, i32):
    value = ir.Operation.create("custom.value", results=[i32]).result
    add = ir.Operation.create("arith.addi", operands=[value, value], infer_type=True)
    interface = ir.InferTypeOpInterface(add)
    assert interface.operation is add.operation and interface.opview == add
    with pytest.raises(ValueError, match="Failed to infer result types"):
        interface.inferReturnTypes(operands=[])


def test_not_implemented(ctx):
    with pytest.raises(ValueError, match="'func.return' does not implement InferTypeOpInterface"):
        ir.InferTypeOpInterface(Return)
    with pytest.raises(TypeError, match="does not refer to an operation or OpView class"):
        ir.InferTypeOpInterface(3)


def test_infer_shapes(ctx):
    from mlir_xla.dialects import tosa

    f32 = ir.F32Type.get()
    shapes = [[2, 1], [2, 3]]
    op = ir.Operation.create("custom.values", results=[ir.RankedTensorType.get(shape, f32) for shape in shapes])
    interface = ir.InferShapedTypeOpInterface(tosa.AddOp)
    [result] = interface.inferReturnTypeComponents(operands=list(op.results))
    assert result.has_rank and result.rank == 2 and result.shape == [2, 3] and result.attribute is None
    with pytest.raises(TypeError, match="static interface"):
        interface.opview
    with pytest.raises(ValueError, match="does not implement InferShapedTypeOpInterface"):
        ir.InferShapedTypeOpInterface(Return)


def test_shaped_type_components(ctx):
    f32 = ir.F32Type.get()
    unranked = ir.ShapedTypeComponents.get(f32)
    assert not unranked.has_rank and unranked.rank is None and unranked.shape is None and unranked.element_type == f32
    encoded = ir.ShapedTypeComponents.get([2, 3], f32, ir.UnitAttr.get())
    assert encoded.shape == [2, 3] and encoded.rank == 2 and encoded.attribute == ir.UnitAttr.get()
