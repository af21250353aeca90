// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tensor memory accelerator of sm_90a is told of a factor, and which parts of it come to shared memory.

#ifndef MLIR_XLA_LOWERING_GPU_TENSORBOX_H
#define MLIR_XLA_LOWERING_GPU_TENSORBOX_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace mlir::xla {

struct BlockDim;
struct BlockPanel;
struct LoopNest;

/// One dimension of a tensor, in elements.
struct TensorDim {
  int64_t dim = -1;   // of the nest, whose index it has, times `step`; the dimension of a single image has none
  int64_t size = 1;   // of the first one of pixels, fewer than the nest's are those at the place of one pixel
  int64_t stride = 1; // from one to the next
  int64_t box = 1;    // that come at a time
  // The index counts from the last one; of pixels, the next step of the window comes before.
  bool isBackwards = false;

  // Of pixels, in the dimensions between the first and the last: results may be several pixels apart, and a window
  // reaches beyond them.
  int64_t step = 1;
  int64_t window = -1;    // dimension of the nest that moves the window
  int64_t windowPart = 1; // of whose index so many are elements of one pixel
  int64_t windowStep = 1; // pixels that the next one is apart
  int64_t reach = 0;      // of the window, in pixels
  // The first pixels of windows: from the tensor's first and last one. What is outside of it is padding.
  int64_t lower = 0, upper = 0;
};

/// A factor in up to five dimensions, the first of which are neighbours in memory. Boxes of it come, or, where results
/// are pixels over which a window moves (im2col), so many of these, one after the other.
struct TensorBox {
  SmallVector<TensorDim> dims;
  int64_t pixels = 0; // at a time
  int64_t offset = 0; // of the first element, in elements
  int64_t count = 1;  // boxes of a panel, next to each other along its own dimension
};

/// How the accelerator brings the tile of a factor, which depends on k and on `own`, by so many blocks, or what keeps
/// it from that.
FailureOr<TensorBox> tensorBox(const LoopNest &nest, const BlockPanel &panel, const BlockDim &own, const BlockDim &k,
                               ArrayRef<int64_t> work, int64_t sharedBy, std::string &reason);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_TENSORBOX_H
