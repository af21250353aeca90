// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of the compiler: the one list behind `xla-opt --to=<stage>`, dumps, timings and `Executable.stages`.

#ifndef MLIR_XLA_COMPILER_STAGES_H
#define MLIR_XLA_COMPILER_STAGES_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::xla {

/// In the order of compilation; docs/design/lowering.md says what the IR holds after each.
enum class Stage { Xla, Legal, Linalg, Kernels, Loops, LLVM, Binary };

struct StageInfo {
  Stage stage;
  StringLiteral name;
  StringLiteral sentence;
};

ArrayRef<StageInfo> allStages();
StringRef stageName(Stage stage);
std::optional<Stage> stageByName(StringRef name);

} // namespace mlir::xla

#endif // MLIR_XLA_COMPILER_STAGES_H
