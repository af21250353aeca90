// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's tensors as scalar expressions of loop indices. Fusion happens here: reading a tensor that is computed
// inside the kernel inlines its defining linalg op, reading one that lives in memory becomes a load whose address is
// linear in the loop indices. The expressions are what NestPlan analyses and NestEmitter turns into code.

#ifndef MLIR_XLA_LOWERING_NEST_KERNELEXPR_H
#define MLIR_XLA_LOWERING_NEST_KERNELEXPR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallBitVector.h"

#include <deque>
#include <map>

namespace mlir::xla {

struct ExprNode;

/// Row buffers begin at multiples of so many bytes: a cache line, or a vector of the widest registers.
constexpr int64_t kRowAlignment = 64;

/// Where a tensor lives: `slot` names a pointer of the kernel implementation, strides are in elements. A row buffer
/// (scratch of the current row) has stride 0 along the row dimensions. One of a block of rows has stride 0 along those
/// outside the block, and `origin` is the loop dimension that says where the block begins. One whose rows have
/// `rowElements` along a single dimension has room after them up to the next multiple of `kRowAlignment` bytes.
struct Buffer {
  unsigned slot = 0;
  SmallVector<int64_t> strides;
  int origin = -1;
  int64_t rowElements = 0;
};

/// `constant + sum(dims[d] * loop d) + sum(coef * symbol) + sum(coef * nonlinear affine expression)`, in elements.
struct Address {
  int64_t constant = 0;
  SmallVector<int64_t> dims;
  SmallVector<std::pair<ExprNode *, int64_t>> symbols;
  SmallVector<std::pair<AffineExpr, int64_t>> nonlinear;

  bool operator==(const Address &other) const {
    return constant == other.constant && dims == other.dims && symbols == other.symbols && nonlinear == other.nonlinear;
  }
};

/// What must hold (or must not, if negated) where a value is needed.
struct Guard {
  ExprNode *condition;
  bool negated;
  bool operator==(const Guard &other) const { return condition == other.condition && negated == other.negated; }
};

/// What a loop in a body begins with and what it reads, which comes from outside of it.
SmallVector<Value> valuesOfLoop(scf::ForOp loop);

/// One scalar value per loop iteration.
struct ExprNode {
  enum Kind {
    Load,     // memory at `address` of `buffer`
    Apply,    // `op` (one of arith, math, complex, or a loop) on `operands`
    Select,   // the second of `operands` if the first, an i1, holds, else the third
    Index,    // `address` as an i64 value
    Constant, // `attr`
    Scalar,   // `value`: an SSA value of the kernel that no loop index changes
  };
  Kind kind;
  Type type;                 // element type; index values have type i64
  llvm::SmallBitVector deps; // the loop dimensions it depends on
  Operation *op = nullptr;   // Apply
  unsigned resultNumber = 0; // Apply
  // Apply of a loop, whose operands are valuesOfLoop: the nodes of all its results, in order.
  SmallVector<ExprNode *> results;
  SmallVector<ExprNode *> operands;
  Buffer buffer;   // Load
  Address address; // Load, Index
  // Load: the address is valid only where all of these hold; elsewhere the value is arbitrary and nothing is read.
  SmallVector<Guard> guards;
  AffineExpr affine; // Index: the same as an affine expression (symbols index `KernelExprs::symbols`)
  Attribute attr;    // Constant
  Value value;       // Scalar, and Load: the tensor read
  // Load: a part of a complex number, whose elements `address` counts; `pair` loads the other part.
  ExprNode *pair = nullptr;
  bool isImaginary = false;
};

/// Builds expressions of the ops of a kernel that NestStructure has looked at. `numDims` loop dimensions exist;
/// `memory` says which tensors are in memory (kernel arguments and materialised values), all others are inlined.
class KernelExprs {
public:
  KernelExprs(MLIRContext *context, unsigned numDims, const DenseMap<Value, Buffer> &memory)
      : context(context), numDims(numDims), memory(memory) {}

