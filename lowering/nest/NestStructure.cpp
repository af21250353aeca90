// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups what a kernel must compute into nests: reductions, results, and intermediates of a row that are too expensive
// to compute twice.

#include "mlir_xla/lowering/nest/NestStructure.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

class Analysis {
public:
  Analysis(KernelOps &known, ArrayRef<Value> outputs, ArrayRef<int64_t> rows, int64_t block, NestRefusal &refusal)
      : known(known), outputs(outputs), refusal(refusal) {
    out.rows.assign(rows.begin(), rows.end());
    out.block = block;
  }
  FailureOr<NestStructure> run(ArrayRef<KernelOp *> ops);

private:
  LogicalResult refuse(Operation *op, StringRef why) {
    refusal = {why, op};
    return failure();
  }
  bool isMember(const KernelOp *op) const { return op->member < members.size() && members[op->member] == op; }
  bool isOutput(Value value) const { return llvm::is_contained(outputs, value); }
  bool isRow(ArrayRef<int64_t> sizes) const {
    return sizes.size() >= out.rows.size() && sizes.take_front(out.rows.size()) == ArrayRef(out.rows);
  }

  LogicalResult numberMembers();
  LogicalResult checkUpdate(KernelOp &info);
  bool isBlockReduction(const KernelOp &op) const {
    return out.block != 0 && op.isReduction && op.numParallel > out.rows.size();
  }
  LogicalResult findOrders();
  LogicalResult findOrder(KernelOp &reduction, const KernelOp::Read &read);
  LogicalResult findWindow(KernelOp &reduction, const KernelOp::Read &read, AffineMap map);
  LogicalResult setOrder(KernelOp &member, ArrayRef<unsigned> rowDims, unsigned rank);
  void findBlockBuffers();
  void findPhases();
  LogicalResult checkBlocks();
  bool isComputedHere(Value value) const;
  bool isReadHere(Value target, SmallVector<Value> values) const;
  void findRowBuffers();
  bool isKeptRounded(const KernelOp &member);
  NestJob &addJob(NestJob::Kind kind, KernelOp *op, ArrayRef<int64_t> sizes);
  void addRowBuffer(Value value) {
    if (!isOutput(value) && !llvm::is_contained(rowBuffers, value))
      rowBuffers.push_back(value);
  }
  LogicalResult collectJobs();
  LogicalResult checkReads();
  void assignNests();
  /// A reduction to one value for each row.
  bool isOfRow(const NestJob &job) const {
    return job.numParallel == out.rows.size() && job.kind == NestJob::Reduction;
  }
  bool joinsOpenNest(const NestJob &job) const;
  void findReaders(const NestJob &job);
  void storeForLaterNests(const NestJob &reader);
  KernelKind kind() const;

  KernelOps &known;
  ArrayRef<Value> outputs;
  NestRefusal &refusal;
  NestStructure out;
  ArrayRef<KernelOp *> members;
  SmallVector<Value> rowBuffers;
  SmallVector<SmallVector<unsigned>> orders;      // per member: NestJob::order
  SmallVector<std::optional<WindowRows>> windows; // per member: NestJob::window

  /// The nest that is being filled.
  struct Open {
    const NestJob *first = nullptr;
    const NestJob *reduction = nullptr; // the last one
    unsigned numReductions = 0;
    bool hasStores = false; // made in every iteration
    bool hasEpilogue = false;
    SmallVector<bool> reads; // per member: it depends on a reduction of the nest,
    SmallVector<bool> moved; // and not element by element
  } open;
};

} // namespace

LogicalResult Analysis::numberMembers() {
  for (auto [i, member] : llvm::enumerate(members)) {
    if (!member->refusal.empty())
      return refuse(member->refused, member->refusal);
    member->member = i;
  }
  return success();
}

/// True if the memory of `value` is made from what the kernel computes.
bool Analysis::isComputedHere(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || isa<tensor::EmptyOp>(op))
    return false;
  if (llvm::any_of(members, [&](const KernelOp *member) { return member->op == op; }))
    return true;
  return isFree(op) && llvm::any_of(op->getOperands(), [&](Value operand) { return isComputedHere(operand); });
}

