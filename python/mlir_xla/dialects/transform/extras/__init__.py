# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform scripts as Python functions on handles.

Importing this module makes values of the transform dialect's types appear as `OpHandle` and `ParamHandle`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional, Union

from .... import ir
from ...._mlir_libs._mlir._mlirDialectsTransform import AnyOpType, AnyParamType, OperationType, ParamType
from ... import transform
from .. import structured


class Handle(ir.Value):
    """A value of the transform dialect; `parent` and `children` are the handles it came from and led to."""

    def __init__(self, v: ir.Value, *, parent: Optional[Handle] = None, children: Optional[Sequence[Handle]] = None):
        super().__init__(v)
        self.parent = parent
        self.children = list(children) if children is not None else []


@ir.register_value_caster(AnyOpType.static_typeid)
@ir.register_value_caster(OperationType.static_typeid)
class OpHandle(Handle):
    """A handle to operations of the payload."""

    def match_ops(self, ops) -> OpHandle:
        """Matches, inside, operations given by name or class, or by interface; a sequence for any of several.

        Strings without a dot name an interface.
        """
        if isinstance(ops, str):
            ops = structured.MatchInterfaceEnum[ops] if ops in structured.MatchInterfaceEnum.__members__ else [ops]
        if isinstance(ops, structured.MatchInterfaceEnum):
            return _handle(structured.MatchOp(AnyOpType.get(), self, interface=ops))
        single = not isinstance(ops, Sequence)
        names = [op if isinstance(op, str) else op.OPERATION_NAME for op in ([ops] if single else ops)]
        result_type = OperationType.get(names[0]) if len(names) == 1 else AnyOpType.get()
        return _handle(structured.MatchOp.match_op_names(result_type, self, names))

    def print(self, name: Optional[str] = None) -> OpHandle:
        """Prints the payload when the script runs; returns the handle."""
        transform.PrintOp(target=self, name=name)
        return self


@ir.register_value_caster(AnyParamType.static_typeid)
@ir.register_value_caster(ParamType.static_typeid)
class ParamHandle(Handle):
    """A parameter of the script."""


def _handle(op) -> OpHandle:
    result = op.results[0]
    return result if isinstance(result, OpHandle) else OpHandle(result)


def constant_param(value: Union[ir.Attribute, int], param_type: Optional[ir.Type] = None) -> ParamHandle:
    """A parameter with a constant value; an int is one of type i64."""
    if isinstance(value, int):
        value = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    result = transform.ParamConstantOp(param_type or ParamType.get(value.type), value).results[0]
    return result if isinstance(result, ParamHandle) else ParamHandle(result)


def insert_transform_script(
    block_or_insertion_point: Union[ir.Block, ir.InsertionPoint],
    script: Callable[[OpHandle], None],
    dump_script: bool = False,
) -> None:
    """Inserts the named sequence `__transform_main`, whose body `script` builds from a handle to the payload's root.

    The module needs the attribute `transform.with_named_sequence`. `dump_script` prints the sequence.
    """
    if isinstance(block_or_insertion_point, ir.Block):
        block_or_insertion_point = ir.InsertionPoint.at_block_begin(block_or_insertion_point)
    with block_or_insertion_point.block.owner.context, ir.Location.unknown():
        with block_or_insertion_point:
            sequence = transform.NamedSequenceOp("__transform_main", [AnyOpType.get()], [])
        with ir.InsertionPoint(sequence.body):
            target = sequence.bodyTarget
            script(target if isinstance(target, OpHandle) else OpHandle(target))
            transform.YieldOp([])
    if dump_script:
        print(sequence)
