# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The math dialect."""

from ._math_ops_gen import *  # noqa: F401,F403
