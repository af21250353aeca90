// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's loops whose steps are long chains of instructions, as several loops of shorter chains that leave values
// for each other in memory. A processor has some hundred instructions under way. Of long chains these are few steps,
// whose instructions wait for each other; of short ones they are many.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
/// What an operation of lanes takes: instructions, and cycles from its operands to its results.
struct Timing {
  double instructions, cycles;
};

/// The body of a loop along lanes, as parts that are loops of their own.
class Distribution {
public:
  Distribution(scf::ForOp loop);
  /// Finds the parts that take the least time; false if that is all of it as one.
  bool cut();
  /// Bytes, for each step, of what parts leave for later ones.
  int64_t handedOnBytes() const;
  /// Parts of `steps` steps, in turn. What one leaves for another is in memory that `allocate` gives.
  scf::ForOp emit(ImplicitLocOpBuilder &b, int64_t steps, function_ref<Value(Type, int64_t)> allocate);

private:
  /// Memory that values have one after the other.
  struct Slot {
    Type type;
    SmallVector<Value> values;
    size_t freeFrom; // the part
  };

  bool isCarried(Value value) { return llvm::is_contained(loop.getRegionIterArgs(), value); }
  bool isAfterStep(Operation *op);
  void findUses();
  SmallVector<size_t> candidates() const;
  size_t partOf(size_t place) const { return llvm::upper_bound(cuts, place) - cuts.begin(); }
  SmallVector<Slot> slots() const;
  func::CallOp callIn(size_t first, size_t last);
  void emitPart(ImplicitLocOpBuilder &b, size_t first, size_t last, scf::ForOp part, Value number);

  scf::ForOp loop;
  SmallVector<Operation *> chain;       // what is computed once
  DenseMap<Operation *, size_t> places; // of these in it
  DenseMap<Value, size_t> lastUses;     // of what they compute, by those behind
  SmallVector<unsigned> crossing;       // values that are computed in front of each place and used behind it
  SmallVector<bool> mayCut;             // in front of each place
  SmallVector<size_t> cuts;
  DenseMap<Value, Value> memory; // of what is used in later parts
};
} // namespace

/// Constants, addresses and what is read from memory are had again wherever they are needed.
static bool isFree(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() == 1 &&
         (isa<LLVM::LoadOp>(op) ||
          (isMemoryEffectFree(&op) && llvm::none_of(op.getOperandTypes(), llvm::IsaPred<VectorType>)));
}

/// So is what a few instructions compute of these. A product may be one with a sum.
static bool isCheap(Operation &op) { return isa<arith::MulFOp, arith::NegFOp, arith::AddFOp, arith::SubFOp>(op); }

static func::FuncOp calleeOf(func::CallOp call) {
  return call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(call.getCallee());
}

static Timing timingOf(Operation *op);

/// Of a function that is one block.
static Timing timingOfCall(func::CallOp call) {
  Timing all{0, 0};
  DenseMap<Value, double> ready;
  for (Operation &op : calleeOf(call).front().without_terminator()) {
    auto [instructions, cycles] = timingOf(&op);
    double start = 0;
    for (Value operand : op.getOperands())
      start = std::max(start, ready.lookup(operand));
    for (Value result : op.getResults())
      ready[result] = start + cycles;
    all.instructions += instructions;
    all.cycles = std::max(all.cycles, start + cycles);
  }
  return all;
}

/// As far as processors are alike in it.
static Timing timingOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return timingOfCall(call);
  if (op->getNumRegions() > 0) // a branch for rare arguments
    return {4, 8};
  if (isa<arith::ConstantOp, arith::BitcastOp>(op))
    return {0, 0};
  if (isa<arith::DivFOp, math::SqrtOp>(op))
    return {2, 13};
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return {3, 6};
  if (isa<arith::SelectOp, math::AbsFOp, arith::NegFOp>(op))
    return {1, 1};
  Type type = op->getNumResults() ? getElementTypeOrSelf(op->getResult(0).getType()) : Type();
  if (isa_and_nonnull<FloatType>(type) || isa<arith::CmpFOp>(op))
    return {1, 4};
  return {1, 1};
}

/// A step of so many instructions, of which the longest chain takes `chain` cycles.
static double cyclesOf(double instructions, double chain) {
  constexpr double perCycle = 3, underWay = 256;
  return std::max(instructions / perCycle, instructions * chain / underWay);
}

