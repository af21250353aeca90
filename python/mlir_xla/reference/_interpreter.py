# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Walks a program op by op. Values are NumPy arrays, tuples of values, and ``TOKEN``.

Every result is compared with the type that the op declares, so a wrong shape rule shows at the op that has it.
Regions of reductions and of ``map`` are evaluated on whole arrays: all ops in them are elementwise, and an elementwise
op does not mind whether its scalar is an array. A region with other ops is run element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._messages import counted
from . import (
    checks,
    control,
    elementwise,
    fft,
    indexing,
    lapack,
    linear,
    normalization,
    random,
    reduction,
    shape,
    solve,
    sort,
)
from ._program import Block, Function, Op, read_module
from ._types import TOKEN, ArrayType, TokenType, TupleType, Type

Value = Any
CustomCall = Callable[..., Any]


class InterpreterError(Exception):
    """A program that cannot be evaluated: says which op, where, and why."""


_FAMILIES = (elementwise, shape, indexing, reduction, linear, control, normalization, sort, fft, solve, random)
# name -> f(op, *operands): ops whose result depends on operands and attributes alone.
_PURE: dict[str, Callable[..., Any]] = {
    name: f for family in _FAMILIES for name, f in getattr(family, "OPS", {}).items()
}
# name -> f(frame, op, *operands): ops that evaluate regions or call functions.
_STRUCTURED = {name: f for family in _FAMILIES for name, f in getattr(family, "REGION_OPS", {}).items()}
_TERMINATORS = {"return", "func.return"}
_VECTORIZABLE = {*elementwise.OPS, "constant", *_TERMINATORS}


class Interpreter:
    """A module ready to be evaluated.

    ``custom_calls`` maps the target of a ``custom_call`` (and the full name of an op outside the dialect, such as
    ``check.expect_eq_const``) to ``f(op, *operands) -> results``. The checks of ``checks.py`` are always there.
    InterpreterError for a function that calls itself.
    """

    def __init__(self, module: Any, custom_calls: dict[str, CustomCall] | None = None) -> None:
        self.functions: dict[str, Function] = read_module(module)
        _require_no_recursion(self.functions)
        self.custom_calls: dict[str, CustomCall] = {**checks.CUSTOM_CALLS, **(custom_calls or {})}

    def run(self, args: Sequence[Any] = (), function: str = "main") -> list[Value]:
        """Evaluates ``@function`` and returns its results.

        Arguments must have the shapes and dtypes of the parameters (a Python scalar is converted).
        Raises InterpreterError for an unknown function, unfit arguments, and ops that cannot be evaluated; a failing
        check raises ``checks.CheckError``.
        """
        if function not in self.functions:
            raise InterpreterError(
                f"no function @{function}; the module has {', '.join(map('@{}'.format, self.functions))}"
            )
        parameters = self.functions[function].type.inputs
        if len(args) != len(parameters):
            raise InterpreterError(f"@{function} takes {counted(len(parameters), 'argument')}, {len(args)} given")
        values = [_argument(i, arg, type_) for i, (arg, type_) in enumerate(zip(args, parameters, strict=True))]
        with np.errstate(all="ignore"):
            return [_owned(result) for result in self.call(function, values)]

    def call(self, name: str, args: Sequence[Value]) -> list[Value]:
        """Evaluates a function on values; what ``func.call`` does."""
        function = self.functions.get(name)
        if function is None or function.body is None:
            raise InterpreterError(f"function @{name} has no body in this module")
        return Frame(self, function).run(function.body, *args)


def run(module: Any, args: Sequence[Any] = (), function: str = "main") -> list[Value]:
    """Evaluates ``@function`` of ``module`` on NumPy arrays and returns the list of its results."""
    return Interpreter(module).run(args, function)


