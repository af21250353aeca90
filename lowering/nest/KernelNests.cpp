// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the nests of a kernel as NestStructure has them.

#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/FoldOrder.h"
#include "mlir_xla/lowering/nest/NestStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

class NestBuilder {
public:
  NestBuilder(func::FuncOp kernel, const NestStructure &structure)
      : kernel(kernel), context(kernel.getContext()), structure(structure),
        numDims(structure.numDims + (structure.block != 0)) {}
  KernelNests run();

private:
  LoopNest &openNest(const NestJob &job);
  void finishNest();
  Buffer bufferOf(const NestJob &job, Value value);
  SmallVector<AffineExpr> dims(const NestJob &job);
  unsigned dimOf(unsigned loop) const { return loop + (structure.block != 0 && loop >= structure.rows.size()); }
  void shareScratch();
  void addReduction(const NestJob &job, LoopNest &nest);
  void combineRounded(Reduction &reduction);
  void findCombiner(Reduction &reduction, ArrayRef<AffineExpr> loops);
  void addScan(const NestJob &job, LoopNest &nest);
  void addElementwise(const NestJob &job, LoopNest &nest);
  void findColumns();
  void addUpdate(const NestJob &job, LoopNest &nest);
  void addStore(Value value, Store store, std::vector<Store> &stores);

  func::FuncOp kernel;
  MLIRContext *context;
  const NestStructure &structure;
  unsigned numDims;             // of every nest
  SmallVector<int64_t> columns; // that each nest stores one by one; 0: none
  SmallVector<Value> returned;
  KernelNests out;
  SmallVector<std::pair<Value, Buffer>> laterInMemory; // for later nests
  SmallVector<Value> inRegisters;                      // of the open nest only
  /// In registers for all nests of the row; and in memory, for nests behind those over a block of rows.
  SmallVector<std::pair<Value, std::optional<Buffer>>> ofRow;
};

} // namespace

/// A reduction whose running value may live in the memory of its (first) result.
static void offerPartial(KernelExprs &exprs, LoopNest &nest) {
  if (nest.isScan() || nest.reductions.size() != 1 || nest.reductions[0].inits.size() != 1)
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
  for (auto &[value, buffer] : laterInMemory)
    (*out.memory)[value] = buffer;
  for (Value value : inRegisters)
    out.exprs->unbind(value);
  laterInMemory.clear();
  inRegisters.clear();
}

LoopNest &NestBuilder::openNest(const NestJob &job) {
  finishNest();
  out.exprs->startNest();
  // What registers have is of one row: that ends where a nest walks the rows of a block.
  if (structure.block != 0 && structure.walksBlock[job.nest])
    for (auto &[value, buffer] : std::exchange(ofRow, {})) {
      out.exprs->unbind(value);
      if (buffer)
        (*out.memory)[value] = *buffer;
    }
  LoopNest &nest = out.nests.emplace_back();
  nest.sizes.assign(numDims, 1);
  for (auto [loop, size] : llvm::enumerate(job.sizes))
    nest.sizes[dimOf(loop)] = size;
  nest.reduced.resize(numDims);
  nest.ordered.resize(numDims);
  nest.rows.resize(numDims);
  nest.rows.set(0, out.rows.size());
  if (structure.block != 0) {
    nest.rowsPerBlock = structure.block;
    nest.sizes[out.rows.size()] = job.window ? job.window->extent(structure.block) : structure.block;
    if (!structure.walksBlock[job.nest])
      nest.rows.set(out.rows.size());
  }
  return nest;
}

