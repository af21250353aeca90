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

/// What bf16 is in LLVM's IR. Without AVX512-BF16, LLVM has no vectors of it and takes them apart to move them, which
/// is all that most kernels do: they compute in f32. Then the bits are integers of 16 bits.
enum class BrainFloats { AsTheyAre, AsBits };

/// The module that `translateModuleToLLVMIR` makes, but for flags about debug information, which there is none of; null
/// for one with anything else than what is usual, which is then `obstacle`, unless that is null. With
/// `BrainFloats::AsBits` arithmetic on bf16 is unusual, too.
std::unique_ptr<llvm::Module> translateDirectly(ModuleOp module, llvm::LLVMContext &context, StringRef name,
                                                Operation **obstacle = nullptr,
                                                BrainFloats brains = BrainFloats::AsTheyAre);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_TRANSLATEDIRECTLY_H
