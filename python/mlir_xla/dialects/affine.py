# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The affine dialect: loops and memory accesses with affine bounds and subscripts."""

from collections.abc import Sequence
from typing import Any, Optional, Union

from ..ir import (
    AffineMap,
    AffineMapAttr,
    Attribute,
    Block,
    BlockArgumentList,
    IndexType,
    InsertionPoint,
    IntegerSet,
    IntegerSetAttr,
    Location,
    Operation,
    OpView,
    Type,
    Value,
)
from ._affine_ops_gen import *  # noqa: F401,F403
from ._affine_ops_gen import AffineForOp as _GeneratedAffineForOp
from ._affine_ops_gen import AffineIfOp as _GeneratedAffineIfOp
from ._affine_ops_gen import AffineLoadOp as _GeneratedAffineLoadOp
from ._affine_ops_gen import AffineStoreOp as _GeneratedAffineStoreOp
from ._affine_ops_gen import AffineYieldOp, _Dialect
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._ods_common import get_op_results_or_values as _get_op_results_or_values

Bound = Union[int, AffineMap, Value, Operation, OpView]


def _bound(bound: Bound, operands: Sequence, what: str) -> tuple[AffineMap, list[Value]]:
    """The map and operands of a loop bound."""
    operands = [_get_op_result_or_value(operand) for operand in operands]
    if isinstance(bound, int):
        return AffineMap.get_constant(bound), []
    if isinstance(bound, AffineMap):
        expected = bound.n_dims + bound.n_symbols
        if len(operands) != expected:
            raise ValueError(
                f"Wrong number of {what} bound operands passed to AffineForOp; "
                f"Expected {expected}, got {len(operands)}."
            )
        return bound, operands
    if isinstance(bound, (Value, Operation, OpView)):
        if operands:
            raise ValueError(
                f"Either a concrete {what} bound or an AffineMap in combination with {what} bound operands, "
                "but not both, is supported."
            )
        if isinstance(bound, (Operation, OpView)) and len(bound.results) > 1:
            raise ValueError(f"Only a single concrete value is supported for {what} bound.")
        return AffineMap.get_identity(1), [_get_op_result_or_value(bound)]
    raise ValueError(f"{what} bound must be int | ResultValueT | AffineMap.")


@_ods_cext.register_operation(_Dialect, replace=True)
class AffineForOp(_GeneratedAffineForOp):
    """A loop with affine bounds that carries values."""

    def __init__(
        self,
        lower_bound: Bound,
        upper_bound: Bound,
        step: Union[int, Attribute, None] = None,
        iter_args=None,
        *,
        lower_bound_operands: Sequence = (),
        upper_bound_operands: Sequence = (),
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates a loop with an empty body.

        Args:
            lower_bound, upper_bound: An int, a value, or an affine map of the `..._bound_operands`.
            step: A positive int; 1 when absent.
            iter_args: Initial values of the loop-carried variables.
        """
        lower_map, lower_operands = _bound(lower_bound, lower_bound_operands, "lower")
        upper_map, upper_operands = _bound(upper_bound, upper_bound_operands, "upper")
        iter_args = list(_get_op_results_or_values(iter_args if iter_args is not None else []))
        results = [arg.type for arg in iter_args]
        super().__init__(
            results,
            lower_operands,
            upper_operands,
            iter_args,
            AffineMapAttr.get(lower_map),
            AffineMapAttr.get(upper_map),
            1 if step is None else step,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(IndexType.get(context=self.context), *results)

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def induction_variable(self) -> Value:
        return self.body.arguments[0]

    @property
    def inner_iter_args(self) -> BlockArgumentList:
        return self.body.arguments[1:]


def for_(
    start,
    stop,
    step=None,
    iter_args=None,
    *,
    lower_bound_operands: Sequence = (),
    upper_bound_operands: Sequence = (),
    loc=None,
    ip=None,
):
    """An `affine.for` written as a Python loop; see `scf.for_`. With `iter_args` it yields the variable and these."""
    for_op = AffineForOp(
        start,
        stop,
        step,
        iter_args,
        lower_bound_operands=lower_bound_operands,
        upper_bound_operands=upper_bound_operands,
        loc=loc,
        ip=ip,
    )
    iv = for_op.induction_variable
    inner = tuple(for_op.inner_iter_args)
    with InsertionPoint(for_op.body):
        if len(inner) > 1:
            yield iv, inner
        elif len(inner) == 1:
            yield iv, inner[0]
        else:
            yield iv


def _access_map(map, indices, context) -> AffineMapAttr:
    if map is None:
        map = AffineMap.get_identity(len(indices), context)
    return map if isinstance(map, Attribute) else AffineMapAttr.get(map)


@_ods_cext.register_operation(_Dialect, replace=True)
class AffineLoadOp(_GeneratedAffineLoadOp):
    """Reads the element at an affine map of the indices; the identity when absent."""

    def __init__(self, result: Type, memref, indices=None, *, map=None, loc=None, ip=None):
        indices = [_get_op_result_or_value(index) for index in indices or []]
        super().__init__(result, memref, indices, _access_map(map, indices, result.context), loc=loc, ip=ip)


def load(memref, indices=None, *, map=None, result: Optional[Type] = None, loc=None, ip=None) -> Value:
    """The value of a new `affine.load`."""
    memref = _get_op_result_or_value(memref)
    op = AffineLoadOp(result or memref.type.element_type, memref, indices, map=map, loc=loc, ip=ip)
    return _get_op_result_or_op_results(op)


@_ods_cext.register_operation(_Dialect, replace=True)
class AffineStoreOp(_GeneratedAffineStoreOp):
    """Writes the element at an affine map of the indices; the identity when absent."""

    def __init__(self, value, memref, indices=None, *, map=None, loc=None, ip=None):
        indices = [_get_op_result_or_value(index) for index in indices or []]
        value = _get_op_result_or_value(value)
        super().__init__(value, memref, indices, _access_map(map, indices, value.context), loc=loc, ip=ip)


def store(value, memref, indices=None, *, map=None, loc=None, ip=None) -> AffineStoreOp:
    """Creates an `affine.store`."""
    return AffineStoreOp(value, memref, indices, map=map, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class AffineIfOp(_GeneratedAffineIfOp):
    """A choice between two blocks by an integer set."""

    def __init__(
        self,
        cond: IntegerSet,
        results_: Optional[Sequence[Type]] = None,
        *,
        cond_operands: Optional[Sequence] = None,
        has_else: bool = False,
        loc=None,
        ip=None,
    ):
        operands = [_get_op_result_or_value(operand) for operand in cond_operands or []]
        super().__init__(list(results_ or []), operands, IntegerSetAttr.get(cond), loc=loc, ip=ip)
        self.regions[0].blocks.append()
        if has_else:
            self.regions[1].blocks.append()

    @property
    def then_block(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Union[Block, Any]:
        """None if there is no such block; the type spares programs that made it a test."""
        blocks = self.regions[1].blocks
        return blocks[0] if len(blocks) else None


def yield_(operands=None, *, loc=None, ip=None) -> AffineYieldOp:
    """`affine.yield` of the given values."""
    return AffineYieldOp(operands if operands is not None else [], loc=loc, ip=ip)
