// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a loop nest is walked: the attribute #xla_rt.nest for a given nest, and what follows from both.

#ifndef MLIR_XLA_LOWERING_CPU_NESTPLAN_H
#define MLIR_XLA_LOWERING_CPU_NESTPLAN_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/nest/KernelNests.h"

namespace mlir::xla {

/// A value that a step along the jammed dimension moves by `u` positions, and one of a window by `window`: both are at
/// least 1, and have no common divisor.
struct Slide {
  int64_t u = 0, window = 0;
  bool operator==(const Slide &other) const { return u == other.u && window == other.window; }
};

/// Two dimensions of a nest are special: `v` is vectorized, and `u` is unrolled and jammed. A *step* is one iteration
/// of the innermost loops: `vUnroll` vectors along v, for each of `uUnroll` iterations of u. The emitter calls the
/// copies of a step by their numbers (`uo`, `vo`).
struct NestPlan {
  int v = -1;                 // the dimension whose neighbours are in the lanes of a vector, -1: scalar code
  unsigned lanes = 1;         // of a vector
  unsigned vUnroll = 1;       // vectors along v in a step
  int u = -1;                 // the dimension that is unrolled and jammed, -1: none
  unsigned uUnroll = 1;       // iterations of u in a step
  bool uOverlaps = false;     // the last step along u begins early enough to be whole, and computes some results twice
  bool vMasked = false;       // the last step along v is whole, too, with a mask
  bool inMemory = false;      // `in_memory`: reductions outside, v inside; u is the innermost reduction loop
  SmallVector<int64_t> work;  // parallel dimensions outside u and v whose iterations are items of parallel work
  SmallVector<int64_t> loops; // the others, outermost first
  SmallVector<int64_t> reductionLoops;   // outermost first, without v
  int64_t vBlock = 0, uBlock = 0;        // block sizes of the parallel work; 0: not cut
  unsigned chunk = 1;                    // elements that transposed loads read at a time
  bool pastCaches = false;               // `stream`: whole vectors of results are written past the caches
  int t = -1;                            // the dimension that is dealt to the threads of a team, -1: they do the same
  int64_t threads = 1;                   // of a team
  int64_t scanTile = 0;                  // iterations of a scan that are a block's, 0: a scan is a team's
  int squareRow = -1, squareColumn = -1; // of squares that a team walks through shared memory, -1: none
  int columns = -1;                      // the dimension of which a team's threads have 32 neighbours each, -1: none
  bool aligned = false;                  // vectors are aligned to their size, at most 16 bytes
  bool trims = false;                    // a sum of products ends where one factor is zero from there on
  bool slides = false;                   // the innermost reduction loop is written out; steps of u share what it reads
  bool apart = false;                    // the iterations of a step along u are `uDistance` apart, and steps are work
  bool partitions = false;               // steps in the interior, or of a condition, have code of their own
  bool addsPairs = false;                // its steps take two, which an instruction multiplies and adds up
  bool tileRegisters = false;            // its steps are in tile registers, which add 32 steps of the sum at a time
  int64_t lookup = 0;                    // elements of 4 bytes of the registers that have small tables, 0: none has
  int64_t distributed = 0;               // steps along v that parts of a long chain go through in turn, 0: one is whole

  // `derive` computes these from the nest and the above.
  bool vReduced = false;           // the lanes hold partial results, or those of one scan
  int64_t uDistance = 1;           // between two iterations of a step along u
  bool foldsInOrder = false;       // those of reductions that are not FoldOrder::Any are folded in order in every step
  bool foldsRows = false;          // the lanes of all rows of a step along u are folded together
  DenseSet<ExprNode *> transposed; // loads contiguous along u, read in chunks
  DenseMap<ExprNode *, Slide> sliding; // what windows of neighbours along u have in common

  NestAttr toAttr(MLIRContext *context, const LoopNest &nest) const;
  static NestPlan fromAttr(NestAttr attr, const LoopNest &nest);

  /// Sets the members that follow from the nest and from those of the attribute.
  void derive(const LoopNest &nest);

  /// True for `d floordiv c` and `d mod c` of the dimension in lanes, if each step along it begins at a multiple of c.
  bool stepsOverRows(AffineExpr expr) const;

