# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: bufferization."""

from ..._mlir_libs._mlir._mlirDialectsTransform import OperationType
from .. import _bufferization_transform_ops_gen as _gen
from .._bufferization_enum_gen import LayoutMapOption  # noqa: F401 - also registers its attribute builder
from .._bufferization_transform_ops_gen import *  # noqa: F401,F403
from .._ods_common import _cext as _ods_cext
from .._transform_ops_gen import _Dialect
from ._types import split_types, take_handle


@_ods_cext.register_operation(_Dialect, replace=True)
class EmptyTensorToAllocTensorOp(_gen.EmptyTensorToAllocTensorOp):
    """`EmptyTensorToAllocTensorOp([transformed_type,] target)`"""

    def __init__(self, *arguments, target=None, loc=None, ip=None):
        types, rest = split_types(arguments, 1, type(self).__name__)
        if len(rest) == len(arguments):
            types = [OperationType.get("bufferization.alloc_tensor")]
        super().__init__(*types, take_handle(rest, target), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OneShotBufferizeOp(_gen.OneShotBufferizeOp):
    """`OneShotBufferizeOp([transformed_type,] target, *, options...)`; options as in the generated class."""

    def __init__(self, *arguments, target=None, loc=None, ip=None, **options):
        types, rest = split_types(arguments, 1, type(self).__name__)
        super().__init__(*types, take_handle(rest, target), **options, loc=loc, ip=ip)
