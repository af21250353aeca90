// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the operations by which devices speak with each other (`all_reduce`, `partition_id`), as JAX writes them for a
// mesh of one device too. A program runs on one device here, which hears itself: what comes of them is their operands.

#ifndef MLIR_XLA_DIALECT_STABLEHLO_COLLECTIVEINPUT_H
#define MLIR_XLA_DIALECT_STABLEHLO_COLLECTIVEINPUT_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::xla {

/// True for the name of such an op: `stablehlo.all_reduce`. Until it is imported it is unregistered.
bool isCollectiveOp(StringRef name);

/// Reads the custom form of those that have one: stablehlo.partition_id : tensor<ui32>
ParseResult parseCollectiveOp(OpAsmParser &parser, OperationState &state);

/// Fails, with an error at the op, if it is malformed or speaks with other devices.
LogicalResult verifyCollectiveOp(Operation *op);

/// Replaces such an op by its operands, or by zeros where nobody sends, and where the number of the device is asked.
/// Fails as `verifyCollectiveOp` does.
LogicalResult expandCollectiveOp(Operation *op);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_COLLECTIVEINPUT_H
