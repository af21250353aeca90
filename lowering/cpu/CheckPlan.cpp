// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NestEmitter needs of a plan, rule by rule. What a plan is by itself, #xla_rt.nest has verified.

#include "mlir_xla/lowering/cpu/NestPlan.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
class PlanChecker {
public:
  PlanChecker(const LoopNest &nest, NestAttr attr, function_ref<InFlightDiagnostic()> emitError)
      : nest(nest), attr(attr), emitError(emitError) {}
  LogicalResult run();

private:
  LogicalResult checkDims();
  LogicalResult checkScan();
  LogicalResult checkLanes();
  LogicalResult checkReductionOrder();
  LogicalResult checkSharing();
  LogicalResult checkLastSteps();
  LogicalResult checkInMemory();
  LogicalResult checkTranspose();
  LogicalResult checkStream();
  LogicalResult checkThreads();
  LogicalResult checkAligned();
  LogicalResult checkSquare();
  LogicalResult checkColumns();
  LogicalResult checkTrim();
  LogicalResult checkSlide();
  LogicalResult checkApart();
  LogicalResult checkPairs();
  LogicalResult checkPartition();
  LogicalResult checkLookup();
  /// Each of `dims` is one that `isRight` allows, and each of those is among `dims` or in steps.
  LogicalResult checkLoops(ArrayRef<int64_t> dims, StringRef kind, function_ref<bool(unsigned)> isRight);
  InFlightDiagnostic wrong() { return emitError(); }

  const LoopNest &nest;
  NestAttr attr;
  function_ref<InFlightDiagnostic()> emitError;
  NestPlan plan;
};
} // namespace

LogicalResult PlanChecker::run() {
  if (failed(checkSizes(nest, attr.getSizes(), emitError)))
    return failure();
  plan = NestPlan::fromAttr(attr, nest);
  for (auto check :
       {&PlanChecker::checkDims, &PlanChecker::checkScan, &PlanChecker::checkLanes, &PlanChecker::checkReductionOrder,
        &PlanChecker::checkSharing, &PlanChecker::checkLastSteps, &PlanChecker::checkInMemory,
        &PlanChecker::checkTranspose, &PlanChecker::checkStream, &PlanChecker::checkThreads, &PlanChecker::checkColumns,
        &PlanChecker::checkAligned, &PlanChecker::checkSquare, &PlanChecker::checkTrim, &PlanChecker::checkSlide,
        &PlanChecker::checkPairs, &PlanChecker::checkApart, &PlanChecker::checkPartition, &PlanChecker::checkLookup})
    if (failed((this->*check)()))
      return failure();
  return success();
}

LogicalResult PlanChecker::checkLoops(ArrayRef<int64_t> dims, StringRef kind, function_ref<bool(unsigned)> isRight) {
  for (int64_t dim : dims)
    if (!isRight(dim))
      return wrong() << "d" << dim << " is no " << kind;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (isRight(dim) && !llvm::is_contained(dims, static_cast<int64_t>(dim)))
      return wrong() << "it does not walk d" << dim << ", a " << kind;
  return success();
}

/// Every dimension is walked once.
LogicalResult PlanChecker::checkDims() {
  if (plan.u >= 0 && !plan.inMemory && !nest.isParallelLoop(plan.u))
    return wrong() << "the jammed dimension d" << plan.u << " is no parallel dimension of several iterations";
  if (plan.v >= 0 && (nest.rows.test(plan.v) || nest.sizes[plan.v] < 2))
    return wrong() << "the dimension d" << plan.v << " in lanes is no dimension of several iterations";
  SmallVector<int64_t> parallel;
  llvm::append_range(parallel, plan.work);
  llvm::append_range(parallel, plan.loops);
  auto isStepped = [&](int dim) {
    return dim == plan.v || dim == plan.squareRow || dim == plan.squareColumn || dim == plan.columns ||
           (dim == plan.u && !plan.inMemory);
  };
  if (failed(checkLoops(parallel, "parallel dimension of several iterations",
                        [&](unsigned dim) { return nest.isParallelLoop(dim) && !isStepped(dim); })))
    return failure();
  return checkLoops(plan.reductionLoops, "reduced dimension of several iterations",
                    [&](unsigned dim) { return nest.isReductionLoop(dim) && !isStepped(dim); });
}

