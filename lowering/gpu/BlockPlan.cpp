// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of blocks: what a plan may say of a nest, and what follows.

#include "mlir_xla/lowering/gpu/BlockPlan.h"
#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/LastBlock.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

static_assert(BlocksAttr::kWarp == GpuMachine::warp);

BlocksAttr BlocksPlan::toAttr(MLIRContext *context, const LoopNest &nest) const {
  return BlocksAttr::get(context, nest.sizes, m.dims, m.tile, n.dims, n.tile, k.dims, k.tile, rows, columns,
                         instruction, stages, cluster, split, work);
}

bool mlir::xla::readsAlong(ArrayRef<ExprNode *> nodes, int64_t dim) {
  return dim >= 0 && llvm::any_of(nodes, [&](ExprNode *node) {
           return node->kind == ExprNode::Load && strideAlong(node->address, dim, 1) == 1;
         });
}

int64_t mlir::xla::lanesAlong(const LoopNest &nest, ArrayRef<ExprNode *> nodes, int64_t dim, int64_t most) {
  // All of a vector is read or none of it.
  auto isWhole = [&](const Guard &guard) { return !guard.condition->deps.test(dim); };
  for (int64_t lanes = most; dim >= 0 && lanes > 1; lanes /= 2)
    if (nest.sizes[dim] % lanes == 0 && llvm::all_of(nodes, [&](ExprNode *node) {
          return node->kind != ExprNode::Load || !node->deps.test(dim) ||
                 (llvm::all_of(node->guards, isWhole) && isVectorAligned(nest, node->address, node->type, dim, lanes));
        }))
      return lanes;
  return 1;
}

int64_t mlir::xla::lanesOfResults(const LoopNest &nest, int64_t dim) {
  constexpr int64_t access = GpuMachine::access;
  const Reduction &sum = nest.reductions[0];
  llvm::SetVector<ExprNode *> nodes;
  int64_t widest = elementStorageBytes(sum.inits[0]->type);
  SmallVector<const Store *> stores;
  for (const std::optional<Store> &store : sum.stores)
    if (store)
      stores.push_back(&*store);
  for (const Store &store : nest.epilogue)
    stores.push_back(&store);
  for (const Store *store : stores) {
    collectNodes(store->value, nodes);
    widest = std::max(widest, elementStorageBytes(store->elementType));
  }
  collectNodes(sum.inits[0], nodes);
  int64_t lanes = lanesAlong(nest, nodes.getArrayRef(), dim, access / widest);
  while (dim >= 0 && lanes > 1 && !llvm::all_of(stores, [&](const Store *store) {
           return isVectorAligned(nest, store->address, store->elementType, dim, lanes);
         }))
    lanes /= 2;
  return lanes;
}

TensorShape::TensorShape(Type element) : rows(element.isF64() ? 8 : 16), depth(32 / elementStorageBytes(element)) {}

ExprNode *mlir::xla::tensorFactor(const Reduction &sum, ExprNode *factor) {
  Type type = sum.inits[0]->type;
  if (type.isF64() || (type.isF32() && sum.op->hasAttr(XlaRtDialect::kTf32)))
    return factor;
  if (factor->kind != ExprNode::Apply)
    return nullptr;
  ExprNode *narrow = factor->operands.empty() ? nullptr : factor->operands[0];
  if (type.isF32() && isa<arith::ExtFOp>(factor->op) && (narrow->type.isBF16() || narrow->type.isF16()))
    return narrow;
  if (type.isInteger(32) && isa<arith::ExtSIOp, arith::ExtUIOp>(factor->op) && narrow->type.isInteger(8))
    return narrow;
  return nullptr;
}

bool mlir::xla::areTensorFactors(const Reduction &sum, ExprNode *left, ExprNode *right) {
  ExprNode *narrowLeft = tensorFactor(sum, left), *narrowRight = tensorFactor(sum, right);
  return narrowLeft && narrowRight && narrowLeft->type == narrowRight->type;
}

/// A number that is +0.
static bool isZero(Attribute attr) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return number.getValue().isPosZero();
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  return number && number.getValue().isZero();
}

