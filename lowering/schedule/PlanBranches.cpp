// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches: tokens are lent to every one of them, and each gives all back in an order of its own.

#include "mlir_xla/lowering/schedule/BufferPlanner.h"
#include "mlir_xla/lowering/schedule/Decisions.h"

namespace mlir::xla {

namespace {

struct Branch {
  BlockPlan plan;
  Scope scope;
  SmallVector<Value> yielded;
  SmallVector<Token *> tokens, free; // of the tensors among them, and what else the branch gives back
};

/// A token that the branches may use and have to give back.
struct Lent {
  Token *token;
  Value holder;   // null for a slot that one of the branches took from the arena
  Family *family; // outside
};

class BranchPlanner {
public:
  BranchPlanner(BufferPlanner &planner, Operation &op, Scope &scope)
      : planner(planner), aliases(planner.getAliases()), tokens(planner.getTokens()), op(op), scope(scope),
        start(tokens.tick) {}

  LogicalResult run() {
    lend();
    for (Region &region : op.getRegions())
      if (failed(planBranch(region)))
        return failure();
    takeBack();
    bool mayDecide = planner.decidesOnDevice() && decidingRead(&op);
    if (mayDecide || !planner.decidesOnDevice())
      gather();
    if (failed(compare()))
      return failure();
    handOn();
    leave();
    for (Branch &branch : branches)
      control.blocks.push_back(std::move(branch.plan));
    control.onDevice = mayDecide && hasFixedPlaces(control);
    planner.record(op, std::move(control));
    return success();
  }

private:
  void lend();
  void enter(Branch &branch, Region &region);
  LogicalResult planBranch(Region &region);
  void share(Branch &branch, Slot *slot);
  void takeBack();
  void gather();
  LogicalResult compare();
  void handOn();
  void leave();

  BufferPlanner &planner;
  const Aliases &aliases;
  Tokens &tokens;
  Operation &op;
  Scope &scope;  // around the branches
  int64_t start; // the tick of the op

  ControlPlan control;
  SmallVector<Lent> lent;
  std::deque<Branch> branches; // whose scopes stay where they are
  // What all branches give back in the same way needs no variable: by tensor result, or null; and what no result needs.
  SmallVector<Token *> same, sameFree;
};

} // namespace

/// What dies in the branches is theirs.
void BranchPlanner::lend() {
  op.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      Value root = aliases.rootOf(operand);
      Token *token = isTensor(operand) ? tokens.of(root) : nullptr;
      if (!token || token->owner != &scope || token->holder != root || !aliases.isDeadAfter(root, op))
        continue;
      tokens.letGo(token);
      Tokens::lend(token);
      lent.push_back({token, root, Tokens::familyOf(token)});
    }
  });
}

void BranchPlanner::enter(Branch &branch, Region &region) {
  for (Lent &loan : lent) {
    loan.token->owner = &branch.scope;
    loan.token->family = tokens.createFamily();
    loan.token->family->carried = true;
    if (loan.holder && !region.empty() && aliases.isUsedInside(loan.holder, region))
      tokens.hold(loan.token, loan.holder);
    else
      branch.scope.free.push_back(loan.token);
  }
}

LogicalResult BranchPlanner::planBranch(Region &region) {
  Branch &branch = branches.emplace_back();
  enter(branch, region);
  if (!region.empty()) {
    if (failed(planner.planBlock(region.front(), branch.scope)))
      return failure();
    llvm::append_range(branch.yielded, region.front().getTerminator()->getOperands());
    branch.tokens = planner.takeYielded(branch.yielded, branch.scope, branch.plan.copies);
    for (Slot *slot : BufferPlanner::takeSlotsToPromote(branch.tokens, branch.scope))
      share(branch, slot);
  }
  branch.free.append(branch.scope.free);
  return success();
}

/// A slot that the branch took from the arena and gives back is lent to all branches.
void BranchPlanner::share(Branch &branch, Slot *slot) {
  slot->begin = start;
  slot->alignment = Slot().alignment;
  Token *token = nullptr;
  for (Token *candidate : llvm::concat<Token *>(branch.tokens, branch.scope.free))
    if (candidate->place == slot->place)
      token = candidate;
  if (!token)
    token = tokens.create(slot->place, &scope);
  Family *family = tokens.createFamily();
  family->slots.push_back(slot);
  lent.push_back({token, Value(), family});
  for (Branch &earlier : branches)
    if (&earlier != &branch)
      earlier.free.push_back(token);
}

void BranchPlanner::takeBack() {
  for (Lent &loan : lent) {
    loan.token->owner = &scope;
    loan.token->family = loan.family;
    loan.token->family->isHandedOn = true;
    loan.token->holder = Value();
  }
}