/// The memory of a result, or memory for the current row or block of rows.
Buffer NestBuilder::bufferOf(const NestJob &job, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto result = llvm::find(returned, value);
  if (result != returned.end())
    return {out.resultSlots[result - returned.begin()], computeStrides(type.getShape())};
  Buffer buffer;
  buffer.slot = out.resultSlots.size() + out.scratchOffsets.size() +
                llvm::count_if(out.argumentSlots, [](int slot) { return slot >= 0; });
  buffer.strides = computeStrides(type.getShape());
  int64_t elements = 1, longest = 1, rows = out.rows.size();
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    int64_t loop = job.order.empty() ? dim : job.order[dim];
    bool isBlock = structure.block != 0 && loop == rows - 1;
    buffer.strides[dim] = loop < rows && !isBlock ? 0 : elements;
    if (loop >= rows) {
      elements *= type.getDimSize(dim);
      longest = std::max(longest, type.getDimSize(dim));
    } else if (isBlock) {
      // Factors of products in tile registers are of 16 bits, and what is behind their rows may be zeros.
      int64_t bytes = elementStorageBytes(type.getElementType());
      bool mayBeFactor = bytes == 2 && isa<FloatType>(type.getElementType());
      if ((structure.phased || mayBeFactor) && elements == longest && longest > 1) {
        buffer.rowElements = structure.phased ? elements : 0;
        elements = buffer.strides[dim] = llvm::alignTo(elements * bytes, kRowAlignment) / bytes;
      }
      elements *= job.window ? job.window->extent(structure.block) : structure.block;
    }
  }
  if (structure.block != 0)
    buffer.origin = rows - 1;
  else if (elements == longest)
    buffer.rowElements = elements;
  out.scratchOffsets.push_back(out.scratchBytes);
  out.scratchBytes += llvm::alignTo(elements * elementStorageBytes(type.getElementType()), kRowAlignment);
  return buffer;
}

/// The indices of the result of `job` in its nest.
SmallVector<AffineExpr> NestBuilder::dims(const NestJob &job) {
  SmallVector<AffineExpr> dims;
  unsigned numRows = structure.rows.size();
  for (unsigned dim = 0; dim < job.numParallel; ++dim) {
    unsigned loop = job.order.empty() ? dim : job.order[dim];
    dims.push_back(getAffineDimExpr(dimOf(loop), context));
    if (structure.block != 0 && loop + 1 == numRows)
      dims.back() = dims.back() * (job.window ? job.window->stride : 1) + getAffineDimExpr(numRows, context);
  }
  return dims;
}

/// Later nests read `value` from memory. What is returned twice is stored twice.
void NestBuilder::addStore(Value value, Store store, std::vector<Store> &stores) {
  stores.push_back(store);
  laterInMemory.emplace_back(value, store.buffer);
  for (auto [i, result] : llvm::enumerate(returned))
    if (result == value && out.resultSlots[i] != store.buffer.slot) {
      stores.push_back(store);
      stores.back().buffer.slot = out.resultSlots[i];
    }
}

bool mlir::xla::choosesByColumn(Value value, unsigned most) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || most == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return false;
  auto columnOf = [](AffineMap map) {
    return map.getNumResults() ? dyn_cast<AffineDimExpr>(map.getResults().back()) : AffineDimExpr(nullptr);
  };
  unsigned number = cast<OpResult>(value).getResultNumber();
  AffineDimExpr column = columnOf(op.getMatchingIndexingMap(op.getDpsInitOperand(number)));
  auto isCompared = [](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    return compare && matchPattern(compare.getRhs(), m_Constant());
  };
  for (auto index : op.getBody()->getOps<linalg::IndexOp>())
    if (column && index.getDim() == column.getPosition()) {
      int64_t count = cast<RankedTensorType>(value.getType()).getShape().back(),
              cases = std::distance(index->user_begin(), index->user_end()) + 1;
      return llvm::all_of(index->getUsers(), isCompared) && (count <= kFewColumns || cases >= count);
    }
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return column && isa<RankedTensorType>(input->get().getType()) &&
           columnOf(op.getMatchingIndexingMap(input)) == column && choosesByColumn(input->get(), most - 1);
  });
}

