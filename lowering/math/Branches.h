// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches for what is rare: taken if any lane of a vector needs them.

#ifndef MLIR_XLA_LOWERING_MATH_BRANCHES_H
#define MLIR_XLA_LOWERING_MATH_BRANCHES_H

#include "mlir_xla/lowering/RealValue.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::xla {

/// Whether `condition` holds in any lane.
inline Value anyLane(ImplicitLocOpBuilder &b, Value condition) {
  if (isa<VectorType>(condition.getType()))
    return vector::ReductionOp::create(b, vector::CombiningKind::OR, condition);
  return condition;
}

/// What `then` makes of `otherwise`, or `otherwise` itself if no lane has `condition`.
inline SmallVector<Value> ifAny(ImplicitLocOpBuilder &b, Value condition, ValueRange otherwise,
                                llvm::function_ref<SmallVector<Value>(ImplicitLocOpBuilder &)> then) {
  auto branch = scf::IfOp::create(
      b, anyLane(b, condition),
      [&](OpBuilder &builder, Location loc) {
        ImplicitLocOpBuilder inner(loc, builder);
        scf::YieldOp::create(builder, loc, then(inner));
      },
      [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, otherwise); });
  return SmallVector<Value>(branch.getResults());
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_BRANCHES_H
