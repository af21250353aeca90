// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads object code into the process.

#ifndef MLIR_XLA_LOWERING_NATIVE_JIT_H
#define MLIR_XLA_LOWERING_NATIVE_JIT_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/StringRef.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::xla {

/// Code in memory; it goes away with this object.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;
  void *entry = nullptr;
};

/// Links `objects` against each other, the runtime, libm and `data` (constants by symbol name) and looks `entry` up.
/// Thread-safe. Failure leaves a message in `error`.
FailureOr<std::unique_ptr<LoadedCode>> loadCode(ArrayRef<SmallVector<char, 0>> objects, StringRef entry,
                                                ArrayRef<std::pair<std::string, const void *>> data,
                                                std::string &error);

/// The functions that generated code may call, by name: the runtime, libm, memory functions, half conversions.
const llvm::StringMap<void *> &runtimeSymbols();

/// The function `name` of one of the libraries beside the runtime, which is loaded for it; null if none of them is said
/// to have it.
llvm::Expected<void *> libraryFunction(StringRef name);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_JIT_H
