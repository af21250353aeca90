# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No Python program may reach freed memory: objects keep what they need alive, or raise."""

import gc
import random
import weakref

import pytest

from mlir_xla import ir
from mlir_xla.passmanager import PassManager

MODULE = """
func.func @f(%x: i32) -> i32 {
  %0 = "custom.op"(%x) ({
    "custom.inner"() : () -> ()
  }) : (i32) -> i32
  return %0 : i32
}
"""


def invalid(function):
    with pytest.raises(RuntimeError, match="invalidated"):
        function()


@pytest.fixture
def module(ctx):
    return ir.Module.parse(MODULE)


def test_nested_objects_keep_the_module(ctx):
    def take(path):
        module = ir.Module.parse(MODULE)
        func = module.body.operations[0]
        return path(func)

    paths = [
        lambda func: func,
        lambda func: func.operation,
        lambda func: func.regions,
        lambda func: func.regions[0],
        lambda func: func.regions[0].blocks[0],
        lambda func: func.regions[0].blocks[0].operations,
        lambda func: iter(func.regions[0].blocks[0]),
        lambda func: func.regions[0].blocks[0].arguments,
        lambda func: func.regions[0].blocks[0].arguments[0],
        lambda func: func.regions[0].blocks[0].arguments[0].uses,
        lambda func: func.regions[0].blocks[0].operations[0].result,
        lambda func: func.regions[0].blocks[0].operations[0].operands,
        lambda func: func.attributes,
        lambda func: ir.InsertionPoint(func),
        lambda func: ir.SymbolTable(func.operation.parent),
    ]
    for path in paths:
        kept = take(path)
        gc.collect()
        # Anything that reads the IR.
        for attribute in ("owner", "blocks", "operations", "block", "name"):
            getattr(kept, attribute, None)
        repr(kept), str(kept)
        if hasattr(kept, "__len__"):
            len(kept)
        if hasattr(kept, "__next__"):
            next(kept)


def test_everything_keeps_the_context():
    with ir.Context() as ctx, ir.Location.unknown():
        ctx.allow_unregistered_dialects = True
        kept = [
            ir.Type.parse("tensor<4xf32>"),
            ir.Attribute.parse("[1, 2]"),
            ir.Attribute.parse("1 : i32").get_named("x"),
            ir.Location.name("x"),
            ctx.dialects,
            ctx.get_dialect_descriptor("func"),
            ir.Module.create(),
            ir.Operation.create("custom.op"),
        ]
    del ctx
    gc.collect()
    assert all(str(x) for x in kept)


def test_context_goes_with_its_last_object():
    ctx = ir.Context()
    reference = weakref.ref(ctx)
    kept = ir.Location.unknown(ctx)
    del ctx
    gc.collect()
    assert reference() is not None
    del kept
    assert reference() is None


def test_erase_invalidates_everything_inside(module):
    func = module.body.operations[0]
    block = func.regions[0].blocks[0]
    op = block.operations[0]
    inner_block = op.regions[0].blocks[0]
    inner = inner_block.operations[0]
    objects = {
        "view": (func, str),
        "operation": (func.operation, str),
        "region": (func.regions[0], lambda x: x.blocks[0]),
        "block": (block, str),
        "operations": (block.operations, len),
        "argument": (block.arguments[0], lambda x: x.type),
        "arguments": (block.arguments, lambda x: x[0]),
        "nested": (op, str),
        "result": (op.result, lambda x: x.type),
        "operands": (op.operands, lambda x: x[0]),
        "results": (op.results, lambda x: x[0]),
        "attributes": (op.attributes, len),
        "inner block": (inner_block, str),
        "inner": (inner, lambda x: x.name),
        "iterator": (iter(inner_block), next),
        "insertion point": (ir.InsertionPoint(inner), lambda x: x.insert(ir.Operation.create("custom.x"))),
    }
    func.erase()
    for name, (kept, use) in objects.items():
        with pytest.raises(RuntimeError, match="invalidated"):
            use(kept)
            pytest.fail(f"{name} was usable")
    assert len(module.body.operations) == 0


def test_identity_of_erased_operations(module):
    func = module.body.operations[0].operation
    func.erase()
    assert func == func and hash(func) == hash(func)
    assert {func: 1}[func] == 1


def test_erasing_used_results_is_refused(module):
    op = module.body.operations[0].regions[0].blocks[0].operations[0]
    with pytest.raises(RuntimeError, match="result #0 still has uses"):
        op.erase()
    assert module.operation.verify()


def test_address_reuse_makes_a_new_object(ctx):
    module = ir.Module.create()
    old = []
    with ir.InsertionPoint(module.body):
        for _ in range(200):
            op = ir.Operation.create("custom.op")
            assert all(op != other for other in old)
            op.erase()
            old.append(op)
    for op in old:
        invalid(lambda op=op: str(op))


