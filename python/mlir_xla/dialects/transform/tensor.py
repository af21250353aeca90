# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: tensor."""

from .. import _tensor_transform_ops_gen as _gen
from .._ods_common import _cext as _ods_cext
from .._tensor_transform_ops_gen import *  # noqa: F401,F403
from .._transform_ops_gen import _Dialect
from ._types import split_types, take, take_handle


@_ods_cext.register_operation(_Dialect, replace=True)
class MakeLoopIndependentOp(_gen.MakeLoopIndependentOp):
    """`MakeLoopIndependentOp([transformed_type,] target, num_loops)`"""

    def __init__(self, *arguments, target=None, num_loops=None, loc=None, ip=None):
        types, rest = split_types(arguments, 1, type(self).__name__)
        target = take_handle(rest, target)
        super().__init__(*types, target, take(rest, num_loops, "num_loops"), loc=loc, ip=ip)
