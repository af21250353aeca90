# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ub (undefined behaviour) dialect."""

from ._ub_ops_gen import *  # noqa: F401,F403
