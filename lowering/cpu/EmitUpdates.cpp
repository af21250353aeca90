// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters by a GPU's threads: of each update one, or of each place, or of each range of places a block, which finds
// its updates among all, or to which they were dealt; or blocks that have tables of all places.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/cpu/ScatterEmitter.h"
#include "mlir_xla/lowering/cpu/UpdatePlan.h"
#include "mlir_xla/lowering/nest/AtomicCombiner.h"
#include "mlir_xla/lowering/xla_rt/DealtPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

using Axis = ScatterPlan::Axis;
using Loop = ScatterPlan::Loop;

static constexpr int64_t kWarp = GpuMachine::warp, kWarps = UpdatePlan::kThreads / kWarp;
/// Index vectors that a thread looks at before those of the block that are its own are visited.
static constexpr int64_t kLooks = 8;
/// Updates of a place that a thread asks for before it combines the first of them.
static constexpr int64_t kAsked = 8;
/// The address space that a block of threads shares.
static constexpr unsigned kShared = 3;

namespace {

class UpdateEmitter : ScatterCode {
public:
  UpdateEmitter(const WholeKernel &kernel, rt::ScatterOp op, const UpdatePlan &plan)
      : ScatterCode(kernel, op, plan.walk), share(plan), item(kernel.begin) {}
  void emitEach();
  void emitOrdered();
  void emitDealt();
  void emitTables();
  void emitOwners();

private:
  Value binary(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  }
  Value both(Value condition, Value other) {
    return condition ? arith::AndIOp::create(b, condition, other).getResult() : other;
  }
  void openIf(Value condition) {
    auto branch = scf::IfOp::create(b, TypeRange(), condition, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  Value narrow(Value value) { return arith::TruncIOp::create(b, b.getI32Type(), value); }
  Value wide(Value value) {
    return value.getType().isInteger(64) ? value : arith::ExtUIOp::create(b, b.getI64Type(), value).getResult();
  }
  Value i32(int64_t value) { return combiner.constant(b.getI32IntegerAttr(value)); }
  Value ofWord(int64_t value) {
    return combiner.constant(b.getIntegerAttr(getElementTypeOrSelf(op.getIndices().getType()), value));
  }

  Place walk(Place place, ArrayRef<Loop> loops, Value number, SmallVectorImpl<Value> *positions = nullptr);
  Value findPlace(Place &place, ArrayRef<Value> window, ArrayRef<Value> starts);
  void emitAtomic(Value target, Value value) {
    LLVM::AtomicRMWOp::create(b, *atomicCombiner(op), target, value, LLVM::AtomicOrdering::monotonic, "device");
  }
  SmallVector<Loop> windowByLanes() const;
  Place openUpdate(Value number);

  Value wordAt(Value number);
  Value placeOf(Value word);
  Value numberOf(Value word);
  bool isLastAlone();
  SmallVector<Loop> placeDigits() const;
  SmallVector<Value> updatesAt(const Elements &elements);
  SmallVector<Value> combine(ValueRange current, ArrayRef<Value> updates);
  void combineRun(Value first, Value at, Place place, const Elements &elements);
  void combineDealt(Value begin, Value end, Place place, function_ref<Value(Value)> numberAt);
  void storeChanged(ValueRange values, const Elements &elements);

  Value sharedArray(int64_t count, Type type);
  Value sharedAt(Value array, Value index) { return pointerTo(array, b.getI32Type(), index); }
  Value isOwn(Place place, Value &position);
  Value emitSearch(Place batch, Value first);
  void visit(Place batch, Value count);
  void updateWindow(Place place, Value number);
  void emitInit();

  const UpdatePlan &share;
  Value item;
  Value thread, warp, lane, lower, upper; // of an owner
  Value counts, found, rows;              // in shared memory
  Value batchNumber;
};

} // namespace

/// Where iteration `number` of all `loops` together is; `positions` are those of each loop.
ScatterCode::Place UpdateEmitter::walk(Place place, ArrayRef<Loop> loops, Value number,
                                       SmallVectorImpl<Value> *positions) {
  SmallVector<Value> each(loops.size());
  for (size_t i = loops.size(); i-- > 0;) {
    each[i] = i == 0 ? number : arith::RemUIOp::create(b, number, i64(loops[i].size)).getResult();
    if (i > 0)
      number = arith::DivUIOp::create(b, number, i64(loops[i].size));
  }
  for (auto [loop, iteration] : llvm::zip_equal(loops, each))
    place = advance(place, loop, iteration);
  if (positions)
    positions->append(each);
  return place;
}

/// Moves the outs of `place` to where the index vector says, and returns whether that is inside; null if always.
/// `window` are the positions in the window.
Value UpdateEmitter::findPlace(Place &place, ArrayRef<Value> window, ArrayRef<Value> starts) {
  Value inside;
  for (auto [i, axis] : llvm::enumerate(plan.axes)) {
    Value start = starts[i], position = start;
    if (axis.loop >= 0) {
      start = boundStart(start, axis);
      position = arith::AddIOp::create(b, start, window[axis.loop]);
    }
    bool isOwners = share.sharing == UpdateSharing::Owners && i == share.axis;
    Value first = isOwners ? arith::SubIOp::create(b, position, lower).getResult() : position;
    Value size = isOwners ? arith::SubIOp::create(b, upper, lower).getResult() : i64(axis.size);
    inside = both(inside, binary(arith::CmpIPredicate::ult, first, size));
    place.outs = advance(place.outs, start, axis.stride);
  }
  return inside;
}

/// Of neighbours that a thread updates, an iteration does all.
SmallVector<Loop> UpdateEmitter::windowByLanes() const {
  SmallVector<Loop> window(plan.window);
  if (share.lanes > 1) {
    Loop &inner = window.back();
    inner.size /= share.lanes;
    inner.updates *= share.lanes;
    inner.outs *= share.lanes;
  }
  return window;
}

/// Where update `number` is made, or its neighbours are, in a branch that is taken if that is inside.
ScatterCode::Place UpdateEmitter::openUpdate(Value number) {
  SmallVector<Loop> loops(plan.vectors);
  llvm::append_range(loops, windowByLanes());
  SmallVector<Value> positions, starts;
  Place place = walk({}, loops, number, &positions);
  for (const Axis &axis : plan.axes)
    starts.push_back(loadStart(place, axis));
  if (Value inside = findPlace(place, ArrayRef(positions).drop_front(plan.vectors.size()), starts))
    openIf(inside);
  return place;
}

/// An item is an element of the updates, or neighbours.
void UpdateEmitter::emitEach() {
  OpBuilder::InsertionGuard guard(b);
  Place place = openUpdate(item);
  lanesAreAligned = share.lanes > 1;
  if (share.sharing == UpdateSharing::Atomic)
    emitAtomic(elementsAt(place).outs[0], loadUpdate(elementsAt(place), 0, 1));
  else
    emitElements(elementsAt(place), share.lanes);
}

//===- Index vectors in order -------------------------------------------------------------------------------------===//

/// Of ordered index vectors the word `number`.
Value UpdateEmitter::wordAt(Value number) {
  Type type = getElementTypeOrSelf(op.getIndices().getType());
  return load(pointerTo(indices, type, number), type, 1);
}

Value UpdateEmitter::placeOf(Value word) {
  return arith::ShRUIOp::create(b, word, ofWord(static_cast<int64_t>(*op.getOrdered())));
}

Value UpdateEmitter::numberOf(Value word) {
  return wide(arith::AndIOp::create(b, word, ofWord((int64_t(1) << *op.getOrdered()) - 1)));
}

/// Whether the combiner does not read what is there, so that only the last update of a place is to be seen.
bool UpdateEmitter::isLastAlone() {
  return llvm::all_of(op.getCombiner().getArguments().take_front(types.size()),
                      [](Value current) { return current.use_empty(); });
}

/// Those of the number of a place, as loops that nobody walks.
SmallVector<Loop> UpdateEmitter::placeDigits() const {
  return llvm::map_to_vector(plan.axes, [](const Axis &axis) { return Loop{axis.size, 0, axis.stride, 0}; });
}

/// A thread of an item has a word, and an element of its window, or neighbours. Who has the first word of a place makes
/// all updates of that place, in their order. If only the last one is to be seen, who has that makes it.
void UpdateEmitter::emitOrdered() {
  OpBuilder::InsertionGuard guard(b);
  bool isLast = isLastAlone();
  SmallVector<Loop> window = windowByLanes();
  int64_t size = iterations(window), words = iterations(plan.vectors), places = 1;
  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value number = arith::AddIOp::create(b, arith::MulIOp::create(b, item, i64(share.team())), thread);
  if (share.updates() % share.team())
    openIf(binary(arith::CmpIPredicate::slt, number, i64(share.updates())));
  // Neighbouring threads have neighbours in the updates.
  bool isWindowInside = !window.empty() && plan.window.back().updates == 1;
  int64_t inside = isWindowInside ? size : words;
  Value outer = arith::DivUIOp::create(b, number, i64(inside)), inner = arith::RemUIOp::create(b, number, i64(inside));
  Value at = isWindowInside ? outer : inner, element = isWindowInside ? inner : outer;
  Value word = wordAt(at), place = placeOf(word);
  Value next = isLast ? arith::MinSIOp::create(b, arith::AddIOp::create(b, at, i64(1)), i64(words - 1)).getResult()
                      : arith::MaxSIOp::create(b, arith::SubIOp::create(b, at, i64(1)), i64(0)).getResult();
  Value isEnd = binary(arith::CmpIPredicate::ne, placeOf(wordAt(next)), place);
  isEnd = arith::OrIOp::create(b, isEnd, binary(arith::CmpIPredicate::eq, next, at));
  for (const Axis &axis : plan.axes)
    places *= axis.size;
  openIf(both(isEnd, binary(arith::CmpIPredicate::ult, place, ofWord(places))));
  Place there = walk(walk({}, placeDigits(), wide(place)), window, element);
  lanesAreAligned = share.lanes > 1;
  if (isLast)
    return emitElements(elementsAt(walk(there, plan.vectors, numberOf(word))), share.lanes);
  combineRun(word, at, there, elementsAt(there));
}

/// Those that the combiner reads.
SmallVector<Value> UpdateEmitter::updatesAt(const Elements &elements) {
  SmallVector<Value> values;
  for (size_t i = 0, count = types.size(); i < count; ++i)
    values.push_back(op.getCombiner().getArgument(count + i).use_empty() ? Value()
                                                                         : loadUpdate(elements, i, share.lanes));
  return values;
}

/// What updates make of the current values.
SmallVector<Value> UpdateEmitter::combine(ValueRange current, ArrayRef<Value> updates) {
  SmallVector<Value> values(current);
  llvm::append_range(values, updates);
  llvm::append_range(values, scalars);
  SmallVector<Value> results = combiner.emit(values);
  for (auto [result, value] : llvm::zip_equal(results, current))
    if (result.getType() != value.getType())
      result = vector::BroadcastOp::create(b, value.getType(), result);
  return results;
}

/// Makes the updates of all words that have the place of `first`, which is number `at`, in registers. While updates are
/// on their way, those words are asked for that come next.
void UpdateEmitter::combineRun(Value first, Value at, Place place, const Elements &elements) {
  int64_t words = iterations(plan.vectors);
  auto wordsFrom = [&](Value begin, SmallVectorImpl<Value> &values) {
    for (int64_t i = 0; i < kAsked; ++i)
      values.push_back(wordAt(arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, i64(i)), i64(words - 1))));
  };
  SmallVector<Value> initial{at};
  for (auto [type, out] : llvm::zip_equal(types, elements.outs))
    initial.push_back(load(out, type, share.lanes));
  wordsFrom(at, initial);
  SmallVector<Type> carried(ValueRange(initial).getTypes());
  SmallVector<Location> locations(initial.size(), b.getLoc());
  auto run = scf::WhileOp::create(b, carried, initial);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&run.getBefore(), {}, carried, locations);
    Value begin = block->getArgument(0), exists, end = arith::AddIOp::create(b, begin, i64(kAsked));
    SmallVector<Value> current(block->getArguments().slice(1, types.size())), following;
    wordsFrom(end, following);
    // A word of another place stands for the first one, whose update is there.
    SmallVector<Value> own;
    SmallVector<SmallVector<Value>> updates;
    for (auto [i, word] : llvm::enumerate(block->getArguments().take_back(kAsked))) {
      Value number = arith::AddIOp::create(b, begin, i64(static_cast<int64_t>(i)));
      exists = both(exists, binary(arith::CmpIPredicate::slt, number, i64(words)));
      exists = both(exists, binary(arith::CmpIPredicate::eq, placeOf(word), placeOf(first)));
      own.push_back(exists);
      Value read = arith::SelectOp::create(b, exists, word, first);
      updates.push_back(updatesAt(elementsAt(walk(place, plan.vectors, numberOf(read)))));
    }
    for (auto [isOwn, update] : llvm::zip_equal(own, updates)) {
      SmallVector<Value> combined = combine(current, update);
      for (auto [value, result] : llvm::zip_equal(current, combined))
        value = arith::SelectOp::create(b, isOwn, result, value);
    }
    SmallVector<Value> next{end};
    llvm::append_range(next, current);
    llvm::append_range(next, following);
    scf::ConditionOp::create(b, exists, next);
    Block *after = b.createBlock(&run.getAfter(), {}, carried, locations);
    scf::YieldOp::create(b, after->getArguments());
  }
  storeChanged(run.getResults().slice(1, types.size()), elements);
}

