# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exception that says that the compiler is at fault."""

from __future__ import annotations

from typing import Any

from .ir import MLIRError


class InternalCompilerError(MLIRError):
    """A failure of the compiler's own: a bug of mlir-xla, not of the program.

    `stage` is the stage of compilation that could not be made, `reproducer` the path of a file with the program in the
    stage before, and `command` the command line that repeats the failure with it; both are None if no file could be
    written.
    """

    def __init__(
        self, message: str, error_diagnostics: list[Any], stage: str, reproducer: str | None, command: str | None
    ) -> None:
        self.stage, self.reproducer, self.command = stage, reproducer, command
        super().__init__(message, error_diagnostics)
