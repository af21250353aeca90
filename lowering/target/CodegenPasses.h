// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of LLVM's code generation passes run.

#ifndef MLIR_XLA_LOWERING_TARGET_CODEGENPASSES_H
#define MLIR_XLA_LOWERING_TARGET_CODEGENPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/TargetParser/Triple.h"

namespace mlir::xla {

/// Passes that are left out for one reason.
struct SkippedPasses {
  llvm::StringLiteral reason;
  llvm::ArrayRef<llvm::StringLiteral> names; // as `Pass::getPassName` gives them
};

/// All that are left out when code is generated for `triple`; none where that was not examined.
llvm::ArrayRef<SkippedPasses> skippedPasses(const llvm::Triple &triple);

/// Hands passes on to `passes`, except those of `skipped`.
class CodegenPasses : public llvm::legacy::PassManagerBase {
public:
  CodegenPasses(llvm::legacy::PassManagerBase &passes, llvm::ArrayRef<SkippedPasses> skipped);
  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &passes;
  llvm::DenseSet<llvm::StringRef> names;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_TARGET_CODEGENPASSES_H
