# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native extension, and what is easier to say in Python than in C++: the exception with diagnostics."""

from collections.abc import Sequence

from ._mlir import append_load_on_create_dialect, get_dialect_registry, get_load_on_create_dialects, ir

__all__ = [
    "MLIRError",
    "append_load_on_create_dialect",
    "get_dialect_registry",
    "get_load_on_create_dialects",
]


class MLIRError(Exception):
    """An operation of MLIR failed; says what was reported and where.

    Attributes:
        message: What failed, without the diagnostics.
        error_diagnostics: The reported errors, each with severity, location, message and notes.
    """

    def __init__(self, message: str, error_diagnostics: "Sequence[ir.DiagnosticInfo]" = ()) -> None:
        super().__init__(message, error_diagnostics)
        self.message = message
        self.error_diagnostics = list(error_diagnostics)

    def __str__(self) -> str:
        lines = [self.message + (":" if self.error_diagnostics else "")]
        for error in self.error_diagnostics:
            lines.append(_describe("error", error))
            lines.extend(_describe(" note", note) for note in error.notes)
        return "\n".join(lines)


def _describe(kind: str, diagnostic: "ir.DiagnosticInfo") -> str:
    # Without the "loc(" and ")" around the location; continuation lines are indented.
    where = str(diagnostic.location)[len("loc(") : -1]
    return f"{kind}: {where}: " + diagnostic.message.replace("\n", "\n  ")


# Named where users see it; the extension raises it from there.
MLIRError.__module__ = "mlir_xla.ir"
ir.MLIRError = MLIRError  # type: ignore[misc]