/// Nests whose results have a few columns, of which one chooses what it computes by the column: the columns are known
/// where each is computed by itself.
void NestBuilder::findColumns() {
  columns.assign(structure.numNests, 0);
  SmallVector<bool> mayHave(structure.numNests, structure.block == 0);
  for (const NestJob &job : structure.jobs) {
    unsigned last = job.numParallel - 1;
    mayHave[job.nest] = mayHave[job.nest] && job.kind == NestJob::Elementwise &&
                        job.numParallel > structure.rows.size() && job.order.empty() && !job.isEpilogue &&
                        job.sizes[last] > 1 && job.sizes[last] <= kMostColumns &&
                        (!columns[job.nest] || columns[job.nest] == job.sizes[last]);
    if (mayHave[job.nest] && choosesByColumn(job.value))
      columns[job.nest] = job.sizes[last];
  }
  for (auto [count, may] : llvm::zip_equal(columns, mayHave))
    count = may ? count : 0;
}

void NestBuilder::addElementwise(const NestJob &job, LoopNest &nest) {
  SmallVector<AffineExpr> indices = dims(job);
  Store store;
  store.elementType = getElementTypeOrSelf(job.value.getType());
  store.buffer = bufferOf(job, job.value);
  auto add = [&] {
    store.value = out.exprs->element(job.value, indices);
    store.address = out.exprs->linearize(indices, store.buffer);
    addStore(job.value, store, job.isEpilogue ? nest.epilogue : nest.stores);
  };
  if (!columns[job.nest])
    return add();
  nest.sizes[dimOf(job.numParallel - 1)] = 1;
  for (int64_t column = 0; column < columns[job.nest]; ++column) {
    indices.back() = getAffineConstantExpr(column, context);
    add();
  }
}

