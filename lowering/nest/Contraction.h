// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that says what a contraction is.

#ifndef MLIR_XLA_LOWERING_NEST_CONTRACTION_H
#define MLIR_XLA_LOWERING_NEST_CONTRACTION_H

#include "mlir_xla/lowering/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::xla {

/// The roles of the loops if `op` sums products of the elements of two tensors, with projected permutations as maps.
std::optional<linalg::ContractionDimensions> matchContraction(Operation *op);

/// The position of `loop` among the results of `map`, if it is one of them and occurs in no other.
std::optional<unsigned> positionOf(AffineMap map, unsigned loop);

/// True if `op` sums products of the elements of two tensors, which it may read by any map: a contraction or a
/// convolution.
bool isSumOfProducts(linalg::GenericOp op);

/// Are sums of products of this type computed in vectors of it, one product for each lane?
bool isSummedInLanes(Type type);

/// Does `machine` multiply what `op`, which sums products, widens, a few steps at a time?
bool isForInstructions(linalg::GenericOp op, const Machine &machine);

/// Has the processor an instruction for products of two such narrow floats, which it sums in f32?
bool multipliesFloats(Type narrow, const Machine &machine);

/// Sizes of a product of floats: `rows` along the longest of their dimensions. From one step to the next its columns
/// are `pitch` bytes apart. Each factor is walked in memory along the steps or along its own dimension. Of several
/// batches, each has columns of its own.
struct ProductSizes {
  int64_t rows, columns, steps, elementBytes, pitch;
  bool rowsAlongSteps = true, columnsAlongSteps = false, isBatched = false;
  bool areRowsWidened = false, areColumnsWidened = false; // narrow floats in memory, which have no instruction
};

/// What tiles copy, a block at a time, to where they read it in order.
struct TilePacking {
  bool rows, columns;
};

/// Rows for which columns are read once, at the speed of memory.
constexpr int64_t kFewRows = 48;

/// Rows from which on a copy of the columns for them is little of the work.
constexpr int64_t kRowsOfCopy = 12;

/// Steps of a block of columns, at most, where one has all of so many steps, and else; and beside packed rows.
constexpr int64_t kStepsOfOneBlock = 1024, kStepsOfBlock = 512, kStepsOfPackedRows = 256;

/// Rows that are packed at a time, at most, and columns for which they are; half of these where they are packed as
/// well.
constexpr int64_t kPackedRowsOfBlock = 192, kColumnsOfPackedRows = 512;

/// How tiles walk a product of floats; null if loops do, as the operands of small ones stay in the caches. Tiles read
/// columns where they are, unless many rows read again and again what is large or awkward for the caches, and copy what
/// is walked along the other dimension, transposed. Who packs whole operands and who plans tiles agree on this.
std::optional<TilePacking> tilePackingOf(const ProductSizes &product, const Machine &machine);

/// Blocks of rows that go through two products (RowBlocks) read the factors that all rows share once for each block. Is
/// one of them, of `along` by `across` elements, too large for the second-level cache, and is that more than a block
/// leaves there, rows of `along` values between the products? Tiles read it for many more rows then.
bool streamsThroughBlocks(int64_t along, int64_t across, Type element, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_CONTRACTION_H
