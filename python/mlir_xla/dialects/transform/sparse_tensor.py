# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: sparse_tensor."""

from .._sparse_tensor_transform_ops_gen import *  # noqa: F401,F403
