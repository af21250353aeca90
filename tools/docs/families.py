# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page for each family of operations: what each op means and how it is written, what makes it in Python, its name in
StableHLO, and what it is lowered to. Read from the ODS (as MLIR renders it), the builder and the comments of patterns.
"""

from __future__ import annotations

import ast
import inspect
import pathlib
import re

from op_table import FAMILIES, Operation, modules, operations

# What CHLO has and StableHLO has not.
CHLO = set(
    "acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf lgamma mulhi next_after "
    "polygamma ragged_dot scan sinh square top_k zeta".split()
)
# The folders of the passes that replace ops of the dialect, and the stage that these lead to.
STAGES = {"legalize": "legal", "linalg": "linalg"}

_HEADING = re.compile(r"^### `xla\.(\w+)` \(.*\)$", re.MULTILINE)
_COMMENT = re.compile(r"((?:^[ ]*///.*\n)+)(?:template .*\n)?[ ]*(?:static |inline )*(\w+) (\w+)", re.MULTILINE)
_ROW = re.compile(r'^\s*\{"(\w+)",\s*((?:[^{}]|\{[^{}]*\})*?)\},$', re.MULTILINE)


def pages(root: pathlib.Path, dialect: str) -> dict[str, str]:
    """The page of each family, given the text that `mlir-tblgen -gen-dialect-doc` makes of the dialect."""
    sections = _sections(dialect)
    functions = _functions(root)
    lowerings = _lowerings(root)
    found = {}
    for family in FAMILIES:
        ops = [op for op in operations(root) if op.family == family]
        parts = [f"# Operations: {family}\n\n{_about(root, family)}\n"]
        parts += [_operation(op, sections[op.name], functions, lowerings.get(op.name, [])) for op in ops]
        made = {name for op in ops for name in op.builders}
        others = [name for name, (place, _) in functions.items() if place == family and name not in made]
        if others:
            parts.append("## Functions of the builder without an op of their own\n")
            parts += [functions[name][1] for name in others]
        found[family] = "\n".join(parts)
    return found


def _about(root: pathlib.Path, family: str) -> str:
    """The docstring of the family's module in Python, which names what is in it."""
    tree = ast.parse((root / "python/mlir_xla/ops" / f"{family}.py").read_text())
    return ast.get_docstring(tree) or ""


def _operation(op: Operation, section: str, functions: dict[str, tuple[str, str]], lowering: list[str]) -> str:
    python = [functions[name][1] for name in op.builders] or ["No function of `mlir_xla.ops` makes it.\n"]
    if op.name in ("return", "create_token", "after_all"):
        foreign = f"`stablehlo.{op.name}`"
    else:
        foreign = f"`{'chlo' if op.name in CHLO else 'stablehlo'}.{op.name}`"
    if op.lowering == "–":
        lowering = ["It is not compiled.\n"]
    return "\n".join(
        [
            f"## `xla.{op.name}`\n",
            section,
            "### In Python\n",
            *python,
            "### In StableHLO\n",
            f"{foreign}, with the same operands and attributes.\n",
            "### What it becomes\n",
            *(lowering or ["It stays, on tensors without signs, until the schedule is emitted.\n"]),
        ]
    )


def _sections(dialect: str) -> dict[str, str]:
    """What MLIR writes about each op, one level deeper and without its heading."""
    parts = _HEADING.split(dialect)
    found = {}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        text = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
        found[name] = re.sub(r"^####", "###", text.strip(), flags=re.MULTILINE) + "\n"
    return found


def _functions(root: pathlib.Path) -> dict[str, tuple[str, str]]:
    """For each function of the builder its family, and signature and docstring as Markdown."""
    found = {}
    for path, family in modules(root).items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name[0].isupper() and (doc := ast.get_docstring(node)):
                text, _, example = doc.partition("Example:\n")
                result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                lines = ["```python", f"ops.{node.name}({ast.unparse(node.args)}){result}", "```", "", text.strip(), ""]
                if example:
                    lines += ["```python", inspect.cleandoc(example), "```", ""]
                found[node.name] = (family, "\n".join(lines))
    return found


def _lowerings(root: pathlib.Path) -> dict[str, list[str]]:
    """For each op the comments of the patterns that replace it, and its row in the table of scalar forms."""
    found: dict[str, list[str]] = {}
    for folder, stage in STAGES.items():
        for path in sorted((root / "lowering" / folder).glob("*.cpp")):
            text, place = path.read_text(), path.relative_to(root)
            for comment, _, name in _COMMENT.findall(text):
                words = " ".join(re.sub(r"^\s*///\s?", "", line) for line in comment.splitlines())
                if match := re.match(r"xla\.(\w+)", words):
                    pattern = name if name.startswith(("Decompose", "Fold")) or name.endswith("Lowering") else ""
                    entry = f"Stage `{stage}`, {f'`{pattern}` in ' if pattern else ''}`{place}`:\n\n```\n{words}\n```\n"
                    found.setdefault(match[1], []).append(entry)
            if "Scalar" in path.name:
                for name, row in _ROW.findall(text):
                    forms = " ".join(row.split())
                    entry = (
                        f"Stage `{stage}`, in the table of scalar forms in `{place}`:\n\n```\n{name}: {forms}\n```\n"
                    )
                    found.setdefault(name, []).append(entry)
    tuples = "Stage `legal`, `lowering/legalize/FlattenTuples.cpp`: its elements take its place.\n"
    calls = "Stage `legal`, `lowering/legalize/InlineCalls.cpp`: the body of what it calls takes its place.\n"
    for op in operations(root):
        named = re.compile(rf"(?<!math::)(?<!arith::)(?<!complex::)\b{op.class_name}\b")
        for path in () if op.name in found else sorted((root / "lowering/linalg").glob("Scalar*.cpp")):
            if named.search(path.read_text()):
                place = path.relative_to(root)
                found.setdefault(op.name, []).append(f"Stage `linalg`, a scalar form of its own in `{place}`.\n")
    found.update({"tuple": [tuples], "get_tuple_element": [tuples], "composite": [calls]})
    return found
