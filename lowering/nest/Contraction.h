// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that says what a contraction is.

#ifndef MLIR_XLA_LOWERING_NEST_CONTRACTION_H
#define MLIR_XLA_LOWERING_NEST_CONTRACTION_H

#include "mlir_xla/lowering/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::xla {

/// The roles of the loops if `op` sums products of the elements of two tensors, with projected permutations as maps.
std::optional<linalg::ContractionDimensions> matchContraction(Operation *op);

/// True if `op` sums products of the elements of two tensors, which it may read by any map: a contraction or a
/// convolution.
bool isSumOfProducts(linalg::GenericOp op);

/// Sizes of a product of floats: `rows` along the longest of their dimensions. From one step to the next its columns
/// are `pitch` bytes apart.
struct ProductSizes {
  int64_t rows, columns, steps, elementBytes, pitch;
};

/// Rows for which columns are read once, at the speed of memory.
constexpr int64_t kFewRows = 48;

/// Is a product whose columns are neighbours in memory walked in tiles that read them where they are? Small ones are
/// walked in loops, as their operands stay in the caches; of large ones that many rows read again and again, tiles pack
/// a block of the columns at a time. Who packs whole operands and who walks them agree on these.
bool isWalkedInPlace(const ProductSizes &product, const Machine &machine);
bool isPackedByTiles(const ProductSizes &product, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_CONTRACTION_H
