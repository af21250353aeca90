// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy fusion. Producers join the cluster of a consumer if the union has nests (NestStructure decides that) and gains
// by it, which the functions here judge: what is computed again, what stays in the caches, what runs in parallel.

#include "mlir_xla/lowering/kernels/Clusters.h"

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Evaluations.h"
#include "mlir_xla/lowering/kernels/ProductSums.h"
#include "mlir_xla/lowering/kernels/Recompute.h"
#include "mlir_xla/lowering/kernels/RowBlocks.h"
#include "mlir_xla/lowering/kernels/Windows.h"
#include "mlir_xla/lowering/nest/Cost.h"
#include "mlir_xla/lowering/nest/NestStructure.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

/// Ops of a cluster: larger ones take long to compile. On a GPU those with elementary functions (not quotients and
/// roots) run out of registers earlier, unless a thread has few numbers at once; a CPU has the stack, nearer than
/// tensors that several kernels would hand on.
static constexpr size_t kMostOps = 512, kMostWithFunctions = 64;
static constexpr int64_t kFewNumbers = 32;

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static int64_t elements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

namespace {

class Former {
public:
  Former(Block &block, KernelOps &known, bool device, const Machine &machine)
      : block(block), known(known), device(device), machine(machine) {}
  FailureOr<std::vector<Cluster>> run();

private:
  struct Group {
    SmallVector<KernelOp *> ops; // in block order
    KernelKind kind = KernelKind::Elementwise;
    SmallVector<int64_t> rows;
    // The last position in the block among all that must be there before the group has run, its ops included, or some
    // position behind that: members of the groups on the way may stand behind its own.
    unsigned reach = 0;
  };

  SmallVector<Value> outputsOf(const Group &group);
  LogicalResult startGroup(Group &group);
  bool gainsFromNests(Group &group);
  bool isWorthIt(const NestStructure &nests, const Group &group, ArrayRef<Value> outputs);
  bool areRowsWorthIt(ArrayRef<int64_t> rows, ArrayRef<KernelOp *> ops, ArrayRef<Value> outputs);
  SmallVector<Value> needs(Operation *op) { return isComputing(op) ? known.get(op).values : valuesRead(op); }
  unsigned &reachOf(Operation *op);
  void reachFurther(ArrayRef<Operation *> ops, unsigned position);
  void join(unsigned number, Group group);
  bool createsCycle(unsigned producer, unsigned consumer);
  bool readsInPlace(const KernelOp &reader, const KernelOp::Read &read);
  WalkResult walkChain(const KernelOp::Read &read, llvm::function_ref<WalkResult(KernelOp &)> visit);
  bool isChainShort(const KernelOp &consumer, const KernelOp::Read &read);
  bool computesFunctionsOfShortRows(const KernelOp &consumer, const KernelOp::Read &read);
  bool computesFunctionsOfWindows(const KernelOp &consumer, const KernelOp::Read &read);
  bool mayRecomputeGroup(unsigned producer, unsigned consumer);
  SmallVector<unsigned> producersOf(unsigned consumer);
  Group merged(const Group &producer, const Group &consumer);
  bool isTooLarge(const Group &group) const;
  bool readsSeparated(unsigned producer, unsigned consumer);
  bool mayMerge(Group &group, unsigned producer, unsigned consumer);
  bool takePrivateOps(unsigned producer, unsigned consumer);
  void separateFunctions(unsigned number);
  bool joinsPlaces(const KernelOp &op);
  std::pair<Group, Group> cutBehind(KernelOp *op, const Group &group, bool most);
  int64_t resultsForRest(const Group &part, unsigned number);
  void separateNeighbours(unsigned number);

  Block &block;
  KernelOps &known;
  bool device;
  const Machine &machine;
  std::vector<Group> groups;
  DenseMap<Operation *, unsigned> groupOf;
  DenseMap<Operation *, unsigned> order;
  DenseMap<Operation *, unsigned> reach;     // likewise of ops that have no group
  llvm::SmallPtrSet<KernelOp *, 8> inMemory; // what groups were separated behind
  unsigned seen = 0;                         // position of the op that the block has been gone through to
};

} // namespace

