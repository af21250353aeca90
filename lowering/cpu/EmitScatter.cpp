// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits a scatter as its plan says: loops over index vectors, the test whether a window lies inside, and the window's
// elements, in lanes where they are neighbours. What does not change in a loop is computed before it.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/ScatterEmitter.h"
#include "mlir_xla/lowering/math/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::xla;

using Axis = ScatterPlan::Axis;
using Loop = ScatterPlan::Loop;
using Split = ScatterPlan::Split;

/// Vectors of a row whose code stands one after the other. Longer rows are loops.
static constexpr int64_t kStraightVectors = 8, kUnrolledVectors = 4;
/// Updates of one element whose code stands one after the other, and the most operations of a combiner of which that is
/// so: what counts and compares the iterations of a loop is as much as an update.
static constexpr int64_t kUnrolledUpdates = 4, kUnrolledOperations = 4;
/// Index vectors that an owner looks at before it visits its own.
static constexpr int64_t kOwnBlock = 1024;

namespace {

class ScatterEmitter : ScatterCode {
public:
  ScatterEmitter(const WholeKernel &kernel, rt::ScatterOp op, const ScatterPlan &plan);
  void emit();

private:
  struct Range {
    Value lower, upper;
  };
  Range splitRange() const { return {splitLower, splitUpper}; }
  bool initsEachIteration() const { return plan.split == Split::Vectors && plan.splitAt == 0; }
  void emitInit(Value lower, Value upper);
  bool unrolls();
  void emitEach(Range range, int64_t constantSize, function_ref<void(Value, int64_t)> emit);
  void emitUpdates(Place place, Range range, int64_t constantSize);
  void emitVectors(unsigned depth, Place place);
  void emitOwnVectors(Place place);
  Value emitSearch(Place place, Value begin, Value end, Value found);
  Value emitBisection(Place place, Value position);
  void emitVector(Place place, bool isOwn);
  void askFor(Value pointer, Value distance);
  void emitLookAhead(Place place, Value iteration);
  void emitWindow(unsigned depth, Place place, ArrayRef<Range> ranges);
  void emitRow(Place place, std::optional<Range> range);

  Value splitLower, splitUpper;
};

} // namespace

//===- Loops ------------------------------------------------------------------------------------------------------===//

ScatterEmitter::ScatterEmitter(const WholeKernel &kernel, rt::ScatterOp op, const ScatterPlan &plan)
    : ScatterCode(kernel, op, plan) {
  if (plan.split != Split::None) {
    splitLower = advance({}, kernel.begin, plan.block);
    splitUpper = advance({}, kernel.end, plan.block);
    if (plan.work * plan.block != plan.splitSize())
      splitUpper = arith::MinSIOp::create(b, splitUpper, i64(plan.splitSize()));
  }
}

void ScatterEmitter::emit() {
  if (op.getInit() && !initsEachIteration())
    emitInit(splitLower, splitUpper);
  emitVectors(0, {});
}

/// Gives the out's elements for which the loop or axis that is split is in `[lower, upper)` the value that they begin
/// with; all of them if nothing is split.
void ScatterEmitter::emitInit(Value lower, Value upper) {
  // They are runs of neighbours, one for each iteration of what is outside of that loop in the out.
  int64_t count = ShapedType::getNumElements(op.getOutShape()), run = count;
  Range owned{i64(0), i64(run)};
  if (plan.split != Split::None) {
    int64_t stride = plan.splitStride();
    run = plan.splitSize() * stride;
    owned = {advance({}, lower, stride), advance({}, upper, stride)};
  }
  OpBuilder::InsertionGuard guard(b);
  Value distance;
  if (count != run)
    distance = advance({}, openLoop(i64(0), i64(count / run), 1).getInductionVar(), run);
  Value value = combiner.constant(op.getInitAttr());
  int64_t lanes = machine.lanes(elementStorageBytes(types[0]) * 8);
  Value whole = arith::AndIOp::create(b, arith::SubIOp::create(b, owned.upper, owned.lower), i64(-lanes));
  Value end = arith::AddIOp::create(b, owned.lower, whole);
  for (auto [from, to, step] : {std::tuple(owned.lower, end, lanes), {end, owned.upper, int64_t(1)}}) {
    OpBuilder::InsertionGuard inner(b);
    Value at = advance(distance, openLoop(from, to, step).getInductionVar(), 1);
    store(value, pointerTo(outs[0], strideType(types[0]), at), types[0], step);
  }
}