/// The load that `factor` is, and where it is none but a zero: null if nowhere. No load if it is something else.
static std::pair<ExprNode *, ExprNode *> readOf(ExprNode *factor) {
  if (factor->kind == ExprNode::Load)
    return {factor->guards.empty() ? factor : nullptr, nullptr};
  if (factor->kind != ExprNode::Select)
    return {};
  ExprNode *condition = factor->operands[0], *read = factor->operands[1], *other = factor->operands[2];
  if (read->kind != ExprNode::Load || other->kind != ExprNode::Constant || !isZero(other->attr) ||
      read->guards != ArrayRef(Guard{condition, /*negated=*/false}))
    return {};
  return {read, condition};
}

/// How the tile of `factor`, which depends on k and on `own`, is brought to shared memory by so many threads.
static BlockPanel panelOf(const LoopNest &nest, ExprNode *factor, const BlockDim &own, const BlocksPlan &plan) {
  const BlockDim &k = plan.k;
  bool isMma = plan.instruction == BlockInstruction::Mma;
  llvm::SetVector<ExprNode *> nodes;
  BlockPanel panel;
  panel.factor = isMma || plan.isWarpgroups() ? tensorFactor(nest.reductions[0], factor) : factor;
  std::tie(panel.read, panel.isRead) = readOf(panel.factor);
  collectNodes(panel.factor, nodes);
  panel.type = panel.factor->type;
  panel.isRows = &own == &plan.m;
  panel.elementBytes = elementStorageBytes(panel.type);
  panel.alongK = !readsAlong(nodes.getArrayRef(), own.innermost()) && readsAlong(nodes.getArrayRef(), k.innermost());
  if (plan.isWarpgroups()) {
    panel.inner = panel.alongK ? k.tile : own.tile;
    panel.outer = panel.alongK ? own.tile : k.tile;
    int64_t sharedBy = &own == &plan.n ? plan.cluster : 1;
    std::string ignored;
    if (FailureOr<TensorBox> box = tensorBox(nest, panel, own, k, plan.work, sharedBy, ignored); succeeded(box))
      panel.box = std::move(*box);
    return panel;
  }
  // Matrices of bytes are read along k alone.
  panel.gathers = isMma && panel.elementBytes == 1 && !panel.alongK;
  panel.alongK |= panel.gathers;
  panel.swizzled = panel.alongK || isMma;
  panel.inner = panel.alongK ? k.tile : own.tile;
  panel.outer = panel.alongK ? own.tile : k.tile;
  // Elements that threads read one by one: four rows by four or eight columns at a time.
  if (isMma && (panel.elementBytes == 8 || (panel.elementBytes == 4 && !panel.alongK)))
    panel.orderStep = 2;
  int64_t share = std::max<int64_t>(1, own.tile * k.tile / plan.threads);
  if (panel.gathers) {
    panel.lanes =
        lanesAlong(nest, nodes.getArrayRef(), own.innermost(), std::min<int64_t>(4, std::max<int64_t>(1, share / 4)));
    return panel;
  }
  panel.lanes = lanesAlong(nest, nodes.getArrayRef(), panel.alongK ? k.innermost() : own.innermost(),
                           std::min(panel.piece(), share));
  // Beyond the end of k, copies write a zero that is positive, and products of it might make positive what is -0.
  bool mayCopy =
      isMma || k.size % k.tile == 0 || !isa<FloatType>(panel.type) || isZero(nest.reductions[0].inits[0]->attr);
  panel.async = mayCopy && panel.read && (isMma ? panel.lanes == panel.piece() : panel.lanes * panel.elementBytes >= 4);
  return panel;
}

/// Whether `factor` is the rows, of which there may be one, as of columns.
static bool isRows(ExprNode *factor, BlocksAttr attr) {
  return attr.getMDims().empty() ? !factor->deps.test(attr.getNDims().back())
                                 : factor->deps.test(attr.getMDims().back());
}

