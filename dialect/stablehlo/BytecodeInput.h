// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytecode from outside. MLIR's reader believes much of what it reads: a flipped bit becomes a wild pointer, an endless
// loop or an attribute that nothing has checked. So it reads in a process that may die, and the rest of the program
// sees only what MLIR's writer wrote there. (docs/design/bytecode-input.md)

#ifndef MLIR_XLA_DIALECT_STABLEHLO_BYTECODEINPUT_H
#define MLIR_XLA_DIALECT_STABLEHLO_BYTECODEINPUT_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace mlir::xla {

/// Reads bytecode in this process, which may die of it or be ended for the time and the memory that it takes, and
/// returns the same module as bytecode that was read and verified once already. On failure `error` says why.
FailureOr<std::string> rewriteBytecode(llvm::MemoryBufferRef input, const DialectRegistry &registry,
                                       std::string &error);

/// `rewriteBytecode` in a child process; other input is returned as it is. For programs that have one thread so far,
/// since the child is a fork. Null, with a message in `error`, if the input cannot be read.
std::unique_ptr<llvm::MemoryBuffer> containBytecode(std::unique_ptr<llvm::MemoryBuffer> input,
                                                    const DialectRegistry &registry, std::string &error);

/// The life of such a child: reads, writes the new bytecode or the error to `output`, and ends the process with one of
/// the statuses.
enum class ContainedStatus { Written = 0, Error = 3 };
[[noreturn]] void runContained(llvm::MemoryBufferRef input, const DialectRegistry &registry, int output);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_STABLEHLO_BYTECODEINPUT_H
