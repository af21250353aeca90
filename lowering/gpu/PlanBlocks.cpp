// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-blocks`: decides which sums of products are done by blocks of threads, and in which tiles.

#include "mlir_xla/lowering/gpu/BlockPlan.h"
#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PLANBLOCKS
#include "mlir_xla/lowering/gpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Multiprocessors of the devices that are planned for: a plan is the same wherever it is made.
static constexpr int64_t kMultiprocessors = 132;

namespace {
class BlockPlanner {
public:
  BlockPlanner(const LoopNest &nest, MLIRContext *context) : nest(nest), context(context) {}
  std::optional<BlockPlan> run();

private:
  bool findDims();
  void makeInnermost(BlockDim &dim, function_ref<bool(int64_t)> isContiguous);
  bool useTensorCores() const;
  void chooseTile();

  const LoopNest &nest;
  MLIRContext *context;
  BlockPlan plan;
  ExprNode *a = nullptr, *b = nullptr;
};

/// A tile with the registers of a thread, or of a warp, and roughly the part of peak speed that it reaches.
struct TileShape {
  int64_t m, n, k, rows, columns;
  double efficiency;
};
} // namespace

/// The last dimension that `isContiguous` says so of comes last.
void BlockPlanner::makeInnermost(BlockDim &dim, function_ref<bool(int64_t)> isContiguous) {
  for (size_t i = dim.dims.size(); i-- > 0;)
    if (isContiguous(dim.dims[i])) {
      std::rotate(dim.dims.begin() + i, dim.dims.begin() + i + 1, dim.dims.end());
      return;
    }
}

static bool readsAlong(ExprNode *node, int64_t dim) {
  if (node->kind == ExprNode::Load && strideAlong(node->address, dim, 1) == 1)
    return true;
  return llvm::any_of(node->operands, [&](ExprNode *operand) { return readsAlong(operand, dim); });
}

/// n: the dimensions of one factor, where results are neighbours in memory. m: those of the other. Dimensions of both
/// are blocks of their own.
bool BlockPlanner::findDims() {
  std::optional<Product> product = matchProduct(nest);
  if (!product || nest.inPlace)
    return false;
  const Reduction &sum = nest.reductions[0];
  Type type = sum.inits[0]->type;
  if (isa<ComplexType>(type) || memoryType(type) != type)
    return false;
  const Store *store = sum.stores[0] ? &*sum.stores[0] : nest.epilogue.empty() ? nullptr : &nest.epilogue.front();
  if (!store)
    return false;
  a = product->left;
  b = product->right;
  auto isAlong = [&](int64_t dim) { return strideAlong(store->address, dim, 1) == 1; };
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (nest.isParallelLoop(dim) && isAlong(dim) && a->deps.test(dim) && !b->deps.test(dim))
      std::swap(a, b);
  for (int64_t dim = 0; dim < static_cast<int64_t>(nest.sizes.size()); ++dim) {
    if (nest.isReductionLoop(dim)) {
      plan.k.dims.push_back(dim);
      plan.k.size *= nest.sizes[dim];
    } else if (nest.isParallelLoop(dim)) {
      bool ofA = a->deps.test(dim), ofB = b->deps.test(dim);
      if (ofA == ofB) {
        plan.work.push_back(dim);
        continue;
      }
      BlockDim &own = ofA ? plan.m : plan.n;
      own.dims.push_back(dim);
      own.size *= nest.sizes[dim];
    }
  }
  if (plan.m.dims.empty() || plan.n.dims.empty() || plan.k.dims.empty())
    return false;
  makeInnermost(plan.n, isAlong);
  makeInnermost(plan.m, [&](int64_t dim) { return readsAlong(a, dim); });
  makeInnermost(plan.k, [&](int64_t dim) { return readsAlong(a, dim) || readsAlong(b, dim); });
  return true;
}

bool BlockPlanner::useTensorCores() const {
  constexpr int64_t fewSteps = 16;
  ExprNode *left = narrowFactor(a), *right = narrowFactor(b);
  return left && right && left->type == right->type && plan.k.size >= fewSteps;
}

/// What all multiprocessors take the least time for, each doing one block after the other.
void BlockPlanner::chooseTile() {
  static constexpr TileShape words[] = {
      {128, 128, 16, 8, 8, 1.0}, {128, 64, 16, 8, 8, 0.9}, {64, 64, 16, 8, 8, 0.8}, {32, 32, 16, 4, 4, 0.4}};
  static constexpr TileShape longs[] = {{64, 64, 16, 4, 4, 1.0}, {32, 32, 16, 4, 4, 0.7}};
  static constexpr TileShape halves[] = {
      {128, 128, 32, 64, 32, 1.0}, {128, 64, 32, 32, 32, 0.8}, {64, 64, 64, 32, 32, 0.6}, {32, 32, 64, 16, 16, 0.25}};
  ArrayRef<TileShape> shapes = longs;
  if (useTensorCores()) {
    plan.instruction = BlockInstruction::Mma;
    plan.stages = 3;
    shapes = halves;
  } else if (elementStorageBytes(nest.reductions[0].inits[0]->type) <= 4) {
    shapes = words;
  }
  int64_t batches = 1;
  for (int64_t dim : plan.work)
    batches *= nest.sizes[dim];
  double best = 0;
  for (const TileShape &shape : shapes) {
    int64_t blocks = batches * llvm::divideCeil(plan.m.size, shape.m) * llvm::divideCeil(plan.n.size, shape.n);
    double time =
        static_cast<double>(llvm::divideCeil(blocks, kMultiprocessors) * shape.m * shape.n) / shape.efficiency;
    if (best != 0 && time >= best)
      continue;
    best = time;
    plan.m.tile = shape.m;
    plan.n.tile = shape.n;
    plan.k.tile = shape.k;
    plan.rows = shape.rows;
    plan.columns = shape.columns;
  }
}

std::optional<BlockPlan> BlockPlanner::run() {
  constexpr int64_t fewResults = 16, fewSteps = 8;
  if (!findDims() || plan.m.size < fewResults || plan.n.size < fewResults || plan.k.size < fewSteps)
    return std::nullopt;
  chooseTile();
  auto ignore = [&] { return InFlightDiagnostic(); };
  BlocksAttr attr = plan.toAttr(context, nest);
  if (failed(checkBlocks(nest, attr, ignore)))
    return std::nullopt;
  return plan;
}

namespace {
struct PlanBlocksPass : public mlir::xla::impl::PlanBlocksBase<PlanBlocksPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernelOf(kernel) || kernel.isExternal() || kernel->hasAttr(XlaRtDialect::kPlans) || wholeKernelIn(kernel))
        continue;
      FailureOr<KernelNests> nests = nestsOf(kernel);
      if (failed(nests))
        return signalPassFailure();
      if (nests->nests.size() != 1)
        continue;
      const LoopNest &nest = nests->nests.front();
      if (std::optional<BlockPlan> plan = BlockPlanner(nest, &getContext()).run())
        kernel->setAttr(XlaRtDialect::kPlans, ArrayAttr::get(&getContext(), {plan->toAttr(&getContext(), nest)}));
    }
  }
};
} // namespace
