# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The complex dialect."""

from ._complex_ops_gen import *  # noqa: F401,F403
