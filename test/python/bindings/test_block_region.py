# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Block and Region."""

import pytest

from mlir_xla import ir


@pytest.fixture
def region(ctx):
    return ir.Operation.create("custom.op", regions=1).regions[0]


def test_append(region, i32):
    block = region.blocks.append(i32, i32)
    assert len(region.blocks) == 1
    assert [str(a.type) for a in block.arguments] == ["i32", "i32"]
    assert block.region == region and block.owner.operation.name == "custom.op"


def test_argument_locations(region, i32):
    with ir.Location.name("default"):
        block = region.blocks.append(i32)
    assert str(block.arguments[0].location) == 'loc("default")'
    block = region.blocks.append(i32, arg_locs=[ir.Location.name("explicit")])
    assert str(block.arguments[0].location) == 'loc("explicit")'
    with pytest.raises(ValueError, match="Expected 2 locations, got: 1"):
        region.blocks.append(i32, i32, arg_locs=[ir.Location.unknown()])


def test_argument_needs_a_location():
    with ir.Context() as ctx:
        ctx.allow_unregistered_dialects = True
        op = ir.Operation.create("custom.op", regions=1, loc=ir.Location.unknown())
        op.regions[0].blocks.append()
        with pytest.raises(RuntimeError, match="requires a Location"):
            op.regions[0].blocks.append(ir.Type.parse("i32"))


def test_create_around(region, i32):
    middle = region.blocks.append()
    before = middle.create_before(i32)
    after = middle.create_after(arg_locs=[])
    first = ir.Block.create_at_start(region, [i32])
    assert list(region.blocks) == [first, before, middle, after]
    assert region.blocks[-1] == after and region.blocks[1:3] == [before, middle]


def test_append_to(ctx, i32):
    source, target = (ir.Operation.create(f"custom.{n}", regions=1) for n in ("source", "target"))
    block = source.regions[0].blocks.append(i32)
    with ir.InsertionPoint(block):
        op = ir.Operation.create("custom.inner", operands=[block.arguments[0]])
    block.append_to(target.regions[0])
    assert block.owner == target and op.operation.parent is target.operation
    source.erase()
    assert str(op).startswith('"custom.inner"')


def test_block_does_not_move_into_itself(region):
    block = region.blocks.append()
    with ir.InsertionPoint(block):
        inner = ir.Operation.create("custom.inner", regions=1)
    with pytest.raises(ValueError, match="into itself"):
        block.append_to(inner.regions[0])


def test_arguments(region, i32):
    block = region.blocks.append()
    argument = block.add_argument(i32, ir.Location.name("a"))
    assert isinstance(argument, ir.BlockArgument)
    assert argument.arg_number == 0 and argument.owner is block
    argument.set_type(ir.Type.parse("i64"))
    argument.set_location(ir.Location.name("b"))
    assert str(block.arguments[0].type) == "i64"
    assert str(argument.location) == 'loc("b")'


def test_argument_list(region):
    types = [ir.Type.parse(t) for t in ("i8", "i16", "i24")]
    block = region.blocks.append(*types)
    assert [a.arg_number for a in block.arguments[1:]] == [1, 2]
    assert block.arguments[1:].types == types[1:]
    assert [a.arg_number for a in block.arguments[-1:] + block.arguments[:1]] == [2, 0]


def test_erase_argument(region, i32):
    block = region.blocks.append(i32, ir.Type.parse("i64"))
    first, second = block.arguments
    arguments = block.arguments
    block.erase_argument(0)
    # The wrapper follows its argument, and the erased one is noticed.
    assert second.arg_number == 0 and str(second.type) == "i64"
    with pytest.raises(RuntimeError, match="has been erased"):
        first.type
    with pytest.raises(IndexError):
        arguments[1]
    with pytest.raises(IndexError):
        block.erase_argument(1)


def test_erase_used_argument(region, i32):
    block = region.blocks.append(i32)
    with ir.InsertionPoint(block):
        ir.Operation.create("custom.use", operands=[block.arguments[0]])
    with pytest.raises(RuntimeError, match="still has uses"):
        block.erase_argument(0)


def test_append_operation_moves_it(ctx):
    first, second = ir.Module.create(), ir.Module.create()
    with ir.InsertionPoint(first.body):
        op = ir.Operation.create("custom.op")
    second.body.append(op)
    assert len(first.body.operations) == 0
    assert op.operation.parent is second.operation


def test_successors_and_predecessors(ctx):
    func = ir.Operation.parse("""
      func.func @f(%c: i1) {
        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        cf.br ^bb2
      ^bb2:
        return
      }""")
    entry, first, second = func.regions[0].blocks
    assert list(entry.successors) == [first, second]
    assert set(second.predecessors) == {entry, first}
    match first:
        case ir.Block(predecessors=[origin], successors=[target]):
            assert origin == entry and target == second
        case _:
            pytest.fail("blocks must match structurally")


def test_identity_and_hash(region):
    one, two = region.blocks.append(), region.blocks.append()
    assert one is region.blocks[0] and one != two and hash(one) != hash(two)
    assert len({one, two, region.blocks[0]}) == 2
    assert region != 3 and hash(region) == hash(one.region)


def test_str(region, i32):
    region.blocks.append(i32)
    assert "(%arg0: i32):" in str(region.blocks[0])


def test_iteration_survives_erasing_the_current_operation(ctx):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        for _ in range(5):
            ir.Operation.create("custom.op")
    for op in module.body:
        op.erase()
    assert len(module.body.operations) == 0


def test_iteration_notices_an_erased_next_operation(ctx):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        ops = [ir.Operation.create("custom.op") for _ in range(3)]
    iterator = iter(module.body)
    next(iterator)
    ops[1].erase()
    with pytest.raises(RuntimeError, match="invalidated"):
        next(iterator)


def test_capsule(region):
    assert '"mlir_xla.ir.Block._CAPIPtr"' in repr(region.blocks.append()._CAPIPtr)
