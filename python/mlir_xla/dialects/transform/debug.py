# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations for debugging scripts."""

from typing import Optional

from .. import _debug_transform_ops_gen as _gen
from .._debug_transform_ops_gen import *  # noqa: F401,F403
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._transform_ops_gen import _Dialect


@_ods_cext.register_operation(_Dialect, replace=True)
class EmitParamAsRemarkOp(_gen.EmitParamAsRemarkOp):
    def __init__(self, param, *, anchor=None, message: Optional[str] = None, loc=None, ip=None):
        anchor = None if anchor is None else _get_op_result_or_value(anchor)
        super().__init__(_get_op_result_or_value(param), anchor=anchor, message=message, loc=loc, ip=ip)


def emit_param_as_remark(param, *, anchor=None, message: Optional[str] = None, loc=None, ip=None):
    return EmitParamAsRemarkOp(param, anchor=anchor, message=message, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class EmitRemarkAtOp(_gen.EmitRemarkAtOp):
    def __init__(self, at, message: str, *, loc=None, ip=None):
        super().__init__(_get_op_result_or_value(at), message, loc=loc, ip=ip)


def emit_remark_at(at, message: str, *, loc=None, ip=None):
    return EmitRemarkAtOp(at, message, loc=loc, ip=ip)
