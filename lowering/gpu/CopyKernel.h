// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills as kernels: those of the runtime are launches of their own.

#ifndef MLIR_XLA_LOWERING_GPU_COPYKERNEL_H
#define MLIR_XLA_LOWERING_GPU_COPYKERNEL_H

#include "mlir_xla/lowering/gpu/Launch.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::xla {

/// A kernel of the schedule whose result is its operand, of `value`'s type; or, if that is a constant all of whose
/// elements are alike, which has no operands. Null if there is none for the type.
func::FuncOp findCopyKernel(Value value, ModuleOp module, gpu::GPUModuleOp onDevice, SymbolTable &symbols);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_COPYKERNEL_H
