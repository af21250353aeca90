# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's own JIT. The interface is that of upstream's ``mlir.execution_engine``.

``mlir_xla``'s programs do not need it; it runs modules that were lowered to the LLVM dialect by hand.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from ._mlir_libs._mlir import execution_engine as _execution_engine

__all__ = ["ExecutionEngine"]


class ExecutionEngine(_execution_engine.ExecutionEngine):
    """Compiles a module in the LLVM dialect and calls its functions with ctypes pointers."""

    def lookup(self, name: str) -> Callable[[Any], None]:
        """The function ``name``, which must have the attribute ``llvm.emit_c_interface``.

        The result takes an array of pointers to the arguments. Raises RuntimeError if there is no such function.
        """
        address = self.raw_lookup("_mlir_ciface_" + name)
        if not address:
            raise RuntimeError("Unknown function " + name)
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)

    def invoke(self, name: str, *ctypes_args: Any) -> None:
        """Calls the function ``name`` with pointers to the arguments; a result is written through the first one."""
        function = self.lookup(name)
        packed = (ctypes.c_void_p * len(ctypes_args))(
            *(ctypes.cast(argument, ctypes.c_void_p) for argument in ctypes_args)
        )
        function(packed)

    def register_runtime(self, name: str, ctypes_callback: Any) -> None:
        """Lets generated code call ``ctypes_callback`` as the function ``name``."""
        pointer = ctypes.cast(ctypes_callback, ctypes.c_void_p)
        # The pointer does not own the callback.
        self.__dict__.setdefault("_callbacks", []).append(ctypes_callback)
        self.raw_register_runtime("_mlir_ciface_" + name, pointer)
