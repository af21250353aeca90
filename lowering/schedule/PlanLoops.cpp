// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops: how tokens enter the two sides, and come back in a possibly different order.

#include "mlir_xla/lowering/schedule/BufferPlanner.h"
#include "mlir_xla/lowering/schedule/Decisions.h"

namespace mlir::xla {

namespace {

/// One of the two blocks of a loop.
struct Side {
  BlockPlan plan;
  Scope scope;
};

class LoopPlanner {
public:
  LoopPlanner(BufferPlanner &planner, scf::WhileOp op, Scope &scope)
      : planner(planner), aliases(planner.getAliases()), tokens(planner.getTokens()), op(op), scope(scope),
        start(tokens.tick) {}

  LogicalResult run() {
    takeInits();
    takeBuffersForBody();
    if (failed(planBefore()) || failed(planAfter()) || failed(returnSpares()))
      return failure();
    dropFixed();
    leave();
    loop.blocks.push_back(std::move(before.plan));
    loop.blocks.push_back(std::move(after.plan));
    if (planner.decidesOnDevice())
      loop.onDevice = op->hasAttr(kTrips) ? isCountedOnDevice(op, loop)
                                          : decidingRead(op) && hasFixedPlaces(loop) && loop.blocks[0].copies.empty();
    planner.record(*op, std::move(loop));
    return success();
  }

private:
  /// The others are the same all along.
  bool isCarried(Value value) const { return aliases.rootOf(value) == value; }

  /// Those of a terminator's operands that become arguments which are carried.
  SmallVector<Value> carriedOf(ValueRange operands, Block::BlockArgListType arguments) const {
    SmallVector<Value> carried;
    for (auto [operand, argument] : llvm::zip(operands, arguments))
      if (isCarried(argument))
        carried.push_back(operand);
    return carried;
  }

  Place *addVariable(Side &side, int64_t bytes);
  Token *addToken(Side &side, int64_t bytes);
  void enter(Side &side, Value argument);
  void give(Token *token);
  void promote(Side &side, Slot *slot);
  static void handOn(Side &side, ArrayRef<Value> values, ArrayRef<Token *> taken);

  Token *takeInit(Value value);
  void takeInits();
  void takeBuffersForBody();
  LogicalResult planBefore();
  LogicalResult planAfter();
  void putBack(SmallVectorImpl<Token *> &taken);
  LogicalResult returnSpares();
  void dropFixed();
  void leave();

  BufferPlanner &planner;
  const Aliases &aliases;
  Tokens &tokens;
  scf::WhileOp op;
  Scope &scope;  // around the loop
  int64_t start; // the tick of the loop

