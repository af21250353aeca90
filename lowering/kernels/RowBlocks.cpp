// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds contraction -> rows -> contraction, and contraction -> numbers of rows, among clusters
// (docs/design/attention.md). What is in between need not be in memory as a whole if a block of rows goes through all
// of them before the next one does.

#include "mlir_xla/lowering/kernels/RowBlocks.h"

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Softmax.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/nest/NestStructure.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// Rows of a matrix below which its product is better off by itself.
static constexpr int64_t kMinRows = 24;
/// Steps of the register tile that a block has. What a contraction reads for all rows is read once for each block.
static constexpr int64_t kSteps = 8, kMostSteps = 12, kFewestSteps = 2; // as a rule, at most, and at least

namespace {
class Fuser {
public:
  Fuser(std::vector<Cluster> &clusters, KernelOps &known, bool device, const Machine &machine)
      : clusters(clusters), known(known), device(device), machine(machine) {
    for (auto [i, cluster] : llvm::enumerate(clusters))
      for (Operation *op : cluster.ops)
        clusterOf[op] = i;
  }
  void run();

private:
  std::optional<unsigned> onlyReader(const Cluster &cluster);
  bool isForByteTiles(Operation *op);
  bool streams(const KernelOp &product, ArrayRef<int64_t> rows, bool isFirst);
  bool isContraction(const Cluster &cluster, ArrayRef<int64_t> rows, bool isFirst);
  int64_t blockOf(const Cluster &rows, int64_t rowBytes);
  int64_t blockOfNumbers(const Cluster &rows, const Cluster &scores);
  int64_t blockOfTiles(const Cluster &rows);
  bool isSoftmax(const Cluster &rows, bool mayDrop);
  bool areRounded(ArrayRef<Operation *> ops);
  bool haveOwnKeys(const Cluster &scores, size_t rows);
  const KernelOp &contractionOf(const Cluster &cluster);
  int64_t blockOnDevice(const Cluster &rows, const Cluster &scores, const Cluster &values,
                        ArrayRef<Operation *> before);
  void fuse(unsigned rows);

  std::vector<Cluster> &clusters;
  KernelOps &known;
  bool device;
  const Machine &machine;
  DenseMap<Operation *, unsigned> clusterOf;
};
} // namespace

/// The only cluster that reads results of `cluster`.
std::optional<unsigned> Fuser::onlyReader(const Cluster &cluster) {
  std::optional<unsigned> reader;
  for (Value output : cluster.outputs) {
    KernelOp &op = known.get(output.getDefiningOp());
    const KernelOp::Users &users = known.usersOf(op)[cast<OpResult>(output).getResultNumber()];
    if (users.byOthers)
      return std::nullopt;
    for (const KernelOp *user : users.readers) {
      unsigned found = clusterOf.at(user->op);
      if (&clusters[found] == &cluster)
        continue;
      if (reader && *reader != found)
        return std::nullopt;
      reader = found;
    }
  }
  return reader;
}

/// Are bytes multiplied by instructions for them? Only tiles use those, and kernels of rows are nests, which multiply
/// as i32: two layers of 256x512 by 512x512 took 4.5 times as long, and 100 times as long as XLA's on an H200, whose
/// rows are few threads.
bool Fuser::isForByteTiles(Operation *op) {
  auto product = dyn_cast<linalg::GenericOp>(op);
  return product && isSumOfProducts(product) && isa<IntegerType>(getElementTypeOrSelf(product.getResult(0))) &&
         (device || isForInstructions(product, machine));
}

/// Is a factor of the first or the last product left to tiles, which read it less often?
bool Fuser::streams(const KernelOp &product, ArrayRef<int64_t> rows, bool isFirst) {
  auto size = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  };
  auto op = dyn_cast<linalg::GenericOp>(product.op);
  if (device || !op || !isSumOfProducts(op))
    return false;
  int64_t columns = size(product.parallelSizes()) / std::max<int64_t>(1, size(rows)),
          steps = size(ArrayRef(product.sizes).drop_front(product.numParallel));
  return streamsThroughBlocks(isFirst ? columns : steps, isFirst ? steps : columns,
                              getElementTypeOrSelf(op.getResult(0)), machine);
}

