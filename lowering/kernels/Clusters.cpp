// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy fusion. Producers join the cluster of a consumer if the union can be computed by one nest (all results over
// one iteration space), by a reduction with elementwise code before and after it, or by nests over common rows.

#include "mlir_xla/lowering/kernels/Clusters.h"

#include "mlir_xla/lowering/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::xla;

bool mlir::xla::isFree(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<ShapedType>(constant.getType()) || isa<SplatElementsAttr>(constant.getValue());
  if (isa<tensor::ExtractOp, complex::ConstantOp, linalg::FillOp, tensor::EmptyOp, tensor::ExtractSliceOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); });
}

SmallVector<Value> mlir::xla::valuesRead(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

namespace {

bool isCompute(Operation *op) { return isa<linalg::LinalgOp, tensor::InsertSliceOp>(op) && !isa<linalg::FillOp>(op); }

bool isReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0;
}

unsigned countExpensive(Operation *op) {
  unsigned count = 0;
  op->walk([&](Operation *inner) {
    count += isa<math::MathDialect>(inner->getDialect()) &&
             !isa<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp>(inner);
    count += isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(inner);
  });
  return count;
}

unsigned bodySize(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp ? linalgOp.getBlock()->getOperations().size() - 1 : 0;
}

ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }
int64_t elements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// How often `consumer`'s loops evaluate one element of `tensor`, which it reads directly or through free ops. Loops
/// that only follow (are nested in) the tensor's own loops reuse the value and do not count.
int64_t evaluations(Operation *consumer, Value tensor) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(consumer);
  if (!linalgOp)
    return 1;
  int64_t loops = elements(linalgOp.getStaticLoopRanges());
  int64_t size = std::max<int64_t>(1, elements(shapeOf(tensor)));
  if (loops <= size)
    return 1;
  for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
    if (operand->get() != tensor)
      continue;
    AffineMap map = linalgOp.getMatchingIndexingMap(operand);
    if (!isReduction(consumer)) {
      bool prefix = true;
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        prefix &= expr == getAffineDimExpr(i, map.getContext()) || isa<AffineConstantExpr>(expr);
      if (prefix)
        return 1;
    }
  }
  return loops / size;
}

class Former {
public:
  explicit Former(Block &block) : block(block) {}
  std::vector<Cluster> run();

private:
  struct Group {
    llvm::SetVector<Operation *> ops;
    KernelKind kind = KernelKind::Elementwise;
    SmallVector<int64_t> rows;
  };

  /// A computing op of this block that `value` is made from through free ops, with the consumer's view of it.
  struct Source {
    Operation *op;
    Value value; // the computed tensor
    bool direct; // no view in between
  };
  void sourcesOf(Value value, bool direct, SmallVectorImpl<Source> &sources);
  SmallVector<Source> sourcesOf(Operation *op);
  bool usedOutside(Value value, const llvm::SetVector<Operation *> &ops);
  bool needsTensor(Value value);
  bool classify(Group &group);
  bool readsRowsOnly(Operation *op, const llvm::SetVector<Operation *> &inMemory, ArrayRef<int64_t> rows);
  bool createsCycle(unsigned producer, unsigned consumer);
  bool mayInline(Operation *producer, const Source &source, Operation *consumer);
  bool groupMayInline(const Group &producer, const Group &consumer);

  Block &block;
  std::vector<Group> groups;
  DenseMap<Operation *, unsigned> groupOf;
  DenseMap<Operation *, unsigned> order;
};

} // namespace

void Former::sourcesOf(Value value, bool direct, SmallVectorImpl<Source> &sources) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return;
  if (isCompute(op)) {
    sources.push_back({op, value, direct});
    return;
  }
  if (isFree(op))
    for (Value operand : op->getOperands())
      sourcesOf(operand, false, sources);
}

