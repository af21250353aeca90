// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a convolution is: the passes that write them as products of matrices know it from here.

#ifndef MLIR_XLA_LOWERING_KERNELS_CONVOLUTIONS_H
#define MLIR_XLA_LOWERING_KERNELS_CONVOLUTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::xla {

/// What a dimension of the image is read by: a loop of results, of which neighbours are `stride` elements apart, a loop
/// of the sum, whose steps are `dilation` apart, both (pixels) or none.
struct Place {
  int64_t row = -1, step = -1;
  int64_t stride = 1, dilation = 1;
  bool isPixel() const { return row >= 0 && step >= 0; }
};

/// A sum of products of an image, which is read by windows, and of a kernel, in any layouts: also both gradients of a
/// convolution. Loops are numbered as in `op`.
struct Convolution {
  linalg::GenericOp op;
  unsigned image = 0;         // the operand, of two
  SmallVector<Place> places;  // of the dimensions of the image
  SmallVector<int64_t> sizes; // of the loops
  SmallVector<int64_t> rows;  // loops of results that only the image has: images, and places of the window
  SmallVector<int64_t> steps; // loops of the sum: the window, and channels
  int64_t group = -1;         // the loop of results that both have, which are no pixels then
  int64_t feature = -1;       // the loop of results that only the kernel has
  int64_t elementBytes = 1;   // of the image and the kernel

  AffineMap kernelMap() const { return linalg::GenericOp(op).getIndexingMapsArray()[1 - image]; }
  /// The dimension of the image that is read by `loop`.
  int64_t placeOf(int64_t loop) const;
  /// How often `loops` are executed.
  int64_t productOf(ArrayRef<int64_t> loops) const;
};

/// Nothing if several dimensions of the results are only the kernel's or are groups, as those of depthwise convolutions
/// with several features for each channel.
std::optional<Convolution> matchConvolution(linalg::GenericOp op);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_CONVOLUTIONS_H
