# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assertions in programs, for targets that run machine code.

`custom_call @check.expect_eq(%actual, %expected)` and the like are judged by the checks of the reference interpreter.
At the top level of `@main` they are taken out of the program, which returns their operands behind its own results.
Where one sits in a loop or a branch, all of them become calls that judge the values then and there, every time that
control comes by, in the order of the program.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _functions, ir
from ._messages import suggestion
from .errors import XlaError
from .shape import Shape

_PREFIX = "check."
_CALLED = "mlir_xla.check"
_SETTINGS = {"value", "tolerance", "max_ulp_difference", "min_ulp_difference"}
_REGIONS = ("xla.while", "xla.if", "xla.case")
_numbers = itertools.count()
# The programs that judge while they run, by the number that their calls carry.
_judging: weakref.WeakValueDictionary[int, Checks] = weakref.WeakValueDictionary()


@dataclass(eq=False)
class Checks:
    """The assertions of one program: for each, the interpreter's op and the shapes of its operands."""

    ops: list[tuple[Any, list[Shape]]] = field(default_factory=list)
    #: Whether they are judged while the program runs.
    called: bool = False

    @property
    def count(self) -> int:
        """The number of results that were added to the program."""
        return 0 if self.called else sum(len(shapes) for _, shapes in self.ops)

    @property
    def after_run(self) -> bool:
        """Whether there are some that are judged when the program is done."""
        return bool(self.ops) and not self.called

    def evaluate(self, values: Sequence[np.ndarray]) -> None:
        """Judges the added results; `reference.CheckError` with the first element that differs."""
        position = 0
        for index, (_, shapes) in enumerate(self.ops):
            self.judge(index, values[position : position + len(shapes)])
            position += len(shapes)

    def judge(self, index: int, operands: Sequence[np.ndarray]) -> None:
        """Judges one of them."""
        from .reference.checks import CUSTOM_CALLS

        op, _ = self.ops[index]
        CUSTOM_CALLS[op.attributes["call_target_name"]](op, *operands)


def validate(module: ir.Module) -> None:
    """Raises XlaError, with its place, for an assertion that is not known, or of other operands or results."""
    for op in _find(module):
        _validate(op)


def extract(module: ir.Module) -> Checks:
    """Takes the assertions out of the module or makes them calls, in place.

    Raises XlaError as `validate` does, and for one in a computation that other ops apply, such as that of a reduction.
    """
    found = _find(module)
    for op in found:
        _validate(op)
    if not found:
        return Checks()
    main = _functions.functions(module)["main"]
    if any(op.operation.parent.operation != main for op in found):
        _inline(module)
        found = _find(module)
        main = _functions.functions(module)["main"]
    result = Checks(called=any(op.operation.parent.operation != main for op in found))
    for op in found:
        _require_machine_order(op, main)

    from .reference._program import Block, Op, read_module

    def checks_in(block: Block | None) -> list[Op]:
        ops = []
        for op in block.ops if block else ():
            if _is_check(op.attributes.get("call_target_name")):
                ops.append(op)
            for region in op.regions:
                ops.extend(checks_in(region))
        return ops

    for op, program_op in zip(found, checks_in(read_module(module)["main"].body), strict=True):
        result.ops.append((program_op, [Shape.parse(str(value.type)) for value in op.operands]))
    if result.called:
        _call(found, result)
    else:
        _return(module, main, found)
    return result