/// Without those that the combiner leaves as they are.
void UpdateEmitter::storeChanged(ValueRange values, const Elements &elements) {
  Operation *yield = op.getCombiner().front().getTerminator();
  for (auto [i, out] : llvm::enumerate(elements.outs))
    if (yield->getOperand(i) != op.getCombiner().getArgument(i))
      store(values[i], out, types[i], share.lanes);
}

//===- Index vectors that were dealt ------------------------------------------------------------------------------===//

/// Makes the updates of the index vectors `numberAt(begin)` to `numberAt(end - 1)`, which have one place, in registers.
void UpdateEmitter::combineDealt(Value begin, Value end, Place place, function_ref<Value(Value)> numberAt) {
  Elements elements = elementsAt(place);
  SmallVector<Value> initial;
  for (auto [type, out] : llvm::zip_equal(types, elements.outs))
    initial.push_back(load(out, type, share.lanes));
  auto loop = scf::ForOp::create(b, begin, end, i64(kAsked), initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> current(loop.getRegionIterArgs()), exists;
    SmallVector<SmallVector<Value>> updates;
    // Behind the end, the first one is read again.
    for (int64_t i = 0; i < kAsked; ++i) {
      Value at = arith::AddIOp::create(b, loop.getInductionVar(), i64(i));
      exists.push_back(binary(arith::CmpIPredicate::slt, at, end));
      Value read = arith::SelectOp::create(b, exists.back(), at, begin);
      updates.push_back(updatesAt(elementsAt(walk(place, plan.vectors, numberAt(read)))));
    }
    for (auto [isThere, update] : llvm::zip_equal(exists, updates)) {
      SmallVector<Value> combined = combine(current, update);
      for (auto [value, result] : llvm::zip_equal(current, combined))
        value = arith::SelectOp::create(b, isThere, result, value);
    }
    scf::YieldOp::create(b, current);
  }
  storeChanged(loop.getResults(), elements);
}

