// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a scatter as loops with strides, merges those that walk all arrays as one, and weighs how to share the work.

#include "mlir_xla/lowering/cpu/ScatterPlan.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

using Loop = ScatterPlan::Loop;
using Axis = ScatterPlan::Axis;
using Split = ScatterPlan::Split;

int64_t ScatterPlan::splitSize() const {
  switch (split) {
  case Split::None:
    return 1;
  case Split::Vectors:
    return vectors[splitAt].size;
  case Split::Window:
    return window[splitAt].size;
  case Split::Owners:
    return axes[splitAt].size;
  }
  return 1;
}

int64_t ScatterPlan::splitStride() const {
  switch (split) {
  case Split::None:
    return 0;
  case Split::Vectors:
    return vectors[splitAt].outs;
  case Split::Window:
    return window[splitAt].outs;
  case Split::Owners:
    return axes[splitAt].stride;
  }
  return 0;
}

int64_t mlir::xla::iterations(ArrayRef<Loop> loops) {
  int64_t count = 1;
  for (const Loop &loop : loops)
    count *= loop.size;
  return count;
}

/// Neighbouring loops that walk every array as one loop would.
static void merge(SmallVectorImpl<Loop> &loops, MutableArrayRef<Axis> axes) {
  SmallVector<Loop> merged;
  for (const Loop &loop : loops) {
    bool joins = !merged.empty() && loop.axis < 0 && merged.back().axis < 0;
    if (joins) {
      const Loop &outer = merged.back();
      joins = outer.updates == loop.size * loop.updates && outer.outs == loop.size * loop.outs &&
              outer.indices == loop.size * loop.indices;
    }
    if (joins)
      merged.back() = Loop{merged.back().size * loop.size, loop.updates, loop.outs, loop.indices};
    else
      merged.push_back(loop);
  }
  for (auto [i, loop] : llvm::enumerate(merged))
    if (loop.axis >= 0)
      axes[loop.axis].loop = i;
  loops.assign(merged.begin(), merged.end());
}

/// Of words instead of index vectors: a word's number counts the iterations of `vectors`, and its place the positions
/// along `axes`.
static ScatterPlan readWords(rt::ScatterOp op) {
  ArrayRef<int64_t> outShape = op.getOutShape(), updateShape = op.getUpdateShape();
  SmallVector<int64_t> outStrides = computeStrides(outShape), updateStrides = computeStrides(updateShape);
  ScatterPlan plan;
  for (int64_t dim : op.getBatch())
    plan.vectors.push_back({updateShape[dim], updateStrides[dim], 0, 0});
  SmallVector<Loop> window(updateShape.size(), Loop{1, 0, 0, 0});
  for (auto [size, stride, start, step] : llvm::zip_equal(outShape, outStrides, op.getStarts(), op.getSteps())) {
    if (start >= 0 || llvm::is_contained(op.getBatch(), step)) {
      bool joins = !plan.axes.empty() && plan.axes.back().stride == size * stride;
      if (joins)
        plan.axes.back() = {plan.axes.back().size * size, stride, 0};
      else
        plan.axes.push_back({size, stride, 0});
    } else if (step >= 0) {
      window[step] = {updateShape[step], updateStrides[step], stride, 0};
    }
  }
  for (const Loop &loop : window)
    if (loop.size > 1)
      plan.window.push_back(loop);
  merge(plan.vectors, {});
  merge(plan.window, plan.axes);
  return plan;
}

