# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The index dialect."""

from ._index_enum_gen import *  # noqa: F401,F403
from ._index_ops_gen import *  # noqa: F401,F403
