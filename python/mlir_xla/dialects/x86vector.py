# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The x86vector dialect."""

from ._x86vector_ops_gen import *  # noqa: F401,F403
