// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel computes element by element of values that are in memory anyway need not be there too: each kernel that
// reads it computes it again. Memory is slower than arithmetic, and what the gradient of a layer reads of the layer
// itself would be kept for long.

#include "mlir_xla/lowering/kernels/Recompute.h"

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Evaluations.h"
#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/nest/NestStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::xla;

/// What may be computed again: so many operations, and expensive ones, or what caches hold, in so many
/// kernels.
static constexpr unsigned kMostOperations = 32, kMostExpensive = 3, kMostKernelsAgain = 2;
/// Of what caches hold, only so many, for which a kernel is not worth its call.
static constexpr unsigned kFewOperations = 4;
/// Rows for which a block of a device computes a factor itself, with so many operations for each element.
static constexpr int64_t kFewRows = 128;
static constexpr unsigned kOperationsOfFactor = 12;
/// Bytes that a device reads from its cache while it would launch a kernel.
static constexpr int64_t kBytesOfLaunch = 1 << 21;
/// Tensors of so many times fewer elements do not count.
static constexpr int64_t kSmaller = 16;

static int64_t elementsOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getNumElements() : 1;
}

int64_t mlir::xla::evaluations(const KernelOp &consumer, const KernelOp::Read &read) {
  if (!consumer.linalgOp)
    return 1;
  int64_t loops = std::accumulate(consumer.sizes.begin(), consumer.sizes.end(), int64_t(1), std::multiplies<>()),
          size = std::max<int64_t>(1, elementsOf(read.value));
  if (loops <= size || (!consumer.isReduction && read.isPrefix))
    return 1;
  return loops / size;
}

bool mlir::xla::mayRecompute(const KernelOp &consumer, const KernelOp::Read &read) {
  KernelOp &producer = *read.source;
  if (producer.isReduction || !producer.linalgOp) // a reduction, a scan, an update
    return true;                                  // never computed again
  if (producer.hasLoop)                           // nor is a loop
    return read.isWhole && read.isDirect;
  if (evaluations(consumer, read) <= 2)
    return true;
  if (consumer.isReduction)
    return producer.bodySize == 0 && producer.linalgOp.getNumDpsInputs() == 0;
  return !producer.isExpensive() && producer.bodySize <= 3;
}

/// Is `op` a tensor of copies of another one's elements?
static bool isOfCopies(KernelOp &op) {
  return op.linalgOp && !op.isReduction && !op.isScan && op.bodySize == 0 && op.linalgOp.getNumDpsInputs() == 1 &&
         op.op->getNumResults() == 1 &&
         elementsOf(op.op->getResult(0)) >= kSmaller * elementsOf(op.linalgOp.getDpsInputOperand(0)->get());
}

/// Is `op` computed of such tensors alone, in an operation or two, as a sum for each pair of numbers is?
static bool isOfPairs(KernelOps &known, KernelOp &op) {
  constexpr unsigned fewOperations = 2;
  return op.linalgOp && !op.isReduction && !op.isScan && !op.hasLoop && !op.isExpensive() &&
         op.bodySize <= fewOperations && op.linalgOp.getNumDpsInputs() > 1 && op.op->getNumResults() == 1 &&
         llvm::all_of(op.linalgOp.getDpsInputs(), [&](Value input) {
           Operation *producer = input.getDefiningOp();
           return producer && producer->getBlock() == op.op->getBlock() && isComputing(producer) &&
                  isOfCopies(known.get(producer));
         });
}

bool mlir::xla::joinsReaders(KernelOps &known, KernelOp &op, bool device) {
  if (!isOfCopies(op) && (device || !isOfPairs(known, op)))
    return false;
  const KernelOp::Users &users = known.usersOf(op).front();
  return !users.byOthers && !users.readers.empty();
}

static int64_t bytesOf(Value value) {
  return elementsOf(value) * elementStorageBytes(getElementTypeOrSelf(value.getType()));
}

