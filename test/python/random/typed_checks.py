# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs, compares their results, and makes failing programs smaller."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import comparison
import numpy as np
from typed_values import Program, Statement, Value

import mlir_xla


def evaluated(p: Program, target: str, **options: Any) -> list[np.ndarray]:
    """The results of a program."""
    results = mlir_xla.compile(p.text(), target=target, **options)(*p.arrays)
    return [np.asarray(r) for r in (results if isinstance(results, (tuple, list)) else [results])]


def difference(have: Any, want: Any, value: Value) -> str | None:
    """How a result differs from the expected one by more than its error bound allows."""
    found = comparison.difference(have, want, 4 * value.error, signed_zeros=value.exact and not value.open_zeros)
    return f"{value.type}: {found}" if found else None


def pruned(p: Program) -> Program:
    """Without the statements that its results do not need."""
    needed = {r.name.split("#")[0] for r in p.results}
    kept = []
    for statement in reversed(p.statements):
        if statement.results[0].name.split("#")[0] in needed:
            kept.append(statement)
            needed |= statement.names()
    return Program(p.seed, p.parameters, kept[::-1], p.results, p.arrays)


def _renamed(text: str, pairs: list[tuple[Value, Value]]) -> str:
    for old, new in pairs:
        text = re.sub(re.escape(old.name) + r"(?!\d)", new.name, text) if "#" in old.name else text
    return text


def shrunk(p: Program, fails: Callable[[Program], bool]) -> Program:
    """A smaller program that still fails: fewer results, then statements replaced by parameters with their values."""
    for result in p.results:
        candidate = pruned(Program(p.seed, p.parameters, p.statements, [result], p.arrays))
        if fails(candidate):
            p = candidate
            break
    position = len(p.statements)
    while position:
        position = min(position - 1, len(p.statements) - 1)
        if position < 0:
            break
        statement = p.statements[position]
        if any(r.name == statement.results[0].name for r in p.results):
            continue
        values = evaluated(
            pruned(Program(p.seed, p.parameters, p.statements, statement.results, p.arrays)), "reference"
        )
        # Results of one op are spelt %v1#0: as parameters they need names of their own.
        renamed = [replace(v, name=v.name.replace("#", "00")) for v in statement.results]

        rename = partial(_renamed, pairs=list(zip(statement.results, renamed, strict=True)))
        rest = [Statement(rename(s.text), s.results) for s in p.statements[:position] + p.statements[position + 1 :]]
        results = [replace(v, name=rename(v.name)) for v in p.results]
        used = {name for s in rest for name in s.names()} | {r.name for r in results}
        more = [(v, a) for v, a in zip(renamed, values, strict=True) if v.name in used]
        candidate = pruned(
            Program(p.seed, [*p.parameters, *(v for v, _ in more)], rest, results, [*p.arrays, *(a for _, a in more)])
        )
        if fails(candidate):
            p = candidate
    used = {name for s in p.statements for name in s.names()} | {r.name for r in p.results}
    kept = [(v, a) for v, a in zip(p.parameters, p.arrays, strict=True) if v.name in used]
    candidate = Program(p.seed, [v for v, _ in kept], p.statements, p.results, [a for _, a in kept])
    return candidate if fails(candidate) else p
