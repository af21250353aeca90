// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner: how a loop nest is walked, decided from its addresses and the machine. One decision after the other,
// each of which knows those before it.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/PlanChains.h"
#include "mlir_xla/lowering/cpu/PlanReduction.h"
#include "mlir_xla/lowering/cpu/PlanTransposition.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

/// Reductions of at most so many elements in all are over before several accumulators pay for their code.
static constexpr int64_t kShortReduction = 4096;
/// Steps of a reduction from which on results are few beside what it reads.
static constexpr int64_t kLongReduction = 256;
/// Bodies of at most so many operations are repeated without a thought, and those of more than that are too much work
/// to be limited by memory.
static constexpr unsigned kSmallBody = Transposition::kSmallBody, kLargeBody = Transposition::kLargeBody;
/// Combiners of up to so many operations, such as that of argmax, wait for each other: several vectors hide that.
static constexpr unsigned kCombiner = 16;
/// Vectors of a step: enough to hide the latency of one by the work of the others.
static constexpr int64_t kVectors = 4;
/// One of so many lanes may compute nothing.
static constexpr int64_t kMostIdle = 10;
/// Iterations up to which a copy of long code takes longer to compile than masks take to run.
static constexpr int64_t kSmallArray = 1 << 16;
/// Steps along the jammed dimension that an item of parallel work takes.
static constexpr int64_t kStepsPerItem = 20;

namespace {
class Planner {
public:
  Planner(const LoopNest &nest, const Machine &machine);
  NestPlan run();

private:
  /// How addresses move along one dimension.
  struct Strides {
    double score = 0;  // higher is better for lanes
    unsigned unit = 0; // contiguous accesses
    unsigned strided = 0;
  };

  void countBody();
  void measureTypes();
  void chooseLanes();
  void stepOverRows();
  void orderReductions();
  void unrollReduction();
  int64_t farthestLanes() const { return xla::farthestLanes(nest, nodes, plan); }
  int64_t vectorsOfRows(int64_t vectors, int64_t rows) const;
  void tileReduction();
  void tilePartialResults();
  void chooseVectors();
  void chooseRows();
  bool readsNumbers() const;
  void takeNeighbours();
  bool shareFunctions();
  bool takeFoldedRows();
  void unrollOrderedFold();
  int64_t vectorsOfCombiner() const;
  bool readsFarRows(unsigned dim) const { return xla::readsFarRows(nodes, dim, machine); }
  bool readsLongRuns() const;
  bool widensRows() const { return xla::widensRows(nest, nodes, plan.v, widest); }
  bool mayMaskSteps() const;
  void accumulateInMemory();
  void unrollElementwise();
  void finishSteps();
  void shareWork();
  void cutJam();
  void cutLanes();
  void writePastCaches();

  bool isNearInRows(const Address &address, unsigned dim) const;
  Strides stridesAlong(unsigned dim) const;
  double costOfGather(const ExprNode &load, unsigned dim) const;
  bool mayBeLanes(unsigned dim) const;
  bool sharesFunctions(unsigned dim) const;
  bool isFunctionOfSteps(const ExprNode *node) const;
  bool fillsLanes(unsigned dim) const;
  double scoreAsLanes(unsigned dim) const;
  int sharedDim() const;
  int dimOfFewCopies() const;
  int64_t rowsInCache(unsigned dim) const;
  SmallVector<int64_t> parallelDims() const;
  Transposition transposition() const { return {nest, machine, operations, widest}; }
  Chains chains() const { return {nest, machine, nodes, operations, expensive, functions}; }
  int64_t vSize() const { return plan.v >= 0 ? nest.sizes[plan.v] : 1; }
  int64_t vectors() const { return llvm::divideCeil(vSize(), plan.lanes); }
  bool isShort() const { return nest.iterations(/*includeRows=*/true) <= kShortReduction; }
  int64_t reductionSteps() const {
    int64_t steps = 1;
    for (unsigned dim : nest.reduced.set_bits())
      steps *= nest.sizes[dim];
    return steps;
  }
  bool isInReduction(const ExprNode *node) const { return (node->deps & nest.reduced).any(); }

  const LoopNest &nest;
  const Machine &machine;
  NestPlan plan;
  SmallVector<ExprNode *> nodes;
  bool hasReduction;
  bool isScalarOnly = false;              // complex numbers have no lanes
  unsigned widest = 8, narrowest = 64;    // bits of the elements in lanes
  unsigned operations = 0, expensive = 0; // of an iteration
  unsigned functions = 0;                 // that are long chains of instructions
  unsigned accumulators = 0;
  unsigned rowVectors = 1; // vectors along the lanes that are whole short rows
};
} // namespace

Planner::Planner(const LoopNest &nest, const Machine &machine)
    : nest(nest), machine(machine), nodes(nest.nodes()), hasReduction(nest.reduced.any()) {
  for (const Reduction &reduction : nest.reductions)
    accumulators += reduction.inits.size();
}

