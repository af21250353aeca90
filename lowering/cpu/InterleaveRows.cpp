// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-interleave-rows`: kernels whose rows are a few vectors do several rows at once. What is done to a row waits
// for its lanes to be folded, for an exponential of the result, for another fold; and processors look ahead by a
// hundred instructions or so, of which the row itself has most.

#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::xla {
#define GEN_PASS_DEF_INTERLEAVEROWS
#include "mlir_xla/lowering/cpu/Passes.h.inc"

namespace {

/// Operations of a row, loops written out, and how many rows are done at once. Each has some registers of its own.
constexpr size_t kMostOps = 160, kRows = 2;

/// Iterations of a loop between constants.
std::optional<int64_t> tripCountOf(scf::ForOp loop) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  if (!begin || !end || !step || *step <= 0 || *end <= *begin)
    return std::nullopt;
  return llvm::divideCeil(*end - *begin, *step);
}

/// Of a number or a vector.
int64_t bytesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return (vector ? vector.getNumElements() : 1) *
         llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 8);
}

class RowLoop {
public:
  /// `scratch`: the kernel's memory for the current row, or null.
  RowLoop(scf::ForOp loop, Value scratch) : loop(loop), scratch(scratch) {}
  bool isWorthIt();
  /// Does `kRows` rows at once, unless a row has memory that cannot be registers. What is missing in the end is the
  /// last row again: both read an element before one of them writes it.
  void interleave();

private:
  /// A row that is being written out: its values, and what is in its scratch memory by the byte.
  struct Row {
    IRMapping values;
    SmallVector<std::pair<int64_t, Value>> inScratch;
  };
  std::optional<size_t> sizeOf(Block &block) const;
  bool isScratch(Value value) const;
  std::optional<int64_t> scratchOffset(Value pointer, Row &row) const;
  LogicalResult writeAccess(Operation *op, Row &row);
  LogicalResult write(OpBuilder &b, Block &block);
  LogicalResult write(OpBuilder &b, Operation *op);
  LogicalResult write(OpBuilder &b, scf::ForOp inner, int64_t trips);

  scf::ForOp loop;
  Value scratch;
  Row rows[kRows];
};

/// The number of operations of a block, loops written out; nothing if some are of another kind than those of rows.
std::optional<size_t> RowLoop::sizeOf(Block &block) const {
  size_t size = 0;
  for (Operation &op : block.without_terminator()) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      std::optional<int64_t> trips = tripCountOf(inner);
      std::optional<size_t> body = trips ? sizeOf(*inner.getBody()) : std::nullopt;
      if (!body)
        return std::nullopt;
      size += *body * *trips;
    } else if (op.getNumRegions() > 0 ||
               !(isPure(&op) || isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::CallIntrinsicOp>(op))) {
      return std::nullopt;
    } else if (!op.hasTrait<OpTrait::ConstantLike>()) {
      ++size;
    }
  }
  return size;
}

bool RowLoop::isWorthIt() {
  if (loop->getParentOfType<scf::ForOp>() || loop.getNumResults() > 0 || getConstantIntValue(loop.getStep()) != 1)
    return false;
  bool folds = llvm::any_of(*loop.getBody(), [](Operation &op) { return isa<vector::ReductionOp>(op); });
  std::optional<size_t> size = folds ? sizeOf(*loop.getBody()) : std::nullopt;
  return size && *size <= kMostOps;
}

/// Whether a value is an address in the scratch memory of the row.
bool RowLoop::isScratch(Value value) const {
  while (auto gep = value.getDefiningOp<LLVM::GEPOp>())
    value = gep.getBase();
  return scratch && value == scratch;
}

/// Where `pointer` points to in the scratch memory of the row; nothing if nobody knows.
std::optional<int64_t> RowLoop::scratchOffset(Value pointer, Row &row) const {
  if (pointer == scratch)
    return 0;
  auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
  std::optional<int64_t> base = gep ? scratchOffset(gep.getBase(), row) : std::nullopt;
  if (!base || gep.getIndices().size() != 1)
    return std::nullopt;
  auto index = gep.getIndices()[0];
  std::optional<int64_t> count;
  if (auto attr = dyn_cast<IntegerAttr>(index))
    count = attr.getInt();
  else
    count = getConstantIntValue(row.values.lookupOrDefault(cast<Value>(index)));
  Type element = gep.getElemType();
  if (!count || !element.isIntOrFloat())
    return std::nullopt;
  return *base + *count * bytesOf(element);
}

