// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a block whose threads go through a loop of the schedule together needs barriers.

#ifndef MLIR_XLA_LOWERING_GPU_MEETINGS_H
#define MLIR_XLA_LOWERING_GPU_MEETINGS_H

#include "mlir_xla/lowering/gpu/ThreadAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {

using AccessMap = DenseMap<Operation *, SmallVector<ThreadAccess>>;

/// Threads meet before an operation, or, if that ends the body of a loop, before its next iteration.
using MeetingPlaces = llvm::DenseSet<Operation *>;

/// A greedy choice of few barriers: each is before something that has to wait for what other threads did. `accesses`
/// are those of calls. With `isDoWhile`, the second region comes first, and the operation that ends the first one is
/// what ends the body.
MeetingPlaces meetingPlaces(scf::WhileOp loop, bool isDoWhile, const AccessMap &accesses);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_MEETINGS_H
