# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PassManager: pipelines, failures, printing, passes in Python, and what becomes of Python's objects."""

import threading

import pytest

from mlir_xla import ir
from mlir_xla.passmanager import PassManager

FOLDABLE = """
func.func @f() -> i64 {
  %a = arith.constant 1 : i64
  %b = arith.constant 2 : i64
  %c = arith.addi %a, %b : i64
  return %c : i64
}
func.func private @dead()
"""


@pytest.fixture
def module(ctx):
    return ir.Module.parse(FOLDABLE)


def test_construct(ctx):
    assert str(PassManager()) == "any()"
    assert str(PassManager("builtin.module")) == "builtin.module()"
    assert str(PassManager("any", ctx)) == "any()"


def test_parse(ctx):
    text = "builtin.module(func.func(print-op-stats{json=false}))"
    assert str(PassManager.parse(text)) == text
    assert str(PassManager.parse(" builtin.module( func.func( print-op-stats{ json=false } ) )".strip())) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("any(unknown-pass)", "'unknown-pass' does not refer to a registered pass or pass pipeline"),
        ("any(", "expected"),
        ("func.func(symbol-dce,normalize-memrefs)", "restricted to 'builtin.module'"),
    ],
)
def test_parse_errors(ctx, text, message):
    with pytest.raises(ValueError, match=message):
        PassManager.parse(text)


def test_add(ctx):
    pm = PassManager("any")
    pm.add("cse")
    pm.add("cse,symbol-dce")
    assert str(pm) == "any(cse,cse,symbol-dce)"
    with pytest.raises(ValueError, match="unknown-pass"):
        pm.add("unknown-pass")


def test_run(module):
    PassManager.parse("builtin.module(canonicalize,symbol-dce)").run(module.operation)
    assert "arith.constant 3" in str(module) and "@dead" not in str(module)
    assert module.operation.verify()


def test_run_on_an_op_view(module):
    PassManager.parse("func.func(canonicalize)").run(module.body.operations[0])
    assert "arith.constant 3" in str(module)


def test_run_fails(ctx):
    op = ir.Operation.parse('"test.op"() : () -> ()')
    with pytest.raises(ir.MLIRError, match="unregistered operation") as info:
        PassManager.parse("any(cse)").run(op)
    assert info.value.message == "Failure while executing pass pipeline"
    assert len(info.value.error_diagnostics[0].notes) == 1


def test_run_on_another_anchor(module):
    with pytest.raises(ir.MLIRError, match="can't run 'func.func' pass manager on 'builtin.module' op"):
        PassManager.parse("func.func(cse)").run(module.operation)


def test_run_in_another_context(module):
    pm = PassManager("any", ir.Context())
    with pytest.raises(ValueError, match="another context"):
        pm.run(module.operation)


def test_verifier(ctx):
    def breaks(op):
        for inner in op.regions[0].blocks[0]:
            inner.attributes["sym_name"] = ir.Attribute.parse("1 : i32")

    source = "func.func private @f()"
    pm = PassManager("builtin.module")
    pm.add(breaks)
    with pytest.raises(ir.MLIRError):
        pm.run(ir.Module.parse(source).operation)
    pm.enable_verifier(False)
    pm.run(ir.Module.parse(source).operation)


def test_ir_printing(module, capfd):
    pm = PassManager.parse("builtin.module(canonicalize)")
    pm.enable_ir_printing(print_before_all=True, print_after_all=True)
    pm.run(module.operation)
    output = capfd.readouterr().err
    assert "IR Dump Before Canonicalizer" in output and "IR Dump After Canonicalizer" in output


def test_ir_printing_to_a_tree(module, tmp_path):
    pm = PassManager.parse("builtin.module(canonicalize)")
    pm.enable_ir_printing(tree_printing_dir_path=str(tmp_path))
    pm.run(module.operation)
    assert [p.name for p in tmp_path.rglob("*.mlir")] == ["0_canonicalize.mlir"]


def test_module_scope_printing_needs_one_thread(module, capfd):
    pm = PassManager.parse("builtin.module(func.func(cse))")
    with pytest.raises(ValueError, match="enable_multithreading"):
        pm.enable_ir_printing(print_module_scope=True)
    module.context.enable_multithreading(False)
    pm.enable_ir_printing(print_module_scope=True)
    pm.run(module.operation)
    assert "@dead" in capfd.readouterr().err


def test_timing_and_statistics(module, capfd):
    pm = PassManager.parse("builtin.module(cse)")
    pm.enable_timing()
    pm.enable_statistics()
    pm.run(module.operation)
    del pm
    output = capfd.readouterr().err
    assert "Execution time report" in output and "Pass statistics report" in output