  ControlPlan loop;
  Side before, after;
  SmallVector<Token *> given;  // the token of each init that is a place, else null
  size_t positional = 0;       // inits that are those of `op`; the others are buffers
  SmallVector<Token *> fixed;  // by argument of `after`: what it is each time, or null
  SmallVector<bool> dropped;   // by init: needs no variable
  SmallVector<int64_t> handed; // by argument of `after`: its bytes
};

} // namespace

//===- Small steps ------------------------------------------------------------------------------------------------===//

Place *LoopPlanner::addVariable(Side &side, int64_t bytes) {
  Place *variable = tokens.createPlace(Place::Variable, bytes);
  side.plan.arguments.push_back({Value(), variable});
  return variable;
}

Token *LoopPlanner::addToken(Side &side, int64_t bytes) {
  Token *token = tokens.create(addVariable(side, bytes), &side.scope);
  token->family->carried = true;
  return token;
}

void LoopPlanner::enter(Side &side, Value argument) {
  if (!isTensor(argument)) {
    side.plan.arguments.push_back({argument});
    return;
  }
  Token *token = addToken(side, bytesOf(argument));
  if (aliases.isUnused(argument))
    side.scope.free.push_back(token);
  else
    tokens.hold(token, argument);
}

void LoopPlanner::give(Token *token) {
  Tokens::lend(token);
  Tokens::familyOf(token)->isHandedOn = true;
  loop.inits.push_back({Value(), token->place});
  given.push_back(token);
}

/// A slot that a side took from the arena is carried from now on: where the side speaks of it, and only there so far,
/// it is a variable, and the loop starts with it.
void LoopPlanner::promote(Side &side, Slot *slot) {
  slot->begin = start;
  slot->alignment = Slot().alignment;
  slot->place->kind = Place::Variable;
  side.plan.arguments.push_back({Value(), slot->place});
  Type element = slot->place->element;
  slot->place = tokens.createPlace(Place::Arena, slot->bytes);
  slot->place->element = element;
  Token *outer = tokens.create(slot->place, &scope);
  outer->family->slots.push_back(slot);
  give(outer);
}

void LoopPlanner::handOn(Side &side, ArrayRef<Value> values, ArrayRef<Token *> taken) {
  auto next = taken.begin();
  for (Value value : values) {
    if (isTensor(value))
      side.plan.outgoing.push_back({Value(), (*next++)->place});
    else
      side.plan.outgoing.push_back({value});
  }
}

//===- Into the loop ----------------------------------------------------------------------------------------------===//

/// The token of a value that the loop starts with: the value's own if nobody needs the value afterwards, else of a
/// copy.
Token *LoopPlanner::takeInit(Value value) {
  Token *token = planner.overwritable(value, *op, scope);
  if (token && !aliases.isUsedInside(aliases.rootOf(value), *op)) {
    tokens.letGo(token);
    return token;
  }
  Token *fresh = tokens.take(scope, bytesOf(value), /*fromFree=*/true);
  loop.copies.push_back({fresh->place, planner.tokenOf(value)->place});
  return fresh;
}

void LoopPlanner::takeInits() {
  for (auto [init, argument] : llvm::zip(op.getInits(), op.getBeforeArguments())) {
    if (!isCarried(argument))
      continue;
    if (isTensor(init)) {
      give(takeInit(init));
    } else {
      loop.inits.push_back({init});
      given.push_back(nullptr);
    }
    enter(before, argument);
  }
  positional = loop.inits.size();
}

/// Values that only the second side gets need buffers too.
void LoopPlanner::takeBuffersForBody() {
  SmallVector<int64_t> available;
  for (Token *token : given)
    if (token)
      available.push_back(token->place->bytes);
  for (Value argument : op.getAfterArguments()) {
    if (!isTensor(argument) || !isCarried(argument))
      continue;
    auto it = llvm::find(available, bytesOf(argument));
    if (it != available.end()) {
      available.erase(it);
      continue;
    }
    give(tokens.take(scope, bytesOf(argument), /*fromFree=*/true));
    before.scope.free.push_back(addToken(before, bytesOf(argument)));
  }
}

//===- The two sides ----------------------------------------------------------------------------------------------===//

LogicalResult LoopPlanner::planBefore() {
  if (failed(planner.planBlock(*op.getBeforeBody(), before.scope)))
    return failure();
  SmallVector<Value> values = carriedOf(op.getConditionOp().getArgs(), op.getAfterArguments());
  SmallVector<Token *> taken = planner.takeYielded(values, before.scope, before.plan.copies);
  for (Slot *slot : BufferPlanner::takeSlotsToPromote(taken, before.scope))
    promote(before, slot);
  handOn(before, values, taken);

  for (Value argument : op.getAfterArguments())
    if (isCarried(argument))
      enter(after, argument);
  for (Token *token : before.scope.free) {
    before.plan.outgoing.push_back({Value(), token->place});
    after.scope.free.push_back(addToken(after, token->place->bytes));
  }
  return success();
}

LogicalResult LoopPlanner::planAfter() {
  after.scope.isBody = planner.mayTakeTurns();
  if (failed(planner.planBlock(*op.getAfterBody(), after.scope)))
    return failure();
  SmallVector<Value> values = carriedOf(op.getYieldOp().getOperands(), op.getBeforeArguments());
  SmallVector<Token *> taken = planner.takeYielded(values, after.scope, after.plan.copies);
  if (!planner.decidesOnDevice() || (!op->hasAttr(kTrips) && decidingRead(op)))
    putBack(taken);
  for (Slot *slot : BufferPlanner::takeSlotsToPromote(taken, after.scope)) {
    promote(after, slot);
    before.plan.outgoing.push_back({Value(), addVariable(before, slot->bytes)});
  }
  handOn(after, values, taken);
  return success();
}

/// Copies what the body yields to where the loop began with it: scalars, and all for a device that decides whether to
/// go on, which has the same addresses each time.
void LoopPlanner::putBack(SmallVectorImpl<Token *> &taken) {
  DenseMap<Place *, Token *> byPlace;
  for (Token *token : llvm::concat<Token *>(taken, after.scope.free))
    byPlace[token->place] = token;
  SmallVector<std::pair<size_t, Token *>> misplaced; // which of `taken`, and the token that it should be
  size_t tensor = 0;
  int64_t bytes = 0;
  for (const Carried &start : ArrayRef(before.plan.arguments).take_front(positional)) {
    if (!start.place)
      continue;
    size_t i = tensor++;
    if (!planner.hasOnePlace(start.place->bytes))
      continue;
    for (auto [argument, from] : llvm::zip_equal(after.plan.arguments, before.plan.outgoing))
      if (from.place == start.place && argument.place != taken[i]->place) {
        if (!byPlace.contains(argument.place))
          return;
        misplaced.emplace_back(i, byPlace[argument.place]);
        bytes += start.place->bytes;
      }
  }
  if (bytes > kMostPlacedBytes)
    return;
  auto move = [&](size_t i, Token *to) {
    Tokens::lend(to);
    after.plan.copies.push_back({to->place, taken[i]->place});
    after.scope.free.push_back(taken[i]);
    taken[i] = to;
  };
  while (!misplaced.empty()) {
    auto possible =
        llvm::find_if(misplaced, [&](auto &each) { return llvm::is_contained(after.scope.free, each.second); });
    if (possible == misplaced.end()) { // they are in each other's places
      size_t i = misplaced.front().first;
      Token *aside = tokens.take(after.scope, taken[i]->place->bytes, /*fromFree=*/true);
      move(i, aside);
      continue;
    }
    llvm::erase(after.scope.free, possible->second);
    move(possible->first, possible->second);
    misplaced.erase(possible);
  }
}

/// The free tokens go back to where they came from if they can, else to any place of their size.
LogicalResult LoopPlanner::returnSpares() {
  SmallVector<Carried> &outgoing = after.plan.outgoing;
  SmallVector<Token *> spare = after.scope.free;
  outgoing.resize(loop.inits.size());
  auto fill = [&](auto matches) {
    for (size_t i = positional; i < outgoing.size(); ++i) {
      auto it = outgoing[i] ? spare.end() : llvm::find_if(spare, [&](Token *token) { return matches(i, token); });
      if (it == spare.end())
        continue;
      outgoing[i] = {Value(), (*it)->place};
      spare.erase(it);
    }
  };
  DenseMap<Place *, Place *> origins; // variables of `after` -> what `before` handed on as them
  for (auto [argument, from] : llvm::zip_equal(after.plan.arguments, before.plan.outgoing))
    if (argument.place)
      origins[argument.place] = from.place;
  fill([&](size_t i, Token *token) { return origins.lookup(token->place) == before.plan.arguments[i].place; });
  fill([&](size_t i, Token *token) { return token->place->bytes == given[i]->place->bytes; });
  if (!spare.empty() || !llvm::all_of(outgoing, [](const Carried &carried) { return bool(carried); }))
    return op.emitOpError("could not be given buffers: the sizes of what it carries do not match");
  return success();
}

//===- Out of the loop --------------------------------------------------------------------------------------------===//

template <typename Drop> static void dropIf(SmallVectorImpl<Carried> &list, Drop drop) {
  unsigned i = 0;
  llvm::erase_if(list, [&](const Carried &) { return drop(i++); });
}

/// What comes back where it was is no variable of the loop.
void LoopPlanner::dropFixed() {
  DenseMap<Place *, unsigned> positions;
  for (auto [i, argument] : llvm::enumerate(before.plan.arguments))
    if (argument.place)
      positions[argument.place] = i;
  fixed.resize(after.plan.arguments.size());
  dropped.resize(loop.inits.size());
  for (auto [j, argument] : llvm::enumerate(after.plan.arguments)) {
    handed.push_back(argument.place ? argument.place->bytes : 0);
    auto it = argument.place ? positions.find(before.plan.outgoing[j].place) : positions.end();
    if (it == positions.end() || after.plan.outgoing[it->second].place != argument.place)
      continue;
    unsigned i = it->second;
    fixed[j] = given[i];
    dropped[i] = true;
    before.plan.arguments[i].place->same = argument.place->same = loop.inits[i].place;
  }
  auto dropBefore = [&](unsigned i) { return dropped[i]; };
  auto dropAfter = [&](unsigned j) { return fixed[j] != nullptr; };
  dropIf(loop.inits, dropBefore);
  dropIf(before.plan.arguments, dropBefore);
  dropIf(after.plan.outgoing, dropBefore);
  dropIf(after.plan.arguments, dropAfter);
  dropIf(before.plan.outgoing, dropAfter);
}

/// The results hold the tokens that come out: those that were fixed, or new ones of one family.
void LoopPlanner::leave() {
  Family *swapped = tokens.createFamily();
  for (auto [token, fixedPlace] : llvm::zip_equal(given, dropped))
    if (token && !fixedPlace)
      Tokens::merge(swapped, token);
  auto results = llvm::to_vector(llvm::make_filter_range(op.getResults(), [&](Value v) { return isCarried(v); }));
  SmallVector<Token *> unneeded;
  for (auto [j, token] : llvm::enumerate(fixed)) {
    Value result = j < results.size() ? Value(results[j]) : Value();
    if (result && !isTensor(result)) {
      loop.results.push_back({result});
      continue;
    }
    if (!token) {
      token = tokens.create(tokens.createPlace(Place::Variable, handed[j]), &scope, swapped);
      loop.results.push_back({Value(), token->place});
    }
    if (result)
      tokens.hold(token, result);
    else
      unneeded.push_back(token);
  }
  llvm::for_each(unneeded, [&](Token *token) { tokens.giveBack(token); });
}

LogicalResult planLoop(BufferPlanner &planner, scf::WhileOp op, Scope &scope) {
  return LoopPlanner(planner, op, scope).run();
}

} // namespace mlir::xla