/// The written box inside the destination, as the index of an extract_slice would be.
void NestBuilder::addUpdate(const NestJob &job, LoopNest &nest) {
  auto update = cast<tensor::InsertSliceOp>(job.op->op);
  SmallVector<AffineExpr> indices = dims(job), target;
  llvm::SmallBitVector dropped = update.getDroppedDims();
  unsigned next = 0;
  for (auto [i, offset, stride] : llvm::enumerate(update.getMixedOffsets(), update.getStaticStrides())) {
    AffineExpr start = out.exprs->offset(offset);
    target.push_back(dropped.test(i) ? start : start + indices[next++] * stride);
  }
  Store store;
  store.elementType = update.getDestType().getElementType();
  store.buffer = bufferOf(job, job.value);
  store.value = out.exprs->element(update.getSource(), indices);
  store.address = out.exprs->linearize(target, store.buffer);
  for (auto [i, result] : llvm::enumerate(returned))
    if (result == job.value)
      out.tied[i] = cast<BlockArgument>(update.getDest()).getArgNumber();
  addStore(job.value, store, job.isEpilogue ? nest.epilogue : nest.stores);
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
  llvm::SetVector<ExprNode *> read;
  collectNodes(other, read);
  if (read.contains(accumulator))
    return std::nullopt;
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

/// The running value that `next` is combined of, widened, if that is rounded afterwards: truncf(addf(extf(%acc), ..)).
static ExprNode *roundedOf(const ExprNode *next, const ExprNode *accumulator) {
  auto isOf = [](const ExprNode *node, auto kind) {
    return node->kind == ExprNode::Apply && isa<decltype(kind)>(node->op);
  };
  if (!isOf(next, arith::TruncFOp()))
    return nullptr;
  for (ExprNode *operand : next->operands[0]->operands) {
    llvm::SetVector<ExprNode *> others;
    for (ExprNode *other : next->operands[0]->operands)
      if (other != operand)
        collectNodes(other, others);
    if (isOf(operand, arith::ExtFOp()) && operand->operands[0] == accumulator &&
        !llvm::is_contained(others, accumulator) && combiningKind(next->operands[0], operand))
      return operand;
  }
  return nullptr;
}

/// Finds the kinds of the combiners. Results of which none needs another's running values are reductions of their own.
static std::vector<Reduction> separated(Reduction reduction) {
  std::vector<Reduction> parts;
  bool areSeparate = true;
  for (auto [init, accumulator, next] : llvm::zip_equal(reduction.inits, reduction.accumulators, reduction.next)) {
    llvm::SetVector<ExprNode *> read;
    collectNodes(next, read);
    bool isOwn = llvm::none_of(reduction.accumulators, [&, own = accumulator](ExprNode *other) {
      return other != own && read.contains(other);
    });
    Reduction &part = parts.emplace_back();
    part.op = reduction.op;
    part.inits = {init};
    part.accumulators = {accumulator};
    part.next = {next};
    if (isOwn && !isa<ComplexType>(accumulator->type))
      part.kind = combiningKind(next, accumulator);
    areSeparate &= isOwn && (part.kind || roundedOf(next, accumulator));
  }
  if (parts.size() == 1 || areSeparate)
    return parts;
  return {std::move(reduction)};
}

/// Partial results of one of several reductions that round at each step are folded as its elements are.
void NestBuilder::combineRounded(Reduction &reduction) {
  KernelExprs &exprs = *out.exprs;
  ExprNode *next = reduction.next[0], *running = roundedOf(next, reduction.accumulators[0]);
  auto copyOf = [&](const ExprNode *node, ArrayRef<ExprNode *> operands) {
    ExprNode *copy = exprs.copy(*node);
    copy->operands.assign(operands.begin(), operands.end());
    copy->deps = exprs.noDeps();
    return copy;
  };
  for (SmallVector<ExprNode *> *side : {&reduction.left, &reduction.right})
    side->push_back(exprs.placeholder(reduction.accumulators[0]->type, exprs.noDeps()));
  ExprNode *both = copyOf(next->operands[0], {copyOf(running, reduction.left), copyOf(running, reduction.right)});
  reduction.combined = {copyOf(next, both)};
}

/// A combiner of unknown operation whose inputs have the types of accumulators, and which knows no indices, folds
/// partial results.
void NestBuilder::findCombiner(Reduction &reduction, ArrayRef<AffineExpr> loops) {
  linalg::LinalgOp op = reduction.op;
  KernelExprs &exprs = *out.exprs;
  if (!reduction.kind && static_cast<int64_t>(reduction.inits.size()) < op.getNumDpsInits()) {
    combineRounded(reduction);
    return;
  }
  if (reduction.kind || op.getNumDpsInputs() != op.getNumDpsInits() || op.hasIndexSemantics())
    return;
  for (auto [input, accumulator] : llvm::zip_equal(op.getDpsInputs(), reduction.accumulators))
    if (!isa<RankedTensorType>(input.getType()) || getElementTypeOrSelf(input.getType()) != accumulator->type)
      return;
  llvm::SmallBitVector none = exprs.noDeps();
  for (ExprNode *accumulator : reduction.accumulators) {
    reduction.left.push_back(exprs.placeholder(accumulator->type, none));
    reduction.right.push_back(exprs.placeholder(accumulator->type, none));
  }
  for (OpOperand *input : op.getDpsInputOperands()) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
      indices.push_back(expr.replaceDims(loops));
    reduction.elements.push_back(exprs.element(input->get(), indices));
  }
  reduction.combined = exprs.body(op, loops, reduction.left, reduction.right);
}

