// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/BufferPlanner.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/schedule/Decisions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {

//===- Tokens of values -------------------------------------------------------------------------------------------===//

Token *BufferPlanner::acquire(Scope &scope, Value value) {
  Token *token = tokens.take(scope, bytesOf(value), reachesTerminator(value));
  tokens.hold(token, value);
  return token;
}

Token *BufferPlanner::overwritable(Value value, Operation &op, Scope &scope) const {
  Value root = aliases.rootOf(value);
  Token *token = tokens.of(root);
  bool ours = token && token->owner == &scope && token->holder == root && aliases.isDeadAfter(root, op);
  int uses = llvm::count_if(op.getOperands(),
                            [&](Value operand) { return isTensor(operand) && aliases.rootOf(operand) == root; });
  return ours && uses == 1 ? token : nullptr;
}

/// Whether the buffer of `value` is likely the one that the block yields: through views, in-place kernels and loops.
bool BufferPlanner::reachesTerminator(Value value, int depth) const {
  constexpr int enough = 64;
  return depth <= enough && aliases.anyOf(aliases.rootOf(value), [&](Value member) {
    return llvm::any_of(member.getUses(), [&](OpOperand &use) {
      return use.getOwner()->getBlock() == member.getParentBlock() && passesToTerminator(use, depth);
    });
  });
}

bool BufferPlanner::passesToTerminator(OpOperand &use, int depth) const {
  Operation *user = use.getOwner();
  if (user->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (auto call = dyn_cast<func::CallOp>(user)) {
    ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCalleeAttr().getAttr()));
    for (auto [i, memory] : llvm::enumerate(contract ? contract.getResults() : ArrayRef<ResultMemory>()))
      if (memory.kind != ResultMemory::New && memory.argument == use.getOperandNumber() &&
          reachesTerminator(call.getResult(i), depth + 1))
        return true;
  }
  return isa<scf::WhileOp>(user) && use.getOperandNumber() < user->getNumResults() &&
         reachesTerminator(user->getResult(use.getOperandNumber()), depth + 1);
}

void BufferPlanner::releaseDeadAfter(Operation &op, Scope &scope) {
  auto releaseIfDead = [&](Value value) {
    if (!isTensor(value))
      return;
    Value root = aliases.rootOf(value);
    Token *token = tokens.of(root);
    if (token && token->owner == &scope && token->holder == root && aliases.isDeadAfter(root, op))
      tokens.release(token);
  };
  for (Value result : op.getResults())
    releaseIfDead(result);
  for (Value operand : op.getOperands())
    releaseIfDead(operand);
  if (op.getNumRegions())
    op.walk([&](Operation *nested) { llvm::for_each(nested->getOperands(), releaseIfDead); });
}

SmallVector<Token *> BufferPlanner::takeYielded(ArrayRef<Value> values, Scope &scope, SmallVectorImpl<Copy> &copies) {
  SmallVector<Value> tensors = llvm::filter_to_vector(values, isTensor);
  SmallVector<Token *> taken(tensors.size());
  for (auto [token, value] : llvm::zip(taken, tensors)) {
    Value root = aliases.rootOf(value);
    Token *own = tokens.of(root);
    if (own->owner != &scope || own->holder != root)
      continue;
    tokens.letGo(own);
    token = own;
  }
  for (auto [token, value] : llvm::zip(taken, tensors)) {
    if (token)
      continue;
    token = tokens.take(scope, bytesOf(value), /*fromFree=*/true);
    Tokens::lend(token);
    copies.push_back({token->place, tokenOf(value)->place});
  }
  return taken;
}

SmallVector<Slot *> BufferPlanner::takeSlotsToPromote(ArrayRef<Token *> yielded, Scope &scope) {
  SmallVector<Slot *> slots;
  for (Token *token : llvm::concat<Token *const>(yielded, scope.free)) {
    Family *family = Tokens::familyOf(token);
    slots.append(family->slots);
    family->slots.clear();
    family->carried = true;
  }
  return slots;
}

//===- Blocks and simple ops --------------------------------------------------------------------------------------===//

LogicalResult BufferPlanner::planBlock(Block &block, Scope &scope) {
  for (Operation &op : block.without_terminator()) {
    int64_t begin = ++tokens.tick;
    if (failed(planOp(op, scope)))
      return failure();
    if (&block == &main.getBody().front())
      ticks[&op] = {begin, tokens.tick};
    releaseDeadAfter(op, scope);
  }
  ++tokens.tick;
  return success();
}

LogicalResult BufferPlanner::planOp(Operation &op, Scope &scope) {
  if (isView(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return planKernelCall(call, scope);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return planLoop(*this, loop, scope);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return planBranches(*this, op, scope);
  bool onlyTensors = llvm::all_of(op.getOperands(), isTensor) && llvm::all_of(op.getResults(), isTensor);
  if (isa<tensor::EmptyOp>(op) || (isa<CustomCallOp>(op) && onlyTensors)) {
    for (Value result : op.getResults())
      acquire(scope, result);
    // Who writes custom calls counts on lines of their own.
    if (isa<CustomCallOp>(op))
      for (ValueRange values : {ValueRange(op.getOperands()), ValueRange(op.getResults())})
        for (Value value : values)
          Tokens::lend(tokenOf(value));
    return success();
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    if (!extract.getType().isIntOrIndexOrFloat())
      return op.emitOpError("of this element type is not an op of the schedule");
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && isTensor(constant.getResult())) {
    planConstant(constant.getResult(), cast<ElementsAttr>(constant.getValue()));
    return success();
  }
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op);
      elements && elements.getElements().size() == 1 && elements.getType().getElementType().isIntOrIndexOrFloat()) {
    acquire(scope, elements.getResult());
    return success();
  }
  bool hasTensors = llvm::any_of(op.getOperands(), isTensor) || llvm::any_of(op.getResults(), isTensor);
  if (hasTensors || op.getNumRegions())
    return op.emitOpError("is not an op of the schedule");
  return success();
}