/// True if one of `values`, or what free ops make them of inside the kernel, is `target`.
bool Analysis::isReadHere(Value target, SmallVector<Value> values) const {
  auto computes = [&](Operation *op) {
    return llvm::any_of(members, [&](const KernelOp *member) { return member->op == op; });
  };
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (value == target)
      return true;
    Operation *op = value.getDefiningOp();
    if (op && isFree(op) && !isa<tensor::EmptyOp>(op) && !isViewOfMemory(value, computes))
      llvm::append_range(values, op->getOperands());
  }
  return false;
}

bool mlir::xla::isPlaceOf(tensor::ExtractSliceOp slice, tensor::InsertSliceOp update) {
  return slice.getType() == update.getSourceType() && slice.getDroppedDims() == update.getDroppedDims() &&
         slice.getMixedOffsets() == update.getMixedOffsets() && slice.getMixedSizes() == update.getMixedSizes() &&
         slice.getMixedStrides() == update.getMixedStrides();
}

/// The slices of what `update` overwrites that `ops`, of which it is the last, read at the very place that they write,
/// element by element: such an element is read before it is written, and never again.
static SmallVector<Value> readWhereWritten(tensor::InsertSliceOp update, ArrayRef<KernelOp *> ops) {
  // A reduction may keep its running value in the memory of its result.
  if (llvm::any_of(ops, [](const KernelOp *op) { return op->isReduction || op->isScan; }))
    return {};
  SmallVector<Value> slices;
  for (Operation *user : update.getDest().getUsers())
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user); slice && isPlaceOf(slice, update))
      slices.push_back(slice);
  if (slices.empty())
    return {};
  // What is computed for other elements than the one that is written, too.
  llvm::SmallPtrSet<const KernelOp *, 8> elsewhere;
  for (const KernelOp *op : llvm::reverse(ops)) {
    // Results may have the loops in different orders.
    bool moves = elsewhere.contains(op) || op->op->getNumResults() != 1;
    for (const KernelOp::Read &read : op->reads)
      if (moves || !read.isDirect || !read.isWhole)
        elsewhere.insert(read.source);
    llvm::erase_if(slices, [&](Value slice) {
      return llvm::is_contained(op->values, slice) && (moves || !readsByOwnIndices(*op, slice));
    });
  }
  return slices;
}

bool mlir::xla::readsWhatItWrites(tensor::InsertSliceOp update, ArrayRef<KernelOp *> ops) {
  Value dest = update.getDest();
  if (dest.getDefiningOp<tensor::EmptyOp>())
    return false;
  SmallVector<Value> pending, ownPlace = readWhereWritten(update, ops);
  for (const KernelOp *op : ops)
    llvm::copy_if(op->values, std::back_inserter(pending),
                  [&](Value value) { return value != dest && !llvm::is_contained(ownPlace, value); });
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !isFree(op) || isa<tensor::EmptyOp>(op) || !seen.insert(op).second)
      continue;
    if (llvm::is_contained(op->getOperands(), dest))
      return true;
    llvm::append_range(pending, op->getOperands());
  }
  return false;
}

/// An update writes a box in place: it is all that the kernel yields, and nothing in it may read the memory but each
/// element before it is written. What it writes may be the end of a reduction's nest.
LogicalResult Analysis::checkUpdate(KernelOp &info) {
  auto update = cast<tensor::InsertSliceOp>(info.op);
  Value dest = update.getDest();
  if (members.back() != &info || outputs.size() > 1 || (!outputs.empty() && outputs[0] != update.getResult()))
    return refuse(info.op, "an update is the only result of its kernel");
  if (!out.rows.empty() && out.block == 0)
    return refuse(info.op, "an update has one nest, or is the end of a block of rows");
  if (dest.getDefiningOp<tensor::EmptyOp>())
    return success();
  if (isComputedHere(dest))
    return refuse(info.op, "an update overwrites what its kernel computes");
  SmallVector<Value> ownPlace = readWhereWritten(update, members);
  for (KernelOp *member : members) {
    SmallVector<Value> values = member->values;
    if (member == &info)
      llvm::erase(values, dest);
    llvm::erase_if(values, [&](Value value) { return llvm::is_contained(ownPlace, value); });
    if (isReadHere(dest, values))
      return refuse(member->op, "an op of its kernel reads what an update overwrites");
  }
  return success();
}

