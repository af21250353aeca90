// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits a module so that several threads can generate its code.

#ifndef MLIR_XLA_LOWERING_NATIVE_PARTITION_H
#define MLIR_XLA_LOWERING_NATIVE_PARTITION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::xla {

struct Partition {
  std::vector<OwningOpRef<ModuleOp>> others;
  bool isRestLargest = true; // has what stays more operations than each of the others?
};

/// Moves functions of `module` (LLVM dialect) into new modules, at most `parts - 1`, so that all hold about the same
/// number of operations; none if the module is small. Functions that one module calls and another holds become
/// external. @main stays, and what others than it call, of which each module has a copy.
Partition partition(ModuleOp module, unsigned parts);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_PARTITION_H