def test_detached_operation_dies_with_its_object(ctx):
    op = ir.Operation.create("custom.op")
    assert ctx._get_live_operation_count() == 1
    del op
    assert ctx._get_live_operation_count() == 0


def test_attached_operation_lives_on(ctx):
    module = ir.Module.create()
    op = ir.Operation.create("custom.op", ip=ir.InsertionPoint(module.body))
    del op
    gc.collect()
    assert "custom.op" in str(module)


def test_detached_subtree_keeps_itself(module):
    op = module.body.operations[0].detach_from_parent()
    inner = op.regions[0].blocks[0].operations[0]
    del module, op
    gc.collect()
    assert inner.operation.parent.name == "func.func"


def test_moved_operation_keeps_its_new_module(ctx):
    first, second = ir.Module.parse(MODULE), ir.Module.create()
    func = first.body.operations[0]
    second.body.append(func)
    del first, second
    gc.collect()
    assert func.operation.parent.name == "builtin.module"


def test_clone_is_independent(module):
    copy = module.operation.clone()
    module.body.operations[0].erase()
    del module
    gc.collect()
    assert "@f" in str(copy)


def test_dropped_definitions_live_while_they_are_used(ctx, i32):
    value = ir.Operation.create("custom.def", results=[i32]).result
    for _ in range(1000):
        # Only the last one has a wrapper.
        value = ir.Operation.create("custom.next", operands=[value], results=[i32]).result
    gc.collect()
    assert ctx._get_live_operation_count() == 1
    count = 0
    while value.owner.operands:
        value = value.owner.operands[0]
        count += 1
    assert count == 1000 and value.owner.name == "custom.def"


def test_dropped_definition_can_be_inserted(ctx, i32):
    module = ir.Module.create()
    user = ir.Operation.create("custom.use", operands=[ir.Operation.create("custom.def", results=[i32]).result])
    module.body.append(user)
    user.operands[0].owner.move_before(user)
    del user
    assert module.operation.verify()
    assert [op.operation.name for op in module.body] == ["custom.def", "custom.use"]


def test_pass_run_refuses_detached_users(ctx):
    # The pass erases @f, and the operand of the detached operation would dangle.
    module = ir.Module.parse(MODULE.replace("@f", "private @f"))
    value = module.body.operations[0].regions[0].blocks[0].operations[0].result
    user = ir.Operation.create("custom.use", operands=[value])
    pm = PassManager.parse("builtin.module(symbol-dce)")
    with pytest.raises(RuntimeError, match="detached operation custom.use uses a value"):
        pm.run(module.operation)
    with pytest.raises(RuntimeError, match="inside of it is used from outside"):
        module.body.operations[0].erase()
    with pytest.raises(RuntimeError, match="inside of it is used from outside"):
        ir.SymbolTable(module.operation).erase(module.body.operations[0])
    del user
    pm.run(module.operation)
    assert len(module.body.operations) == 0


def test_exception_in_init_leaves_no_operation(ctx):
    before = ctx._get_live_operation_count()
    module = ir.Module.parse("func.func private @f()")
    block = module.body
    with pytest.raises(TypeError):
        ir.Operation.create("custom.op", ip="nonsense")
    del module, block
    gc.collect()
    assert ctx._get_live_operation_count() == before


def test_random_edits(ctx, i32):
    """A random mix of creation, erasure, movement and dropped references: nothing crashes, and the IR verifies."""
    rng = random.Random(0)
    module = ir.Module.create()
    handles = [module.operation]

    def usable():
        while True:
            op = rng.choice(handles)
            try:
                op.operation.name
                return op
            except RuntimeError:
                handles.remove(op)

    for _ in range(3000):
        op = usable()
        action = rng.randrange(7)
        try:
            if action <= 1 and len(op.regions) and len(op.regions[0].blocks):
                with ir.InsertionPoint.at_block_begin(op.regions[0].blocks[0]):
                    new = ir.Operation.create("custom.op", results=[i32], regions=1)
                new.regions[0].blocks.append(i32)
                handles.append(new)
            elif action == 2 and op != module.operation:
                op.erase()
            elif action == 3 and (moved := usable()) != module.operation:
                moved.operation.move_before(op.operation)
            elif action == 4 and op != module.operation:
                op.operation.detach_from_parent()
            elif action == 5 and len(handles) > 50:
                handles = [module.operation, *rng.sample(handles, 25)]
            elif action == 6:
                handles.append(op.operation.clone())
        except ValueError:
            pass  # detached already, into itself, next to a detached operation
    assert module.operation.verify()
