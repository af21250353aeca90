// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of the schedule: how tokens enter them, and leave them in a possibly different order.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/schedule/LowerSchedule.h"

namespace mlir::xla {

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
static int64_t bytesOf(Value value) { return bufferBytes(cast<RankedTensorType>(value.getType())); }

/// The token of a value that a loop starts with: the value's own if nobody needs the value afterwards, else of a copy.
Token *ScheduleLowering::takeInit(Value value, Operation &op, Scope &scope) {
  Token *token = overwritable(value, op, scope);
  if (token && !isUsedInside(rootOf(value), op)) {
    letGo(token);
    return token;
  }
  Token *fresh = take(scope, bytesOf(value), /*fromFree=*/true);
  copy(fresh, tokenOf(value));
  return fresh;
}

/// The tokens with which a block ends, one for each value and all different: a value that the block does not own, or
/// yields twice, is copied.
SmallVector<Token *> ScheduleLowering::takeYielded(ArrayRef<Value> values, Scope &scope) {
  SmallVector<Token *> taken(values.size());
  for (auto [token, value] : llvm::zip(taken, values)) {
    Value root = rootOf(value);
    Token *own = tokens.lookup(root);
    if (own->owner != &scope || own->holder != root)
      continue;
    letGo(own);
    token = own;
  }
  for (auto [token, value] : llvm::zip(taken, values)) {
    if (token)
      continue;
    token = take(scope, bytesOf(value), /*fromFree=*/true);
    copy(token, tokenOf(value));
  }
  return taken;
}

/// Buffers that the block took from the arena and that live on in its tokens: whoever owns the block has to own them.
SmallVector<Slot *> ScheduleLowering::takeSlotsToPromote(ArrayRef<Token *> yielded, Scope &scope) {
  SmallVector<Slot *> slots;
  auto visit = [&](Token *token) {
    Family *family = familyOf(token);
    slots.append(family->slots);
    family->slots.clear();
    family->carried = true;
  };
  llvm::for_each(yielded, visit);
  llvm::for_each(scope.free, visit);
  return slots;
}

//===- Loops ------------------------------------------------------------------------------------------------------===//

namespace {
/// One of the two blocks of a loop.
struct Side {
  std::unique_ptr<Block> block = std::make_unique<Block>();
  Scope scope;
  SmallVector<int64_t> bytes;  // by argument; 0 for scalars
  SmallVector<Value> outgoing; // operands of the terminator, in the order of the other side's arguments
};
} // namespace

LogicalResult ScheduleLowering::lowerWhile(scf::WhileOp op, Scope &scope) {
  Location loc = op.getLoc();
  int64_t start = tick;
  Side before, after;
  SmallVector<Value> inits;   // of the new loop, in the order of `before`'s arguments
  SmallVector<Token *> given; // the token of each init that is a pointer, else null
  auto addArgument = [&](Side &side, Type type, int64_t bytes) {
    side.bytes.push_back(bytes);
    return side.block->addArgument(type, loc);
  };
  auto addToken = [&](Side &side, int64_t bytes) {
    Token *token = createToken(addArgument(side, pointerType, bytes), bytes, &side.scope, nullptr);
    token->family->carried = true;
    return token;
  };
  auto enter = [&](Side &side, Value oldArgument) {
    if (!isTensor(oldArgument)) {
      scalars.map(oldArgument, addArgument(side, oldArgument.getType(), 0));
      return;
    }
    Token *token = addToken(side, bytesOf(oldArgument));
    if (isUnused(oldArgument))
      side.scope.free.push_back(token);
    else
      hold(token, oldArgument);
  };
  auto give = [&](Token *token) {
    inits.push_back(token->pointer);
    given.push_back(token);
  };
  // A buffer that a side took from the arena is carried from now on; its uses so far are all in this side.
  auto promote = [&](Side &side, Slot *slot, ArrayRef<Token *> yielded) {
    slot->begin = start;
    Token *outer = createToken(slot->pointer, slot->bytes, &scope, nullptr);
    outer->family->slots.push_back(slot);
    Value argument = addArgument(side, pointerType, slot->bytes);
    for (Token *token : llvm::concat<Token *const>(yielded, side.scope.free))
      if (token->pointer == slot->pointer)
        token->pointer = argument;
    slot->pointer.replaceAllUsesWith(argument);
    give(outer);
  };
  auto isCarried = [&](Value value) { return rootOf(value) == value; }; // the others are the same all along

  for (auto [init, argument] : llvm::zip(op.getInits(), op.getBeforeArguments())) {
    if (!isCarried(argument))
      continue;
    if (isTensor(init)) {
      give(takeInit(init, *op, scope));
    } else {
      inits.push_back(scalars.lookup(init));
      given.push_back(nullptr);
    }
    enter(before, argument);
  }
  unsigned positional = inits.size();
  // Values that only the second side gets need buffers too.
  SmallVector<int64_t> available;
  for (Token *token : given)
    if (token)
      available.push_back(token->bytes);
  for (Value argument : op.getAfterArguments()) {
    if (!isTensor(argument) || !isCarried(argument))
      continue;
    auto it = llvm::find(available, bytesOf(argument));
    if (it != available.end()) {
      available.erase(it);
      continue;
    }
    give(take(scope, bytesOf(argument), /*fromFree=*/true));
    before.scope.free.push_back(addToken(before, bytesOf(argument)));
  }

  OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
  builder.setInsertionPointToEnd(before.block.get());
  if (failed(lowerBlock(*op.getBeforeBody(), before.scope)))
    return failure();
  SmallVector<Value> forwarded, forwardedTensors;
  for (auto [value, argument] : llvm::zip(op.getConditionOp().getArgs(), op.getAfterArguments())) {
    if (!isCarried(argument))
      continue;
    forwarded.push_back(value);
    if (isTensor(value))
      forwardedTensors.push_back(value);
  }
  SmallVector<Token *> forwardedTokens = takeYielded(forwardedTensors, before.scope);
  for (Slot *slot : takeSlotsToPromote(forwardedTokens, before.scope))
    promote(before, slot, forwardedTokens);
  auto nextToken = forwardedTokens.begin();
  for (Value value : forwarded)
    before.outgoing.push_back(isTensor(value) ? (*nextToken++)->pointer : scalars.lookup(value));
  Value condition = scalars.lookup(op.getConditionOp().getCondition());

  for (Value argument : op.getAfterArguments())
    if (isCarried(argument))
      enter(after, argument);
  for (Token *token : before.scope.free) {
    before.outgoing.push_back(token->pointer);
    after.scope.free.push_back(addToken(after, token->bytes));
  }
  builder.setInsertionPointToEnd(after.block.get());
  if (failed(lowerBlock(*op.getAfterBody(), after.scope)))
    return failure();
  SmallVector<Value> yielded, yieldedTensors;
  for (auto [value, argument] : llvm::zip(op.getYieldOp().getOperands(), op.getBeforeArguments())) {
    if (!isCarried(argument))
      continue;
    yielded.push_back(value);
    if (isTensor(value))
      yieldedTensors.push_back(value);
  }
  SmallVector<Token *> yieldedTokens = takeYielded(yieldedTensors, after.scope);
  for (Slot *slot : takeSlotsToPromote(yieldedTokens, after.scope)) {
    promote(after, slot, yieldedTokens);
    before.outgoing.push_back(addArgument(before, pointerType, slot->bytes));
  }
  nextToken = yieldedTokens.begin();
  for (Value value : yielded)
    after.outgoing.push_back(isTensor(value) ? (*nextToken++)->pointer : scalars.lookup(value));

  // The free tokens go back to where they came from if they can, else to any place of their size.
  SmallVector<Token *> spare = after.scope.free;
  after.outgoing.resize(inits.size());
  auto fill = [&](auto matches) {
    for (unsigned i = positional; i < inits.size(); ++i) {
      auto it = after.outgoing[i] ? spare.end() : llvm::find_if(spare, [&](Token *token) { return matches(i, token); });
      if (it == spare.end())
        continue;
      after.outgoing[i] = (*it)->pointer;
      spare.erase(it);
    }
  };
  fill([&](unsigned i, Token *token) {
    auto argument = dyn_cast<BlockArgument>(token->pointer);
    return argument && argument.getOwner() == after.block.get() &&
           before.outgoing[argument.getArgNumber()] == before.block->getArgument(i);
  });
  fill([&](unsigned i, Token *token) { return token->bytes == given[i]->bytes; });
  if (!spare.empty() || llvm::is_contained(after.outgoing, Value()))
    return op.emitOpError("could not be given buffers: the sizes of what it carries do not match");

  // A pointer that comes back where it was is no variable of the loop.
  SmallVector<Token *> fixed(after.block->getNumArguments()); // by argument of `after`
  SmallVector<bool> dropped(inits.size());
  for (unsigned j = 0; j < fixed.size(); ++j) {
    auto argument = dyn_cast<BlockArgument>(before.outgoing[j]);
    if (!argument || argument.getOwner() != before.block.get())
      continue;
    unsigned i = argument.getArgNumber();
    if (!given[i] || after.outgoing[i] != after.block->getArgument(j))
      continue;
    fixed[j] = given[i];
    dropped[i] = true;
    before.block->getArgument(i).replaceAllUsesWith(inits[i]);
    after.block->getArgument(j).replaceAllUsesWith(inits[i]);
  }
  auto keep = [](SmallVectorImpl<Value> &values, auto drop) {
    SmallVector<Value> kept;
    for (auto [i, value] : llvm::enumerate(values))
      if (!drop(i))
        kept.push_back(value);
    values.assign(kept.begin(), kept.end());
  };
  auto dropBefore = [&](unsigned i) { return dropped[i]; };
  auto dropAfter = [&](unsigned j) { return fixed[j] != nullptr; };
  keep(inits, dropBefore);
  keep(after.outgoing, dropBefore);
  keep(before.outgoing, dropAfter);
  before.block->eraseArguments([&](BlockArgument argument) { return dropBefore(argument.getArgNumber()); });
  after.block->eraseArguments([&](BlockArgument argument) { return dropAfter(argument.getArgNumber()); });

  builder.setInsertionPointToEnd(before.block.get());
  scf::ConditionOp::create(builder, loc, condition, before.outgoing);
  builder.setInsertionPointToEnd(after.block.get());
  scf::YieldOp::create(builder, loc, after.outgoing);
  builder.restoreInsertionPoint(outside);
  auto loop = scf::WhileOp::create(builder, loc, after.block->getArgumentTypes(), inits);
  loop.getBefore().push_back(before.block.release());
  loop.getAfter().push_back(after.block.release());

  Family *swapped = &familyStorage.emplace_back();
  for (auto [i, token] : llvm::enumerate(given))
    if (token && !dropped[i])
      merge(swapped, token);
  auto carriedResults = llvm::to_vector(llvm::make_filter_range(op.getResults(), isCarried));
  unsigned next = 0;
  SmallVector<Token *> unneeded;
  for (unsigned j = 0; j < fixed.size(); ++j) {
    Value result = fixed[j] ? Value() : loop.getResult(next++);
    Value old = j < carriedResults.size() ? carriedResults[j] : Value();
    if (old && !isTensor(old)) {
      scalars.map(old, result);
      continue;
    }
    Token *token = fixed[j] ? fixed[j] : createToken(result, after.bytes[j], &scope, swapped);
    if (old)
      hold(token, old);
    else
      unneeded.push_back(token);
  }
  llvm::for_each(unneeded, [&](Token *token) { giveBack(token); });
  return success();
}

//===- Branches ---------------------------------------------------------------------------------------------------===//

namespace {
struct Branch {
  std::unique_ptr<Block> block = std::make_unique<Block>();
  Scope scope;
  SmallVector<Value> yielded;        // old values
  SmallVector<Token *> tokens, free; // of the tensors among them, and what else the branch gives back
};

/// A token that the branches may use and have to give back.
struct Lent {
  Token *token;
  Value holder;   // null for a buffer that one of the branches took from the arena
  Family *family; // outside
};
} // namespace

LogicalResult ScheduleLowering::lowerBranches(Operation &op, Scope &scope) {
  Location loc = op.getLoc();
  int64_t start = tick;
  SmallVector<Lent> lent;
  op.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      Value root = rootOf(operand);
      Token *token = isTensor(operand) ? tokens.lookup(root) : nullptr;
      if (!token || token->owner != &scope || token->holder != root || !isDeadAfter(root, op))
        continue;
      letGo(token);
      lent.push_back({token, root, familyOf(token)});
    }
  });

  OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
  std::deque<Branch> branches;
  for (Region &region : op.getRegions()) {
    Branch &branch = branches.emplace_back();
    for (Lent &loan : lent) {
      loan.token->owner = &branch.scope;
      loan.token->family = &familyStorage.emplace_back();
      loan.token->family->carried = true;
      bool used = false;
      if (loan.holder && !region.empty()) {
        auto isUsedHere = [&](Value value) {
          return llvm::any_of(value.getUsers(),
                              [&](Operation *user) { return region.isAncestor(user->getParentRegion()); });
        };
        auto group = members.find(loan.holder);
        used = group == members.end() ? isUsedHere(loan.holder) : llvm::any_of(group->second, isUsedHere);
      }
      if (used)
        hold(loan.token, loan.holder);
      else
        branch.scope.free.push_back(loan.token);
    }
    if (!region.empty()) {
      builder.setInsertionPointToEnd(branch.block.get());
      if (failed(lowerBlock(region.front(), branch.scope)))
        return failure();
      llvm::append_range(branch.yielded, region.front().getTerminator()->getOperands());
      branch.tokens = takeYielded(llvm::to_vector(llvm::make_filter_range(branch.yielded, isTensor)), branch.scope);
      // A buffer that the branch took from the arena and yields is lent to all branches.
      for (Slot *slot : takeSlotsToPromote(branch.tokens, branch.scope)) {
        slot->begin = start;
        Token *token = nullptr;
        for (Token *candidate : llvm::concat<Token *>(branch.tokens, branch.scope.free))
          if (candidate->pointer == slot->pointer)
            token = candidate;
        if (!token)
          token = createToken(slot->pointer, slot->bytes, &scope, nullptr);
        Family *family = &familyStorage.emplace_back();
        family->slots.push_back(slot);
        lent.push_back({token, Value(), family});
        for (Branch &earlier : branches)
          if (&earlier != &branch)
            earlier.free.push_back(token);
      }
    }
    branch.free.append(branch.scope.free);
  }
  for (Lent &loan : lent) {
    loan.token->owner = &scope;
    loan.token->family = loan.family;
    loan.token->holder = Value();
  }

  // What all branches give back in the same way needs no pointer at run time.
  size_t tensors = llvm::count_if(op.getResults(), isTensor);
  SmallVector<Token *> same(tensors, nullptr), sameFree;
  for (unsigned i = 0; i < tensors; ++i)
    if (llvm::all_of(branches, [&](Branch &branch) { return branch.tokens[i] == branches[0].tokens[i]; }))
      same[i] = branches[0].tokens[i];
  for (Token *token : branches[0].free)
    if (llvm::all_of(branches, [&](Branch &branch) { return llvm::is_contained(branch.free, token); }))
      sameFree.push_back(token);
  for (Branch &branch : branches) {
    llvm::erase_if(branch.free, [&](Token *token) { return llvm::is_contained(sameFree, token); });
    llvm::sort(branch.free, [](Token *a, Token *b) { return a->bytes < b->bytes; });
  }
  for (Branch &branch : branches)
    if (!llvm::equal(branch.free, branches[0].free, [](Token *a, Token *b) { return a->bytes == b->bytes; }))
      return op.emitOpError("could not be given buffers: the sizes that its branches give back do not match");

  SmallVector<Type> types;
  for (Branch &branch : branches) {
    SmallVector<Value> operands;
    unsigned tensor = 0;
    for (Value value : branch.yielded) {
      if (!isTensor(value))
        operands.push_back(scalars.lookup(value));
      else if (unsigned i = tensor++; !same[i])
        operands.push_back(branch.tokens[i]->pointer);
    }
    for (Token *token : branch.free)
      operands.push_back(token->pointer);
    builder.setInsertionPointToEnd(branch.block.get());
    scf::YieldOp::create(builder, loc, operands);
    types.assign(ValueRange(operands).getTypes().begin(), ValueRange(operands).getTypes().end());
  }
  builder.restoreInsertionPoint(outside);
  Operation *lowered;
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    lowered = scf::IfOp::create(builder, loc, types, scalars.lookup(conditional.getCondition()), false, false);
  } else {
    auto choice = cast<scf::IndexSwitchOp>(op);
    lowered = scf::IndexSwitchOp::create(builder, loc, types, scalars.lookup(choice.getArg()), choice.getCases(),
                                         choice.getNumCases());
  }
  for (auto [region, branch] : llvm::zip(lowered->getRegions(), branches))
    if (types.size() || !branch.block->without_terminator().empty() || !isa<scf::IfOp>(op) || &branch == &branches[0])
      region.push_back(branch.block.release());

  Family *mixed = &familyStorage.emplace_back();
  for (Lent &loan : lent)
    if (!llvm::is_contained(same, loan.token) && !llvm::is_contained(sameFree, loan.token))
      merge(mixed, loan.token);
  unsigned next = 0, tensor = 0;
  for (Value old : op.getResults()) {
    if (!isTensor(old)) {
      scalars.map(old, lowered->getResult(next++));
      continue;
    }
    unsigned i = tensor++;
    Token *token = same[i];
    if (!token)
      token = createToken(lowered->getResult(next++), bytesOf(old), &scope, mixed);
    hold(token, old);
  }
  for (Token *token : branches[0].free)
    giveBack(createToken(lowered->getResult(next++), token->bytes, &scope, mixed));
  for (Token *token : sameFree)
    giveBack(token);
  return success();
}

} // namespace mlir::xla
