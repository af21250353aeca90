// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters: the schedule on tensors, kernels as declarations with implementations. Leaves: the schedule on pointers.

#include "mlir_xla/lowering/schedule/LowerSchedule.h"

namespace mlir::xla {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "mlir_xla/lowering/schedule/Passes.h.inc"

namespace {

/// scf.for is the one loop without a `before` side; as a while it needs no treatment of its own.
/// scf.for %i = %lb to %ub step %s iter_args(%x = %a)  ->  scf.while (%i = %lb, %x = %a) : ... { %i < %ub } do { ... }
void rewriteAsWhile(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits = {loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  SmallVector<Type> types = llvm::to_vector(ValueRange(inits).getTypes());
  auto before = [&](OpBuilder &b, Location, ValueRange args) {
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value more = arith::CmpIOp::create(b, loc, predicate, args[0], loop.getUpperBound());
    scf::ConditionOp::create(b, loc, more, args);
  };
  auto after = [&](OpBuilder &b, Location, ValueRange args) {
    Operation *yield = loop.getBody()->getTerminator();
    SmallVector<Value> next = {arith::AddIOp::create(b, loc, args[0], loop.getStep())};
    for (auto [arg, replacement] : llvm::zip(loop.getBody()->getArguments(), args))
      arg.replaceAllUsesWith(replacement);
    llvm::append_range(next, yield->getOperands());
    b.getInsertionBlock()->getOperations().splice(b.getInsertionBlock()->begin(), loop.getBody()->getOperations(),
                                                  loop.getBody()->begin(), yield->getIterator());
    scf::YieldOp::create(b, loc, next);
  };
  auto loopAsWhile = scf::WhileOp::create(builder, loc, types, inits, before, after);
  loop.replaceAllUsesWith(loopAsWhile.getResults().drop_front());
  loop.erase();
}

struct AssignBuffersPass : impl::AssignBuffersBase<AssignBuffersPass> {
  using AssignBuffersBase::AssignBuffersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) {
      module.emitError("has no function @main to assign buffers for");
      return signalPassFailure();
    }
    if (main->hasAttr(XlaRtDialect::kArenaSize))
      return; // done before
    // Outer loops first: the body of a rewritten loop moves as a whole.
    SmallVector<scf::ForOp> loops;
    main.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      rewriteAsWhile(loop);
    if (failed(ScheduleLowering(module, main, threads).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::xla
