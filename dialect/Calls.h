// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of functions and calls. A call of a function of the module is `func.call`, whose own verifier knows nothing
// of rules with identifiers.

#ifndef MLIR_XLA_DIALECT_CALLS_H
#define MLIR_XLA_DIALECT_CALLS_H

#include "mlir/IR/Operation.h"

namespace mlir::xla {

/// Checks every `func.call` below `root` against its function: `Call-C1` to `Call-C3`. Unknown functions are left to
/// the verifier. No tuple is larger than the limits, and what an argument is said to share its memory with is a result.
LogicalResult checkFunctions(Operation *root);

/// What a tuple may hold, counted through the tuples in it: types are shared, so that a few lines may write billions,
/// which nothing that takes them apart would survive.
constexpr uint64_t maxTupleLeaves = 100000;
constexpr unsigned maxTupleDepth = 1000;

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_CALLS_H
