// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/kernels/Evaluations.h"

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Cost.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::xla;

/// Where an element is: a function of the indices of an element somewhere else, of which a number stands for the way
/// from there to what is computed.
using Position = std::pair<uint64_t, AffineMap>;
/// Each with the number of elements for which it is one. Most ops have one or two, and there are as many of these as a
/// cluster has ops each time that it grows.
using Positions = llvm::SmallDenseMap<Position, int64_t, 4>;

static int64_t elementsOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.hasStaticShape() ? tensor.getNumElements() : 1;
}

/// Is it computed once, and found in memory or a register by all that read it?
static bool isKept(const KernelOp &op) { return op.isReduction || op.isScan || !op.linalgOp; }

/// `map` of what `position` gives, mostly one of the two as it is.
static AffineMap composed(AffineMap map, AffineMap position) {
  if (map.isIdentity())
    return position;
  return position.isIdentity() ? map : map.compose(position);
}

/// The loops of `op` at a position of its result; null if that takes more than a permutation. Of what is kept,
/// positions are its loops.
static AffineMap loopsAt(KernelOp &op, AffineMap position) {
  if (isKept(op))
    return position;
  AffineMap own = op.linalgOp.getMatchingIndexingMap(op.linalgOp.getDpsInitOperand(0));
  if (own.isIdentity())
    return position;
  AffineMap inverse = own.isPermutation() ? inversePermutation(own) : AffineMap();
  return inverse ? composed(inverse, position) : AffineMap();
}

/// Adds where `op`, at a position of its result, reads what another op of the cluster computes. Where it chooses among
/// several, as a roll does, that is one of them if `choices` are, too.
static void addPositions(KernelOp &op, const KernelOp::Read &read, const Position &position, int64_t elements,
                         bool choices, Positions &found) {
  auto insert = [&](const Position &added, Value value) {
    int64_t &most = found[added];
    most = std::max(most, std::min(elements, elementsOf(value)));
  };
  if (read.isWhole && !isKept(op)) {
    insert(position, read.value);
    return;
  }
  AffineMap loops = op.linalgOp ? loopsAt(op, position.second) : AffineMap();
  auto slice = dyn_cast<tensor::ExtractSliceOp>(read.user);
  bool isMoved = slice && slice.getSource() == read.value && !slice.getDroppedDims().any() &&
                 !ShapedType::isDynamicShape(slice.getStaticOffsets());
  if (loops && (read.isDirect || isMoved)) {
    Value value = isMoved ? slice.getResult() : read.value;
    bool isOperand = false;
    for (OpOperand &operand : op.op->getOpOperands()) {
      if (operand.get() != value)
        continue;
      isOperand = true;
      AffineMap map = composed(op.linalgOp.getMatchingIndexingMap(&operand), loops);
      if (isMoved) {
        SmallVector<AffineExpr> exprs;
        for (auto [expr, offset, stride] :
             llvm::zip_equal(map.getResults(), slice.getStaticOffsets(), slice.getStaticStrides()))
          exprs.push_back(expr * stride + offset);
        map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs, map.getContext());
      }
      insert({position.first, map}, value);
    }
    if (isOperand || read.isDirect)
      return;
  }
  unsigned rank = cast<RankedTensorType>(read.value.getType()).getRank();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, op.op->getContext());
  Value value = read.user == op.op ? read.value : read.user->getResult(0);
  auto add = [&](Operation *reader) {
    insert({llvm::hash_combine(position.first, position.second, reader), identity},
           isa<RankedTensorType>(value.getType()) ? value : read.value);
  };
  // A reader in the body of `op`, or the choice that it is a part of.
  auto chosenBy = [&](Operation *reader) {
    for (Operation *around = reader; around != op.op; around = around->getParentOp())
      if (isa<scf::IfOp>(around))
        reader = around;
    return reader;
  };
  for (Operation *user : read.value.getUsers()) {
    if (!read.user->isAncestor(user))
      continue;
    bool isInBody = op.op->isProperAncestor(user);
    if (!choices || (!isInBody && user != slice))
      add(user);
    else if (isInBody)
      add(chosenBy(user));
    else
      for (Operation *reader : user->getUsers())
        if (op.op->isAncestor(reader))
          add(reader == op.op ? user : chosenBy(reader));
  }
}

/// A scalar has one position, wherever elementwise code reads it.
static bool isScalar(const KernelOp &op, const KernelOp::Read &read) {
  return read.isDirect && !isKept(op) && cast<RankedTensorType>(read.value.getType()).getRank() == 0;
}

/// Numbers `ops`, and says which of what they read is computed again.
static auto numbered(ArrayRef<KernelOp *> ops) {
  for (auto [i, op] : llvm::enumerate(ops))
    op->member = i;
  return [ops](const KernelOp::Read &read) {
    size_t member = read.source->member;
    return member < ops.size() && ops[member] == read.source && !isKept(*read.source);
  };
}

namespace {
/// Of the results of an op.
struct Evaluated {
  size_t positions = 0; // of what is computed for one element of what is computed together
  int64_t elements = 0; // computed at these
};
} // namespace

