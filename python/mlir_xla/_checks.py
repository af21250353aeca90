# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assertions in programs, for targets that run machine code: the values they speak of become results of `@main`.

`custom_call @check.expect_eq(%actual, %expected)` and the like are taken out of the program, their operands are
returned behind the program's own results, and the checks of the reference interpreter judge them after the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _functions, ir
from .errors import XlaError
from .shape import Shape


@dataclass
class Checks:
    """The assertions of one program: for each, the interpreter's op and the shapes of its operands."""

    ops: list[tuple[Any, list[Shape]]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of results that were added to the program."""
        return sum(len(shapes) for _, shapes in self.ops)

    def __bool__(self) -> bool:
        return bool(self.ops)

    def evaluate(self, values: Sequence[np.ndarray]) -> None:
        """Judges the added results; `reference.CheckError` with the first element that differs."""
        from .reference.checks import CUSTOM_CALLS

        position = 0
        for op, shapes in self.ops:
            operands = values[position : position + len(shapes)]
            position += len(shapes)
            CUSTOM_CALLS[op.attributes["call_target_name"]](op, *operands)


def extract(module: ir.Module) -> Checks:
    """Takes the assertions out of the module, in place.

    Raises XlaError for an assertion in a loop, a branch or a function that is not inlined.
    """
    checks = _find(module)
    if not checks:
        return Checks()
    main = _functions.functions(module)["main"]
    if any(op.operation.parent.operation != main for op in checks):
        _inline(module)
        checks = _find(module)
        main = _functions.functions(module)["main"]
    for op in checks:
        if op.operation.parent.operation != main:
            raise XlaError(
                "an assertion is only possible at the top level of @main when a program is compiled; "
                "target='reference' evaluates it everywhere",
                op=_target(op),
                location=str(op.location).removeprefix("loc(").removesuffix(")"),
            )

    from .reference._program import read_module

    body = read_module(module)["main"].body
    read = [op for op in (body.ops if body else ()) if _is_check(op.attributes.get("call_target_name"))]
    result = Checks()
    values: list[ir.Value] = []
    for op, program_op in zip(checks, read, strict=True):
        operands = list(op.operands)
        result.ops.append((program_op, [Shape.parse(str(value.type)) for value in operands]))
        values.extend(operands)
    terminator = list(main.regions[0].blocks[0].operations)[-1].operation
    returned = [*list(terminator.operands), *values]
    with ir.InsertionPoint(terminator), terminator.location:
        ir.Operation.create("func.return", operands=returned)
    terminator.erase()
    for op in checks:
        op.operation.erase()
    _functions.set_signature(main, list(_functions.signature(main).inputs), [value.type for value in returned])
    if "res_attrs" in main.attributes:
        context = module.context
        added = [ir.DictAttr.get({}, context=context) for _ in values]
        given = ir.ArrayAttr(main.attributes["res_attrs"])
        attributes = [*(given[i] for i in range(len(given))), *added]
        main.attributes["res_attrs"] = ir.ArrayAttr.get(attributes, context=context)
    return result


def _is_check(target: object) -> bool:
    return isinstance(target, str) and target.startswith("check.")


def _target(op: Any) -> str:
    return ir.StringAttr(op.operation.attributes["call_target_name"]).value


def _find(module: ir.Module) -> list[Any]:
    found: list[Any] = []

    def visit(op: Any) -> ir.WalkResult:
        if op.name == "xla.custom_call" and _is_check(_target(op)):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def _inline(module: ir.Module) -> None:
    from .passmanager import PassManager

    with module.context:
        PassManager.parse("builtin.module(xla-inline-calls)").run(module.operation)
