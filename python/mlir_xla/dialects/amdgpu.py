# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The AMDGPU dialect."""

from ._amdgpu_enum_gen import *  # noqa: F401,F403
from ._amdgpu_ops_gen import *  # noqa: F401,F403
