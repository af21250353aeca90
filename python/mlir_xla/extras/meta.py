# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decorators that turn a Python function into the region of an operation."""

from collections.abc import Callable
from functools import wraps
from typing import Optional

from ..dialects._ods_common import get_op_result_or_op_results
from ..ir import InsertionPoint, Type, Value, _OperationBase


def op_region_builder(op, op_region, terminator: Optional[Callable] = None):
    """A decorator that builds `op_region` of `op`; the function's annotations give the block arguments their types."""

    def builder_wrapper(body_builder):
        if len(op_region.blocks) == 0:
            annotations = [annotation for name, annotation in body_builder.__annotations__.items() if name != "return"]
            if not all(isinstance(annotation, Type) for annotation in annotations):
                raise TypeError("the parameters of a region's body must be annotated with MLIR types")
            op_region.blocks.append(*annotations)

        with InsertionPoint(op_region.blocks[0]):
            results = body_builder(*list(op_region.blocks[0].arguments))

        with InsertionPoint(list(op_region.blocks)[-1]):
            if terminator is not None:
                values = [] if results is None else results
                if isinstance(values, (tuple, list)):
                    values = list(values)
                else:
                    values = [values] if isinstance(values, (Value, _OperationBase)) else list(values)
                terminator(values)
        return get_op_result_or_op_results(op)

    return builder_wrapper


def region_op(op_constructor: Callable, terminator: Optional[Callable] = None):
    """Makes a decorator from the constructor of an operation with one region.

    `op_constructor` takes the operation's own arguments. `terminator` is called with the list of values that the
    decorated function returned. The decorated name becomes the operation's result, results, or the operation itself.

        @region_op
        def my_region(*, loc=None, ip=None):
            return MyRegionOp(loc=loc, ip=ip)

        @my_region()
        def body():
            ...
    """

    def op_decorator(*args, **kwargs):
        op = op_constructor(*args, **kwargs)
        return op_region_builder(op, op.regions[0], terminator)

    @wraps(op_decorator)
    def maybe_no_args(*args, **kwargs):
        if (
            len(args) == 1
            and len(kwargs) == 0
            and callable(args[0])
            and not isinstance(args[0], (Value, _OperationBase))
        ):
            return op_decorator()(args[0])
        return op_decorator(*args, **kwargs)

    return maybe_no_args
