# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples, tokens, calls, branches and loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from .. import _functions, ir
from .._messages import counted
from ..builder import XlaBuilder, XlaComputation, XlaOp
from ..builder._arguments import checked
from ..shape import Shape


def Tuple(builder: XlaBuilder, elements: Sequence[XlaOp]) -> XlaOp:
    """A tuple of values.

    Example:
        >>> run(ops.Tuple(b, [value(1), value([2.0])]))
        (array(1, dtype=int32), array([2.], dtype=float32))
    """
    return builder.make_tuple(list(elements))


def GetTupleElement(tuple_data: XlaOp, index: int) -> XlaOp:
    """An element of a tuple.

    Example:
        >>> run(ops.GetTupleElement(ops.Tuple(b, [value(1), value([2.0])]), 0))
        array(1, dtype=int32)
    """
    if not tuple_data.shape.is_tuple:
        tuple_data.builder.fail("GetTupleElement", f"operand {tuple_data.shape} is not a tuple", "GetTupleElement-C1")
    count = len(tuple_data.shape.tuple_shapes)
    if not 0 <= index < count:
        tuple_data.builder.fail(
            "GetTupleElement", f"index {index} is not in [0, {count}) of {tuple_data.shape}", "GetTupleElement-C3"
        )
    return tuple_data.elements[index]


def OptimizationBarrier(operand: XlaOp) -> XlaOp:
    """The operand (or all elements of a tuple), computed before anything that uses the result.

    Example:
        >>> run(ops.OptimizationBarrier(value([1, 2])))
        array([1, 2], dtype=int32)
    """
    builder = operand.builder
    flat = _arrays(operand)
    return builder.pack(
        operand.shape,
        builder.emit(
            "OptimizationBarrier",
            "optimization_barrier",
            flat,
            results=[each.shape for each in flat],
            tuple_result=operand.shape.is_tuple,
        ),
    )


def CreateToken(builder: XlaBuilder) -> XlaOp:
    """A token.

    Example:
        >>> ops.CreateToken(b).shape.is_token
        True
    """
    return builder.emit("CreateToken", "create_token", [])


def AfterAll(builder: XlaBuilder, tokens: Sequence[XlaOp]) -> XlaOp:
    """A token that waits for the others.

    Example:
        >>> ops.AfterAll(b, [ops.CreateToken(b), ops.CreateToken(b)]).shape.is_token
        True
    """
    return builder.emit("AfterAll", "after_all", tokens)


def Call(builder: XlaBuilder, computation: XlaComputation, operands: Sequence[XlaOp]) -> XlaOp:
    """The result of a computation.

    Example:
        >>> run(ops.Call(b, scalar(ops.Sub, np.int32), [value(7), value(3)]))
        array(4, dtype=int32)
    """
    name = builder.import_function(computation)
    parameters = computation.program_shape.parameters
    if len(operands) != len(parameters):
        builder.fail(
            "Call", f"{counted(len(operands), 'operand')} for {counted(len(parameters), 'parameter')}", "Call-C1"
        )
    for i, (operand, parameter) in enumerate(zip(operands, parameters, strict=True)):
        if operand.shape != parameter:
            builder.fail("Call", f"operand {i} is {operand.shape}, the parameter {parameter}", "Call-C2")
    callee = ir.FlatSymbolRefAttr.get(name, context=builder.context)
    result = computation.program_shape.result
    several = len(_functions.signature(computation.main).results) != 1
    return builder.emit(
        "Call",
        "func.call",
        operands,
        {"callee": callee},
        results=result.tuple_shapes if several else [result],
        tuple_result=several,
    )


def While(condition: XlaComputation, body: XlaComputation, init: XlaOp) -> XlaOp:
    """`body` applied to its own result, beginning with `init`, as long as `condition` holds for it.

    State of several values is a tuple; `condition` and `body` each have one parameter of its shape.

    Example:
        >>> def loop(name, f):
        ...     each = XlaBuilder(name)
        ...     return each.build(f(ops.Parameter(each, 0, Shape(np.int32))))
        >>> run(ops.While(loop("below", lambda x: x < 100), loop("double", lambda x: x * 2), value(1)))
        array(128, dtype=int32)
    """
    builder = init.builder
    for computation, name, rule in ((condition, "condition", "While-C1"), (body, "body", "While-C2")):
        shapes = computation.program_shape.parameters
        if shapes != (init.shape,):
            given = ", ".join(map(str, shapes))
            builder.fail("While", f"the {name} takes ({given}), the initial value is {init.shape}", rule)
    result = condition.program_shape.result
    if result != Shape(bool):
        builder.fail("While", f"the condition returns {result}, not pred[]", "While-C1")
    if body.program_shape.result != init.shape:
        builder.fail(
            "While", f"the body returns {body.program_shape.result}, the initial value is {init.shape}", "While-C2"
        )
    flat = _arrays(init)
    made = builder.emit(
        "While",
        "while",
        flat,
        results=[each.shape for each in flat],
        computations=[(condition, None), (body, None)],
        tuple_result=init.shape.is_tuple,
    )
    return builder.pack(init.shape, made)


