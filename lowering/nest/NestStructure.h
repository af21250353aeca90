// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop nests of a kernel before any of their code exists. Fusion asks here whether some ops can share a kernel, and
// KernelNests builds the nests of a kernel from the answer, so that what is fused can be built.

#ifndef MLIR_XLA_LOWERING_NEST_NESTSTRUCTURE_H
#define MLIR_XLA_LOWERING_NEST_NESTSTRUCTURE_H

#include "mlir_xla/lowering/nest/KernelOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {

/// What a window reads along the last row dimension of its kernel: row i of the kernel begins at row i * stride of the
/// tensor, and reaches `reach` rows from there.
struct WindowRows {
  int64_t stride = 1, reach = 1;
  /// Rows of the tensor that a block reads.
  int64_t extent(int64_t block) const { return (block - 1) * stride + reach; }
  bool operator==(const WindowRows &other) const { return stride == other.stride && reach == other.reach; }
};

/// How a reduction reads a tensor by `map`, with the indices of its rows and with a window along the last of them.
struct WindowRead {
  SmallVector<unsigned> resultDims; // the dimensions of the reduction's result that are rows,
  SmallVector<unsigned> sourceDims; // and those of the tensor that they walk
  WindowRows rows;
  bool isOfResult = false; // the window, in part
};

/// The read, if the rows are the first `numRows` dimensions of the result of `op` by which it reads at all. All of them
/// are indices of the tensor but the last, to which a window may be added.
std::optional<WindowRead> matchWindowRead(linalg::LinalgOp op, AffineMap map, unsigned numRows);

/// Something that a nest computes and keeps: everything else is computed where it is read.
struct NestJob {
  enum Kind {
    Elementwise, // `value`, element by element, to memory
    Reduction,   // all results of the op
    Scan,        // likewise
    Update,      // the source of an insertion, to a part of the destination's memory; or the end of a reduction's nest
  };
  Kind kind = Elementwise;
  KernelOp *op = nullptr;
  Value value;                      // null for a reduction and a scan
  SmallVector<int64_t> sizes;       // of its loops: rows, the other parallel ones, reduced ones
  SmallVector<unsigned> order;      // which loop walks each dimension of its value; empty: the one of that number
  std::optional<WindowRows> window; // Elementwise: what of its value one block of rows reads
  unsigned numParallel = 0;         // rows included
  unsigned nest = 0;                // the number of its nest
  bool isEpilogue = false;          // done when the reduction of its nest is complete
  bool isRowScalar = false;         // a reduction with one value per row, which later nests find in a register
  /// Reduction: the results, by their numbers, that are returned or that later nests read from memory.
  SmallVector<bool, 2> stored;
};

struct NestStructure {
  KernelKind kind = KernelKind::Elementwise;
  SmallVector<int64_t> rows; // dimensions 0 .. n-1 of every nest, which are executed one after the other for each row
  int64_t block = 0;         // rows along the last of them that are done together; 0: each by itself
  bool phased = false;       // no contraction is done for the block: each nest walks all of its rows
  std::vector<NestJob> jobs; // in order
  /// Per nest: it walks the rows of a block itself.
  SmallVector<bool> walksBlock;
  unsigned numNests = 0;
  unsigned numDims = 0;
};

/// Why ops cannot share a kernel.
struct NestRefusal {
  StringRef why;
  Operation *op = nullptr;
};

/// The nests that compute `outputs`, which are results of `ops`: ops of one block, in its order, that `known` knows.
/// What they read of others, or through free ops, needs no mention. Nests are executed for each of `rows`, or, if
/// `block` is not 0, for blocks of so many along the last dimension of them: a reduction to more than one value for
/// each row then has a nest over the rows of the block, and what it leaves for other nests is in memory of the block.
/// So has everything where there is no such reduction.
FailureOr<NestStructure> analyzeNests(KernelOps &known, ArrayRef<KernelOp *> ops, ArrayRef<Value> outputs,
                                      ArrayRef<int64_t> rows, int64_t block, NestRefusal &refusal);

/// Does `slice` have the place in a tensor that `update` writes?
bool isPlaceOf(tensor::ExtractSliceOp slice, tensor::InsertSliceOp update);

/// Would the kernel of `update`, the last of `ops`, read the memory that it writes, also through views that are
/// arguments of the kernel, other than each element before it is written? That memory would have to be copied first.
bool readsWhatItWrites(tensor::InsertSliceOp update, ArrayRef<KernelOp *> ops);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_NESTSTRUCTURE_H
