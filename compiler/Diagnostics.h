// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver does with the diagnostics of passes.

#ifndef MLIR_XLA_COMPILER_DIAGNOSTICS_H
#define MLIR_XLA_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

#include <vector>

namespace mlir::xla {

/// Diagnostics of a compilation in another context become diagnostics at the user's module.
class DiagnosticForwarder : public ScopedDiagnosticHandler {
public:
  DiagnosticForwarder(MLIRContext *from, ModuleOp module);
};

/// Holds errors back while it lives.
class ErrorCollector : public ScopedDiagnosticHandler {
public:
  explicit ErrorCollector(MLIRContext *context);
  std::vector<Diagnostic> errors;
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_DIAGNOSTICS_H