/// One reduction, to more than one value for each row.
bool Fuser::isContraction(const Cluster &cluster, ArrayRef<int64_t> rows, bool isFirst) {
  if (cluster.kind != KernelKind::Contraction && cluster.kind != KernelKind::Reduction)
    return false;
  unsigned reductions = 0;
  for (Operation *op : cluster.ops) {
    const KernelOp &info = known.get(op);
    if (!info.isReduction)
      continue;
    ++reductions;
    if (info.numParallel <= rows.size() || op->getNumResults() != 1 || isForByteTiles(op) ||
        streams(info, rows, isFirst))
      return false;
  }
  return reductions == 1;
}

/// As f32, as a rule, of the value that is the longest.
static int64_t bytesOfRow(const Cluster &rows) {
  int64_t longest = 1;
  for (Operation *op : rows.ops)
    for (Type type : op->getResultTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      int64_t elements = 1;
      for (int64_t size : tensor.getShape().drop_front(std::min<size_t>(tensor.getRank(), rows.rows.size())))
        elements *= size;
      longest = std::max(longest, elements);
    }
  return 4 * longest;
}

/// How many rows stay in the second-level cache between the nests; 0 if none do. Blocks are of equal size, and the last
/// one begins earlier, so sizes differ in how many rows are computed twice: 197 rows are 3 blocks of 66 rather than 5
/// of 48, and 512 are 8 of 64, in steps of 4.
int64_t Fuser::blockOf(const Cluster &rows, int64_t rowBytes) {
  int64_t numRows = rows.rows.back();
  // Steps of fewer rows read what they share more often, which should stay in the cache.
  int64_t vectors = machine.vectorsOfTile(), step = machine.accumulators() / vectors;
  int64_t panel = rowBytes * machine.panelColumns();
  bool mayBeFewer = !device && panel <= machine.l2Share();
  int64_t most = machine.l2Share() / rowBytes;
  most = std::min(kMostSteps * step, most - (mayBeFewer ? 0 : most % step));
  if (numRows < kMinRows)
    return 0;
  if (most < kFewestSteps * step) {
    // Still nearer than memory.
    most = kFewestSteps * step;
    if (most * rowBytes > machine.lastLevelBytes / 8)
      return 0;
  }
  int64_t others = 1;
  for (int64_t size : ArrayRef(rows.rows).drop_back())
    others *= size;
  // A block begins with reading what its contractions read for all rows, for as long as some rows take. Larger blocks
  // have more beside the diagonal of a mask, so they have to be worth it.
  constexpr double notable = 0.98;
  const double beginning = static_cast<double>(step) / (mayBeFewer ? 4 : 2);
  int64_t best = 0;
  double least = 0;
  auto consider = [&](int64_t block, double share) {
    int64_t tile = mayBeFewer ? Machine::rowsOfTile(block, step, vectors) : step;
    // Few blocks are for two or four cores alike.
    int64_t blocks = llvm::divideCeil(numRows, block), items = others * blocks;
    if (mayBeFewer && items < machine.fewItems)
      blocks = llvm::divideCeil(llvm::alignTo(items, 4), others);
    double time = static_cast<double>(blocks) * Machine::timeOfTiles(block, tile, vectors) *
                  (1 + beginning / static_cast<double>(block));
    if (block % tile != 0 || (best != 0 && time >= least * share))
      return;
    best = block;
    least = time;
  };
  for (int64_t block = std::min(most, kSteps * step); block > 0; --block)
    consider(block, 1);
  for (int64_t block = kSteps * step + 1; block <= most; ++block)
    if (others * static_cast<int64_t>(llvm::divideCeil(numRows, block)) >= machine.fewItems)
      consider(block, notable);
  return std::min(numRows, best);
}