bool mlir::xla::isOfFewerBytes(KernelOps &known, KernelOp &consumer, const KernelOp::Read &read,
                               llvm::function_ref<bool(const KernelOp &)> isJoined) {
  if (!consumer.isReduction || !consumer.linalgOp || evaluations(consumer, read) > kFewRows ||
      known.kindOf(consumer) != KernelKind::Contraction)
    return false;
  // Of batches, products may be those of attention, which is one kernel if its factors are in memory.
  SmallVector<AffineMap> maps = consumer.linalgOp.getIndexingMapsArray();
  for (unsigned loop = 0; loop < consumer.linalgOp.getNumLoops(); ++loop)
    if (llvm::all_of(maps, [&](AffineMap map) { return map.isFunctionOfDim(loop); }))
      return false;
  llvm::SetVector<KernelOp *> chain;
  llvm::SetVector<Value> values;
  chain.insert(read.source);
  unsigned operations = 0;
  for (unsigned i = 0; i < chain.size(); ++i) {
    KernelOp &op = *chain[i];
    operations += op.bodySize;
    if (op.isReduction || op.isScan || op.hasLoop || !op.linalgOp || op.isExpensive() ||
        operations > kOperationsOfFactor)
      return false;
    values.insert_range(op.values);
    for (const KernelOp::Read &each : op.reads)
      if (isJoined(*each.source))
        chain.insert(each.source);
  }
  int64_t bytes = 0;
  bool isOfBytes = false;
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (op && isFree(op)) {
      values.insert_range(op->getOperands());
    } else if (llvm::none_of(chain, [&](KernelOp *own) { return own->op == op; })) {
      bytes += bytesOf(values[i]);
      isOfBytes |= elementsOf(values[i]) == elementsOf(read.value) && bytesOf(values[i]) == elementsOf(values[i]);
    }
  }
  return isOfBytes && 3 * bytes <= 2 * bytesOf(read.value);
}

namespace {

/// How a value follows from others.
struct Derivation {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> large, small; // what is read, by size
  unsigned operations = 0, expensive = 0;
};

class Recomputer {
public:
  Recomputer(Block &block, std::vector<Cluster> &clusters, KernelOps &known,
             const llvm::SmallPtrSetImpl<KernelOp *> &kept, bool onlyMasks, bool device)
      : block(block), clusters(clusters), known(known), kept(kept), onlyMasks(onlyMasks), device(device) {
    for (auto [i, cluster] : llvm::enumerate(clusters))
      for (Operation *op : cluster.ops)
        clustersOf[op].push_back(i);
  }
  void run();

private:
  bool isIn(unsigned cluster, Operation *op) const {
    auto it = clustersOf.find(op);
    return it != clustersOf.end() && llvm::is_contained(it->second, cluster);
  }
  bool derive(Value value, unsigned producer, Value output, Derivation &derivation);
  std::optional<SmallVector<unsigned>> readersOf(Value output, unsigned producer);
  std::optional<Cluster> extended(unsigned reader, Value output, const Derivation &derivation, int64_t mostBytes);
  std::optional<Cluster> reduced(unsigned producer, Value output, const Derivation &derivation);
  bool reads(unsigned cluster, Value value);
  bool analyze(Cluster &cluster);
  void replace(unsigned number, Cluster &&cluster);
  bool tryOutput(unsigned producer, Value output);

  Block &block;
  std::vector<Cluster> &clusters;
  KernelOps &known;
  const llvm::SmallPtrSetImpl<KernelOp *> &kept; // results that are to be in memory
  bool onlyMasks;                                // what follows from nothing large
  bool device;
  DenseMap<Operation *, SmallVector<unsigned, 1>> clustersOf;
};

} // namespace

/// Adds what it takes to compute `value`, which `output` needs, from what is in memory without `output`. False if that
/// is not element by element.
bool Recomputer::derive(Value value, unsigned producer, Value output, Derivation &derivation) {
  Operation *op = value.getDefiningOp();
  auto isLeaf = [&] {
    (elementsOf(value) * kSmaller <= elementsOf(output) ? derivation.small : derivation.large).insert(value);
    return true;
  };
  if (!op || op->getBlock() != &block || (!isFree(op) && !isComputing(op)))
    return isLeaf();
  if (derivation.ops.contains(op))
    return true;
  if (isComputing(op)) {
    if (!isIn(producer, op) || (value != output && llvm::is_contained(clusters[producer].outputs, value)) ||
        (!onlyMasks && elementsOf(value) * kSmaller <= elementsOf(output)))
      return isLeaf();
    KernelOp &info = known.get(op);
    if (!info.linalgOp || info.isReduction || info.isScan || info.hasLoop || op->getNumResults() != 1 ||
        (onlyMasks ? elementsOf(value) > elementsOf(output) : elementsOf(value) != elementsOf(output)))
      return false;
    // What is computed in 16 bits counts as it does in 32.
    derivation.operations += info.bodySize - llvm::range_size(info.linalgOp.getBlock()->getOps<arith::ExtFOp>()) -
                             llvm::range_size(info.linalgOp.getBlock()->getOps<arith::TruncFOp>());
    op->walk([&](Operation *inner) { derivation.expensive += inner != op && isExpensive(inner); });
    if (derivation.operations > kMostOperations || derivation.expensive > kMostExpensive)
      return false;
    derivation.ops.insert(op);
  }
  return llvm::all_of(isComputing(op) ? known.get(op).values : SmallVector<Value>(op->getOperands()),
                      [&](Value operand) { return derive(operand, producer, output, derivation); });
}

