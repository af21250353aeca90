// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MLIR_XLA_LOWERING_KERNELS_RECOMPUTE_H
#define MLIR_XLA_LOWERING_KERNELS_RECOMPUTE_H

#include "mlir_xla/lowering/kernels/Clusters.h"

namespace mlir::xla {

/// How often the loops of `consumer` evaluate one element of what it reads. Loops that only follow (are nested in) the
/// tensor's own loops reuse the value and do not count.
int64_t evaluations(const KernelOp &consumer, const KernelOp::Read &read);

/// May `consumer` evaluate again what it reads, wherever it reads it?
bool mayRecompute(const KernelOp &consumer, const KernelOp::Read &read);

/// Is what a contraction reads computed of a tensor of bytes, and of two thirds as many bytes or fewer, by what
/// `isJoined`, and for so few rows that a block has all of them? Then blocks of a device compute it once, as they bring
/// it: weights of 8 bits and their scales.
bool isOfFewerBytes(KernelOps &known, KernelOp &consumer, const KernelOp::Read &read,
                    llvm::function_ref<bool(const KernelOp &)> isJoined);

/// Lets clusters compute again, element by element, what others would hand to them in memory, but for the results of
/// `kept`. On a `device`, clusters that have a single reader are part of it, whatever they read.
void recomputeOutputs(Block &block, std::vector<Cluster> &clusters, KernelOps &known,
                      const llvm::SmallPtrSetImpl<KernelOp *> &kept, bool device);

/// Likewise, whatever its size, what follows from indices and from what others than the cluster have computed, if that
/// is much smaller: masks, which all layers of a network may share.
void recomputeMasks(Block &block, std::vector<Cluster> &clusters, KernelOps &known);

/// Is `op` a large tensor of copies, as of one number, or, but for a `device`, computed of such? It joins the kernels
/// that read it instead of the one that makes what is copied: in memory, it would be written and read for nothing.
bool joinsReaders(KernelOps &known, KernelOp &op, bool device);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_RECOMPUTE_H
