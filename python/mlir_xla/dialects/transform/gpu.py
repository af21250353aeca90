# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: gpu."""

from .. import _gpu_transform_ops_gen as _gen
from .._gpu_transform_ops_gen import *  # noqa: F401,F403
from .._ods_common import _cext as _ods_cext
from .._transform_ops_gen import _Dialect
from ._types import split_types, take_handle


@_ods_cext.register_operation(_Dialect, replace=True)
class MapForallToBlocks(_gen.MapForallToBlocks):
    """`MapForallToBlocks([result_type,] target, *, grid_dims=None, generate_gpu_launch=None)`"""

    def __init__(self, *arguments, target=None, grid_dims=None, generate_gpu_launch=None, loc=None, ip=None):
        types, rest = split_types(arguments, 1, type(self).__name__)
        super().__init__(
            *types,
            take_handle(rest, target),
            grid_dims=grid_dims,
            generate_gpu_launch=generate_gpu_launch,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class MapNestedForallToThreads(_gen.MapNestedForallToThreads):
    """`MapNestedForallToThreads([result_type,] target, *, block_dims=None, warp_size=None, ...)`"""

    def __init__(
        self, *arguments, target=None, block_dims=None, warp_size=None, sync_after_distribute=None, loc=None, ip=None
    ):
        types, rest = split_types(arguments, 1, type(self).__name__)
        super().__init__(
            *types,
            take_handle(rest, target),
            block_dims=block_dims,
            warp_size=warp_size,
            sync_after_distribute=sync_after_distribute,
            loc=loc,
            ip=ip,
        )
