// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups the values that a kernel must compute into loop nests: reductions, results, and intermediates of a row that
// are too expensive to compute twice.

#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir_xla/lowering/nest/FoldOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// One value (or, for a reduction, one op) to compute.
struct Job {
  Operation *op;
  Value value;                // elementwise and update jobs
  linalg::LinalgOp reduction; // reduction jobs
  tensor::InsertSliceOp update;
  SmallVector<int64_t> sizes; // rows, parallel, reduced
  unsigned numParallel = 0;   // including rows
};

class NestBuilder {
public:
  NestBuilder(func::FuncOp kernel) : kernel(kernel), context(kernel.getContext()) {}
  FailureOr<KernelNests> run();

private:
  LogicalResult collectJobs();
  LogicalResult addJob(Job &job);
  bool canJoin(const Job &job);
  void finishNest();
  bool usedByLaterNest(const Job &job, Value result);
  bool isReturned(Value value) const { return llvm::is_contained(returned, value); }
  Buffer bufferOf(Value value);
  LogicalResult addReduction(Job &job, LoopNest &nest);
  LogicalResult addElementwise(Job &job, LoopNest &nest);

  func::FuncOp kernel;
  MLIRContext *context;
  SmallVector<Value> returned;
  KernelNests out;
  SmallVector<Job> jobs;
  unsigned numDims = 0;
  llvm::SetVector<Operation *> open; // ops whose values the current nest computes
  unsigned openParallel = 0;         // parallel dimensions of its last reduction
  SmallVector<std::function<void()>> onFinish;
  DenseMap<Value, Buffer> places;
};

} // namespace

static bool isReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0;
}

static bool isExpensive(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(), [](Operation &inner) {
    return (isa<math::MathDialect>(inner.getDialect()) &&
            !isa<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp>(inner)) ||
           isa<arith::DivFOp, arith::RemFOp>(inner);
  });
}

LogicalResult NestBuilder::collectJobs() {
  size_t numRows = out.rows.size();
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isReduction(&op)) {
      auto linalgOp = cast<linalg::LinalgOp>(op);
      Job job{&op, {}, linalgOp, {}, {}, 0};
      AffineMap map = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
      SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
      for (AffineExpr expr : map.getResults())
        job.sizes.push_back(ranges[cast<AffineDimExpr>(expr).getPosition()]);
      job.numParallel = job.sizes.size();
      for (auto [loop, kind] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
        if (kind == utils::IteratorType::reduction)
          job.sizes.push_back(ranges[loop]);
      jobs.push_back(std::move(job));
      continue;
    }
    for (Value result : op.getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type)
        continue;
      bool rowBuffer = false;
      if (!isReturned(result) && numRows && static_cast<size_t>(type.getRank()) > numRows)
        if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
          llvm::SmallPtrSet<Operation *, 4> users(result.getUsers().begin(), result.getUsers().end());
          rowBuffer = users.size() > 1 && isExpensive(linalgOp);
        }
      if (!isReturned(result) && !rowBuffer)
        continue;
      Job job{&op, result, {}, {}, {}, 0};
      if (auto update = dyn_cast<tensor::InsertSliceOp>(op)) {
        job.update = update;
        llvm::append_range(job.sizes, update.getSourceType().getShape());
      } else {
        llvm::append_range(job.sizes, type.getShape());
      }
      job.numParallel = job.sizes.size();
      jobs.push_back(std::move(job));
    }
  }
  for (const Job &job : jobs)
    numDims = std::max<unsigned>(numDims, job.sizes.size());
  return success();
}

/// True if `job` iterates over the same space as the open nest and needs no result that the nest only has at its end.
bool NestBuilder::canJoin(const Job &job) {
  if (out.nests.empty() || open.empty() || job.update)
    return false;
  LoopNest &nest = out.nests.back();
  size_t numRows = out.rows.size();
  // Elementwise code over the results of the open nest's reduction is its epilogue.
  if (!job.reduction && nest.reductions.size() == 1 && nest.stores.empty() && job.numParallel == openParallel) {
    bool same = true;
    for (unsigned dim = 0; dim < numDims; ++dim)
      same &= nest.reduced.test(dim) || nest.sizes[dim] == (dim < job.sizes.size() ? job.sizes[dim] : 1);
    if (same)
      return true;
  }
  for (unsigned dim = 0; dim < numDims; ++dim)
    if (nest.sizes[dim] != (dim < job.sizes.size() ? job.sizes[dim] : 1))
      return false;
  if (job.reduction) {
    // Joining a store to a reduction makes the store run in every reduction step: only over whole rows.
    if (job.numParallel != numRows || !nest.epilogue.empty() ||
        llvm::any_of(nest.reductions, [](const Reduction &reduction) { return !reduction.rowScalar; }))
      return false;
  } else if (!nest.reductions.empty()) {
    return false;
  }
  // A path to a reduction of the open nest forbids it.
  SmallVector<Operation *> pending{job.op};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    if (op != job.op && open.contains(op) && isReduction(op))
      return false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == &kernel.getBody().front())
          pending.push_back(def);
    });
  }
  return true;
}

