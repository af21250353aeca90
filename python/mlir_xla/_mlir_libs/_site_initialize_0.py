# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What upstream's `_mlir_libs/__init__.py` calls when the bindings are loaded: registers the xla dialect."""

from ._xla import register_dialects as register_dialects
