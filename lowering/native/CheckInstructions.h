// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions by name that the processor must have.

#ifndef MLIR_XLA_LOWERING_NATIVE_CHECKINSTRUCTIONS_H
#define MLIR_XLA_LOWERING_NATIVE_CHECKINSTRUCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::xla {

/// Fails, with an error at the op, if the translation of `from` calls an intrinsic of x86 that `machine` lacks, as far
/// as its name tells: LLVM would end the process. Plans for other processors have such calls, which whoever begins at
/// the stage `loops` or behind it may have kept.
LogicalResult checkInstructions(ModuleOp from, const llvm::Module &translated, const llvm::TargetMachine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_CHECKINSTRUCTIONS_H
