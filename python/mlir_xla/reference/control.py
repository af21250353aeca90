# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The control family: calls, conditionals, loops, tuples and the optimization barrier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._program import Op
from ._types import TOKEN

Value = Any


def _call(frame: Any, op: Op, *operands: Value) -> list[Value]:
    return frame.interpreter.call(op.attributes["callee"], operands)


def _composite(frame: Any, op: Op, *operands: Value) -> list[Value]:
    return frame.interpreter.call(op.attributes["decomposition"], operands)


def _if(frame: Any, op: Op, predicate: np.ndarray) -> list[Value]:
    return frame.run(op.regions[0 if predicate else 1])


def _case(frame: Any, op: Op, index: np.ndarray) -> list[Value]:
    """An index out of range, negative or not, takes the last branch."""
    branch = int(index)
    return frame.run(op.regions[branch if 0 <= branch < len(op.regions) else -1])


def _while(frame: Any, op: Op, *state: Value) -> list[Value]:
    condition, body = op.regions
    values = list(state)
    while frame.run(condition, *values)[0]:
        values = frame.run(body, *values)
    return values


def _tuple(op: Op, *elements: Value) -> tuple[Value, ...]:
    return tuple(elements)


def _get_tuple_element(op: Op, operand: tuple[Value, ...]) -> Value:
    return operand[op.attributes["index"]]


def _token(op: Op, *tokens: Value) -> Value:
    return TOKEN


def _optimization_barrier(op: Op, *operands: Value) -> list[Value]:
    return list(operands)


OPS: dict[str, Callable[..., Any]] = {
    "tuple": _tuple,
    "create_token": _token,
    "after_all": _token,
    "get_tuple_element": _get_tuple_element,
    "optimization_barrier": _optimization_barrier,
}
REGION_OPS: dict[str, Callable[..., Any]] = {
    "func.call": _call,
    "call": _call,
    "composite": _composite,
    "if": _if,
    "case": _case,
    "while": _while,
}
