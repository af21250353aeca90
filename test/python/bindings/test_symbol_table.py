# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SymbolTable."""

import pytest

from mlir_xla import ir


@pytest.fixture
def module(ctx):
    return ir.Module.parse("""
      func.func private @foo()
      func.func private @bar()
      "custom.op"() : () -> ()
    """)


@pytest.fixture
def table(module):
    return ir.SymbolTable(module.operation)


def test_lookup(module, table):
    assert "foo" in table and "qux" not in table
    assert table["bar"] == module.body.operations[1]
    with pytest.raises(KeyError, match="'qux' not in the symbol table"):
        table["qux"]


def test_needs_a_symbol_table(module):
    with pytest.raises(TypeError, match="not a Symbol Table"):
        ir.SymbolTable(module.body.operations[0])


def test_erase(module, table):
    bar = table["bar"]
    del table["bar"]
    assert "bar" not in table and "@bar" not in str(module)
    with pytest.raises(RuntimeError, match="the operation has been invalidated"):
        str(bar)
    table.erase(table["foo"])
    with pytest.raises(KeyError):
        del table["foo"]


def test_erase_of_a_stranger(module, table):
    with pytest.raises(ValueError, match="not in the symbol table"):
        table.erase(module.body.operations[2])


def test_insert_renames(module, table):
    foo = ir.Operation.parse("func.func private @foo()")
    name = table.insert(foo)
    assert str(name) != '"foo"' and foo.attributes["sym_name"] == name
    assert foo.operation.parent is module.operation
    with pytest.raises(ValueError, match="Expected operation to have a symbol name"):
        table.insert(module.body.operations[2])


def test_insert_from_another_module(table):
    other = ir.Module.parse("func.func private @foo()", table["foo"].context)
    with pytest.raises(ValueError, match="inside another operation"):
        table.insert(other.body.operations[0])


def test_rename(ctx):
    module = ir.Module.parse("""
      func.func private @foo() {
        call @bar() : () -> ()
        return
      }
      func.func private @bar()
    """)
    foo, bar = module.body
    ir.SymbolTable.set_symbol_name(bar, "bam")
    ir.SymbolTable.replace_all_symbol_uses("bar", "bam", module.operation)
    assert "call @bam()" in str(module)
    assert str(ir.SymbolTable.get_symbol_name(bar)) == '"bam"'
    assert str(ir.SymbolTable.get_symbol_name(foo)) == '"foo"'


def test_visibility(module):
    foo = module.body.operations[0]
    assert str(ir.SymbolTable.get_visibility(foo)) == '"private"'
    ir.SymbolTable.set_visibility(foo, "nested")
    assert "func.func nested @foo" in str(module)
    with pytest.raises(ValueError, match="'public', 'private' or 'nested'"):
        ir.SymbolTable.set_visibility(foo, "secret")
    with pytest.raises(ValueError, match="Expected operation to have a symbol visibility"):
        ir.SymbolTable.get_visibility(module.body.operations[2])


def test_walk(ctx):
    module = ir.Module.parse("module @outer { module @inner { } }")
    seen = []
    ir.SymbolTable.walk_symbol_tables(
        module.operation, True, lambda op, visible: seen.append((str(op).split()[1], visible))
    )
    assert seen[:2] == [("@inner", True), ("@outer", True)]


def test_walk_callback_raises(module):
    def callback(op, visible):
        raise AssertionError("Raised from python")

    with pytest.raises(RuntimeError, match="(?s)Exception raised in callback: .*Raised from python") as info:
        ir.SymbolTable.walk_symbol_tables(module.operation, True, callback)
    assert isinstance(info.value.__cause__, AssertionError)
