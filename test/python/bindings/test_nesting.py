# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Brackets that nest too deep for MLIR's recursive parsers are errors; deep ones within the limit are parsed."""

import threading

import pytest

from mlir_xla import ir
from mlir_xla.passmanager import PassManager

DEEP = 50_000
LIMIT = 1000
TOO_DEEP = "brackets are nested more than 1000 levels deep"


@pytest.mark.parametrize("parse", [ir.Attribute.parse, ir.Type.parse, ir.Module.parse, ir.Operation.parse])
@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP + "]" * DEEP,
        "tuple<" * DEEP + ">" * DEEP,
        "{a = " * DEEP + "}" * DEEP,
        "module {" * DEEP + "}" * DEEP,
        "((() -> " * DEEP,
        "!f<() -> " * DEEP,
        '["]", ' * DEEP,
        "[ // ]\n" * DEEP,
        "[<]<" * (DEEP // 2) + "[" * DEEP,
    ],
    ids=["lists", "types", "dictionaries", "regions", "functions", "arrows", "strings", "comments", "mixed"],
)
def test_too_deep(ctx, parse, text):
    with pytest.raises(ir.MLIRError, match=TOO_DEEP):
        parse(text)


def test_place_of_the_error(ctx, tmp_path):
    text = "module {\n" * (LIMIT + 1)
    with pytest.raises(ir.MLIRError, match=TOO_DEEP) as caught:
        ir.Module.parse(text)
    assert '"-":1001:8' in str(caught.value)
    (tmp_path / "deep.mlir").write_text(text)
    with pytest.raises(ir.MLIRError, match=TOO_DEEP) as caught:
        ir.Module.parseFile(tmp_path / "deep.mlir")
    assert 'deep.mlir":1001:8' in str(caught.value)


def test_pipelines(ctx):
    text = "any(" * DEEP + ")" * DEEP
    with pytest.raises(ValueError, match=TOO_DEEP):
        PassManager.parse(text)
    with pytest.raises(ValueError, match=TOO_DEEP):
        PassManager("any").add(text)


def test_what_is_allowed(ctx):
    """The limit itself, in a thread as well; and what only looks nested."""

    def parse():
        with ctx:
            assert str(ir.Attribute.parse("[" * LIMIT + "]" * LIMIT)).startswith("[[")
            assert str(ir.Type.parse("tuple<" * LIMIT + ">" * LIMIT)).startswith("tuple<tuple<")
            module = ir.Module.parse("module {" * LIMIT + "}" * LIMIT)
            assert module.operation.verify() and str(module).count("module") == LIMIT

    parse()
    thread = threading.Thread(target=parse)
    thread.start()
    thread.join()
    assert len(ir.ArrayAttr(ir.Attribute.parse("[" + '"[", ' * DEEP + '"\\"["]'))) == DEEP + 1
    assert len(ir.ArrayAttr(ir.Attribute.parse("[" + "unit, // [[\n" * DEEP + "unit]"))) == DEEP + 1
    compare = "affine_set<(d0) : (d0 - 1 >= 0)>, affine_map<(d0) -> (d0)>, "
    assert len(ir.ArrayAttr(ir.Attribute.parse("[" + compare * DEEP + "unit]"))) == 2 * DEEP + 1


def test_bytecode_is_not_text(ctx, tmp_path):
    module = ir.Module.parse("module {}")
    module.operation.attributes["test.a"] = ir.StringAttr.get("[" * DEEP)
    with open(tmp_path / "m.mlirbc", "wb") as file:
        module.operation.write_bytecode(file)
    for again in (ir.Module.parseFile(tmp_path / "m.mlirbc"), ir.Module.parse((tmp_path / "m.mlirbc").read_bytes())):
        assert ir.StringAttr(again.operation.attributes["test.a"]).value == "[" * DEEP