NestPlan Planner::run() {
  countBody();
  measureTypes();
  // Nothing is computed of no elements, and no number of them divides others.
  bool isEmpty = llvm::any_of(llvm::seq<size_t>(0, nest.sizes.size()),
                              [&](size_t dim) { return nest.sizes[dim] == 0 && !nest.reduced.test(dim); });
  if (!isEmpty) {
    chooseLanes();
    stepOverRows();
  }
  orderReductions();
  if (!isEmpty) {
    hasReduction ? unrollReduction() : unrollElementwise();
    if (hasReduction)
      accumulateInMemory();
    if (hasReduction || !chains().takeLoops(plan)) {
      chains().distribute(plan);
      chains().interleave(plan);
    }
  }
  finishSteps();
  writePastCaches();
  shareWork();
  plan.derive(nest);
  return plan;
}

/// Code before or after a reduction does not weigh on its inner loop.
void Planner::countBody() {
  for (ExprNode *node : nodes) {
    if (node->kind != ExprNode::Apply || isa<ComplexType>(node->type) || (hasReduction && !isInReduction(node)))
      continue;
    ++operations;
    expensive += isExpensive(node->op);
    functions += machine.vectorBits <= 256 ? isFunctionOfShortVectors(node->op) : isFunction(node->op);
  }
}

/// The widest elements fill a register with the lanes; narrower ones leave a part of theirs empty. 64-bit index
/// arithmetic beside narrow data does not set the number of lanes.
void Planner::measureTypes() {
  for (ExprNode *node : nodes) {
    if (isa<ComplexType>(node->type)) {
      isScalarOnly = true;
      continue;
    }
    // What depends on no index is a number, which lanes of another type may come from.
    if (node->kind == ExprNode::Index || node->deps.none() || node->type.isInteger(1))
      continue;
    bool isIndexArithmetic = node->type.isInteger(64) && node->kind != ExprNode::Load;
    if (!isIndexArithmetic)
      widest = std::max(widest, storageBits(node->type));
    narrowest = std::min(narrowest, storageBits(node->type));
  }
  for (const Store &store : llvm::concat<const Store>(nest.stores, nest.epilogue))
    if (!isa<ComplexType>(store.elementType))
      widest = std::max(widest, storageBits(store.elementType));
}

/// Do a few vectors hold what neighbours along short rows read?
bool Planner::isNearInRows(const Address &address, unsigned dim) const {
  SmallVector<int64_t> places;
  for (unsigned lane = 0; lane < plan.lanes; ++lane)
    places.push_back(lane * address.dims[dim]);
  for (auto &[expr, coef] : address.nonlinear) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    std::optional<int64_t> length = rowLengthOf(expr, dim);
    if (!length)
      return false;
    for (auto [lane, place] : llvm::enumerate(places))
      place += coef * (expr.getKind() == AffineExprKind::Mod ? lane % *length : lane / *length);
  }
  auto [least, greatest] = std::minmax_element(places.begin(), places.end());
  return *greatest - *least < kVectors * plan.lanes &&
         llvm::none_of(address.symbols, [&](auto &term) { return term.first->deps.test(dim); });
}

Planner::Strides Planner::stridesAlong(unsigned dim) const {
  Strides result;
  auto add = [&](const Address &address, double weight, double ofStrided) {
    std::optional<int64_t> stride = strideAlong(address, dim, plan.lanes);
    if (!stride && isNearInRows(address, dim))
      stride = 0; // a shuffle, or a value that all steps share
    if (stride && std::abs(*stride) == 1) {
      result.score += *stride == 1 ? 2 * weight : weight;
      ++result.unit;
    } else if (stride == 0) {
      result.score += 0.5 * weight;
    } else {
      result.score -= weight * ofStrided;
      ++result.strided;
    }
  };
  // What is read and stored once for a long reduction hardly counts. For a shorter one, it matters less if elements are
  // stored one by one.
  int64_t steps = reductionSteps();
  double once = steps < kLongReduction ? 1 : 0.2, onceStrided = steps >= kLongReduction / 8 ? 0.5 : 1;
  // Where every step reads an element of its own, as of a matrix times a vector, it counts less for some steps already.
  constexpr double someSteps = 8;
  double readOnce = hasReduction && nest.readsEachOnce() ? std::clamp(someSteps / steps, 0.2, 1.0) : once;
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load) { // the parts of a complex number are one access
      bool isInner = isInReduction(node);
      double weight = isInner ? 1 : hasReduction ? readOnce : weightOfElements(nest, *node);
      add(node->address, weight * (node->pair ? 0.5 : 1), isInner ? 1 : onceStrided);
      result.score -= costOfGather(*node, dim);
    }
  for (const Store &store : nest.stores)
    add(store.address, 1.5, 1);
  if (nest.reduced.test(dim))
    return result;
  for (const Store &store : nest.epilogue)
    add(store.address, 0.5 * once, onceStrided);
  // Sums that are rounded as they are stored count as others do, of which the running values may be in memory.
  if (nest.reductions.size() == 1 && !nest.reductions[0].partial && nest.epilogue.size() == 1 &&
      storageBits(nest.epilogue[0].elementType) < widest)
    add(nest.epilogue[0].address, readOnce, onceStrided);
  for (const Reduction &reduction : nest.reductions)
    for (const std::optional<Store> &store : reduction.stores)
      if (store)
        add(store->address, 0.5 * once, onceStrided);
  return result;
}

