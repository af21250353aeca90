# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""InferTypeOpInterface."""

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
