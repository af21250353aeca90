# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The async dialect (named so because `async` is a Python keyword)."""

from ._async_ops_gen import *  # noqa: F401,F403
