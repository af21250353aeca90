# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pass pipelines. The interface is that of upstream's ``mlir.passmanager``."""

from ._mlir_libs._mlir import passmanager as _passmanager
from ._mlir_libs._mlir.passmanager import *

__all__ = [name for name in dir(_passmanager) if not name.startswith("_")]