/// Is one thing computed of each value of `member`, for contractions to read, and are the values added up otherwise, or
/// the like, all in one nest? Then nobody reads the values themselves from memory, such as the weights of attention,
/// which are rounded.
bool Analysis::isKeptRounded(const KernelOp &member) {
  KernelOp *reduction = nullptr, *kept = nullptr;
  for (KernelOp *reader : members)
    for (const KernelOp::Read &read : reader->reads) {
      if (read.source != &member)
        continue;
      KernelOp *&known = reader->isReduction ? reduction : kept;
      if ((known && known != reader) || (reader->isReduction ? isBlockReduction(*reader) : !read.isWhole))
        return false;
      known = reader;
    }
  // It comes before the reduction, whose nest its own is then.
  if (!reduction || !kept || kept->member != member.member + 1 || kept->isScan || kept->isExpensive() ||
      kept->reads.size() != 1)
    return false;
  return llvm::all_of(members, [&](KernelOp *reader) {
    return isBlockReduction(*reader) ||
           llvm::none_of(reader->reads, [&](const KernelOp::Read &read) { return read.source == kept; });
  });
}

/// Values of a row that several ops read and that are too expensive to compute for each of them, with what they are
/// made of.
void Analysis::findRowBuffers() {
  if (out.rows.empty())
    return;
  DenseMap<Value, llvm::SmallPtrSet<Operation *, 2>> users;
  for (KernelOp *member : members)
    for (const KernelOp::Read &read : member->reads)
      users[read.value].insert(read.user);
  SmallVector<bool> isExpensive(members.size());
  for (KernelOp *member : members) {
    if (member->isReduction)
      continue;
    isExpensive[member->member] = member->isExpensive() || llvm::any_of(member->reads, [&](const KernelOp::Read &read) {
                                    return isMember(read.source) && isExpensive[read.source->member] &&
                                           !isOutput(read.value) && !llvm::is_contained(rowBuffers, read.value);
                                  });
    if (isExpensive[member->member] && !isKeptRounded(*member))
      for (Value value : member->op->getResults())
        if (users[value].size() > 1 &&
            cast<RankedTensorType>(value.getType()).getRank() > static_cast<int64_t>(out.rows.size()))
          addRowBuffer(value);
  }
}

/// `factor` of `dim` in `expr`, a sum of loops times constants, and of every other loop.
static bool flatten(AffineExpr expr, int64_t factor, MutableArrayRef<int64_t> factors, int64_t &constant) {
  if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * value.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    factors[dim.getPosition()] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return flatten(binary.getLHS(), factor, factors, constant) && flatten(binary.getRHS(), factor, factors, constant);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return scale && expr.getKind() == AffineExprKind::Mul &&
         flatten(binary.getLHS(), factor * scale.getValue(), factors, constant);
}

std::optional<WindowRead> mlir::xla::matchWindowRead(linalg::LinalgOp op, AffineMap map, unsigned numRows) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  WindowRead read;
  for (unsigned dim = 0; dim < result.getNumResults() && read.resultDims.size() < numRows; ++dim) {
    unsigned loop = result.getDimPosition(dim);
    auto isBy = [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); };
    auto found = llvm::find_if(map.getResults(), isBy);
    if (found == map.getResults().end())
      continue;
    if (llvm::count_if(map.getResults(), isBy) != 1)
      return std::nullopt;
    read.resultDims.push_back(dim);
    read.sourceDims.push_back(found - map.getResults().begin());
    if (read.resultDims.size() < numRows) {
      if (!isa<AffineDimExpr>(*found))
        return std::nullopt;
      continue;
    }
    SmallVector<int64_t> factors(map.getNumDims(), 0);
    int64_t last = 0;
    if (!flatten(*found, 1, factors, last) || last < 0)
      return std::nullopt;
    read.rows.stride = factors[loop];
    for (auto [other, factor] : llvm::enumerate(factors)) {
      bool isWindow = other != loop && factor != 0;
      if (factor < 0)
        return std::nullopt;
      last += isWindow ? factor * (ranges[other] - 1) : 0;
      read.isOfResult |= isWindow && kinds[other] == utils::IteratorType::parallel;
    }
    read.rows.reach = last + 1;
  }
  if (read.resultDims.size() < numRows)
    return std::nullopt;
  return read;
}