@overload
def Conditional(
    predicate: XlaOp,
    true_operand: XlaOp,
    true_computation: XlaComputation,
    false_operand: XlaOp,
    false_computation: XlaComputation,
) -> XlaOp: ...


@overload
def Conditional(
    predicate: XlaOp, true_operand: Sequence[XlaComputation], true_computation: Sequence[XlaOp]
) -> XlaOp: ...


def Conditional(
    predicate: XlaOp,
    true_operand: Any = None,
    true_computation: Any = None,
    false_operand: Any = None,
    false_computation: Any = None,
    *,
    branch_computations: Sequence[XlaComputation] | None = None,
    branch_operands: Sequence[XlaOp] | None = None,
) -> XlaOp:
    """The result of one of several computations, of which only that one runs.

    `Conditional(pred, true_operand, true_computation, false_operand, false_computation)`, or
    `Conditional(index, branch_computations, branch_operands)` where an index out of range selects the last.

    Example:
        >>> def branch(name, f):
        ...     each = XlaBuilder(name)
        ...     return each.build(f(ops.Parameter(each, 0, Shape(np.int32))))
        >>> minus, twice = branch("minus", lambda x: -x), branch("twice", lambda x: x * 2)
        >>> run(ops.Conditional(value(True), value(3), minus, value(10), twice))
        array(-3, dtype=int32)
        >>> run(ops.Conditional(value(1), [minus, twice], [value(3), value(10)]))
        array(20, dtype=int32)
    """
    if branch_computations is None and not isinstance(true_operand, XlaOp):
        branch_computations, branch_operands = true_operand, true_computation
    if branch_computations is None:
        return _if(predicate, true_operand, true_computation, false_operand, false_computation)
    return _case(predicate, branch_computations, branch_operands or ())


def CustomCall(
    builder: XlaBuilder, call_target_name: str | bytes, operands: Sequence[XlaOp], shape: Shape, **attributes: Any
) -> XlaOp:
    """A call of an external function. Attributes are those of `xla.custom_call`.

    Example:
        >>> mlir_xla.register_custom_call("example.roll", lambda x: np.roll(x, 1))
        >>> run(ops.CustomCall(b, "example.roll", [value([1, 2, 3])], Shape(np.int32, (3,))))
        array([3, 1, 2], dtype=int32)
    """
    target = call_target_name.decode() if isinstance(call_target_name, bytes) else call_target_name
    name = ir.StringAttr.get(target, context=builder.context)
    results = shape.tuple_shapes if shape.is_tuple else [shape]
    return builder.emit(
        "CustomCall",
        "custom_call",
        operands,
        {"call_target_name": name, **attributes},
        results=results,
        tuple_result=shape.is_tuple,
    )


@checked("Conditional")
def _if(
    predicate: XlaOp,
    true_operand: XlaOp,
    true_computation: XlaComputation,
    false_operand: XlaOp,
    false_computation: XlaComputation,
) -> XlaOp:
    return _branch("if", predicate, [(true_computation, true_operand), (false_computation, false_operand)])


@checked("Conditional")
def _case(index: XlaOp, branch_computations: Sequence[XlaComputation], branch_operands: Sequence[XlaOp]) -> XlaOp:
    count = len(branch_computations)
    if count != len(branch_operands) or not count:
        index.builder.fail(
            "Conditional",
            f"{counted(count, 'computation')} and {counted(len(branch_operands), 'operand')}",
            "Conditional-C4",
        )
    return _branch("case", index, list(zip(branch_computations, branch_operands, strict=True)))


def _branch(name: str, selector: XlaOp, branches: Sequence[tuple[XlaComputation, XlaOp]]) -> XlaOp:
    builder = selector.builder
    shape = branches[0][0].program_shape.result
    for i, (computation, operand) in enumerate(branches):
        parameters = computation.program_shape.parameters
        if parameters != (operand.shape,):
            given = ", ".join(map(str, parameters))
            builder.fail("Conditional", f"branch {i} takes ({given}), its operand is {operand.shape}", "Conditional-C2")
        result = computation.program_shape.result
        if result != shape:
            builder.fail("Conditional", f"branch {i} returns {result}, branch 0 {shape}", "Conditional-C3")
    leaves = _leaves(shape)
    made = builder.emit(
        "Conditional",
        name,
        [selector],
        results=leaves,
        computations=[(computation, [operand]) for computation, operand in branches],
        tuple_result=shape.is_tuple,
    )
    return builder.pack(shape, made)


def _arrays(op: XlaOp) -> list[XlaOp]:
    """The values in a tuple of tuples."""
    return [leaf for element in op.elements for leaf in _arrays(element)] if op.shape.is_tuple else [op]


def _leaves(shape: Shape) -> list[Shape]:
    return [leaf for each in shape.tuple_shapes for leaf in _leaves(each)] if shape.is_tuple else [shape]
