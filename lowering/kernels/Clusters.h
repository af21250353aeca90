// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a block share a kernel.

#ifndef MLIR_XLA_LOWERING_KERNELS_CLUSTERS_H
#define MLIR_XLA_LOWERING_KERNELS_CLUSTERS_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/nest/KernelOps.h"

namespace mlir::xla {

struct Cluster {
  SmallVector<Operation *> ops; // in block order; without the free ops that are cloned into it
  KernelKind kind = KernelKind::Elementwise;
  SmallVector<int64_t> rows;  // row dimensions of a kernel of several nests
  int64_t block = 0;          // of the last of them, rows that are done together
  SmallVector<Value> outputs; // values of `ops` that others use
};

/// Partitions the computing ops of `block`, which `ops` knows, into clusters, in an order in which they can be
/// executed, for a CPU or for a `device`. Fails, after an error, at an op that no kernel can compute.
FailureOr<std::vector<Cluster>> formClusters(Block &block, KernelOps &ops, bool device, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_CLUSTERS_H
