# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: tuning knobs."""

from .._tune_transform_ops_gen import *  # noqa: F401,F403
