# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The NVGPU dialect."""

from .._mlir_libs._mlir._mlirDialectsNVGPU import *  # noqa: F401,F403
from ._nvgpu_enum_gen import *  # noqa: F401,F403
from ._nvgpu_ops_gen import *  # noqa: F401,F403