/// What it costs beside other accesses to read elements along `dim` one by one: more if they are so far apart that a
/// few vectors of them fill the first-level cache with lines, and less if copies along another dimension share them.
double Planner::costOfGather(const ExprNode &load, unsigned dim) const {
  std::optional<int64_t> stride = strideAlong(load.address, dim, plan.lanes);
  bool isGather = stride ? std::abs(*stride) > 1 : !isNearInRows(load.address, dim);
  if (!hasReduction || !isInReduction(&load) || !isGather)
    return 0;
  bool isShared = !nest.reduced.test(dim) && llvm::any_of(parallelDims(), [&](int64_t other) {
    return other != dim && !load.deps.test(other) && nest.sizes[other] >= kVectors;
  });
  constexpr int64_t fewVectors = 8;
  bool isFar = stride && machine.rowsInL1(std::abs(*stride) * elementStorageBytes(load.type)) < fewVectors * plan.lanes;
  return (isFar ? 2 : 0) - (isShared ? 0.75 : 0);
}

/// Lanes along a reduced dimension are partial results, which somebody has to know how to fold; if their order counts,
/// neighbours must follow each other.
bool Planner::mayBeLanes(unsigned dim) const {
  if (nest.sizes[dim] == 1 || nest.rows.test(dim))
    return false;
  if (!nest.reduced.test(dim))
    return true;
  bool canFold = llvm::all_of(nest.reductions, [](const Reduction &r) { return r.kind || !r.combined.empty(); });
  return canFold && (!nest.isOrdered() || nest.isInnermostReduced(dim));
}

/// Is `dim` a few results next to each other, and is nothing in the reduction that is expensive different for them?
bool Planner::sharesFunctions(unsigned dim) const {
  return nest.isParallelLoop(dim) && nest.sizes[dim] != 1 && nest.sizes[dim] <= kVectors &&
         llvm::none_of(nodes, [&](ExprNode *node) { return isFunctionOfSteps(node) && node->deps.test(dim); });
}

/// Is it expensive, and computed at every step of the reduction?
bool Planner::isFunctionOfSteps(const ExprNode *node) const {
  return node->kind == ExprNode::Apply && isExpensive(node->op) && isInReduction(node);
}

/// Would lanes along a parallel dimension be full, and all that the reduction reads be vectors or the same in all
/// lanes?
bool Planner::fillsLanes(unsigned dim) const {
  return nest.isParallelLoop(dim) && nest.sizes[dim] >= plan.lanes && llvm::all_of(nodes, [&](ExprNode *node) {
           if (node->kind != ExprNode::Load || !isInReduction(node))
             return true;
           std::optional<int64_t> stride = strideAlong(node->address, dim, plan.lanes);
           return stride == 0 || stride == 1;
         });
}

double Planner::scoreAsLanes(unsigned dim) const {
  // All of them would compute the same function, which takes longer than whatever accesses.
  if (sharesFunctions(dim) && llvm::any_of(nodes, [&](ExprNode *node) { return isFunctionOfSteps(node); }))
    return std::numeric_limits<double>::lowest();
  Strides strides = stridesAlong(dim);
  double score = strides.score;
  if (strides.unit == 0 && strides.strided > 0)
    score -= 2;
  if (nest.rowsPerBlock > 1 && dim == nest.rows.count() && strides.strided > 0 && nest.hasOneResult(dim))
    score -= 4; // a row, each of which lies in order
  // Few iterations fill few lanes.
  int64_t size = nest.sizes[dim];
  if (size < plan.lanes)
    score -= 2.0 * (1.0 - static_cast<double>(size) / plan.lanes);
  // They cost a reduction more than results that are not neighbours.
  constexpr int64_t manySteps = 16;
  if (2 * size <= plan.lanes && nest.isParallelLoop(dim) && reductionSteps() >= manySteps &&
      llvm::any_of(llvm::seq<unsigned>(nest.sizes.size()), [&](unsigned other) { return fillsLanes(other); }))
    score -= 4;
  // Results stored with masks, a few elements apart, or one by one, cost less than vectors that are mostly empty.
  if (!hasReduction && 2 * size <= plan.lanes && isShortRowOfResults(nest, dim, plan.lanes)) {
    bool isAnywhere = readsRowsAnywhere(nest, dim);
    bool mayPay = isAnywhere ? paysAsShortVectors(nest, dim, plan.lanes) : 4 * size >= plan.lanes;
    score -= !mayPay ? std::numeric_limits<double>::infinity() : isAnywhere ? 0 : 16;
  }
  // So do the last ones of a row along which windows move (ArrangeFactors decides alike).
  int64_t whole = llvm::divideCeil(size, plan.lanes) * plan.lanes;
  if (size >= plan.lanes && (whole - size) * kMostIdle > whole && reductionSteps() >= kLongReduction &&
      nest.isWindowed(dim))
    score -= 1;
  // A register tile of one vector reads as much as it computes.
  if (size < 2 * plan.lanes && reductionSteps() >= kLongReduction)
    score -= 0.75;
  // Partial results per lane need a fold at the end; and parallel lanes keep the order of a reduction.
  if (nest.reduced.test(dim))
    score -= size < 4 * plan.lanes ? 1.0 : 0.25;
  // Of a vector that is never full, every step masks what it reads and what it adds.
  if (nest.reduced.test(dim) && size < plan.lanes)
    score -= 1.0;
  return score;
}

