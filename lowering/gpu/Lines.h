// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places in the program that code of the device is of, as `.file` and `.loc` of PTX: what debuggers, profilers and
// the emulator's findings name.

#ifndef MLIR_XLA_LOWERING_GPU_LINES_H
#define MLIR_XLA_LOWERING_GPU_LINES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace llvm {
class Module;
}

namespace mlir::xla {

/// Gives all functions scopes of debugging, and all operations places in them.
void addLines(gpu::GPUModuleOp module);
/// Code that was inlined is of its place, and nothing is known of the functions in between: PTX would need sections of
/// DWARF for them.
void flattenLines(llvm::Module &code);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_LINES_H
