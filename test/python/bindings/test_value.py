# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values: kinds, uses, replacement, names, casters."""

import pytest

from mlir_xla import ir


@pytest.fixture
def pair(ctx, i32):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        value = ir.Operation.create("custom.def", results=[i32]).result
        users = [ir.Operation.create("custom.use", operands=[value]) for _ in range(2)]
    return value, users


def test_kinds(ctx, i32):
    op = ir.Operation.create("custom.op", results=[i32], regions=1)
    argument = op.regions[0].blocks.append(i32).arguments[0]
    assert type(op.result) is ir.OpResult and type(argument) is ir.BlockArgument
    assert ir.OpResult.isinstance(op.result) and not ir.OpResult.isinstance(argument)
    assert ir.BlockArgument.isinstance(argument) and not ir.BlockArgument.isinstance(op.result)
    with pytest.raises(ValueError, match="Cannot cast value to BlockArgument"):
        ir.BlockArgument(op.result)
    assert ir.OpResult(ir.Value(op.result)) == op.result


def test_owner(pair):
    value, users = pair
    assert value.owner.name == "custom.def"
    assert users[0].operands[0].owner is value.owner


def test_str(ctx, i32):
    op = ir.Operation.create("custom.op", results=[i32], regions=1)
    argument = op.regions[0].blocks.append(i32).arguments[0]
    assert str(op.result).startswith('OpResult(%0 = "custom.op"() ({')
    assert str(argument) == "BlockArgument(<block argument> of type 'i32' at index: 0)"


def test_equality_and_hash(pair):
    value, users = pair
    assert value == users[0].operands[0] and hash(value) == hash(users[0].operands[0])
    assert value != 3 and value != None  # noqa: E711


def test_uses(pair):
    value, users = pair
    uses = list(value.uses)
    assert {use.owner for use in uses} == set(users)
    assert [use.operand_number for use in uses] == [0, 0]


def test_uses_may_change_during_iteration(pair):
    value, users = pair
    for use in value.uses:
        use.owner.erase()
    assert list(value.uses) == []
    value.owner.erase()


def test_replace_all_uses(pair, i32):
    value, users = pair
    with ir.InsertionPoint(users[0]):
        other = ir.Operation.create("custom.other", results=[i32]).result
    value.replace_all_uses_with(other)
    assert list(value.uses) == []
    assert all(user.operands[0] == other for user in users)


def test_replace_all_uses_except(pair, i32):
    value, users = pair
    with ir.InsertionPoint(users[0]):
        other = ir.Operation.create("custom.other", results=[i32]).result
    value.replace_all_uses_except(other, users[0])
    assert [user.operands[0] for user in users] == [value, other]
    other.replace_all_uses_except(value, [users[0], users[1]])
    assert users[1].operands[0] == other


def test_get_name(ctx, i32):
    func = ir.Operation.parse("""
      func.func @f(%x: i32 loc("nice")) {
        %0 = "custom.a"() : () -> i32
        %1 = "custom.b"() : () -> i32
        return
      }""")
    block = func.regions[0].blocks[0]
    assert block.arguments[0].get_name() == "%arg0"
    assert block.arguments[0].get_name(use_name_loc_as_prefix=True) == "%nice"
    assert block.operations[1].result.get_name() == "%1"
    assert block.operations[1].result.get_name(use_local_scope=True) == "%1"
    assert block.operations[1].result.get_name(ir.AsmState(func)) == "%1"
    assert block.operations[1].result.get_name(state=ir.AsmState(block.operations[0].result)) == "%1"


def test_set_type(pair):
    value, users = pair
    value.set_type(ir.Type.parse("i64"))
    assert str(users[0].operands[0].type) == "i64"


def test_set_type_of_another_context(pair):
    with ir.Context():
        foreign = ir.Type.parse("i32")
    with pytest.raises(ValueError, match="another context"):
        pair[0].set_type(foreign)


def test_location(ctx, i32):
    assert ir.Operation.create(
        "custom.op", results=[i32], loc=ir.Location.name("n")
    ).result.location == ir.Location.name("n")


def test_context(pair, ctx):
    assert pair[0].context is ctx


def test_capsule(pair):
    value, _ = pair
    assert '"mlir_xla.ir.Value._CAPIPtr"' in repr(value._CAPIPtr)
    assert ir.Value._CAPICreate(value._CAPIPtr) == value


def test_generic_alias():
    assert ir.Value[int] is not None
    assert ir.OpResult[int] is not None


def test_definition_lives_while_it_is_used(ctx, i32):
    # The user is detached, and outlives the wrapper of the definition.
    user = ir.Operation.create("custom.use", operands=[ir.Operation.create("custom.def", results=[i32]).result])
    assert user.operands[0].owner.name == "custom.def"
    assert "custom.use" in str(user)
