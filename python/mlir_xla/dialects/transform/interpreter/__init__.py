# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs transform scripts on payload IR."""

from ...._mlir_libs._mlir import _mlirTransformInterpreter as _interpreter
from ...._mlir_libs._mlir._mlirTransformInterpreter import TransformOptions

__all__ = ["TransformOptions", "apply_named_sequence", "copy_symbols_and_merge_into"]


def apply_named_sequence(payload_root, transform_root, transform_module, transform_options=None) -> None:
    """Applies the transform operation `transform_root`, which is in `transform_module`, to `payload_root`.

    Raises:
        ValueError: The script is not valid or a transformation failed; the message has the diagnostics.
    """
    _interpreter.apply_named_sequence(
        payload_root.operation, transform_root.operation, transform_module.operation, transform_options
    )


def copy_symbols_and_merge_into(target, other) -> None:
    """Copies the symbols of `other` into the symbol table of `target`, whose declarations they define.

    Raises:
        ValueError: A symbol is defined twice.
    """
    _interpreter.copy_symbols_and_merge_into(target.operation, other.operation)
