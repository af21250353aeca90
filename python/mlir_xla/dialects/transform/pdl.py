# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: matching by pdl patterns."""

from ...ir import Block, Type, Value
from .. import _pdl_transform_ops_gen as _gen
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._pdl_transform_ops_gen import *  # noqa: F401,F403
from .._transform_ops_gen import _Dialect


@_ods_cext.register_operation(_Dialect, replace=True)
class PDLMatchOp(_gen.PDLMatchOp):
    def __init__(self, result_type: Type, target, pattern_name, *, loc=None, ip=None):
        super().__init__(result_type, _get_op_result_or_value(target), pattern_name, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class WithPDLPatternsOp(_gen.WithPDLPatternsOp):
    """Patterns, and the sequence that uses them; its block's argument is the handle to transform."""

    def __init__(self, target, *, loc=None, ip=None):
        root = None if isinstance(target, Type) else _get_op_result_or_value(target)
        super().__init__(root=root, loc=loc, ip=ip)
        self.regions[0].blocks.append(target if root is None else root.type)

    @property
    def body(self) -> Block:
        return self.regions[0].blocks[0]

    @property
    def bodyTarget(self) -> Value:
        return self.body.arguments[0]