/// A scan walks its dimension in order, one step of lanes after the other.
LogicalResult PlanChecker::checkScan() {
  if (attr.getOrdered() != nest.ordered.find_first()) {
    if (nest.isScan())
      return wrong() << "it does not walk d" << nest.ordered.find_first() << " in order, the dimension of a scan";
    return wrong() << "d" << attr.getOrdered() << " is no dimension of a scan";
  }
  if (!nest.isScan())
    return success();
  if (plan.u >= 0 || plan.vMasked || plan.inMemory)
    return wrong() << "a scan goes with neither 'jam' nor 'masked' nor 'in_memory'";
  if (plan.threads > 1 && nest.sizes[plan.t] % plan.lanes)
    return wrong() << "threads have pieces of " << plan.lanes << " iterations of d" << plan.t << ", and there are "
                   << nest.sizes[plan.t];
  if (plan.scanTile && !NestPlan::mayScanTiles(nest))
    return wrong() << "only sums, products, extrema and bitwise combinations of 8 to 64 bits are scanned in tiles";
  if (plan.scanTile > plan.threads * plan.lanes * NestPlan::kMostPieces)
    return wrong() << "a thread has " << plan.scanTile / plan.threads / plan.lanes
                   << " pieces of a tile; there are at most " << NestPlan::kMostPieces;
  if (plan.vReduced && !mayShiftLanes(nest.reductions.front()))
    return wrong() << "lanes of elements of this type cannot be shifted, as those along d" << plan.v << " would be";
  return success();
}

LogicalResult PlanChecker::checkLanes() {
  if (plan.v < 0)
    return success();
  for (ExprNode *node : nest.nodes())
    if (isa<ComplexType>(node->type))
      return wrong() << "complex numbers have no lanes";
  if (!plan.vReduced)
    return success();
  for (const Reduction &reduction : nest.reductions)
    if (!reduction.kind && reduction.combined.empty())
      return wrong() << "nothing folds partial results of this reduction, which the lanes along d" << plan.v
                     << " would hold";
  return success();
}

/// A combiner that does not commute sees neighbours only.
LogicalResult PlanChecker::checkReductionOrder() {
  if (!nest.isOrdered())
    return success();
  if (!llvm::is_sorted(plan.reductionLoops))
    return wrong() << "the elements of this reduction meet in index order, so its loops are in order";
  if (plan.vReduced && !nest.isInnermostReduced(plan.v))
    return wrong() << "the elements of this reduction meet in index order, so only the innermost reduced dimension can "
                      "be in lanes";
  return success();
}

/// Items of parallel work are parallel iterations of the one nest of the kernel.
LogicalResult PlanChecker::checkSharing() {
  if (!nest.isAlone && (!plan.work.empty() || plan.vBlock || plan.uBlock || plan.scanTile))
    return wrong() << "the kernel has rows or several nests, which have no parallel work of their own";
  if (plan.vBlock && plan.vReduced)
    return wrong() << "cuts d" << plan.v << ", which is " << (nest.isScan() ? "walked in order" : "reduced");
  return success();
}

/// Windows of neighbours have something in common, and are short enough to be written out.
LogicalResult PlanChecker::checkSlide() {
  if (!plan.slides)
    return success();
  int64_t window = plan.reductionLoops.back();
  if (plan.vReduced || nest.isScan() || plan.walksSquares())
    return wrong() << "'slide' is for reductions, and lanes along a parallel dimension";
  if (nest.sizes[window] > NestPlan::kLargestWindow)
    return wrong() << "'slide' writes out the " << nest.sizes[window] << " iterations of d" << window
                   << "; there may be " << NestPlan::kLargestWindow;
  if (plan.sliding.empty())
    return wrong() << "'slide' is for windows along d" << window << " that move along d" << plan.u;
  return success();
}

