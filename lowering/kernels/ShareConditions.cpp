// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-share-conditions`: what the condition of a loop has computed of the loop's values, the body does not compute
// again.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/KernelOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SHARECONDITIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// The ops of a loop's body that its condition has computed of the same values.
class Known {
public:
  explicit Known(scf::WhileOp loop);
  /// Results in the body that follow from a reduction, or from what is a kernel by itself, with those in the condition;
  /// the last ones, as what is only needed for another of them is not needed then.
  SmallVector<std::pair<Value, Value>> results();

private:
  Operation *find(Operation *op);

  scf::WhileOp loop;
  DenseMap<OperationName, SmallVector<Operation *>> ofCondition;
  DenseMap<Value, Value> same;             // of a value in the body, that in the condition
  llvm::SetVector<Operation *> worthwhile; // ops of the body
};
} // namespace

/// Does the work of more than an element for each of its results?
static bool isWork(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() != 0;
  return isComputing(op) && !isa<tensor::InsertSliceOp>(op);
}

Operation *Known::find(Operation *op) {
  auto check = [&](Value own, Value other) { return success(own == other || same.lookup(own) == other); };
  auto mark = [&](Value own, Value other) { same[own] = other; };
  auto candidates = ofCondition.find(op->getName());
  if (candidates == ofCondition.end() || !isMemoryEffectFree(op))
    return nullptr;
  for (Operation *other : candidates->second)
    if (OperationEquivalence::isEquivalentTo(op, other, check, mark, OperationEquivalence::IgnoreLocations))
      return other;
  return nullptr;
}

Known::Known(scf::WhileOp loop) : loop(loop) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    ofCondition[op.getName()].push_back(&op);
  for (auto [argument, value] : llvm::zip_equal(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
    same[argument] = value;
  for (Operation &op : loop.getAfterBody()->without_terminator()) {
    Operation *other = find(&op);
    if (!other)
      continue;
    for (auto [own, known] : llvm::zip_equal(op.getResults(), other->getResults()))
      same[own] = known;
    auto follows = [&](Value value) { return worthwhile.contains(value.getDefiningOp()); };
    if (isWork(&op) || llvm::any_of(valuesRead(&op), follows))
      worthwhile.insert(&op);
  }
}

SmallVector<std::pair<Value, Value>> Known::results() {
  SmallVector<std::pair<Value, Value>> found;
  for (Operation *op : worthwhile)
    for (Value result : op->getResults()) {
      auto isElse = [&](Operation *user) {
        return !worthwhile.contains(loop.getAfterBody()->findAncestorOpInBlock(*user));
      };
      if (isa<RankedTensorType>(result.getType()) && llvm::any_of(result.getUsers(), isElse))
        found.emplace_back(result, same.lookup(result));
    }
  return found;
}

/// scf.while .. { .. scf.condition(%p) %x } do { (%x): %0 = ..  }  ->  { .. scf.condition(%p) %x, %0 } do { (%x, %0): }
static void handOn(scf::WhileOp loop, ArrayRef<std::pair<Value, Value>> results) {
  OpBuilder b(loop);
  SmallVector<Type> types(loop.getResultTypes());
  scf::ConditionOp condition = loop.getConditionOp();
  for (auto [own, known] : results) {
    types.push_back(known.getType());
    condition.getArgsMutable().append(known);
    own.replaceAllUsesWith(loop.getAfterBody()->addArgument(known.getType(), own.getLoc()));
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getAfterBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
  auto longer = scf::WhileOp::create(b, loop.getLoc(), types, loop.getInits());
  longer->setAttrs(loop->getAttrs());
  longer.getBefore().takeBody(loop.getBefore());
  longer.getAfter().takeBody(loop.getAfter());
  loop.replaceAllUsesWith(longer.getResults().take_front(loop.getNumResults()));
  loop.erase();
}

namespace {
struct ShareConditionsPass : public mlir::xla::impl::ShareConditionsBase<ShareConditionsPass> {
  void runOnOperation() override {
    getOperation().walk([](scf::WhileOp loop) {
      if (SmallVector<std::pair<Value, Value>> results = Known(loop).results(); !results.empty())
        handOn(loop, results);
    });
  }
};
} // namespace
