# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scf dialect: structured control flow, with `for_` loops and `if` blocks in Python syntax."""

from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from ..ir import (
    ArrayAttr,
    Attribute,
    Block,
    BlockArgumentList,
    DenseI64ArrayAttr,
    IndexType,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    Location,
    Region,
    RegionSequence,
    ShapedType,
    Type,
    Value,
    register_attribute_builder,
)
from ._ods_common import _cext as _ods_cext
from ._ods_common import dispatch_mixed_values as _dispatch_mixed_values
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._ods_common import get_op_results_or_values as _get_op_results_or_values
from ._scf_ops_gen import *  # noqa: F401,F403
from ._scf_ops_gen import ForallOp as _GeneratedForallOp
from ._scf_ops_gen import ForOp as _GeneratedForOp
from ._scf_ops_gen import IfOp as _GeneratedIfOp
from ._scf_ops_gen import IndexSwitchOp as _GeneratedIndexSwitchOp
from ._scf_ops_gen import InParallelOp as _GeneratedInParallelOp
from ._scf_ops_gen import YieldOp, _Dialect
from .arith import constant


@register_attribute_builder("DeviceMappingArrayAttr")
def _device_mapping(mapping, context) -> ArrayAttr:
    return ArrayAttr.get(list(mapping), context=context)