/// The loops without a split. Loops over index vectors have the order of the updates in memory, as have those of the
/// window; one of the window that is no more than an offset in all arrays may stand among the former.
ScatterPlan mlir::xla::readScatter(rt::ScatterOp op) {
  if (op.hasWords())
    return readWords(op);
  ArrayRef<int64_t> outShape = op.getOutShape(), updateShape = op.getUpdateShape(),
                    indexShape = cast<RankedTensorType>(op.getIndices().getType()).getShape();
  int64_t vectorDim = op.getVector();
  SmallVector<int64_t> outStrides = computeStrides(outShape), updateStrides = computeStrides(updateShape),
                       indexStrides = computeStrides(indexShape);
  SmallVector<Loop> loops;
  for (auto [size, stride] : llvm::zip_equal(updateShape, updateStrides))
    loops.push_back({size, stride, 0, 0});
  SmallVector<bool> isBatch(loops.size(), false);
  for (auto [i, dim] : llvm::enumerate(op.getBatch())) {
    loops[dim].indices = indexStrides[static_cast<int64_t>(i) < vectorDim ? i : i + 1];
    isBatch[dim] = true;
  }
  ScatterPlan plan;
  int64_t componentStride = vectorDim < static_cast<int64_t>(indexShape.size()) ? indexStrides[vectorDim] : 0;
  for (auto [size, stride, start, step] : llvm::zip_equal(outShape, outStrides, op.getStarts(), op.getSteps())) {
    if (step >= 0)
      loops[step].outs = stride;
    if (start < 0)
      continue;
    // A loop that runs once only is no walk.
    if (step >= 0 && loops[step].size > 1)
      loops[step].axis = plan.axes.size();
    plan.axes.push_back({size, stride, start * componentStride});
  }
  int64_t lastBatch = -1;
  for (auto [dim, batch] : llvm::enumerate(isBatch))
    if (batch && loops[dim].size > 1)
      lastBatch = dim;
  for (auto [dim, loop] : llvm::enumerate(loops))
    if (loop.size != 1)
      (isBatch[dim] || (loop.axis < 0 && static_cast<int64_t>(dim) < lastBatch) ? plan.vectors : plan.window)
          .push_back(loop);
  merge(plan.vectors, {});
  merge(plan.window, plan.axes);
  return plan;
}

/// The type of the parts of complex numbers, if `op` adds them up, or puts rows of them in the place of others.
static Type separatePart(rt::ScatterOp op, const ScatterPlan &plan) {
  auto type = dyn_cast<ComplexType>(getElementTypeOrSelf(op.getOuts()[0].getType()));
  Block &body = op.getCombiner().front();
  if (!type || op.getOuts().size() != 1 || !op.getScalars().empty() || op.getInit() || op.getUpdate())
    return {};
  if (body.getTerminator()->getOperand(0) == body.getArgument(1))
    return plan.window.empty() ? Type() : type.getElementType();
  if (body.getOperations().size() != 2)
    return {};
  auto sum = dyn_cast<complex::AddOp>(body.front());
  bool isSum = sum && body.getTerminator()->getOperand(0) == sum.getResult() &&
               llvm::is_contained(sum->getOperands(), body.getArgument(0)) &&
               llvm::is_contained(sum->getOperands(), body.getArgument(1));
  return isSum ? type.getElementType() : Type();
}

/// Two parts are neighbours, of which rows of complex numbers are longer rows.
static void walkParts(ScatterPlan &plan) {
  for (auto *loops : {&plan.vectors, &plan.window})
    for (Loop &loop : *loops) {
      loop.updates *= 2;
      loop.outs *= 2;
    }
  for (Axis &axis : plan.axes)
    axis.stride *= 2;
  plan.window.push_back({2, 1, 1, 0});
  merge(plan.window, plan.axes);
}

namespace {

/// Roughly what parts of a scatter take, in nanoseconds.
struct Costs {
  double vector;  // what an index vector takes for itself
  double compute; // to combine its window
  double memory;  // to read its window, if those of neighbouring index vectors are read as well
  double look;    // to see that an index vector is not one's own
  double total;
  double updateBytes; // of all windows
};

} // namespace

/// The most bits of a value that the combiner computes with; 0 if it has no form in lanes.
static unsigned combinerBits(rt::ScatterOp op) {
  unsigned bits = 8;
  bool hasLanes = true;
  auto look = [&](Type type) {
    if (type.isIntOrFloat())
      bits = std::max(bits, storageBits(type));
    else
      hasLanes = false;
  };
  llvm::for_each(op.getCombiner().getArgumentTypes(), look);
  op.getCombiner().walk([&](Operation *inner) {
    hasLanes &= inner->getNumRegions() == 0;
    llvm::for_each(inner->getResultTypes(), look);
  });
  return hasLanes ? bits : 0;
}

