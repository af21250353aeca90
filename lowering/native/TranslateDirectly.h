// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the LLVM dialect to LLVM's own IR, for what kernels and schedules consist of.

#ifndef MLIR_XLA_LOWERING_NATIVE_TRANSLATEDIRECTLY_H
#define MLIR_XLA_LOWERING_NATIVE_TRANSLATEDIRECTLY_H

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::xla {

/// The module that `translateModuleToLLVMIR` makes, but for flags about debug information, which there is none of; null
/// for one with anything else than what is usual, which is then `obstacle`, unless that is null.
std::unique_ptr<llvm::Module> translateDirectly(ModuleOp module, llvm::LLVMContext &context, StringRef name,
                                                Operation **obstacle = nullptr);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_TRANSLATEDIRECTLY_H
