# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The EmitC dialect."""

from ._emitc_enum_gen import *  # noqa: F401,F403
from ._emitc_ops_gen import *  # noqa: F401,F403
