// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scf.for as one block where its first iteration is certain: every block costs code generation time, and a loop
// that tests at its end runs faster. Upstream's conversion of scf.while wants one block in each of its regions, so the
// scf.while around such a loop goes first.

#include "mlir_xla/lowering/native/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// True if the loop runs once: its upper bound is at most its lower bound plus its step.
bool runsOnce(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  if (!step)
    return false;
  if (lower && upper)
    return *lower < *upper && *upper - *lower <= *step;
  auto sum = loop.getUpperBound().getDefiningOp<arith::AddIOp>();
  if (!sum || sum.getLhs() != loop.getLowerBound())
    return false;
  std::optional<int64_t> length = getConstantIntValue(sum.getRhs());
  return length && *length > 0 && *length <= *step;
}

bool runsAtLeastOnce(scf::ForOp loop) {
  if (loop->hasAttr(XlaRtDialect::kNonEmpty))
    return true;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper;
}

/// scf.for that runs once  ->  its body
void inlineBody(scf::ForOp loop, IRRewriter &rewriter) {
  SmallVector<Value> entering{loop.getLowerBound()};
  llvm::append_range(entering, loop.getInitArgs());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<Value> results(yield.getOperands());
  rewriter.eraseOp(yield);
  // A yielded block argument stands for what enters.
  for (Value &result : results)
    if (auto argument = dyn_cast<BlockArgument>(result); argument && argument.getOwner() == loop.getBody())
      result = entering[argument.getArgNumber()];
  rewriter.inlineBlockBefore(loop.getBody(), loop, entering);
  rewriter.replaceOp(loop, results);
}

/// scf.for %i = %lb to %ub step %s  ->  ^body(%i): ...; %next = %i + %s; cond_br %next < %ub, ^body(%next), ^end
void testAtEnd(scf::ForOp loop, IRRewriter &rewriter) {
  Location loc = loop.getLoc();
  SmallVector<Value> entering{loop.getLowerBound()};
  llvm::append_range(entering, loop.getInitArgs());
  Block *before = loop->getBlock(), *body = loop.getBody();
  Block *after = rewriter.splitBlock(before, Block::iterator(loop));
  Value step = loop.getStep(), upper = loop.getUpperBound();
  rewriter.inlineRegionBefore(loop.getRegion(), after);
  rewriter.setInsertionPointToEnd(before);
  cf::BranchOp::create(rewriter, loc, body, entering);
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  Value next = arith::AddIOp::create(rewriter, loc, body->getArgument(0), step);
  Value more = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, next, upper);
  SmallVector<Value> carried{next}, results(yield->getOperands());
  llvm::append_range(carried, results);
  cf::CondBranchOp::create(rewriter, loc, more, body, carried, after, ValueRange());
  rewriter.eraseOp(yield);
  rewriter.replaceOp(loop, results);
}

/// scf.while  ->  ^before(%x): ...; cond_br %p, ^body(%y), ^end; ^body(%y): ...; br ^before(%z)
void lowerWhile(scf::WhileOp loop, IRRewriter &rewriter) {
  Location loc = loop.getLoc();
  Block *before = loop->getBlock(), *end = rewriter.splitBlock(before, Block::iterator(loop));
  Block *test = loop.getBeforeBody(), *body = loop.getAfterBody();
  auto condition = cast<scf::ConditionOp>(test->getTerminator());
  rewriter.inlineRegionBefore(loop.getAfter(), end);
  rewriter.inlineRegionBefore(loop.getBefore(), body);
  rewriter.setInsertionPointToEnd(before);
  cf::BranchOp::create(rewriter, loc, test, loop.getInits());
  SmallVector<Value> carried(condition.getArgs());
  rewriter.setInsertionPoint(condition);
  cf::CondBranchOp::create(rewriter, loc, condition.getCondition(), body, carried, end, ValueRange());
  rewriter.eraseOp(condition);
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  cf::BranchOp::create(rewriter, loc, test, yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.replaceOp(loop, carried);
}

} // namespace

void mlir::xla::lowerNonEmptyLoops(ModuleOp module, bool controlFollows) {
  // Outer loops first, while their bodies are still one block.
  SmallVector<Operation *> loops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      loops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : loops) {
    // `lowerControl` takes a function's loops apart however many blocks they have, but no kernel's of a GPU.
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (isa<gpu::GPUFuncOp>(op->getParentOp()))
        lowerWhile(loop, rewriter);
      continue;
    }
    auto loop = cast<scf::ForOp>(op);
    // Blocks with arguments of type `index` are converted in a function's own region only: in a loop or branch of the
    // schedule, which is split for polls, they are left to the conversion.
    if (loop.getInductionVar().getType().isIndex() && !isa<func::FuncOp>(loop->getParentOp()))
      continue;
    // Upstream's patterns take loops and switches apart whose regions are one block each.
    bool staysBlock =
        isa<scf::IndexSwitchOp>(loop->getParentOp()) ||
        (isa<scf::WhileOp>(loop->getParentOp()) && (!controlFollows || loop->getParentOfType<gpu::GPUFuncOp>()));
    if (runsOnce(loop))
      inlineBody(loop, rewriter);
    else if (runsAtLeastOnce(loop) && !staysBlock)
      testAtEnd(loop, rewriter);
  }
}