/// An item is an owner, a block. All threads take words of some tiles, and sort them by their places; then each makes
/// all updates of a place, of an element of the window or neighbours. That there may be more of that place comes next.
void UpdateEmitter::emitDealt() {
  OpBuilder::InsertionGuard guard(b);
  DealtPlaces dealt(op);
  Type word = b.getIntegerType(8 * dealt.wordBytes), i16 = b.getI16Type(),
       pointer = LLVM::LLVMPointerType::get(b.getContext());
  // Of each 128 bytes a word is left out, as Deal.cpp has it.
  int64_t padding = llvm::Log2_64(dealt.wordBytes == 4 ? 32 : 16);
  Value words = sharedArray(dealt.tile + (dealt.tile >> padding), word),
        numbers = sharedArray(dealt.tile, b.getI32Type()), heads = sharedArray(dealt.tile + 1, i16);
  auto function = [&] {
    auto module = b.getBlock()->getParent()->getParentOfType<ModuleOp>();
    std::string name = "xla_rt_gpu_take_owned_" + std::to_string(dealt.wordBytes);
    if (auto found = module.lookupSymbol<func::FuncOp>(name))
      return found;
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    SmallVector<Type> inputs{pointer};
    inputs.append(6, b.getI64Type());
    inputs.append(3, pointer);
    auto made = func::FuncOp::create(atEnd, b.getLoc(), name, b.getFunctionType(inputs, b.getI64Type()));
    made.setPrivate();
    return made;
  }();
  auto generic = [&](Value shared) -> Value { return LLVM::AddrSpaceCastOp::create(b, pointer, shared); };
  SmallVector<Value> memory{generic(words), generic(numbers), generic(heads)};
  auto ofShared = [&](Value array, Type type, Value at) {
    return wide(LLVM::LoadOp::create(b, type, pointerTo(array, type, at)));
  };
  auto wordAt = [&](Value at) {
    Value skipped = arith::ShRUIOp::create(b, at, i64(padding));
    return ofShared(words, word, arith::AddIOp::create(b, at, skipped));
  };
  auto numberAt = [&](Value at) {
    return ofShared(numbers, b.getI32Type(), arith::AndIOp::create(b, wordAt(at), i64(dealt.tile - 1)));
  };

  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value tiles = openLoop(i64(0), i64(dealt.tiles), DealtPlaces::threads).getInductionVar();
  auto rounds = scf::WhileOp::create(b, b.getI64Type(), i64(0));
  Block *block = b.createBlock(&rounds.getBefore(), {}, b.getI64Type(), b.getLoc());
  Value first = block->getArgument(0);
  SmallVector<Value> operands{indices, i64(dealt.count), i64(dealt.placeBits), i64(dealt.group), item, tiles, first};
  llvm::append_range(operands, memory);
  Value taken = func::CallOp::create(b, function, operands).getResult(0);
  Value runs = arith::AndIOp::create(b, taken, i64(llvm::maskTrailingOnes<uint32_t>(32)));
  {
    OpBuilder::InsertionGuard inner(b);
    SmallVector<Loop> window = windowByLanes();
    int64_t size = iterations(window);
    // Neighbouring threads have neighbours of a window.
    Value number = openLoop(thread, arith::MulIOp::create(b, runs, i64(size)), UpdatePlan::kThreads).getInductionVar();
    Value run = arith::DivUIOp::create(b, number, i64(size)), element = arith::RemUIOp::create(b, number, i64(size));
    Value begin = ofShared(heads, i16, run), end = ofShared(heads, i16, arith::AddIOp::create(b, run, i64(1)));
    Value own = arith::ShRUIOp::create(b, wordAt(begin), i64(DealtPlaces::numberBits));
    own = arith::AndIOp::create(b, own, i64((int64_t(1) << dealt.placeBits) - 1));
    Value row = arith::DivUIOp::create(b, own, i64(dealt.group)),
          column = arith::RemUIOp::create(b, own, i64(dealt.group));
    row = arith::AddIOp::create(b, arith::MulIOp::create(b, row, i64(DealtPlaces::owners)), item);
    Value place = arith::AddIOp::create(b, arith::MulIOp::create(b, row, i64(dealt.group)), column);
    Place there = walk(walk({}, placeDigits(), place), window, element);
    lanesAreAligned = share.lanes > 1;
    if (isLastAlone())
      emitElements(elementsAt(walk(there, plan.vectors, numberAt(arith::SubIOp::create(b, end, i64(1))))), share.lanes);
    else
      combineDealt(begin, end, there, numberAt);
  }
  Value next = arith::AddIOp::create(b, first, i64(dealt.tile));
  Value all = arith::ShRUIOp::create(b, taken, i64(32));
  scf::ConditionOp::create(b, binary(arith::CmpIPredicate::slt, next, all), next);
  block = b.createBlock(&rounds.getAfter(), {}, b.getI64Type(), b.getLoc());
  scf::YieldOp::create(b, block->getArgument(0));
}