static Costs estimate(rt::ScatterOp op, const ScatterPlan &plan) {
  double compute = 0;
  op.getCombiner().walk([&](Operation *inner) {
    if (!inner->hasTrait<OpTrait::IsTerminator>())
      compute += isExpensive(inner) ? 8 : 0.3;
  });
  int64_t bytes = 0;
  for (Value update : op.getUpdate() ? ValueRange() : ValueRange(op.getUpdates()))
    bytes += elementStorageBytes(plan.elementOf(update.getType()));
  double elements = iterations(plan.window);
  Costs costs;
  costs.vector = 0.2 + 0.2 * plan.axes.size();
  costs.compute = elements * (compute + 0.1) / plan.lanes;
  costs.memory = elements * 0.02 * bytes;
  costs.look = plan.indexLanes > 1 ? 0.1 : 0.7;
  costs.total = iterations(plan.vectors) * (costs.vector + costs.compute + costs.memory);
  costs.updateBytes = iterations(plan.vectors) * elements * bytes;
  return costs;
}

/// Indices that an owner can compare several at a time: they follow each other in memory, and say all about the place
/// along the only axis. Only vectors of 512 bits have an instruction that puts the lanes of its own together; written
/// out, that takes several times as long as looking at one after the other.
static int64_t countIndexLanes(rt::ScatterOp op, const ScatterPlan &plan, const Machine &machine) {
  auto type = cast<IntegerType>(getElementTypeOrSelf(op.getIndices().getType()));
  if (machine.vectorBits < 512 || plan.axes.size() != 1 || plan.axes[0].loop >= 0 || plan.vectors.empty() ||
      plan.vectors.back().indices != 1 || !llvm::isInt<31>(plan.vectors.back().size) ||
      (type.getWidth() != 32 && type.getWidth() != 64) || !llvm::isUIntN(type.getWidth() - 1, plan.axes[0].size))
    return 1;
  int64_t lanes = machine.lanes(type.getWidth());
  return plan.vectors.back().size >= 4 * lanes ? lanes : 1;
}

/// Whether the index vectors of an owner are neighbours, by promise: they are sorted, say all about the place along the
/// only axis, and are numbers as which an i64 orders them.
static bool areOwnNeighbours(rt::ScatterOp op, const ScatterPlan &plan) {
  auto type = cast<IntegerType>(getElementTypeOrSelf(op.getIndices().getType()));
  return op.getSorted() && plan.axes.size() == 1 && plan.axes[0].loop < 0 && plan.vectors.size() == 1 &&
         plan.vectors[0].indices != 0 && (type.getWidth() < 64 || !op.getIsUnsigned());
}

/// Less work than this, in nanoseconds, is done by one core in any case: owners would gain less than they look at.
static constexpr double kAlone = 25000;
/// Each owner more looks at all index vectors, and makes the gaps in what it reads larger.
static constexpr double kMostOwners = 4;

/// Rows of so many bytes are asked for ahead. Shorter ones take less time than asking does, and longer ones keep the
/// processor busy enough to find the next one by itself.
static constexpr int64_t kShortestAhead = 256, kLongestAhead = 1024;

/// The bytes of a window that is a row of so many; 0 of others.
static int64_t bytesAskedFor(rt::ScatterOp op, const ScatterPlan &plan) {
  if (plan.vectors.empty() || plan.window.size() != 1 || plan.lanes == 1 || op.getUpdates().size() != 1 ||
      op.getUpdate())
    return 0;
  int64_t row = plan.window[0].size * elementStorageBytes(plan.elementOf(op.getUpdates()[0].getType()));
  return row >= kShortestAhead && row <= kLongestAhead ? row : 0;
}