void BufferPlanner::planConstant(Value constant, ElementsAttr elements) {
  Place *&place = constants[elements];
  if (!place) {
    place = tokens.createPlace(Place::Constant, bytesOf(constant));
    place->elements = elements;
  }
  tokens.holdReadOnly(place, constant);
}

LogicalResult BufferPlanner::planKernelCall(func::CallOp op, Scope &scope) {
  ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(op.getCalleeAttr().getAttr()));
  auto implementation = contract ? symbols.lookup<func::FuncOp>(contract.getFunction().getAttr()) : func::FuncOp();
  if (!implementation)
    return op.emitOpError("calls @") << op.getCallee() << ", which is no kernel with an implementation";
  auto call = std::make_unique<CallPlan>();
  call->contract = contract;
  call->implementation = implementation;
  for (Value operand : op.getOperands()) {
    if (isTensor(operand))
      call->operands.push_back({Value(), tokenOf(operand)->place});
    else
      call->operands.push_back({operand});
  }
  call->results.resize(op.getNumResults());

  // First those results that may not choose.
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    ResultMemory memory = contract.getResult(i);
    if (memory.kind != ResultMemory::Updates)
      continue;
    Value operand = op.getOperand(memory.argument);
    Token *token = overwritable(operand, *op, scope);
    if (!token) {
      token = acquire(scope, result);
      call->copies.push_back({token->place, tokenOf(operand)->place});
      call->operands[memory.argument].place = token->place;
    }
    tokens.hold(token, result);
    call->results[i] = token->place;
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    if (call->results[i])
      continue;
    ResultMemory memory = contract.getResult(i);
    bool mayReuse = memory.kind == ResultMemory::MayReuse;
    Token *token = mayReuse ? overwritable(op.getOperand(memory.argument), *op, scope) : nullptr;
    if (token)
      tokens.hold(token, result);
    else
      token = acquire(scope, result);
    call->results[i] = token->place;
  }
  if (contract.getScratch() && contract.getWork() > 0 && !bringsScratch(contract))
    call->scratch = tokens.createSlot(contract.getScratch())->place;
  plan.calls[op] = std::move(call);
  return success();
}

//===- The whole --------------------------------------------------------------------------------------------------===//

void BufferPlanner::record(Operation &op, ControlPlan &&control) {
  plan.controls[&op] = std::make_unique<ControlPlan>(std::move(control));
}

/// Has one of the slots in the result's buffer. Which value is there at the end is known at run time.
bool BufferPlanner::lendResult(Family *family, int64_t result, int64_t bytes) const {
  if (onDevice || llvm::any_of(family->slots, [](Slot *slot) { return slot->isResult; }))
    return false;
  auto slot = llvm::find_if(family->slots, [&](Slot *each) { return each->bytes == bytes; });
  if (slot == family->slots.end())
    return false;
  (*slot)->isResult = true;
  (*slot)->result = int(result);
  return true;
}

void BufferPlanner::planReturn(func::ReturnOp op, Scope &scope) {
  // Whatever is where a result belongs is copied from there before the result itself.
  SmallVector<Copy> last;
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    Token *token = tokenOf(value);
    Family *family = Tokens::familyOf(token);
    bool isOurs = token->owner == &scope && !family->carried;
    // A loop has a scalar in a register.
    if (hasScalar(token->place->bytes) && family->isHandedOn) {
      plan.copiesAtReturn.push_back({tokens.createPlace(Place::Result, token->place->bytes, i), token->place});
      continue;
    }
    // A value in memory of its own is computed in the result's buffer right away.
    if (isOurs && family->slots.size() == 1 && !family->slots[0]->isResult) {
      family->slots[0]->isResult = true;
      family->slots[0]->result = int(i);
      continue;
    }
    Copy copy{tokens.createPlace(Place::Result, token->place->bytes, i), token->place};
    (isOurs && lendResult(family, i, copy.to->bytes) ? last : plan.copiesAtReturn).push_back(copy);
  }
  plan.copiesAtReturn.append(last);
}

FailureOr<BufferPlan> BufferPlanner::run() {
  Scope scope;
  Block &body = main.getBody().front();
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    if (!argument.use_empty())
      tokens.holdReadOnly(tokens.createPlace(Place::Argument, bytesOf(argument), i), argument);
  if (failed(planBlock(body, scope)))
    return failure();
  planReturn(cast<func::ReturnOp>(body.getTerminator()), scope);
  LayoutSizes sizes = tokens.layOut(main.getResultTypes(), frameBytes);
  plan.arenaSize = sizes.arena;
  plan.frameSize = sizes.frame;
  for (const Slot &slot : tokens.allSlots())
    plan.buffers.push_back(slot.place);
  if (onDevice)
    findAliases();
  plan.byRoot.reserve(tokens.allHolders().size());
  for (auto [root, token] : tokens.allHolders())
    plan.byRoot[root] = token->place;
  return std::move(plan);
}

FailureOr<BufferPlan> planBuffers(func::FuncOp main, const SymbolTable &symbols, Aliases aliases,
                                  function_ref<bool(ImplementationAttr)> bringsScratch, int64_t frameBytes,
                                  bool device) {
  bool decides = device && prepareDecisions(main, symbols);
  return BufferPlanner(main, symbols, std::move(aliases), bringsScratch, frameBytes, device, decides).run();
}

} // namespace mlir::xla
