// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of calls. A call of a function of the module is `func.call`, whose own verifier knows nothing of rules with
// identifiers.

#ifndef MLIR_XLA_DIALECT_CALLS_H
#define MLIR_XLA_DIALECT_CALLS_H

#include "mlir/IR/Operation.h"

namespace mlir::xla {

/// Checks every `func.call` below `root` against its function: `Call-C1` to `Call-C3`. Unknown functions are left to
/// the verifier.
LogicalResult checkCalls(Operation *root);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_CALLS_H
