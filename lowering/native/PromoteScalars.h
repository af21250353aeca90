// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers for what the schedule has on the stack.

#ifndef MLIR_XLA_LOWERING_NATIVE_PROMOTESCALARS_H
#define MLIR_XLA_LOWERING_NATIVE_PROMOTESCALARS_H

namespace llvm {
class Function;
}

namespace mlir::xla {

/// Makes values of the variables of `function` whose addresses go nowhere: `alloca`s of numbers in its first block.
void promoteScalars(llvm::Function &function);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_PROMOTESCALARS_H
