# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The NVVM dialect."""

from ._nvvm_enum_gen import *  # noqa: F401,F403
from ._nvvm_ops_gen import *  # noqa: F401,F403