//===- Tables -----------------------------------------------------------------------------------------------------===//

/// What changes nothing.
static int64_t identityOf(LLVM::AtomicBinOp kind, unsigned width) {
  switch (kind) {
  case LLVM::AtomicBinOp::_and:
  case LLVM::AtomicBinOp::umin:
    return -1;
  case LLVM::AtomicBinOp::max:
    return llvm::minIntN(width);
  case LLVM::AtomicBinOp::min:
    return llvm::maxIntN(width);
  default:
    return 0;
  }
}

/// An item is a block, which has every so many of the updates.
void UpdateEmitter::emitTables() {
  OpBuilder::InsertionGuard guard(b);
  Type type = types[0];
  Value identity =
      combiner.constant(b.getIntegerAttr(type, identityOf(*atomicCombiner(op), type.getIntOrFloatBitWidth())));
  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  int64_t elements = ShapedType::getNumElements(op.getOutShape());
  Value table = sharedArray(elements, type);
  auto eachElement = [&](function_ref<void(Value)> visit) {
    OpBuilder::InsertionGuard guard(b);
    visit(openLoop(thread, i64(elements), UpdatePlan::kThreads).getInductionVar());
  };
  eachElement([&](Value at) { LLVM::StoreOp::create(b, identity, pointerTo(table, type, at)); });
  gpu::BarrierOp::create(b);
  {
    OpBuilder::InsertionGuard inner(b);
    Value first = arith::AddIOp::create(b, arith::MulIOp::create(b, item, i64(UpdatePlan::kThreads)), thread);
    Place place =
        openUpdate(openLoop(first, i64(share.updates()), share.tables * UpdatePlan::kThreads).getInductionVar());
    emitAtomic(pointerTo(table, type, place.outs), loadUpdate(elementsAt(place), 0, 1));
  }
  gpu::BarrierOp::create(b);
  eachElement([&](Value at) {
    Value value = LLVM::LoadOp::create(b, type, pointerTo(table, type, at));
    openIf(binary(arith::CmpIPredicate::ne, value, identity));
    emitAtomic(pointerTo(outs[0], type, at), value);
  });
}

