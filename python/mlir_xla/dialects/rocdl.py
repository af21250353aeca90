# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ROCDL dialect."""

from ._rocdl_ops_gen import *  # noqa: F401,F403
