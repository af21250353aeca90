// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short way from objects to code in memory.

#ifndef MLIR_XLA_LOWERING_NATIVE_LINKDIRECTLY_H
#define MLIR_XLA_LOWERING_NATIVE_LINKDIRECTLY_H

#include "mlir_xla/lowering/native/Jit.h"

namespace mlir::xla {

/// Links what generated code usually is: ELF for x86-64 whose sections are instructions and constants, with relative
/// relocations. Null for everything else, for symbols that `external` does not know, and without memory: what that
/// means, and whether it is an error, the JIT finds out.
std::unique_ptr<LoadedCode> linkDirectly(ArrayRef<SmallVector<char, 0>> objects, StringRef entry,
                                         llvm::function_ref<const void *(StringRef)> external);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_LINKDIRECTLY_H
