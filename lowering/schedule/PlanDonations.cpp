// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which results may take the memory of an argument that is given away. The plan is as it would be without: arguments
// are read only, and who calls decides.

#include "mlir_xla/lowering/schedule/BufferPlanner.h"

namespace mlir::xla {

/// Whether `reader`, which begins to write the result at `place`, reads the argument only where it writes, before that:
/// a copy of all of it, or a kernel that may work in place.
bool BufferPlanner::worksInPlace(Operation &reader, BlockArgument argument, const Place *place) const {
  Value root = aliases.rootOf(argument);
  auto isArgument = [&](Value value) { return isTensor(value) && aliases.rootOf(value) == root; };
  if (llvm::count_if(reader.getOperands(), isArgument) != 1)
    return false;
  auto isCopied = [&](ArrayRef<Copy> copies) {
    return llvm::any_of(copies, [&](Copy copy) {
      return &copy.to->resolved() == place && copy.from->resolved().kind == Place::Argument &&
             copy.from->resolved().number == argument.getArgNumber();
    });
  };
  if (auto it = plan.controls.find(&reader); it != plan.controls.end())
    return isCopied(it->second->copies) && !aliases.isUsedInside(root, reader);
  auto it = plan.calls.find(&reader);
  if (it == plan.calls.end())
    return false;
  const CallPlan &call = *it->second;
  if (isCopied(call.copies))
    return true;
  for (auto [i, result] : llvm::enumerate(call.results)) {
    ResultMemory memory = call.contract.getResult(i);
    if (&result->resolved() == place)
      return memory.kind == ResultMemory::MayReuse && isArgument(reader.getOperand(memory.argument));
  }
  return false;
}

/// `begin` is when something is first written to the result: at `place` if that is all of it, else null.
bool BufferPlanner::mayAlias(BlockArgument argument, int64_t result, int64_t begin, const Place *place) {
  Block &body = main.getBody().front();
  return !aliases.anyOf(aliases.rootOf(argument), [&](Value member) {
    return llvm::any_of(member.getUses(), [&](OpOperand &use) {
      Operation *reader = body.findAncestorOpInBlock(*use.getOwner());
      if (isView(*reader))
        return false;
      if (reader == body.getTerminator()) // it may be the copy that is all that is ever written
        return begin < tokens.tick || use.getOperandNumber() != result;
      auto [from, to] = ticks.at(reader);
      if (to < begin)
        return false;
      return from != begin || !place || !worksInPlace(*reader, argument, place);
    });
  });
}

void BufferPlanner::findAliases() {
  auto terminator = cast<func::ReturnOp>(main.getBody().front().getTerminator());
  for (auto [i, value] : llvm::enumerate(terminator.getOperands())) {
    SmallVector<const Slot *> slots;
    for (const Slot &slot : tokens.allSlots())
      if (slot.result == static_cast<int64_t>(i))
        slots.push_back(&slot);
    llvm::stable_sort(slots, [](const Slot *a, const Slot *b) { return a->begin < b->begin; });
    int64_t begin = slots.empty() ? tokens.tick : std::min(slots[0]->begin, tokens.tick - 1);
    bool isWhole = !slots.empty() && !slots[0]->place->isPiece && (slots.size() == 1 || slots[1]->begin > begin);
    for (BlockArgument argument : main.getArguments())
      if (argument.getType() == value.getType() && mayAlias(argument, i, begin, isWhole ? slots[0]->place : nullptr))
        plan.mayAlias.emplace_back(argument.getArgNumber(), i);
  }
}

} // namespace mlir::xla