/// The same where products are in tile registers, of 32 rows or 16: those that are computed twice, or in vain, cost
/// little beside what is computed of each score.
int64_t Fuser::blockOfTiles(const Cluster &rows) {
  constexpr int64_t tile = TilesAttr::kTileRows, step = 2 * tile, most = 4 * step, beginning = 3;
  constexpr double product = 0.2; // beside a row of scores
  int64_t numRows = rows.rows.back(), others = 1, best = 0;
  for (int64_t size : ArrayRef(rows.rows).drop_back())
    others *= size;
  double least = 0;
  for (int64_t block = std::min(most, std::min(numRows, machine.l2Share() / bytesOfRow(rows))); block >= tile;
       --block) {
    int64_t blocks = others * static_cast<int64_t>(llvm::divideCeil(numRows, block));
    if (blocks < machine.fewItems)
      blocks = llvm::alignTo(blocks, 4);
    double inTiles = static_cast<double>(llvm::alignTo(block, block < step ? tile : step));
    double time = static_cast<double>(blocks) * (static_cast<double>(block + beginning) + product * inTiles);
    if (best != 0 && time >= least)
      continue;
    best = block;
    least = time;
  }
  return best;
}

namespace {
/// What the numbers of a softmax are on their way: divided by their sum, then multiplied by one constant.
enum class Weight { Exponential, Quotient, Multiple };
} // namespace

/// Finds what `op` makes of `weights`: exponentials that are divided, a constant multiple of quotients, rounded or not,
/// or a choice between such and zero. False if it is anything else (Attention::match in gpu/AttentionPlan.cpp).
static bool followWeights(linalg::LinalgOp op, DenseMap<Value, Weight> &weights) {
  DenseMap<Value, Weight> inside;
  for (OpOperand &operand : op->getOpOperands())
    if (auto weight = weights.find(operand.get()); weight != weights.end())
      inside[op.getMatchingBlockArgument(&operand)] = weight->second;
  auto isConstant = [&](Value value, function_ref<bool(const APFloat &)> isRight) {
    if (auto widening = value.getDefiningOp<arith::ExtFOp>())
      value = widening.getIn();
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (argument.getOwner() == op.getBlock())
        value = op->getOperand(argument.getArgNumber());
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      value = fill.getInputs().front();
    APFloat constant(0.0);
    return matchPattern(value, m_ConstantFloat(&constant)) && isRight(constant);
  };
  auto isFactor = [&](Value value, bool isDivisor) {
    return isConstant(value, [&](const APFloat &constant) { return isFactorOfWeights(constant, isDivisor); });
  };
  auto isZero = [](const APFloat &value) { return value.isZero(); };
  auto kindOf = [&](Value value) -> std::optional<Weight> {
    auto found = inside.find(value);
    return found == inside.end() ? std::nullopt : std::optional(found->second);
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto kinds = llvm::map_to_vector<3>(inner.getOperands(), kindOf);
    unsigned count = llvm::count_if(kinds, [](auto kind) { return kind.has_value(); });
    if (count == 0)
      continue;
    std::optional<Weight> made;
    if (isa<arith::ExtFOp, arith::TruncFOp>(inner)) {
      made = kinds[0];
    } else if (isa<arith::DivFOp, arith::MulFOp>(inner) && count == 1) {
      unsigned side = kinds[0] ? 0 : 1;
      bool divides = isa<arith::DivFOp>(inner);
      Value other = inner.getOperand(1 - side);
      if (divides && side == 0 && kinds[0] == Weight::Exponential)
        made = isConstant(other, [](const APFloat &) { return true; }) ? std::nullopt : std::optional(Weight::Quotient);
      else if ((!divides || side == 0) && kinds[side] == Weight::Quotient && isFactor(other, divides))
        made = Weight::Multiple;
    } else if (isa<arith::SelectOp>(inner) && !kinds[0]) {
      for (unsigned side : {1, 2})
        if (kinds[side] == Weight::Exponential || (!kinds[side] && !isConstant(inner.getOperand(side), isZero)))
          return false;
      made = std::max(kinds[1], kinds[2]);
    }
    if (!made)
      return false;
    inside[inner.getResult(0)] = *made;
  }
  for (auto [value, result] : llvm::zip_equal(op.getBlock()->getTerminator()->getOperands(), op->getResults())) {
    std::optional<Weight> kind = kindOf(value);
    if (!kind)
      return false;
    weights[result] = *kind;
  }
  return true;
}