/// Lanes: the dimension along which most accesses are contiguous, the inner one of equals.
void Planner::chooseLanes() {
  plan.lanes = std::max(1u, machine.lanes(std::max(widest, 16u)));
  if (takePairs(plan, nest, machine))
    return;
  double best = 0;
  if (!isScalarOnly)
    for (unsigned dim = 0; dim < nest.sizes.size(); ++dim) {
      if (!mayBeLanes(dim))
        continue;
      double score = scoreAsLanes(dim);
      if (plan.v < 0 || score >= best) {
        plan.v = dim;
        best = score;
      }
    }
  for (unsigned row : nest.reduced.set_bits())
    if (plan.v >= 0 && mayBeLanes(row) && paysToFoldRows(nest, nodes, row, plan.v, plan.lanes, machine))
      plan.v = row;
  // A narrow dimension does not deserve wide vectors.
  while (plan.v >= 0 && plan.lanes > 1 && nest.sizes[plan.v] <= plan.lanes / 2)
    plan.lanes /= 2;
  if (plan.v < 0 || plan.lanes == 1) {
    plan.v = -1;
    plan.lanes = 1;
  }
}

/// Of short rows that lie one behind the other a step takes whole ones, so that lanes are at the same places of them in
/// every step.
void Planner::stepOverRows() {
  if (plan.v < 0 || nest.reduced.test(plan.v))
    return;
  int64_t vectors = 1, most = 8;
  for (ExprNode *node : nodes)
    for (auto &[expr, coef] : node->address.nonlinear)
      if (std::optional<int64_t> length = rowLengthOf(expr, plan.v);
          length && *length % plan.lanes != 0 && vectors <= most)
        vectors = std::lcm(vectors, *length / std::gcd<int64_t>(*length, plan.lanes));
  if (vectors <= most && instructionsOf(nodes) * vectors < kLongCode)
    rowVectors = vectors;
}

/// Innermost the reduced dimension that moves least in memory, if the order is free.
void Planner::orderReductions() {
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isReductionLoop(dim) && static_cast<int>(dim) != plan.v)
      plan.reductionLoops.push_back(dim);
  if (nest.isOrdered())
    return;
  auto distance = [&](unsigned dim) {
    int64_t sum = 0;
    for (ExprNode *node : nodes)
      if (node->kind == ExprNode::Load)
        sum += std::abs(node->address.dims[dim]) * storageBits(node->type);
    return sum;
  };
  llvm::stable_sort(plan.reductionLoops, [&](unsigned lhs, unsigned rhs) { return distance(lhs) > distance(rhs); });
}

SmallVector<int64_t> Planner::parallelDims() const {
  SmallVector<int64_t> dims;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isParallelLoop(dim) && static_cast<int>(dim) != plan.v)
      dims.push_back(dim);
  return dims;
}

/// Steps of several vectors hide the latency of the running values, but registers and code are spent on them.
void Planner::unrollReduction() {
  plan.derive(nest);
  if (plan.tileRegisters)
    return;
  if (plan.foldsInOrder)
    unrollOrderedFold();
  else if (plan.vReduced && takeFoldedRows())
    return;
  else if (accumulators == 1 && plan.v >= 0 && expensive == 0)
    tileReduction();
  else if (accumulators == 1 && plan.v >= 0 && shareFunctions())
    return;
  else if (plan.v < 0 || expensive > 0 || operations > kCombiner)
    return;
  else if (plan.vReduced) {
    takeNeighbours();
    plan.vUnroll = std::clamp<int64_t>(vSize() / plan.lanes, 1, isShort() ? 2 : kVectors);
  } else if (!isShort())
    plan.vUnroll = std::clamp<int64_t>(vSize() / plan.lanes, 1, vectorsOfCombiner());
}

