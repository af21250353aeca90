// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that are linear functions of the loop indices of a nest.

#ifndef MLIR_XLA_LOWERING_NEST_LINEARINDEX_H
#define MLIR_XLA_LOWERING_NEST_LINEARINDEX_H

#include "mlir_xla/lowering/nest/LoopNest.h"

namespace mlir::xla {

struct LinearIndex {
  int64_t constant = 0;
  SmallVector<int64_t> dims;
};

/// What is known of the integers of one nest, whose loops have `sizes` iterations. Operands are shared, so it is kept.
class LinearIndices {
public:
  explicit LinearIndices(ArrayRef<int64_t> sizes) : sizes(sizes) {}
  /// `node` as a linear function, if it is one wherever the nest stands, and has not wrapped.
  std::optional<LinearIndex> of(ExprNode *node);

private:
  std::optional<LinearIndex> compute(ExprNode *node);
  bool isSmall(const LinearIndex &index, unsigned bits) const;

  ArrayRef<int64_t> sizes;
  DenseMap<ExprNode *, std::optional<LinearIndex>> known;
};

/// What is read or written at computed indices that are linear, such as frames of a signal that begin at multiples, is
/// at addresses of which that is known: neighbours are vectors, and not gathered.
void resolveLinearIndices(LoopNest &nest);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_LINEARINDEX_H