  /// The element of `tensor` at `indices` (affine expressions of the loop dims and of symbols).
  ExprNode *element(Value tensor, ArrayRef<AffineExpr> indices);

  /// The values yielded by the body of `op` when its loops stand at `loops`; its block arguments for outputs are bound
  /// to `outputs` (the running values of a reduction); `inputs`, if given, replace the elements of the input tensors.
  SmallVector<ExprNode *> body(linalg::LinalgOp op, ArrayRef<AffineExpr> loops, ArrayRef<ExprNode *> outputs,
                               ArrayRef<ExprNode *> inputs = {});

  /// The values yielded by `block`, scalar code, for `arguments`.
  SmallVector<ExprNode *> scalarBlock(Block &block, ArrayRef<ExprNode *> arguments);

  /// A read of `buffer` at `address`.
  ExprNode *load(Type type, const Buffer &buffer, const Address &address);

  /// From now on reading `tensor` (at the indices of the current iteration) yields `node`, a value kept in a register.
  void bind(Value tensor, ExprNode *node) { known[tensor] = node; }
  void unbind(Value tensor) { known.erase(tensor); }

  /// Forgets shared subexpressions, so that the next nest gets nodes of its own.
  void startNest() {
    memo.clear();
    loads.clear();
  }

  /// A node standing for a value that the emitter provides (an accumulator), depending on `deps`.
  ExprNode *placeholder(Type type, const llvm::SmallBitVector &deps);

  /// Another node like `node`.
  ExprNode *copy(const ExprNode &node) { return &nodes.emplace_back(node); }

  /// A slice offset as an expression.
  AffineExpr offset(OpFoldResult value);

  /// `indices` of a tensor in `buffer` as an address.
  Address linearize(ArrayRef<AffineExpr> indices, const Buffer &buffer);

  ArrayRef<ExprNode *> getSymbols() const { return symbols; }
  /// True if 32 bits hold every quotient, divisor and dividend of the index arithmetic: those are indices of a tensor
  /// that some expression reads, or sizes of it.
  bool dividesIn32Bits() const { return llvm::isUInt<32>(largestTensor); }
  llvm::SmallBitVector noDeps() const { return llvm::SmallBitVector(numDims); }
  /// Every load made so far.
  SmallVector<ExprNode *> loads;

private:
  using MemoKey = std::vector<const void *>;
  MemoKey keyOf(Value tensor, ArrayRef<AffineExpr> indices) const;
  ExprNode *make(ExprNode::Kind kind, Type type);
  ExprNode *build(Value tensor, ArrayRef<AffineExpr> indices);
  ExprNode *scalar(Value value, DenseMap<Value, ExprNode *> &bound, ArrayRef<AffineExpr> loops);
  ExprNode *folded(Operation *op, ArrayRef<ExprNode *> operands);
  ExprNode *loopResult(OpResult value, DenseMap<Value, ExprNode *> &bound, ArrayRef<AffineExpr> loops);
  ExprNode *conditional(OpResult value, DenseMap<Value, ExprNode *> &bound, ArrayRef<AffineExpr> loops);
  ExprNode *indexNode(AffineExpr expr);
  AffineExpr asAffine(ExprNode *node);
  ExprNode *constant(Attribute value, Type type);

  MLIRContext *context;
  unsigned numDims;
  int64_t largestTensor = 0; // elements of the largest tensor read
  const DenseMap<Value, Buffer> &memory;
  std::deque<ExprNode> nodes;
  SmallVector<ExprNode *> symbols;
  DenseMap<ExprNode *, unsigned> symbolOf;
  DenseMap<Value, ExprNode *> uniform;
  DenseMap<Value, ExprNode *> known;
  std::map<MemoKey, ExprNode *> memo;
  /// Of the branches being read, outermost first, with the region of each; null for those around an inlined op.
  SmallVector<std::pair<Guard, Region *>> guards;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_KERNELEXPR_H
