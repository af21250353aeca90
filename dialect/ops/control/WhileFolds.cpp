// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of `xla.while`: loops that never run, carried values that never change or that nothing needs.

#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// xla.while(%a = %x) cond { return false } do {...}  ->  %x
struct DropLoopThatNeverRuns : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op, PatternRewriter &rewriter) const override {
    Attribute condition;
    if (!matchPattern(getReturn(op.getCond()).getOperand(0), m_Constant(&condition)) ||
        op.getOperand().getTypes() != op.getResultTypes())
      return failure();
    auto elements = dyn_cast<DenseElementsAttr>(condition);
    bool effects = llvm::any_of(op.getCond().getOps(), [](Operation &nested) { return !isMemoryEffectFree(&nested); });
    if (!elements || elements.getSplatValue<bool>() || effects)
      return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

/// Removes the carried values that `keep` does not mention; their block arguments and results must be unused.
static void keepCarried(PatternRewriter &rewriter, WhileOp op, const llvm::BitVector &keep) {
  SmallVector<Value> operands;
  for (unsigned i : keep.set_bits())
    operands.push_back(op.getOperand()[i]);
  auto rebuilt = cast<WhileOp>(keepResults(rewriter, op, operands, keep, &op.getBody()));
  rewriter.modifyOpInPlace(rebuilt, [&] {
    for (Region *region : {&rebuilt.getCond(), &rebuilt.getBody()})
      region->front().eraseArguments(llvm::BitVector(keep).flip());
  });
}

/// True if both values are the same or the same constant.
static bool areEqual(Value lhs, Value rhs) {
  Attribute left, right;
  return lhs == rhs || (lhs.getType() == rhs.getType() && matchPattern(lhs, m_Constant(&left)) &&
                        matchPattern(rhs, m_Constant(&right)) && left == right);
}

/// xla.while(%a = %x, %b = %y) do { return %f, %b }  ->  xla.while(%a = %x) do { return %f }  with %y for %b
struct HoistUnchangedValues : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op, PatternRewriter &rewriter) const override {
    llvm::BitVector keep(op->getNumResults(), true);
    ReturnOp next = getReturn(op.getBody());
    for (auto [i, init] : llvm::enumerate(op.getOperand())) {
      BlockArgument inCond = op.getCond().getArgument(i), inBody = op.getBody().getArgument(i);
      bool unchanged = next.getOperand(i) == inBody || areEqual(next.getOperand(i), init);
      if (!unchanged || inCond.getType() != init.getType() || inBody.getType() != init.getType() ||
          op.getResult(i).getType() != init.getType())
        continue;
      rewriter.replaceAllUsesWith(inCond, init);
      rewriter.replaceAllUsesWith(inBody, init);
      rewriter.replaceAllUsesWith(op.getResult(i), init);
      keep.reset(i);
    }
    if (keep.all())
      return failure();
    keepCarried(rewriter, op, keep);
    return success();
  }
};

/// Finds the carried values that a result, the condition or a side effect needs.
class NeededValues {
public:
  explicit NeededValues(WhileOp op) : op(op), body(op.getBody().front()), needed(op->getNumResults()) {
    for (OpResult result : op->getResults())
      if (!result.use_empty() || !op.getCond().getArgument(result.getResultNumber()).use_empty())
        addCarried(result.getResultNumber());
    for (Operation &nested : body.without_terminator())
      if (!isMemoryEffectFree(&nested))
        addOp(&nested);
    while (!worklist.empty())
      addOperandsOf(worklist.pop_back_val());
  }
  const llvm::BitVector &get() const { return needed; }

private:
  void addCarried(unsigned i) {
    if (needed.test(i))
      return;
    needed.set(i);
    addValue(getReturn(op.getBody()).getOperand(i));
  }
  void addOp(Operation *nested) {
    if (seen.insert(nested).second)
      worklist.push_back(nested);
  }
  void addValue(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body)
      addCarried(argument.getArgNumber());
    else if (Operation *definition = value.getDefiningOp(); definition && definition->getBlock() == &body)
      addOp(definition);
  }
  void addOperandsOf(Operation *top) {
    top->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        addValue(operand);
    });
  }

  WhileOp op;
  Block &body;
  llvm::BitVector needed;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> worklist;
};

/// xla.while(%a = %x, %b = %y) do { return %f(%a), %g(%b) }  ->  xla.while(%a = %x) do { return %f(%a) }
/// if the second result is unused and the condition does not look at %b
struct DropUnneededValues : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op, PatternRewriter &rewriter) const override {
    const llvm::BitVector keep = NeededValues(op).get();
    if (keep.all())
      return failure();
    // What still uses a dropped argument only feeds dropped values: it becomes dead once it reads the initial value.
    for (auto [i, init] : llvm::enumerate(op.getOperand()))
      if (!keep.test(i))
        rewriter.replaceAllUsesWith(op.getBody().getArgument(i), init);
    keepCarried(rewriter, op, keep);
    return success();
  }
};

} // namespace

void WhileOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropLoopThatNeverRuns, HoistUnchangedValues, DropUnneededValues>(context);
}
