# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What upstream's `_mlir_libs/__init__.py` imports when the bindings are loaded: this project's additions to them."""

from . import _dense_elements, _misuse
from ._xla import register_dialects as register_dialects

_dense_elements.install()
_misuse.install()
