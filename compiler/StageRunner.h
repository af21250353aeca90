// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes a module from stage to stage, and tells a failure of the compiler's own from an error of the program.

#ifndef MLIR_XLA_COMPILER_STAGERUNNER_H
#define MLIR_XLA_COMPILER_STAGERUNNER_H

#include "mlir_xla/compiler/Backend.h"

namespace mlir::xla {

/// A failure of the compiler's own that is still to be reported.
struct BugReport {
  Location place;
  InternalError info;
  std::string pass;               // that failed, if it is known
  std::string writtenByHand;      // the stage of a program that does not come from the compiler
  std::vector<Diagnostic> errors; // that were emitted

  /// One error, with what was emitted (if `withErrors`) and where the reproducer is as notes.
  void emit(bool withErrors = true);
};

class StageRunner {
public:
  /// `from` is the stage of `module`. With `options.reproduce`, a failure of the compiler's leaves a reproducer.
  StageRunner(ModuleOp module, const Backend &backend, const Stage &from, const LoweringOptions &lowering,
              const CompileOptions &options);

  /// Runs the passes that lead to `stage` from the one before.
  LogicalResult lower(const Stage &stage);
  /// Likewise for what is no pass. Errors that are a fault of the compiler's are not emitted, but kept in `bug`.
  LogicalResult run(const Stage &stage, llvm::function_ref<LogicalResult()> work);

  std::optional<BugReport> bug;

private:
  LogicalResult runPasses(const Stage &stage);
  void writeReproducer(const Stage &stage, StringRef text, InternalError &info) const;
  std::string commandFor(const Stage &stage, StringRef file) const;

  ModuleOp module;
  const Backend &backend;
  const Stage &from;
  LoweringOptions lowering;
  const CompileOptions &options;
  std::string failedPass;
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_STAGERUNNER_H
