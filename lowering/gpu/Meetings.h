// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the threads of a block that go through a loop together have to meet.

#ifndef MLIR_XLA_LOWERING_GPU_MEETINGS_H
#define MLIR_XLA_LOWERING_GPU_MEETINGS_H

#include "mlir_xla/lowering/gpu/ThreadAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {

using AccessMap = DenseMap<Operation *, SmallVector<ThreadAccess>>;

/// Threads meet before an operation, or, if that ends the body of a loop, before its next iteration.
using MeetingPlaces = llvm::DenseSet<Operation *>;

/// As few as greed finds: each is before what somebody has to wait for. `accesses`: of calls. `isDoWhile`: the second
/// region comes first, and the operation that ends the first one is what ends the body.
MeetingPlaces meetingPlaces(scf::WhileOp loop, bool isDoWhile, const AccessMap &accesses);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_MEETINGS_H
