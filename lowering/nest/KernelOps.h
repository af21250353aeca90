// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of a block as parts of kernels: what can be said of each of them, whatever it shares a kernel with.

#ifndef MLIR_XLA_LOWERING_NEST_KERNELOPS_H
#define MLIR_XLA_LOWERING_NEST_KERNELOPS_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <deque>

namespace mlir::xla {

/// True for ops that a kernel recomputes where it needs them: views, fills, splat constants, uninitialised tensors,
/// scalar arithmetic and scalar reads.
bool isFree(Operation *op);

/// True for ops that kernels are made for.
bool isComputing(Operation *op);

/// True for a reshape of something that is in memory already, which costs nothing in the schedule: kernels that do not
/// compute it (`computes` tells that) take it as an argument.
bool isViewOfMemory(Value value, llvm::function_ref<bool(Operation *)> computes);

/// One computing op of a block, or a free one that a kernel returns.
struct KernelOp {
  /// What the op reads of a computing one, directly or through free ops.
  struct Read {
    KernelOp *source;
    Value value;           // the computed tensor
    Operation *user;       // this op, or the free one that stands between
    bool isDirect;         // an operand, neither seen through a free op nor read at positions of its own
    unsigned leading = 0;  // so many leading indices are those of this op's own result
    bool isWhole = false;  // all of them are
    bool isPrefix = false; // the leading loops of this op, in order, or constants are the indices
  };

  /// Who needs one of its results.
  struct Users {
    SmallVector<KernelOp *, 4> readers; // computing ops of the block, which read it directly or through free ops
    bool byOthers = false;              // something else needs it in memory
  };

  Operation *op = nullptr;
  linalg::LinalgOp linalgOp;  // null for an update, and for a free op
  SmallVector<Value> values;  // valuesRead
  SmallVector<Read> reads;    // what of these, or behind them, other ops of the block compute
  SmallVector<int64_t> sizes; // of its loops: one for each dimension of its result, then the reduced ones
  unsigned numParallel = 0;   // of `sizes`
  unsigned leadingLoops = 0;  // so many leading dimensions of the results are the leading loops
  bool isReduction = false;   // a scan is none
  bool isScan = false;
  std::optional<KernelKind> kind; // of a reduction, once somebody asked for it
  std::optional<bool> expensive;  // likewise: its body has an expensive operation
  unsigned bodySize = 0;          // operations of the body
  bool hasLoop = false;           // there is one in it
  SmallVector<Users, 1> users;    // of each result, once somebody asked for them
  StringRef refusal;              // why no kernel can compute it; empty if one can
  Operation *refused = nullptr;   // the op that this is about
  unsigned member = ~0u;          // its number in the cluster that was looked at last

  /// True if the body has an expensive operation.
  bool isExpensive();
  ArrayRef<int64_t> parallelSizes() const { return ArrayRef(sizes).take_front(numParallel); }
};

/// Is `value`, from wherever it is, only read by the indices of the result of `op`?
bool readsByOwnIndices(const KernelOp &op, Value value);

/// The tensors and scalars that `op` reads, those captured by its region included.
SmallVector<Value> valuesRead(Operation *op);

/// What is known of the ops of one block. The block must not change meanwhile.
class KernelOps {
public:
  explicit KernelOps(Block &block) : block(block) {}

  KernelOp &get(Operation *op);

  /// What a kernel of the one reduction is called: a contraction, a convolution, or just that.
  KernelKind kindOf(KernelOp &reduction);

  /// For each result of `op`, who needs it.
  ArrayRef<KernelOp::Users> usersOf(KernelOp &op);

private:
  void findUsers(Value value, KernelOp::Users &users);
  void readThrough(KernelOp &reader, Value value, Operation *user, bool isDirect,
                   llvm::SmallPtrSetImpl<Operation *> &seen);

  Block &block;
  std::deque<KernelOp> storage;
  DenseMap<Operation *, KernelOp *> known;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_KERNELOPS_H
