// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-plan-blocks`: decides which sums of products are done by blocks of threads, and in which tiles.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/Passes.h"
#include "mlir_xla/lowering/gpu/StreamPlan.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PLANBLOCKS
#include "mlir_xla/lowering/gpu/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// What blocks of products ask of a multiprocessor. Times are in its clocks.
struct Device : GpuMachine {
  /// A tile of k from when it is asked for until it is multiplied; a block's beginning and end.
  static constexpr double tileLatency = 300, blockLatency = 1500;
  /// The same of a tile that comes from memory while all ask (docs/gpu-model.md).
  static constexpr double memoryLatency = 900e-9 * clock;
  /// Multiply-adds of tensor cores with factors of one byte, which have half as many of twice the size; f64; those of
  /// threads with 4 and with 8 bytes.
  static constexpr double bytes = 2600, doubles = 120, words = 128, longs = 32;
  /// Of words, fitted to an H100's times of 300 plans: what a multiply-add takes a thread of a block that is alone,
  /// which part of that is lost among others, and what adding up the parts of a split k takes beside memory.
  static constexpr double ofThread = 1.2, lost = 0.3, addingUp = 500;
  /// Those of warpgroups; a tile that the accelerator brings; bytes that a multiprocessor brings in a clock while all
  /// do. An H100 took 187 us for 4096 rows and columns of bf16 in tiles of 128x256, and 218 in tiles of 128x128. Blocks
  /// of a cluster bring what they share once, but wait for each other: in clusters of two and four it took 194 and 231.
  /// Where threads bring tiles themselves, it is less: 1024 rows and columns took them 13.9 us, and warpgroups 10.3.
  static constexpr double warpgroupBytes = 4096, broughtLatency = 250, broughtRate = 46, broughtByThreads = 22;
};

/// A tile with the registers of a thread, or of a warp, and roughly the part of peak speed that it reaches. With tensor
/// cores, k is in bytes.
struct TileShape {
  int64_t m, n, k, rows, columns, stages;
  double efficiency;
  bool isFitted = false;
};

class BlockPlanner {
public:
  /// `cold`: the kernel's arguments that are not in the L2 cache when it begins.
  BlockPlanner(const LoopNest &nest, const llvm::SmallBitVector &cold, MLIRContext *context)
      : nest(nest), cold(cold), context(context) {}
  std::optional<BlocksPlan> run();
  /// After that: how warpgroups of sm_90a do the same, if they take less time.
  std::optional<BlocksPlan> runForWarpgroups();

private:
  bool findDims();
  bool isWorthIt() const;
  bool areWindows() const;
  void makeInnermost(BlockDim &dim, function_ref<bool(int64_t)> isContiguous);
  bool useTensorCores() const;
  bool isCold(ExprNode *factor) const;
  void chooseTile();
  double timeOf(const TileShape &shape, int64_t split, double bringRate = Device::cacheRate) const;
  double timeOfWarpgroups(const BlocksPlan &plan) const;

  const LoopNest &nest;
  const llvm::SmallBitVector &cold;
  MLIRContext *context;
  BlocksPlan plan;
  ExprNode *a = nullptr, *b = nullptr;
  int64_t batches = 1;
  int64_t factorBytes = 0; // of an element in shared memory
  double rate = 0;         // multiply-adds in a clock
  double efficiency = 0;   // of the tile that is taken
  bool aIsCold = false, bIsCold = false;
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
  if ((plan.m.dims.empty() && plan.n.dims.empty()) || plan.k.dims.empty())
    return false;
  // Times what is the same in each step: a sum like any other.
  auto isOfSteps = [&](ExprNode *factor) {
    return llvm::any_of(plan.k.dims, [&](int64_t dim) { return factor->deps.test(dim); });
  };
  if (!isOfSteps(a) || !isOfSteps(b))
    return false;
  for (int64_t dim : plan.work)
    batches *= nest.sizes[dim];
  makeInnermost(plan.n, isAlong);
  makeInnermost(plan.m, [&](int64_t dim) { return readsAlong(a, dim); });
  makeInnermost(plan.k, [&](int64_t dim) { return readsAlong(a, dim) || readsAlong(b, dim); });
  return true;
}