/// What something outside the group needs in memory, directly or through a free op that stays outside.
SmallVector<Value> Former::outputsOf(const Group &group) {
  for (auto [i, op] : llvm::enumerate(group.ops))
    op->member = i;
  auto isInside = [&](const KernelOp *op) { return op->member < group.ops.size() && group.ops[op->member] == op; };
  SmallVector<Value> outputs;
  for (KernelOp *op : group.ops)
    for (auto [result, users] : llvm::zip_equal(op->op->getResults(), known.usersOf(*op)))
      if (users.byOthers || !llvm::all_of(users.readers, isInside))
        outputs.push_back(result);
  return outputs;
}

/// Do all results come from the one reduction or scan? Others gain nothing from its nest.
static bool needReduction(ArrayRef<KernelOp *> ops, ArrayRef<Value> outputs) {
  llvm::SmallPtrSet<Operation *, 16> after;
  for (KernelOp *op : ops)
    if (op->isReduction || op->isScan ||
        llvm::any_of(op->reads, [&](const KernelOp::Read &read) { return after.contains(read.source->op); }))
      after.insert(op->op);
  return llvm::all_of(outputs, [&](Value output) { return after.contains(output.getDefiningOp()); });
}

/// Does a reduction read elements of all its tensors several times, as contractions and windows do? Its nest shares
/// what it loads among neighbouring results, which a nest for one result cannot.
static bool readsAgain(const KernelOp &reduction) {
  int64_t largest = 1;
  for (Value value : reduction.values)
    if (isa<RankedTensorType>(value.getType()))
      largest = std::max(largest, elements(shapeOf(value)));
  return elements(reduction.sizes) >= 2 * largest;
}

/// Does a reduction for each row read a matrix across its rows? As a nest of its own it walks along them.
static bool readsColumns(const KernelOp &reduction) {
  auto op = dyn_cast<linalg::LinalgOp>(reduction.op);
  if (!op)
    return false;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto isReduced = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && iterators[dim.getPosition()] == utils::IteratorType::reduction;
  };
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.getNumResults() > 1 && isa<AffineDimExpr>(map.getResults().back()) &&
           !isReduced(map.getResults().back()) && llvm::any_of(map.getResults(), isReduced);
  });
}

/// Bits of the largest element, of those of numbers.
static unsigned widestElement(ValueRange values) {
  unsigned bits = 8;
  for (Value value : values)
    bits = std::max(bits, static_cast<unsigned>(8 * elementStorageBytes(getElementTypeOrSelf(value.getType()))));
  return bits;
}

/// About how long one core takes for all of `ops`, in lanes: what is expensive takes as long as many other operations.
static double nanosecondsOf(ArrayRef<KernelOp *> ops, const Machine &machine) {
  constexpr double perOperation = 0.4, perExpensive = 8;
  double result = 0;
  for (KernelOp *op : ops)
    for (Type type : op->op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        result += static_cast<double>(elements(op->sizes)) *
                  (perOperation * op->bodySize + (op->isExpensive() ? perExpensive : 0)) *
                  elementStorageBytes(tensor.getElementType()) * 8 / machine.vectorBits;
  return result;
}

/// Is a sequence of nests for each row better than kernels of one nest? What one nest leaves for the next should stay
/// in the cache, every op should walk the rows in the order of memory, and cores should have work.
bool Former::areRowsWorthIt(ArrayRef<int64_t> rows, ArrayRef<KernelOp *> ops, ArrayRef<Value> outputs) {
  int64_t numRows = elements(rows), divisor = std::max<int64_t>(1, numRows), rowElements = 1;
  bool reduces = false;
  for (KernelOp *op : ops) {
    if (op->leadingLoops < rows.size())
      return false;
    if (!op->isReduction)
      continue;
    reduces = true;
    // One value for each row.
    if (op->numParallel != rows.size() || readsAgain(*op) || readsColumns(*op))
      return false;
    rowElements = std::max(rowElements, elements(op->sizes) / divisor);
  }
  for (Value output : outputs)
    rowElements = std::max(rowElements, elements(shapeOf(output)) / divisor);
  // A row of f32, which several nests read, stays in the second-level cache. A few rows are parallel work; with fewer,
  // all of them should be work for one core.
  bool isSmall = rowElements * numRows <= machine.elementsPerCore &&
                 (device || nanosecondsOf(ops, machine) <= 2 * machine.nanosecondsToWake);
  // Lanes are along rows, so that short ones leave some of them empty. The sums of many rows are better in lanes, and
  // results that are rows themselves are so unless half of the lanes are empty.
  unsigned widest = widestElement(outputs);
  int64_t lanes = machine.lanes(std::max(widest, 32u)), mostElements = lanes * 3 / 4;
  bool areRows =
      llvm::all_of(outputs, [&](Value output) { return elements(shapeOf(output)) == rowElements * numRows; });
  if (areRows && widest >= 32)
    mostElements = lanes / 2;
  bool hasManyRows = numRows >= lanes && (rowElements <= lanes / 4 || rowElements * numRows > machine.elementsPerCore);
  if (!device && rowElements <= mostElements && hasManyRows)
    return false;
  return reduces && rowElements <= machine.l2Share() / 4 && (numRows >= machine.fewItems / 4 || isSmall);
}

/// Are what an update writes neighbours in memory, as the vectors of a reduction's results should be?
static bool writesRows(tensor::InsertSliceOp update) {
  ArrayRef<int64_t> sizes = update.getStaticSizes();
  return !sizes.empty() && update.getStaticStrides().back() == 1 &&
         (sizes.back() > 1 || update.getSourceType().getNumElements() == 1);
}

/// Has a reduction its steps in lanes, because what it reads lies in memory along them? Its results are scalars then.
static bool hasStepsInLanes(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto last = map.getNumResults() ? dyn_cast<AffineDimExpr>(map.getResults().back()) : AffineDimExpr(nullptr);
    return last && iterators[last.getPosition()] == utils::IteratorType::reduction;
  });
}