Distribution::Distribution(scf::ForOp loop) : loop(loop) {
  constexpr unsigned few = 3;
  DenseSet<Value> given; // to functions, which read it from memory
  for (auto call : loop.getBody()->getOps<func::CallOp>())
    given.insert_range(call.getOperands());
  DenseMap<Operation *, unsigned> instructions; // of what is had again
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isRepeated = (isFree(op) || isCheap(op)) &&
                      llvm::none_of(op.getResults(), [&](Value value) { return given.contains(value); });
    unsigned &own = instructions[&op] = !isFree(op);
    for (Value operand : op.getOperands()) {
      isRepeated &= !places.contains(operand.getDefiningOp()) && !isCarried(operand);
      own += instructions.lookup(operand.getDefiningOp());
    }
    if (isRepeated && own <= few)
      continue;
    places[&op] = chain.size();
    chain.push_back(&op);
  }
  findUses();
}

/// Stores come last, because they may overwrite what is read. So does what depends on the step before.
bool Distribution::isAfterStep(Operation *op) {
  bool readsCarried = false;
  op->walk([&](Operation *inner) {
    readsCarried |= llvm::any_of(inner->getOperands(), [&](Value operand) { return isCarried(operand); });
  });
  return readsCarried || op->getNumResults() == 0;
}

void Distribution::findUses() {
  crossing.assign(chain.size() + 1, 0);
  mayCut.assign(chain.size() + 1, true);
  for (auto [place, op] : llvm::enumerate(chain)) {
    if (isAfterStep(op)) {
      std::fill(mayCut.begin() + static_cast<ptrdiff_t>(place) + 1, mayCut.end(), false);
      break;
    }
  }
  auto use = [&](Value value, Operation *user, size_t place) {
    Operation *op = value.getDefiningOp();
    auto found = places.find(op);
    if (!op || found == places.end())
      return;
    size_t &last = lastUses[value];
    last = std::max(last, place);
    // A product and a sum of it are one instruction, and rounded once.
    if (isa<arith::MulFOp>(op) && isa<arith::AddFOp, arith::SubFOp, arith::NegFOp>(user))
      std::fill(mayCut.begin() + static_cast<ptrdiff_t>(found->second) + 1,
                mayCut.begin() + static_cast<ptrdiff_t>(place) + 1, false);
  };
  for (auto [place, op] : llvm::enumerate(chain))
    op->walk([&, place = place](Operation *inner) {
      for (Value operand : inner->getOperands())
        use(operand, inner, place);
    });
  for (Value value : loop.getBody()->getTerminator()->getOperands())
    use(value, loop.getBody()->getTerminator(), chain.size());
  for (auto &[value, last] : lastUses)
    for (size_t place = places.at(value.getDefiningOp()) + 1; place <= last; ++place)
      ++crossing[place];
}

/// Of neighbouring places, those that the fewest values cross, and all that have a call on one side.
SmallVector<size_t> Distribution::candidates() const {
  constexpr size_t neighbours = 6;
  SmallVector<size_t> best{0};
  for (size_t first = 1; first < chain.size(); first += neighbours) {
    std::optional<size_t> least;
    SmallVector<size_t> besideCalls;
    for (size_t place = first; place < std::min(first + neighbours, chain.size()); ++place) {
      if (!mayCut[place])
        continue;
      if (isa<func::CallOp>(chain[place]) || isa<func::CallOp>(chain[place - 1]))
        besideCalls.push_back(place);
      else if (!least || crossing[place] < crossing[*least])
        least = place;
    }
    if (least)
      besideCalls.insert(llvm::lower_bound(besideCalls, *least), *least);
    best.append(besideCalls);
  }
  best.push_back(chain.size());
  return best;
}

bool Distribution::cut() {
  constexpr double ofStep = 4, access = 5, notable = 0.95, mostInstructions = 512;
  constexpr double ofCall = 30; // with the constants that a function loads each time
  SmallVector<size_t> ends = candidates();
  SmallVector<double> least(ends.size(), std::numeric_limits<double>::infinity());
  SmallVector<size_t> previous(ends.size(), 0);
  least[0] = 0;
  for (size_t begin = 0; begin + 1 < ends.size(); ++begin) {
    DenseMap<Value, double> ready;
    double instructions = ofStep + crossing[ends[begin]], chained = 0, calls = 0;
    for (size_t end = begin + 1; end < ends.size() && instructions < mostInstructions; ++end) {
      for (Operation *op : ArrayRef(chain).slice(ends[end - 1], ends[end] - ends[end - 1])) {
        auto [more, cycles] = timingOf(op);
        double start = access;
        for (Value operand : op->getOperands())
          start = std::max(start, ready.lookup(operand));
        for (Value result : op->getResults())
          ready[result] = start + cycles;
        chained = std::max(chained, start + cycles);
        instructions += more;
        calls += isa<func::CallOp>(op);
      }
      // Alone, a function goes through memory by itself.
      double ofCalls = callIn(ends[begin], ends[end]) ? 0 : calls * ofCall;
      double time = least[begin] + cyclesOf(instructions + ofCalls + crossing[ends[end]], chained + access);
      if (begin == 0 && end + 1 == ends.size())
        time *= notable;
      if (time < least[end]) {
        least[end] = time;
        previous[end] = begin;
      }
    }
  }
  // Without an end, there are no places for cuts in too long a stretch.
  for (size_t end = previous.back(); end != 0; end = previous[end])
    cuts.push_back(ends[end]);
  std::reverse(cuts.begin(), cuts.end());
  return !cuts.empty();
}

