// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads how JAX says that arrays are distributed over devices: the dialect `sdy` and the custom calls `Sharding`,
// `SPMDFullToShardShape` and `SPMDShardToFullShape`. A program runs on one device here, on which shardings change
// nothing, so that they are parsed and dropped.

#ifndef MLIR_XLA_DIALECT_STABLEHLO_SHARDINGINPUT_H
#define MLIR_XLA_DIALECT_STABLEHLO_SHARDINGINPUT_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

namespace mlir::xla {

/// Makes the namespace `sdy` readable.
void registerShardingInput(DialectRegistry &registry);

/// Drops meshes and the attributes `sdy.*` below `root`, and puts operands in place of sharding constraints and of the
/// custom calls. Fails, with an error at the op, where a program is written for several devices.
LogicalResult dropShardings(Operation *root);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_SHARDINGINPUT_H
