// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the planner hides the latency of long chains of instructions, each of which waits for the one before: it has
// several vectors computed in turn, or cuts the chain into parts that are loops of their own.

#ifndef MLIR_XLA_LOWERING_CPU_PLANCHAINS_H
#define MLIR_XLA_LOWERING_CPU_PLANCHAINS_H

#include "mlir_xla/lowering/cpu/NestPlan.h"

namespace mlir::xla {

struct Chains {
  const LoopNest &nest;
  const Machine &machine;
  ArrayRef<ExprNode *> nodes;
  unsigned operations, expensive, functions; // of an iteration; all, and those of them that are long chains

  /// Has loops of elements computed for several vectors at a time, if there are any.
  bool takeLoops(NestPlan &plan) const;
  /// Cuts what is more than a function, or a long one, into parts.
  void distribute(NestPlan &plan) const;
  /// Has several vectors computed in turn.
  void interleave(NestPlan &plan) const;

private:
  /// Operations that wait for each other.
  unsigned longest() const;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_PLANCHAINS_H
