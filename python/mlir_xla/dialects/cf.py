# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The control-flow dialect: branches, switches and assertions on blocks."""

from ._cf_ops_gen import *  # noqa: F401,F403