@_ods_cext.register_operation(_Dialect, replace=True)
class ForOp(_GeneratedForOp):
    """A counted loop that carries values."""

    def __init__(
        self,
        lower_bound,
        upper_bound,
        step,
        iter_args: Optional[Union[Sequence[Value], object]] = None,
        *,
        unsigned_cmp=None,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates a loop with an empty body.

        Args:
            lower_bound, upper_bound, step: Values (or operations with one result) of one type, index or integer.
            iter_args: Initial values of the loop-carried variables: a sequence, or an operation for all its results.
        """
        iter_args = _get_op_results_or_values(iter_args if iter_args is not None else [])
        results = [arg.type for arg in iter_args]
        super().__init__(
            results,
            *(_get_op_result_or_value(bound) for bound in (lower_bound, upper_bound, step)),
            list(iter_args),
            unsignedCmp=unsigned_cmp,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(self.operands[0].type, *results)

    @property
    def body(self) -> Block:
        """The body, which must end in a `yield`."""
        return self.regions[0].blocks[0]

    @property
    def induction_variable(self) -> Value:
        return self.body.arguments[0]

    @property
    def inner_iter_args(self) -> BlockArgumentList:
        """The loop-carried variables as seen inside."""
        return self.body.arguments[1:]


def _dispatch_bounds(bounds):
    """Dynamic values and static list of a bound of `forall`, given as ints, attributes and values."""
    dynamic, _, static = _dispatch_mixed_values(bounds)
    return dynamic, static


@_ods_cext.register_operation(_Dialect, replace=True)
class ForallOp(_GeneratedForallOp):
    """A loop nest whose iterations may run in any order or at the same time."""

    def __init__(
        self,
        lower_bounds,
        upper_bounds,
        steps,
        shared_outs=None,
        *,
        mapping: Union[Attribute, Sequence[Attribute], None] = None,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates a loop nest with an empty body; bounds are sequences of ints, integer attributes or values."""
        rank = len(lower_bounds)
        if len(upper_bounds) != rank or len(steps) != rank:
            raise ValueError(f"bounds of different lengths: {rank}, {len(upper_bounds)}, {len(steps)}")
        dynamic_lower, static_lower = _dispatch_bounds(lower_bounds)
        dynamic_upper, static_upper = _dispatch_bounds(upper_bounds)
        dynamic_steps, static_steps = _dispatch_bounds(steps)
        outs = _get_op_results_or_values(shared_outs if shared_outs is not None else [])
        results = [out.type for out in outs]
        super().__init__(
            results,
            dynamic_lower,
            dynamic_upper,
            dynamic_steps,
            static_lower,
            static_upper,
            static_steps,
            list(outs),
            mapping=mapping,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*[IndexType.get(context=self.context)] * rank, *results)

    @property
    def rank(self) -> int:
        return len(DenseI64ArrayAttr(self.attributes["staticLowerBound"]))

    def _mixed(self, dynamic, static_name: str) -> list:
        dynamic_values = iter(dynamic)
        marker = ShapedType.get_dynamic_size()
        static = DenseI64ArrayAttr(self.attributes[static_name])
        return [next(dynamic_values) if bound == marker else bound for bound in static]

    @property
    def lower_bound(self) -> list:
        return self._mixed(self.dynamicLowerBound, "staticLowerBound")

    @property
    def upper_bound(self) -> list:
        return self._mixed(self.dynamicUpperBound, "staticUpperBound")

    @property
    def step(self) -> list:
        return self._mixed(self.dynamicStep, "staticStep")

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def induction_variables(self) -> BlockArgumentList:
        return self.body.arguments[: self.rank]

    @property
    def inner_iter_args(self) -> BlockArgumentList:
        return self.body.arguments[self.rank :]

    def terminator(self) -> "InParallelOp":
        """Ends the body at the insertion point; the operations that combine results go into its block."""
        return InParallelOp()


@_ods_cext.register_operation(_Dialect, replace=True)
class InParallelOp(_GeneratedInParallelOp):
    """The end of a `forall`: how the iterations' results are combined."""

    def __init__(self, loc: Optional[Location] = None, ip: Optional[InsertionPoint] = None):
        super().__init__(loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def block(self) -> Block:
        return self.regions[0].blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class IfOp(_GeneratedIfOp):
    """A choice between two blocks."""

    def __init__(
        self,
        cond,
        results_: Optional[Sequence[Type]] = None,
        *,
        hasElse: bool = False,
        has_else: bool = False,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates the operation with an empty `then` block, and an empty `else` block if wanted."""
        super().__init__(list(results_ or []), _get_op_result_or_value(cond), loc=loc, ip=ip)
        self.regions[0].blocks.append()
        if hasElse or has_else:
            self.regions[1].blocks.append()

    @property
    def then_block(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Union[Block, Any]:
        """None if there is no such block; the type spares programs that made it a test."""
        blocks = self.regions[1].blocks
        return blocks[0] if len(blocks) else None


@_ods_cext.register_operation(_Dialect, replace=True)
class IndexSwitchOp(_GeneratedIndexSwitchOp):
    """A choice between blocks by an index."""

    def __init__(
        self,
        results: Sequence[Type],
        arg,
        cases,
        case_body_builder: Optional[Callable] = None,
        default_body_builder: Optional[Callable] = None,
        loc: Optional[Location] = None,
        ip: Optional[InsertionPoint] = None,
    ):
        """Creates the operation with empty blocks.

        Args:
            cases: The case values, ints or a DenseI64ArrayAttr.
            case_body_builder: Called as `f(op, case_index, case_value)` with the insertion point in each case's block.
            default_body_builder: Called as `f(op)` in the default block.
        """
        cases = cases if isinstance(cases, DenseI64ArrayAttr) else DenseI64ArrayAttr.get(list(cases))
        super().__init__(results, _get_op_result_or_value(arg), cases, len(cases), loc=loc, ip=ip)
        for region in self.regions:
            region.blocks.append()
        if default_body_builder is not None:
            with InsertionPoint(self.default_block):
                default_body_builder(self)
        if case_body_builder is not None:
            for index, value in enumerate(cases):
                with InsertionPoint(self.case_block(index)):
                    case_body_builder(self, index, value)

    @property
    def default_region(self) -> Region:
        return self.regions[0]

    @property
    def default_block(self) -> Block:
        return self.default_region.blocks[0]

    @property
    def case_regions(self) -> RegionSequence:
        return self.regions[1:]

    def case_region(self, i: int) -> Region:
        return self.case_regions[i]

    @property
    def case_blocks(self) -> list[Block]:
        return [region.blocks[0] for region in self.case_regions]

    def case_block(self, i: int) -> Block:
        return self.case_regions[i].blocks[0]


def index_switch(results, arg, cases, case_body_builder=None, default_body_builder=None, loc=None, ip=None):
    """Creates an IndexSwitchOp; returns its result, its results, or the operation if it has none."""
    op = IndexSwitchOp(results, arg, cases, case_body_builder, default_body_builder, loc=loc, ip=ip)
    if len(op.results) == 1:
        return op.results[0]
    return op.results if len(op.results) else op


def for_(start, stop=None, step=None, iter_args=None, *, loc=None, ip=None):
    """A `scf.for` written as a Python loop, like `range`.

    The body of the Python loop runs once, with the insertion point in the loop's body, and ends with `scf.yield_`. It
    yields the induction variable; with `iter_args` a tuple of it, the inner variables and the results (single ones if
    there is one of each):

        for i, acc, total in scf.for_(0, 10, 1, [zero]):
            scf.yield_([arith.addi(acc, i)])
        use(total)

    Integers become constants of the type of the other bounds, or index.
    """
    if step is None:
        step = 1
    if stop is None:
        stop = start
        start = 0
    bounds = [start, stop, step]
    types = {_get_op_result_or_value(b).type for b in bounds if not isinstance(b, (int, IntegerAttr))}
    if len(types) > 1:
        raise ValueError(f"bounds of different types: {sorted(map(str, types))}")
    bound_type = types.pop() if types else IndexType.get()
    if not isinstance(bound_type, (IndexType, IntegerType)):
        raise ValueError(f"bounds must be of index or integer type, got {bound_type}")
    bounds = [constant(bound_type, int(b), loc=loc, ip=ip) if isinstance(b, (int, IntegerAttr)) else b for b in bounds]
    for_op = ForOp(*bounds, iter_args, loc=loc, ip=ip)
    iv = for_op.induction_variable
    inner = tuple(for_op.inner_iter_args)
    with InsertionPoint(for_op.body):
        if len(inner) > 1:
            yield iv, inner, for_op.results
        elif len(inner) == 1:
            yield iv, inner[0], for_op.results[0]
        else:
            yield iv


def yield_(operands=None, *, loc=None, ip=None) -> YieldOp:
    """`scf.yield` of the given values."""
    return YieldOp(operands if operands is not None else [], loc=loc, ip=ip)
