# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tensor dialect."""

from collections.abc import Sequence
from typing import Optional, Union

from ..extras.meta import region_op
from ..ir import Attribute, Location, OpResult, RankedTensorType, ShapedType, Type, Value
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._tensor_ops_gen import *  # noqa: F401,F403
from ._tensor_ops_gen import EmptyOp as _GeneratedEmptyOp
from ._tensor_ops_gen import GenerateOp, YieldOp, _Dialect


@_ods_cext.register_operation(_Dialect, replace=True)
class EmptyOp(_GeneratedEmptyOp):
    """A tensor with unspecified contents."""

    def __init__(
        self,
        sizes: Sequence[Union[int, Value]],
        element_type: Type,
        encoding: Optional[Attribute] = None,
        *,
        loc: Optional[Location] = None,
        ip=None,
    ):
        """Creates a tensor of the given sizes; those that are values are dynamic dimensions."""
        static: list[int] = []
        dynamic: list[Value] = []
        for size in sizes:
            if isinstance(size, int):
                static.append(size)
            else:
                static.append(ShapedType.get_dynamic_size())
                dynamic.append(_get_op_result_or_value(size))
        result_type = RankedTensorType.get(static, element_type, encoding, loc=loc)
        super().__init__(result_type, dynamic, loc=loc, ip=ip)


def empty(
    sizes: Sequence[Union[int, Value]],
    element_type: Type,
    encoding: Optional[Attribute] = None,
    *,
    loc: Optional[Location] = None,
    ip=None,
) -> OpResult:
    """The value of a new `tensor.empty`; see `EmptyOp`."""
    return _get_op_result_or_op_results(EmptyOp(sizes, element_type, encoding, loc=loc, ip=ip))


def _generate(result, dynamic_extents=(), *, loc=None, ip=None):
    return GenerateOp(result, [_get_op_result_or_value(extent) for extent in dynamic_extents], loc=loc, ip=ip)


generate = region_op(_generate, terminator=lambda values: YieldOp(values[0]))
"""Decorator: a tensor of type `result` whose elements the function computes from their indices.

The parameters, one per dimension, are annotated with the index type; `dynamic_extents` are the dynamic sizes.
"""
