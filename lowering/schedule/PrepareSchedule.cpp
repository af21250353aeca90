// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters and leaves: the schedule on tensors. What is left to plan are loops of one kind, in the order that needs the
// fewest copies.

#include "mlir_xla/lowering/schedule/BufferPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {

/// scf.for is the one loop without a `before` side; as a while it needs no treatment of its own.
/// scf.for %i = %lb to %ub step %s iter_args(%x = %a)  ->  scf.while (%i = %lb, %x = %a) : ... { %i < %ub } do { ... }
static void rewriteAsWhile(scf::ForOp loop) {
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
  std::optional<APInt> trips = loop.getStaticTripCount();
  bool isCounted = trips && loop.getInductionVar().use_empty();
  auto loopAsWhile = scf::WhileOp::create(builder, loc, types, inits, before, after);
  if (isCounted)
    loopAsWhile->setAttr(kTrips, builder.getIndexAttr(trips->getSExtValue()));
  if (Attribute mark = loop->getAttr(kLaunched))
    loopAsWhile->setAttr(kLaunched, mark);
  loop.replaceAllUsesWith(loopAsWhile.getResults().drop_front());
  loop.erase();
}

/// The last op of the call's block that reads what the call may overwrite; the call itself if no other does.
static Operation *lastReader(func::CallOp call, ImplementationAttr contract, const Aliases &aliases) {
  Operation *last = call;
  for (ResultMemory memory : contract.getResults()) {
    if (memory.kind == ResultMemory::New)
      continue;
    aliases.anyOf(aliases.rootOf(call.getOperand(memory.argument)), [&](Value member) {
      for (Operation *user : member.getUsers())
        if (Operation *reader = call->getBlock()->findAncestorOpInBlock(*user); reader && last->isBeforeInBlock(reader))
          last = reader;
      return false;
    });
  }
  return last;
}

/// A kernel that may work in place waits until the others have read what it overwrites, if its results have time.
/// %1 = call @update(%0); %2 = call @read(%0)  ->  %2 = call @read(%0); %1 = call @update(%0)
static void delayOverwrites(Block &block, const Aliases &aliases, const SymbolTable &symbols) {
  SmallVector<func::CallOp> calls(block.getOps<func::CallOp>());
  for (func::CallOp call : llvm::reverse(calls)) {
    ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCalleeAttr().getAttr()));
    if (!contract)
      continue;
    Operation *last = lastReader(call, contract, aliases);
    bool hasTime = last != call && !last->hasTrait<OpTrait::IsTerminator>();
    for (Operation *user : call->getUsers())
      hasTime &= last->isBeforeInBlock(block.findAncestorOpInBlock(*user));
    if (hasTime)
      call->moveAfter(last);
  }
}

static LogicalResult checkSchedule(func::FuncOp main) {
  for (Type type : llvm::concat<const Type>(main.getArgumentTypes(), main.getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return main.emitOpError("has the type ")
             << type << " in its signature; the schedule takes tensors of static shape";
  if (!llvm::hasSingleElement(main.getBody()))
    return main.emitOpError("is not structured: the schedule is one block");
  return success();
}

FailureOr<Aliases> prepareSchedule(func::FuncOp main, const SymbolTable &symbols) {
  if (failed(checkSchedule(main)))
    return failure();
  // Outer loops first: the body of a rewritten loop moves as a whole.
  SmallVector<scf::ForOp> loops;
  main.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, rewriteAsWhile);
  Aliases aliases(main);
  main.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<func::FuncOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region) {
          orderCalls(block, aliases, symbols);
          delayOverwrites(block, aliases, symbols);
        }
  });
  return aliases;
}

} // namespace mlir::xla