/// True if some user of a reduction's result is neither its epilogue nor inlined into it.
bool NestBuilder::usedByLaterNest(const Job &job, Value result) {
  SmallVector<int64_t> space(job.sizes.begin(), job.sizes.begin() + job.numParallel);
  return llvm::any_of(jobs, [&](const Job &other) {
    if (other.op == job.op)
      return false;
    bool epilogue = !other.reduction && !other.update && other.sizes == space;
    if (epilogue)
      return false;
    llvm::SmallPtrSet<Operation *, 16> seen;
    SmallVector<Operation *> pending{other.op};
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      if (!seen.insert(op).second)
        continue;
      bool found = false;
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          found |= operand == result;
          if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == &kernel.getBody().front())
            pending.push_back(def);
        }
      });
      if (found)
        return true;
    }
    return false;
  });
}

/// A reduction whose running value may live in the memory of its (first) result.
static void offerPartial(KernelExprs &exprs, LoopNest &nest) {
  if (nest.reductions.size() != 1 || nest.reductions[0].inits.size() != 1)
    return;
  Reduction &reduction = nest.reductions[0];
  const Store *place = reduction.stores[0]     ? &*reduction.stores[0]
                       : nest.epilogue.empty() ? nullptr
                                               : &nest.epilogue.front();
  if (!place || place->elementType != reduction.inits[0]->type)
    return;
  reduction.partial = *place;
  reduction.partial->value = exprs.load(place->elementType, place->buffer, place->address);
}

void NestBuilder::finishNest() {
  if (!out.nests.empty())
    offerPartial(*out.exprs, out.nests.back());
  for (auto &action : onFinish)
    action();
  onFinish.clear();
  open.clear();
}

Buffer NestBuilder::bufferOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [i, result] : llvm::enumerate(returned))
    if (result == value)
      return {out.resultSlots[i], computeStrides(type.getShape())};
  // A buffer for the current row.
  Buffer buffer;
  buffer.slot = out.resultSlots.size() + out.scratchOffsets.size() +
                llvm::count_if(out.argumentSlots, [](int slot) { return slot >= 0; });
  buffer.strides = computeStrides(type.getShape());
  int64_t elements = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim < static_cast<int64_t>(out.rows.size()))
      buffer.strides[dim] = 0;
    else
      elements *= type.getDimSize(dim);
  }
  unsigned bits = isa<ComplexType>(type.getElementType())
                      ? 2 * cast<ComplexType>(type.getElementType()).getElementType().getIntOrFloatBitWidth()
                      : std::max(8u, type.getElementType().getIntOrFloatBitWidth());
  out.scratchOffsets.push_back(out.scratchBytes);
  out.scratchBytes += llvm::alignTo(elements * bits / 8, 64);
  return buffer;
}

LogicalResult NestBuilder::addJob(Job &job) {
  if (!canJoin(job)) {
    finishNest();
    out.exprs->startNest();
    LoopNest &nest = out.nests.emplace_back();
    nest.sizes.assign(numDims, 1);
    llvm::copy(job.sizes, nest.sizes.begin());
    nest.reduced.resize(numDims);
    nest.rows.resize(numDims);
    nest.rows.set(0, out.rows.size());
  }
  LoopNest &nest = out.nests.back();
  open.insert(job.op);
  LogicalResult result = job.reduction ? addReduction(job, nest) : addElementwise(job, nest);
  nest.loads.assign(out.exprs->loads);
  return result;
}

