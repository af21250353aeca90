# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: memref."""

from .. import _memref_transform_ops_gen as _gen
from .._memref_transform_ops_gen import *  # noqa: F401,F403
from .._ods_common import _cext as _ods_cext
from .._transform_ops_gen import _Dialect
from ._types import split_types, take, take_handle


@_ods_cext.register_operation(_Dialect, replace=True)
class MemRefAllocaToGlobalOp(_gen.MemRefAllocaToGlobalOp):
    """`MemRefAllocaToGlobalOp([get_global_type, global_type,] alloca)`"""

    def __init__(self, *arguments, alloca=None, loc=None, ip=None):
        types, rest = split_types(arguments, 2, type(self).__name__)
        super().__init__(*types, take_handle(rest, alloca, "alloca"), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class MemRefMultiBufferOp(_gen.MemRefMultiBufferOp):
    """`MemRefMultiBufferOp([transformed_type,] target, factor, *, skip_analysis=None)`"""

    def __init__(self, *arguments, target=None, factor=None, skip_analysis=None, loc=None, ip=None):
        types, rest = split_types(arguments, 1, type(self).__name__)
        target = take_handle(rest, target)
        super().__init__(*types, target, take(rest, factor, "factor"), skip_analysis=skip_analysis, loc=loc, ip=ip)
