# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: nvgpu."""

from .._nvgpu_transform_ops_gen import *  # noqa: F401,F403
