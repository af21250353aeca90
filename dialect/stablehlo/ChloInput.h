// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of CHLO that `xla` expresses by others: what broadcasts its operands, constants like another value, tests for
// infinities.

#ifndef MLIR_XLA_DIALECT_STABLEHLO_CHLOINPUT_H
#define MLIR_XLA_DIALECT_STABLEHLO_CHLOINPUT_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::xla {

/// True for the name of such an op: `chlo.broadcast_add`, `chlo.is_inf`. Until it is imported it is unregistered.
bool isExpandedChloOp(StringRef name, MLIRContext *context);

/// Replaces such an op, which nobody has verified, by ops of `xla`. Fails, with an error at the op, if it is malformed.
LogicalResult expandChloOp(Operation *op);

/// chlo.scan(%x) inits (%zero) dimension=0 attributes {is_reverse = true} { ... } : (..) -> (..)  ->  xla.scan
ParseResult parseChloScan(OpAsmParser &parser, OperationState &state);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_CHLOINPUT_H