/// The rows are `rowDims` of what `member` computes.
LogicalResult Analysis::setOrder(KernelOp &member, ArrayRef<unsigned> rowDims, unsigned rank) {
  SmallVector<unsigned> order(rank, ~0u);
  for (auto [row, dim] : llvm::enumerate(rowDims))
    order[dim] = row;
  unsigned next = rowDims.size();
  for (unsigned &loop : order)
    if (loop == ~0u)
      loop = next++;
  SmallVector<unsigned> &known = orders[member.member];
  if (!known.empty() && known != order)
    return refuse(member.op, "it reads another row of what its kernel computes");
  known = order;
  return success();
}

/// The window of a convolution: a block reads its own rows of what the kernel computes, and some beyond.
LogicalResult Analysis::findWindow(KernelOp &reduction, const KernelOp::Read &read, AffineMap map) {
  std::optional<WindowRead> found = matchWindowRead(reduction.linalgOp, map, out.rows.size());
  if (!found)
    return refuse(reduction.op, "it reads another row of what its kernel computes");
  KernelOp &source = *read.source;
  if (!source.linalgOp || source.isReduction || isOutput(read.value))
    return refuse(source.op, "a window reads it, so it is elementwise code, and no result");
  for (auto [row, dim] : llvm::enumerate(found->sourceDims))
    if (row + 1 < out.rows.size() && source.sizes[dim] != out.rows[row])
      return refuse(source.op, "its dimensions are not the rows of the kernel");
  std::optional<WindowRows> &known = windows[source.member];
  if (known && !(*known == found->rows))
    return refuse(source.op, "two windows read different rows of it");
  known = found->rows;
  if (failed(setOrder(source, found->sourceDims, source.sizes.size())))
    return failure();
  return setOrder(reduction, found->resultDims, reduction.numParallel);
}

/// The rows of a contraction are those at which it reads what its kernel computes, wherever they are in its result.
LogicalResult Analysis::findOrder(KernelOp &reduction, const KernelOp::Read &read) {
  linalg::LinalgOp op = reduction.linalgOp;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (operand->get() != read.value)
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation()) {
      if (failed(findWindow(reduction, read, map)))
        return failure();
      continue;
    }
    SmallVector<unsigned> rowDims;
    for (unsigned row = 0; row < out.rows.size(); ++row) {
      size_t place = row < map.getNumResults()
                         ? llvm::find(result.getResults(), map.getResult(row)) - result.getResults().begin()
                         : result.getNumResults();
      if (place == result.getNumResults() || llvm::is_contained(rowDims, place))
        return refuse(op, "it reads another row of what its kernel computes");
      rowDims.push_back(place);
    }
    if (failed(setOrder(reduction, rowDims, result.getNumResults())))
      return failure();
  }
  return success();
}

/// Contractions may have their rows anywhere in their results, and elementwise code behind them alike.
LogicalResult Analysis::findOrders() {
  for (KernelOp *member : members)
    for (const KernelOp::Read &read : member->reads) {
      if (!isMember(read.source) || !read.isDirect || (!member->linalgOp && !read.isWhole))
        continue;
      SmallVector<unsigned> &order = orders[member->member];
      if (isBlockReduction(*member)) {
        if (failed(findOrder(*member, read)))
          return failure();
      } else if (!orders[read.source->member].empty()) {
        if (!read.isWhole || (!order.empty() && order != orders[read.source->member]))
          return refuse(member->op, "it reads a contraction in another order");
        order = orders[read.source->member];
      }
    }
  for (SmallVector<unsigned> &order : orders)
    if (llvm::all_of(llvm::enumerate(order), [](auto entry) { return entry.value() == entry.index(); }))
      order.clear();
  return success();
}