/// A maximum of each row, then a sum of exponentials, both of f32, and what is divided by that: nothing else, unless
/// `mayDrop` weights, of which multiples, or zeros, remain then.
bool Fuser::isSoftmax(const Cluster &rows, bool mayDrop) {
  SmallVector<Operation *> combiners;
  DenseMap<Value, Weight> weights;
  for (Operation *op : rows.ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return false;
    Block &body = *linalgOp.getBlock();
    if (llvm::any_of(body, llvm::IsaPred<math::ExpOp>))
      for (Value result : op->getResults())
        weights[result] = Weight::Exponential;
    if (combiners.size() == 2) {
      auto isWeight = [&](Value value) { return weights.contains(value); };
      bool isPlain = llvm::all_of(body, llvm::IsaPred<arith::DivFOp, arith::TruncFOp, arith::ExtFOp, linalg::YieldOp>);
      bool isOfWeights = llvm::any_of(op->getOperands(), isWeight);
      if (mayDrop ? isOfWeights && !followWeights(linalgOp, weights) : !isPlain)
        return false;
    }
    if (known.get(op).isReduction)
      combiners.push_back(op->getNumResults() == 1 && getElementTypeOrSelf(op->getResult(0)).isF32()
                              ? body.getTerminator()->getOperand(0).getDefiningOp()
                              : nullptr);
  }
  return !weights.empty() && combiners.size() == 2 && isa_and_nonnull<arith::MaximumFOp>(combiners[0]) &&
         isa_and_nonnull<arith::AddFOp>(combiners[1]);
}

/// Whether what is computed of scores is rounded to fewer bits before their exponentials are added up, as where a
/// program computes a softmax in bf16. Threads that have one in registers keep f32; scores themselves may be rounded.
/// `ops` are in order: scores, maximum, sum.
bool Fuser::areRounded(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<KernelOp *, 16> ofScores;
  unsigned reductions = 0;
  for (Operation *op : ops) {
    KernelOp &info = known.get(op);
    reductions += info.isReduction;
    if (reductions == 3)
      return false;
    auto isOfScores = [&](const KernelOp::Read &read) { return ofScores.contains(read.source); };
    if (!info.isReduction && !llvm::any_of(info.reads, isOfScores))
      continue;
    ofScores.insert(&info);
    if (reductions < 2)
      continue;
    for (Type type : op->getResultTypes())
      if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type)); element && element.getWidth() < 32)
        return true;
  }
  return false;
}

/// Whether both factors of the scores depend on the last row dimension: each row has keys of its own.
bool Fuser::haveOwnKeys(const Cluster &scores, size_t rows) {
  for (Operation *op : scores.ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!known.get(op).isReduction || !linalgOp)
      continue;
    AffineExpr row = linalgOp.getIndexingMapsArray().back().getResult(rows - 1);
    return llvm::all_of(linalgOp.getDpsInputOperands(), [&](OpOperand *operand) {
      return llvm::is_contained(linalgOp.getMatchingIndexingMap(operand).getResults(), row);
    });
  }
  return false;
}

/// The one reduction of a cluster that isContraction.
const KernelOp &Fuser::contractionOf(const Cluster &cluster) {
  return known.get(*llvm::find_if(cluster.ops, [&](Operation *op) { return known.get(op).isReduction; }));
}

/// Whether there is a plan of blocks for so many rows (all of them, or 1 if each has keys of its own), steps of a score
/// and columns, or one of streamed keys: roughly what the smallest of them has in shared memory, or in the registers of
/// a thread (gpu/AttentionPlan.cpp, gpu/StreamPlan.cpp; test_attention_blocks.py sees that what is fused has a plan).
static bool hasPlan(int64_t rows, bool areOwn, int64_t steps, int64_t columns) {
  constexpr int64_t mostOfStream = 16, registers = 168, neighbours = 2, group = GpuMachine::warp;
  if (areOwn || rows <= mostOfStream) {
    int64_t ofThread = areOwn ? 1 : std::max<int64_t>(1, static_cast<int64_t>(llvm::PowerOf2Ceil(rows)) / 4);
    int64_t elements = 0;
    for (int64_t size : {steps, columns})
      elements += llvm::divideCeil(size, neighbours * group) * neighbours;
    if ((ofThread + 1) * elements + ofThread <= registers)
      return true;
  }
  constexpr int64_t tile = 16, padding = 8, bytes = 4;
  int64_t padded = llvm::PowerOf2Ceil(columns);
  int64_t elements = 2 * tile * (steps + padding) + tile * padded + tile * (tile + padding);
  return !areOwn && elements * bytes <= GpuMachine::staticSharedBytes;
}