/// Whether each step moves over memory as results do, by so little that they read the same again: windows, whose
/// channels are not summed up.
bool BlockPlanner::areWindows() const {
  constexpr int64_t most = 4; // a stride, or a dilation
  auto moveAlike = [&](int64_t x, int64_t y) {
    int64_t low = std::min(std::abs(x), std::abs(y)), high = std::max(std::abs(x), std::abs(y));
    return low != 0 && high % low == 0 && high / low <= most;
  };
  SmallVector<ExprNode *> nodes = nest.nodes();
  return llvm::all_of(plan.k.dims, [&](int64_t step) {
    return llvm::any_of(nodes, [&](ExprNode *node) {
      if (node->kind != ExprNode::Load || step >= static_cast<int64_t>(node->address.dims.size()))
        return false;
      return llvm::any_of(llvm::concat<const int64_t>(plan.m.dims, plan.n.dims),
                          [&](int64_t dim) { return moveAlike(node->address.dims[step], node->address.dims[dim]); });
    });
  });
}

/// A few rows or columns beside many read the other factor once, at the speed of memory. Where there are few of both,
/// or few steps, threads do better by themselves; as well where all is small, and a loop of that can be one launch.
bool BlockPlanner::isWorthIt() const {
  constexpr int64_t fewResults = 16, manyResults = 32, fewSteps = 8, manySteps = 32, fewOfBatch = 8, shortSums = 64,
                    fewProducts = 8192;
  int64_t few = std::min(plan.m.size, plan.n.size), many = std::max(plan.m.size, plan.n.size);
  if (few == 1 && areWindows())
    return false;
  if (few >= fewResults || (few > fewOfBatch && batches > 1))
    return plan.k.size >= fewSteps;
  bool isSmall = plan.k.size <= shortSums && few * many * plan.k.size * batches <= fewProducts;
  return many >= manyResults && plan.k.size >= manySteps && !isSmall;
}

bool BlockPlanner::useTensorCores() const {
  constexpr int64_t bytesOfStep = 32;
  const Reduction &sum = nest.reductions[0];
  return areTensorFactors(sum, a, b) && plan.k.size * elementStorageBytes(tensorFactor(sum, a)->type) >= bytesOfStep;
}

/// The value whose elements `value` is another view of.
static Value viewed(Value value) {
  while (Operation *op = value.getDefiningOp())
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ExtractSliceOp, rt::PartsOp>(op))
      value = op->getOperand(0);
    else
      break;
  return value;
}

/// Whether the factor is read from memory: from an argument of the kernel that is there, and not in the L2 cache.
bool BlockPlanner::isCold(ExprNode *factor) const {
  if (factor->kind == ExprNode::Load) {
    auto argument = dyn_cast_or_null<BlockArgument>(factor->value ? viewed(factor->value) : Value());
    return argument && argument.getArgNumber() < cold.size() && cold.test(argument.getArgNumber());
  }
  return llvm::any_of(factor->operands, [&](ExprNode *operand) { return isCold(operand); });
}

/// Clocks that a multiprocessor needs for its blocks: what they multiply and bring, or, if they are few, how long each
/// waits for its tiles. What a factor has that only one row of blocks reads, or one column, comes from memory, if it is
/// there.
double BlockPlanner::timeOf(const TileShape &shape, int64_t split, double bringRate) const {
  int64_t tiles = llvm::divideCeil(llvm::divideCeil(plan.k.size, shape.k), split);
  int64_t blocks = batches * split * llvm::divideCeil(plan.m.size, shape.m) * llvm::divideCeil(plan.n.size, shape.n);
  int64_t sums = shape.m * shape.n * elementStorageBytes(nest.reductions[0].inits[0]->type) / 4;
  bool isMma = plan.instruction == BlockInstruction::Mma;
  int64_t threads = shape.m / shape.rows * (shape.n / shape.columns) * (isMma ? BlocksAttr::kWarp : 1);
  // Threads bring the next tile in registers, and multiply pieces of 16 bytes.
  int64_t otherRegisters = 64;
  if (!isMma)
    otherRegisters += ((shape.m + shape.n) * shape.k / threads * factorBytes + 16 * (shape.rows + shape.columns)) / 4;
  int64_t resident = std::min({Device::blocks, Device::registers / (sums + otherRegisters * threads),
                               Device::sharedBytes / (shape.stages * (shape.m + shape.n) * shape.k * factorBytes)});
  int64_t ofOne = llvm::divideCeil(blocks, Device::multiprocessors);
  resident = std::clamp<int64_t>(ofOne, 1, std::max<int64_t>(1, resident));
  double multiply = static_cast<double>(shape.m * shape.n * shape.k) / (rate * shape.efficiency);
  bool aIsOfMemory = aIsCold && plan.n.size <= shape.n, bIsOfMemory = bIsCold && plan.m.size <= shape.m;
  double bring = 0, latency = Device::tileLatency;
  for (auto [lines, isOfMemory] :
       {std::pair(std::min(shape.m, plan.m.size), aIsOfMemory), std::pair(std::min(shape.n, plan.n.size), bIsOfMemory)})
    bring += static_cast<double>(lines * shape.k * factorBytes) / (isOfMemory ? Device::memoryRate : bringRate);
  // What memory gives is shared by all blocks alike, however many a multiprocessor has.
  if (aIsOfMemory || bIsOfMemory) {
    latency = Device::memoryLatency / static_cast<double>(shape.stages - 1);
    bring *= static_cast<double>(blocks) / static_cast<double>(ofOne * Device::multiprocessors);
  }
  // So many blocks at a time; few threads do not keep a multiprocessor busy.
  auto round = [&](int64_t count) {
    auto share = static_cast<double>(count);
    if (shape.isFitted) {
      double own = latency + Device::ofThread * static_cast<double>(shape.rows * shape.columns * shape.k);
      double tile = std::max({multiply * share + Device::lost * own, bring * share, own});
      return static_cast<double>(tiles) * tile + Device::blockLatency;
    }
    double turns =
        isMma ? share : std::max(share, static_cast<double>(Device::busyThreads) / static_cast<double>(threads));
    double tile = std::max({multiply * turns, bring * share, latency});
    return static_cast<double>(tiles) * tile + Device::blockLatency;
  };
  double time = round(resident) * static_cast<double>(ofOne / resident);
  if (int64_t rest = ofOne % resident)
    time += round(rest);
  if (split > 1) {
    double moved = 2.0 * static_cast<double>(split * batches * plan.m.size * plan.n.size * 4);
    time +=
        (shape.isFitted ? Device::addingUp : Device::launch) + moved / (Device::memoryRate * Device::multiprocessors);
  }
  return time;
}