/// Does `op` write a part of a concatenation, whose tensor nobody else knows?
static bool writesPart(Operation *op) {
  auto update = dyn_cast<tensor::InsertSliceOp>(op);
  while (update)
    if (Value dest = update.getDest(); !(update = dest.getDefiningOp<tensor::InsertSliceOp>()))
      return dest.getDefiningOp<tensor::EmptyOp>() != nullptr;
  return false;
}

/// The clusters that read `output` of `producer`; nothing if others do, or if one reads an element many times.
std::optional<SmallVector<unsigned>> Recomputer::readersOf(Value output, unsigned producer) {
  const KernelOp::Users &users =
      known.usersOf(known.get(output.getDefiningOp()))[cast<OpResult>(output).getResultNumber()];
  if (users.byOthers)
    return std::nullopt;
  llvm::SmallSetVector<unsigned, 4> readers;
  for (const KernelOp *user : users.readers)
    for (unsigned reader : clustersOf.lookup(user->op)) {
      if (reader == producer || isIn(reader, output.getDefiningOp()))
        continue;
      bool isPart = device && writesPart(user->op); // which is as large as what it writes
      int64_t loops = 1;
      for (int64_t size : user->sizes)
        loops *= size;
      if (!isPart && (!user->linalgOp || loops > 2 * elementsOf(output)))
        return std::nullopt;
      readers.insert(reader);
    }
  return readers.takeVector();
}

/// True if the cluster reads `value` in memory.
bool Recomputer::reads(unsigned cluster, Value value) {
  return llvm::any_of(clusters[cluster].ops, [&](Operation *op) {
    return llvm::is_contained(known.get(op).values, value) && !isIn(cluster, value.getDefiningOp());
  });
}

bool Recomputer::analyze(Cluster &cluster) {
  constexpr size_t mostOps = 64;
  if (cluster.ops.size() > mostOps)
    return false;
  llvm::sort(cluster.ops, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  SmallVector<KernelOp *> ops = llvm::map_to_vector(cluster.ops, [&](Operation *op) { return &known.get(op); });
  if (evaluatesTooMuch(ops))
    return false;
  NestRefusal refusal;
  FailureOr<NestStructure> nests = analyzeNests(known, ops, cluster.outputs, cluster.rows, 0, refusal);
  return succeeded(nests) && nests->kind == cluster.kind;
}

/// `reader` with what computes `output`, if that reads no more than so many bytes that the reader does not read anyway.
std::optional<Cluster> Recomputer::extended(unsigned reader, Value output, const Derivation &derivation,
                                            int64_t mostBytes) {
  Cluster cluster = clusters[reader];
  bool isPart = device && writesPart(cluster.ops.back());
  if (cluster.block || (isa<tensor::InsertSliceOp>(cluster.ops.back()) && !isPart) || cluster.kind == KernelKind::Scan)
    return std::nullopt;
  int64_t more = 0;
  for (Value value : derivation.large)
    more += reads(reader, value) ? 0 : bytesOf(value);
  if (more > mostBytes)
    return std::nullopt;
  for (Operation *op : derivation.ops)
    if (!isIn(reader, op))
      cluster.ops.push_back(op);
  if (!analyze(cluster))
    return std::nullopt;
  return cluster;
}

/// `producer` without `output`, and without what is computed for that only.
std::optional<Cluster> Recomputer::reduced(unsigned producer, Value output, const Derivation &derivation) {
  Cluster cluster = clusters[producer];
  if (cluster.block)
    return std::nullopt;
  llvm::erase(cluster.outputs, output);
  for (Value value : derivation.small)
    if (Operation *op = value.getDefiningOp();
        op && isIn(producer, op) && isComputing(op) && !llvm::is_contained(cluster.outputs, value))
      cluster.outputs.push_back(value);
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Operation *> pending;
  for (Value value : cluster.outputs)
    pending.push_back(value.getDefiningOp());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!isIn(producer, op) || !needed.insert(op).second)
      continue;
    for (const KernelOp::Read &read : known.get(op).reads)
      pending.push_back(read.source->op);
  }
  llvm::erase_if(cluster.ops, [&](Operation *op) { return !needed.contains(op); });
  // Rows of which only their sums are left are a reduction.
  auto isReduction = [&](Operation *op) { return known.get(op).isReduction; };
  if (cluster.kind == KernelKind::Rows && llvm::count_if(cluster.ops, isReduction) == 1 &&
      llvm::all_of(cluster.outputs, [&](Value left) { return isReduction(left.getDefiningOp()); })) {
    Cluster reduction = cluster;
    reduction.kind = KernelKind::Reduction;
    reduction.rows.clear();
    if (analyze(reduction))
      return reduction;
  }
  if (!cluster.ops.empty() && !analyze(cluster))
    return std::nullopt;
  return cluster;
}