/// Whether both factors of a product have 16 bits, which tensor cores multiply.
static bool has16Bits(const KernelOp &product) {
  return llvm::all_of(product.op->getOperands().drop_back(), [](Value factor) {
    Type type = getElementTypeOrSelf(factor);
    return type.isBF16() || type.isF16();
  });
}

/// Whether what tensor cores have tiles of, at least (gpu/AttentionPlan.cpp), fits: queries, and two stages of keys and
/// values. Threads, which have smaller ones, take longer than three kernels with tensor cores.
static bool fitsTensorCores(int64_t steps, int64_t columns) {
  constexpr int64_t rows = 16, keys = 32, stages = 2, bytes = 2;
  auto padded = [](int64_t size) { return static_cast<int64_t>(llvm::PowerOf2Ceil(size)); };
  int64_t elements = rows * padded(steps) + stages * keys * (padded(steps) + padded(columns));
  return elements * bytes <= GpuMachine::staticSharedBytes;
}

/// A GPU has the keys in the registers of many threads, and rows with the same ones in each of them. Rows other than a
/// softmax's, and what no block has the memory for, would be nests of few threads, where each product by itself has
/// those of the whole GPU.
int64_t Fuser::blockOnDevice(const Cluster &rows, const Cluster &scores, const Cluster &values,
                             ArrayRef<Operation *> before) {
  bool isPlain = isSoftmax(rows, /*mayDrop=*/false);
  if ((!isPlain && !isSoftmax(rows, /*mayDrop=*/true)) || areRounded(before))
    return 0;
  bool areOwn = haveOwnKeys(scores, rows.rows.size());
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  };
  const KernelOp &first = contractionOf(scores), &last = contractionOf(values);
  // Tensor cores have products of f64, and rows of it have no tiles.
  for (const KernelOp *each : {&first, &last})
    if (!getElementTypeOrSelf(each->op->getResult(0)).isF32())
      return 0;
  int64_t steps = product(ArrayRef(first.sizes).drop_front(first.numParallel));
  int64_t columns = product(last.parallelSizes()) / std::max<int64_t>(1, product(rows.rows));
  int64_t numRows = rows.rows.back();
  if (!hasPlan(numRows, areOwn, steps, columns))
    return 0;
  constexpr int64_t mostOfStream = 16;
  if (!isPlain && (areOwn || numRows <= mostOfStream)) // quotients alone are weights of streamed keys
    return 0;
  if (areOwn)
    return 1;
  if (numRows > mostOfStream && has16Bits(first) && has16Bits(last) && !fitsTensorCores(steps, columns))
    return 0;
  // Tiles of rows are planned later. What has none has threads for each block, and no two of these write the same rows.
  int64_t block = numRows < kMinRows ? numRows : blockOf(rows, bytesOfRow(rows));
  while (block != 0 && numRows % block != 0)
    block = block < kMinRows / 2 ? numRows : block - 1;
  return block;
}

/// Whether both factors of a product are of bf16, which tile registers multiply.
static bool areOfBrains(const KernelOp &product) {
  return llvm::all_of(product.op->getOperands().drop_back(),
                      [](Value factor) { return getElementTypeOrSelf(factor).isBF16(); });
}

/// Is nothing left of each row but numbers, such as its least element and where that is?
static bool leavesNumbers(const Cluster &rows) {
  return !rows.rows.empty() && llvm::all_of(rows.outputs, [&](Value output) {
    return cast<RankedTensorType>(output.getType()).getRank() == static_cast<int64_t>(rows.rows.size());
  });
}