/// What is computed of each of `ops`; nothing if there are more than `most` positions altogether.
static SmallVector<Evaluated> evaluationsOf(ArrayRef<KernelOp *> ops, size_t most, bool choices) {
  auto isComputedAgain = numbered(ops);
  std::vector<Positions> positions(ops.size());
  SmallVector<Evaluated> evaluated(ops.size());
  size_t sum = 0;
  for (KernelOp *op : llvm::reverse(ops)) {
    Positions &own = positions[op->member];
    bool kept = isKept(*op);
    if (own.empty()) {
      unsigned loops = op->linalgOp ? op->linalgOp.getNumLoops() : op->numParallel;
      own[{kept ? op->member + 1 : 0, AffineMap::getMultiDimIdentityMap(loops, op->op->getContext())}] =
          ShapedType::getNumElements(op->sizes);
    }
    evaluated[op->member].positions = own.size();
    sum += own.size();
    if (sum > most)
      return {};
    for (auto &[position, elements] : own) {
      evaluated[op->member].elements += elements;
      for (const KernelOp::Read &read : op->reads)
        if (isComputedAgain(read))
          addPositions(*op, read, position, elements, choices, positions[read.source->member]);
    }
  }
  return evaluated;
}

/// Instructions for an element of what `op` computes, in lanes. Indices and what is compared with them hardly count:
/// most vectors are in the interior.
static int64_t instructionsOf(KernelOp &op) {
  constexpr int64_t ofExpensive = 8, ofFunction = 20;
  if (!op.linalgOp)
    return 1;
  int64_t count = 0;
  for (Operation &inner : op.linalgOp.getBlock()->without_terminator()) {
    auto isIndex = [](Type type) { return type.isIndex() || type.isInteger(1); };
    if (inner.getNumOperands() > 0 && !llvm::all_of(inner.getResultTypes(), isIndex))
      count += isFunction(&inner)      ? ofFunction
               : inner.getNumRegions() ? operationsOf(&inner)
               : isExpensive(&inner)   ? ofExpensive
                                       : 1;
  }
  return count;
}

/// A tensor of more than a number, which is no constant.
static bool isInMemory(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getRank() > 0 && !value.getDefiningOp<tensor::EmptyOp>() &&
         !matchPattern(value, m_Constant());
}

/// Tensors in memory that `op` reads where it computes an element of `ops`.
static int64_t loadsOf(const KernelOp &op, ArrayRef<KernelOp *> ops) {
  int64_t inside = llvm::count_if(op.reads, [&](const KernelOp::Read &read) {
    return read.source->member < ops.size() && ops[read.source->member] == read.source;
  });
  return std::max<int64_t>(0, llvm::count_if(op.values, isInMemory) - inside);
}

std::optional<int64_t> mlir::xla::instructionsOf(ArrayRef<KernelOp *> ops) {
  constexpr size_t most = 1 << 14;
  SmallVector<Evaluated> evaluated = evaluationsOf(ops, most, /*choices=*/true);
  if (evaluated.empty())
    return std::nullopt;
  int64_t sum = 0;
  for (auto [op, each] : llvm::zip_equal(ops, evaluated))
    sum += each.elements * (::instructionsOf(*op) + loadsOf(*op, ops));
  return sum;
}

bool mlir::xla::evaluatesTooMuch(ArrayRef<KernelOp *> ops) {
  // For one element of the results, so many for each op and as many more.
  constexpr size_t ofOps = 4, more = 128;
  size_t most = ofOps * ops.size() + more;
  auto isComputedAgain = numbered(ops);
  // Most clusters read everything else at one position, too.
  size_t bound = ops.size();
  for (KernelOp *op : ops)
    for (const KernelOp::Read &read : op->reads)
      if (isComputedAgain(read) && !read.isWhole && !isScalar(*op, read) && bound <= most)
        bound *= 2;
  return bound > most && evaluationsOf(ops, most, /*choices=*/false).empty();
}

std::optional<int64_t> mlir::xla::numbersAtOnce(ArrayRef<KernelOp *> ops) {
  // From where it is computed, or first read, to where it is last read.
  llvm::MapVector<Value, std::pair<size_t, size_t>> ranges;
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (isKept(*op) || op->hasLoop)
      return std::nullopt;
    for (const KernelOp::Read &read : op->reads)
      if (ranges.contains(read.value) && !isScalar(*op, read) && (!read.isDirect || !read.isWhole))
        return std::nullopt;
    for (Value value : op->values)
      if (isInMemory(value) && !value.getDefiningOp<linalg::FillOp>())
        ranges.try_emplace(value, i, i).first->second.second = i;
    for (Value result : op->op->getResults())
      ranges.try_emplace(result, i, i);
  }
  SmallVector<int64_t> change(ops.size() + 1);
  for (const auto &[value, range] : ranges) {
    int64_t numbers = llvm::divideCeil(elementStorageBytes(getElementTypeOrSelf(value)), 4);
    change[range.first] += numbers;
    change[range.second + 1] -= numbers;
  }
  int64_t now = 0, most = 0;
  for (int64_t each : change)
    most = std::max(most, now += each);
  return most;
}