SmallVector<Former::Source> Former::sourcesOf(Operation *op) {
  SmallVector<Source> sources;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  llvm::SetVector<Value> captures; // read at positions of their own
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), captures);
  for (Value value : valuesRead(op)) {
    // The destination of an elementwise op is not read.
    if (linalgOp && llvm::is_contained(linalgOp.getDpsInits(), value) &&
        llvm::none_of(linalgOp->getOpOperands(), [&](OpOperand &operand) {
          return operand.get() == value &&
                 (linalgOp.isDpsInput(&operand) || linalgOp.payloadUsesValueFromOperand(&operand));
        }))
      continue;
    sourcesOf(value, !captures.contains(value), sources);
  }
  return sources;
}

/// True if something outside `ops` needs `value` in memory, directly or through a free op that stays outside.
bool Former::usedOutside(Value value, const llvm::SetVector<Operation *> &ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    while (user->getBlock() != &block) {
      user = user->getParentOp();
      if (!user)
        return true;
    }
    if (ops.contains(user))
      return false;
    if (isFree(user) && !isa<tensor::EmptyOp>(user))
      return llvm::any_of(user->getResults(), [&](Value result) { return usedOutside(result, ops); });
    return true;
  });
}

/// Values that one nest of the row leaves for the next (`inMemory`) exist for the current row only: `op` must read them
/// with the rows as its own leading dimensions.
bool Former::readsRowsOnly(Operation *op, const llvm::SetVector<Operation *> &inMemory, ArrayRef<int64_t> rows) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  for (const Source &source : sourcesOf(op)) {
    if (!inMemory.contains(source.op))
      continue;
    if (!source.direct)
      return false;
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      if (operand->get() != source.value)
        continue;
      AffineMap map = linalgOp.getMatchingIndexingMap(operand);
      // Positions of the op's own result dimensions: the result map is the identity or keeps leading loops.
      for (size_t row = 0; row < rows.size(); ++row)
        if (row >= map.getNumResults() || map.getResult(row) != getAffineDimExpr(row, map.getContext()))
          return false;
    }
  }
  for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&init);
    for (size_t row = 0; row < rows.size(); ++row)
      if (row >= map.getNumResults() || map.getResult(row) != getAffineDimExpr(row, map.getContext()))
        return false;
  }
  return true;
}