bool Former::isWorthIt(const NestStructure &nests, const Group &group, ArrayRef<Value> outputs) {
  auto update = dyn_cast<tensor::InsertSliceOp>(group.ops.back()->op);
  if (update && readsWhatItWrites(update, group.ops))
    return false;
  if (update && nests.kind != KernelKind::Update && (device || !writesRows(update)))
    return false;
  switch (nests.kind) {
  case KernelKind::Elementwise:
  case KernelKind::Update:
    return true;
  case KernelKind::Rows:
    return areRowsWorthIt(nests.rows, group.ops, outputs);
  default:
    return needReduction(group.ops, outputs);
  }
}

/// Decides about the nests of `group`: one for all of it, or a sequence for each element of its first reduction.
bool Former::gainsFromNests(Group &group) {
  SmallVector<Value> outputs = outputsOf(group);
  auto accept = [&](ArrayRef<int64_t> rows) {
    NestRefusal refusal;
    FailureOr<NestStructure> nests = analyzeNests(known, group.ops, outputs, rows, 0, refusal);
    if (failed(nests) || !isWorthIt(*nests, group, outputs))
      return false;
    group.kind = nests->kind;
    group.rows = nests->rows;
    return true;
  };
  auto isReduction = [](KernelOp *op) { return op->isReduction || op->isScan; };
  auto first = llvm::find_if(group.ops, isReduction);
  if (llvm::count_if(group.ops, isReduction) <= 1 && accept({}))
    return true;
  return first != group.ops.end() && accept((*first)->parallelSizes());
}

/// Is what `reader` reads padding, or another view of memory, that need not be in memory itself?
bool Former::readsInPlace(const KernelOp &reader, const KernelOp::Read &read) {
  if (!device)
    return readsPaddingInPlace(reader, read) || packsPadding(reader, read);
  return read.isDirect && llvm::any_of(reader.op->getOpOperands(), [&](OpOperand &use) {
           return use.get() == read.value &&
                  (readsPaddingOnDevice(use) || readsBackwardsOnDevice(use) || readsPartsOnDevice(use));
         });
}

/// Visits what is read with `read` and all that its group computes it of, each op once and before its sources, which a
/// `skip` leaves out.
WalkResult Former::walkChain(const KernelOp::Read &read, llvm::function_ref<WalkResult(KernelOp &)> visit) {
  unsigned group = groupOf[read.source->op];
  llvm::SetVector<KernelOp *> chain;
  chain.insert(read.source);
  for (unsigned i = 0; i < chain.size(); ++i) {
    KernelOp *op = chain[i];
    WalkResult result = visit(*op);
    if (result.wasInterrupted())
      return result;
    if (result.wasSkipped())
      continue;
    for (const KernelOp::Read &source : op->reads)
      if (groupOf[source.source->op] == group)
        chain.insert(source.source);
  }
  return WalkResult::advance();
}