BlocksPlan BlocksPlan::fromAttr(BlocksAttr attr, const LoopNest &nest) {
  BlocksPlan plan;
  auto dimsOf = [&](ArrayRef<int64_t> dims, int64_t tile) {
    BlockDim result{llvm::to_vector(dims), tile};
    for (int64_t dim : dims)
      result.size *= nest.sizes[dim];
    return result;
  };
  plan.m = dimsOf(attr.getMDims(), attr.getMTile());
  plan.n = dimsOf(attr.getNDims(), attr.getNTile());
  plan.k = dimsOf(attr.getKDims(), attr.getKTile());
  plan.rows = attr.getRows();
  plan.columns = attr.getColumns();
  plan.instruction = attr.getInstruction();
  plan.stages = attr.getStages();
  plan.cluster = attr.getCluster();
  plan.split = attr.getSplit();
  plan.work.assign(attr.getWork().begin(), attr.getWork().end());
  plan.threads = attr.getThreads();

  const Reduction &sum = nest.reductions[0];
  Product product = *matchProduct(nest);
  bool leftIsA = isRows(product.left, attr);
  plan.a = panelOf(nest, leftIsA ? product.left : product.right, plan.m, plan);
  plan.b = panelOf(nest, leftIsA ? product.right : product.left, plan.n, plan);
  plan.sumType = sum.inits[0]->type;
  plan.splitTiles = llvm::divideCeil(plan.k.tiles(), plan.split);
  // Only copies that nobody waits for fill more stages than two, and only as many as there are tiles.
  if (plan.isWarpgroups())
    plan.stages = std::min(plan.splitTiles, plan.stages);
  else
    plan.stages = plan.a.async || plan.b.async ? std::clamp<int64_t>(plan.splitTiles, 2, plan.stages) : 2;
  int64_t steps = std::min(plan.k.size, plan.splitTiles * plan.k.tile);
  plan.partSize = steps;
  if (sum.sums[0] && steps > kLongSum && !plan.isWarpgroups()) {
    plan.partSize = llvm::alignTo(kPartialSum, plan.k.tile);
    plan.parts = llvm::divideCeil(steps, plan.partSize);
  }

  int64_t bytes = elementStorageBytes(plan.sumType);
  plan.lanes = lanesOfResults(nest, plan.n.innermost());

  // Pairs that a warp writes at a time, of 8 rows or, of 8 bytes each, of 2, fall on different banks. What threads
  // write of whole rows shorter than all banks does if those follow each other. Of threads a warp has 4 rows of 8,
  // whose pairs of 4 bytes are half of the banks.
  constexpr int64_t banks = 128;
  int64_t piece = plan.b.alongK ? 1 : std::min(plan.b.piece(), plan.columns); // of neighbours that a thread has
  bool isShort = plan.instruction == BlockInstruction::Scalar && plan.n.tile * bytes < banks &&
                 piece * plan.threadColumns() == plan.n.tile;
  bool hasPairs = plan.instruction == BlockInstruction::Scalar && bytes == 4 && piece == 2;
  plan.resultPitch = plan.n.tile + (isShort ? 0 : hasPairs ? 16 : 8);
  // So do those of threads that have neighbouring columns of rows that are four apart, if lines are whole rounds of the
  // banks and are swizzled.
  plan.swizzlesSums = plan.instruction == BlockInstruction::Scalar && bytes == 4 && !plan.a.alongK && plan.b.alongK &&
                      plan.rows % plan.a.piece() == 0 && plan.n.tile * bytes % banks == 0;
  if (plan.swizzlesSums)
    plan.resultPitch = plan.n.tile;
  auto resultBytes = [&] { return plan.m.tile / plan.passes * plan.resultPitch * bytes; };
  while (resultBytes() > GpuMachine::staticSharedBytes && !plan.isWarpgroups())
    plan.passes *= 2;
  plan.sharedBytes = std::max(plan.stages * plan.stageBytes(), resultBytes());
  if (plan.isWarpgroups())
    plan.sharedBytes = llvm::alignTo(plan.sharedBytes, BlocksPlan::kBarrier) + plan.barriers() * BlocksPlan::kBarrier;
  // Tiles go to stages by their numbers, so the last ones of parts may be in different stages.
  plan.isLastTileThere = llvm::any_of(llvm::seq(plan.split), [&](int64_t part) {
    int64_t last = std::min((part + 1) * plan.splitTiles, plan.k.tiles()) - 1;
    return last % plan.stages * plan.stageBytes() < resultBytes();
  });
  for (int64_t dim : plan.work)
    plan.batches *= nest.sizes[dim];
  plan.grid = plan.m.tiles() * plan.n.tiles() * plan.batches * plan.split;
  if (plan.split > 1) {
    plan.scratchBytes = plan.split * plan.resultElements() * bytes;
    PartsTime time(plan.split, plan.tiles(),
                   std::min(plan.m.tile, plan.m.size) * std::min(plan.n.tile, plan.n.size) * bytes);
    plan.addsInLast = time.inLast <= time.bySecond &&
                      (plan.isWarpgroups() || plan.sharedBytes + kFlagBytes <= GpuMachine::staticSharedBytes);
  }
  return plan;
}

