// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a module in the LLVM dialect to object code in memory.

#ifndef MLIR_XLA_LOWERING_TARGET_CODEGEN_H
#define MLIR_XLA_LOWERING_TARGET_CODEGEN_H

#include "mlir_xla/lowering/target/TargetSpec.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::xla {

struct CodegenOptions {
  TargetSpec target;
  bool keepAssembly = false;
  /// Also clean up scalar loops; vectorised kernels gain nothing from it.
  bool optimizeScalarLoops = false;
};

struct GeneratedCode {
  SmallVector<char, 0> object;
  std::string assembly; // with `keepAssembly`
  std::string llvmIR;   // with `keepAssembly`
  double translateSeconds = 0, optimizeSeconds = 0, codegenSeconds = 0;
};

/// The name under which the program's entry point is found in the object.
inline constexpr StringLiteral kEntryName = "xla_main";

/// Thread-safe. The module stays as it is. Errors are reported at the module.
FailureOr<GeneratedCode> generateCode(ModuleOp module, const CodegenOptions &options);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_TARGET_CODEGEN_H