def _validate(op: Any) -> None:
    from .reference.checks import CUSTOM_CALLS

    target, attributes = _target(op), op.operation.attributes
    config = attributes["backend_config"] if "backend_config" in attributes else None
    has_value = "value" in attributes or (isinstance(config, ir.DictAttr) and "value" in config)
    wanted = "one array and the attribute 'value'" if target.endswith("_const") else "two arrays"
    settings = {config[i].name for i in range(len(config))} if isinstance(config, ir.DictAttr) else set()
    unknown = sorted(settings - _SETTINGS)
    if target == "check.expect_serialized_eq":
        reason = "compares with a file that StableHLO's interpreter.probe has written, which is not supported here"
    elif target not in CUSTOM_CALLS:
        reason = f"no such assertion; there are {', '.join(sorted(CUSTOM_CALLS))}{suggestion(target, CUSTOM_CALLS)}"
    elif len(op.operands) != (1 if has_value else 2):
        reason = f"takes {wanted}, got {len(op.operands)}{' and a value' if has_value else ''}"
    elif len(op.results) > 0:
        reason = f"gives no results, but {len(op.results)} {'is' if len(op.results) == 1 else 'are'} wanted"
    elif unknown:
        reason = f"has no setting '{unknown[0]}'; there are {', '.join(sorted(_SETTINGS - {'value'}))}"
    else:
        return
    raise XlaError(reason, op=target, location=_place(op))


def _place(op: Any) -> str:
    return str(op.location).removeprefix("loc(").removesuffix(")").replace('"', "")


def _require_machine_order(op: Any, main: ir.Operation) -> None:
    """A check may be called where control comes by once for each time that the program says."""
    parent = op.operation.parent.operation
    while parent != main:
        if parent.name not in _REGIONS:
            where = "a function that stays one" if parent.name == "func.func" else f"the computation of '{parent.name}'"
            raise XlaError(
                f"an assertion in {where} is not possible when a program is compiled; target='reference' evaluates it "
                "everywhere",
                op=_target(op),
                location=_place(op),
            )
        parent = parent.parent.operation


def _call(found: Sequence[Any], result: Checks) -> None:
    """Makes the assertions calls of `_judge`, with the number of the program and their own as configuration."""
    from ._mlir_libs._xla import compiler

    number = next(_numbers)
    if number == 0:
        compiler.register_custom_call(_CALLED, _judge)
    _judging[number] = result
    for index, op in enumerate(found):
        operation = op.operation
        context = operation.context
        operation.attributes["call_target_name"] = ir.StringAttr.get(_CALLED, context=context)
        operation.attributes["backend_config"] = ir.StringAttr.get(f"{number} {index}", context=context)
        operation.attributes["has_side_effect"] = ir.BoolAttr.get(True, context=context)


def _judge(config: str, signature: str, operands: tuple[int, ...], results: tuple[int, ...]) -> None:
    from .custom_calls import view

    number, index = map(int, config.split())
    checks = _judging[number]
    _, shapes = checks.ops[index]
    checks.judge(index, [view(address, shape) for address, shape in zip(operands, shapes, strict=True)])


def _return(module: ir.Module, main: ir.Operation, found: Sequence[Any]) -> None:
    """Removes the assertions and returns their operands behind the results of `@main`."""
    values = [value for op in found for value in op.operands]
    terminator = list(main.regions[0].blocks[0].operations)[-1].operation
    returned = [*list(terminator.operands), *values]
    with ir.InsertionPoint(terminator), terminator.location:
        ir.Operation.create("func.return", operands=returned)
    terminator.erase()
    for op in found:
        op.operation.erase()
    _functions.set_signature(main, list(_functions.signature(main).inputs), [value.type for value in returned])
    if "res_attrs" in main.attributes:
        context = module.context
        added = [ir.DictAttr.get({}, context=context) for _ in values]
        given = ir.ArrayAttr(main.attributes["res_attrs"])
        attributes = [*(given[i] for i in range(len(given))), *added]
        main.attributes["res_attrs"] = ir.ArrayAttr.get(attributes, context=context)


def _is_check(target: object) -> bool:
    return isinstance(target, str) and target.startswith(_PREFIX)


def _target(op: Any) -> str:
    return ir.StringAttr(op.operation.attributes["call_target_name"]).value


def _find(module: ir.Module) -> list[Any]:
    from ._mlir_libs._xla import compiler

    found: list[Any] = []
    if not compiler.has_custom_call(module.operation, _PREFIX):  # a walk in C++, for most programs all that is needed
        return found

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
