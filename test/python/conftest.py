# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every compilation of the tests, and of processes that they start, has the IR verified after each pass."""

import os

os.environ.setdefault("MLIR_XLA_VERIFY_EACH", "1")
