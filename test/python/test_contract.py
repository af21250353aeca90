# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No hole in: operation -> constraints -> tests.

`test/vectors/contract.json` lists what XLA's operation semantics, as this project reads them, contain for array
operations: per operation the number of its constraints (C) and of its vectors (T, X, R, and the rows of the table of
unary functions). Here each of these is looked for: a constraint in `docs/operations.md`, which is made of the ODS
(`test_constraints.py` then wants a program that is rejected with it, which also shows that the sources report it), a
vector in `test/vectors/*.json` and for every target, or in the file that `elsewhere` names.
"""

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from mlir_xla import ops

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import op_table  # noqa: E402

CONTRACT = json.loads((ROOT / "test/vectors/contract.json").read_text())
# What a case of a vector adds to its name: `Slice-X2b`, `LAY-R1a`.
CASE = re.compile(r"(.*-(?:[TXR]|29\.)\d+)[a-z]*")


def identifiers(kinds: str) -> list[Any]:
    """The identifiers of these kinds, as parameters; those of operations that are being made may be missing."""
    found = []
    for name, contract in CONTRACT["contracts"].items():
        for kind, count in contract.items():
            if kind != "ops" and kind in kinds.split():
                marks = (
                    [pytest.mark.xfail(strict=False, reason=f"pending: {name}")] if name in CONTRACT["pending"] else []
                )
                found += [pytest.param(f"{name}-{kind}{i}", marks=marks) for i in range(1, count + 1)]
    return found


@pytest.fixture(scope="module")
def vectors() -> dict[str, list[dict[str, Any]]]:
    """The cases of each vector, in any file of vectors that a test reads."""
    tests = "\n".join(path.read_text() for path in (ROOT / "test/python").rglob("test_*.py"))
    found: dict[str, list[dict[str, Any]]] = {}

    def visit(value: Any) -> None:
        if isinstance(value, dict):
            if match := CASE.fullmatch(str(value.get("id", ""))):
                found.setdefault(match[1], []).append(value)
            value = list(value.values())
        for item in value if isinstance(value, list) else ():
            visit(item)

    for path in (ROOT / "test/vectors").glob("*.json"):
        if f'"{path.stem}"' in tests:
            visit(json.loads(path.read_text()))
    return found


@pytest.mark.parametrize("identifier", identifiers("C"))
def test_constraint_is_a_rule(identifier):
    assert f"**{identifier}**" in (ROOT / "docs/operations.md").read_text()


@pytest.mark.parametrize("identifier", identifiers("T X R 29."))
def test_vector_is_a_test(identifier, vectors):
    if identifier in CONTRACT["inapplicable"]:
        assert identifier not in vectors, f"{identifier} is a test: {CONTRACT['inapplicable'][identifier]}?"
        return
    if path := CONTRACT["elsewhere"].get(identifier):
        assert identifier not in vectors, f"{identifier} is in test/vectors: {path} is not needed"
        assert identifier in (ROOT / path).read_text()
        return
    assert identifier in vectors, f"no entry of test/vectors has {identifier}"
    for case in vectors[identifier]:
        targets = case.get("targets", ["reference", "cpu"])
        assert {"reference", "cpu"} <= set(targets), f"{case['id']} is only for {targets}"


def test_every_operation_has_a_contract():
    """An op of the dialect is in the list, under the name that its constraints bear."""
    known = {op for contract in CONTRACT["contracts"].values() for op in contract.get("ops", ())}
    known |= {op for ops in CONTRACT["beyond"].values() for op in ops}
    assert known == {op.name for op in op_table.operations(ROOT)}


@pytest.mark.parametrize("name", sorted({*CONTRACT["contracts"], *CONTRACT["beyond"]} - {"Return"}))
def test_there_are_rules_for_it(name):
    """Of a terminator, `return`, the op around it has the rules."""
    prefix = {"Constant": "Constant-C1", "SH": "SH-4"}.get(name, f"{name}-C1")
    assert f"**{prefix}**" in (ROOT / "docs/operations.md").read_text()


@pytest.mark.parametrize("operation", op_table.operations(ROOT), ids=lambda operation: operation.name)
def test_one_family_in_every_layer(operation):
    """The interpreter has it in the module of its family, and its vectors are in the file of that name."""
    if operation.name not in ("return", "custom_call"):  # the interpreter's own business
        family = importlib.import_module(f"mlir_xla.reference.{operation.family}")
        assert operation.name in {**getattr(family, "OPS", {}), **getattr(family, "REGION_OPS", {})}
    for path in (ROOT / "test/vectors").glob("*.json"):
        if path.stem in op_table.FAMILIES and path.stem != operation.family:
            cases = [case["id"] for case in json.loads(path.read_text()) if case.get("op") == operation.name]
            assert not cases, f"{path.name} has them"


@pytest.fixture(scope="module")
def table() -> str:
    return op_table.markdown(ROOT)


@pytest.mark.parametrize("name", CONTRACT["functions"])
def test_function_of_the_builder(name, table):
    """XLA's name is in the package and in the README's table."""
    if name in CONTRACT["pending"]:
        pytest.xfail("pending")
    assert name in ops.__all__
    assert f"`{name}`" in table


@pytest.mark.parametrize("kind", ["elsewhere", "inapplicable"])
def test_exceptions_are_in_the_contract(kind):
    listed = {parameter.values[0] for parameter in identifiers("C T X R 29.")}
    assert set(CONTRACT[kind]) <= listed
