# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sparse_tensor dialect."""

from .._mlir_libs._mlir._mlirDialectsSparseTensor import *  # noqa: F401,F403
from ._sparse_tensor_enum_gen import *  # noqa: F401,F403
from ._sparse_tensor_ops_gen import *  # noqa: F401,F403