int64_t BlocksPlan::registersOf(BlockInstruction instruction, int64_t rows, int64_t columns, int64_t sumBytes) {
  constexpr int64_t ofPlaces = 64, ofPiece = 4, bytes = 4;
  int64_t together = BlocksAttr::threadsTogether(instruction);
  int64_t sums = rows * columns / together * sumBytes / bytes;
  return sums + (instruction == BlockInstruction::Scalar ? ofPiece * (rows + columns) : 0) + ofPlaces;
}

int64_t BlocksPlan::registers() const { return registersOf(instruction, rows, columns, elementStorageBytes(sumType)); }

int64_t BlocksPlan::mostRegisters() const {
  // Of two warpgroups that multiply, each thread has as many by `setmaxnreg`.
  if (isWarpgroups() && threads > BlocksAttr::kWarpgroup)
    return kMoved;
  return GpuMachine::registersOfThread(launchedThreads());
}

/// Parts are in the L2 cache. The last block of a tile, which has one itself, gets a multiprocessor's share of what
/// that gives, and a second launch all.
PartsTime::PartsTime(int64_t split, int64_t tiles, int64_t tileBytes) {
  auto turns = static_cast<double>(llvm::divideCeil(tiles, GpuMachine::multiprocessors));
  auto all = static_cast<double>(split * tiles * tileBytes);
  inLast = kArrival + turns * static_cast<double>((split - 1) * tileBytes) / GpuMachine::cacheRate;
  bySecond = GpuMachine::launch + all / (GpuMachine::cacheRate * GpuMachine::multiprocessors);
}

/// Errors that nobody has begun are none, so these begin, and are dropped.
bool mlir::xla::passes(MLIRContext *context,
                       function_ref<LogicalResult(function_ref<InFlightDiagnostic()> emitError)> check) {
  ScopedDiagnosticHandler drop(context, [](Diagnostic &) { return success(); });
  return succeeded(check([&] { return mlir::emitError(UnknownLoc::get(context)); }));
}