/// What parts leave for later ones. A long chain has many parts, and what is no longer needed makes room.
SmallVector<Distribution::Slot> Distribution::slots() const {
  SmallVector<Slot> slots;
  for (auto [place, op] : llvm::enumerate(chain)) {
    size_t part = partOf(place);
    for (Value result : op->getResults()) {
      auto last = lastUses.find(result);
      if (last == lastUses.end() || partOf(last->second) == part)
        continue;
      auto *slot = llvm::find_if(
          slots, [&](const Slot &slot) { return slot.freeFrom <= part && slot.type == result.getType(); });
      if (slot == slots.end())
        slot = &slots.emplace_back(Slot{.type = result.getType(), .values = {}, .freeFrom = 0});
      slot->values.push_back(result);
      slot->freeFrom = partOf(last->second) + 1;
    }
  }
  return slots;
}

int64_t Distribution::handedOnBytes() const {
  int64_t bytes = 0;
  for (const Slot &slot : slots()) {
    auto type = dyn_cast<VectorType>(slot.type);
    bytes += type ? llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(), 8) : sizeof(int64_t);
  }
  return bytes;
}

/// The call, if it is all that the part has, and takes what earlier parts leave, or the same vector in all steps.
func::CallOp Distribution::callIn(size_t first, size_t last) {
  auto call = last - first == 1 ? dyn_cast<func::CallOp>(chain[first]) : func::CallOp();
  bool isAlone = call && llvm::all_of(call.getOperands(), [&](Value operand) {
                   return places.contains(operand.getDefiningOp()) || operand.getParentBlock() != loop.getBody();
                 });
  return isAlone && lastUses.contains(call.getResult(0)) ? call : func::CallOp();
}

/// What `call` calls, for as many vectors as the last argument says: with pointers to operands in memory, the others
/// themselves, and a pointer to the results.
static func::FuncOp functionOfSteps(ImplicitLocOpBuilder &b, func::CallOp call, ArrayRef<Type> types) {
  func::FuncOp callee = calleeOf(call);
  auto module = call->getParentOfType<ModuleOp>();
  std::string name = (callee.getName() + ".steps").str();
  for (Type type : types)
    name += isa<LLVM::LLVMPointerType>(type) ? ".each" : ".same";
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(callee);
  SmallVector<Type> inputs(types);
  inputs.append({LLVM::LLVMPointerType::get(b.getContext()), b.getI64Type()});
  auto function = func::FuncOp::create(b, name, b.getFunctionType(inputs, {}));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(b, value, /*width=*/64); };
  ValueRange arguments = entry->getArguments();
  auto loop = scf::ForOp::create(b, number(0), arguments.back(), number(1));
  loop->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
  func::ReturnOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  auto addressIn = [&](Value memory, Type vector) {
    return LLVM::GEPOp::create(b, memory.getType(), vector, memory, ValueRange(loop.getInductionVar()));
  };
  IRMapping mapping;
  for (auto [from, to] : llvm::zip(callee.getArguments(), arguments))
    mapping.map(from, isa<LLVM::LLVMPointerType>(to.getType())
                          ? LLVM::LoadOp::create(b, from.getType(), addressIn(to, from.getType())).getResult()
                          : to);
  for (Operation &op : callee.front().without_terminator())
    b.clone(op, mapping);
  Value result = mapping.lookup(callee.front().getTerminator()->getOperand(0));
  LLVM::StoreOp::create(b, result, addressIn(arguments.drop_back().back(), result.getType()));
  return function;
}

/// What a value is in memory: LLVM has no floats of less than 16 bits.
static Type keptType(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() >= 16)
    return type;
  Type bits = IntegerType::get(type.getContext(), element.getWidth());
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(bits) : bits;
}