/// What all multiprocessors take the least time for.
void BlockPlanner::chooseTile() {
  constexpr bool fitted = true;
  static constexpr TileShape words[] = {{128, 128, 16, 8, 8, 2, 0.75, fitted},
                                        {128, 64, 16, 8, 8, 2, 0.75, fitted},
                                        {64, 64, 16, 8, 8, 2, 0.75, fitted},
                                        {64, 64, 16, 4, 4, 2, 0.65, fitted},
                                        {32, 64, 16, 4, 4, 2, 0.65, fitted},
                                        {64, 32, 16, 4, 4, 2, 0.65, fitted},
                                        {32, 32, 16, 4, 4, 2, 0.4},
                                        {32, 32, 16, 8, 4, 2, 0.4},
                                        {16, 16, 16, 4, 2, 2, 0.25},
                                        {8, 128, 32, 2, 4, 2, 0.4},
                                        {128, 8, 32, 4, 2, 2, 0.4},
                                        {16, 128, 32, 4, 4, 2, 0.5},
                                        {128, 16, 32, 4, 4, 2, 0.5},
                                        {8, 32, 64, 1, 2, 2, 0.2}};
  static constexpr TileShape longs[] = {
      {64, 64, 16, 4, 4, 2, 1.0}, {32, 32, 16, 4, 4, 2, 0.7}, {8, 64, 16, 2, 2, 2, 0.5}, {64, 8, 16, 2, 2, 2, 0.5}};
  static constexpr TileShape tensors[] = {
      {128, 128, 64, 64, 32, 3, 1.0}, {128, 64, 64, 32, 32, 3, 0.8},  {64, 128, 64, 32, 32, 3, 0.8},
      {64, 64, 128, 32, 32, 3, 0.6},  {32, 32, 128, 16, 16, 3, 0.25}, {32, 32, 128, 32, 32, 2, 0.25},
      {16, 16, 128, 16, 16, 2, 0.15}, {16, 64, 128, 16, 16, 4, 0.2},  {64, 16, 128, 16, 16, 4, 0.2}};
  constexpr int64_t mostSplit = 128;
  aIsCold = isCold(a);
  bIsCold = isCold(b);
  const Reduction &sum = nest.reductions[0];
  Type type = sum.inits[0]->type;
  ArrayRef<TileShape> shapes = longs;
  factorBytes = elementStorageBytes(type);
  rate = Device::longs;
  bool isMma = useTensorCores();
  if (isMma) {
    plan.instruction = BlockInstruction::Mma;
    shapes = tensors;
    factorBytes = elementStorageBytes(tensorFactor(sum, a)->type);
    rate = type.isF64() ? Device::doubles : Device::bytes / static_cast<double>(factorBytes);
  } else if (factorBytes <= 4) {
    shapes = words;
    rate = Device::words;
  }
  double best = 0;
  for (TileShape shape : shapes) {
    // A row of each thread is for few of both; one factor alone is read faster by longer lines.
    if (shape.rows == 1 && plan.m.size < shape.m)
      continue;
    // The times of others than these were not measured.
    if (shape.isFitted && (2 * plan.m.size <= shape.m || 2 * plan.n.size <= shape.n))
      continue;
    int64_t threads = shape.m / shape.rows * (shape.n / shape.columns) * BlocksAttr::threadsTogether(plan.instruction);
    if (BlocksPlan::registersOf(plan.instruction, shape.rows, shape.columns, elementStorageBytes(type)) >
        Device::registersOfThread(threads))
      continue;
    if (isMma)
      shape.k /= factorBytes;
    int64_t tiles = llvm::divideCeil(plan.k.size, shape.k);
    // Where memory is far, more blocks ask at a time for fewer tiles each.
    bool isOfMemory = (aIsCold && plan.n.size <= shape.n) || (bIsCold && plan.m.size <= shape.m);
    int64_t fewestTiles = isOfMemory ? 2 : 4;
    for (int64_t parts = 1; parts <= mostSplit && (parts == 1 || tiles / parts >= fewestTiles); parts *= 2) {
      int64_t split = llvm::divideCeil(tiles, llvm::divideCeil(tiles, parts));
      double time = timeOf(shape, split);
      if (best != 0 && time >= best)
        continue;
      best = time;
      plan.m.tile = shape.m;
      plan.n.tile = shape.n;
      plan.k.tile = shape.k;
      plan.rows = shape.rows;
      plan.columns = shape.columns;
      plan.stages = shape.stages;
      plan.split = split;
      efficiency = shape.efficiency;
    }
  }
}

