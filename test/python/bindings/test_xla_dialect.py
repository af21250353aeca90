# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The xla dialect in Python: types, attributes, enumerations and generated operations."""

import numpy as np
import pytest

from mlir_xla.dialects import func, xla
from mlir_xla.extras import types as T
from mlir_xla.ir import (
    Attribute,
    BF16Type,
    Context,
    DenseI64ArrayAttr,
    F32Type,
    InsertionPoint,
    Location,
    MLIRError,
    Module,
    RankedTensorType,
    ShapedType,
    Type,
)


@pytest.fixture(autouse=True)
def module():
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            yield module


def test_token():
    token = xla.TokenType.get()
    assert str(token) == "!xla.token" and repr(token) == "TokenType(!xla.token)"
    assert isinstance(Type.parse("!xla.token"), xla.TokenType)
    assert xla.TokenType.static_typeid == token.typeid and xla.TokenType.type_name == "xla.token"


@pytest.mark.parametrize(
    "cls, arguments, text",
    [
        ("DotDimensionNumbers", {}, "#xla.dot<>"),
        (
            "DotDimensionNumbers",
            {
                "lhs_batching_dimensions": [0],
                "rhs_batching_dimensions": [1],
                "lhs_contracting_dimensions": [2, 3],
                "rhs_contracting_dimensions": [3, 2],
            },
            "#xla.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], "
            "lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [3, 2]>",
        ),
        (
            "GatherDimensionNumbers",
            {
                "offset_dims": [2, 3],
                "collapsed_slice_dims": [0],
                "operand_batching_dims": [1],
                "start_indices_batching_dims": [1],
                "start_index_map": [0, 2],
                "index_vector_dim": 2,
            },
            "#xla.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], operand_batching_dims = [1], "
            "start_indices_batching_dims = [1], start_index_map = [0, 2], index_vector_dim = 2>",
        ),
        (
            "ScatterDimensionNumbers",
            {
                "update_window_dims": [2],
                "inserted_window_dims": [0],
                "input_batching_dims": [],
                "scatter_indices_batching_dims": [],
                "scattered_dims_to_operand_dims": [1, 0],
                "index_vector_dim": 1,
            },
            "#xla.scatter<update_window_dims = [2], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>",
        ),
        (
            "ConvDimensionNumbers",
            {
                "input_batch_dimension": 0,
                "input_feature_dimension": 3,
                "input_spatial_dimensions": [1, 2],
                "kernel_input_feature_dimension": 2,
                "kernel_output_feature_dimension": 3,
                "kernel_spatial_dimensions": [0, 1],
                "output_batch_dimension": 0,
                "output_feature_dimension": 3,
                "output_spatial_dimensions": [1, 2],
            },
            "#xla.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>",
        ),
        ("BoundsAttr", {"bounds": [8, ShapedType.get_dynamic_size()]}, "#xla.bounds<8, ?>"),
        ("ChannelHandle", {"handle": 7, "type": 2}, "#xla.channel_handle<handle = 7, type = 2>"),
        (
            "OutputOperandAlias",
            {"output_tuple_indices": [0], "operand_index": 1, "operand_tuple_indices": [1, 2]},
            "#xla.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = [1, 2]>",
        ),
        (
            "LayoutAttr",
            {"minor_to_major": [0, 1], "padded": [3, 5], "padding": "ZERO"},
            "#xla.layout<minor_to_major = [0, 1], padded = [3, 5], padding = ZERO>",
        ),
        ("LayoutAttr", {"minor_to_major": [1, 0]}, "#xla.layout<minor_to_major = [1, 0]>"),
    ],
)
def test_structured_attributes(cls, arguments, text):
    cls = getattr(xla, cls)
    attr = cls.get(**arguments)
    assert type(attr) is cls and str(attr) == text and repr(attr) == f"{cls.__name__}({text})"
    parsed = Attribute.parse(text)
    assert parsed == attr and type(parsed) is cls
    for name, value in arguments.items():
        assert getattr(attr, "channel_type" if name == "type" and "Channel" in cls.__name__ else name) == value
    assert cls.static_typeid == attr.typeid
    with pytest.raises(ValueError, match=f"Cannot cast attribute to {cls.__name__}"):
        cls(Attribute.parse("1"))


def test_layout_of_a_tensor():
    layout = xla.LayoutAttr.get([0, 1], [3, 5])
    tensor = RankedTensorType.get([2, 3], F32Type.get(), layout)
    assert tensor.encoding == layout and isinstance(tensor.encoding, xla.LayoutAttr)
    assert tensor.encoding.padding is None and tensor.encoding.minor_to_major == [0, 1]
    with pytest.raises(MLIRError, match="LAY-C"):
        xla.LayoutAttr.get([0, 0])
    with pytest.raises(MLIRError, match="LAY-C"):
        RankedTensorType.get([2, 3, 4], F32Type.get(), layout)
    with pytest.raises(ValueError, match="unknown PaddingValue: 'NOISE'; expected INVALID, ZERO"):
        xla.LayoutAttr.get([0, 1], padding="NOISE")


