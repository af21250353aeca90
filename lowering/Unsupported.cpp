// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/Unsupported.h"

namespace mlir::xla {

static constexpr StringLiteral kMark = "xla.unsupported";

InFlightDiagnostic unsupported(InFlightDiagnostic error) {
  error.getUnderlyingDiagnostic()->getMetadata().emplace_back(StringRef(kMark));
  return error;
}

bool isUnsupported(Diagnostic &error) {
  return llvm::any_of(error.getMetadata(), [](const DiagnosticArgument &argument) {
    return argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::String && argument.getAsString() == kMark;
  });
}

} // namespace mlir::xla
