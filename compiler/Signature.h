// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the buffers that a program takes and gives.

#ifndef MLIR_XLA_COMPILER_SIGNATURE_H
#define MLIR_XLA_COMPILER_SIGNATURE_H

#include "mlir_xla/compiler/Compiler.h"

namespace mlir::xla {

struct Signature {
  std::vector<BufferType> arguments, results;
};

/// The signature of `@main` in a module of any stage: from `loops` on, where buffers have no types, passes leave it in
/// an attribute. Emits an error if there is no `@main` or no buffer for one of its types.
FailureOr<Signature> readSignature(ModuleOp module);

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_SIGNATURE_H
