// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program in native code is held: object code, constants and signature. This is also all that an object cache
// needs to keep.

#ifndef MLIR_XLA_COMPILER_PROGRAMIMAGE_H
#define MLIR_XLA_COMPILER_PROGRAMIMAGE_H

#include "mlir_xla/compiler/Signature.h"

#include "llvm/ADT/SmallVector.h"

namespace mlir::xla {

/// A constant that the object refers to by name instead of holding it.
struct ConstantData {
  std::string symbol;
  void *data = nullptr; // from xla_rt_alloc
  int64_t bytes = 0;
};

/// Frees the constants it owns.
struct ProgramImage {
  std::vector<SmallVector<char, 0>> objects;
  std::vector<ConstantData> constants;
  Signature signature;
  int64_t arenaSize = 0;

  ProgramImage() = default;
  ProgramImage(ProgramImage &&other) = default; // leaves no constants behind
  ProgramImage &operator=(ProgramImage &&) = delete;
  ~ProgramImage();

  /// Takes the values of external globals out of `module`: constants too large for the object.
  LogicalResult takeConstants(ModuleOp module);
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_PROGRAMIMAGE_H
