// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a block share a kernel.

#ifndef MLIR_XLA_LOWERING_KERNELS_CLUSTERS_H
#define MLIR_XLA_LOWERING_KERNELS_CLUSTERS_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xla {

struct Cluster {
  SmallVector<Operation *> ops; // in block order; without the free ops that are cloned into it
  KernelKind kind = KernelKind::Elementwise;
  SmallVector<int64_t> rows;  // row dimensions of a kernel of several nests
  SmallVector<Value> outputs; // values of `ops` that others use
};

/// True for ops that a kernel recomputes where it needs them: views, fills, splat constants, uninitialised tensors,
/// scalar arithmetic and scalar reads.
bool isFree(Operation *op);

/// The tensor or scalar values that `op` reads, those captured by its region included.
SmallVector<Value> valuesRead(Operation *op);

/// Partitions the computing ops of `block` into clusters, in an order in which they can be executed.
std::vector<Cluster> formClusters(Block &block);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_CLUSTERS_H
