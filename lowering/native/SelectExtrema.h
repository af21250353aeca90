// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maxima and minima by an instruction that LLVM does not select for them.

#ifndef MLIR_XLA_LOWERING_NATIVE_SELECTEXTREMA_H
#define MLIR_XLA_LOWERING_NATIVE_SELECTEXTREMA_H

namespace llvm {
class Module;
}

namespace mlir::xla {

/// Replaces maxima and minima of vectors of f32 and f64 in `module`, whose processor has AVX-512 (F, DQ and VL).
void selectExtrema(llvm::Module &module);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_SELECTEXTREMA_H
