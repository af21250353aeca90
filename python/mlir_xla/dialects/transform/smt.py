# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: smt."""

from .._smt_transform_ops_gen import *  # noqa: F401,F403