void Distribution::emitPart(ImplicitLocOpBuilder &b, size_t first, size_t last, scf::ForOp part, Value number) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), part.getInductionVar());
  if (last == chain.size())
    mapping.map(loop.getRegionIterArgs(), part.getRegionIterArgs());
  auto addressOf = [&](Value value) -> Value {
    return LLVM::GEPOp::create(b, memory.at(value).getType(), keptType(value.getType()), memory.at(value),
                               ValueRange(number));
  };
  auto as = [&](Type type, Value value) -> Value {
    return value.getType() == type ? value : arith::BitcastOp::create(b, type, value);
  };
  std::function<void(Value)> bring = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || mapping.contains(value))
      return;
    if (places.contains(op)) {
      Value kept = LLVM::LoadOp::create(b, keptType(value.getType()), addressOf(value));
      mapping.map(value, as(value.getType(), kept));
      return;
    }
    for (Value operand : op->getOperands())
      bring(operand);
    b.clone(*op, mapping);
  };
  auto bringFor = [&](Operation *op, size_t place) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto found = places.find(operand.getDefiningOp()); found == places.end() || found->second < place)
          bring(operand);
    });
  };
  bool stores = false;
  for (size_t place = first; place < last; ++place) {
    Operation *op = chain[place];
    bringFor(op, place);
    // Before the first store, all that the step still needs: it may overwrite what is read.
    if (op->getNumResults() == 0 && !std::exchange(stores, true)) {
      for (Operation *later : ArrayRef(chain).drop_front(place))
        bringFor(later, place);
      bringFor(loop.getBody()->getTerminator(), place);
    }
    b.clone(*op, mapping);
    for (Value result : op->getResults())
      if (memory.contains(result) && lastUses.at(result) >= last && last != chain.size())
        LLVM::StoreOp::create(b, as(keptType(result.getType()), mapping.lookup(result)), addressOf(result));
  }
  if (last != chain.size())
    return;
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues()) {
    bring(value);
    yielded.push_back(mapping.lookupOrDefault(value));
  }
  if (!yielded.empty())
    scf::YieldOp::create(b, yielded);
}

scf::ForOp Distribution::emit(ImplicitLocOpBuilder &b, int64_t steps, function_ref<Value(Type, int64_t)> allocate) {
  for (const Slot &slot : slots()) {
    Value allocated = allocate(keptType(slot.type), steps);
    for (Value value : slot.values)
      memory[value] = allocated;
  }
  b.setInsertionPoint(loop);
  Value length = arith::ConstantIntOp::create(b, *getConstantIntValue(loop.getStep()) * steps, /*width=*/64);
  auto blocks = scf::ForOp::create(b, loop.getLowerBound(), loop.getUpperBound(), length, loop.getInitArgs());
  blocks->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Value begin = blocks.getInductionVar();
  b.setInsertionPointToStart(blocks.getBody());
  Value end = arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, length), loop.getUpperBound());
  Value count = arith::CeilDivUIOp::create(b, arith::SubIOp::create(b, end, begin), loop.getStep());
  for (size_t number = 0; number <= cuts.size(); ++number) {
    bool isLast = number == cuts.size();
    size_t first = number == 0 ? 0 : cuts[number - 1], last = isLast ? chain.size() : cuts[number];
    if (func::CallOp call = isLast ? func::CallOp() : callIn(first, last)) {
      auto inMemory = [&](Value value) { return memory.lookup_or(value, value); };
      SmallVector<Value> operands = llvm::map_to_vector(call.getOperands(), inMemory);
      func::FuncOp steps = functionOfSteps(b, call, llvm::to_vector(TypeRange(operands)));
      operands.append({memory.at(call.getResult(0)), count});
      func::CallOp::create(b, steps, operands);
      continue;
    }
    auto part = scf::ForOp::create(b, begin, end, loop.getStep(),
                                   isLast ? ValueRange(blocks.getRegionIterArgs()) : ValueRange());
    part->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(part.getBody());
      Value step = arith::DivUIOp::create(b, arith::SubIOp::create(b, part.getInductionVar(), begin), loop.getStep());
      emitPart(b, first, last, part, step);
    }
    if (isLast && !loop.getInitArgs().empty())
      scf::YieldOp::create(b, part.getResults());
  }
  loop.replaceAllUsesWith(blocks.getResults());
  return blocks;
}

/// Cuts `loop`, if that takes less time: into parts of `steps` steps. Returns what is in its place.
scf::ForOp NestEmitter::distribute(scf::ForOp loop, int64_t steps) {
  constexpr int64_t mostBytes = 64 << 10; // of the stack, for a loop
  bool isInnermost = !loop.getBody()->walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!isInnermost)
    return loop;
  Distribution distribution(loop);
  if (!distribution.cut())
    return loop;
  if (distribution.handedOnBytes() * steps > mostBytes)
    return loop;
  OpBuilder::InsertionGuard guard(b);
  auto allocate = [&](Type type, int64_t count) { return allocateOnStack(type, count); };
  scf::ForOp parts = distribution.emit(b, steps, allocate);
  for (auto &[key, emitted] : values)
    if (emitted.value && emitted.value.getDefiningOp() == loop)
      emitted.value = parts.getResult(cast<OpResult>(emitted.value).getResultNumber());
  loop.erase();
  return parts;
}
