// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a module in the LLVM dialect to object code in memory.

#ifndef MLIR_XLA_LOWERING_NATIVE_CODEGEN_H
#define MLIR_XLA_LOWERING_NATIVE_CODEGEN_H

#include "mlir_xla/lowering/native/TargetSpec.h"

#include "mlir/IR/BuiltinOps.h"

#include <atomic>
#include <memory>

namespace llvm {
class TargetMachine;
}

namespace mlir::xla {

struct CodegenOptions {
  TargetSpec target;
  bool keepAssembly = false;
  unsigned threads = 1;                         // that generate code at the same time
  bool allPasses = false;                       // also those that `skippedPasses` leaves out
  const std::atomic<bool> *cancelled = nullptr; // once true, functions become empty
};

struct GeneratedCode {
  std::vector<SmallVector<char, 0>> objects;
  std::string assembly; // with `keepAssembly`
};

/// The name under which the program's entry point is found in the objects.
inline constexpr StringLiteral kEntryName = "xla_main";

/// The target machine of `target`, configured as `generateCode` uses it; null with `error` if there is none.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetSpec &target, std::string &error);

/// Thread-safe. Takes functions out of the module if several threads share the work. Errors are reported at the module.
FailureOr<GeneratedCode> generateCode(ModuleOp module, const CodegenOptions &options);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_CODEGEN_H
