# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrite patterns written in Python or PDL. The interface is that of upstream's ``mlir.rewrite``."""

from ._mlir_libs._mlir import rewrite as _rewrite
from ._mlir_libs._mlir.rewrite import *

__all__ = [name for name in dir(_rewrite) if not name.startswith("_")]