/// Rows are folded together, a few of them, if that pays.
bool Planner::takeFoldedRows() {
  auto [rows, count] = foldedRows(nest, nodes, plan, sharedDim() >= 0, machine);
  if (count == 1)
    return false;
  plan.u = rows;
  plan.uUnroll = count;
  return true;
}

/// Half of the registers hold running values. But of rows that are far apart in memory a step reads a long run, also if
/// some values are on the stack then: 16 vectors of 256 bits instead of 4 took half of the time of argmax of columns.
int64_t Planner::vectorsOfCombiner() const {
  constexpr int64_t mostVectors = 16;
  int64_t inRegisters = std::max(1u, machine.vectorRegisters / 2 / accumulators);
  if (plan.reductionLoops.empty() || !readsFarRows(plan.reductionLoops.back()))
    return inRegisters;
  return std::max(inRegisters, std::min(mostVectors, machine.longRun() * 8 / machine.vectorBits));
}

/// Neighbouring results, a few, that are sums of products with the same expensive value (the force between two bodies
/// has three components): a step computes it once for all of them.
bool Planner::shareFunctions() {
  for (unsigned dim : parallelDims()) {
    if (!sharesFunctions(dim))
      continue;
    plan.u = dim;
    plan.uUnroll = nest.sizes[dim];
    return true;
  }
  return false;
}

/// The largest parallel dimension that some load inside the reduction does not depend on: its copies share that load.
int Planner::sharedDim() const {
  int found = -1;
  for (unsigned dim : parallelDims()) {
    bool isShared = llvm::any_of(nodes, [&](ExprNode *node) {
      return node->kind == ExprNode::Load && isInReduction(node) && !node->deps.test(dim) &&
             (plan.vReduced || node->deps.test(plan.v));
    });
    if (isShared && (found < 0 || nest.sizes[dim] >= nest.sizes[found]))
      found = dim;
  }
  return found;
}

/// How many rows, one per step of `dim`, the first-level cache can hold a line of each at the same time. Lanes read
/// whole lines, and need them only once.
int64_t Planner::rowsInCache(unsigned dim) const {
  int64_t rows = std::numeric_limits<int64_t>::max();
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load && !node->deps.test(plan.v))
      if (int64_t bytes = std::abs(node->address.dims[dim]) * elementStorageBytes(node->type))
        rows = std::min(rows, machine.rowsInL1(bytes));
  return rows;
}

/// How many of `vectors` a tile has beside its rows. With few registers, more rows of fewer vectors read less of what
/// comes from the second-level cache, but load more for each product, may compute more in vain, and widen more elements
/// of rows.
int64_t Planner::vectorsOfRows(int64_t vectors, int64_t rows) const {
  constexpr double perRead = 1.05;
  int64_t fewer = machine.vectorsOfTile(), panelBytes = reductionSteps() * vectors * plan.lanes * widest / 8;
  auto computed = [&](int64_t vectors) {
    return static_cast<double>(llvm::alignTo(rows, machine.accumulators() / vectors));
  };
  return fewer < vectors && panelBytes > machine.l1Bytes / 2 && !widensRows() &&
                 computed(fewer) <= perRead * computed(vectors)
             ? fewer
             : vectors;
}

/// May a step read as much of a row, far from the one before, as by vectors of 512 bits? Half of the registers hold
/// running values then, so what is combined takes few others.
bool Planner::readsLongRuns() const {
  constexpr unsigned fewOperations = 4;
  return machine.vectorBits == 256 && !isShort() && rowVectors == 1 && operations <= fewOperations &&
         farthestLanes() == 1 && !plan.reductionLoops.empty() && readsFarRows(plan.reductionLoops.back());
}

/// The register tile of a reduction with one accumulator: vectors along the lanes by copies along a dimension that
/// shares loads. The rows and columns of a matrix product, or the channels and pixels of a convolution.
void Planner::tileReduction() {
  if (!plan.vReduced && !isScalarOnly && slideWindow(plan, nest, nodes, parallelDims(), machine))
    return;
  plan.u = sharedDim();
  if (plan.vReduced) {
    tilePartialResults();
    return;
  }
  chooseVectors();
  if (plan.u >= 0)
    chooseRows();
}

/// A dimension of as many copies as have registers, on which something large that the reduction reads does not depend:
/// a few rows by columns that are neighbours along the sum, which are read once for all of them. -1 if there is none.
int Planner::dimOfFewCopies() const {
  auto isLarge = [&](const ExprNode &load) {
    int64_t bytes = elementStorageBytes(load.type);
    for (auto [dim, size] : llvm::enumerate(nest.sizes))
      bytes *= load.deps.test(dim) ? size : 1;
    return bytes > machine.l1Bytes;
  };
  auto sharesLarge = [&](unsigned dim) {
    return nest.sizes[dim] <= machine.accumulators() && llvm::any_of(nodes, [&](ExprNode *node) {
             return node->kind == ExprNode::Load && isInReduction(node) && !node->deps.test(dim) && isLarge(*node);
           });
  };
  SmallVector<int64_t> dims = nest.isAlone ? parallelDims() : SmallVector<int64_t>();
  const auto *found = llvm::find_if(dims, sharesLarge);
  return found == dims.end() ? -1 : static_cast<int>(*found);
}