//===- Owners -----------------------------------------------------------------------------------------------------===//

/// An array that the block shares.
Value UpdateEmitter::sharedArray(int64_t count, Type type) {
  auto module = b.getBlock()->getParent()->getParentOfType<ModuleOp>();
  OpBuilder detached(b.getContext());
  auto global = LLVM::GlobalOp::create(detached, b.getLoc(), LLVM::LLVMArrayType::get(type, count),
                                       /*isConstant=*/false, LLVM::Linkage::Internal, "shared", Attribute(),
                                       /*alignment=*/16, kShared);
  SymbolTable(module).insert(global, module.getBody()->begin());
  return LLVM::AddressOfOp::create(b, global);
}

/// Whether the owner's range of positions has any of those that the index vector at `place` addresses; `position` is
/// the first of them, from the beginning of the range.
Value UpdateEmitter::isOwn(Place place, Value &position) {
  const Axis &axis = plan.axes[share.axis];
  Value start = loadStart(place, axis);
  if (axis.loop < 0) {
    position = arith::SubIOp::create(b, start, lower);
    return binary(arith::CmpIPredicate::ult, position, arith::SubIOp::create(b, upper, lower));
  }
  start = boundStart(start, axis);
  position = i64(0);
  Value end = arith::AddIOp::create(b, start, i64(plan.window[axis.loop].size));
  return both(binary(arith::CmpIPredicate::slt, start, upper), binary(arith::CmpIPredicate::sgt, end, lower));
}

