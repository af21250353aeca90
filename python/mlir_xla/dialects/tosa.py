# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The TOSA dialect."""

from ._tosa_enum_gen import *  # noqa: F401,F403
from ._tosa_ops_gen import *  # noqa: F401,F403
