# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IRDL: dialects that are defined as IR and loaded at run time."""

import pytest

from mlir_xla import ir
from mlir_xla.dialects import irdl


@pytest.fixture
def definitions(ctx):
    """The dialect `shop`: a type with a parameter, an attribute, an operation."""
    with ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body), ir.InsertionPoint(irdl.dialect("shop").body):
            with ir.InsertionPoint(irdl.type_("price").body):
                irdl.parameters([irdl.base(base_name="#builtin.integer")], ["cents"])
            with ir.InsertionPoint(irdl.attribute("tag").body):
                irdl.parameters([irdl.is_(ir.StringAttr.get("new"))], ["label"])
            with ir.InsertionPoint(irdl.operation_("buy").body):
                f32 = irdl.is_(ir.TypeAttr.get(ir.F32Type.get()))
                irdl.operands_([f32, f32], ["what", "more"], [irdl.Variadicity.single, irdl.Variadicity.variadic])
                irdl.results_([irdl.base(base_ref=["shop", "price"])], ["paid"], ["single"])
    return module


def test_text(definitions):
    assert definitions.operation.verify()
    text = str(definitions)
    assert "irdl.operands(what: %0, more: variadic %0)" in text
    assert "irdl.base @shop::@price" in text
    for view in definitions.body.operations[0].regions[0].blocks[0].operations:
        assert view.body == view.regions[0].blocks[0]


def test_load(definitions):
    irdl.load_dialects(definitions)
    context = definitions.context
    assert context.is_registered_operation("shop.buy")
    module = ir.Module.parse(
        """
        %0 = arith.constant 1.0 : f32
        %1 = "shop.buy"(%0, %0) : (f32, f32) -> !shop.price<3 : i64>
        """
    )
    assert str(module.body.operations[1].result.type) == "!shop.price<3 : i64>"
    with pytest.raises(ir.MLIRError, match="expected 'f32'|but expected"):
        ir.Module.parse('%0 = arith.constant 1 : i32\n%1 = "shop.buy"(%0) : (i32) -> !shop.price<3 : i64>')