/// Of the index vectors from `first` on, `found` gets the numbers of those that are the owner's, in their order. Each
/// warp looks at a stretch of them. Returns how many there are.
Value UpdateEmitter::emitSearch(Place batch, Value first) {
  ArrayRef<Loop> loops = ArrayRef(plan.vectors).drop_front(share.batches);
  int64_t vectors = share.vectorCount();
  Value begin = arith::AddIOp::create(b, first, arith::MulIOp::create(b, warp, i64(kLooks * kWarp)));
  Value below = arith::SubIOp::create(b, arith::ShLIOp::create(b, i32(1), narrow(lane)), i32(1));
  SmallVector<Value> numbers, positions, own, places;
  Value count = i32(0), everybody = i32(-1);
  for (int64_t look = 0; look < kLooks; ++look) {
    Value number = arith::AddIOp::create(b, begin, arith::AddIOp::create(b, lane, i64(look * kWarp)));
    numbers.push_back(number);
    Value exists = binary(arith::CmpIPredicate::slt, number, i64(vectors));
    Value position;
    Value mine = isOwn(walk(batch, loops, arith::MinSIOp::create(b, number, i64(vectors - 1))), position);
    own.push_back(both(mine, exists));
    positions.push_back(position);
  }
  for (Value mine : own) {
    Value bits = NVVM::VoteSyncOp::create(b, b.getI32Type(), everybody, mine, NVVM::VoteSyncKind::ballot);
    Value ofLower = LLVM::CtPopOp::create(b, b.getI32Type(), arith::AndIOp::create(b, bits, below));
    places.push_back(arith::AddIOp::create(b, count, ofLower));
    count = arith::AddIOp::create(b, count, LLVM::CtPopOp::create(b, b.getI32Type(), bits));
  }
  {
    OpBuilder::InsertionGuard guard(b);
    openIf(binary(arith::CmpIPredicate::eq, lane, i64(0)));
    LLVM::StoreOp::create(b, count, sharedAt(counts, warp));
  }
  gpu::BarrierOp::create(b);
  Value total = i32(0), before = i32(0);
  for (int64_t other = 0; other < kWarps; ++other) {
    Value more = LLVM::LoadOp::create(b, b.getI32Type(), sharedAt(counts, i64(other)));
    Value isBefore = binary(arith::CmpIPredicate::sgt, warp, i64(other));
    before = arith::AddIOp::create(b, before, arith::SelectOp::create(b, isBefore, more, i32(0)));
    total = arith::AddIOp::create(b, total, more);
  }
  for (auto [mine, place, number, position] : llvm::zip_equal(own, places, numbers, positions)) {
    OpBuilder::InsertionGuard guard(b);
    openIf(mine);
    Value at = wide(arith::AddIOp::create(b, before, place));
    LLVM::StoreOp::create(b, narrow(number), sharedAt(found, at));
    LLVM::StoreOp::create(b, narrow(position), sharedAt(rows, at));
  }
  gpu::BarrierOp::create(b);
  return total;
}

