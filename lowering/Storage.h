// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide elements are in memory, and the bytes of constants as buffers hold them.

#ifndef MLIR_XLA_LOWERING_STORAGE_H
#define MLIR_XLA_LOWERING_STORAGE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/LLVM.h"

namespace mlir::xla {

/// Bytes that one element takes in a buffer: elements of less than a byte take one.
int64_t elementStorageBytes(Type elementType);
inline unsigned storageBits(Type elementType) { return 8 * elementStorageBytes(elementType); }
/// Bytes of a dense row-major buffer of a static shape.
int64_t bufferBytes(ShapedType type);
/// Is element i of a buffer of the one type at the same place as element i of one of the other?
bool haveSamePlaces(Type first, Type second);

/// Writes the elements to `out` of bufferBytes(type). Fails for an attribute that holds no data.
LogicalResult writeElements(ElementsAttr attr, MutableArrayRef<char> out);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_STORAGE_H