/// An item of work has all iterations of its step, or all but the last.
LogicalResult PlanChecker::checkApart() {
  if (!plan.apart)
    return success();
  if (!nest.isAlone || nest.isScan())
    return wrong() << "'apart' is for the one nest of a kernel, and no scan";
  if (plan.walksSquares() && plan.u != plan.squareColumn && nest.sizes[plan.u] % plan.uUnroll)
    return wrong() << "a block has " << plan.uUnroll << " squares along d" << plan.u << ", of " << nest.sizes[plan.u];
  if ((plan.uUnroll - 1) * plan.uDistance > nest.sizes[plan.u])
    return wrong() << "'apart' needs " << plan.uUnroll - 1 << " or " << plan.uUnroll << " iterations of d" << plan.u
                   << " for each of " << plan.uDistance << " items, and there are " << nest.sizes[plan.u];
  return success();
}

LogicalResult PlanChecker::checkPartition() {
  if (plan.partitions && !interiorOf(nest, plan))
    return wrong() << "'partition' is for comparisons of indices with bounds that come out alike in most steps along d"
                   << plan.v << ", or a condition that is the same in all lanes, and there are none";
  return success();
}

LogicalResult PlanChecker::checkLookup() {
  if (plan.lookup && !mayLookUp(nest, plan))
    return wrong() << "'lookup' is for reads at computed places of tables that registers have, in at least 8 lanes "
                   << "along d" << plan.v << ", and there are none";
  return success();
}

LogicalResult PlanChecker::checkLastSteps() {
  if (plan.vMasked && plan.foldsInOrder)
    return wrong() << "'masked' is not for lanes along a dimension that is reduced in order";
  if (!plan.uOverlaps)
    return success();
  if (nest.sizes[plan.u] < plan.uUnroll)
    return wrong() << "'overlap' needs a whole step of " << plan.uUnroll << ", and d" << plan.u << " has "
                   << nest.sizes[plan.u] << " iterations";
  if (plan.inMemory)
    return wrong() << "'overlap' does not go with 'in_memory'";
  bool mayRepeat = plan.chunk > 1 ? mayRepeatTransposition(nest, plan.transposed) : nest.mayRepeat();
  if (!mayRepeat)
    return wrong() << "'overlap' is for reductions and transpositions into memory of their own, whose results may be "
                      "computed twice";
  return success();
}

LogicalResult PlanChecker::checkInMemory() {
  if (!plan.inMemory)
    return success();
  if (plan.vReduced)
    return wrong() << "'in_memory' is for lanes along a parallel dimension";
  if (plan.vUnroll != 1 || plan.vMasked || plan.chunk > 1)
    return wrong() << "'in_memory' goes with one vector in a step, not 'masked', and without 'transpose'";
  if (nest.rows.any() || !nest.stores.empty() || nest.reductions.size() != 1 || nest.reductions[0].inits.size() != 1 ||
      !nest.reductions[0].partial)
    return wrong() << "'in_memory' is for a single reduction to one array whose running values its result can hold";
  return success();
}

LogicalResult PlanChecker::checkTranspose() {
  if (plan.chunk == 1)
    return success();
  if (!nest.reductions.empty())
    return wrong() << "'transpose' is for nests without a reduction";
  if (plan.transposed.empty())
    return wrong() << "no load is contiguous along d" << plan.u << " and strided along d" << plan.v
                   << ", so there is nothing to transpose";
  return success();
}

LogicalResult PlanChecker::checkStream() {
  if (!plan.pastCaches)
    return success();
  if (!nest.isAlone || nest.isScan() || nest.reduced.any() || nest.inPlace)
    return wrong() << "'stream' is for the one nest of a kernel that neither reduces nor updates";
  if (!storesWholeVectors(nest, plan.v, plan.lanes))
    return wrong() << "'stream' is for results of 16 or more contiguous bytes along d" << plan.v
                   << ", at multiples of their size";
  return success();
}