/// Element `number` of the window of the index vector at `place`.
void UpdateEmitter::updateWindow(Place place, Value number) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> positions, starts;
  for (const Axis &axis : plan.axes)
    starts.push_back(loadStart(place, axis));
  place = walk(place, plan.window, number, &positions);
  if (Value inside = findPlace(place, positions, starts))
    openIf(inside);
  emitElements(elementsAt(place), 1);
}

/// Makes the updates of the first `count` index vectors in `found`. An element of the outs is always the same thread's,
/// unless windows may meet at other positions: then threads wait for each other after each window.
void UpdateEmitter::visit(Place batch, Value count) {
  OpBuilder::InsertionGuard guard(b);
  ArrayRef<Loop> loops = ArrayRef(plan.vectors).drop_front(share.batches);
  int64_t size = share.windowSize();
  // Groups of threads share rows if windows are short.
  int64_t group =
              share.meets ? UpdatePlan::kThreads : std::min<int64_t>(llvm::PowerOf2Ceil(size), UpdatePlan::kThreads),
          groups = UpdatePlan::kThreads / group;
  Value element = groups > 1 ? arith::RemUIOp::create(b, thread, i64(group)).getResult() : thread;
  Value number = openLoop(i64(0), wide(count), 1).getInductionVar();
  {
    OpBuilder::InsertionGuard inner(b);
    if (groups > 1) {
      Value row = LLVM::LoadOp::create(b, b.getI32Type(), sharedAt(rows, number));
      Value mine = arith::DivUIOp::create(b, thread, i64(group));
      openIf(binary(arith::CmpIPredicate::eq, arith::RemUIOp::create(b, wide(row), i64(groups)), mine));
    }
    Value vector = wide(LLVM::LoadOp::create(b, b.getI32Type(), sharedAt(found, number)));
    Place place = walk(batch, loops, vector);
    if (size > group) {
      element = openLoop(element, i64(size), group).getInductionVar();
    } else if (size < group) {
      openIf(binary(arith::CmpIPredicate::slt, element, i64(size)));
    }
    updateWindow(place, element);
  }
  if (share.meets)
    gpu::BarrierOp::create(b);
}