/// Is an index vector that of one element, with little to do?
bool ScatterEmitter::unrolls() {
  return iterations(plan.window) == 1 && !plan.ahead &&
         llvm::hasNItemsOrLess(op.getCombiner().front(), kUnrolledOperations) &&
         llvm::all_of(op.getCombiner().front(), [](Operation &inner) { return inner.getNumRegions() == 0; });
}

/// A loop over `range`, which is that from 0 to `constantSize` unless that is 0, with several iterations in one: `emit`
/// gets the first of them and which one after it is meant.
void ScatterEmitter::emitEach(Range range, int64_t constantSize, function_ref<void(Value, int64_t)> emit) {
  Value end;
  if (constantSize) {
    end = i64(constantSize - constantSize % kUnrolledUpdates);
  } else {
    Value length = arith::MaxSIOp::create(b, arith::SubIOp::create(b, range.upper, range.lower), i64(0));
    end = arith::AddIOp::create(b, range.lower, arith::AndIOp::create(b, length, i64(-kUnrolledUpdates)));
  }
  {
    OpBuilder::InsertionGuard guard(b);
    Value first = openLoop(range.lower, end, kUnrolledUpdates).getInductionVar();
    for (int64_t i = 0; i < kUnrolledUpdates; ++i)
      emit(first, i);
  }
  if (constantSize && constantSize % kUnrolledUpdates == 0)
    return;
  OpBuilder::InsertionGuard guard(b);
  emit(openLoop(end, range.upper, 1).getInductionVar(), 0);
}

/// The innermost loop over index vectors of one element each. Addresses begin where the loop does, so that those of its
/// iterations are parts of instructions.
void ScatterEmitter::emitUpdates(Place place, Range range, int64_t constantSize) {
  llvm::SaveAndRestore indicesBefore(indices);
  llvm::SaveAndRestore updatesBefore(updates), outsBefore(outs);
  indices = pointerTo(indices, memoryType(getElementTypeOrSelf(op.getIndices().getType())), place.indices);
  Elements there = elementsAt(place);
  updates = there.updates;
  outs = there.outs;
  Loop loop = plan.vectors.back();
  emitEach(range, constantSize, [&](Value first, int64_t number) {
    Place at = advance(Place(), loop, first);
    if (number) {
      at.updates = advance(at.updates, i64(number * loop.updates), loop.updates != 0);
      at.outs = advance(at.outs, i64(number * loop.outs), loop.outs != 0);
      at.indices = advance(at.indices, i64(number * loop.indices), loop.indices != 0);
    }
    emitVector(at, /*isOwn=*/false);
  });
}

void ScatterEmitter::emitVectors(unsigned depth, Place place) {
  if (depth == plan.vectors.size())
    return emitVector(place, /*isOwn=*/false);
  if (plan.indexLanes > 1 && depth + 1 == plan.vectors.size())
    return emitOwnVectors(place);
  const Loop &loop = plan.vectors[depth];
  bool isSplit = plan.split == Split::Vectors && plan.splitAt == depth;
  OpBuilder::InsertionGuard guard(b);
  Range range = isSplit ? splitRange() : Range{i64(0), i64(loop.size)};
  if (plan.bisects)
    range = {emitBisection(place, splitLower), emitBisection(place, splitUpper)};
  if (depth + 1 == plan.vectors.size() && loop.size >= kUnrolledUpdates && unrolls() &&
      !(op.getInit() && isSplit && initsEachIteration()))
    return emitUpdates(place, range, isSplit || plan.bisects ? 0 : loop.size);
  Value iteration = openLoop(range.lower, range.upper, 1).getInductionVar();
  if (op.getInit() && isSplit && initsEachIteration())
    emitInit(iteration, arith::AddIOp::create(b, iteration, i64(1)));
  if (plan.ahead && depth + 1 == plan.vectors.size())
    emitLookAhead(place, iteration);
  emitVectors(depth + 1, advance(place, loop, iteration));
}

