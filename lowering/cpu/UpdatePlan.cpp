// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides how threads share a scatter, and checks what somebody else has decided.

#include "mlir_xla/lowering/cpu/UpdatePlan.h"
#include "mlir_xla/lowering/GpuMachine.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/AtomicCombiner.h"
#include "mlir_xla/lowering/xla_rt/DealtPlaces.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

using Loop = ScatterPlan::Loop;
using Axis = ScatterPlan::Axis;

/// Blocks that keep a device busy where each has to look at many index vectors, and where looking takes no time.
static constexpr int64_t kOwners = GpuMachine::someBlocks, kOwnersOfFew = GpuMachine::manyBlocks, kFewVectors = 1 << 16;

int64_t UpdatePlan::batchCount() const { return iterations(ArrayRef(walk.vectors).take_front(batches)); }
int64_t UpdatePlan::vectorCount() const { return iterations(ArrayRef(walk.vectors).drop_front(batches)); }
int64_t UpdatePlan::windowSize() const { return iterations(walk.window); }
int64_t UpdatePlan::work() const {
  if (sharing == UpdateSharing::Owners)
    return batchCount() * owners;
  if (sharing == UpdateSharing::Tables)
    return tables;
  if (sharing == UpdateSharing::Dealt)
    return DealtPlaces::owners;
  return llvm::divideCeil(updates(), team());
}
int64_t UpdatePlan::updates() const { return iterations(walk.vectors) * windowSize() / lanes; }
int64_t UpdatePlan::team() const {
  switch (sharing) {
  case UpdateSharing::Each:
    return !isOrdered ? 1 : windowSize() / lanes < kWideWindow ? kThreadsInOrder : kThreadsOfWindows;
  case UpdateSharing::Atomic:
    return 1;
  case UpdateSharing::Owners:
  case UpdateSharing::Tables:
  case UpdateSharing::Dealt:
    return kThreads;
  }
  return 1;
}

/// The dimension with the most positions.
static unsigned longestAxis(const ScatterPlan &walk) {
  unsigned best = 0;
  for (auto [i, axis] : llvm::enumerate(walk.axes))
    if (axis.size > walk.axes[best].size)
      best = i;
  return best;
}

UpdatePlan UpdatePlan::fromAttr(UpdatesAttr attr, rt::ScatterOp op) {
  UpdatePlan plan;
  plan.walk = readScatter(op);
  plan.sharing = attr.getSharing();
  plan.isOrdered = op.getOrdered().has_value();
  if (plan.sharing == UpdateSharing::Tables) {
    plan.tables = attr.getCount();
    return plan;
  }
  if (plan.sharing != UpdateSharing::Owners) {
    plan.lanes = plan.walk.lanes = attr.getCount();
    return plan;
  }
  SmallVector<Loop> vectors;
  for (const Loop &loop : plan.walk.vectors)
    if (loop.outs != 0)
      vectors.insert(vectors.begin() + plan.batches++, loop);
    else
      vectors.push_back(loop);
  plan.walk.vectors = vectors;
  plan.axis = longestAxis(plan.walk);
  plan.meets = llvm::any_of(plan.walk.axes, [](const Axis &axis) { return axis.loop >= 0; });
  if (plan.walk.axes.empty())
    return plan;
  int64_t size = plan.walk.axes[plan.axis].size;
  plan.positions = llvm::divideCeil(size, std::min(attr.getCount(), size));
  plan.owners = llvm::divideCeil(size, plan.positions);
  return plan;
}

/// Whether no two index vectors address the same place, or those that do are known.
static bool isDisjoint(rt::ScatterOp op, const ScatterPlan &walk) {
  return op.getUnique() || op.getOrdered() ||
         llvm::all_of(walk.vectors, [](const Loop &loop) { return loop.outs != 0; });
}

/// Whether each `lanes` neighbours of the innermost loop of the window are vectors at multiples of their size.
static bool areAligned(rt::ScatterOp op, const ScatterPlan &walk, int64_t lanes) {
  if (walk.window.empty())
    return false;
  const Loop &inner = walk.window.back();
  auto isMultiple = [&](const Loop &loop) { return loop.updates % lanes == 0 && loop.outs % lanes == 0; };
  return inner.axis < 0 && inner.updates == 1 && inner.outs == 1 && inner.size % lanes == 0 &&
         llvm::all_of(ArrayRef(walk.window).drop_back(), isMultiple) && llvm::all_of(walk.vectors, isMultiple) &&
         llvm::all_of(
             walk.axes, [&](const Axis &axis) { return axis.stride % lanes == 0; }) &&
         llvm::all_of(
             op.getOuts().getTypes(),
             [&](Type out) {
               Type type = getElementTypeOrSelf(out);
               return type.isIntOrFloat() && lanes * elementStorageBytes(type) <= GpuMachine::access;
             });
}

/// Whether the combiner can be written for lanes: control flow cannot.
static bool hasLanes(rt::ScatterOp op) {
  return llvm::all_of(op.getCombiner().getArgumentTypes(), [](Type type) { return type.isIntOrFloat(); }) &&
         llvm::all_of(op.getCombiner().front(), [](Operation &inner) { return inner.getNumRegions() == 0; });
}

