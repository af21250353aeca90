# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The IRDL dialect: dialects defined as IR."""

from ._irdl_enum_gen import *  # noqa: F401,F403
from ._irdl_ops_gen import *  # noqa: F401,F403