/// Asks for a row of the array at `pointer`, into all caches. Asking for updates as what is not to be kept would take a
/// Xeon 2.5 times as long.
void ScatterEmitter::askFor(Value pointer, Value distance) {
  int64_t bytes = elementStorageBytes(types[0]);
  Value row = pointerTo(pointer, strideType(types[0]), distance);
  for (int64_t at = 0; at < plan.window[0].size; at += machine.cacheLine / bytes) {
    Value line = LLVM::GEPOp::create(b, row.getType(), strideType(types[0]), row,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(at)});
    LLVM::Prefetch::create(b, line, /*rw=*/0, /*hint=*/3, /*data=*/1);
  }
}

/// Asks for what a later iteration of the innermost loop over index vectors will read, unless the one before that is at
/// the same place: where places are sorted, the processor knows what comes, and asking would cost more than it gains.
void ScatterEmitter::emitLookAhead(Place place, Value iteration) {
  const Loop &loop = plan.vectors.back();
  auto target = [&](Value at) {
    Place there = advance(place, loop, arith::MinSIOp::create(b, at, i64(loop.size - 1)));
    for (const Axis &axis : plan.axes)
      there.outs = advance(there.outs, loadStart(there, axis), axis.stride);
    return there.outs;
  };
  Value later = arith::AddIOp::create(b, iteration, i64(plan.ahead));
  Value before = target(arith::AddIOp::create(b, iteration, i64(plan.ahead - 1))), there = target(later);
  Value isElsewhere = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, before, there);
  OpBuilder::InsertionGuard guard(b);
  auto branch = scf::IfOp::create(b, TypeRange(), isElsewhere, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (plan.asksForUpdates)
    askFor(updates[0], advance(place, loop, later).updates);
  askFor(outs[0], there);
}

/// The innermost loop over index vectors of an owner. It takes a block of them at a time: first it compares several
/// indices at once with its range and notes those inside, then it visits what it noted. Neither waits for a branch that
/// nobody could predict, so that the processor works on several visits at the same time.
void ScatterEmitter::emitOwnVectors(Place place) {
  const Loop &loop = plan.vectors.back();
  Type pointer = indices.getType(), i32 = b.getI32Type();
  int64_t lanes = plan.indexLanes;
  Value found;
  {
    OpBuilder::InsertionGuard guard(b);
    Value count = i64(kOwnBlock + lanes);
    b.setInsertionPointAfterValue(count);
    found = LLVM::AllocaOp::create(b, pointer, i32, count, /*alignment=*/64);
  }
  OpBuilder::InsertionGuard guard(b);
  Value begin = openLoop(i64(0), i64(loop.size), kOwnBlock).getInductionVar();
  Value end = arith::AddIOp::create(b, begin, i64(kOwnBlock));
  if (loop.size % kOwnBlock)
    end = arith::MinSIOp::create(b, end, i64(loop.size));
  Value count = emitSearch(place, begin, end, found);
  auto noted = [&](Value number) {
    Value position = LLVM::LoadOp::create(b, i32, pointerTo(found, i32, number), /*alignment=*/4);
    return advance(place, loop, arith::ExtUIOp::create(b, b.getI64Type(), position));
  };
  auto visit = [&](Value first, int64_t next) {
    Value number = next ? arith::AddIOp::create(b, first, i64(next)).getResult() : first;
    if (plan.ahead) {
      Value last = arith::SubIOp::create(b, count, i64(1));
      Value later = arith::AddIOp::create(b, number, i64(plan.ahead));
      askFor(updates[0], noted(arith::MinSIOp::create(b, later, last)).updates);
    }
    emitVector(noted(number), /*isOwn=*/true);
  };
  if (unrolls())
    return emitEach({i64(0), count}, /*constantSize=*/0, visit);
  visit(openLoop(i64(0), count, 1).getInductionVar(), 0);
}

