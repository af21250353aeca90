# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytecode from outside, which MLIR's reader does not always survive: a process of its own reads it first.

docs/design/bytecode-input.md says why. `compile`, `parse` and the tools call this, and so does `ir.Module.parse`.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

# Built from tools/xla-read-bytecode.cpp; lies beside the extension.
_READER = pathlib.Path(__file__).with_name("_mlir_libs") / "xla-read-bytecode"
_MAGIC = b"ML\xefR"
_ERROR = 3  # the status with which the reader has an error to tell


class SoundBytecode(bytes):
    """Bytecode that MLIR wrote for this process. It is read without precautions."""


def is_bytecode(source: Any) -> bool:
    """Whether that is bytecode, sound or not, rather than text."""
    return isinstance(source, bytes) and source.startswith(_MAGIC)


def contained(source: Any, name: str = "-") -> Any:
    """Sound bytecode for bytecode, anything else as it is. Raises MLIRError for what cannot be read."""
    if not is_bytecode(source) or isinstance(source, SoundBytecode):
        return source
    import subprocess  # takes longer to import than most programs to compile

    from .ir import MLIRError

    try:
        reader = subprocess.run([_READER], input=source, capture_output=True, check=False)
    except OSError as error:
        raise MLIRError(f"{name}: cannot read bytecode: {error}", []) from None
    if reader.returncode == 0 and is_bytecode(reader.stdout):
        return SoundBytecode(reader.stdout)
    reason = reader.stdout.decode(errors="replace") if reader.returncode == _ERROR else ""
    raise MLIRError(f"{name}: {reason or 'corrupt bytecode: the reader does not survive it'}", [])


def read(path: str | os.PathLike[str]) -> SoundBytecode | None:
    """A file's bytecode, made sound; None for other files and for those that cannot be read."""
    try:
        with open(path, "rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return None
            source = _MAGIC + file.read()
    except OSError:
        return None
    return contained(source, os.fspath(path))
