// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/Stages.h"

namespace mlir::xla {

static constexpr StageInfo stages[] = {
    {Stage::Xla, "xla", "the program as it was given"},
    {Stage::Legal, "legal", "one function, no tuples, composites decomposed, simplified"},
    {Stage::Linalg, "linalg", "upstream ops on tensors: linalg, tensor, arith, math, scf"},
    {Stage::Kernels, "kernels", "a schedule that calls kernels, each one fused loop nest"},
    {Stage::Loops, "loops", "kernels as vectorised loops on pointers, every buffer placed"},
    {Stage::LLVM, "llvm", "the LLVM dialect"},
    {Stage::Binary, "binary", "machine code for the target, shown as assembly"},
};

ArrayRef<StageInfo> allStages() { return stages; }

StringRef stageName(Stage stage) { return stages[static_cast<int>(stage)].name; }

std::optional<Stage> stageByName(StringRef name) {
  for (const StageInfo &info : stages)
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

} // namespace mlir::xla