def test_accuracy():
    attr = xla.ResultAccuracyAttr.get(rtol=1e-5, ulps=4, mode="TOLERANCE")
    assert (attr.atol, attr.rtol, attr.ulps, attr.mode) == (0.0, 1e-5, 4, "TOLERANCE")
    assert Attribute.parse(str(attr)) == attr
    assert xla.ResultAccuracyAttr.get().mode == "DEFAULT"
    with pytest.raises(MLIRError, match="Invalid attribute"):
        xla.ResultAccuracyAttr.get(mode="TOLERANCE")


def test_dot_algorithm():
    attr = xla.DotAlgorithm.get(BF16Type.get(), BF16Type.get(), F32Type.get(), num_primitive_operations=3)
    assert attr.lhs_precision_type == BF16Type.get() and attr.accumulation_type == F32Type.get()
    assert (attr.lhs_component_count, attr.rhs_component_count, attr.num_primitive_operations) == (1, 1, 3)
    assert attr.allow_imprecise_accumulation is False
    assert Attribute.parse(str(attr)) == attr


@pytest.mark.parametrize(
    "name",
    [
        "ComparisonDirection",
        "ComparisonType",
        "Precision",
        "FftType",
        "Transpose",
        "RngAlgorithm",
        "RngDistribution",
        "PaddingValue",
        "ResultAccuracyMode",
    ],
)
def test_enumerations(name):
    enum, cls = getattr(xla, name), getattr(xla, f"{name}Attr")
    assert len(enum) >= 2
    for member in enum:
        attr = cls.get(member)
        assert attr == cls.get(str(member)) == cls.get(int(member))
        assert attr.value == str(member) and int(attr) == int(member)
        parsed = Attribute.parse(str(attr))
        assert parsed == attr and type(parsed) is cls
    for bad in ("NONSENSE", 99, 1.0):
        with pytest.raises(ValueError, match=f"unknown {name}"):
            cls.get(bad)
    with pytest.raises(TypeError):
        cls.get(None)


def test_operations(module):
    tensor = T.tensor(2, 3, T.f32())

    @func.func(tensor, tensor)
    def main(a, b):
        c = xla.add(a, b)
        assert c.type == tensor and c.owner.opview.__class__ is xla.AddOp
        assert c.owner.opview.lhs == a and c.owner.opview.rhs == b
        less = [xla.compare(a, b, d) for d in ("LT", xla.ComparisonDirection.LT, xla.ComparisonDirectionAttr.get("LT"))]
        assert str(less[0].type) == "tensor<2x3xi1>"
        directions = {v.owner.opview.comparison_direction for v in less}
        assert directions == {xla.ComparisonDirectionAttr.get("LT")}
        return xla.select(less[0], c, a)

    assert module.operation.verify()
    text = str(module)
    assert "xla.add %arg0, %arg1" in text and "xla.compare" in text and "xla.select" in text
    assert str(Module.parse(text)) == text
    generic = module.operation.get_asm(print_generic_op_form=True)
    assert str(Module.parse(generic)) == text


def test_attributes_from_python_values(module):
    tensor = T.tensor(2, 3, T.f32())

    @func.func(tensor)
    def main(a):
        t = xla.transpose(a, [1, 0])
        assert t.type.shape == [3, 2] and t.owner.attributes["permutation"] == DenseI64ArrayAttr.get([1, 0])
        c = xla.constant(np.arange(6, dtype=np.float32).reshape(3, 2))
        assert np.array(c.owner.attributes["value"]).tolist() == [[0, 1], [2, 3], [4, 5]]
        return xla.multiply(t, c)

    assert module.operation.verify()


def test_inference_errors_name_the_constraint():
    tensor, other = T.tensor(2, 3, T.f32()), T.tensor(2, 4, T.f32())

    def build():
        @func.func(tensor, other)
        def main(a, b):
            return xla.add(a, b)

    with pytest.raises((MLIRError, ValueError), match=r"'xla.add' op \[Binary-C3\] .*\[2, 3\] and \[2, 4\]"):
        build()


def test_parsed_operations_have_their_classes():
    module = Module.parse("func.func @f(%a: tensor<2xf32>) { %0 = xla.negate %a : tensor<2xf32> return }")
    op = module.body.operations[0].body.blocks[0].operations[0]
    assert isinstance(op, xla.NegOp) and op.operand.type == T.tensor(2, T.f32())