void NestBuilder::addReduction(const NestJob &job, LoopNest &nest) {
  linalg::LinalgOp op = job.op->linalgOp;
  KernelExprs &exprs = *out.exprs;
  // Loop number -> dimension of the nest.
  SmallVector<AffineExpr> loops(op.getNumLoops()), parallel = dims(job);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [expr, dim] : llvm::zip_equal(map.getResults(), parallel))
    loops[cast<AffineDimExpr>(expr).getPosition()] = dim;
  unsigned next = dimOf(job.numParallel);
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction) {
      nest.reduced.set(next);
      loops[loop] = getAffineDimExpr(next++, context);
    }

  Reduction reduction;
  reduction.op = op;
  llvm::SmallBitVector everything(numDims, true);
  SmallVector<Type> types;
  for (Value init : op.getDpsInits()) {
    types.push_back(getElementTypeOrSelf(init.getType()));
    reduction.inits.push_back(exprs.element(init, parallel));
    reduction.accumulators.push_back(exprs.placeholder(types.back(), everything));
  }
  reduction.next = exprs.body(op, loops, reduction.accumulators);
  std::vector<Reduction> parts = separated(std::move(reduction));
  for (Reduction &part : parts) {
    findCombiner(part, loops);
    findFoldOrder(part, nest, exprs);
    part.rowScalar = job.isRowScalar;
  }

  for (auto [number, result, type, isStored] : llvm::enumerate(op->getResults(), types, job.stored)) {
    Reduction &part = parts[parts.size() == 1 ? 0 : number];
    std::optional<Store> &store = part.stores.emplace_back();
    if (isStored) {
      store.emplace();
      store->elementType = type;
      store->buffer = bufferOf(job, result);
      store->address = exprs.linearize(parallel, store->buffer);
      if (!job.isRowScalar)
        laterInMemory.emplace_back(result, store->buffer);
    }
    llvm::SmallBitVector parallelDeps = exprs.noDeps();
    parallelDeps.set(0, dimOf(job.numParallel));
    part.results.push_back(exprs.placeholder(type, parallelDeps));
    exprs.bind(result, part.results.back());
    if (job.isRowScalar)
      ofRow.emplace_back(result, isStored ? std::optional(store->buffer) : std::nullopt);
    else
      inRegisters.push_back(result);
  }
  llvm::move(parts, std::back_inserter(nest.reductions));
}

void NestBuilder::addScan(const NestJob &job, LoopNest &nest) {
  auto op = cast<rt::ScanOp>(job.op->op);
  KernelExprs &exprs = *out.exprs;
  SmallVector<AffineExpr> all = dims(job), others = all;
  others.erase(others.begin() + op.getDimension());
  nest.ordered.set(op.getDimension());
  nest.backwards = op.getReverse();
  Reduction scan;
  scan.order = FoldOrder::Any; // the one of its nest
  llvm::SmallBitVector everything(numDims, true);
  for (auto [input, initial, result] : llvm::zip_equal(op.getInputs(), op.getInitial(), op.getResults())) {
    Type type = getElementTypeOrSelf(input.getType());
    scan.inits.push_back(exprs.element(initial, others));
    scan.elements.push_back(exprs.element(input, all));
    scan.left.push_back(exprs.placeholder(type, exprs.noDeps()));
    scan.right.push_back(exprs.placeholder(type, exprs.noDeps()));
    scan.results.push_back(exprs.placeholder(type, everything));
    exprs.bind(result, scan.results.back());
    inRegisters.push_back(result);
    for (auto [i, value] : llvm::enumerate(returned))
      if (value == result) {
        Buffer buffer{out.resultSlots[i], computeStrides(job.sizes)};
        nest.stores.push_back({scan.results.back(), buffer, exprs.linearize(all, buffer), type});
      }
  }
  SmallVector<ExprNode *> arguments(scan.left);
  llvm::append_range(arguments, scan.right);
  scan.combined = exprs.scalarBlock(op.getCombiner().front(), arguments);
  if (scan.combined.size() == 1 && llvm::is_contained(scan.combined[0]->operands, scan.right[0]) &&
      !isa<ComplexType>(scan.combined[0]->type))
    scan.kind = combiningKind(scan.combined[0], scan.left[0]);
  nest.reductions.push_back(std::move(scan));
}

