// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions about a nest that is a scan: lanes are scans of their own, next to each other in memory, or, if the scanned
// dimension is the contiguous one, its elements.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/NestPlan.h"
#include "mlir_xla/lowering/nest/Cost.h"

using namespace mlir;
using namespace mlir::xla;

/// Operations of a combiner from which on a vector more or less is no matter of loop overhead, but of much code.
static constexpr unsigned kLargeCombiner = 8;
/// Vectors of scans in lanes from which on two at a time leave enough work to share.
static constexpr int64_t kManyVectors = 32;

/// Elements next to each other along `dim`; those written count more.
static double contiguity(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned dim) {
  double score = 0;
  for (ExprNode *node : nodes)
    if (node->kind == ExprNode::Load && std::abs(node->address.dims[dim]) == 1)
      score += node->pair ? 0.5 : 1; // the parts of a complex number are one access
  for (const Store &store : nest.stores)
    score += store.address.dims[dim] == 1 ? 1.5 : 0;
  return score;
}

bool mlir::xla::mayShiftLanes(const Reduction &scan) {
  return llvm::all_of(scan.inits, [](ExprNode *init) {
    return init->type.isIntOrFloat() && init->type.getIntOrFloatBitWidth() >= (isa<FloatType>(init->type) ? 16 : 8);
  });
}

namespace {
/// What an iteration consists of.
struct Iteration {
  unsigned widest = 16; // bits of the widest elements
  unsigned operations = 0;
  bool isComplex = false, isExpensive = false;
  bool isLarge() const { return isExpensive || operations > kLargeCombiner; }
};
} // namespace

static Iteration summarize(ArrayRef<ExprNode *> nodes) {
  Iteration result;
  for (ExprNode *node : nodes) {
    if (isa<ComplexType>(node->type)) {
      result.isComplex = true;
      continue;
    }
    if (node->kind == ExprNode::Apply) {
      ++result.operations;
      result.isExpensive |= isExpensive(node->op);
    }
    // 64-bit index arithmetic beside narrow data does not set the number of lanes.
    bool isIndex = node->kind == ExprNode::Index || (node->kind == ExprNode::Apply && node->type.isInteger(64));
    if (!isIndex && node->kind != ExprNode::Constant)
      result.widest = std::max(result.widest, 8 * static_cast<unsigned>(elementStorageBytes(node->type)));
  }
  return result;
}

/// The dimension in lanes, whose number is `lanes` if there are enough elements; -1: none.
static int chooseLanes(const LoopNest &nest, ArrayRef<ExprNode *> nodes, const Iteration &iteration, int64_t lanes) {
  int ordered = nest.ordered.find_first(), best = -1, rank = nest.sizes.size();
  if (iteration.isComplex)
    return -1;
  double bestScore = 0;
  for (int dim = 0; dim < rank; ++dim)
    if (double score = contiguity(nest, nodes, dim); nest.isParallelLoop(dim) && score > 0 && score >= bestScore) {
      best = dim;
      bestScore = score;
    }
  if (nest.sizes[ordered] == 1 || !mayShiftLanes(nest.reductions.front()) ||
      contiguity(nest, nodes, ordered) <= bestScore)
    return best;
  // Lanes of one scan combine some five times for each vector. Where that is many instructions, lanes far from each
  // other in memory, with a scan of their own each, are faster.
  best = ordered;
  if (iteration.isExpensive)
    for (int dim = 0; dim < rank; ++dim)
      if (nest.isParallelLoop(dim) && nest.sizes[dim] >= lanes &&
          (best == ordered || nest.sizes[dim] > nest.sizes[best]))
        best = dim;
  return best;
}

/// Vectors of one step. Lanes that are scans keep their running values in a quarter of the registers, and read long
/// stretches of every row.
static int64_t chooseUnrolling(const LoopNest &nest, const NestPlan &plan, const Iteration &iteration,
                               const Machine &machine) {
  int64_t size = nest.sizes[plan.v], wanted = 2;
  // Work for several cores comes before work for one that waits for what a vector needs of the one before.
  if (iteration.isLarge())
    wanted = plan.vReduced || size < kManyVectors * plan.lanes ? 1 : 2;
  else if (!plan.vReduced)
    wanted = std::max<int64_t>(1, int64_t(machine.vectorRegisters) / 4 / nest.reductions.front().inits.size());
  return std::clamp<int64_t>(size / plan.lanes, 1, wanted);
}

NestPlan mlir::xla::planScan(const LoopNest &nest, const Machine &machine) {
  NestPlan plan;
  SmallVector<ExprNode *> nodes = nest.nodes();
  Iteration iteration = summarize(nodes);
  unsigned lanes = std::max(1u, machine.lanes(iteration.widest));
  plan.v = chooseLanes(nest, nodes, iteration, lanes);
  // A narrow dimension does not deserve wide vectors.
  while (plan.v >= 0 && lanes > 1 && nest.sizes[plan.v] <= lanes / 2)
    lanes /= 2;
  if (lanes == 1)
    plan.v = -1;
  if (plan.v >= 0) {
    plan.lanes = lanes;
    plan.derive(nest);
    plan.vUnroll = chooseUnrolling(nest, plan, iteration, machine);
  }
  // Outer dimensions are parallel work until there is enough of it; the others stay loops.
  int64_t items = 1;
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim) {
    if (!nest.isParallelLoop(dim) || static_cast<int>(dim) == plan.v)
      continue;
    bool isWork = nest.isAlone && items < machine.enoughItems;
    (isWork ? plan.work : plan.loops).push_back(dim);
    items *= isWork ? nest.sizes[dim] : 1;
  }
  int64_t step = plan.lanes * plan.vUnroll;
  if (plan.v >= 0 && !plan.vReduced && nest.isAlone && nest.sizes[plan.v] > step &&
      nest.iterations(/*includeRows=*/true) > machine.elementsPerCore)
    plan.vBlock = step;
  return plan;
}
