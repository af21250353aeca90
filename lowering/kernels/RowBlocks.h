// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contraction, row kernel, contraction: one kernel for blocks of common rows, as in attention; or without the second
// one.

#ifndef MLIR_XLA_LOWERING_KERNELS_ROWBLOCKS_H
#define MLIR_XLA_LOWERING_KERNELS_ROWBLOCKS_H

#include "mlir_xla/lowering/kernels/Clusters.h"

namespace mlir::xla {

/// Merges clusters of rows with the contractions before and behind them where nobody else reads what is in between. On
/// a `device`, which streams keys past few rows, also where these are few or have keys of their own.
void fuseRowBlocks(std::vector<Cluster> &clusters, KernelOps &known, bool device, const Machine &machine);

/// Gives kernels of rows blocks of them, where each nest should be done for several rows before the next one is.
void blockRows(std::vector<Cluster> &clusters, KernelOps &known, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_ROWBLOCKS_H