/// What a contraction reads, and the last of what is computed of another's results element by element.
void Analysis::findBlockBuffers() {
  // Per member: the one contraction that it continues element by element, and the last one that it depends on, by their
  // numbers; whether it depends on any reduction, and on nothing but such of one value per row.
  SmallVector<std::optional<unsigned>> continues(members.size()), latest(members.size());
  SmallVector<bool> depends(members.size()), isOfRow(members.size());
  for (KernelOp *member : members) {
    unsigned number = member->member;
    std::optional<unsigned> contraction, ofRow;
    bool isChain = !member->isReduction, onlyOfRow = true;
    for (const KernelOp::Read &read : member->reads) {
      if (!isMember(read.source) || (!read.source->isReduction && !depends[read.source->member]))
        continue;
      unsigned from = read.source->member;
      depends[number] = true;
      latest[number] = std::max(latest[number], latest[from]);
      if (isOfRow[from]) {
        ofRow = std::max(ofRow, latest[from]);
        continue;
      }
      onlyOfRow = false;
      std::optional<unsigned> source = isBlockReduction(*read.source) ? from : continues[from];
      isChain &= source && read.isDirect && read.isWhole && (!contraction || contraction == source);
      contraction = source;
    }
    // What is known of a row before a contraction begins may enter behind it.
    if (isChain && ofRow < contraction)
      continues[number] = contraction;
    isOfRow[number] = member->isReduction ? !isBlockReduction(*member) : depends[number] && onlyOfRow;
    if (isBlockReduction(*member))
      latest[number] = number;
  }
  for (KernelOp *member : members)
    for (const KernelOp::Read &read : member->reads)
      if (isMember(read.source) && !read.source->isReduction &&
          (isBlockReduction(*member) || (continues[read.source->member] && !continues[member->member])))
        addRowBuffer(read.value);
}

/// Nests over the rows of a block, and those behind them, find values of one row in memory of the block: registers have
/// those of one row at a time.
LogicalResult Analysis::checkBlocks() {
  auto lastBlock = [&](unsigned nest) {
    while (nest > 0 && !out.walksBlock[nest])
      --nest;
    return nest;
  };
  for (const NestJob &job : out.jobs) {
    if (!out.walksBlock[job.nest] && !job.order.empty())
      return refuse(job.op->op, "its leading dimensions are not the rows of the kernel");
    llvm::SetVector<KernelOp *> pending;
    pending.insert(job.op);
    for (size_t i = 0; i < pending.size(); ++i)
      for (const KernelOp::Read &read : pending[i]->reads) {
        if (!isMember(read.source) || isBlockReduction(*read.source))
          continue;
        if (!read.source->isReduction) {
          if (!isOutput(read.value) && !llvm::is_contained(rowBuffers, read.value))
            pending.insert(read.source);
          continue;
        }
        auto source = llvm::find_if(out.jobs, [&](const NestJob &other) { return other.op == read.source; });
        if (source->nest < lastBlock(job.nest))
          source->stored[cast<OpResult>(read.value).getResultNumber()] = true;
        else if (out.walksBlock[job.nest])
          return refuse(job.op->op, "it reads one value for each row of a block");
      }
  }
  return success();
}

/// Without contractions, each nest walks all rows of a block, so that no row waits for another, and values of one row
/// are computed for all of them at once.
void Analysis::findPhases() {
  out.phased = llvm::none_of(members, [&](const KernelOp *member) { return isBlockReduction(*member); });
  if (!out.phased)
    return;
  auto isOfRow = [&](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank() == static_cast<int64_t>(out.rows.size());
  };
  SmallVector<bool> depends(members.size());
  for (KernelOp *member : members)
    for (const KernelOp::Read &read : member->reads) {
      if (!isMember(read.source) || (!read.source->isReduction && !depends[read.source->member]))
        continue;
      depends[member->member] = true;
      if (!read.source->isReduction && isOfRow(read.value) && member->sizes.size() > out.rows.size())
        addRowBuffer(read.value);
    }
}

NestJob &Analysis::addJob(NestJob::Kind kind, KernelOp *op, ArrayRef<int64_t> sizes) {
  NestJob &job = out.jobs.emplace_back();
  job.kind = kind;
  job.op = op;
  job.sizes.assign(sizes.begin(), sizes.end());
  job.numParallel = sizes.size();
  job.order = orders[op->member];
  for (auto [i, loop] : llvm::enumerate(job.order))
    job.sizes[loop] = sizes[i];
  job.window = windows[op->member];
  if (job.window)
    job.sizes[out.rows.size() - 1] = out.rows.back();
  out.numDims = std::max<unsigned>(out.numDims, sizes.size());
  return job;
}

