// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors about programs where else only the compiler can be at fault: behind the checks of the input.

#ifndef MLIR_XLA_LOWERING_UNSUPPORTED_H
#define MLIR_XLA_LOWERING_UNSUPPORTED_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::xla {

/// Marks an error about what a valid program asks for and cannot be had: an op that is not supported, memory that is
/// not there. What else fails behind the stage `legal` is reported as a bug of the compiler.
InFlightDiagnostic unsupported(InFlightDiagnostic error);

/// Whether an error was marked so.
bool isUnsupported(Diagnostic &error);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_UNSUPPORTED_H
