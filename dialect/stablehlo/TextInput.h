// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that newer versions of MLIR print and this one would not read.

#ifndef MLIR_XLA_DIALECT_STABLEHLO_TEXTINPUT_H
#define MLIR_XLA_DIALECT_STABLEHLO_TEXTINPUT_H

#include "llvm/Support/MemoryBuffer.h"

namespace mlir::xla {

/// Newer versions write constants of booleans as bytes, `dense<"0x000101"> : tensor<3xi1>`, this one as bits. Returns
/// the text with bits in their place; everything else stays where it is, line and column.
std::unique_ptr<llvm::MemoryBuffer> packBooleans(std::unique_ptr<llvm::MemoryBuffer> source);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_TEXTINPUT_H
