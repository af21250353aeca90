// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass pipeline of each stage, put together from the folders' pipelines.

#ifndef MLIR_XLA_COMPILER_PIPELINES_H
#define MLIR_XLA_COMPILER_PIPELINES_H

#include "mlir_xla/compiler/Stages.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::xla {

/// What the lowering needs to know about the machine and about the user's wishes.
struct LoweringOptions {
  int64_t vectorBits = 512; // width of a vector register
  int64_t threads = 0;      // 1: no parallel loops; otherwise left to the runtime
  bool writesPlans =
      true; // at the stage `kernels`; otherwise kernels are planned, in the same way, where they are emitted

  bool operator==(const LoweringOptions &other) const {
    return vectorBits == other.vectorBits && threads == other.threads && writesPlans == other.writesPlans;
  }
};

/// Appends the passes that lead from the stage before `stage` to `stage`. `Xla` and `Binary` have no passes.
void buildStage(OpPassManager &passes, Stage stage, const LoweringOptions &options);

/// Appends the passes from `from` (exclusive) to `to` (inclusive).
void buildStages(OpPassManager &passes, Stage from, Stage to, const LoweringOptions &options);

/// Everything the pipelines may create or read, with the interfaces and translations they need.
void registerLoweringDialects(DialectRegistry &registry);

/// All passes of the lowering and a pipeline `xla-to-<stage>` for each stage, for command-line tools and bindings.
void registerLoweringPasses();

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_PIPELINES_H