bool Former::classify(Group &group) {
  SmallVector<Operation *> reductions;
  SmallVector<Value> outputs;
  for (Operation *op : group.ops) {
    if (isReduction(op))
      reductions.push_back(op);
    for (Value result : op->getResults())
      if (usedOutside(result, group.ops))
        outputs.push_back(result);
  }
  group.rows.clear();

  // An update writes a box in place; it is the only result, and nothing else in the cluster may read the destination.
  for (Operation *op : group.ops)
    if (auto update = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (outputs.size() > 1 || !reductions.empty() || op != group.ops.back() ||
          llvm::count_if(group.ops, [](Operation *other) { return isa<tensor::InsertSliceOp>(other); }) > 1)
        return false;
      for (Operation *other : group.ops)
        if (other != op && llvm::is_contained(valuesRead(other), update.getDest()))
          return false;
      SmallVector<Source> overwritten;
      sourcesOf(update.getDest(), /*direct=*/true, overwritten);
      if (llvm::any_of(overwritten, [&](const Source &source) { return group.ops.contains(source.op); }))
        return false;
      // A view of the destination could overlap the box.
      llvm::SetVector<Operation *> all(group.ops.begin(), group.ops.end());
      SmallVector<Value> pending;
      for (Operation *other : group.ops)
        for (Value value : valuesRead(other))
          if (!(other == op && value == update.getDest()))
            pending.push_back(value);
      while (!pending.empty()) {
        Value value = pending.pop_back_val();
        Operation *def = value.getDefiningOp();
        if (value == update.getDest() && !isa_and_present<tensor::EmptyOp>(def))
          return false;
        if (!def || def->getBlock() != &block || all.contains(def))
          continue;
        if (isFree(def) && !isa<tensor::EmptyOp>(def))
          llvm::append_range(pending, def->getOperands());
      }
      group.kind = KernelKind::Update;
      return true;
    }

  if (reductions.empty()) {
    for (Value output : outputs)
      if (shapeOf(output) != shapeOf(outputs[0]))
        return false;
    group.kind = KernelKind::Elementwise;
    return true;
  }

  auto downstream = [&](Operation *from) {
    llvm::SetVector<Operation *> reached;
    for (Operation *op : group.ops)
      for (const Source &source : sourcesOf(op))
        if (source.op == from || reached.contains(source.op))
          reached.insert(op);
    return reached;
  };

  // One reduction with elementwise code after it, over its parallel dimensions.
  if (reductions.size() == 1) {
    Operation *reduction = reductions[0];
    ArrayRef<int64_t> space = shapeOf(reduction->getResult(0));
    llvm::SetVector<Operation *> after = downstream(reduction);
    bool valid = true;
    for (Value output : outputs)
      valid &=
          shapeOf(output) == space && (output.getDefiningOp() == reduction || after.contains(output.getDefiningOp()));
    for (Operation *op : after) {
      auto linalgOp = cast<linalg::LinalgOp>(op);
      for (const Source &source : sourcesOf(op)) {
        if (source.op != reduction && !after.contains(source.op))
          continue;
        valid &= source.direct;
        for (OpOperand *operand : linalgOp.getDpsInputOperands())
          if (operand->get() == source.value)
            valid &= linalgOp.getMatchingIndexingMap(operand).isIdentity();
      }
    }
    if (valid) {
      auto linalgOp = cast<linalg::LinalgOp>(reduction);
      group.kind = linalg::isaContractionOpInterface(linalgOp)   ? KernelKind::Contraction
                   : linalg::isaConvolutionOpInterface(linalgOp) ? KernelKind::Convolution
                                                                 : KernelKind::Reduction;
      return true;
    }
  }

  // Several nests over common rows: every reduction yields one value per row.
  SmallVector<int64_t> rows(shapeOf(reductions[0]->getResult(0)));
  int64_t rowElements = 1;
  for (Operation *op : reductions) {
    if (shapeOf(op->getResult(0)) != ArrayRef<int64_t>(rows))
      return false;
    // Contractions have a better nest of their own.
    if (linalg::isaContractionOpInterface(cast<linalg::LinalgOp>(op)))
      return false;
    rowElements = std::max(rowElements, elements(cast<linalg::LinalgOp>(op).getStaticLoopRanges()) /
                                            std::max<int64_t>(1, elements(rows)));
  }
  for (Value output : outputs) {
    if (shapeOf(output).size() < rows.size() || shapeOf(output).take_front(rows.size()) != ArrayRef<int64_t>(rows))
      return false;
    rowElements = std::max(rowElements, elements(shapeOf(output)) / std::max<int64_t>(1, elements(rows)));
  }
  // A row is read several times and should stay in the second-level cache; few rows leave cores without work.
  Machine machine;
  if (rowElements > machine.l2Share() / 4 ||
      (elements(rows) < machine.fewItems / 4 && rowElements * elements(rows) > machine.elementsPerCore))
    return false;
  llvm::SetVector<Operation *> after;
  for (Operation *op : reductions) {
    llvm::SetVector<Operation *> reached = downstream(op);
    after.insert(reached.begin(), reached.end());
    after.insert(op);
  }
  llvm::SetVector<Operation *> inMemory = after;
  for (Value output : outputs)
    inMemory.insert(output.getDefiningOp());
  for (Operation *op : group.ops)
    if (countExpensive(op) && !op->hasOneUse())
      inMemory.insert(op);
  for (Operation *op : group.ops)
    if (!isa<linalg::LinalgOp>(op) || !readsRowsOnly(op, inMemory, rows))
      return false;
  group.rows = rows;
  group.kind = KernelKind::Rows;
  return true;
}

