// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the words of errors are made with: counted nouns, and what a misspelt name may have meant.

#ifndef MLIR_XLA_DIALECT_MESSAGES_H
#define MLIR_XLA_DIALECT_MESSAGES_H

#include "mlir/IR/TypeRange.h"
#include "mlir/Support/LLVM.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::xla {

/// `1 entry`, `2 entries`.
std::string counted(int64_t count, StringRef noun);

/// `'tensor<f32>', 'tensor<i32>'`; `nothing` where there is none.
std::string listed(TypeRange types);

/// The one of `known` that `name` is a misspelling of; empty if none is close to it.
StringRef closest(StringRef name, ArrayRef<StringRef> known);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_MESSAGES_H