/// Rows of scores of which numbers are left: so many that cores have several blocks each, as nobody has other work for
/// them. Products of narrow numbers are left to tiles, if these have instructions for them, and short rows whose places
/// are looked for, too, to kernels that fold several at a time.
int64_t Fuser::blockOfNumbers(const Cluster &rows, const Cluster &scores) {
  const KernelOp &product = contractionOf(scores);
  if (has16Bits(product) && (machine.hasVdpbf16ps || machine.hasTdpbf16ps || machine.hasTdpfp16ps))
    return 0;
  auto sizeOf = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  };
  int64_t numRows = sizeOf(rows.rows), columns = sizeOf(product.parallelSizes()) / std::max<int64_t>(1, numRows);
  constexpr int64_t fewVectors = 64;
  int64_t steps = sizeOf(ArrayRef(product.sizes).drop_front(product.numParallel));
  if (columns * steps * elementStorageBytes(getElementTypeOrSelf(product.op->getResult(0))) > machine.l2Bytes)
    return 0; // which blocks would read from farther away, and tiles read less often
  if (columns <= fewVectors * machine.lanes(32) &&
      llvm::any_of(rows.ops, [&](Operation *op) { return known.get(op).isReduction && op->getNumResults() > 1; }))
    return 0;
  int64_t block = blockOf(rows, std::max<int64_t>(bytesOfRow(rows), 4 * columns));
  int64_t step = machine.accumulators() / machine.vectorsOfTile(), fewBlocks = machine.fewItems / 4;
  while (block > kFewestSteps * step && numRows / block < fewBlocks)
    block -= step;
  return numRows / std::max<int64_t>(1, block) < fewBlocks ? 0 : block;
}