/// The owner's part of an array begins as a constant. Between that and the first update, the threads meet in the
/// search for updates.
void UpdateEmitter::emitInit() {
  OpBuilder::InsertionGuard guard(b);
  const Axis &axis = plan.axes[share.axis];
  int64_t part = ShapedType::getNumElements(op.getOutShape()) / share.batchCount(), run = axis.size * axis.stride;
  Value distance;
  if (part != run)
    distance = advance({}, openLoop(i64(0), i64(part / run), 1).getInductionVar(), run);
  if (share.batches)
    distance = advance(distance, batchNumber, part);
  Value from = arith::AddIOp::create(b, advance({}, lower, axis.stride), thread);
  Value to = advance({}, upper, axis.stride);
  Value at = advance(distance, openLoop(from, to, UpdatePlan::kThreads).getInductionVar(), 1);
  store(combiner.constant(op.getInitAttr()), pointerTo(outs[0], strideType(types[0]), at), types[0], 1);
}

/// An item is an owner's part of a batch.
void UpdateEmitter::emitOwners() {
  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  warp = arith::DivUIOp::create(b, thread, i64(kWarp));
  lane = arith::RemUIOp::create(b, thread, i64(kWarp));
  Value owner = arith::RemUIOp::create(b, item, i64(share.owners));
  batchNumber = arith::DivUIOp::create(b, item, i64(share.owners));
  Place batch = walk({}, ArrayRef(plan.vectors).take_front(share.batches), batchNumber);
  lower = arith::MulIOp::create(b, owner, i64(share.positions));
  upper =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, lower, i64(share.positions)), i64(plan.axes[share.axis].size));
  counts = sharedArray(kWarps, b.getI32Type());
  found = sharedArray(kLooks * UpdatePlan::kThreads, b.getI32Type());
  rows = sharedArray(kLooks * UpdatePlan::kThreads, b.getI32Type());
  if (op.getInit())
    emitInit();
  OpBuilder::InsertionGuard guard(b);
  Value first = openLoop(i64(0), i64(share.vectorCount()), kLooks * UpdatePlan::kThreads).getInductionVar();
  visit(batch, emitSearch(batch, first));
}

void mlir::xla::emitUpdates(const WholeKernel &kernel, rt::ScatterOp op, const UpdatePlan &plan) {
  UpdateEmitter emitter(kernel, op, plan);
  switch (plan.sharing) {
  case UpdateSharing::Each:
  case UpdateSharing::Atomic:
    return op.getOrdered() ? emitter.emitOrdered() : emitter.emitEach();
  case UpdateSharing::Dealt:
    return emitter.emitDealt();
  case UpdateSharing::Tables:
    return emitter.emitTables();
  case UpdateSharing::Owners:
    return emitter.emitOwners();
  }
}