/// What an owner has of an array that begins as a constant is in one part of it for each batch.
static bool mayInit(rt::ScatterOp op, const UpdatePlan &plan) {
  int64_t elements = ShapedType::getNumElements(op.getOutShape());
  const Axis &axis = plan.walk.axes[plan.axis];
  int64_t part = plan.batches ? plan.walk.vectors[0].outs : elements;
  return plan.batches <= 1 && part * plan.batchCount() == elements && part % (axis.size * axis.stride) == 0;
}

/// Whether a thread can have so many neighbours of windows.
static bool haveNeighbours(rt::ScatterOp op, const UpdatePlan &plan) {
  return plan.lanes == 1 || (areAligned(op, plan.walk, plan.lanes) && hasLanes(op));
}

/// Why threads cannot share `op` like that; empty if they can.
static std::string findObstacle(rt::ScatterOp op, UpdatesAttr attr) {
  UpdatePlan plan = UpdatePlan::fromAttr(attr, op);
  if (plan.sharing != UpdateSharing::Owners && op.getInit())
    return "an array that begins as a constant needs owners, who write that to their parts";
  if (plan.sharing != UpdateSharing::Each && op.getOrdered())
    return "index vectors are ordered, so that each place is one thread's";
  if ((plan.sharing == UpdateSharing::Dealt) != op.getDealt())
    return op.getDealt() ? "index vectors are dealt to owners" : "index vectors are not dealt to owners";
  switch (plan.sharing) {
  case UpdateSharing::Each:
    if (!isDisjoint(op, plan.walk))
      return "several index vectors may address the same place";
    [[fallthrough]];
  case UpdateSharing::Dealt:
    if (!haveNeighbours(op, plan))
      return "windows do not consist of vectors of " + std::to_string(plan.lanes) +
             " neighbours at multiples of their size, for which the combiner could be written";
    return "";
  case UpdateSharing::Atomic:
    return atomicCombiner(op) ? "" : "no atomic instruction is the combiner";
  case UpdateSharing::Tables:
    if (!atomicCombiner(op))
      return "no atomic instruction is the combiner";
    if (bufferBytes(cast<RankedTensorType>(op.getOuts()[0].getType())) > GpuMachine::staticSharedBytes)
      return "a table of all elements has more bytes than blocks share";
    return "";
  case UpdateSharing::Owners:
    if (plan.walk.axes.empty())
      return "no dimension is addressed by data, along which owners could have positions";
    if (!llvm::isInt<31>(plan.vectorCount()) || !llvm::isInt<31>(plan.walk.axes[plan.axis].size))
      return "there are too many index vectors or positions";
    if (op.getInit() && !mayInit(op, plan))
      return "what an owner has of the array that begins as a constant is scattered";
    return "";
  }
  return "";
}

LogicalResult mlir::xla::checkUpdates(rt::ScatterOp op, UpdatesAttr attr,
                                      function_ref<InFlightDiagnostic()> emitError) {
  std::string obstacle = findObstacle(op, attr);
  return obstacle.empty() ? success() : LogicalResult(emitError() << obstacle);
}

/// Tables for an atomic combiner: as many as have some updates for each thread, and for each element, so that combining
/// the tables takes little time. 0 where elements have so few updates that they do not wait for each other in memory.
static int64_t countTables(rt::ScatterOp op, const ScatterPlan &walk) {
  constexpr int64_t ofThread = 16, ofElement = 4, fewest = 4;
  int64_t updates = iterations(walk.vectors) * iterations(walk.window);
  int64_t tables = std::min({kOwners, updates / (ofThread * UpdatePlan::kThreads),
                             updates / (ofElement * ShapedType::getNumElements(op.getOutShape()))});
  return tables >= fewest ? tables : 0;
}

UpdatesAttr mlir::xla::planUpdates(rt::ScatterOp op) {
  MLIRContext *context = op.getContext();
  ScatterPlan walk = readScatter(op);
  if (iterations(walk.vectors) * iterations(walk.window) == 0)
    return {};
  SmallVector<UpdatesAttr> offers;
  for (int64_t lanes = GpuMachine::access; lanes >= 1; lanes /= 2)
    offers.push_back(UpdatesAttr::get(context, op.getDealt() ? UpdateSharing::Dealt : UpdateSharing::Each, lanes));
  if (int64_t tables = countTables(op, walk))
    offers.push_back(UpdatesAttr::get(context, UpdateSharing::Tables, tables));
  offers.push_back(UpdatesAttr::get(context, UpdateSharing::Atomic, 1));
  // Owners of all batches together are as many as a device has room for.
  int64_t batches = 1, vectors = 1;
  for (const Loop &loop : walk.vectors)
    (loop.outs != 0 ? batches : vectors) *= loop.size;
  int64_t owners = llvm::divideCeil(vectors <= kFewVectors ? kOwnersOfFew : kOwners, batches);
  offers.push_back(UpdatesAttr::get(context, UpdateSharing::Owners, owners));
  for (UpdatesAttr offer : offers)
    if (findObstacle(op, offer).empty())
      return offer;
  return {};
}
