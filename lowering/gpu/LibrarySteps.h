// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of library calls that a GPU does, and what finding their steps has in common.

#ifndef MLIR_XLA_LOWERING_GPU_LIBRARYSTEPS_H
#define MLIR_XLA_LOWERING_GPU_LIBRARYSTEPS_H

#include "mlir_xla/lowering/gpu/DeviceLibrary.h"

namespace mlir::xla {

std::optional<LibraryFacts> getFftSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getFactorSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getLuSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getSolveSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getSortSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getTopKSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getSortWordsSteps(rt::LibraryCallOp op);
std::optional<LibraryFacts> getDealSteps(rt::LibraryCallOp op);

/// Collects steps, and gives places in the scratch memory.
class LibrarySteps {
public:
  static constexpr int64_t kAlignment = 256;

  /// Where so many bytes begin.
  int64_t allocate(int64_t bytes) {
    int64_t offset = facts.scratch;
    facts.scratch += llvm::alignTo(bytes, kAlignment);
    return offset;
  }
  void add(const Twine &function, ArrayRef<int64_t> parameters, int64_t work, int64_t team, StepCost cost,
           bool isGeneral = false, bool callsOthers = false) {
    facts.steps.push_back({function.str(), llvm::to_vector(parameters), work, team, cost, isGeneral, callsOthers});
  }
  LibraryFacts take() { return std::move(facts); }

private:
  LibraryFacts facts;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_LIBRARYSTEPS_H
