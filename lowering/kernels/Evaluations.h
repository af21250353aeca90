// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much code a cluster becomes: what is read at several positions is computed at each of them.

#ifndef MLIR_XLA_LOWERING_KERNELS_EVALUATIONS_H
#define MLIR_XLA_LOWERING_KERNELS_EVALUATIONS_H

#include "mlir_xla/lowering/nest/KernelOps.h"

namespace mlir::xla {

/// Are too many elements of results of `ops`, in block order, computed for one element of what they compute together?
/// A chain of ops that each read the last at two positions computes 2^n elements of the first.
bool evaluatesTooMuch(ArrayRef<KernelOp *> ops);

/// Instructions for what `ops`, which are elementwise, compute together, each element by itself; nothing if that is
/// read at too many positions to be counted.
std::optional<int64_t> instructionsOf(ArrayRef<KernelOp *> ops);

/// About how many numbers of 32 bits a thread has at the same time that computes an element of each of `ops`, in order;
/// nothing if they are not elementwise, or read of each other what is elsewhere.
std::optional<int64_t> numbersAtOnce(ArrayRef<KernelOp *> ops);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_EVALUATIONS_H
