# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects after their IR is gone: random use in processes of their own, and the cases that this brought to light."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mlir_xla import ir

PROGRAM = Path(__file__).with_name("lifetime_stress.py")


@pytest.mark.parametrize("seed", range(1, 7))
def test_random_use_does_not_crash(seed):
    result = subprocess.run([sys.executable, PROGRAM, str(seed), "600"], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, f"seed {seed}: exit status {result.returncode}\n{result.stderr[-3000:]}"
    assert "done" in result.stdout


@pytest.fixture
def pair(ctx):
    """A module with `test.a` and its user `test.b`."""
    with ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            a = ir.Operation.create("test.a", results=[ir.Type.parse("i32")])
            b = ir.Operation.create("test.b", operands=[a.result], results=[ir.Type.parse("i32")])
    return module, a, b


def test_a_value_replaced_by_itself(pair):
    _, a, b = pair
    a.result.replace_all_uses_with(a.result)
    assert [use.owner for use in a.result.uses] == [b]


def test_results_of_detached_operations(pair):
    """MLIR's verifier cannot look at them: printing falls back to the generic form, verifying and passes refuse."""
    from mlir_xla.passmanager import PassManager

    module, a, b = pair
    a.operation.detach_from_parent()
    assert '"test.b"(<<UNKNOWN SSA VALUE>>)' in str(module)
    assert '"test.b"(<<UNKNOWN SSA VALUE>>)' in str(module.body)
    assert "test.b" in str(b) and "test.b" in str(b.result) and b.result.get_name() == "%0"
    message = "operation test.b uses a result of the detached operation test.a"
    with pytest.raises(ir.MLIRError, match=message):
        module.operation.verify()
    with pytest.raises(RuntimeError, match=message):
        PassManager.parse("builtin.module(cse)").run(module.operation)
    module.body.append(a)
    b.operation.move_after(a.operation)
    assert module.operation.verify()


def test_what_the_verifier_cannot_look_at(ctx):
    """As above, for operations of upstream dialects whose verifiers crash."""
    with ir.Location.unknown():
        attribute = ir.Operation.create("pdl.attribute", results=[ir.Type.parse("!pdl.attribute")])
        absolute = ir.Operation.create("linalg.abs", regions=1)
    assert str(attribute).strip() == '%0 = "pdl.attribute"() : () -> !pdl.attribute'
    assert '"linalg.abs"' in str(absolute)
    with pytest.raises(ir.MLIRError, match=r"operation pdl\.attribute is outside of any other"):
        attribute.verify()
    with pytest.raises(ir.MLIRError, match=r"operation linalg\.abs has an empty region"):
        absolute.verify()
    module = ir.Module.parse("module {}")
    module.body.append(attribute)
    assert "%0 = pdl.attribute" in str(module) and module.operation.verify()


def test_pdl_attribute_of_no_pattern(ctx):
    from mlir_xla.dialects import pdl

    with ir.Location.unknown():
        assert '"pdl.attribute"' in str(pdl.AttributeOp())


def test_contexts_do_not_mix(pair):
    _, a, b = pair
    with ir.Context() as other, ir.Location.unknown():
        other.allow_unregistered_dialects = True
        foreign = ir.Operation.create("test.c", results=[ir.Type.parse("i32")], regions=1)
        foreign.regions[0].blocks.append()
    for change in (
        lambda: a.result.replace_all_uses_with(foreign.result),
        lambda: a.result.replace_all_uses_except(foreign.result, b),
        lambda: b.operation.replace_uses_of_with(a.result, foreign.result),
        lambda: foreign.regions[0].blocks[0].append_to(a.operation.parent.regions[0]),
        lambda: b.operands.__setitem__(0, foreign.result),
    ):
        with pytest.raises(ValueError, match="another context"):
            change()


def test_symbol_tables_follow_the_ir(ctx):
    module = ir.Module.parse("module @inner { func.func private @f() }\nfunc.func private @g()")
    table = ir.SymbolTable(module.operation)
    inner, g = module.body.operations
    g.operation.erase()
    assert "g" not in table
    with pytest.raises(KeyError):
        table["g"]
    ir.SymbolTable.set_symbol_name(inner, "renamed")
    assert table["renamed"] == inner and "inner" not in table
    with pytest.raises(ValueError, match="moved into itself"):
        ir.SymbolTable(inner.operation).insert(inner)
    inner.operation.detach_from_parent()
    with pytest.raises(ValueError, match="moved into itself"):
        ir.SymbolTable(inner.operation).insert(inner)
    empty = ir.Operation.create("builtin.module", regions=1, loc=ir.Location.unknown())
    with pytest.raises(TypeError, match="not a Symbol Table"):
        ir.SymbolTable(empty)


def test_dropping_in_other_threads(ctx):
    """The last reference to a module may go in any thread."""
    module = ir.Module.parse("func.func @f() { return }")
    objects = [module, module.body, module.body.operations[0], iter(module.body)]
    del module
    for _ in range(len(objects)):
        thread = threading.Thread(target=objects.pop)
        thread.start()
        thread.join()
    assert not objects