/// Gives `plan` a split into `work` parts or so, if that is worth it.
static void share(rt::ScatterOp op, ScatterPlan &plan, const Costs &costs, const Machine &machine) {
  int64_t elementBytes = elementStorageBytes(plan.elementOf(op.getUpdates()[0].getType()));
  if (costs.total < kAlone)
    return;
  int64_t parts = 1;
  auto offer = [&](Split split, unsigned at, int64_t size, double most) {
    int64_t count = std::min<int64_t>(size, static_cast<int64_t>(std::min(most, double(machine.enoughItems))));
    // The first offer that keeps all cores busy.
    if (parts >= machine.fewItems / 4 || count <= parts)
      return;
    parts = count;
    plan.split = split;
    plan.splitAt = at;
    plan.block = llvm::divideCeil(size, count);
  };
  for (auto [i, loop] : llvm::enumerate(plan.vectors))
    if (loop.outs != 0 || op.getUnique())
      offer(Split::Vectors, i, loop.size, machine.enoughItems);
  // What an owner reads of the updates has gaps: memory gives less of it at a time, and a stream from memory that all
  // owners read in turn gains nothing, unless they ask for it, by a list of theirs.
  double vector = costs.vector + costs.compute + costs.memory;
  bool mayAsk = plan.indexLanes > 1 && bytesAskedFor(op, plan) != 0;
  bool streams = costs.updateBytes > 2 * machine.lastLevelBytes && costs.compute < costs.memory && !mayAsk;
  // Single elements in the second-level cache are updated faster than owners find theirs and visit them from a list.
  int64_t single = plan.part ? 2 : 1;
  bool isNear = iterations(plan.window) == single &&
                ShapedType::getNumElements(op.getOutShape()) * single * elementBytes <= machine.l2Bytes;
  double owners = streams || isNear ? 1 : std::min(kMostOwners, vector / (2 * costs.look));
  if (plan.bisects)
    owners = static_cast<double>(machine.fewItems); // a bisection costs as much as some updates
  for (auto [i, axis] : llvm::enumerate(plan.axes))
    offer(Split::Owners, i, axis.size, owners);
  // Parts of rows, but no small ones, which would waste what memory gives at once.
  for (auto [i, loop] : llvm::enumerate(plan.window))
    if (loop.axis < 0) {
      double most = vector / (8 * costs.vector);
      if (i + 1 == plan.window.size())
        most = std::min<double>(most, loop.size * elementBytes / machine.longRun());
      offer(Split::Window, i, loop.size, most);
    }
  if (plan.split == Split::Window && plan.splitAt + 1 == plan.window.size())
    plan.block = llvm::alignTo(plan.block, plan.lanes);
  plan.work = llvm::divideCeil(plan.splitSize(), plan.block);
}

/// So many bytes of updates ahead, and so many index vectors of an owner.
static constexpr int64_t kBytesAhead = 4096, kOwnAhead = 16;

/// Whether places that no pattern tells are worth asking for.
static void lookAhead(rt::ScatterOp op, ScatterPlan &plan, const Costs &costs, const Machine &machine) {
  int64_t row = bytesAskedFor(op, plan);
  if (!row || plan.split == Split::Window)
    return;
  if (plan.split == Split::Owners) {
    // Those who have a list of theirs. Of the array they have a part, which is near.
    plan.asksForUpdates = plan.indexLanes > 1;
    plan.ahead = plan.asksForUpdates ? kOwnAhead : 0;
    return;
  }
  int64_t bytes = row / plan.window[0].size, target = 0;
  for (const Axis &axis : plan.axes) {
    if (axis.loop >= 0)
      return;
    target = std::max(target, axis.size * axis.stride * bytes);
  }
  if (plan.vectors.back().indices == 0 || target <= machine.l2Bytes)
    return;
  plan.ahead = kBytesAhead / row;
  plan.asksForUpdates = costs.updateBytes > 2 * machine.lastLevelBytes;
}

ScatterPlan mlir::xla::planScatter(rt::ScatterOp op, const Machine &machine) {
  ScatterPlan plan = readScatter(op);
  if (iterations(plan.vectors) * iterations(plan.window) == 0) {
    plan.work = 0;
    return plan;
  }
  plan.part = separatePart(op, plan);
  if (plan.part)
    walkParts(plan);
  unsigned bits = plan.part ? storageBits(plan.part) : combinerBits(op);
  if (!plan.window.empty() && bits) {
    const Loop &inner = plan.window.back();
    if (inner.updates == 1 && inner.outs == 1)
      plan.lanes = std::min<int64_t>(machine.lanes(bits), llvm::bit_floor<uint64_t>(inner.size));
  }
  plan.bisects = areOwnNeighbours(op, plan);
  plan.indexLanes = plan.bisects ? 1 : countIndexLanes(op, plan, machine);
  Costs costs = estimate(op, plan);
  plan.cost = static_cast<int64_t>(std::min(costs.total, 1e15));
  share(op, plan, costs, machine);
  if (plan.split != Split::Owners) {
    plan.indexLanes = 1;
    plan.bisects = false;
  }
  lookAhead(op, plan, costs, machine);
  return plan;
}
