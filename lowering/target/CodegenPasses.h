// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of LLVM's code generation passes run.

#ifndef MLIR_XLA_LOWERING_TARGET_CODEGENPASSES_H
#define MLIR_XLA_LOWERING_TARGET_CODEGENPASSES_H

#include "llvm/IR/LegacyPassManager.h"

namespace mlir::xla {

/// Hands passes on to `passes`, except those that take time and give nothing here.
class CodegenPasses : public llvm::legacy::PassManagerBase {
public:
  explicit CodegenPasses(llvm::legacy::PassManagerBase &passes) : passes(passes) {}
  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &passes;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_TARGET_CODEGENPASSES_H
