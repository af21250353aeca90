# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shape dialect."""

from ._shape_ops_gen import *  # noqa: F401,F403
