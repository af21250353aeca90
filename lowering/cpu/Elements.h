// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements in memory and in registers: those narrower than a byte take one, and computations see their true type.

#ifndef MLIR_XLA_LOWERING_CPU_ELEMENTS_H
#define MLIR_XLA_LOWERING_CPU_ELEMENTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// `element`, with the lanes that `shape` has.
inline Type like(Type element, Value shape) {
  auto vector = dyn_cast<VectorType>(shape.getType());
  return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
}

/// What an element of `type` is loaded and stored as; complex ones are loaded by their parts.
Type memoryType(Type type);
unsigned elementAlignment(Type memoryType);

/// A loaded value, in lanes or not, as elements of `type`. `constant` gives a constant.
Value fromMemory(ImplicitLocOpBuilder &b, Value loaded, Type type, llvm::function_ref<Value(TypedAttr)> constant);
/// Elements of `type` as they are stored.
Value toMemory(ImplicitLocOpBuilder &b, Value value, Type type);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_ELEMENTS_H
