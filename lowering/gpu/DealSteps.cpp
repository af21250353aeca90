// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index vectors of a scatter that are dealt to the owners of its places, by a block for each tile. The function and its
// parameters: runtime/cuda/device/Deal.cpp.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/gpu/LibrarySteps.h"
#include "mlir_xla/lowering/xla_rt/DealtPlaces.h"

using namespace mlir;
using namespace mlir::xla;

/// Parameters: as those of the function.
std::optional<LibraryFacts> mlir::xla::getDealSteps(rt::LibraryCallOp op) {
  int64_t count = op.getParameters()[0], tiles = llvm::divideCeil(count, DealtPlaces::tile);
  auto row = cast<RankedTensorType>(op.getOuts()[0].getType());
  int64_t indices = 0;
  for (Type type : op.getInputs().getTypes())
    indices += bufferBytes(cast<RankedTensorType>(type));
  int64_t wordBytes = row.getElementTypeBitWidth() / 8, ofThread = DealtPlaces::tile / DealtPlaces::threads;
  // Of a word two digits, of which each takes about as long as twelve phases, and where each owner's begin.
  constexpr int64_t phases = 6 + 2 * 12 + 4;
  LibrarySteps steps;
  steps.add("xla_rt_gpu_deal_" + Twine(wordBytes), op.getParameters(), tiles, DealtPlaces::threads,
            {indices, bufferBytes(row), ofThread * wordBytes, 0, phases, 1});
  return steps.take();
}
