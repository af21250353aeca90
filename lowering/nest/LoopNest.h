// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop nest of a kernel: its dimensions and what it computes, without a decision of how it is walked.

#ifndef MLIR_XLA_LOWERING_NEST_LOOPNEST_H
#define MLIR_XLA_LOWERING_NEST_LOOPNEST_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir_xla/lowering/nest/KernelExpr.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::xla {

/// Writes `value` to memory in every iteration of the parallel dimensions.
struct Store {
  ExprNode *value = nullptr;
  Buffer buffer;
  Address address;
  Type elementType;
  ExprNode *imaginary = nullptr; // of complex elements whose parts are computed: `value` is the real one
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
  std::optional<vector::CombiningKind> kind; // the combiner of each array, if it is a known operation
  // An operation whose neutral element changes nothing: `kind`, that of the numbers of 16 bits which the combiner
  // widens, or, on a device, a complex sum.
  std::optional<vector::CombiningKind> neutral;
  // A combiner of unknown operation, to fold partial results: `combined` from (`left`, `right`). `elements` is what one
  // iteration combines with the running values.
  SmallVector<ExprNode *> left, right, combined, elements;
  FoldOrder order = FoldOrder::Index;
  unsigned key = 0; // FoldOrder::Key: the number of the array that holds the keys
  // FoldOrder::Key: of the values, NaN or else the greatest (the least, if MIN) with the smallest key is what is
  // chosen.
  std::optional<vector::CombiningKind> chosen;
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
  int64_t rowsPerBlock = 1;     // with another dimension for each of them
  std::vector<Store> stores;    // made in every iteration
  std::vector<Reduction> reductions;
  std::vector<Store> epilogue; // made once the reduction is complete, from its results
  SmallVector<ExprNode *> loads;
  bool inPlace = false; // it writes to memory that it reads: a result is that of an argument, or scratch is shared
  bool updates = false; // a result is that of an argument, of which nothing is read
  bool isAlone = false; // the kernel has no rows and no other nest: its dimensions may be parallel work
  bool outlivesCaches = false; // what it writes is larger than a cache, and the program does not read it

  int64_t iterations(bool includeRows) const;
  bool isScan() const { return ordered.any(); }
  /// True if computing a result twice changes nothing.
  bool mayRepeat() const { return stores.empty() && (!inPlace || updates); }
  /// True if the reduction loops are to be walked in index order.
  bool isOrdered() const;
  /// True for a parallel dimension that is to be walked, and that the rows do not walk already.
  bool isParallelLoop(unsigned dim) const {
    return !reduced.test(dim) && !ordered.test(dim) && !rows.test(dim) && sizes[dim] != 1;
  }
  /// True if `dim` is the only parallel loop around a reduction.
  bool hasOneResult(unsigned dim) const;
  bool isReductionLoop(unsigned dim) const { return reduced.test(dim) && sizes[dim] != 1; }
  /// True if no reduction loop has a later index.
  bool isInnermostReduced(unsigned dim) const;
  /// Does a load move along a reduced dimension as it does along `dim`?
  bool isWindowed(unsigned dim) const;
  /// Is an array read of which no two iterations have an element in common?
  bool readsEachOnce() const;
  /// All nodes that the nest evaluates, operands before users.
  SmallVector<ExprNode *> nodes() const;
};

/// Are these the sizes of the nest? A plan for another one means other dimensions by the same names.
LogicalResult checkSizes(const LoopNest &nest, ArrayRef<int64_t> ofPlan, function_ref<InFlightDiagnostic()> emitError);

/// Adds `node`, unless it is null, and all that it is computed of to `seen`, operands before users.
void collectNodes(ExprNode *node, llvm::SetVector<ExprNode *> &seen);
/// Whether it has a value wherever it is computed: none of the loads in it is guarded, where it would be arbitrary.
bool isCertain(ExprNode *node);

/// Every address in the nest, of which `nodes` are all nodes.
SmallVector<Address *> addressesOf(LoopNest &nest, ArrayRef<ExprNode *> nodes);

/// How many instructions the arithmetic of `nodes` is, roughly, for numbers as for vectors.
unsigned instructionsOf(ArrayRef<ExprNode *> nodes);
/// Copies of so many for the rows and vectors of a step take longer to compile than they save.
constexpr unsigned kLongCode = 256;

/// Has comparisons of the indices of rows of a few elements, which say where something is padded, compare those of the
/// elements, if nothing else is in the way of `collapseDims`.
void joinPaddedRows(LoopNest &nest, KernelExprs &exprs);

/// Merges neighbouring dimensions that every address of the nest walks as one, and drops those of size 1.
void collapseDims(LoopNest &nest);

/// Makes one dimension of rows of a few elements, if the results lie one row behind the other.
void joinShortRows(LoopNest &nest);

/// Are rows of a few elements along `row` one behind the other in all results, along a parallel dimension that fills
/// `lanes` better? Rows of up to 4 do from 4 vectors of them on if something is read far from its neighbours along
/// `row` or at places that are data; rows of up to 8 if so much is computed of each that vectors which are not full
/// cost more than anything else; and those that fill less than a quarter of the lanes, from one vector on.
bool isShortRowOfResults(const LoopNest &nest, unsigned row, unsigned lanes);

/// Are rows along `row` read at places that data decide, or far from each other, such as pixels of an image that is
/// turned?
bool readsRowsAnywhere(const LoopNest &nest, unsigned row);

/// Do rows that are read so take less time as vectors of their own, which are mostly empty, than element by element in
/// `lanes` along another dimension?
bool paysAsShortVectors(const LoopNest &nest, unsigned row, unsigned lanes);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_LOOPNEST_H