/// Of lanes that hold partial results, several vectors or several results.
void Planner::tilePartialResults() {
  if (int dim = dimOfFewCopies(); dim >= 0) {
    plan.u = dim;
    plan.uUnroll = nest.sizes[dim];
  } else if (plan.u >= 0)
    plan.uUnroll = std::min(kVectors, nest.sizes[plan.u]);
  else
    takeNeighbours();
  bool isFull = plan.u >= 0 && plan.uUnroll >= kVectors;
  int64_t wanted = isShort() || isFull ? 1 : operations <= 4 ? kVectors : kVectors / 2;
  plan.vUnroll = std::max<int64_t>(1, std::min(wanted, vSize() / plan.lanes));
}

/// Does the reduction read what is the same in all lanes?
bool Planner::readsNumbers() const {
  return llvm::any_of(nodes, [&](ExprNode *node) {
    return node->kind == ExprNode::Load && isInReduction(node) && !node->deps.test(plan.v);
  });
}

/// As many vectors as hide each other's latency: fewer of a short sum, or more of long rows of memory, where no copies
/// share what they read.
void Planner::chooseVectors() {
  plan.vUnroll = llvm::alignTo(std::clamp<int64_t>(vectors(), 1, kVectors), rowVectors);
  if (readsNumbers() || plan.u >= 0)
    return;
  // Taking lanes out of many vectors is work enough for each step, and long code.
  if (isShort() || farthestLanes() > kVectors)
    plan.vUnroll = std::min(plan.vUnroll, isShort() ? 2u : 1u);
  if (readsLongRuns())
    plan.vUnroll = std::clamp<int64_t>(vectors(), 1, machine.longRun() * 4 / machine.vectorBits);
}

/// Rows of the tile along the jammed dimension, and fewer vectors where these leave registers for more of them.
void Planner::chooseRows() {
  bool isWindow = plan.reductionLoops.size() > 1;
  int64_t size = nest.sizes[plan.u], inCache = rowsInCache(plan.u);
  if (rowVectors == 1 && readsNumbers())
    plan.vUnroll = vectorsOfRows(plan.vUnroll, size);
  // As many steps, of which none does more than it must: two of four for a row of seven, not two of six.
  auto rowsOf = [&](int64_t registers) {
    int64_t most = std::max<int64_t>(1, std::min({registers, size, inCache}));
    return llvm::divideCeil(size, llvm::divideCeil(size, most));
  };
  auto fitting = [&](unsigned vectors) { return rowsOf(machine.accumulators() / vectors); };
  if (!plan.addsPairs && farthestLanes() > 1) {
    // What a step reads for each of its products.
    constexpr double instructions = 3;
    auto loads = [&](unsigned vectors) { return instructions / fitting(vectors) + 1.0 / vectors; };
    for (unsigned fewer = plan.vUnroll; fewer > 1; --fewer)
      if (rowVectors == 1 && loads(fewer) < loads(plan.vUnroll))
        plan.vUnroll = fewer;
  }
  plan.uUnroll = fitting(plan.vUnroll);
  // Half of the vectors leave registers for more rows, of which the last step of a window may compute fewer in vain.
  constexpr unsigned half = kVectors / 2, fewestProducts = 12;
  int64_t rows = rowsOf(2 * kVectors);
  auto inVain = [&](int64_t rows) -> int64_t { return llvm::divideCeil(size, rows) * rows - size; };
  constexpr int64_t notable = 25; // one row of so many
  if (isWindow && plan.vUnroll == kVectors && nest.mayRepeat() && rows * half >= fewestProducts &&
      rows * half < machine.accumulators() && (inVain(plan.uUnroll) - inVain(rows)) * notable >= size) {
    plan.vUnroll = half;
    plan.uUnroll = rows;
  }
  // With few registers, tiles of three vectors or two may fill more steps. A row that is widened is so for each of
  // them.
  if (machine.vectorsOfTile() < kVectors && plan.vUnroll == kVectors && nest.mayRepeat() && farthestLanes() == 1 &&
      rowVectors == 1 && !widensRows())
    std::tie(plan.vUnroll, plan.uUnroll) =
        tileOf(vSize(), plan.lanes, size, kVectors, machine.accumulators(), mayMaskSteps());
  // Fewer rows read what does not stay in the second-level cache more often.
  int64_t panelBytes = reductionSteps() * plan.vUnroll * plan.lanes * widest / 8;
  if (!isWindow && nest.mayRepeat() && plan.vUnroll > 1 && panelBytes <= machine.l2Share())
    plan.uUnroll =
        machine.rowsOfTile(size, plan.uUnroll, plan.vUnroll, costOfColumns(nodes, plan, reductionSteps(), machine));
}

