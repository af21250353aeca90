# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir_xla: XLA's operations as an MLIR dialect, with the Python interface of upstream MLIR.

``mlir_xla.ir``, ``mlir_xla.passmanager`` and ``mlir_xla.dialects.*`` are upstream's ``mlir.ir`` and so on with another
prefix. Submodules are imported when first used.
"""

import importlib
from types import ModuleType

_SUBMODULES = ("dialects", "execution_engine", "ir", "passmanager", "rewrite")

__all__ = [*_SUBMODULES]


def __getattr__(name: str) -> ModuleType:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_SUBMODULES])
