// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of elements behind a pointer.

#ifndef MLIR_XLA_LOWERING_POINTERS_H
#define MLIR_XLA_LOWERING_POINTERS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::xla {

/// An index of `llvm.getelementptr`. Constant ones have 29 bits, and of larger numbers just the lowest are kept: those
/// are values instead.
inline LLVM::GEPArg elementIndex(OpBuilder &b, Location loc, int64_t index) {
  if (llvm::isInt<LLVM::kGEPConstantBitWidth>(index))
    return static_cast<int32_t>(index);
  return arith::ConstantIntOp::create(b, loc, index, 64).getResult();
}

/// The address `index` elements behind `pointer`.
inline Value elementPointer(OpBuilder &b, Location loc, Value pointer, Type element, int64_t index) {
  return LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer, elementIndex(b, loc, index));
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_POINTERS_H