std::optional<BlocksPlan> BlockPlanner::run() {
  if (!findDims() || !isWorthIt())
    return std::nullopt;
  chooseTile();
  BlocksAttr attr = plan.toAttr(context, nest);
  if (!passes(context, [&](auto emitError) { return checkBlocks(nest, attr, emitError); }))
    return std::nullopt;
  return plan;
}

/// Clocks of a multiprocessor, which has one block at a time: what its tensor cores multiply, what they read of shared
/// memory and the accelerator writes there, and what that brings; then results go through shared memory to the caches.
double BlockPlanner::timeOfWarpgroups(const BlocksPlan &shape) const {
  auto groups = static_cast<double>(shape.threads / BlocksAttr::kWarpgroup);
  auto m = static_cast<double>(shape.m.tile), n = static_cast<double>(shape.n.tile);
  double multiply = m * n * static_cast<double>(BlocksPlan::kLine) / Device::warpgroupBytes;
  double fragments = static_cast<double>(shape.rows) / 64;
  double read = groups * (static_cast<double>(shape.rows) + fragments * static_cast<double>(shape.columns));
  double share = (read + m + n) * BlocksPlan::kLine / Device::sharedRate;
  double bring = (m + n) * BlocksPlan::kLine / Device::broughtRate;
  double tile = std::max({multiply, share, bring, Device::broughtLatency});
  double results = m * n * static_cast<double>(elementStorageBytes(shape.sumType)) *
                   (2 / Device::sharedRate + 1 / Device::cacheRate);
  double time = (static_cast<double>(shape.splitTiles) * tile + Device::blockLatency + results) *
                static_cast<double>(llvm::divideCeil(shape.grid, Device::multiprocessors));
  if (shape.split > 1)
    time +=
        Device::launch + 2.0 * static_cast<double>(shape.scratchBytes) / (Device::memoryRate * Device::multiprocessors);
  return time;
}

std::optional<BlocksPlan> BlockPlanner::runForWarpgroups() {
  struct Shape {
    int64_t m, n, rows, columns, stages;
  };
  static constexpr Shape shapes[] = {{128, 256, 64, 256, 4}, {256, 128, 128, 128, 4}, {128, 128, 64, 128, 6},
                                     {64, 256, 64, 128, 5},  {128, 64, 64, 64, 8},    {64, 128, 64, 128, 8},
                                     {64, 128, 64, 64, 8},   {64, 64, 64, 64, 8}};
  constexpr int64_t mostSplit = 64, fewestTiles = 4;
  if (plan.instruction != BlockInstruction::Mma)
    return std::nullopt;
  std::optional<BlocksPlan> best;
  TileShape others{plan.m.tile, plan.n.tile, plan.k.tile, plan.rows, plan.columns, plan.stages, efficiency};
  double chosenTime = timeOf(others, plan.split, Device::broughtByThreads);
  auto tryPlan = [&](const Shape &shape, int64_t parts) {
    BlocksPlan next = plan;
    next.instruction = BlockInstruction::Wgmma;
    next.m.tile = shape.m;
    next.n.tile = shape.n;
    next.k.tile = BlocksPlan::kLine / factorBytes;
    next.rows = shape.rows;
    next.columns = shape.columns;
    next.stages = shape.stages;
    int64_t tiles = next.k.tiles();
    if (parts > 1 && tiles / parts < fewestTiles)
      return;
    next.split = llvm::divideCeil(tiles, llvm::divideCeil(tiles, parts));
    BlocksAttr attr = next.toAttr(context, nest);
    if (!passes(context, [&](auto emitError) { return checkBlocks(nest, attr, emitError); }))
      return;
    next = BlocksPlan::fromAttr(attr, nest);
    double time = timeOfWarpgroups(next);
    if (time >= chosenTime)
      return;
    chosenTime = time;
    best = next;
  };
  for (const Shape &shape : shapes)
    for (int64_t parts = 1; parts <= mostSplit; parts *= 2)
      tryPlan(shape, parts);
  return best;
}

