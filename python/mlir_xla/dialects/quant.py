# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The quant dialect: quantized types and their casts."""

from .._mlir_libs._mlir._mlirDialectsQuant import *  # noqa: F401,F403
from ._quant_ops_gen import *  # noqa: F401,F403
