# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: loops of scf."""

from typing import Optional

from ...ir import StringAttr, Type
from .. import _loop_transform_ops_gen as _gen
from .._loop_extension_transform_ops_gen import *  # noqa: F401,F403
from .._loop_transform_ops_gen import *  # noqa: F401,F403
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._transform_ops_gen import _Dialect


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopOutlineOp(_gen.LoopOutlineOp):
    def __init__(self, function_type: Type, call_type: Type, target, *, func_name, loc=None, ip=None):
        name = func_name if isinstance(func_name, StringAttr) else StringAttr.get(func_name)
        super().__init__(function_type, call_type, _get_op_result_or_value(target), name, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopPeelOp(_gen.LoopPeelOp):
    def __init__(
        self,
        main_loop_type: Type,
        remainder_loop_type: Type,
        target,
        *,
        peel_front: Optional[bool] = False,
        fail_if_already_divisible: Optional[bool] = False,
        loc=None,
        ip=None,
    ):
        super().__init__(
            main_loop_type,
            remainder_loop_type,
            _get_op_result_or_value(target),
            peel_front=peel_front,
            fail_if_already_divisible=fail_if_already_divisible,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopPipelineOp(_gen.LoopPipelineOp):
    def __init__(self, result_type: Type, target, *, iteration_interval=None, read_latency=None, loc=None, ip=None):
        super().__init__(
            result_type,
            _get_op_result_or_value(target),
            iteration_interval=1 if iteration_interval is None else iteration_interval,
            read_latency=10 if read_latency is None else read_latency,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopUnrollOp(_gen.LoopUnrollOp):
    def __init__(self, target, *, factor, loc=None, ip=None):
        super().__init__(_get_op_result_or_value(target), factor, loc=loc, ip=ip)
