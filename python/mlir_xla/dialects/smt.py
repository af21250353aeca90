# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The SMT dialect."""

from ._smt_ops_gen import *  # noqa: F401,F403
