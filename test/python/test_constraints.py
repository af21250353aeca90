# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every rule of docs/operations.md has a test whose program breaks it, or a reason why no program can.

A test counts if it expects the identifier in an error: a lit test by `expected-error` (or a CHECK of an error), a
vector by `rejects`, a pytest by naming it as a string of its own or as `[identifier]`.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULE = r"[A-Z][A-Za-z]*-[CN]?\d+"

# Why nothing can break a rule; where others enforce it under their own identifiers, these.
BY_CONSTRUCTION: dict[str, tuple[str, ...]] = {
    # They are attributes of the ops and Python numbers in the builder.
    "G-C1": (),
    "GetTupleElement-C2": (),
    "Collapse-C3": (),
    "Reshape-C4": (),
    # The general form of rules that ops have.
    "G-C3": ("Rev-C1", "Reduce-C5", "DotGeneral-C4", "Gather-C4", "Gather-C7", "Scatter-C10"),
    "G-C6": ("Binary-C1", "Compare-C1", "Clamp-C1", "Concatenate-C2", "DotGeneral-C5", "Pad-C1"),
    "Binary-C2": ("BC-C1", "BC-C2"),
    "Compare-C2": ("BC-C1", "BC-C2"),
    "Compare-C4": ("BC-C3", "BC-C4", "BC-C5"),
    "Binary-C4": ("BC-C3", "BC-C4", "BC-C5"),
    "Conv-C2": ("ConvWithGeneralPadding-C1", "ConvWithGeneralPadding-C4"),
    # The result is made as the rule says.
    "BC-C9": ("Binary-C3",),
    "Iota-C3": (),
    "CustomCall-C2": (),
    # They allow or define something.
    "Collapse-C4": (),
    "Conditional-C5": (),
    "RngUniform-C4": (),
    "RC-C2": (),
    # Duties of the caller at run time.
    "RC-C3": (),
    "Reduce-C6": (),
    "SelectAndScatter-C6": (),
    "Sort-C6": (),
    "CustomCall-C3": (),
}


def documented() -> set[str]:
    return set(re.findall(rf"\*\*({RULE})\*\*", (ROOT / "docs" / "operations.md").read_text()))


def rejected_by_lit(text: str) -> set[str]:
    lines = [
        line for line in text.splitlines() if "expected-error" in line or re.search(r"CHECK|[A-Z]+: .*error", line)
    ]
    return {rule for line in lines for rule in re.findall(rf"\[({RULE})\]", line)}


def rejected_by_vectors(text: str) -> set[str]:
    found = set()

    def visit(value):
        if isinstance(value, dict):
            found.update(str(value.get("rejects", "")).split("|"))
            value = list(value.values())
        for item in value if isinstance(value, list) else ():
            visit(item)

    visit(json.loads(text))
    return found - {""}


def rejected_by_python(text: str) -> set[str]:
    strings = [
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return {
        rule
        for text in strings
        for rule in ([text] if re.fullmatch(RULE, text) else re.findall(rf"\[({RULE})\\?\]", text))
    }


def rejected() -> set[str]:
    found: set[str] = set()
    for path in sorted((ROOT / "test").rglob("*")):
        if path == Path(__file__).resolve():
            continue
        if path.suffix in (".mlir", ".test"):
            found |= rejected_by_lit(path.read_text())
        elif path.suffix == ".json" and path.parent.name == "vectors":
            found |= rejected_by_vectors(path.read_text())
        elif path.suffix == ".py":
            found |= rejected_by_python(path.read_text())
    return found


def raised() -> dict[str, str]:
    """The identifiers in the sources of dialect and builder, with the file that has them."""
    sources = [
        *(ROOT / "dialect").rglob("*.cpp"),
        *(ROOT / "lowering").rglob("*.cpp"),
        *(ROOT / "python" / "mlir_xla").rglob("*.py"),
    ]
    return {
        rule: str(path.relative_to(ROOT))
        for path in sources
        for rule in re.findall(rf'"\[?({RULE})\]?[" ]', path.read_text())
    }


@pytest.fixture(scope="module")
def tested() -> set[str]:
    return rejected()


def test_there_are_rules():
    assert len(documented()) > 150


def rules() -> list[Any]:
    """All that a program can break; operations that are being made (`pending` in contract.json) may lack a test."""
    pending = json.loads((ROOT / "test/vectors/contract.json").read_text())["pending"]
    return [
        pytest.param(
            rule, marks=[pytest.mark.xfail(strict=False, reason="pending")] if rule.split("-")[0] in pending else []
        )
        for rule in sorted(documented() - set(BY_CONSTRUCTION))
    ]


@pytest.mark.parametrize("rule", rules())
def test_a_program_that_breaks_it_is_rejected(rule, tested):
    assert rule in tested, f"no test expects an error with [{rule}]"


@pytest.mark.parametrize("rule", sorted(BY_CONSTRUCTION))
def test_exception_is_needed(rule, tested):
    assert rule in documented(), f"{rule} is not a rule any more"
    assert rule not in tested, f"a test rejects by {rule}: it does not hold by construction"
    assert tested >= set(BY_CONSTRUCTION[rule]), f"{rule} is left to rules without a test"


@pytest.mark.parametrize("rule, source", sorted(raised().items()))
def test_every_identifier_is_explained(rule, source):
    assert rule in documented(), f"{source} reports {rule}, which docs/operations.md lacks"


def test_a_mention_is_no_test():
    assert rejected_by_lit("// Slice-C3 is checked elsewhere\n// expected-error {{[Slice-C4] stride}}") == {"Slice-C4"}
    assert rejected_by_python('"""About Slice-C3."""\nmatch = r"\\[Slice-C4\\]"') == {"Slice-C4"}
    assert rejected_by_vectors('[{"id": "Slice-C3", "rejects": "Slice-C1|Slice-C4"}]') == {"Slice-C1", "Slice-C4"}