/// With `read`, `consumer` evaluates all that its group computes it of, again wherever it reads it or once for the
/// loops around that. Is that little altogether? Random numbers for the channels of images, which are factors of their
/// pixels, took 50 times as long as the pixels.
bool Former::isChainShort(const KernelOp &consumer, const KernelOp::Read &read) {
  constexpr int64_t someOperations = 32, manyOperations = 128, operationsOfExpensive = 32, manyEvaluations = 1 << 18;
  constexpr int64_t fewResults = 256, manyTimes = 32;
  int64_t results = elements(shapeOf(read.value));
  if (device || !consumer.linalgOp || elements(consumer.sizes) <= manyTimes * results)
    return true;
  // Once for the loops around it is often enough: but for each part of their work, and as numbers, where a kernel of
  // few results has them in lanes.
  bool isOutside = evaluations(consumer, read) == 1;
  if (isOutside && results > fewResults)
    return true;
  int64_t most = std::max(isOutside ? manyOperations : someOperations, manyEvaluations / elements(consumer.sizes));
  int64_t operations = 0;
  bool isShort = true;
  walkChain(read, [&](KernelOp &op) {
    if (op.isReduction || !op.linalgOp) // never computed again; nor, outside, what follows from a row
      return isOutside ? WalkResult::interrupt() : WalkResult::skip();
    operations += op.bodySize + (op.isExpensive() ? operationsOfExpensive : 0);
    isShort = operations <= most;
    return isShort ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isShort;
}

/// Are elementary functions computed of numbers that a row each of `consumer` reads, which is no more than a vector?
/// One number takes as long as the row then, but all numbers, in lanes, take little: steps of a selective state space
/// (128 rows of 16, softplus for each) took four times as long.
bool Former::computesFunctionsOfShortRows(const KernelOp &consumer, const KernelOp::Read &read) {
  constexpr int64_t manyVectors = 4, someFunctions = 2;
  int64_t results = elements(shapeOf(read.value)), loops = elements(consumer.sizes);
  int64_t lanes = machine.lanes(std::max(32u, widestElement(read.value)));
  if (device || !consumer.linalgOp || !read.isPrefix || results < manyVectors * lanes || 2 * loops < lanes * results ||
      loops > lanes * results)
    return false;
  int64_t functions = 0;
  WalkResult walk = walkChain(read, [&](KernelOp &op) {
    if (op.isReduction || !op.linalgOp)
      return WalkResult::interrupt();
    functions += llvm::count_if(*op.linalgOp.getBlock(), [](Operation &inner) { return isFunction(&inner); });
    return WalkResult::advance();
  });
  return !walk.wasInterrupted() && functions >= someFunctions;
}

/// Are elementary functions computed of what windows of a reduction overlap in? Memory between the two is nearer: a
/// swish of images, padded and read by 3x3 windows with a stride of two, took twice as long in one kernel.
bool Former::computesFunctionsOfWindows(const KernelOp &consumer, const KernelOp::Read &read) {
  int64_t results = elements(shapeOf(read.value));
  // What is read once is so behind padding, too.
  if (device || !consumer.isReduction || !consumer.linalgOp || 2 * elements(consumer.sizes) < 3 * results ||
      results <= machine.elementsPerCore)
    return false;
  WalkResult walk = walkChain(read, [&](KernelOp &op) {
    if (op.isReduction || !op.linalgOp)
      return WalkResult::skip();
    bool isWide = 2 * elements(op.sizes) > results;
    return isWide && llvm::any_of(*op.linalgOp.getBlock(), [](Operation &inner) { return isFunction(&inner); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

bool Former::mayRecomputeGroup(unsigned producer, unsigned consumer) {
  auto isInProducer = [&](const KernelOp &op) { return groupOf.lookup(op.op) == producer; };
  for (KernelOp *op : groups[consumer].ops)
    for (const KernelOp::Read &read : op->reads)
      if (groupOf[read.source->op] == producer && !(device && isOfFewerBytes(known, *op, read, isInProducer)) &&
          (!mayRecompute(*op, read) || !isChainShort(*op, read) || computesFunctionsOfShortRows(*op, read) ||
           computesFunctionsOfWindows(*op, read)) &&
          (groups[producer].ops.size() != 1 || !readsInPlace(*op, read)))
        return false;
  return true;
}

/// How far `op` reaches, with all of its group.
unsigned &Former::reachOf(Operation *op) {
  auto own = groupOf.find(op);
  return own == groupOf.end() ? reach[op] : groups[own->second].reach;
}

/// What needs one of `ops` reaches as far as `position`, as they do now.
void Former::reachFurther(ArrayRef<Operation *> ops, unsigned position) {
  SmallVector<Operation *> pending;
  auto push = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      if ((user = block.findAncestorOpInBlock(*user)))
        pending.push_back(user);
  };
  for (Operation *op : ops)
    push(op);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (order[op] > seen) // will look for itself
      continue;
    unsigned &reached = reachOf(op);
    if (reached >= position)
      continue;
    reached = position;
    if (auto own = groupOf.find(op); own == groupOf.end())
      push(op);
    else
      for (KernelOp *member : groups[own->second].ops)
        push(member->op);
  }
}

/// Gives the group `number` the ops of `group`.
void Former::join(unsigned number, Group group) {
  // Rounded, so that what is read by many joins is not gone through for each of them.
  constexpr unsigned positions = 16;
  unsigned position = 0;
  for (KernelOp *op : group.ops)
    position = std::max(position, reachOf(op->op));
  position |= positions - 1;
  SmallVector<Operation *> further; // what needs the others reaches as far already
  for (KernelOp *op : group.ops)
    if (reachOf(op->op) < position)
      further.push_back(op->op);
  for (KernelOp *op : group.ops)
    groupOf[op->op] = number;
  groups[number] = std::move(group);
  groups[number].reach = position;
  reachFurther(further, position);
}

/// Merging is wrong if a path leaves the producer's group and comes back to the consumer's.
bool Former::createsCycle(unsigned producer, unsigned consumer) {
  // Groups so far apart that more lies between them are not worth the time to look through it.
  constexpr unsigned mostBetween = 1024;
  unsigned first = ~0u;
  for (KernelOp *op : groups[producer].ops)
    first = std::min(first, order[op->op]);
  auto isIn = [&](Operation *op, unsigned group) {
    auto it = groupOf.find(op);
    return it != groupOf.end() && it->second == group;
  };
  auto push = [&](Operation *op, SmallVectorImpl<Operation *> &pending) {
    for (Value value : needs(op))
      if (Operation *def = value.getDefiningOp(); def && def->getBlock() == &block && reachOf(def) >= first)
        pending.push_back(def);
  };
  // Everything the consumer needs besides the two groups themselves. What is free is part of the kernel.
  SmallVector<Operation *> pending, between;
  llvm::DenseSet<Operation *> seen;
  for (KernelOp *op : groups[consumer].ops)
    push(op->op, pending);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!seen.insert(op).second || isIn(op, producer))
      continue;
    if (seen.size() > mostBetween)
      return true;
    if (!isIn(op, consumer) && !isFree(op))
      between.push_back(op);
    push(op, pending);
  }
  // Does any of it need the producer? Where it needs an op, it needs the whole group.
  llvm::DenseSet<Operation *> reached;
  while (!between.empty()) {
    Operation *op = between.pop_back_val();
    if (!reached.insert(op).second)
      continue;
    if (isIn(op, producer))
      return true;
    if (reached.size() > mostBetween)
      return true;
    push(op, between);
    if (auto own = groupOf.find(op); own != groupOf.end())
      for (KernelOp *member : groups[own->second].ops)
        between.push_back(member->op);
  }
  return false;
}

/// The groups that `consumer` reads from, nearest first.
/// Contractions first, whose results would be large in memory otherwise, and before them copies of what others compute,
/// which would be on the way from those; then the last.
SmallVector<unsigned> Former::producersOf(unsigned consumer) {
  llvm::SmallSetVector<unsigned, 8> producers;
  for (const KernelOp *op : groups[consumer].ops)
    for (const KernelOp::Read &read : op->reads)
      if (unsigned producer = groupOf[read.source->op]; producer != consumer)
        producers.insert(producer);
  SmallVector<unsigned> sorted = producers.takeVector();
  llvm::sort(sorted, std::greater<>());
  auto toFront = [&](auto isFirst) { std::stable_partition(sorted.begin(), sorted.end(), isFirst); };
  toFront([&](unsigned i) { return groups[i].kind == KernelKind::Contraction; });
  toFront([&](unsigned i) { return groups[i].ops.size() == 1 && joinsReaders(known, *groups[i].ops.front(), device); });
  return sorted;
}

Former::Group Former::merged(const Group &producer, const Group &consumer) {
  Group group;
  group.ops.resize(producer.ops.size() + consumer.ops.size());
  std::merge(producer.ops.begin(), producer.ops.end(), consumer.ops.begin(), consumer.ops.end(), group.ops.begin(),
             [&](KernelOp *lhs, KernelOp *rhs) { return order[lhs->op] < order[rhs->op]; });
  return group;
}

bool Former::isTooLarge(const Group &group) const {
  auto find = [](Operation *inner) { return WalkResult(failure(isLongCode(inner))); };
  auto hasFunctions = [&](KernelOp *op) { return op->linalgOp && op->linalgOp->walk(find).wasInterrupted(); };
  bool isLong = device && group.ops.size() > kMostWithFunctions && llvm::any_of(group.ops, hasFunctions) &&
                numbersAtOnce(group.ops).value_or(INT64_MAX) > kFewNumbers;
  return group.ops.size() > kMostOps || isLong || evaluatesTooMuch(group.ops);
}

/// Does `consumer` read what `producer` has a kernel of its own for?
bool Former::readsSeparated(unsigned producer, unsigned consumer) {
  return !inMemory.empty() && llvm::any_of(groups[consumer].ops, [&](KernelOp *op) {
    return llvm::any_of(op->reads, [&](const KernelOp::Read &read) {
      return inMemory.contains(read.source) && groupOf.lookup(read.source->op) == producer;
    });
  });
}

bool Former::mayMerge(Group &group, unsigned producer, unsigned consumer) {
  return !readsSeparated(producer, consumer) && !isTooLarge(group) && mayRecomputeGroup(producer, consumer) &&
         gainsFromNests(group) && !createsCycle(producer, consumer);
}

/// Of a group that a reduction cannot join, because others read it too, it takes those ops that nobody else reads:
/// what they compute need not be in memory. That no path leads back is clear, as none led to the whole group.
bool Former::takePrivateOps(unsigned producer, unsigned consumer) {
  if (groups[producer].kind != KernelKind::Elementwise ||
      llvm::none_of(groups[consumer].ops, [](KernelOp *op) { return op->isReduction; }))
    return false;
  llvm::SmallPtrSet<KernelOp *, 8> taken;
  auto isTaken = [&](KernelOp *op) { return taken.contains(op) || groupOf[op->op] == consumer; };
  Group rest, own;
  for (KernelOp *op : llvm::reverse(groups[producer].ops)) {
    bool isPrivate = llvm::all_of(known.usersOf(*op), [&](const KernelOp::Users &users) {
      return !users.byOthers && llvm::all_of(users.readers, isTaken);
    });
    if (isPrivate)
      taken.insert(op);
  }
  for (KernelOp *op : groups[producer].ops)
    (taken.contains(op) ? own : rest).ops.push_back(op);
  auto bytes = [&](const Group &group) {
    int64_t sum = 0;
    for (Value output : outputsOf(group))
      sum += elements(shapeOf(output)) * elementStorageBytes(getElementTypeOrSelf(output));
    return sum;
  };
  if (own.ops.empty() || rest.ops.empty() || bytes(rest) >= bytes(groups[producer]))
    return false;
  Group all = merged(own, groups[consumer]);
  if (isTooLarge(all) || !mayRecomputeGroup(producer, consumer) || !gainsFromNests(all) || !gainsFromNests(rest))
    return false;
  rest.reach = groups[producer].reach;
  groups[producer] = std::move(rest);
  join(consumer, std::move(all));
  return true;
}

/// Elementary functions of the results of a reduction that has its steps in lanes would be computed for one result at a
/// time. In a kernel of their own they have lanes, with all else that is made of the results.
void Former::separateFunctions(unsigned number) {
  const Group &group = groups[number];
  // Of fewer results, or more steps for each, the functions hardly count.
  constexpr int64_t someResults = 64, manySteps = 1024;
  auto found = llvm::find_if(group.ops, [](KernelOp *op) { return op->isReduction; });
  if (found == group.ops.end() || !(*found)->linalgOp || !hasStepsInLanes((*found)->linalgOp))
    return;
  int64_t results = elements((*found)->parallelSizes()), functions = 0;
  llvm::SmallPtrSet<KernelOp *, 16> before = {*found};
  Group first, rest;
  for (KernelOp *op : llvm::reverse(group.ops)) {
    if (before.contains(op)) {
      for (const KernelOp::Read &read : op->reads)
        before.insert(read.source);
      first.ops.push_back(op);
      continue;
    }
    if (!op->linalgOp || op->isReduction || elements(op->sizes) != results)
      return;
    functions += llvm::count_if(*op->linalgOp.getBlock(), [](Operation &inner) { return isFunction(&inner); });
    rest.ops.push_back(op);
  }
  if (results < someResults || elements((*found)->sizes) > results * functions * manySteps)
    return;
  std::reverse(first.ops.begin(), first.ops.end());
  std::reverse(rest.ops.begin(), rest.ops.end());
  if (!gainsFromNests(first) || !gainsFromNests(rest))
    return;
  for (KernelOp *op : rest.ops)
    groupOf[op->op] = groups.size();
  groups[number] = std::move(first);
  groups.push_back(std::move(rest));
}

/// Does `op` read what its group computes at places of its own, as of slices or of a roll, or at two places that may be
/// different ones?
bool Former::joinsPlaces(const KernelOp &op) {
  int64_t inside = 0;
  return llvm::any_of(op.reads, [&](const KernelOp::Read &read) {
    bool isInside = groupOf.lookup(read.source->op) == groupOf.lookup(op.op);
    return isInside && (++inside > 1 || (!read.isDirect && !read.isWhole));
  });
}

/// The parts of `group` with what `op` computes in memory between them. With `most`, only what reads it comes behind
/// it, otherwise only what it is made of before.
std::pair<Former::Group, Former::Group> Former::cutBehind(KernelOp *op, const Group &group, bool most) {
  llvm::SmallPtrSet<KernelOp *, 16> reached = {op};
  auto isReached = [&](const KernelOp::Read &read) { return reached.contains(read.source); };
  if (most) {
    for (KernelOp *each : group.ops)
      if (llvm::any_of(each->reads, isReached))
        reached.insert(each);
    reached.erase(op);
  } else {
    for (KernelOp *each : llvm::reverse(group.ops))
      if (reached.contains(each))
        for (const KernelOp::Read &read : each->reads)
          reached.insert(read.source);
  }
  Group before, behind;
  for (KernelOp *each : group.ops)
    (reached.contains(each) != most ? before : behind).ops.push_back(each);
  before.reach = behind.reach = group.reach;
  return {std::move(before), std::move(behind)};
}

/// How many results of `part`, of the group `number`, would be in memory that need not be if the group is one: only the
/// rest of it reads them, or what comes later and may join it.
int64_t Former::resultsForRest(const Group &part, unsigned number) {
  for (auto [i, op] : llvm::enumerate(part.ops))
    op->member = i;
  auto isRest = [&](const KernelOp *reader) {
    if (reader->member < part.ops.size() && part.ops[reader->member] == reader)
      return false;
    auto own = groupOf.find(reader->op);
    return own == groupOf.end() || own->second == number;
  };
  int64_t count = 0;
  for (KernelOp *op : part.ops)
    for (const KernelOp::Users &users : known.usersOf(*op))
      count +=
          !users.byOthers && llvm::any_of(users.readers, isRest) && llvm::none_of(users.readers, [&](KernelOp *reader) {
            auto own = groupOf.find(reader->op);
            return own != groupOf.end() && own->second != number;
          });
  return count;
}

/// What is read at several places, as a step of a stencil is by the next one, is computed at each of them. If that is
/// more than to write it to memory and to read it there, a kernel of its own does so.
void Former::separateNeighbours(unsigned number) {
  constexpr double nanosecondsOfVector = 0.12;
  // Other cores have to be told of another kernel, and to be waited for.
  constexpr double nanosecondsOfCall = 50, nanosecondsOfParallelCall = 4000;
  const Group &group = groups[number];
  if (group.kind != KernelKind::Elementwise)
    return;
  llvm::SmallSetVector<KernelOp *, 8> candidates;
  for (KernelOp *op : group.ops)
    for (const KernelOp::Read &read : op->reads)
      // What only moves elements is not worth a kernel: what it reads may be.
      if (!read.isDirect && !read.isWhole && groupOf.lookup(read.source->op) == number && read.source->linalgOp &&
          read.source->linalgOp.getNumDpsInputs() > 0 && read.source->op->getNumResults() == 1)
        candidates.insert(read.source);
  std::optional<int64_t> together;
  if (candidates.empty() || !(together = instructionsOf(group.ops)))
    return;
  std::pair<Group, Group> best;
  KernelOp *cut = nullptr;
  double gained = 0;
  for (KernelOp *op : candidates)
    for (bool most : {false, true}) {
      std::pair<Group, Group> parts = cutBehind(op, group, most);
      if (parts.second.ops.empty())
        continue;
      std::optional<int64_t> before = instructionsOf(parts.first.ops), behind = instructionsOf(parts.second.ops);
      if (!before || !behind)
        continue;
      int64_t count = elements(op->sizes),
              bytes = count * elementStorageBytes(getElementTypeOrSelf(op->op->getResult(0))),
              ofMemory = bytes <= machine.l2Bytes          ? 8
                         : bytes <= machine.lastLevelBytes ? 16
                                                           : 64,
              spared = *together - *before - *behind - count * ofMemory * resultsForRest(parts.first, number),
              lanes = std::min<int64_t>(machine.lanes(widestElement(op->op->getResults())),
                                        op->sizes.empty() ? 1 : op->sizes.back());
      double nanoseconds = nanosecondsOfVector * static_cast<double>(spared) / static_cast<double>(lanes) -
                           (count > machine.elementsPerCore ? nanosecondsOfParallelCall : nanosecondsOfCall);
      if (nanoseconds > gained) {
        gained = nanoseconds;
        cut = op;
        best = std::move(parts);
      }
    }
  if (!cut || !gainsFromNests(best.first) || !gainsFromNests(best.second))
    return;
  for (KernelOp *op : best.first.ops)
    groupOf[op->op] = groups.size();
  groups[number] = std::move(best.second);
  groups.push_back(std::move(best.first));
  inMemory.insert(cut);
}

/// A group of one op has a kernel, or nothing has.
LogicalResult Former::startGroup(Group &group) {
  NestRefusal refusal;
  FailureOr<NestStructure> nests = analyzeNests(known, group.ops, outputsOf(group), {}, 0, refusal);
  if (failed(nests))
    return refusal.op->emitOpError() << "cannot be computed inside a kernel: " << refusal.why;
  group.kind = nests->kind;
  return success();
}

FailureOr<std::vector<Cluster>> Former::run() {
  for (auto [i, op] : llvm::enumerate(block))
    order[&op] = i;
  for (Operation &op : block) {
    seen = order[&op];
    unsigned last = seen;
    for (Value value : needs(&op))
      if (Operation *def = value.getDefiningOp(); def && def->getBlock() == &block)
        last = std::max(last, reachOf(def));
    if (!isComputing(&op)) {
      reach[&op] = last;
      continue;
    }
    unsigned own = groups.size();
    groupOf[&op] = own;
    groups.emplace_back().ops.push_back(&known.get(&op));
    groups[own].reach = last;
    if (failed(startGroup(groups[own])))
      return failure();
    if (joinsReaders(known, known.get(&op), device))
      continue;
    llvm::DenseSet<unsigned> refused;
    unsigned joined = 0;
    bool changed = true;
    while (changed) {
      changed = false;
      for (unsigned producer : producersOf(own)) {
        if (refused.contains(producer))
          continue;
        Group group = merged(groups[producer], groups[own]);
        if (!mayMerge(group, producer, own)) {
          refused.insert(producer);
          if (!takePrivateOps(producer, own))
            continue;
          changed = true;
          break;
        }
        groups[producer].ops.clear();
        join(own, std::move(group));
        ++joined;
        changed = true;
        break;
      }
    }
    if (!device && (joined > 1 || joinsPlaces(known.get(&op))))
      separateNeighbours(own);
  }

  if (!device)
    for (size_t i = 0, count = groups.size(); i < count; ++i)
      separateFunctions(i);
  std::vector<Cluster> clusters;
  for (Group &group : groups) {
    if (group.ops.empty())
      continue;
    Cluster &cluster = clusters.emplace_back();
    cluster.kind = group.kind;
    cluster.rows = group.rows;
    cluster.outputs = outputsOf(group);
    for (KernelOp *op : group.ops)
      cluster.ops.push_back(op->op);
  }
  if (device)
    recomputeMasks(block, clusters, known);
  fuseRowBlocks(clusters, known, device, machine);
  recomputeOutputs(block, clusters, known, inMemory, device);
  return clusters;
}

FailureOr<std::vector<Cluster>> mlir::xla::formClusters(Block &block, KernelOps &ops, bool device,
                                                        const Machine &machine) {
  FailureOr<std::vector<Cluster>> clusters = Former(block, ops, device, machine).run();
  if (succeeded(clusters) && !device) {
    fuseProductSums(*clusters, ops, machine);
    fuseWindows(*clusters, ops);
    blockRows(*clusters, ops, machine);
  }
  return clusters;
}
