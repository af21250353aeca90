# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bufferization dialect."""

from ._bufferization_enum_gen import *  # noqa: F401,F403
from ._bufferization_ops_gen import *  # noqa: F401,F403