/// Short rows next to each other have running values of their own.
void Planner::takeNeighbours() {
  if (!plan.reductionLoops.empty() && vectors() < kVectors && rowVectors == 1)
    std::tie(plan.u, plan.uUnroll) =
        neighbouringRows(nest, nodes, plan.v, parallelDims(), 2 * kVectors / vectors() / accumulators, machine);
}

/// Neighbours are combined before anything else: of several vectors half of the steps stay in full lanes.
void Planner::unrollOrderedFold() {
  int64_t most = isShort() ? 1 : expensive == 0 ? kVectors : kVectors / 2;
  plan.vUnroll = std::clamp<int64_t>(vSize() / plan.lanes, 1, most);
}

/// Tall reductions over rows of memory: walk memory in order and accumulate in the (cached) result. Short bodies take
/// more rows at a time, so that the running value is read and written less often.
void Planner::accumulateInMemory() {
  if (plan.v < 0 || plan.vReduced || plan.u >= 0 || !nest.stores.empty() || nest.reductions.size() != 1 ||
      plan.reductionLoops.empty() || nest.rows.any() || nest.reductions[0].inits.size() != 1 ||
      !nest.reductions[0].partial)
    return;
  constexpr int64_t many = 64; // rows, and columns, below which registers do
  int64_t last = plan.reductionLoops.back();
  if (reductionSteps() < many || vSize() < many || !readsFarRows(last))
    return;
  // Other parallel dimensions have rows of their own, long ones: of short ones registers walk more at a time.
  for (int64_t dim : parallelDims())
    if (!readsFarRows(dim) || vSize() * widest / 8 < machine.farApart())
      return;
  plan.inMemory = true;
  plan.vUnroll = 1;
  plan.u = last;
  constexpr int64_t untilLong = 2048; // rows, of which a remainder does not count
  int64_t extent = nest.sizes[last];
  plan.uUnroll = nodes.size() <= kSmallBody ? 8 : 4;
  while (plan.uUnroll > 4 && extent % plan.uUnroll != 0 && extent < untilLong)
    plan.uUnroll /= 2;
}

/// Loads across the lanes are transposed; a few vectors in a row need no loop.
void Planner::unrollElementwise() {
  if (plan.v >= 0) {
    transposition().transposeLoads(plan, parallelDims());
    transposition().jamShortDim(plan, parallelDims());
  }
  if (plan.v >= 0 && plan.chunk == 1 && vectors() <= kVectors &&
      std::max<size_t>(operations, nest.stores.size()) <= kSmallBody)
    plan.vUnroll = std::max<int64_t>(1, vSize() / plan.lanes);
  plan.vUnroll = llvm::alignTo(plan.vUnroll, rowVectors);
}

/// May the last step along the lanes be whole, with masks? All steps store with them then, and the last one computes
/// all of its vectors: of 197 columns and up to 128 steps, masks took 1.2 to 1.35 times as long as a copy of the code,
/// which may be long, though. For vectors of 256 bits, a masked store is one instruction of many: on a Zen 1, a product
/// of 32 steps took three times as long.
bool Planner::mayMaskSteps() const {
  constexpr int64_t hidingMasks = 256, hidingLongCode = 32;
  bool isLong = instructionsOf(nodes) * plan.uUnroll * plan.vUnroll >= kLongCode;
  return machine.vectorBits == 512 && !plan.vReduced && !plan.tileRegisters && !nest.rows.any() &&
         reductionSteps() >= (isLong ? hidingLongCode : hidingMasks);
}

/// How the last steps are made whole: a second copy of the code for a remainder costs more than a few iterations done
/// twice, or lanes that compute nothing.
void Planner::finishSteps() {
  plan.derive(nest);
  int64_t step = plan.lanes * plan.vUnroll, inVain = llvm::alignTo(vectors(), plan.vUnroll) - vectors();
  if (plan.v >= 0 && plan.u < 0 && (!hasReduction || (plan.vReduced && !plan.foldsInOrder)) && rowVectors == 1 &&
      instructionsOf(nodes) >= kLongCode / 4 && nest.iterations(/*includeRows=*/true) <= kSmallArray)
    plan.vMasked = vSize() % step != 0 && vSize() > step && inVain * kMostIdle <= vectors();
  if (!hasReduction || plan.u < 0 || plan.inMemory)
    return;
  // Computing a result twice is harmless unless it overwrites what it is computed from.
  if (nest.sizes[plan.u] % plan.uUnroll != 0)
    plan.uOverlaps = nest.mayRepeat();
  if (mayMaskSteps())
    plan.vMasked = vSize() % step != 0 && vSize() > 3 * step && rowVectors == 1;
}

