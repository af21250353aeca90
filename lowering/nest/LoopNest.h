// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop nest of a kernel and the decisions about it: which dimension becomes vector lanes, which one is unrolled and
// jammed, how the parallel work is cut.

#ifndef MLIR_XLA_LOWERING_NEST_LOOPNEST_H
#define MLIR_XLA_LOWERING_NEST_LOOPNEST_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir_xla/lowering/nest/KernelExpr.h"

#include <optional>

namespace mlir::xla {

/// Writes `value` to memory in every iteration of the parallel dimensions.
struct Store {
  ExprNode *value = nullptr;
  Buffer buffer;
  Address address;
  Type elementType;
};

/// In which order the elements of a reduction may be combined.
enum class FoldOrder {
  Any,   // the combiner commutes
  Index, // neighbours only
  Key,   // of any elements the one with the smaller key comes first; among those of one lane that is index order
};

/// The accumulators of one reducing linalg op, or of a scan, which has no `accumulators`, `next` and `stores`: its
/// `results` are known in every iteration.
struct Reduction {
  linalg::LinalgOp op;
  SmallVector<ExprNode *> inits;             // before the first iteration
  SmallVector<ExprNode *> accumulators;      // placeholders for the running values
  SmallVector<ExprNode *> next;              // the running values after one more iteration
  std::optional<vector::CombiningKind> kind; // the combiner, if it is a known operation
  // A combiner of unknown operation, to fold partial results: `combined` from (`left`, `right`). `elements` is what one
  // iteration combines with the running values.
  SmallVector<ExprNode *> left, right, combined, elements;
  FoldOrder order = FoldOrder::Index;
  unsigned key = 0;       // FoldOrder::Key: the number of the array that holds the keys
  SmallVector<bool> sums; // per array: a floating-point sum
  // Where results go: a store (parallel dimensions only), and the node that elementwise code after the reduction reads.
  std::vector<std::optional<Store>> stores;
  SmallVector<ExprNode *> results;
  bool rowScalar = false;       // the results stay known to later nests of the row
  std::optional<Store> partial; // memory that may hold the running value; its `value` loads it
};

struct LoopNest {
  SmallVector<int64_t> sizes;   // per dimension of the kernel; 1 for those that are not this nest's
  llvm::SmallBitVector reduced; // the reduction dimensions
  llvm::SmallBitVector ordered; // the dimension along which a scan carries values from one iteration to the next
  bool backwards = false;       // it does so from the last to the first
  llvm::SmallBitVector rows;    // the dimensions that the kernel's row loop already provides
  std::vector<Store> stores;    // made in every iteration
  std::vector<Reduction> reductions;
  std::vector<Store> epilogue; // made once the reduction is complete, from its results
  SmallVector<ExprNode *> loads;
  bool inPlace = false; // some result of the kernel is the memory of an argument

  int64_t iterations(bool includeRows) const;
  bool isScan() const { return ordered.any(); }
  /// True if the reduction loops are to be walked in index order.
  bool isOrdered() const;
  /// All nodes that the nest evaluates, operands before users.
  SmallVector<ExprNode *> nodes() const;
};

struct TargetShape {
  unsigned vectorBits = 512;
  unsigned threads = 1;
  unsigned registers() const { return vectorBits == 512 ? 32 : 16; }
};

struct NestPlan {
  int v = -1;           // the dimension in vector lanes, -1: scalar code
  unsigned lanes = 1;   // W
  unsigned vUnroll = 1; // vectors of v per iteration
  int u = -1;           // the dimension that is unrolled and jammed
  unsigned uUnroll = 1;
  bool vReduced = false;       // the lanes hold partial results, or those of a scan v itself
  bool foldsInOrder = false;   // those of reductions that are not FoldOrder::Any are folded in order in every step
  bool uOverlaps = false;      // the last step along u begins early enough to be whole, and computes some results twice
  bool vMasked = false;        // the last step along v is whole, too, with a mask
  bool streaming = false;      // accumulate in memory: reductions outside, v inside
  SmallVector<unsigned> outer; // parallel dimensions outside u and v, outermost first
  SmallVector<unsigned> reductionLoops; // outermost first, without v
  int64_t vBlock = 0, uBlock = 0;       // block sizes of the parallel work; 0: not cut
  unsigned chunk = 1;                   // elements in 128 bits, for transposed loads
  DenseSet<ExprNode *> transposed;      // loads contiguous along u, read in chunks of 128 bits
};

/// True for `d floordiv c` and `d mod c` with c a multiple of `lanes`: vectors of lanes along d, which begin at
/// multiples of their width, never straddle a multiple of c.
bool isLaneAligned(AffineExpr expr, unsigned dim, unsigned lanes);

/// Merges neighbouring dimensions that every address of the nest walks as one, and drops those of size 1.
void collapseDims(LoopNest &nest);

NestPlan planNest(const LoopNest &nest, const TargetShape &target);
/// The plan of a nest that is a scan.
NestPlan planScan(const LoopNest &nest, const TargetShape &target);

/// The decisions in words.
std::string describePlan(const LoopNest &nest, const NestPlan &plan);

/// A rough estimate in nanoseconds of all iterations on one core; decides between a direct call and parallel work.
int64_t estimateCost(const LoopNest &nest, const NestPlan &plan, bool includeRows);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_LOOPNEST_H
