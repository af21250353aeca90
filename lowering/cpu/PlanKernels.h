// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans for all nests of a kernel: tiles for sums of products that are better off in them, loops for the others.

#ifndef MLIR_XLA_LOWERING_CPU_PLANKERNELS_H
#define MLIR_XLA_LOWERING_CPU_PLANKERNELS_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xla {

/// Where a program calls its kernels, found for all of them when the first is asked for.
class KernelCalls {
public:
  explicit KernelCalls(ModuleOp module) : module(module) {}
  ArrayRef<func::CallOp> of(func::FuncOp kernel);

private:
  ModuleOp module;
  bool areKnown = false;
  DenseMap<StringAttr, SmallVector<func::CallOp, 1>> calls;
};

/// The plans of the nests of a kernel, in tiles or in loops.
SmallVector<Attribute> planKernel(func::FuncOp kernel, KernelNests &nests, const Machine &machine, KernelCalls &calls);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_PLANKERNELS_H
