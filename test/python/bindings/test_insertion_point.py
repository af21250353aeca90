# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""InsertionPoint."""

import pytest

from mlir_xla import ir


def names(block):
    return [op.operation.name for op in block]


@pytest.fixture
def block(ctx):
    op = ir.Operation.parse("""
      func.func @foo() {
        "custom.first"() : () -> ()
        return
      }""")
    return op.regions[0].blocks[0]


@pytest.fixture
def open_block(ctx):
    module = ir.Module.parse('"custom.first"() : () -> ()')
    return module.body


def new():
    return ir.Operation.create("custom.new")


def test_end(open_block):
    ip = ir.InsertionPoint(open_block)
    assert ip.block == open_block and ip.ref_operation is None
    ip.insert(new())
    assert names(open_block) == ["custom.first", "custom.new"]


def test_begin(block):
    ip = ir.InsertionPoint.at_block_begin(block)
    assert ip.ref_operation == block.operations[0]
    ip.insert(new())
    assert names(block) == ["custom.new", "custom.first", "func.return"]


def test_begin_of_an_empty_block(ctx):
    module = ir.Module.create()
    ir.InsertionPoint.at_block_begin(module.body).insert(new())
    assert names(module.body) == ["custom.new"]


def test_before_and_after(block):
    ir.InsertionPoint(block.operations[1]).insert(ir.Operation.create("custom.before"))
    ir.InsertionPoint.after(block.operations[0]).insert(ir.Operation.create("custom.after"))
    assert names(block) == ["custom.first", "custom.after", "custom.before", "func.return"]


def test_after_the_last_operation(open_block):
    ip = ir.InsertionPoint.after(open_block.operations[0])
    assert ip.ref_operation is None
    ip.insert(new())
    assert names(open_block) == ["custom.first", "custom.new"]


def test_terminator(block, open_block):
    ir.InsertionPoint.at_block_terminator(block).insert(new())
    assert names(block) == ["custom.first", "custom.new", "func.return"]
    with pytest.raises(ValueError, match="Block has no terminator"):
        ir.InsertionPoint.at_block_terminator(open_block)


def test_after_the_terminator_is_an_error(block):
    with ir.InsertionPoint(block), pytest.raises(IndexError, match="already has a terminator"):
        new()


def test_attached_operation_is_an_error(block):
    ip = ir.InsertionPoint.at_block_begin(block)
    op = new()
    ip.insert(op)
    with pytest.raises(ValueError, match="already attached"):
        ip.insert(op)


def test_detached_reference_is_an_error(ctx):
    with pytest.raises(ValueError, match="Detached operation"):
        ir.InsertionPoint(new())


def test_nesting(open_block):
    with ir.InsertionPoint(open_block):
        ir.Operation.create("custom.a")
        with ir.InsertionPoint.at_block_begin(open_block):
            ir.Operation.create("custom.b")
            ir.Operation.create("custom.c")
        ir.Operation.create("custom.d")
    assert names(open_block) == ["custom.b", "custom.c", "custom.first", "custom.a", "custom.d"]


def test_erased_reference_is_noticed(open_block):
    reference = open_block.operations[0]
    ip = ir.InsertionPoint(reference)
    reference.erase()
    with pytest.raises(RuntimeError, match="invalidated"):
        ip.insert(new())


def test_reference_that_moved_away_is_noticed(open_block):
    ip = ir.InsertionPoint(open_block.operations[0])
    other = ir.Module.create()
    other.body.append(open_block.operations[0])
    with pytest.raises(ValueError, match="left its block"):
        ip.insert(new())