/// Writes the numbers of those index vectors in `[begin, end)` that are the owner's to `found`, and returns how many.
Value ScatterEmitter::emitSearch(Place place, Value begin, Value end, Value found) {
  const Loop &loop = plan.vectors.back();
  Type index = getElementTypeOrSelf(op.getIndices().getType()), i32 = b.getI32Type();
  int64_t lanes = plan.indexLanes;
  auto type = VectorType::get({lanes}, index), numbersType = VectorType::get({lanes}, i32),
       maskType = VectorType::get({lanes}, b.getI1Type());
  auto splat = [&](Value value) -> Value {
    if (value.getType() != index)
      value = arith::TruncIOp::create(b, index, value);
    return vector::BroadcastOp::create(b, type, value);
  };
  Value first = splat(splitLower), size = splat(arith::SubIOp::create(b, splitUpper, splitLower));
  auto eachLane = llvm::to_vector_of<int32_t>(llvm::seq<int64_t>(lanes));
  Value steps = combiner.constant(DenseElementsAttr::get(numbersType, ArrayRef<int32_t>(eachLane)));
  Value base = pointerTo(indices, index, advance(place.indices, i64(plan.axes[0].component), 1));

  auto search = scf::ForOp::create(b, begin, end, i64(lanes), ValueRange(i64(0)));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(search.getBody());
  Value at = search.getInductionVar(), count = search.getRegionIterArg(0), again;
  if (loop.size % lanes) {
    // The last step overlaps with the one before it.
    Value here = arith::MinSIOp::create(b, at, i64(loop.size - lanes));
    again = arith::SubIOp::create(b, at, here);
    at = here;
  }
  Value values = LLVM::LoadOp::create(b, type, pointerTo(base, index, at), index.getIntOrFloatBitWidth() / 8);
  Value isOwn = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, arith::SubIOp::create(b, values, first), size);
  Value bits = LLVM::BitcastOp::create(b, b.getIntegerType(lanes), isOwn);
  if (again) {
    Value rest = arith::ShLIOp::create(b, i64(-1), again);
    bits = arith::AndIOp::create(b, bits, arith::TruncIOp::create(b, bits.getType(), rest));
    isOwn = LLVM::BitcastOp::create(b, maskType, bits);
  }
  Value numbers = vector::BroadcastOp::create(b, numbersType, arith::TruncIOp::create(b, i32, at));
  numbers = arith::AddIOp::create(b, numbers, steps);
  Value packed = LLVM::CallIntrinsicOp::create(b, numbersType, b.getStringAttr("llvm.experimental.vector.compress"),
                                               ValueRange{numbers, isOwn, ub::PoisonOp::create(b, numbersType)})
                     .getResults();
  LLVM::StoreOp::create(b, packed, pointerTo(found, i32, count), /*alignment=*/4);
  Value more = LLVM::CtPopOp::create(b, b.getI64Type(), arith::ExtUIOp::create(b, b.getI64Type(), bits));
  scf::YieldOp::create(b, ValueRange(arith::AddIOp::create(b, count, more)));
  return search.getResult(0);
}

/// The first of the sorted index vectors whose start is not before `position`. If they are not sorted after all, any.
Value ScatterEmitter::emitBisection(Place place, Value position) {
  const Loop &loop = plan.vectors.back();
  auto advanceBefore = [&](Value first, Value at, Value by) -> Value {
    Value start = loadStart(advance(place, loop, at), plan.axes[0]);
    Value isBefore = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, start, position);
    return arith::SelectOp::create(b, isBefore, arith::AddIOp::create(b, first, by), first);
  };
  // Of `count` from `first` on, the half in which it is, or the one that is left.
  auto halves =
      scf::ForOp::create(b, i64(0), i64(llvm::Log2_64_Ceil(loop.size)), i64(1), ValueRange{i64(0), i64(loop.size)});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(halves.getBody());
    Value first = halves.getRegionIterArg(0), count = halves.getRegionIterArg(1);
    Value half = arith::ShRUIOp::create(b, count, i64(1));
    Value middle = arith::SubIOp::create(b, arith::AddIOp::create(b, first, half), i64(1));
    middle = arith::MaxSIOp::create(b, middle, i64(0));
    Value next = advanceBefore(first, middle, half);
    scf::YieldOp::create(b, ValueRange{next, arith::SubIOp::create(b, count, half)});
  }
  Value first = halves.getResult(0);
  return advanceBefore(first, first, i64(1));
}

