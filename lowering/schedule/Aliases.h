// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensors of the schedule are one buffer whatever the plan, and where in a block they are needed last.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_ALIASES_H
#define MLIR_XLA_LOWERING_SCHEDULE_ALIASES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::xla {

inline bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Ops whose results are their operands, one to one, in the same memory.
bool isView(Operation &op);

/// Views, and values that a loop carries unchanged, are the same buffer as their *root*. Holds as long as neither
/// change; calls may move.
class Aliases {
public:
  explicit Aliases(func::FuncOp main);

  Value rootOf(Value value) const { return roots.lookup_or(value, value); }

  /// Calls `visit` with the root and all that is the same buffer until it gives true; whether it did.
  template <typename Visit> bool anyOf(Value root, Visit visit) const {
    auto it = members.find(root);
    return it == members.end() ? visit(root) : llvm::any_of(it->second, visit);
  }

  /// Nothing reads it.
  bool isUnused(Value root) const;
  /// No op after `op` in its block reads it.
  bool isDeadAfter(Value root, Operation &op) const;
  bool isUsedInside(Value root, Operation &op) const;
  bool isUsedInside(Value root, Region &region) const;

private:
  void alias(Value value, Value of);

  DenseMap<Value, Value> roots;
  DenseMap<Value, SmallVector<Value>> members; // by root, which is the first
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_ALIASES_H