/// Copies what the branches yield to where the first one has it: scalars, and all for a device that decides between
/// them, as what follows has the same addresses each time. One of several that are in each other's places is put aside.
void BranchPlanner::gather() {
  ArrayRef<Token *> wanted = branches[0].tokens;
  for (Branch &branch : llvm::drop_begin(branches)) {
    int64_t bytes = 0;
    auto isMisplaced = [&](size_t i) {
      return branch.tokens[i] != wanted[i] && planner.hasOnePlace(wanted[i]->place->bytes);
    };
    for (size_t i = 0; i < wanted.size(); ++i)
      bytes += isMisplaced(i) ? wanted[i]->place->bytes : 0;
    // A place that only the first branch has, as what a loop in it hands on, can be nobody else's.
    auto isHere = [&](Token *token) {
      return !planner.hasOnePlace(token->place->bytes) || llvm::is_contained(branch.tokens, token) ||
             llvm::is_contained(branch.free, token);
    };
    if (bytes > kMostPlacedBytes || !llvm::all_of(wanted, isHere))
      return;
    for (;;) {
      size_t count = branch.tokens.size(), misplaced = count, movable = count;
      for (size_t i = 0; i < count; ++i) {
        if (!isMisplaced(i))
          continue;
        misplaced = i;
        if (llvm::is_contained(branch.free, wanted[i]))
          movable = i;
      }
      if (misplaced == count)
        break;
      Token *&token = branch.tokens[movable < count ? movable : misplaced];
      Token *to;
      if (movable < count) {
        to = wanted[movable];
        llvm::erase(branch.free, to);
      } else { // for these copies only, so no token of the branch's
        to = tokens.create(tokens.createSlot(token->place->bytes)->place, nullptr);
      }
      branch.plan.copies.push_back({to->place, token->place});
      if (token->owner)
        branch.free.push_back(token);
      token = to;
    }
  }
}

LogicalResult BranchPlanner::compare() {
  same.resize(llvm::count_if(op.getResults(), isTensor));
  for (size_t i = 0; i < same.size(); ++i)
    if (llvm::all_of(branches, [&](Branch &branch) { return branch.tokens[i] == branches[0].tokens[i]; }))
      same[i] = branches[0].tokens[i];
  for (Token *token : branches[0].free)
    if (llvm::all_of(branches, [&](Branch &branch) { return llvm::is_contained(branch.free, token); }))
      sameFree.push_back(token);
  for (Branch &branch : branches) {
    llvm::erase_if(branch.free, [&](Token *token) { return llvm::is_contained(sameFree, token); });
    llvm::sort(branch.free, [](Token *a, Token *b) { return a->place->bytes < b->place->bytes; });
  }
  for (Branch &branch : branches)
    if (!llvm::equal(branch.free, branches[0].free,
                     [](Token *a, Token *b) { return a->place->bytes == b->place->bytes; }))
      return op.emitOpError("could not be given buffers: the sizes that its branches give back do not match");
  return success();
}

void BranchPlanner::handOn() {
  for (Branch &branch : branches) {
    unsigned tensor = 0;
    for (Value value : branch.yielded) {
      if (!isTensor(value))
        branch.plan.outgoing.push_back({value});
      else if (unsigned i = tensor++; !same[i])
        branch.plan.outgoing.push_back({Value(), branch.tokens[i]->place});
    }
    for (Token *token : branch.free)
      branch.plan.outgoing.push_back({Value(), token->place});
  }
}

/// The results hold the tokens that come out: those that all branches give, or new ones of one family.
void BranchPlanner::leave() {
  Family *mixed = tokens.createFamily();
  for (Lent &loan : lent)
    if (!llvm::is_contained(same, loan.token) && !llvm::is_contained(sameFree, loan.token))
      Tokens::merge(mixed, loan.token);
  auto createVariable = [&](int64_t bytes) {
    Token *token = tokens.create(tokens.createPlace(Place::Variable, bytes), &scope, mixed);
    control.results.push_back({Value(), token->place});
    return token;
  };
  unsigned tensor = 0;
  for (Value result : op.getResults()) {
    if (!isTensor(result)) {
      control.results.push_back({result});
      continue;
    }
    Token *token = same[tensor++];
    tokens.hold(token ? token : createVariable(bytesOf(result)), result);
  }
  for (Token *token : branches[0].free)
    tokens.giveBack(createVariable(token->place->bytes));
  for (Token *token : sameFree)
    tokens.giveBack(token);
}

LogicalResult planBranches(BufferPlanner &planner, Operation &op, Scope &scope) {
  return BranchPlanner(planner, op, scope).run();
}

} // namespace mlir::xla