LogicalResult Analysis::collectJobs() {
  for (KernelOp *member : members) {
    Operation *op = member->op;
    if (member->isReduction) {
      NestJob &job = addJob(NestJob::Reduction, member, member->sizes);
      job.numParallel = member->numParallel;
      if (!isRow(ArrayRef(job.sizes).take_front(job.numParallel)))
        return refuse(op, "its leading dimensions are not the rows of the kernel");
      job.isRowScalar = member->numParallel == out.rows.size() && !out.phased;
      for (Value result : op->getResults())
        job.stored.push_back(isOutput(result));
      continue;
    }
    if (member->isScan) {
      addJob(NestJob::Scan, member, member->sizes);
      continue;
    }
    for (Value result : op->getResults()) {
      if (!isOutput(result) && !llvm::is_contained(rowBuffers, result))
        continue;
      auto update = dyn_cast<tensor::InsertSliceOp>(op);
      ArrayRef<int64_t> sizes =
          update ? update.getSourceType().getShape() : cast<RankedTensorType>(result.getType()).getShape();
      NestJob &job = addJob(update ? NestJob::Update : NestJob::Elementwise, member, sizes);
      job.value = result;
      if (!isRow(job.sizes))
        return refuse(op, "its leading dimensions are not the rows of the kernel");
    }
  }
  return success();
}

/// Registers and the memory of a row hold what belongs to the current row, and the register of a reduction what belongs
/// to the current element: this is what must be read of them.
LogicalResult Analysis::checkReads() {
  // Reductions and what depends on them; with rows, all that one nest may leave for the next.
  SmallVector<bool> isLocal;
  for (KernelOp *member : members) {
    bool local = member->isReduction || member->isScan;
    for (const KernelOp::Read &read : member->reads) {
      if (!isMember(read.source) || !isLocal[read.source->member])
        continue;
      if (!read.isDirect)
        return refuse(member->op, "it reads what its kernel computes other than by its own indices");
      if (read.leading < out.rows.size() && orders[member->member].empty() && !windows[read.source->member])
        return refuse(member->op, "it reads another row of what its kernel computes");
      local = true;
    }
    if (!out.rows.empty())
      for (Value result : member->op->getResults())
        local |= isOutput(result) || llvm::is_contained(rowBuffers, result);
    isLocal.push_back(local);
  }
  return success();
}

/// True if `job` iterates over the space of the open nest and needs nothing that the nest only has at its end.
bool Analysis::joinsOpenNest(const NestJob &job) const {
  bool isUpdate = job.kind == NestJob::Update;
  if (!open.first || job.kind == NestJob::Scan || (isUpdate && open.numReductions != 1))
    return false;
  // Elementwise code over the results of a scan is computed along with them.
  if (open.first->kind == NestJob::Scan)
    return job.kind == NestJob::Elementwise && job.sizes == open.first->sizes && !open.moved[job.op->member];
  // Elementwise code over the results of the nest's reduction is its epilogue.
  ArrayRef<int64_t> own = job.sizes;
  if ((job.kind == NestJob::Elementwise || isUpdate) && open.numReductions == 1 && !open.hasStores && !out.phased)
    return own == ArrayRef(open.reduction->sizes).take_front(open.reduction->numParallel) &&
           job.order == open.reduction->order && !open.moved[job.op->member];
  ArrayRef<int64_t> space = open.first->sizes;
  size_t common = std::min(space.size(), own.size());
  auto isOne = [](int64_t size) { return size == 1; };
  if (space.take_front(common) != own.take_front(common) || !llvm::all_of(space.drop_front(common), isOne) ||
      !llvm::all_of(own.drop_front(common), isOne))
    return false;
  // A store that shares the nest of a reduction is made in every step of it: only over whole rows.
  if (job.kind == NestJob::Reduction
          ? !isOfRow(job) || open.hasEpilogue || (open.reduction && !isOfRow(*open.reduction))
          : open.numReductions != 0)
    return false;
  return !open.reads[job.op->member];
}

/// Finds the members that depend on the reduction that `job` adds to the open nest.
void Analysis::findReaders(const NestJob &job) {
  for (KernelOp *member : members.drop_front(job.op->member + 1))
    for (const KernelOp::Read &read : member->reads) {
      if (!isMember(read.source) || (read.source != job.op && !open.reads[read.source->member]))
        continue;
      open.reads[member->member] = true;
      if (!read.isWhole || open.moved[read.source->member])
        open.moved[member->member] = true;
    }
}

