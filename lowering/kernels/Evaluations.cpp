// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/kernels/Evaluations.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::xla;

/// Where an element is: a function of the indices of an element somewhere else, of which a number stands for the way
/// from there to what is computed.
using Position = std::pair<uint64_t, AffineMap>;
using Positions = llvm::DenseSet<Position>;

/// Is it computed once, and found in memory or a register by all that read it?
static bool isKept(const KernelOp &op) { return op.isReduction || op.isScan || !op.linalgOp; }

/// The loops of `op` at a position of its result; null if that takes more than a permutation. Of what is kept,
/// positions are its loops.
static AffineMap loopsAt(KernelOp &op, AffineMap position) {
  if (isKept(op))
    return position;
  AffineMap own = op.linalgOp.getMatchingIndexingMap(op.linalgOp.getDpsInitOperand(0));
  AffineMap inverse = own.isPermutation() ? inversePermutation(own) : AffineMap();
  return inverse ? inverse.compose(position) : AffineMap();
}

/// Adds where `op`, at a position of its result, reads what another op of the cluster computes.
static void addPositions(KernelOp &op, const KernelOp::Read &read, const Position &position, Positions &found) {
  if (read.isWhole && !isKept(op)) {
    found.insert(position);
    return;
  }
  AffineMap loops = read.isDirect && op.linalgOp ? loopsAt(op, position.second) : AffineMap();
  if (loops) {
    for (OpOperand &operand : op.op->getOpOperands())
      if (operand.get() == read.value)
        found.insert({position.first, op.linalgOp.getMatchingIndexingMap(&operand).compose(loops)});
    return;
  }
  auto isWithin = [&](Operation *user) { return read.user->isAncestor(user); };
  unsigned rank = cast<RankedTensorType>(read.value.getType()).getRank();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, op.op->getContext());
  for (Operation *user : read.value.getUsers())
    if (isWithin(user))
      found.insert({llvm::hash_combine(position.first, position.second, user), identity});
}

bool mlir::xla::evaluatesMore(ArrayRef<KernelOp *> ops, size_t most) {
  for (auto [i, op] : llvm::enumerate(ops))
    op->member = i;
  auto isComputedAgain = [&](const KernelOp::Read &read) {
    size_t member = read.source->member;
    return member < ops.size() && ops[member] == read.source && !isKept(*read.source);
  };
  // A scalar has one position, wherever elementwise code reads it.
  auto isScalar = [](const KernelOp &op, const KernelOp::Read &read) {
    return read.isDirect && !isKept(op) && cast<RankedTensorType>(read.value.getType()).getRank() == 0;
  };
  // Most clusters read everything else at one position, too.
  size_t bound = ops.size();
  for (KernelOp *op : ops)
    for (const KernelOp::Read &read : op->reads)
      if (isComputedAgain(read) && !read.isWhole && !isScalar(*op, read) && bound <= most)
        bound *= 2;
  if (bound <= most)
    return false;

  std::vector<Positions> positions(ops.size());
  size_t count = 0;
  for (KernelOp *op : llvm::reverse(ops)) {
    Positions &own = positions[op->member];
    bool kept = isKept(*op);
    if (own.empty()) {
      unsigned loops = op->linalgOp ? op->linalgOp.getNumLoops() : op->numParallel;
      own.insert({kept ? op->member + 1 : 0, AffineMap::getMultiDimIdentityMap(loops, op->op->getContext())});
    }
    count += own.size();
    if (count > most)
      return true;
    for (const KernelOp::Read &read : op->reads)
      if (isComputedAgain(read))
        for (const Position &position : own)
          addPositions(*op, read, position, positions[read.source->member]);
  }
  return false;
}