LogicalResult mlir::xla::checkBlocks(const LoopNest &nest, BlocksAttr plan,
                                     function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkSizes(nest, plan.getSizes(), emitError)))
    return failure();
  std::optional<Product> product = matchProduct(nest);
  if (!product)
    return emitError() << "blocks are for the sum of products that is all a kernel computes, but for what it does with "
                          "the sums";
  if (nest.inPlace)
    return emitError() << "the kernel updates an argument, which other blocks may read";
  llvm::SmallBitVector walked(nest.sizes.size());
  auto check = [&](ArrayRef<int64_t> dims, bool isReduced) -> LogicalResult {
    for (int64_t dim : dims) {
      walked.set(dim);
      if (!(isReduced ? nest.isReductionLoop(dim) : nest.isParallelLoop(dim)))
        return emitError() << "d" << dim << " is no " << (isReduced ? "reduced" : "parallel")
                           << " dimension of several iterations";
    }
    return success();
  };
  if (failed(check(plan.getMDims(), false)) || failed(check(plan.getNDims(), false)) ||
      failed(check(plan.getKDims(), true)) || failed(check(plan.getWork(), false)))
    return failure();
  for (unsigned dim = 0; dim < nest.sizes.size(); ++dim)
    if (!walked.test(dim) && (nest.isReductionLoop(dim) || nest.isParallelLoop(dim)))
      return emitError() << "it does not walk d" << dim << ", a " << (nest.reduced.test(dim) ? "reduced" : "parallel")
                         << " dimension of several iterations";
  ExprNode *a = product->left, *b = product->right;
  if (!isRows(a, plan))
    std::swap(a, b);
  auto dependsOnAny = [](ExprNode *factor, ArrayRef<int64_t> dims) {
    return llvm::any_of(dims, [&](int64_t dim) { return factor->deps.test(dim); });
  };
  if (!isRows(a, plan) || dependsOnAny(a, plan.getNDims()) || dependsOnAny(b, plan.getMDims()))
    return emitError() << "one factor must depend on m and not on n, the other not on m";
  Type sum = nest.reductions[0].inits[0]->type;
  if (isa<ComplexType>(sum) || memoryType(sum) != sum)
    return emitError() << "elements of type " << sum << " are not those of registers and memory alike";
  int64_t elementBytes = elementStorageBytes(sum);
  bool isWarpgroups = plan.getInstruction() == BlockInstruction::Wgmma;
  if (plan.getInstruction() == BlockInstruction::Mma || isWarpgroups) {
    if (!areTensorFactors(nest.reductions[0], a, b))
      return emitError() << "tensor cores multiply bf16 or f16 that is widened to f32, bytes that are widened to 32 "
                            "bits, f64, and f32 where the algorithm is tf32";
    elementBytes = elementStorageBytes(tensorFactor(nest.reductions[0], a)->type);
    if (plan.getKTile() * elementBytes < 32)
      return emitError() << "tiles of " << plan.getKTile() << " along k have fewer than the 32 bytes of a step";
  }
  for (ArrayRef<int64_t> dims : {plan.getMDims(), plan.getNDims(), plan.getKDims()}) {
    int64_t size = 1;
    for (int64_t dim : dims)
      size *= nest.sizes[dim];
    if (!llvm::isInt<31>(size))
      return emitError() << "dimensions that are walked as one have " << size << " iterations, more than 31 bits hold";
  }
  for (auto [name, tile] : {std::pair('m', plan.getMTile()), std::pair('n', plan.getNTile())})
    if (!isWarpgroups && tile * plan.getKTile() % plan.getThreads() != 0)
      return emitError() << plan.getThreads() << " threads cannot share the " << tile << "x" << plan.getKTile()
                         << " elements of a tile along " << name << " and k";
  if (plan.getKTile() * elementBytes < 16)
    return emitError() << "tiles of " << plan.getKTile() << " along k have fewer than 16 bytes";
  BlocksPlan blocks = BlocksPlan::fromAttr(plan, nest);
  if (blocks.split != static_cast<int64_t>(llvm::divideCeil(blocks.k.tiles(), blocks.splitTiles)))
    return emitError() << "k has " << blocks.k.tiles() << " tiles, which " << blocks.split
                       << " blocks cannot share so that each has some";
  for (const BlockPanel *panel : {&blocks.a, &blocks.b})
    if (panel->gathers && panel->inner * panel->outer < BlockPanel::kSquare * blocks.threads)
      return emitError() << blocks.threads << " threads cannot share the " << panel->outer << "x" << panel->inner
                         << " bytes of a tile so that each has " << BlockPanel::kSquare << " steps of k";
  if (blocks.split > 1 && !llvm::isInt<31>(blocks.resultElements()))
    return emitError() << "parts of " << blocks.resultElements() << " sums are more than 31 bits count";
  if (blocks.parts > kLongSum)
    return emitError() << "sums of " << blocks.k.size << " products have too many parts";
  if (!llvm::isInt<31>(blocks.grid))
    return emitError() << blocks.grid << " blocks are more than a launch has";
  int64_t mostShared = isWarpgroups ? GpuMachine::sharedBytes : GpuMachine::staticSharedBytes;
  if (blocks.registers() > blocks.mostRegisters())
    return emitError() << "a thread takes about " << blocks.registers() << " registers for " << blocks.rows << "x"
                       << blocks.columns << " results of its "
                       << (isWarpgroups                                  ? "warpgroup"
                           : blocks.instruction == BlockInstruction::Mma ? "warp"
                                                                         : "own")
                       << ", and has at most " << blocks.mostRegisters() << " in a block of "
                       << blocks.launchedThreads();
  if (blocks.sharedBytes > mostShared)
    return emitError() << "a block needs " << blocks.sharedBytes << " bytes of shared memory, and has at most "
                       << mostShared;
  if (isWarpgroups)
    return checkWarpgroups(nest, blocks, emitError);
  if (blocks.instruction == BlockInstruction::Mma) {
    if (blocks.rows / 16 % blocks.passes != 0)
      return emitError() << "results go through shared memory in " << blocks.passes
                         << " passes, which do not divide the " << blocks.rows << " rows of a warp";
    return success();
  }
  int64_t whole = std::min(blocks.rows, blocks.a.alongK ? int64_t(1) : blocks.a.piece());
  if (blocks.rows / whole % blocks.passes != 0)
    return emitError() << "results go through shared memory in " << blocks.passes << " passes, which do not divide the "
                       << blocks.rows << " rows of a thread";
  return success();
}
