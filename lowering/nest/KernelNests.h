// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel as a sequence of loop nests over common rows.

#ifndef MLIR_XLA_LOWERING_NEST_KERNELNESTS_H
#define MLIR_XLA_LOWERING_NEST_KERNELNESTS_H

#include "mlir_xla/lowering/nest/LoopNest.h"

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

namespace mlir::xla {

/// Of results whose columns are computed and stored one by one, so that a vector of rows is a few vectors of elements.
constexpr int64_t kMostColumns = 16;
/// So few are computed one by one wherever something is chosen by the column; of more, each is another one's.
constexpr int64_t kFewColumns = 4;

/// Is an element of `value` chosen by its last index, as where columns were put together? What it is computed of may
/// be, element by element: `most` ops are looked at behind each other.
bool choosesByColumn(Value value, unsigned most = 8);

struct KernelNests {
  std::unique_ptr<DenseMap<Value, Buffer>> memory;
  std::unique_ptr<KernelExprs> exprs;
  SmallVector<int64_t> rows; // sizes of the row dimensions (dimensions 0 .. n-1 of every nest)
  int64_t block = 0;         // rows that are done together; dimension n is the row within the block
  SmallVector<std::unique_ptr<Block>> expansions; // operations that expressions apply beside the kernel's
  std::vector<LoopNest> nests;                    // executed in order for each row
  SmallVector<int> argumentSlots;                 // slot of each kernel argument, -1 for scalars
  SmallVector<unsigned> resultSlots;
  SmallVector<int32_t> tied;           // per result: the argument it updates in place, or -1
  SmallVector<int64_t> scratchOffsets; // slots after the results: byte offsets of the row buffers
  int64_t scratchBytes = 0;
};

/// Decides which values of `kernel` become memory, and groups their computation into nests.
FailureOr<KernelNests> buildKernelNests(func::FuncOp kernel);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_KERNELNESTS_H
