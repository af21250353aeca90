# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The LLVM dialect."""

from typing import Optional

from .._mlir_libs._mlir._mlirDialectsLLVM import *  # noqa: F401,F403
from ..ir import Attribute, Location, register_attribute_builder
from ._llvm_enum_gen import *  # noqa: F401,F403
from ._llvm_ops_gen import *  # noqa: F401,F403
from ._llvm_ops_gen import ConstantOp
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results

# The constraints of these are not enumerations to mlir-tblgen, so it makes no builders for them.
for _kind, _mnemonic in (
    ("CConv", "cconv"),
    ("Linkage", "linkage"),
    ("TailCallKind", "tailcallkind"),
    ("FramePointerKindAttr", "framePointerKind"),
    ("UWTableKindAttr", "uwtableKind"),
):

    @register_attribute_builder(_kind)
    def _build(value, context, mnemonic=_mnemonic) -> Attribute:
        return Attribute.parse(f"#llvm.{mnemonic}<{value}>", context)


def mlir_constant(value, *, loc: Optional[Location] = None, ip=None):
    """A constant of the type of the attribute `value`."""
    return _get_op_result_or_op_results(ConstantOp(res=value.type, value=value, loc=loc, ip=ip))