/// What replaces a row of a block, element by element, takes its place: the block should stay in the cache.
void NestBuilder::shareScratch() {
  unsigned first = out.resultSlots.size() + llvm::count_if(out.argumentSlots, [](int slot) { return slot >= 0; });
  auto forEachStore = [](LoopNest &nest, auto visit) {
    for (Store &store : llvm::concat<Store>(nest.stores, nest.epilogue))
      visit(store);
    for (Reduction &reduction : nest.reductions) {
      for (std::optional<Store> &store : reduction.stores)
        if (store)
          visit(*store);
      if (reduction.partial)
        visit(*reduction.partial);
    }
  };
  SmallVector<int64_t> sizes;
  for (size_t i = 0; i < out.scratchOffsets.size(); ++i)
    sizes.push_back((i + 1 < out.scratchOffsets.size() ? out.scratchOffsets[i + 1] : out.scratchBytes) -
                    out.scratchOffsets[i]);
  for (auto [n, nest] : llvm::enumerate(out.nests))
    for (Store &store : nest.stores) {
      unsigned slot = store.buffer.slot;
      if (slot < first)
        continue;
      for (unsigned other = first; other < slot; ++other) {
        if (sizes[other - first] == 0 || sizes[other - first] != sizes[slot - first])
          continue;
        // It is written before, read here where the store writes, and not later.
        bool isFree = true, isRead = false;
        for (auto [m, reader] : llvm::enumerate(out.nests)) {
          for (ExprNode *load : reader.loads)
            if (load->buffer.slot == other) {
              isFree &= m < n || (m == n && load->address == store.address && load->type == store.elementType);
              isRead |= m == n;
            }
          if (m >= n)
            forEachStore(reader, [&](const Store &written) { isFree &= written.buffer.slot != other; });
        }
        if (!isFree || !isRead)
          continue;
        nest.inPlace = true;
        for (LoopNest &user : out.nests) {
          for (ExprNode *load : user.loads)
            if (load->buffer.slot == slot)
              load->buffer.slot = other;
          forEachStore(user, [&](Store &written) {
            if (written.buffer.slot == slot)
              written.buffer.slot = other;
          });
        }
        sizes[slot - first] = 0;
        break;
      }
    }
  out.scratchBytes = 0;
  for (auto [offset, size] : llvm::zip_equal(out.scratchOffsets, sizes)) {
    offset = out.scratchBytes;
    out.scratchBytes += size;
  }
}

KernelNests NestBuilder::run() {
  out.memory = std::make_unique<DenseMap<Value, Buffer>>();
  out.rows = structure.rows;
  out.block = structure.block;
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
  out.exprs = std::make_unique<KernelExprs>(context, numDims, *out.memory);
  findColumns();
  for (const NestJob &job : structure.jobs) {
    LoopNest &nest = job.nest == out.nests.size() ? openNest(job) : out.nests.back();
    switch (job.kind) {
    case NestJob::Elementwise:
      addElementwise(job, nest);
      break;
    case NestJob::Reduction:
      addReduction(job, nest);
      break;
    case NestJob::Scan:
      addScan(job, nest);
      break;
    case NestJob::Update:
      addUpdate(job, nest);
      break;
    }
    nest.loads.assign(out.exprs->loads);
  }
  finishNest();
  if (structure.block != 0)
    shareScratch();
  return std::move(out);
}

/// What a kernel holds besides nests: only what they read, and its results come from them.
static NestRefusal checkBody(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (!isFree(&op) && !isComputing(&op))
      return {"the operation has no elementwise meaning", &op};
    if (auto update = dyn_cast<tensor::InsertSliceOp>(op); update && !isa<BlockArgument>(update.getDest()))
      return {"an update writes to an argument", &op};
  }
  for (Value result : body.getTerminator()->getOperands())
    if (!result.getDefiningOp() || !isa<RankedTensorType>(result.getType()))
      return {"a result is a tensor that the kernel computes", body.getTerminator()};
  return {};
}

FailureOr<KernelNests> mlir::xla::buildKernelNests(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  SmallVector<Value> returned = llvm::to_vector_of<Value>(body.getTerminator()->getOperands());
  NestRefusal refusal = checkBody(kernel);
  KernelOps known(body);
  FailureOr<NestStructure> structure = failure();
  if (!refusal.op) {
    SmallVector<KernelOp *> ops;
    for (Operation &op : body.without_terminator())
      if (isComputing(&op) ||
          llvm::any_of(op.getResults(), [&](Value result) { return llvm::is_contained(returned, result); }))
        ops.push_back(&known.get(&op));
    structure = analyzeNests(known, ops, returned, kernelOf(kernel).getRows(), kernelOf(kernel).getBlock(), refusal);
  }
  if (failed(structure))
    return refusal.op->emitOpError() << "cannot be computed inside a kernel: " << refusal.why;
  return NestBuilder(kernel, *structure).run();
}