LogicalResult NestBuilder::addElementwise(Job &job, LoopNest &nest) {
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < job.sizes.size(); ++dim)
    dims.push_back(getAffineDimExpr(dim, context));
  auto type = cast<RankedTensorType>(job.value.getType());
  Store store;
  store.elementType = type.getElementType();
  store.buffer = bufferOf(job.value);
  SmallVector<AffineExpr> target = dims;
  if (tensor::InsertSliceOp update = job.update) {
    // The written box inside the destination, as the index of an extract_slice would be.
    target.clear();
    llvm::SmallBitVector dropped = update.getDroppedDims();
    unsigned next = 0;
    for (auto [i, offset, stride] : llvm::enumerate(update.getMixedOffsets(), update.getMixedStrides())) {
      AffineExpr start = out.exprs->offset(offset);
      if (!start)
        return failure();
      int64_t step = cast<IntegerAttr>(cast<Attribute>(stride)).getInt();
      target.push_back(dropped.test(i) ? start : start + dims[next++] * step);
    }
    store.value = out.exprs->element(update.getSource(), dims);
    for (auto [i, result] : llvm::enumerate(returned))
      if (result == job.value)
        out.tied[i] = cast<BlockArgument>(update.getDest()).getArgNumber();
  } else {
    store.value = out.exprs->element(job.value, dims);
  }
  if (!store.value)
    return failure();
  FailureOr<Address> address = out.exprs->linearize(target, store.buffer.strides, job.op->getLoc());
  if (failed(address))
    return failure();
  store.address = *address;
  if (!nest.reductions.empty()) {
    nest.epilogue.push_back(store);
  } else {
    nest.stores.push_back(store);
  }
  // Later nests read it from memory.
  Value value = job.value;
  Buffer buffer = store.buffer;
  onFinish.push_back([this, value, buffer] { (*out.memory)[value] = buffer; });
  // The same value returned twice is stored twice.
  for (auto [i, result] : llvm::enumerate(returned))
    if (result == job.value && out.resultSlots[i] != store.buffer.slot) {
      Store copy = store;
      copy.buffer.slot = out.resultSlots[i];
      (nest.reductions.empty() ? nest.stores : nest.epilogue).push_back(copy);
    }
  return success();
}

/// `acc op x` with `op` of a kind that vectors reduce natively.
static std::optional<vector::CombiningKind> combiningKind(ExprNode *next, ExprNode *accumulator) {
  if (next->kind != ExprNode::Apply || next->operands.size() != 2)
    return std::nullopt;
  ExprNode *other = next->operands[0] == accumulator   ? next->operands[1]
                    : next->operands[1] == accumulator ? next->operands[0]
                                                       : nullptr;
  if (!other)
    return std::nullopt;
  SmallVector<ExprNode *> pending{other};
  while (!pending.empty()) {
    ExprNode *node = pending.pop_back_val();
    if (node == accumulator)
      return std::nullopt;
    llvm::append_range(pending, node->operands);
  }
  using K = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<K>>(next->op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return K::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return K::MUL; })
      .Case<arith::MaximumFOp>([](auto) { return K::MAXIMUMF; })
      .Case<arith::MinimumFOp>([](auto) { return K::MINIMUMF; })
      .Case<arith::MaxSIOp>([](auto) { return K::MAXSI; })
      .Case<arith::MinSIOp>([](auto) { return K::MINSI; })
      .Case<arith::MaxUIOp>([](auto) { return K::MAXUI; })
      .Case<arith::MinUIOp>([](auto) { return K::MINUI; })
      .Case<arith::AndIOp>([](auto) { return K::AND; })
      .Case<arith::OrIOp>([](auto) { return K::OR; })
      .Case<arith::XOrIOp>([](auto) { return K::XOR; })
      .Default([](auto) { return std::nullopt; });
}

