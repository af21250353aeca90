# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets the tests of this folder import their programs, and the vectors."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vectors"))