void Recomputer::replace(unsigned number, Cluster &&cluster) {
  for (Operation *op : clusters[number].ops)
    llvm::erase(clustersOf[op], number);
  for (Operation *op : cluster.ops)
    clustersOf[op].push_back(number);
  clusters[number] = std::move(cluster);
}

/// Does it follow in few operations from much less, as from what depends on the row and what depends on the column?
static bool isOuter(Value output, const Derivation &derivation) {
  int64_t bytes = 0;
  for (Value value : llvm::concat<const Value>(derivation.large, derivation.small))
    bytes += bytesOf(value);
  return !derivation.expensive && derivation.operations <= kFewOperations && 2 * bytes <= bytesOf(output);
}

bool Recomputer::tryOutput(unsigned producer, Value output) {
  Derivation derivation;
  if (kept.contains(&known.get(output.getDefiningOp())) || !derive(output, producer, output, derivation))
    return false;
  bool isInCache = !onlyMasks && !device && bytesOf(output) < Machine().l2Share();
  std::optional<SmallVector<unsigned>> readers = readersOf(output, producer);
  // A launch takes longer than anything that caches hold.
  bool isMoved = device && !onlyMasks && readers && readers->size() == 1 && clusters[producer].outputs.size() == 1;
  if (onlyMasks ? !derivation.large.empty() || derivation.expensive
                : isInCache && !isMoved && !isOuter(output, derivation))
    return false;
  if (!readers || ((derivation.expensive || isInCache) && readers->size() > kMostKernelsAgain))
    return false;
  std::optional<Cluster> rest = reduced(producer, output, derivation);
  if (!rest || (isInCache && !rest->ops.empty()))
    return false;
  // One tensor is read instead of another. Where it has a single reader, a second one instead of being written.
  int64_t mostBytes = (readers->size() == 1 && !derivation.expensive ? 2 : 1) * bytesOf(output);
  if (isMoved)
    mostBytes = std::numeric_limits<int64_t>::max();
  else if (device && !onlyMasks && rest->ops.empty()) // which saves a launch
    mostBytes = std::max(mostBytes, kBytesOfLaunch / std::max<int64_t>(1, readers->size()));
  SmallVector<Cluster> changed;
  for (unsigned reader : *readers) {
    std::optional<Cluster> more = extended(reader, output, derivation, mostBytes);
    if (!more)
      return false;
    changed.push_back(std::move(*more));
  }
  for (auto [reader, cluster] : llvm::zip_equal(*readers, changed))
    replace(reader, std::move(cluster));
  replace(producer, std::move(*rest));
  return true;
}

void Recomputer::run() {
  // What a kernel computes again may be of a tensor that another one then reads anyway.
  constexpr unsigned mostRounds = 3;
  bool changed = true;
  for (unsigned round = 0; changed && round < mostRounds; ++round) {
    changed = false;
    for (unsigned i = 0; i < clusters.size(); ++i)
      for (Value output : SmallVector<Value>(clusters[i].outputs))
        changed |= tryOutput(i, output);
  }
  llvm::erase_if(clusters, [](const Cluster &cluster) { return cluster.ops.empty(); });
}

void mlir::xla::recomputeOutputs(Block &block, std::vector<Cluster> &clusters, KernelOps &known,
                                 const llvm::SmallPtrSetImpl<KernelOp *> &kept, bool device) {
  Recomputer(block, clusters, known, kept, /*onlyMasks=*/false, device).run();
}

void mlir::xla::recomputeMasks(Block &block, std::vector<Cluster> &clusters, KernelOps &known) {
  Recomputer(block, clusters, known, llvm::SmallPtrSet<KernelOp *, 1>(), /*onlyMasks=*/true, /*device=*/true).run();
}