/// Most kernels need no second look.
static bool maySumProducts(KernelKind kind) {
  return kind == KernelKind::Contraction || kind == KernelKind::Convolution || kind == KernelKind::Reduction;
}

/// Attention of few rows, or of more.
static ArrayAttr planRows(KernelNests &nests, MLIRContext *context) {
  ArrayAttr plans = planStream(nests, context);
  return plans ? plans : planAttention(nests, context);
}

/// Of each kernel the arguments that are the program's own or constants, where those that any kernel reads are together
/// more than the L2 cache keeps from one execution to the next. What kernels have computed is there.
static DenseMap<StringAttr, llvm::SmallBitVector> coldArguments(ModuleOp module) {
  constexpr int64_t kept = 32 << 20;
  DenseMap<StringAttr, llvm::SmallBitVector> found;
  llvm::SmallSetVector<Value, 16> given;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (kernelOf(function) || function.isExternal())
      continue;
    Block *entry = &function.getBody().front();
    function.walk([&](func::CallOp call) {
      auto &cold =
          found.try_emplace(call.getCalleeAttr().getAttr(), llvm::SmallBitVector(call.getNumOperands())).first->second;
      for (auto [i, operand] : llvm::enumerate(call.getOperands())) {
        Value value = viewed(operand);
        auto argument = dyn_cast<BlockArgument>(value);
        if (i >= cold.size() || !isa<RankedTensorType>(value.getType()) ||
            !(argument ? argument.getOwner() == entry : isa<arith::ConstantOp>(value.getDefiningOp())))
          continue;
        cold.set(i);
        given.insert(value);
      }
    });
  }
  int64_t bytes = 0;
  for (Value value : given) {
    auto type = cast<RankedTensorType>(value.getType());
    bytes += type.hasStaticShape() ? type.getNumElements() * elementStorageBytes(type.getElementType()) : 0;
  }
  if (bytes <= kept)
    found.clear();
  return found;
}

namespace {
struct PlanBlocksPass : public mlir::xla::impl::PlanBlocksBase<PlanBlocksPass> {
  using PlanBlocksBase::PlanBlocksBase;
  void runOnOperation() override {
    DenseMap<StringAttr, llvm::SmallBitVector> cold = coldArguments(getOperation());
    const llvm::SmallBitVector none;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      KernelAttr kind = kernelOf(kernel);
      if (!kind || !(kind.getBlock() || maySumProducts(kind.getKind())) || kernel.isExternal() ||
          kernel->hasAttr(XlaRtDialect::kPlans) || wholeKernelIn(kernel))
        continue;
      FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/true);
      if (failed(nests))
        return signalPassFailure();
      if (nests->block)
        if (ArrayAttr plans = planRows(*nests, &getContext()))
          kernel->setAttr(XlaRtDialect::kPlans, plans);
      if (nests->nests.size() != 1)
        continue;
      const LoopNest &nest = nests->nests.front();
      auto ofKernel = cold.find(kernel.getSymNameAttr());
      BlockPlanner planner(nest, ofKernel == cold.end() ? none : ofKernel->second, &getContext());
      std::optional<BlocksPlan> plan = planner.run();
      if (!plan)
        continue;
      auto set = [&](StringRef name, const BlocksPlan &chosen) {
        kernel->setAttr(name, ArrayAttr::get(&getContext(), {chosen.toAttr(&getContext(), nest)}));
      };
      set(XlaRtDialect::kPlans, *plan);
      if (instructions == "mma")
        continue;
      if (std::optional<BlocksPlan> special = planner.runForWarpgroups())
        set(instructions == "wgmma" ? XlaRtDialect::kPlans : XlaRtDialect::kPlans90a, *special);
    }
  }
};
} // namespace