/// Threads fold what they have in any order; each walks a part of one loop.
LogicalResult PlanChecker::checkThreads() {
  if (plan.threads == 1)
    return success();
  if (nest.isScan())
    return success();
  bool isReduced = plan.t >= 0 && nest.reduced.test(plan.t);
  bool isLoop = llvm::is_contained(plan.reductionLoops, plan.t) || llvm::is_contained(plan.loops, plan.t);
  if (plan.t >= 0 && !isLoop && !plan.dealsVectors())
    return wrong() << "d" << plan.t << ", which is dealt to threads, is no loop of the nest";
  if (!isReduced)
    return success();
  if (plan.dealsVectors() && plan.foldsInOrder)
    return wrong() << "vectors of d" << plan.t << " would be folded in order, so they are not dealt to threads";
  for (const Reduction &reduction : nest.reductions) {
    if (reduction.order == FoldOrder::Index)
      return wrong() << "the elements of this reduction meet in index order, so they are not dealt to threads";
    if (!reduction.neutral && (reduction.order != FoldOrder::Key || reduction.combined.empty()))
      return wrong() << "partial results of this reduction, which the threads would hold, have no neutral element";
  }
  return success();
}

/// A column is a result, or several; iterations that are stored would be by several threads.
LogicalResult PlanChecker::checkColumns() {
  if (plan.columns < 0)
    return success();
  if (!nest.isParallelLoop(plan.columns))
    return wrong() << "d" << plan.columns << " of the columns is no parallel dimension of several iterations";
  if (!nest.isAlone || !nest.stores.empty() || !plan.loops.empty())
    return wrong() << "columns are for the one nest of a kernel that stores what it reduces only, without loops";
  return success();
}

LogicalResult PlanChecker::checkAligned() {
  if (plan.aligned && !areVectorsAligned(nest, plan.v, plan.lanes))
    return wrong() << "vectors along d" << plan.v << " do not all begin at multiples of their size";
  return success();
}

LogicalResult PlanChecker::checkTrim() {
  if (plan.trims && !trimmedSumOf(nest, plan))
    return wrong() << "'trim' is for a sum of products from zero, of a factor that is the same in all whole vectors of "
                      "lanes and contiguous along d"
                   << plan.reductionLoops[0] << ", and one that does not depend on the jammed dimension";
  return success();
}

LogicalResult PlanChecker::checkPairs() {
  if (plan.tileRegisters) {
    if (tileFactorsOf(nest, plan))
      return success();
    return wrong()
           << "'tile_registers' is for a sum of products of bf16 from zero in f32, along one dimension, of rows "
              "in which its steps are neighbours and columns in panels of two steps, in whole steps along d"
           << plan.u;
  }
  if (!plan.addsPairs || mayAddPairs(nest, plan))
    return success();
  return wrong() << "'pairs' is for a sum of products of bf16 in f32, of which both factors have two steps along d"
                 << plan.reductionLoops.back() << " next to each other, and one whole vectors of those along d"
                 << plan.v;
}

LogicalResult PlanChecker::checkSquare() {
  if (!plan.walksSquares())
    return success();
  for (int64_t dim : {plan.squareRow, plan.squareColumn})
    if (!nest.isParallelLoop(dim))
      return wrong() << "d" << dim << " of the squares is no parallel dimension of several iterations";
  if (!nest.isAlone || nest.reduced.any() || nest.inPlace || !plan.loops.empty())
    return wrong() << "squares are for the one nest of a kernel that neither reduces nor updates, without loops";
  if (exchangedLoads(nest, plan.squareRow, plan.squareColumn).empty())
    return wrong() << "no load is contiguous along d" << plan.squareRow << " and strided along d" << plan.squareColumn
                   << ", so there is nothing to exchange";
  return success();
}

LogicalResult mlir::xla::checkPlan(const LoopNest &nest, NestAttr plan, function_ref<InFlightDiagnostic()> emitError) {
  return PlanChecker(nest, plan, emitError).run();
}