/// May `consumer` evaluate `producer` again wherever it reads it?
bool Former::mayInline(Operation *producer, const Source &source, Operation *consumer) {
  if (isReduction(producer) || isa<tensor::InsertSliceOp>(producer))
    return true; // never recomputed: classify decides
  int64_t times = evaluations(consumer, source.value);
  if (times <= 2)
    return true;
  if (isReduction(consumer))
    return bodySize(producer) == 0 && cast<linalg::LinalgOp>(producer).getNumDpsInputs() == 0;
  return countExpensive(producer) == 0 && bodySize(producer) <= 3;
}

bool Former::groupMayInline(const Group &producer, const Group &consumer) {
  for (Operation *op : consumer.ops)
    for (const Source &source : sourcesOf(op))
      if (producer.ops.contains(source.op) && !mayInline(source.op, source, op))
        return false;
  return true;
}

/// Merging is wrong if a path leaves the producer's group and comes back to the consumer's.
bool Former::createsCycle(unsigned producer, unsigned consumer) {
  // Groups so far apart that more lies between them are not worth the time to look through it.
  constexpr unsigned mostBetween = 1024;
  unsigned first = ~0u;
  for (Operation *op : groups[producer].ops)
    first = std::min(first, order[op]);
  auto isIn = [&](Operation *op, unsigned group) {
    auto it = groupOf.find(op);
    return it != groupOf.end() && it->second == group;
  };
  auto push = [&](Operation *op, SmallVectorImpl<Operation *> &pending) {
    for (Value value : valuesRead(op))
      if (Operation *def = value.getDefiningOp(); def && def->getBlock() == &block && order[def] >= first)
        pending.push_back(def);
  };
  // Everything the consumer needs besides the two groups themselves. What is free is part of the kernel.
  SmallVector<Operation *> pending, between;
  llvm::DenseSet<Operation *> seen;
  for (Operation *op : groups[consumer].ops)
    push(op, pending);
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
      llvm::append_range(between, groups[own->second].ops);
  }
  return false;
}

std::vector<Cluster> Former::run() {
  for (auto [i, op] : llvm::enumerate(block))
    order[&op] = i;
  for (Operation &op : block) {
    if (!isCompute(&op))
      continue;
    unsigned own = groups.size();
    groupOf[&op] = own;
    groups.emplace_back().ops.insert(&op);
    classify(groups[own]);
    // Nearest producers first.
    bool changed = true;
    llvm::DenseSet<unsigned> refused;
    while (changed) {
      changed = false;
      SmallVector<unsigned> candidates;
      for (Operation *member : groups[own].ops)
        for (const Source &source : sourcesOf(member)) {
          unsigned producer = groupOf[source.op];
          if (producer != own && !refused.contains(producer) && !llvm::is_contained(candidates, producer))
            candidates.push_back(producer);
        }
      llvm::sort(candidates, std::greater<>());
      for (unsigned producer : candidates) {
        Group merged;
        merged.ops = groups[producer].ops;
        merged.ops.insert(groups[own].ops.begin(), groups[own].ops.end());
        SmallVector<Operation *> sorted = llvm::to_vector(merged.ops);
        llvm::sort(sorted, [&](Operation *lhs, Operation *rhs) { return order[lhs] < order[rhs]; });
        merged.ops = llvm::SetVector<Operation *>(sorted.begin(), sorted.end());
        if (merged.ops.size() > 64 || !groupMayInline(groups[producer], groups[own]) || !classify(merged) ||
            createsCycle(producer, own)) {
          refused.insert(producer);
          continue;
        }
        for (Operation *member : groups[producer].ops)
          groupOf[member] = own;
        groups[producer].ops.clear();
        groups[own] = std::move(merged);
        changed = true;
        break;
      }
    }
  }

  std::vector<Cluster> clusters;
  for (Group &group : groups) {
    if (group.ops.empty())
      continue;
    Cluster cluster;
    cluster.ops = llvm::to_vector(group.ops);
    cluster.kind = group.kind;
    cluster.rows = group.rows;
    for (Operation *op : cluster.ops)
      for (Value result : op->getResults())
        if (usedOutside(result, group.ops))
          cluster.outputs.push_back(result);
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

std::vector<Cluster> mlir::xla::formClusters(Block &block) { return Former(block).run(); }