def test_capsule(ctx):
    pm = PassManager()
    capsule = pm._CAPIPtr
    assert '"mlir_xla.passmanager.PassManager._CAPIPtr"' in repr(capsule)
    pm._testing_release()
    assert str(PassManager._CAPICreate(capsule)) == "any()"
    with pytest.raises(RuntimeError, match="released"):
        str(pm)


# --- Objects across a run ---------------------------------------------------------------------------------------------


def test_survivors_stay_valid(module):
    func = module.body.operations[0]
    block = func.regions[0].blocks[0]
    folded = block.operations[2]
    dead = module.body.operations[1]
    PassManager.parse("builtin.module(canonicalize,symbol-dce)").run(module.operation)
    assert str(func).startswith("func.func @f") and func.operation.parent is module.operation
    assert len(block.operations) == 2
    for gone in (folded, dead):
        with pytest.raises(RuntimeError, match="invalidated"):
            str(gone)


def test_merged_blocks_are_noticed(ctx):
    func = ir.Operation.parse("""
      func.func @f() {
        cf.br ^bb1
      ^bb1:
        return
      }""")
    entry, second = func.regions[0].blocks
    PassManager.parse("func.func(canonicalize)").run(func)
    assert len(entry.operations) == 1
    with pytest.raises(RuntimeError, match="the block has been invalidated"):
        second.operations


def test_inlined_operations_are_relinked(ctx):
    module = ir.Module.parse("""
      func.func private @g(%x: i32) -> i32 {
        %0 = arith.muli %x, %x : i32
        return %0 : i32
      }
      func.func @f(%x: i32) -> i32 {
        %0 = call @g(%x) : (i32) -> i32
        return %0 : i32
      }""")
    f = module.body.operations[1]
    PassManager.parse("builtin.module(inline)").run(module.operation)
    (mul, _) = f.regions[0].blocks[0]
    assert mul.operation.name == "arith.muli" and mul.operation.parent is f.operation


# --- Passes in Python -------------------------------------------------------------------------------------------------


def test_python_pass(module):
    seen = []

    def my_pass(op, pass_):
        # The context is current.
        ir.Location.unknown()
        seen.append(op.operation.name)

    pm = PassManager("any")
    pm.add(my_pass)
    pm.run(module.operation)
    assert seen == ["builtin.module"]


def test_python_pass_between_others(module):
    seen = []
    pm = PassManager("builtin.module")
    pm.add("func.func(canonicalize)")
    pm.add(
        lambda op: seen.append(len(op.regions[0].blocks[0].operations[0].regions[0].blocks[0].operations)), name="count"
    )
    pm.add("symbol-dce")
    pm.add(lambda op: seen.append(len(op.regions[0].blocks[0].operations)), name="count again")
    pm.run(module.operation)
    assert seen == [2, 1]


def test_python_pass_signals_failure(module):
    pm = PassManager("any")
    pm.add(lambda op, pass_: pass_.signal_pass_failure(), name="fails")
    with pytest.raises(ir.MLIRError, match="Failure while executing pass pipeline"):
        pm.run(module.operation)


def test_python_pass_raises(module):
    def raises(op):
        raise KeyError("from the pass")

    later = []
    pm = PassManager("any")
    pm.add(raises)
    pm.add(lambda op: later.append(op), name="later")
    with pytest.raises(KeyError, match="from the pass"):
        pm.run(module.operation)
    assert later == []
    assert ir.Context.current is module.context


def test_pass_object_expires(module):
    kept = []
    pm = PassManager("any")
    pm.add(lambda op, pass_: kept.append(pass_), name="keeps")
    pm.run(module.operation)
    with pytest.raises(RuntimeError, match="only while the pass runs"):
        kept[0].signal_pass_failure()


def test_python_pass_on_functions_in_threads(ctx):
    ctx.enable_multithreading(True)
    module = ir.Module.parse("\n".join(f"func.func private @f{i}() {{ return }}" for i in range(50)))
    names = []
    pm = PassManager.parse("builtin.module()")
    pm.add(lambda op: names.append(str(op.attributes["sym_name"])), name="collect", op_name="func.func")
    pm.run(module.operation)
    assert sorted(names) == sorted(f'"f{i}"' for i in range(50))


def test_runs_in_threads():
    def work(results, i):
        with ir.Context():
            module = ir.Module.parse(FOLDABLE)
            PassManager.parse("builtin.module(canonicalize)").run(module.operation)
            results[i] = "arith.constant 3" in str(module)

    results = [False] * 4
    threads = [threading.Thread(target=work, args=(results, i)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results)