LogicalResult RowLoop::write(OpBuilder &b, scf::ForOp inner, int64_t trips) {
  int64_t begin = *getConstantIntValue(inner.getLowerBound()), step = *getConstantIntValue(inner.getStep());
  for (Row &row : rows)
    for (auto [argument, init] : llvm::zip_equal(inner.getRegionIterArgs(), inner.getInitArgs()))
      row.values.map(argument, row.values.lookupOrDefault(init));
  for (int64_t trip = 0; trip < trips; ++trip) {
    Type type = inner.getInductionVar().getType();
    Value number = arith::ConstantOp::create(b, inner.getLoc(), b.getIntegerAttr(type, begin + trip * step));
    for (Row &row : rows)
      row.values.map(inner.getInductionVar(), number);
    if (failed(write(b, *inner.getBody())))
      return failure();
    for (Row &row : rows) {
      auto next = llvm::map_to_vector(inner.getYieldedValues(), [&](Value v) { return row.values.lookupOrDefault(v); });
      row.values.map(inner.getRegionIterArgs(), next);
    }
  }
  for (Row &row : rows)
    for (auto [result, argument] : llvm::zip_equal(inner.getResults(), inner.getRegionIterArgs()))
      row.values.map(result, row.values.lookup(argument));
  return success();
}

LogicalResult RowLoop::write(OpBuilder &b, Operation *op) {
  if (auto inner = dyn_cast<scf::ForOp>(op))
    return write(b, inner, *tripCountOf(inner));
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    Operation *constant = b.clone(*op);
    for (Row &row : rows)
      row.values.map(op->getResults(), constant->getResults());
    return success();
  }
  for (Row &row : rows) {
    bool isAccess = !isa<LLVM::GEPOp>(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
      return isScratch(row.values.lookupOrDefault(operand));
    });
    if (!isAccess)
      b.clone(*op, row.values);
    else if (failed(writeAccess(op, row)))
      return failure();
  }
  return success();
}

/// A load or store of scratch memory becomes a value.
LogicalResult RowLoop::writeAccess(Operation *op, Row &row) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  auto store = dyn_cast<LLVM::StoreOp>(op);
  if (!load && !store)
    return failure();
  std::optional<int64_t> offset =
      scratchOffset(row.values.lookupOrDefault(load ? load.getAddr() : store.getAddr()), row);
  if (!offset)
    return failure();
  if (load) {
    auto *it = llvm::find_if(row.inScratch, [&](const auto &entry) { return entry.first == *offset; });
    if (it == row.inScratch.end() || it->second.getType() != load.getType())
      return failure();
    row.values.map(load.getResult(), it->second);
    return success();
  }
  // What is written over, if only in part, can be read no more.
  Value value = row.values.lookupOrDefault(store.getValue());
  int64_t end = *offset + bytesOf(value.getType());
  llvm::erase_if(row.inScratch, [&](const auto &entry) {
    return entry.first < end && *offset < entry.first + bytesOf(entry.second.getType());
  });
  row.inScratch.emplace_back(*offset, value);
  return success();
}

LogicalResult RowLoop::write(OpBuilder &b, Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(write(b, &op)))
      return failure();
  return success();
}

void RowLoop::interleave() {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value end = loop.getUpperBound();
  auto number = [&](int64_t value) { return arith::ConstantOp::create(b, b.getIntegerAttr(end.getType(), value)); };
  Value last = arith::SubIOp::create(b, end, number(1));
  auto several = scf::ForOp::create(b, loop.getLowerBound(), end, number(kRows));
  several->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  b.setInsertionPointToStart(several.getBody());
  for (auto [i, row] : llvm::enumerate(rows)) {
    Value next = several.getInductionVar();
    if (i > 0)
      next = arith::MinSIOp::create(b, arith::AddIOp::create(b, next, number(i)), last);
    row.values.map(loop.getInductionVar(), next);
  }
  (succeeded(write(b, *loop.getBody())) ? loop : several).erase();
}

struct InterleaveRowsPass : impl::InterleaveRowsBase<InterleaveRowsPass> {
  using InterleaveRowsBase::InterleaveRowsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      auto contract = kernel->getAttrOfType<ImplementationAttr>(XlaRtDialect::kImplementation);
      auto impl = contract ? symbols.lookup<func::FuncOp>(contract.getFunction().getValue()) : func::FuncOp();
      if (!impl || impl.isExternal() || contract.getOrdered())
        continue;
      // Before the begin and the end of the work.
      Value scratch = contract.getScratch() > 0 ? impl.getArgument(impl.getNumArguments() - 3) : Value();
      SmallVector<RowLoop, 0> loops;
      impl.walk([&](scf::ForOp loop) {
        if (RowLoop rows(loop, scratch); rows.isWorthIt())
          loops.push_back(rows);
      });
      for (RowLoop &rows : loops)
        rows.interleave();
    }
  }
};

} // namespace
} // namespace mlir::xla