/// Results of reductions in earlier nests that `reader` needs, directly or to compute again what it reads.
void Analysis::storeForLaterNests(const NestJob &reader) {
  llvm::SetVector<KernelOp *> pending;
  pending.insert(reader.op);
  for (size_t i = 0; i < pending.size(); ++i)
    for (const KernelOp::Read &read : pending[i]->reads) {
      auto isSource = [&](const NestJob &job) {
        return job.op == read.source && job.nest < reader.nest && (!job.value || job.value == read.value);
      };
      auto earlier = std::find_if(out.jobs.begin(), out.jobs.end(), isSource);
      if (earlier == out.jobs.end()) {
        if (isMember(read.source) && !read.source->isReduction)
          pending.insert(read.source);
      } else if (earlier->kind == NestJob::Reduction && !earlier->isRowScalar) {
        earlier->stored[cast<OpResult>(read.value).getResultNumber()] = true;
      }
    }
}

void Analysis::assignNests() {
  bool registersEnd = false; // those of a finished reduction
  for (NestJob &job : out.jobs) {
    if (!joinsOpenNest(job)) {
      registersEnd |= open.reduction && !open.reduction->isRowScalar;
      open = {};
      open.first = &job;
      open.reads.assign(members.size(), false);
      open.moved.assign(members.size(), false);
      ++out.numNests;
      out.walksBlock.push_back(out.phased || isBlockReduction(*job.op) || job.window);
    }
    job.nest = out.numNests - 1;
    if (registersEnd)
      storeForLaterNests(job);
    if (job.kind == NestJob::Scan) {
      findReaders(job);
      continue;
    }
    if (job.kind == NestJob::Reduction) {
      open.reduction = &job;
      ++open.numReductions;
      findReaders(job);
      continue;
    }
    job.isEpilogue = open.numReductions != 0;
    open.hasEpilogue |= job.isEpilogue;
    open.hasStores |= !job.isEpilogue;
  }
}

KernelKind Analysis::kind() const {
  auto is = [](NestJob::Kind kind) { return [kind](const NestJob &job) { return job.kind == kind; }; };
  auto reduction = llvm::find_if(out.jobs, is(NestJob::Reduction));
  if (llvm::any_of(out.jobs, is(NestJob::Update)) && reduction == out.jobs.end())
    return KernelKind::Update;
  if (llvm::any_of(out.jobs, is(NestJob::Scan)))
    return KernelKind::Scan;
  if (!out.rows.empty() || out.numNests > 1)
    return KernelKind::Rows;
  if (reduction == out.jobs.end())
    return KernelKind::Elementwise;
  // Without anything before it, and all else behind it.
  bool isAlone = reduction == out.jobs.begin() && llvm::count_if(out.jobs, is(NestJob::Reduction)) == 1;
  return isAlone ? known.kindOf(*reduction->op) : KernelKind::Rows;
}

FailureOr<NestStructure> Analysis::run(ArrayRef<KernelOp *> ops) {
  members = ops;
  if (failed(numberMembers()))
    return failure();
  for (KernelOp *member : members)
    if (isa<tensor::InsertSliceOp>(member->op) && failed(checkUpdate(*member)))
      return failure();
  orders.resize(members.size());
  windows.resize(members.size());
  if (out.block != 0 && failed(findOrders()))
    return failure();
  findRowBuffers();
  if (out.block != 0) {
    findBlockBuffers();
    findPhases();
  }
  if (failed(collectJobs()) || failed(checkReads()))
    return failure();
  assignNests();
  if (out.block != 0 && failed(checkBlocks()))
    return failure();
  for (const NestJob &job : out.jobs)
    if (job.kind == NestJob::Update && out.numNests > 1 && (out.block == 0 || !job.isEpilogue))
      return refuse(job.op->op, "an update writes what one nest computes, element by element");
  out.kind = kind();
  auto scan = llvm::find_if(members, [](const KernelOp *member) { return member->isScan; });
  if (scan != members.end() && (out.numNests > 1 || !out.rows.empty()))
    return refuse((*scan)->op, "a scan has one nest, with elementwise code over its results");
  auto loop = llvm::find_if(members, [](const KernelOp *member) { return member->hasLoop; });
  if (loop != members.end() && out.kind != KernelKind::Elementwise)
    return refuse((*loop)->op, "a loop in a body is with elementwise code only");
  return std::move(out);
}

FailureOr<NestStructure> mlir::xla::analyzeNests(KernelOps &known, ArrayRef<KernelOp *> ops, ArrayRef<Value> outputs,
                                                 ArrayRef<int64_t> rows, int64_t block, NestRefusal &refusal) {
  return Analysis(known, outputs, rows, block, refusal).run(ops);
}