LogicalResult NestBuilder::addReduction(Job &job, LoopNest &nest) {
  linalg::LinalgOp op = job.reduction;
  KernelExprs &exprs = *out.exprs;
  // Loop number -> dimension of the nest.
  SmallVector<AffineExpr> loops(op.getNumLoops());
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<AffineExpr> parallel;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    parallel.push_back(getAffineDimExpr(position, context));
    loops[cast<AffineDimExpr>(expr).getPosition()] = parallel.back();
  }
  unsigned next = job.numParallel;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction) {
      nest.reduced.set(next);
      loops[loop] = getAffineDimExpr(next++, context);
    }

  Reduction reduction;
  reduction.op = op;
  llvm::SmallBitVector everything(numDims, true);
  SmallVector<Type> types;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    types.push_back(cast<RankedTensorType>(init.get().getType()).getElementType());
    reduction.inits.push_back(exprs.element(init.get(), parallel));
    if (!reduction.inits.back())
      return failure();
    reduction.accumulators.push_back(exprs.placeholder(types.back(), everything));
  }
  FailureOr<SmallVector<ExprNode *>> yielded = exprs.body(op, loops, reduction.accumulators);
  if (failed(yielded))
    return failure();
  reduction.next = *yielded;
  if (types.size() == 1 && !isa<ComplexType>(types[0]))
    reduction.kind = combiningKind(reduction.next[0], reduction.accumulators[0]);

  // A pure combiner (inputs typed as accumulators, no use of indices) folds partial results.
  bool pure = !reduction.kind && op.getNumDpsInputs() == static_cast<int64_t>(types.size()) && !op.hasIndexSemantics();
  for (auto [i, input] : llvm::enumerate(op.getDpsInputs()))
    pure = pure && isa<RankedTensorType>(input.getType()) && getElementTypeOrSelf(input.getType()) == types[i];
  if (pure) {
    llvm::SmallBitVector none = exprs.noDeps();
    for (Type type : types) {
      reduction.left.push_back(exprs.placeholder(type, none));
      reduction.right.push_back(exprs.placeholder(type, none));
    }
    for (OpOperand *input : op.getDpsInputOperands()) {
      SmallVector<AffineExpr> indices;
      for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
        indices.push_back(expr.replaceDims(loops));
      reduction.elements.push_back(exprs.element(input->get(), indices));
      if (!reduction.elements.back())
        return failure();
    }
    FailureOr<SmallVector<ExprNode *>> combined = exprs.body(op, loops, reduction.left, reduction.right);
    if (failed(combined))
      return failure();
    reduction.combined = *combined;
  }

  findFoldOrder(reduction, nest);

  bool rowScalar = job.numParallel == out.rows.size();
  for (OpResult result : op->getResults()) {
    unsigned i = result.getResultNumber();
    std::optional<Store> store;
    ExprNode *node = nullptr;
    // Users that are not the epilogue read it from memory.
    if (isReturned(result) || (!rowScalar && usedByLaterNest(job, result))) {
      store.emplace();
      store->elementType = types[i];
      store->buffer = bufferOf(result);
      FailureOr<Address> address = exprs.linearize(parallel, store->buffer.strides, op.getLoc());
      if (failed(address))
        return failure();
      store->address = *address;
      if (!rowScalar)
        onFinish.push_back([this, result, buffer = store->buffer] { (*out.memory)[result] = buffer; });
    }
    llvm::SmallBitVector parallelDeps = exprs.noDeps();
    parallelDeps.set(0, job.numParallel);
    node = exprs.placeholder(types[i], parallelDeps);
    exprs.bind(result, node);
    if (!rowScalar)
      onFinish.push_back([this, result] { out.exprs->unbind(result); });
    reduction.stores.push_back(store);
    reduction.results.push_back(node);
  }
  reduction.rowScalar = rowScalar;
  openParallel = job.numParallel;
  nest.reductions.push_back(std::move(reduction));
  return success();
}

FailureOr<KernelNests> NestBuilder::run() {
  out.memory = std::make_unique<DenseMap<Value, Buffer>>();
  if (KernelAttr contract = kernelOf(kernel))
    out.rows.assign(contract.getRows().begin(), contract.getRows().end());
  unsigned slot = 0;
  for (BlockArgument arg : kernel.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    out.argumentSlots.push_back(type ? static_cast<int>(slot) : -1);
    if (type)
      (*out.memory)[arg] = {slot++, computeStrides(type.getShape())};
  }
  returned = llvm::to_vector_of<Value>(kernel.getBody().front().getTerminator()->getOperands());
  for (size_t i = 0; i < returned.size(); ++i)
    out.resultSlots.push_back(slot++);
  out.tied.assign(returned.size(), -1);
  if (failed(collectJobs()))
    return failure();
  out.exprs = std::make_unique<KernelExprs>(context, numDims, *out.memory);
  for (Job &job : jobs)
    if (failed(addJob(job)))
      return failure();
  finishNest();
  return std::move(out);
}

FailureOr<KernelNests> mlir::xla::buildKernelNests(func::FuncOp kernel) { return NestBuilder(kernel).run(); }
