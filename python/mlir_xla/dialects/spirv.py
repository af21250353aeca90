# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The SPIR-V dialect."""

from ._spirv_enum_gen import *  # noqa: F401,F403
from ._spirv_ops_gen import *  # noqa: F401,F403
