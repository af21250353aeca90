# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's own JIT."""

import ctypes

import pytest

from mlir_xla import ir
from mlir_xla.execution_engine import ExecutionEngine
from mlir_xla.passmanager import PassManager


def lower(module):
    pipeline = "builtin.module(convert-func-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts)"
    PassManager.parse(pipeline).run(module.operation)
    return module


@pytest.fixture
def adder(ctx):
    return lower(
        ir.Module.parse("""
          func.func @add(%a: i64, %b: i64) -> i64 attributes {llvm.emit_c_interface} {
            %0 = arith.addi %a, %b : i64
            return %0 : i64
          }""")
    )


def cell(value):
    return (ctypes.c_int64 * 1)(value)


def test_invoke(adder):
    engine = ExecutionEngine(adder, opt_level=0)
    result = cell(0)
    engine.invoke("add", cell(40), cell(2), result)
    assert result[0] == 42


def test_engine_outlives_the_module(adder):
    engine = ExecutionEngine(adder)
    del adder
    result = cell(0)
    engine.invoke("add", cell(1), cell(2), result)
    assert result[0] == 3


def test_unknown_function(adder):
    engine = ExecutionEngine(adder)
    assert engine.raw_lookup("nonsense") is None
    with pytest.raises(RuntimeError, match="Unknown function nonsense"):
        engine.lookup("nonsense")


def test_callback(ctx):
    module = lower(
        ir.Module.parse("""
          func.func private @report(i64) attributes {llvm.emit_c_interface}
          func.func @run(%a: i64) attributes {llvm.emit_c_interface} {
            call @report(%a) : (i64) -> ()
            return
          }""")
    )
    engine = ExecutionEngine(module)
    seen = []
    engine.register_runtime("report", ctypes.CFUNCTYPE(None, ctypes.c_int64)(seen.append))
    engine.invoke("run", cell(7))
    assert seen == [7]


def test_module_that_is_not_lowered(ctx):
    module = ir.Module.parse("func.func @f() { return }")
    with pytest.raises(RuntimeError, match="Failure while creating the ExecutionEngine"):
        ExecutionEngine(module)


def test_dump_object(adder, tmp_path):
    engine = ExecutionEngine(adder)
    engine.lookup("add")
    engine.dump_to_object_file(str(tmp_path / "add.o"))
    assert (tmp_path / "add.o").read_bytes().startswith(b"\x7fELF")


def test_capsule(adder):
    engine = ExecutionEngine(adder)
    capsule = engine._CAPIPtr
    assert '"mlir_xla.execution_engine.ExecutionEngine._CAPIPtr"' in repr(capsule)
    engine._testing_release()
    ExecutionEngine._CAPICreate(capsule)
