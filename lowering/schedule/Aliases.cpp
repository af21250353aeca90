// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/Aliases.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {

bool isView(Operation &op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, rt::PartsOp, OptimizationBarrierOp>(op);
}

Aliases::Aliases(func::FuncOp main) {
  main.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isView(*op)) {
      for (auto [result, operand] : llvm::zip(op->getResults(), op->getOperands()))
        if (isTensor(result))
          alias(result, operand);
      return;
    }
    auto loop = dyn_cast<scf::WhileOp>(op);
    if (!loop || loop.getInits().size() != loop.getNumResults())
      return;
    ValueRange forwarded = loop.getConditionOp().getArgs(), yielded = loop.getYieldOp().getOperands();
    for (auto [i, init] : llvm::enumerate(loop.getInits())) {
      if (!isTensor(init) || forwarded[i] != loop.getBeforeArguments()[i] || yielded[i] != loop.getAfterArguments()[i])
        continue;
      for (Value same :
           {Value(loop.getBeforeArguments()[i]), Value(loop.getAfterArguments()[i]), Value(loop.getResult(i))})
        alias(same, init);
    }
  });
}

void Aliases::alias(Value value, Value of) {
  Value root = rootOf(of);
  roots[value] = root;
  SmallVector<Value> &group = members[root];
  if (group.empty())
    group.push_back(root);
  group.push_back(value);
}

bool Aliases::isUnused(Value root) const {
  return !anyOf(
      root, [](Value value) { return llvm::any_of(value.getUsers(), [](Operation *user) { return !isView(*user); }); });
}

bool Aliases::isDeadAfter(Value root, Operation &op) const {
  return !anyOf(root, [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      if (isView(*user))
        return false; // its results are members too
      Operation *ancestor = op.getBlock()->findAncestorOpInBlock(*user);
      return ancestor && ancestor != &op && op.isBeforeInBlock(ancestor);
    });
  });
}

bool Aliases::isUsedInside(Value root, Operation &op) const {
  return anyOf(root, [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return op.isProperAncestor(user); });
  });
}

bool Aliases::isUsedInside(Value root, Region &region) const {
  return anyOf(root, [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return region.isAncestor(user->getParentRegion()); });
  });
}

} // namespace mlir::xla
