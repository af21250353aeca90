# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The constraints of each operation, read from the descriptions in the ODS."""

from __future__ import annotations

import pathlib
import re

from op_table import FAMILIES

_DEFINITION = re.compile(r'^def Xla_\w+Op\s*:\s*Xla_\w+<\s*"(\w+)"', re.MULTILINE)
_ELEMENTWISE = re.compile(r'def Xla_\w+Op\s*:\s*Xla_(Accurate)?(Unary|Binary)Op<"(\w+)", "([^"]*)", \[([^]]*)\]')
_SUMMARY = re.compile(r'let summary = "([^"]*)"')
_IDENTIFIER = re.compile(r"`([A-Z]\w*-C\d+)`:?")


def markdown(root: pathlib.Path) -> str:
    """A section per family: what each op is, and what it demands."""
    sections = []
    for family in FAMILIES:
        text = (root / "dialect/ops" / family / f"{family.capitalize()}Ops.td").read_text()
        lines = [f"### {family.capitalize()}", ""]
        lines += _table(text)
        starts = [*_DEFINITION.finditer(text)]
        for match, end in zip(starts, [*(m.start() for m in starts[1:]), len(text)], strict=True):
            body = text[match.start() : end]
            summary, rules = _SUMMARY.search(body), _rules(body)
            if summary and rules:
                lines += [f"**`{match[1]}`**: {summary[1]}", "", *(f"- {rule}" for rule in rules), ""]
        sections.append("\n".join(lines))
    return "\n".join(sections)


def _rules(body: str) -> list[str]:
    """The items of the description that name a constraint; continuation lines belong to the item before."""
    items: list[str] = []
    inside = False
    for line in map(str.strip, body.split("let arguments")[0].splitlines()):
        begin = re.match(r"(?:[-*] |Constraints?: )(.*)", line)
        if begin and _IDENTIFIER.search(begin[1]):
            items.append(begin[1])
            inside = True
        elif inside and line and not line.startswith(("}", "```", "-", "*")):
            items[-1] += " " + line
        else:
            inside = False
    return [_IDENTIFIER.sub(r"**\1**", item) for item in items]


def _table(text: str) -> list[str]:
    rows = [
        f"| `{name}` | {kind} | {formula} | {classes} |".replace("|x|", r"\|x\|").replace("|gamma(x)|", r"\|gamma(x)\|")
        for _, kind, name, formula, classes in _ELEMENTWISE.findall(text)
    ]
    return ["| `xla.` | rules | result | element types |", "|---|---|---|---|", *rows, ""] if rows else []
