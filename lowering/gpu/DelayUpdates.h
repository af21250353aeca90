// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Software pipelining of loops that stack up results: what one iteration stacks is written in the next one, where it
// can share a launch with that iteration's kernels.

#ifndef MLIR_XLA_LOWERING_GPU_DELAYUPDATES_H
#define MLIR_XLA_LOWERING_GPU_DELAYUPDATES_H

#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::xla {

/// On a kernel that overwrites places of one tensor, its update, and does not read that: the arguments, by number,
/// that say which places these are.
constexpr StringLiteral kPlacedBy = "xla_rt.placed_by";

/// Updates of a stack that wait for what the iteration computes, and that nothing in the loop waits for, come to the
/// beginning of the next iteration, where they need nothing of the others any more. Returns the loop that does so, or
/// the same one. `mayJoin`: whether a call can share a launch with others.
scf::ForOp delayUpdates(scf::ForOp loop, const SymbolTable &symbols, function_ref<bool(func::CallOp)> mayJoin);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_DELAYUPDATES_H
