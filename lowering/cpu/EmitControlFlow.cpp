// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of the schedule, which carry what the plan lists.

#include "mlir_xla/lowering/cpu/EmitSchedule.h"

namespace mlir::xla {

void ScheduleEmitter::map(Carried carried, Value value) {
  if (carried.place)
    pointers[carried.place] = value;
  else
    scalars.map(carried.scalar, value);
}

SmallVector<Value> ScheduleEmitter::valuesOf(ArrayRef<Carried> list) {
  return llvm::map_to_vector(list, [&](Carried carried) { return valueOf(carried); });
}

SmallVector<Type> ScheduleEmitter::typesOf(ArrayRef<Carried> list) const {
  return llvm::map_to_vector(list,
                             [&](Carried carried) { return carried.place ? pointerType : carried.scalar.getType(); });
}

/// All but the terminator.
LogicalResult ScheduleEmitter::emitInto(Block &to, Region &from, const BlockPlan &block) {
  for (Carried argument : block.arguments)
    map(argument, to.addArgument(argument.place ? pointerType : argument.scalar.getType(), oldMain.getLoc()));
  builder.setInsertionPointToEnd(&to);
  if (from.empty())
    return success();
  if (failed(emitBlock(from.front())))
    return failure();
  emitCopies(from.front().getTerminator()->getLoc(), block.copies);
  return success();
}

LogicalResult ScheduleEmitter::emitWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  const ControlPlan &control = plan.control(op);
  emitCopies(loc, control.copies);
  if (control.onDevice)
    emitBeginLoop(loc, control);
  OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
  auto before = std::make_unique<Block>(), after = std::make_unique<Block>();
  if (failed(emitInto(*before, op.getBefore(), control.blocks[0])))
    return failure();
  bool isCounted = control.onDevice && control.trips >= 0;
  Value more = isCounted ? emitRepeat(loc, Value()) : scalars.lookup(op.getConditionOp().getCondition());
  scf::ConditionOp::create(builder, loc, more, valuesOf(control.blocks[0].outgoing));
  if (failed(emitInto(*after, op.getAfter(), control.blocks[1])))
    return failure();
  scf::YieldOp::create(builder, loc, valuesOf(control.blocks[1].outgoing));
  builder.restoreInsertionPoint(outside);
  auto loop = scf::WhileOp::create(builder, loc, typesOf(control.results), valuesOf(control.inits));
  if (Attribute mark = op->getAttr(kLaunched))
    loop->setAttr(kLaunched, mark);
  loop.getBefore().push_back(before.release());
  loop.getAfter().push_back(after.release());
  for (auto [old, result] : llvm::zip_equal(control.results, loop.getResults()))
    map(old, result);
  return success();
}

LogicalResult ScheduleEmitter::emitBranches(Operation &op) {
  Location loc = op.getLoc();
  const ControlPlan &control = plan.control(&op);
  if (control.onDevice)
    return emitDeviceBranches(op);
  OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
  SmallVector<std::unique_ptr<Block>> blocks;
  for (auto [region, block] : llvm::zip_equal(op.getRegions(), control.blocks)) {
    blocks.push_back(std::make_unique<Block>());
    if (failed(emitInto(*blocks.back(), region, block)))
      return failure();
    scf::YieldOp::create(builder, loc, valuesOf(block.outgoing));
  }
  builder.restoreInsertionPoint(outside);
  SmallVector<Type> types = typesOf(control.results);
  Operation *emitted;
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    emitted = scf::IfOp::create(builder, loc, types, scalars.lookup(conditional.getCondition()), false, false);
  } else {
    auto choice = cast<scf::IndexSwitchOp>(op);
    emitted = scf::IndexSwitchOp::create(builder, loc, types, scalars.lookup(choice.getArg()), choice.getCases(),
                                         choice.getNumCases());
  }
  // An `else` that does nothing is left out.
  for (auto [i, block] : llvm::enumerate(blocks))
    if (i == 0 || !types.empty() || !block->without_terminator().empty() || !isa<scf::IfOp>(op))
      emitted->getRegion(i).push_back(block.release());
  for (auto [old, result] : llvm::zip_equal(control.results, emitted->getResults()))
    map(old, result);
  return success();
}

} // namespace mlir::xla
