# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations: lowering of vector operations."""

from .._vector_transform_enum_gen import *  # noqa: F401,F403
from .._vector_transform_ops_gen import *  # noqa: F401,F403
