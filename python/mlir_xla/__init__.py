# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir_xla: XLA's operations as an MLIR dialect, and a compiler from them to machine code.

`compile` turns a program into something that is called on NumPy arrays. A program is StableHLO or `xla` text, an
`ir.Module`, or an `XlaComputation` that `XlaBuilder` and `ops` build.

``mlir_xla.ir``, ``mlir_xla.passmanager`` and ``mlir_xla.dialects.*`` are upstream's ``mlir.ir`` and so on with another
prefix. Everything is imported when first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import builder, dialects, execution_engine, ir, ops, passmanager, reference, rewrite
    from ._internal_error import InternalCompilerError
    from ._mlir_libs._mlir.ir import MLIRError
    from .api import compile, parse  # noqa: A004
    from .builder import ProgramShape, XlaBuilder, XlaComputation, XlaOp
    from .custom_calls import register_custom_call
    from .device_array import Device, DeviceArray, device_put, devices
    from .errors import ShapeError, XlaError
    from .executable import Executable
    from .layout import Layout, PaddingValue
    from .ops import (
        ConvDimensionNumbers,
        DotDimensionNumbers,
        GatherDimensionNumbers,
        Padding,
        PaddingConfig,
        PaddingDimension,
        Precision,
        RaggedDotDimensionNumbers,
        RandomAlgorithm,
        ScatterDimensionNumbers,
    )
    from .random_seed import set_random_seed
    from .shape import Shape

__version__ = "0.1.0"

_SUBMODULES = ("builder", "dialects", "execution_engine", "ir", "ops", "passmanager", "reference", "rewrite")
_NAMES = {
    "InternalCompilerError": "_internal_error",
    "MLIRError": "ir",
    "compile": "api",
    "parse": "api",
    "ProgramShape": "builder",
    "XlaBuilder": "builder",
    "XlaComputation": "builder",
    "XlaOp": "builder",
    "register_custom_call": "custom_calls",
    "Device": "device_array",
    "DeviceArray": "device_array",
    "device_put": "device_array",
    "devices": "device_array",
    "ShapeError": "errors",
    "XlaError": "errors",
    "Executable": "executable",
    "Layout": "layout",
    "PaddingValue": "layout",
    "ConvDimensionNumbers": "ops",
    "DotDimensionNumbers": "ops",
    "GatherDimensionNumbers": "ops",
    "Padding": "ops",
    "PaddingConfig": "ops",
    "PaddingDimension": "ops",
    "Precision": "ops",
    "RaggedDotDimensionNumbers": "ops",
    "RandomAlgorithm": "ops",
    "ScatterDimensionNumbers": "ops",
    "Shape": "shape",
    "set_random_seed": "random_seed",
}

__all__ = [
    "ConvDimensionNumbers",
    "Device",
    "DeviceArray",
    "DotDimensionNumbers",
    "Executable",
    "GatherDimensionNumbers",
    "InternalCompilerError",
    "Layout",
    "MLIRError",
    "Padding",
    "PaddingConfig",
    "PaddingDimension",
    "PaddingValue",
    "Precision",
    "ProgramShape",
    "RaggedDotDimensionNumbers",
    "RandomAlgorithm",
    "ScatterDimensionNumbers",
    "Shape",
    "ShapeError",
    "XlaBuilder",
    "XlaComputation",
    "XlaError",
    "XlaOp",
    "__version__",
    "builder",
    "compile",
    "device_put",
    "devices",
    "dialects",
    "execution_engine",
    "ir",
    "ops",
    "parse",
    "passmanager",
    "reference",
    "register_custom_call",
    "rewrite",
    "set_random_seed",
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _NAMES:
        value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
        return value
    from ._messages import suggestion

    # With a name of its own, Python adds no second suggestion when it prints the error.
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{suggestion(name, __all__)}", name=name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