  /// Do so few vectors hold lanes `stride` elements apart that taking them out of those is sooner done than to gather
  /// them?
  static bool areLanesNear(int64_t stride, int64_t lanes) {
    constexpr int64_t mostVectors = 12;
    return stride > 1 && stride <= std::min(mostVectors, lanes * 3 / 4);
  }

  /// Items of parallel work along v and along u.
  int64_t vBlocks(const LoopNest &nest) const { return vBlock ? llvm::divideCeil(nest.sizes[v], vBlock) : 1; }
  int64_t scanTiles(const LoopNest &nest) const {
    return scanTile ? llvm::divideCeil(nest.sizes[nest.ordered.find_first()], scanTile) : 1;
  }
  int64_t uBlocks(const LoopNest &nest) const { return uBlock ? llvm::divideCeil(nest.sizes[u], uBlock) : 1; }
  /// Whether what the scan combines is packed beside a number in a word of 64 bits, and combined in any order.
  static bool mayScanTiles(const LoopNest &nest);
  /// Whether a word of 64 bits, or two, have an element of the type beside the number of a round.
  static bool isTypeOfTiles(Type type);
  /// Iterations of a dimension that is written out.
  static constexpr int64_t kLargestWindow = 16;
  /// Pieces of a tile of a scan that a thread has, in registers.
  static constexpr int64_t kMostPieces = 16;
  /// Iterations of each of the dimensions of a square.
  static constexpr int64_t kSquare = 32;
  /// Of the threads of a team with columns.
  static constexpr int64_t kColumns = 32;
  /// Who has iterations of the dimension that is dealt: the threads of a team, or its warps.
  int64_t dealers() const { return columns >= 0 ? threads / kColumns : threads; }
  /// Whether what is dealt are pieces of neighbours, of `lanes` each.
  bool dealsVectors() const { return threads > 1 && v >= 0 && v == t; }
  /// Whether the threads of a team have results of their own: what is dealt is a parallel dimension.
  bool dealsResults() const { return llvm::is_contained(loops, t) || (dealsVectors() && !vReduced); }
  bool walksSquares() const { return squareRow >= 0; }
};

/// The loop nests of `kernel` in the form in which they are planned and emitted. Threads of a device have no lanes, for
/// which complex numbers would be split.
FailureOr<KernelNests> nestsOf(func::FuncOp kernel, bool onDevice);

/// Has the nests compute with the parts of complex numbers, if they compute with them at all, and all that they do has
/// a form in real numbers.
void splitComplex(KernelNests &nests);

/// True for `d floordiv c` and `d mod c` with c a multiple of `lanes`: vectors of lanes along d, which begin at
/// multiples of their width, never straddle a multiple of c.
bool isLaneAligned(AffineExpr expr, unsigned dim, unsigned lanes);

/// c of `d floordiv c` and `d mod c`; nothing for other expressions.
std::optional<int64_t> rowLengthOf(AffineExpr expr, unsigned dim);

/// How far the address moves with the next of `lanes` neighbours along `dim`; nothing if that is not always the same.
std::optional<int64_t> strideAlong(const Address &address, unsigned dim, unsigned lanes);

/// True if all stores of `nest` can be written past the caches: by vectors along `v` at multiples of their size,
/// provided that the memory begins at one.
bool storesWholeVectors(const LoopNest &nest, int v, unsigned lanes);

/// True if, in memory that is aligned to 16 bytes, all that the nest reads and writes along `dim` are vectors of
/// `lanes` neighbours which begin at multiples of `lanes` and have at most 16 bytes, and nothing else is reduced than
/// `dim`.
bool areVectorsAligned(const LoopNest &nest, int64_t dim, int64_t lanes);

/// Loads that squares exchange: contiguous along `row`, and not along `column`.
SmallVector<ExprNode *> exchangedLoads(const LoopNest &nest, int64_t row, int64_t column);

/// True if each vector of `lanes` neighbours along `dim`, at a multiple of `lanes`, is an aligned one of at most 16
/// bytes in such memory. All dimensions that are walked have several iterations.
bool isVectorAligned(const LoopNest &nest, const Address &address, Type type, int64_t dim, int64_t lanes);

/// The factors of a sum of products that may end early: where `zeros`, a load of neighbours along the reduced dimension
/// that is the same in all lanes, is zero in all rows, and `others` finite, from there on.
struct TrimmedSum {
  ExprNode *zeros, *others;
};
/// How `plan` may trim the sum of `nest`, if it may.
std::optional<TrimmedSum> trimmedSumOf(const LoopNest &nest, const NestPlan &plan);

/// The load of bf16 that `factor` widens to f32; null for anything else.
ExprNode *widenedBrain(ExprNode *factor);

/// Whether two steps at a time of the innermost reduction loop can be products of `vdpbf16ps`: neighbours in memory of
/// both factors, of which one is in lanes.
bool mayAddPairs(const LoopNest &nest, const NestPlan &plan);
/// The factors of a sum in tile registers: those of rows are neighbours along the sum, those of columns in panels of
/// pairs.
struct TileFactors {
  ExprNode *rows, *columns;
  int64_t pitch; // elements from one pair of steps of the columns to the next
};
/// What `plan` multiplies in tile registers, if it may.
std::optional<TileFactors> tileFactorsOf(const LoopNest &nest, const NestPlan &plan);
/// The dimension whose neighbours are so many lanes then; -1 if there is none.
int lanesOfPairs(const LoopNest &nest, unsigned lanes);

/// Those of `nodes` that are loads which a plan with these lanes and this jammed dimension may transpose.
DenseSet<ExprNode *> transposableLoads(ArrayRef<ExprNode *> nodes, unsigned v, unsigned u, unsigned lanes);

/// May results of a nest that reads `transposed` across be computed twice? What it reads elsewhere, too, may be in the
/// memory of the result.
bool mayRepeatTransposition(const LoopNest &nest, const DenseSet<ExprNode *> &transposed);

/// The nodes of `nest` that depend on its dimensions `u` and `window` only by their positions in between.
DenseMap<ExprNode *, Slide> slidingNodes(const LoopNest &nest, unsigned u, unsigned window);

/// Iterations, from the first to the second of a pair along each dimension, in which conditions come out alike.
struct Interior {
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  DenseMap<ExprNode *, bool> truths;
  ExprNode *condition = nullptr; // instead, one that is the same number in all steps of the lanes: with or without it
  unsigned saved = 0;            // instructions of a step in the shorter one of the two
};
/// The interior of `nest` as `plan` walks it; nothing if that has no other code than the edges, or hardly any steps.
std::optional<Interior> interiorOf(const LoopNest &nest, const NestPlan &plan);

/// What lanes read at computed places of a table of a few elements.
struct TableRead {
  Address first;                                     // of the table's first element, the same in all lanes
  int64_t count, width;                              // elements of the table, and of a register
  SmallVector<std::pair<ExprNode *, int64_t>> place; // in the table: the sum of these, each times its factor,
  int64_t constant;                                  // and of this
};
/// How the lanes of `plan` read `load`, if that can be done by permutations of registers as it says.
std::optional<TableRead> tableOf(const ExprNode &load, const LoopNest &nest, const NestPlan &plan);
/// Does `nest` read a table?
bool mayLookUp(const LoopNest &nest, const NestPlan &plan);

/// Decides how `nest` is walked (PlanNest.cpp).
NestPlan planNest(const LoopNest &nest, const Machine &machine);
/// Likewise, for a scan (PlanScan.cpp).
NestPlan planScan(const LoopNest &nest, const Machine &machine);

/// True if the elements of one scan may be in lanes, which are shifted: they are whole bytes, and not those of emulated
/// arithmetic.
bool mayShiftLanes(const Reduction &scan);

/// Fails at the first rule by which NestEmitter cannot walk `nest` as `plan` says, and reports it (CheckPlan.cpp).
LogicalResult checkPlan(const LoopNest &nest, NestAttr plan, function_ref<InFlightDiagnostic()> emitError);

/// A rough estimate in nanoseconds of all iterations on one core; decides between a direct call and parallel work.
int64_t estimateCost(const LoopNest &nest, const NestPlan &plan);

/// Where every result of a kernel may live, as the plans walk its nests: in the memory of the argument that it updates,
/// in that of one which is read nowhere after the result was written, or in its own.
SmallVector<ResultMemory> placeResults(const KernelNests &kernel, ArrayRef<NestPlan> plans, func::FuncOp func);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_NESTPLAN_H
