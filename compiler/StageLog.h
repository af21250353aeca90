// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of every stage of a compilation: its name, the time that it took and, if asked for, its text.

#ifndef MLIR_XLA_COMPILER_STAGELOG_H
#define MLIR_XLA_COMPILER_STAGELOG_H

#include "mlir_xla/compiler/Compiler.h"

#include <chrono>

namespace mlir::xla {

class StageLog {
public:
  /// The stage is done; the next one begins.
  void finish(StringRef stage, std::string text = "") {
    Clock::time_point now = Clock::now();
    stages.push_back({stage.str(), std::move(text), std::chrono::duration<double>(now - start).count()});
    start = Clock::now();
  }
  std::vector<StageDump> take() { return std::move(stages); }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  std::vector<StageDump> stages;
};

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_STAGELOG_H