/// The window of one index vector; `isOwn` if the only axis was looked at already.
void ScatterEmitter::emitVector(Place place, bool isOwn) {
  OpBuilder::InsertionGuard guard(b);
  Value inside;
  SmallVector<Range> ranges(plan.window.size());
  for (auto [i, axis] : llvm::enumerate(plan.axes)) {
    Range positions{i64(0), i64(axis.size)};
    bool isSplit = plan.split == Split::Owners && plan.splitAt == i;
    if (isSplit)
      positions = splitRange();
    Value start = loadStart(place, axis);
    if (axis.loop < 0) {
      if (!isOwn) {
        Value relative = start, count = positions.upper;
        if (isSplit) {
          relative = arith::SubIOp::create(b, start, positions.lower);
          count = arith::SubIOp::create(b, positions.upper, positions.lower);
        }
        Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, relative, count);
        inside = inside ? arith::AndIOp::create(b, inside, isInside).getResult() : isInside;
      }
    } else {
      int64_t length = plan.window[axis.loop].size;
      start = boundStart(start, axis);
      Value lower = arith::SubIOp::create(b, positions.lower, start);
      Value upper = arith::SubIOp::create(b, positions.upper, start);
      ranges[axis.loop] = {arith::MaxSIOp::create(b, lower, i64(0)), arith::MinSIOp::create(b, upper, i64(length))};
    }
    place.outs = advance(place.outs, start, axis.stride);
  }
  if (inside) {
    auto branch = scf::IfOp::create(b, TypeRange(), inside, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  emitWindow(0, place, ranges);
}

void ScatterEmitter::emitWindow(unsigned depth, Place place, ArrayRef<Range> ranges) {
  if (depth == plan.window.size())
    return emitElements(elementsAt(place), 1);
  const Loop &loop = plan.window[depth];
  std::optional<Range> range;
  if (plan.split == Split::Window && plan.splitAt == depth)
    range = splitRange();
  else if (loop.axis >= 0)
    range = ranges[depth];
  if (depth + 1 == plan.window.size() && plan.lanes > 1)
    return emitRow(place, range);
  OpBuilder::InsertionGuard guard(b);
  scf::ForOp iterations = openLoop(range ? range->lower : i64(0), range ? range->upper : i64(loop.size), 1);
  emitWindow(depth + 1, advance(place, loop, iterations.getInductionVar()), ranges);
}

/// Neighbouring elements, in lanes: all of the innermost loop, or those in `range`.
void ScatterEmitter::emitRow(Place place, std::optional<Range> range) {
  Elements row = elementsAt(place);
  int64_t lanes = plan.lanes, size = plan.window.back().size;
  OpBuilder::InsertionGuard guard(b);
  if (range) {
    // Whole vectors, then what is left element by element.
    Value length = arith::MaxSIOp::create(b, arith::SubIOp::create(b, range->upper, range->lower), i64(0));
    Value whole = arith::AndIOp::create(b, length, i64(-lanes));
    Value end = arith::AddIOp::create(b, range->lower, whole);
    for (auto [lower, upper, step] : {std::tuple(range->lower, end, lanes), {end, range->upper, int64_t(1)}}) {
      OpBuilder::InsertionGuard inner(b);
      emitElements(elementsAt(row, openLoop(lower, upper, step).getInductionVar()), step);
    }
    return;
  }
  int64_t begin = 0;
  if (size / lanes > kStraightVectors) {
    int64_t step = lanes * kUnrolledVectors;
    begin = size - size % step;
    OpBuilder::InsertionGuard inner(b);
    Elements part = elementsAt(row, openLoop(i64(0), i64(begin), step).getInductionVar());
    for (int64_t vector = 0; vector < kUnrolledVectors; ++vector)
      emitElements(elementsAt(part, vector * lanes), lanes);
  }
  // What is left takes vectors of half as many lanes each.
  for (; begin < size; begin += lanes) {
    while (lanes > size - begin)
      lanes /= 2;
    emitElements(elementsAt(row, begin), lanes);
  }
}

LogicalResult mlir::xla::emitScatter(const WholeKernel &kernel, rt::ScatterOp op) {
  ScatterPlan plan = planScatter(op, kernel.machine);
  if (plan.work > 0)
    ScatterEmitter(kernel, op, plan).emit();
  return success();
}
