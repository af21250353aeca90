// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MLIR_XLA_LOWERING_KERNELS_RECOMPUTE_H
#define MLIR_XLA_LOWERING_KERNELS_RECOMPUTE_H

#include "mlir_xla/lowering/kernels/Clusters.h"

namespace mlir::xla {

/// Lets clusters compute again, element by element, what others would hand to them in memory, but for the results of
/// `kept`. On a `device`, clusters that have a single reader are part of it, whatever they read.
void recomputeOutputs(Block &block, std::vector<Cluster> &clusters, KernelOps &known,
                      const llvm::SmallPtrSetImpl<KernelOp *> &kept, bool device);

/// Likewise, whatever its size, what follows from indices and from what others than the cluster have computed, if that
/// is much smaller: masks, which all layers of a network may share.
void recomputeMasks(Block &block, std::vector<Cluster> &clusters, KernelOps &known);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_RECOMPUTE_H
