// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products, as a recurrent cell's x w + h u: one kernel, for blocks of rows.

#ifndef MLIR_XLA_LOWERING_KERNELS_PRODUCTSUMS_H
#define MLIR_XLA_LOWERING_KERNELS_PRODUCTSUMS_H

#include "mlir_xla/lowering/kernels/Clusters.h"

namespace mlir::xla {

/// Merges contractions with a contraction whose kernel alone adds their results to its own, where each would be too
/// little work for several cores, and all together are not.
void fuseProductSums(std::vector<Cluster> &clusters, KernelOps &known, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_PRODUCTSUMS_H