/// Outer dimensions are parallel work until there is enough of it; the others stay loops. Work is cut along u and v,
/// too.
void Planner::shareWork() {
  int64_t items = 1;
  for (int64_t dim : parallelDims()) {
    if (!plan.inMemory && dim == plan.u)
      continue;
    bool isWork = nest.isAlone && items < machine.enoughItems && !transposition().continuesRows(plan, dim);
    (isWork ? plan.work : plan.loops).push_back(dim);
    items *= isWork ? nest.sizes[dim] : 1;
  }
  if (!nest.isAlone)
    return;
  if (plan.u >= 0 && !plan.inMemory)
    cutJam();
  if (plan.v >= 0 && !plan.vReduced)
    cutLanes();
}

/// Blocks of a long reduction may be as short as leaves enough of them for all cores: every step along the jammed
/// dimension reads the other factor anyway.
void Planner::cutJam() {
  int64_t size = nest.sizes[plan.u], block = plan.uUnroll * kStepsPerItem;
  int64_t iterations = nest.iterations(/*includeRows=*/true);
  if (plan.chunk > 1)
    block = transposition().cut(plan);
  if (reductionSteps() >= kLongReduction && iterations >= 4 * machine.elementsPerCore) {
    int64_t items = plan.v >= 0 && !plan.vReduced ? llvm::divideCeil(vectors(), plan.vUnroll) : 1;
    for (int64_t dim : plan.work)
      items *= nest.sizes[dim];
    block = std::min<int64_t>(block, plan.uUnroll * llvm::divideCeil(size * items, machine.fewItems * plan.uUnroll));
  }
  if (size > block)
    plan.uBlock = block;
}

void Planner::cutLanes() {
  int64_t step = plan.lanes * plan.vUnroll, iterations = nest.iterations(/*includeRows=*/true);
  int64_t outer = plan.uBlocks(nest);
  for (int64_t dim : llvm::concat<const int64_t>(plan.work, plan.loops))
    outer *= nest.sizes[dim];
  if (plan.inMemory) {
    // Halves of a row, or two pages, so that the prefetcher has long stretches. Neighbouring blocks are walked as one.
    if (vSize() >= 16 * step)
      plan.vBlock =
          llvm::alignTo(std::min<int64_t>(llvm::divideCeil(vSize(), 2), 2 * machine.pageBytes * 8 / widest), step);
  } else if (plan.chunk > 1) {
    if (vSize() >= 2 * machine.longRow())
      plan.vBlock = machine.longRow();
  } else if (hasReduction && plan.u >= 0 && !plan.slides) {
    // A tile wide, so that it reads one panel. Long rows, of more than the second-level cache, would be read again for
    // each: all panels of a block of rows are one item, if they stay in that cache.
    int64_t steps = reductionSteps(), bytes = steps * widest / 8;
    bool areRowsFar = plan.uBlock > 0 && steps >= vSize() && bytes * nest.sizes[plan.u] > machine.l2Bytes;
    if (vSize() > step && !(areRowsFar && bytes * vSize() <= machine.l2Share()))
      plan.vBlock = step;
  } else if (hasReduction) {
    // Columns of a reduction, of which each is enough work for an item.
    int64_t steps =
        std::max<int64_t>(1, machine.elementsPerCore / 4 / std::max<int64_t>(1, step * iterations / vSize()));
    // Lanes that are walked inside the jammed dimension are rows of memory, which are cut only if need be.
    int64_t fewItems = plan.slides ? machine.fewItems / 4 : machine.fewItems;
    if (outer < fewItems && iterations > machine.elementsPerCore && vSize() > step * steps)
      plan.vBlock = step * steps;
  } else {
    // Few items: a row that is enough work for several cores is cut, too.
    int64_t cost = estimateCost(nest, plan);
    bool isWork = iterations > machine.elementsPerCore || cost > 2 * machine.nanosecondsToWake;
    double elementsOfItem = static_cast<double>(iterations) * machine.nanosecondsToWake / 4 / cost;
    int64_t block = llvm::alignTo(std::clamp<int64_t>(elementsOfItem, step, 2048), step);
    if (outer < machine.fewItems && isWork && vSize() > 2 * block)
      plan.vBlock = block;
  }
}

/// What is written once, and is larger than a cache, need not be read into one first. Expensive code hides that. Past
/// the caches, parts of a line are slow, which steps along a jammed dimension would write; only AVX and later have
/// vectors of 256 bits.
void Planner::writePastCaches() {
  if (!nest.outlivesCaches || hasReduction || nest.inPlace || expensive || operations > kLargeBody ||
      machine.vectorBits < 256 || !storesWholeVectors(nest, plan.v, plan.lanes))
    return;
  plan.pastCaches = plan.u < 0 || transposition().takeLines(plan);
}

NestPlan mlir::xla::planNest(const LoopNest &nest, const Machine &machine) {
  return nest.isScan() ? planScan(nest, machine) : Planner(nest, machine).run();
}
