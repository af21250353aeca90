# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ml_program dialect."""

from ._ml_program_ops_gen import *  # noqa: F401,F403
