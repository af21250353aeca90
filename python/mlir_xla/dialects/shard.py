# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shard dialect."""

from ._shard_enum_gen import *  # noqa: F401,F403
from ._shard_ops_gen import *  # noqa: F401,F403