void Fuser::fuse(unsigned rows) {
  Cluster cluster = clusters[rows];
  bool isOneReduction = cluster.kind == KernelKind::Reduction;
  if (isOneReduction)
    cluster.rows.assign(contractionOf(cluster).parallelSizes());
  std::optional<unsigned> last = isOneReduction ? std::nullopt : onlyReader(clusters[rows]);
  if (last && !isContraction(clusters[*last], cluster.rows, /*isFirst=*/false))
    last.reset();
  if (!last && (device || !leavesNumbers(cluster)))
    return;
  // The contraction before it, and what is between the two.
  llvm::SetVector<unsigned> chain;
  if (last)
    chain.insert(*last);
  chain.insert(rows);
  bool hasFirst = false;
  unsigned first = 0;
  for (size_t i = last ? 1 : 0; i < chain.size() && !hasFirst; ++i)
    for (Operation *op : clusters[chain[i]].ops)
      for (const KernelOp::Read &read : known.get(op).reads) {
        unsigned source = clusterOf.at(read.source->op);
        if (hasFirst || chain.contains(source) || clusters[source].block != 0)
          continue;
        std::optional<unsigned> reader = onlyReader(clusters[source]);
        if (!reader || !chain.contains(*reader))
          continue;
        if (isContraction(clusters[source], cluster.rows, /*isFirst=*/true))
          hasFirst = chain.insert(first = source);
        else if (clusters[source].kind == KernelKind::Elementwise)
          chain.insert(source);
      }
  if (!hasFirst)
    return;
  auto opsOf = [&](ArrayRef<unsigned> parts) {
    SmallVector<Operation *> ops;
    for (unsigned part : parts)
      llvm::append_range(ops, clusters[part].ops);
    llvm::sort(ops, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
    return ops;
  };
  ArrayRef<unsigned> parts = chain.getArrayRef(); // the last contraction is the first of them
  unsigned end = last.value_or(rows);
  int64_t block = !last    ? blockOfNumbers(cluster, clusters[first])
                  : device ? blockOnDevice(cluster, clusters[first], clusters[end], opsOf(parts.drop_front()))
                           : blockOf(cluster, bytesOfRow(cluster));
  if (block != 0 && last && !device && machine.hasTdpbf16ps && areOfBrains(contractionOf(clusters[first])) &&
      areOfBrains(contractionOf(clusters[end])))
    if (int64_t ofTiles = blockOfTiles(cluster))
      block = ofTiles;
  if (block == 0)
    return;

  Cluster whole;
  whole.kind = KernelKind::Rows;
  whole.rows = cluster.rows;
  whole.block = block;
  whole.outputs = clusters[end].outputs;
  whole.ops = opsOf(parts);
  SmallVector<KernelOp *> ops;
  for (Operation *op : whole.ops)
    ops.push_back(&known.get(op));
  NestRefusal refusal;
  if (failed(analyzeNests(known, ops, whole.outputs, whole.rows, block, refusal)))
    return;
  for (unsigned part : chain)
    clusters[part].ops.clear();
  for (Operation *op : whole.ops)
    clusterOf[op] = end;
  clusters[end] = std::move(whole);
}

/// Do rows wait for what is computed of them, longer than other rows that the processor looks ahead to take? Functions
/// are long chains of instructions; narrow numbers are widened and rounded at every step; and where one reduction waits
/// for another, short rows do.
static bool rowsWait(const Cluster &rows, KernelOps &known, const Machine &machine) {
  constexpr int64_t fewVectors = 8;
  bool isShort = bytesOfRow(rows) * 8 <= fewVectors * machine.vectorBits, isChain = false;
  llvm::SmallPtrSet<Operation *, 16> reduced; // what depends on a reduction
  for (Operation *op : rows.ops) {
    const KernelOp &info = known.get(op);
    bool isWide = info.sizes.size() > rows.rows.size();
    auto isNarrow = [](Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32; };
    WalkResult waits = op->walk([&](Operation *inner) {
      bool isLong = inner != op && (isFunction(inner) || llvm::any_of(inner->getOperandTypes(), isNarrow));
      return isWide && isLong ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (waits.wasInterrupted())
      return true;
    bool depends = llvm::any_of(info.reads, [&](const KernelOp::Read &read) {
      return read.source->isReduction || reduced.contains(read.source->op);
    });
    if (depends)
      reduced.insert(op);
    isChain |= depends && info.isReduction;
  }
  return isShort && isChain;
}

/// How many rows each nest walks before the next one does, so that rows do not wait for each other, and what is
/// computed once for a row is for many; 0 if each is better off by itself. They stay in the first-level cache. Blocks
/// that divide the rows do none twice, and may so be in the memory of what they read.
static int64_t blockOfPhases(const Cluster &rows, KernelOps &known, const Machine &machine) {
  constexpr int64_t most = 16, fewest = 4; // at most a vector of what there is once for a row
  constexpr int64_t fewAgain = 16;         // one of so many rows may be done twice
  int64_t numRows = rows.rows.back(), items = 1;
  for (int64_t size : rows.rows)
    items *= size;
  int64_t inCache = machine.l1Bytes / 2 / bytesOfRow(rows), block = std::min({most, numRows, inCache});
  if (items * bytesOfRow(rows) / 4 > machine.elementsPerCore) // work for all cores
    block = std::min(block, items * fewest / machine.fewItems);
  if (block < fewest || !rowsWait(rows, known, machine))
    return 0;
  int64_t best = block;
  for (int64_t other = block; other >= std::max(fewest, block / 2); --other)
    if (llvm::alignTo(numRows, other) < llvm::alignTo(numRows, best))
      best = other;
  return static_cast<int64_t>(llvm::alignTo(numRows, best) - numRows) * fewAgain <= numRows ? best : 0;
}

void mlir::xla::blockRows(std::vector<Cluster> &clusters, KernelOps &known, const Machine &machine) {
  for (Cluster &cluster : clusters) {
    if (cluster.kind != KernelKind::Rows || cluster.block != 0 || cluster.rows.empty())
      continue;
    int64_t block = blockOfPhases(cluster, known, machine);
    SmallVector<KernelOp *> ops;
    for (Operation *op : cluster.ops)
      ops.push_back(&known.get(op));
    NestRefusal refusal;
    if (block != 0 && succeeded(analyzeNests(known, ops, cluster.outputs, cluster.rows, block, refusal)))
      cluster.block = block;
  }
}

void Fuser::run() {
  auto mayBeRows = [&](const Cluster &cluster) {
    return cluster.kind == KernelKind::Rows ? !cluster.rows.empty() && cluster.block == 0
                                            : cluster.kind == KernelKind::Reduction;
  };
  for (unsigned i = 0; i < clusters.size(); ++i)
    if (!clusters[i].ops.empty() && mayBeRows(clusters[i]))
      fuse(i);
  llvm::erase_if(clusters, [](const Cluster &cluster) { return cluster.ops.empty(); });
}

void mlir::xla::fuseRowBlocks(std::vector<Cluster> &clusters, KernelOps &known, bool device, const Machine &machine) {
  Fuser(clusters, known, device, machine).run();
}
