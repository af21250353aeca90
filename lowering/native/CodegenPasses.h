// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of LLVM's code generation passes run.

#ifndef MLIR_XLA_LOWERING_NATIVE_CODEGENPASSES_H
#define MLIR_XLA_LOWERING_NATIVE_CODEGENPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <atomic>

namespace mlir::xla {

/// Functions and loops that are one block begin with a cache line.
constexpr unsigned kCodeAlignment = 64;

/// Passes that are left out for one reason.
struct SkippedPasses {
  llvm::StringLiteral reason;
  llvm::ArrayRef<llvm::StringLiteral> names; // as `Pass::getPassName` gives them
};

/// All that are left out when code is generated for `triple`; none where that was not examined.
llvm::ArrayRef<SkippedPasses> skippedPasses(const llvm::Triple &triple);

/// The pass that selects instructions without optimising, when code is generated for `triple`; empty where that was not
/// examined.
llvm::StringRef plainSelection(const llvm::Triple &triple);

/// Hands passes on to `passes`, except those that are left out for `machine`'s triple unless `all` are wanted. Once
/// `cancelled` refers to a flag that is set, functions that come next become empty: there is nothing to do for the
/// passes.
class CodegenPasses : public llvm::legacy::PassManagerBase {
public:
  CodegenPasses(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine, bool all,
                const std::atomic<bool> *const &cancelled);
  ~CodegenPasses() override;
  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &passes;
  llvm::TargetMachine &machine;
  const llvm::CodeGenOptLevel level; // the machine's, which is another up to selection
  llvm::StringRef selection;
  llvm::DenseSet<llvm::StringRef> names;
  const std::atomic<bool> *const &cancelled;
  bool inFunction = false; // the last pass added visits functions, one after the other together with those next to it
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_CODEGENPASSES_H
