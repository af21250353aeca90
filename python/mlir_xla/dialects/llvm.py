# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The LLVM dialect."""

from typing import Optional

from .._mlir_libs._mlir._mlirDialectsLLVM import *  # noqa: F401,F403
from ..ir import Location
from ._llvm_enum_gen import *  # noqa: F401,F403
from ._llvm_ops_gen import *  # noqa: F401,F403
from ._llvm_ops_gen import ConstantOp
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results


def mlir_constant(value, *, loc: Optional[Location] = None, ip=None):
    """A constant of the type of the attribute `value`."""
    return _get_op_result_or_op_results(ConstantOp(res=value.type, value=value, loc=loc, ip=ip))
