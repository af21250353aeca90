# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Module: creation, parsing, identity."""

import gc

import pytest

from mlir_xla import ir


def test_parse_keeps_the_context_alive():
    ctx = ir.Context()
    module = ir.Module.parse("module @m {}", ctx)
    assert module.context is ctx
    del ctx
    gc.collect()
    assert str(module) == "module @m {\n}\n"


def test_parse_file(ctx, tmp_path):
    path = tmp_path / "m.mlir"
    path.write_text("module @m {}")
    assert str(ir.Module.parseFile(str(path))) == str(ir.Module.parseFile(path)) == "module @m {\n}\n"


def test_parse_file_errors(ctx, tmp_path):
    with pytest.raises(ir.MLIRError, match="Unable to parse module assembly"):
        ir.Module.parseFile(str(tmp_path / "missing.mlir"))
    (tmp_path / "bad.mlir").write_text("}")
    with pytest.raises(ir.MLIRError, match="bad.mlir"):
        ir.Module.parseFile(tmp_path / "bad.mlir")


@pytest.mark.parametrize("source", ["", " // only a comment", "func.func private @f()"])
def test_parse_wraps_into_a_module(ctx, source):
    assert ir.Module.parse(source).operation.name == "builtin.module"


def test_parse_rejects_other_objects(ctx):
    with pytest.raises(TypeError, match="expected str or bytes"):
        ir.Module.parse(3)


def test_unicode_roundtrip(ctx):
    module = ir.Module.parse('func.func private @f() attributes {foo = "😊"}')
    assert '"\\F0\\9F\\98\\8A"' in str(module)
    assert str(ir.Module.parse(module.operation.get_asm(binary=True))) == str(module)


def test_create(ctx):
    module = ir.Module.create()
    assert str(module) == "module {\n}\n"
    assert len(module.body.operations) == 0
    assert str(ir.Module.create(ir.Location.name("x")).operation.location) == 'loc("x")'


def test_equality(ctx):
    module = ir.Module.create()
    assert module == module and module != ir.Module.create() and module != 1
    assert hash(module) == hash(module)


def test_capsule(ctx):
    module = ir.Module.create()
    assert '"mlir_xla.ir.Module._CAPIPtr"' in repr(module._CAPIPtr)
    same = ir.Module._CAPICreate(module._CAPIPtr)
    assert same == module and same.operation is module.operation


def test_live_counts(ctx):
    assert ctx._get_live_module_count() == 0
    module = ir.Module.create()
    assert ctx._get_live_module_count() == 1
    assert ctx._get_live_operation_count() == 1
    operation = module.operation
    del module
    gc.collect()
    assert ctx._get_live_module_count() == 0
    # The operation keeps its module's storage.
    assert operation.verify()
    del operation
    assert ctx._get_live_operation_count() == 0


def test_dump(ctx, capfd):
    ir.Module.create().dump()
    assert "module {" in capfd.readouterr().err