class Frame:
    """The values of one function invocation."""

    def __init__(self, interpreter: Interpreter, function: Function) -> None:
        self.interpreter = interpreter
        self.values: list[Value] = [None] * function.slots

    def run(self, block: Block, *args: Value) -> list[Value]:
        """Evaluates a block on arguments; returns the operands of its terminator."""
        return self._run(block, args, self._check)

    def run_elementwise(self, block: Block, dims: tuple[int, ...], *args: np.ndarray) -> list[np.ndarray]:
        """Evaluates a block of scalar computation at every index of arrays with shape ``dims``."""
        if self._is_vectorizable(block):
            results = self._run(block, args, lambda op, results: results)
            return [np.broadcast_to(result, dims) for result in results]
        terminator_types = [self._type_of(block, slot) for slot in block.ops[-1].operands]
        outputs = [np.empty(dims, type_.dtype) for type_ in terminator_types]
        args = tuple(np.broadcast_to(arg, dims) for arg in args)
        for index in np.ndindex(dims):
            for output, result in zip(outputs, self.run(block, *(np.asarray(arg[index]) for arg in args)), strict=True):
                output[index] = result
        return outputs

    def _run(self, block: Block, args: Sequence[Value], check: Callable[[Op, list[Value]], list[Value]]) -> list[Value]:
        for slot, arg in zip(block.arguments, args, strict=True):
            self.values[slot] = arg
        for op in block.ops:
            operands = [self.values[slot] for slot in op.operands]
            if op.name in _TERMINATORS:
                return operands
            for slot, result in zip(op.results, check(op, self._evaluate(op, operands)), strict=True):
                self.values[slot] = result
        return []

    def _evaluate(self, op: Op, operands: list[Value]) -> list[Value]:
        try:
            if op.name in _PURE:
                results = _PURE[op.name](op, *operands)
            elif op.name in _STRUCTURED:
                results = _STRUCTURED[op.name](self, op, *operands)
            else:
                results = self._foreign(op)(op, *operands)
        except (InterpreterError, checks.CheckError):
            raise
        except MemoryError as error:
            raise MemoryError(_where(op, f"out of memory: {error}")) from error
        except Exception as error:
            raise InterpreterError(_where(op, f"{type(error).__name__}: {error}")) from error
        if len(op.results) == 1 and not isinstance(results, list):
            results = [results]
        return [np.asarray(r) if isinstance(r, np.generic) else r for r in (results or [])]

    def _foreign(self, op: Op) -> CustomCall:
        """What the user registered for a custom call, or for an op of another dialect."""
        target = op.attributes["call_target_name"] if op.name == "custom_call" else op.spelling
        if target in self.interpreter.custom_calls:
            return self.interpreter.custom_calls[target]
        if op.name == "custom_call" and (served := lapack.custom_call(target)):
            return served
        if target == "ApproxTopK" and (names := op.attributes.get("called_computations")):
            comparator = self.interpreter.functions.get(str(names[0]))
            if comparator and comparator.body:
                return partial(sort.approx_top_k, Frame(self.interpreter, comparator), comparator.body)
        known = (
            f"custom call target '{target}' is not registered"
            if op.name == "custom_call"
            else "has no reference semantics"
        )
        raise InterpreterError(_where(op, known))

    def _check(self, op: Op, results: list[Value]) -> list[Value]:
        if len(results) != len(op.results):
            raise InterpreterError(
                _where(op, f"declares {counted(len(op.results), 'result')} but gives {len(results)}")
            )
        for i, (result, type_) in enumerate(zip(results, op.result_types, strict=True)):
            if not has_type(result, type_):
                raise InterpreterError(
                    _where(op, f"result {i} is declared as {type_} but its value is {describe(result)}")
                )
        return results

    def _is_vectorizable(self, block: Block) -> bool:
        if "vectorizable" not in block.cache:
            block.cache["vectorizable"] = all(op.name in _VECTORIZABLE and not op.regions for op in block.ops)
        return bool(block.cache["vectorizable"])

    def _type_of(self, block: Block, slot: int) -> Any:
        for op in block.ops:
            if slot in op.results:
                return op.result_types[op.results.index(slot)]
        if slot in block.arguments:
            return block.argument_types[block.arguments.index(slot)]
        return self.values[slot]  # captured: an array has a dtype as a type has


def _require_no_recursion(functions: dict[str, Function]) -> None:
    """Raises InterpreterError for a function that calls itself, directly or through others."""

    def calls(block: Block) -> Iterator[tuple[Op, str]]:
        for op in block.ops:
            callee = op.attributes.get("callee" if op.name == "func.call" else "decomposition")
            if op.name in ("func.call", "composite") and isinstance(callee, str):
                yield op, callee
            for region in op.regions:
                yield from calls(region)

    done: set[str] = set()
    active: set[str] = set()

    def visit(name: str) -> None:
        function = functions.get(name)
        if name in done or function is None or function.body is None:
            return
        active.add(name)
        for op, callee in calls(function.body):
            if callee in active:
                raise InterpreterError(_where(op, f"[Call-N2] recursion: @{callee} is called from within itself"))
            visit(callee)
        active.remove(name)
        done.add(name)

    for name in functions:
        visit(name)


def has_type(value: Value, type_: Type) -> bool:
    """Whether a value is of a declared type; a dynamic dimension admits every size."""
    if isinstance(type_, TupleType):
        return (
            isinstance(value, tuple) and len(value) == len(type_.elements) and all(map(has_type, value, type_.elements))
        )
    if isinstance(type_, TokenType):
        return value is TOKEN
    return (
        isinstance(value, np.ndarray)
        and value.dtype == type_.dtype
        and value.ndim == len(type_.shape)
        and all(want in (-1, have) for want, have in zip(type_.shape, value.shape, strict=True))
    )


def describe(value: Value) -> str:
    """A value's type in words of NumPy: ``float32[2,3]``."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(describe, value))})"
    return repr(value)


def _owned(value: Value) -> Value:
    """A result that shares no memory with arguments and constants."""
    if isinstance(value, tuple):
        return tuple(map(_owned, value))
    return np.array(value, order="C") if isinstance(value, np.ndarray) else value


def _argument(position: int, arg: Any, type_: Type) -> Value:
    if isinstance(type_, ArrayType) and not isinstance(arg, np.ndarray):
        arg = np.asarray(arg, type_.dtype)
    if isinstance(type_, TupleType) and isinstance(arg, Sequence) and len(arg) == len(type_.elements):
        arg = tuple(_argument(position, part, element) for part, element in zip(arg, type_.elements, strict=True))
    if not has_type(arg, type_):
        raise InterpreterError(f"argument {position} must be {type_}, not {describe(arg)}")
    if isinstance(type_, ArrayType) and type_.element.kind == "pred":
        return np.asarray(arg.view(np.uint8) != 0)  # memory that is called boolean may hold other bytes than 0 and 1
    return arg


def _where(op: Op, message: str) -> str:
    return f"{op.location}: '{op.spelling}': {message}"
