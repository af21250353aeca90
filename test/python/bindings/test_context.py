# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Context: the `with` stack, dialect loading, registries, thread pools."""

import gc
import subprocess
import sys
import threading

import pytest

from mlir_xla import ir
from mlir_xla._mlir_libs import _mlir


def test_current_inside_and_outside():
    assert ir.Context.current is None
    with ir.Context() as outer:
        assert ir.Context.current is outer
        with ir.Context() as inner:
            assert ir.Context.current is inner
        assert ir.Context.current is outer
    assert ir.Context.current is None


def test_location_stack_follows_the_context():
    outer = ir.Context()
    with ir.Location.unknown(outer) as loc:
        assert ir.Context.current is outer
        assert ir.Location.current is loc
        with outer:
            assert ir.Location.current is loc
        with ir.Context() as other:
            assert ir.Context.current is other
            assert ir.Location.current is None
        assert ir.Location.current is loc
    assert ir.Location.current is None


def test_insertion_point_stack():
    outer = ir.Context()
    module = ir.Module.create(ir.Location.unknown(outer))
    with ir.InsertionPoint(module.body) as ip:
        assert ir.InsertionPoint.current is ip
        with ir.Location.unknown(outer):
            assert ir.InsertionPoint.current is ip
        with ir.Context(), pytest.raises(ValueError, match="No current InsertionPoint"):
            ir.InsertionPoint.current
    with pytest.raises(ValueError, match="No current InsertionPoint"):
        ir.InsertionPoint.current


def test_unbalanced_exit_raises():
    first, second = ir.Context(), ir.Context()
    first.__enter__()
    with pytest.raises(RuntimeError, match="Unbalanced Context enter/exit"):
        second.__exit__(None, None, None)
    first.__exit__(None, None, None)
    with pytest.raises(RuntimeError, match="Unbalanced"):
        first.__exit__(None, None, None)


def test_each_thread_has_its_own_stack():
    seen = []
    with ir.Context():
        thread = threading.Thread(target=lambda: seen.append(ir.Context.current))
        thread.start()
        thread.join()
    assert seen == [None]


def test_missing_context_says_how_to_give_one():
    with pytest.raises(RuntimeError, match="requires a Context but none was provided"):
        ir.Type.parse("i32")


def test_missing_location_says_how_to_give_one():
    with ir.Context(), pytest.raises(RuntimeError, match="requires a Location but none was provided"):
        ir.Module.create()


def test_all_dialects_are_loaded(ctx):
    ctx.allow_unregistered_dialects = False
    assert ctx.is_registered_operation("func.return")
    assert ctx.is_registered_operation("xla.add")
    assert not ctx.is_registered_operation("func.not_there")
    assert not ctx.is_registered_operation("nodialect.op")


def test_load_on_create_dialects():
    ctx = ir.Context(load_on_create_dialects=["func"])
    assert ctx.is_registered_operation("func.return")
    assert not ctx.is_registered_operation("math.sin")
    ctx.get_dialect_descriptor("math")
    assert ctx.is_registered_operation("math.sin")
    with pytest.raises(ValueError, match="'nonsense' not found"):
        ir.Context(load_on_create_dialects=["nonsense"])


def test_process_wide_load_on_create_list():
    # Changes the state of the process: in another one.
    code = """
from mlir_xla import ir
from mlir_xla._mlir_libs import append_load_on_create_dialect, get_load_on_create_dialects
assert get_load_on_create_dialects() is None
append_load_on_create_dialect("func")
assert get_load_on_create_dialects() == ["func"]
assert not ir.Context().is_registered_operation("math.sin")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_dialect_descriptor(ctx):
    descriptor = ctx.get_dialect_descriptor("func")
    assert descriptor.namespace == "func"
    assert repr(descriptor) == "<DialectDescriptor func>"
    with pytest.raises(ValueError, match="'not_existing' not found"):
        ctx.get_dialect_descriptor("not_existing")


def test_dialects_by_attribute_and_index(ctx):
    assert ctx.dialects.func.descriptor.namespace == "func"
    assert ctx.d["func"].descriptor.namespace == "func"
    with pytest.raises(AttributeError):
        ctx.dialects.not_existing
    with pytest.raises(IndexError):
        ctx.dialects["not_existing"]


def test_unregistered_dialects_are_opt_in():
    with ir.Context() as ctx:
        assert not ctx.allow_unregistered_dialects
        with pytest.raises(ir.MLIRError, match="unregistered dialect"):
            ir.Module.parse('"a.b"() : () -> ()')
        ctx.allow_unregistered_dialects = True
        assert ctx.allow_unregistered_dialects
        ir.Module.parse('"a.b"() : () -> ()')


def test_registry_of_another_context():
    registry = ir.DialectRegistry()
    ctx = ir.Context(load_on_create_dialects=[])
    ctx.append_dialect_registry(registry)
    ctx.append_dialect_registry(_mlir.get_dialect_registry())
    ctx.load_all_available_dialects()
    assert ctx.is_registered_operation("linalg.matmul")


def test_shared_thread_pool():
    pool = ir.ThreadPool()
    assert pool.get_max_concurrency() >= 1
    first = ir.Context(thread_pool=pool)
    second = ir.Context()
    second.set_thread_pool(pool)
    assert first.get_num_threads() == second.get_num_threads() == pool.get_max_concurrency()
    del pool
    gc.collect()
    # The contexts keep the pool alive.
    assert first.get_num_threads() >= 1
    second.enable_multithreading(False)


def test_subclass_keeps_its_identity():
    class MyContext(ir.Context):
        def __init__(self):
            super().__init__()
            self.note = "mine"

    ctx = MyContext()
    location = ir.Location.unknown(ctx)
    assert location.context is ctx
    assert location.context.note == "mine"


def test_capsule_roundtrip():
    ctx = ir.Context()
    assert '"mlir_xla.ir.Context._CAPIPtr"' in repr(ctx._CAPIPtr)
    assert ir.Context._CAPICreate(ctx._CAPIPtr) is ctx


def test_import_is_lazy():
    code = "import sys, mlir_xla; assert not any('_mlir' in name and 'libs' in name for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ir_needs_no_numpy():
    code = "import sys, mlir_xla.ir; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
