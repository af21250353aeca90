// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a LoopNest and its NestPlan into scf loops, vector arithmetic and llvm loads and stores on bare pointers.
// Every value is emitted once, at the outermost loop level where its operands exist.

#ifndef MLIR_XLA_LOWERING_CPU_NESTEMITTER_H
#define MLIR_XLA_LOWERING_CPU_NESTEMITTER_H

#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/TilePlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// What of a blocked dimension an item of work covers.
struct WorkBlocks {
  Value index;       // number of the block, null if the dimension is not cut
  Value end;         // number of the block after the last, if several are walked as one
  int64_t count = 1; // number of blocks
};

/// Sums of at most so many terms for each accumulator are formed one after the other: the error grows with the root of
/// their number.
constexpr int64_t kLongSum = 2048;
/// Terms of a part of a longer one, and parts of a part of a still longer one.
constexpr int64_t kPartialSum = 512;

/// Emits the code of one kernel, nest by nest. `uo` and `vo` are the numbers of the copies in a step that is unrolled:
/// iteration uo of the jammed dimension, vector vo along the lanes.
class NestEmitter {
public:
  /// Emits at the end of `entry` (before its terminator); `slots` are the pointers that Buffer::slot names.
  NestEmitter(ImplicitLocOpBuilder &builder, Block *entry, KernelExprs &exprs, ArrayRef<Value> slots,
              ArrayRef<std::pair<Value, Value>> scalars, bool onDevice);

  /// The processor has instructions that round 16 lanes of f32 to bf16.
  void roundByInstructions() { roundsByInstructions = true; }

  /// Opens the loop over parallel work [begin, end) and binds `dims` (sizes given, outermost first) plus blocks of v
  /// and u to it. Without dims and blocks nothing is opened.
  void openWork(Value begin, Value end, ArrayRef<int64_t> dims, ArrayRef<int64_t> sizes, WorkBlocks &vBlocks,
                WorkBlocks &uBlocks);
  /// Instead of a loop: all blocks of v in [begin, end) are walked as one.
  void takeWork(Value begin, Value end, WorkBlocks &vBlocks);
  /// The number of this block of `threads` threads among as many as `items`, in the order in which they begin.
  Value numberBlock(const LoopNest &scan, int64_t items, int64_t threads);
  void closeWork();
  /// Has the threads of a team meet, if in one of `nests`, which come next, a thread writes what another one has
  /// accessed since they last met, or accesses what another one has written. `isNextRow`: they are done for the next
  /// row of a block.
  void meetBefore(ArrayRef<LoopNest> nests, ArrayRef<NestPlan> plans, bool isNextRow = false);

  /// The last row dimension, whose index is the number of a block: from now on, the first of its `block` rows.
  void beginBlock(ArrayRef<int64_t> rows, int64_t block);
  /// Opens a loop over the rows of a block, dimension `dim`, for the nests that follow, or closes it.
  void walkBlock(unsigned dim, int64_t block, bool byRows);

  /// Opens the code for results that lie at multiples of a cache line, which is written past the caches, and between
  /// it and closeAligned, the code for others.
  void openAligned(ArrayRef<Value> results);
  void openUnaligned();
  void closeAligned();

  /// Ends the kernel: functions that nothing calls are gone.
  void dropUncalledFunctions();

  /// `plan` passes checkPlan.
  void emit(LoopNest &nest, const NestPlan &plan, WorkBlocks vBlocks, WorkBlocks uBlocks);
  /// Likewise, `plan` passes checkTiles. The items of work [begin, ..) were opened with blocks of n and of m.
  void emitTiles(LoopNest &nest, const TilePlan &plan, Value scratch, Value begin, WorkBlocks nBlocks,
                 WorkBlocks mBlocks);

protected:
  struct Emitted {
    Value value;
    unsigned level = 0;
  };
  using Key = std::tuple<const ExprNode *, unsigned, unsigned>;

  // Levels: where code goes at each loop depth.
  void at(unsigned level) { b.restoreInsertionPoint(levels[level]); }
  unsigned top() const { return levels.size() - 1; }
  scf::ForOp openLoop(int dim, Value lower, Value upper, int64_t step, ValueRange carried, bool nonEmpty = false);
  void closeLoop(scf::ForOp loop, ValueRange yielded);
  void moveTo(Block *block, Block::iterator point);
  void openIf(Value condition);
  /// One with results, which are `otherwise` where the condition does not hold.
  scf::IfOp openIf(Value condition, ValueRange otherwise);
  void closeIf();
  /// Yields `values`, which are the results from here on.
  void closeIf(scf::IfOp branch, MutableArrayRef<Value> values);
  void openScope();
  void closeScope();
  void forget(unsigned level);
  void leave(unsigned dim);

  // Values.
  Value i64(int64_t value);
  Value constant(TypedAttr attr);
  Value zero(Type type);
  Key keyOf(ExprNode *node, unsigned uo, unsigned vo) const;
  Emitted evaluate(ExprNode *node, unsigned uo, unsigned vo);
  Emitted evaluateLoad(ExprNode *node, unsigned uo, unsigned vo);
  Emitted evaluateIndex(ExprNode *node, unsigned uo, unsigned vo, unsigned bits = 64);
  Emitted evaluateNarrowIndex(ExprNode *node, unsigned uo, unsigned vo);
  Emitted indexBelow(arith::CmpIPredicate predicate, ExprNode *index, ExprNode *bound, unsigned uo, unsigned vo);
  Value lanesBelow(int64_t first, Value count);
  bool fitsInt32(ExprNode *node) const;
  Emitted evaluateSelect(ExprNode *node, unsigned uo, unsigned vo);
  Emitted evaluateBranch(ExprNode *node, unsigned uo, unsigned vo);
  // The interior (NestInterior.cpp).
  std::optional<bool> truthOf(ExprNode *node) const;
  ExprNode *undecided(ExprNode *node) const;
  Value isInside(const Interior &of);
  void emitPartitioned(function_ref<void()> step);
  Emitted guardOf(ArrayRef<Guard> guards, unsigned uo, unsigned vo);
  /// Lanes in memory (NestChoices.cpp), to be read where `guards` hold.
  struct Place {
    Value pointer;
    unsigned level = 0;
    SmallVector<Guard> guards;
    Value near = {};       // an address to read no lane from; null if `pointer` will do
    bool isNumber = false; // the same in all lanes, and can be read anywhere
  };
  Value memoryNear(const ExprNode &load);
  Value nearby(Value pointer, Value mask, Value near);
  std::optional<Place> placeOf(ExprNode *node, unsigned uo, unsigned vo);
  Emitted loadFrom(const Place &place, Type memory, Emitted otherwise, unsigned uo, unsigned vo);
  Emitted evaluateApply(ExprNode *node, unsigned uo, unsigned vo);
  Emitted twoStepsOf(ExprNode *load, unsigned uo, unsigned vo);
  Emitted roundWeights(ExprNode *node, unsigned uo, unsigned vo);
  Emitted addTwoSteps(Emitted sum, const ExprNode &product, unsigned uo, unsigned vo);
  Emitted divide(Operation *op, Emitted dividend, Emitted divisor);
  SmallVector<Value> emitScalar(Operation *op, ValueRange operands);
  // Functions that are called (NestFunctions.cpp).
  void countFunctions();
  func::FuncOp functionFor(Operation *op, Type type, TypeRange operands, unsigned copies);
  Value callFunction(Operation *op, Type type, ValueRange operands);
  Emitted evaluateLoop(ExprNode *node, unsigned uo, unsigned vo);
  Emitted lanes(Emitted scalar);
  void define(ExprNode *node, unsigned uo, unsigned vo, Value value);

  // Addresses. `uniform` is a pointer (or i64) without the lane part.
  struct LaneAddress {
    SmallVector<Emitted, 4>
        uniform;                  // everything that is the same in all lanes: one sum per loop level, outermost first
    int64_t constant = 0;         // plus this
    int64_t laneStride = 0;       // plus lane * this
    Value laneOffsets;            // plus this vector of i64
    SmallVector<int64_t> pattern; // what that is, if it is a constant
    unsigned level = 0;

    /// Are lanes so close to each other that vectors of memory hold several of them? Shuffles take them from there in
    /// less time than a gather takes, and masked stores bring them there in less than a scatter.
    bool isNarrow(unsigned lanes) const {
      return !laneOffsets && laneStride > 1 && laneStride <= std::min<int64_t>(4, lanes);
    }
    /// Do so few vectors hold what is read that taking it out of them is sooner done than to gather it?
    bool isNear(unsigned lanes) const {
      return isNarrow(lanes) || (!laneOffsets && NestPlan::areLanesNear(laneStride, lanes));
    }
  };
  void addPattern(LaneAddress &address);
  LaneAddress resolve(const Address &address, unsigned uo, unsigned vo);
  Emitted affineValue(AffineExpr expr, unsigned uo, unsigned vo);
  std::pair<Value, Type> distanceInMemory(const Emitted &part, Type memory);
  Emitted pointer(const Buffer &buffer, Type memoryType, const LaneAddress &address);
  Value lanePointers(const Buffer &buffer, Type memoryType, const LaneAddress &address, Emitted base);
  Value fromMemory(Value loaded, Type type);
  /// Lanes outside `mask` are those of `otherwise`, or zero.
  Value vectorLoad(Value pointer, Type memoryType, unsigned alignment, Value mask, Value otherwise = {});
  SmallVector<int64_t> nearPattern(LaneAddress &address, Value mask);
  Value patternLoad(Value pointerValue, Type memory, unsigned alignment, ArrayRef<int64_t> pattern);
  Value stridedLoad(Value pointerValue, Type memory, unsigned alignment, int64_t stride, Value mask);
  void stridedStore(Value stored, Value pointerValue, Type memory, unsigned alignment, int64_t stride);
  Value allocateOnStack(Type type, int64_t count = 1);
  Value onStack(Value value);
  Value maskOfPairs(Value mask);
  Value maskOf(const Buffer &buffer, const Address &address, Type type, unsigned vo) const;
  Emitted loadPart(ExprNode *node, LaneAddress address, Emitted guard, unsigned uo, unsigned vo);
  void transposedTile(ExprNode *node, unsigned uo, unsigned vo);
  bool isStoredTransposed(const Store &store);
  void transposedStore(const Store &store, ArrayRef<Emitted> rows, unsigned vo);
  void emitStore(const Store &store, Emitted value, unsigned uo, unsigned vo);
  void emitPair(const Store &store, Emitted re, Emitted im, unsigned uo, unsigned vo);
  void emitStores(ArrayRef<Store> stores, unsigned uo, unsigned vo);
  void evaluateAll(ArrayRef<Store> stores);
  /// The lanes of vector `vo` that lie inside the tensor; null if all do.
  Value maskOf(unsigned vo) const {
    if (!insideMasks.empty())
      return insideMasks[vo];
    return partialMask && vo + 1 == vCount ? partialMask : Value();
  }

  // --- NestDistribution.cpp
  scf::ForOp distribute(scf::ForOp loop, int64_t steps);

  // --- NestTables.cpp
  Value narrowLanes(ExprNode *node, unsigned uo, unsigned vo, unsigned &level);
  SmallVector<std::pair<ExprNode *, int64_t>> narrowTermsOf(const Address &address) const;
  Value sameLanes(int64_t value);
  Value narrowSum(ArrayRef<std::pair<ExprNode *, int64_t>> terms, unsigned uo, unsigned vo, unsigned &level);
  Emitted lookUp(ExprNode *load, const TableRead &table, unsigned uo, unsigned vo);

  // --- NestColumns.cpp
  size_t countColumns(ArrayRef<Store> stores) const;
  Value maskOfPart(Value mask, int64_t count, int64_t part);
  void emitColumns(ArrayRef<Store> stores, ArrayRef<std::pair<Emitted, Emitted>> values, unsigned uo, unsigned vo);

  // Tiles (NestTiles.cpp). A block is what an item of work walks at a time: its bounds, and where its operands are.
  struct TileBlock {
    Value mLow, mHigh, nLow, nHigh, kLow, kHigh;
    Value isFirst, isLast;                    // of the blocks of k; null if there is one
    Value columns, sums, rows, running, tile; // where TilePlan's offsets are
    Value column;                             // of a tile, where it would begin if it did not overlap
    Value packedLow;                          // the first row that is packed
  };
  Value sum(Value lhs, Value rhs);
  Value difference(Value lhs, Value rhs);
  Value product(Value lhs, int64_t rhs);
  Value elementAt(Value base, Type type, Value index, int64_t constant = 0);
  Value least(Value value, int64_t bound);
  void walkSteps(unsigned dim, Value lower, Value upper, int64_t step, Value isLast, function_ref<void()> visit);
  void overWholeVectors(Value lower, Value upper, Value isLast, function_ref<void()> visit);
  void packColumns(const TileBlock &block);
  void clearColumnSums(const TileBlock &block);
  void countColumns(const TileBlock &block, Value column, Value group);
  void packRows(const TileBlock &block);
  Value gatherGroup(ExprNode *load, unsigned vo, bool isRest);
  Value joinGroup(ExprNode *node, bool isSigned, unsigned vo);
  void emitTile(const TileBlock &block);
  void emitTileSums(const TileBlock &block, Value place);
  void overRowsOfTile(function_ref<void(Value offset)> visit);
  void emitProducts(const TileBlock &block, Value columns, Value rows, SmallVectorImpl<Value> &running);
  void emitProducts(Value lower, Value upper, int64_t ofTurn, bool nonEmpty, Value columns, Value rows,
                    SmallVectorImpl<Value> &running);
  void emitStepOfProducts(Value columns, Value rows, SmallVectorImpl<Value> &running);
  Value multiplyAdd(Value sum, Value a, Value b);

  // Tile registers (NestTileRegisters.cpp).
  void callTile(StringRef name, ArrayRef<int64_t> registers, ValueRange operands = {});
  void openTileRegisters(Value shapes);
  void padColumns(const TileBlock &block);
  void padRows(const TileBlock &block, int64_t written);
  void emitTileProducts(const TileBlock &block, Value columns, Value rows);
  // Sums of nests in them (NestTileSums.cpp).
  void beginTileSums();
  void padPairs(const TileFactors &factors);
  void emitRowTiles();
  void addTileProducts(const TileFactors &factors);
  void emitTileStep(const TileFactors &factors, bool isRest);
  std::optional<Store> storeOfTiles();
  void allowTileRegisters();

  // Teams of threads (NestThreads.cpp).
  /// Memory that threads of a team access: the one with iteration i of dimension `t` at `address`, or any of them.
  struct TeamAccess {
    unsigned slot;
    Address address;
    Type type;
    int t;          // -1: any of them
    unsigned lanes; // of a piece that is dealt
    bool isStore;
    SmallVector<int64_t, 6> sizes; // iterations of each dimension that are not those of the item
  };
  TeamAccess accessOf(const LoopNest &nest, const NestPlan &plan, const Store &store, bool isOnce) const;
  std::vector<TeamAccess> loadsOf(const LoopNest &nest, const NestPlan &plan) const;
  static bool isSameThread(const TeamAccess &before, const TeamAccess &after);
  static bool areRowsApart(const TeamAccess &before, const TeamAccess &after, unsigned rowInBlock);
  bool isDealt(int dim) const { return plan->t >= 0 && plan->t == dim; }
  void findThread();
  Value dealt(Value lower);
  void bindColumn(WorkBlocks blocks);
  void synchronize();
  SmallVector<Value> foldWarps(Reduction &reduction, SmallVector<Value> values);
  static Type sharedType(Type type);
  static Value shuffle(ImplicitLocOpBuilder &b, Value value, int64_t distance, gpu::ShuffleMode mode);
  void storeShared(Value value, Value place);
  Value loadShared(Type type, Value place);
  Value sharedMemory(Type element, int64_t count);
  Value memoryOfModule(StringRef name, Type element, int64_t count, Attribute initial, unsigned space);
  void emitSquare(WorkBlocks columnBlocks, WorkBlocks rowBlocks);
  SmallVector<Value> foldThreads(Reduction &reduction, SmallVector<Value> values);
  /// What a thread has of a step of a scan: a piece from `index` on, each element of it combined with those before it
  /// in the piece, and what comes before the piece.
  struct TeamStep {
    Value index, isInside;
    SmallVector<Value> here, before;
  };
  TeamStep beginTeamStep(Value begin, int64_t wholeSteps);
  void bindTeamStep(const TeamStep &step);
  void scanTeamStep(TeamStep &step, bool isRepeated, SmallVectorImpl<Value> &running);
  void storeTeamStep(const TeamStep &step, ArrayRef<Value> base);
  void emitTeamStep(Value begin, bool isRepeated, SmallVectorImpl<Value> &running);
  void emitScanTile();
  SmallVector<Value> wordsOfTile(Value number, Type type);
  void publishTile(Value total);
  Value loadWord(Value address);
  Value waitForWord(Value address, Value word);
  Value fromWords(Type type, ArrayRef<Value> addresses, ArrayRef<Value> words);
  Value combineTilesBefore(Reduction &scan);
  SmallVector<Value> scanWarps(Reduction &scan, ArrayRef<Value> totals, bool isRepeated,
                               SmallVectorImpl<Value> &running);
  /// Emits `stores` by one thread of the team, unless each stores its own.
  void emitOnce(function_ref<void()> stores);

  // Nest pieces.
  void emitV(WorkBlocks blocks, function_ref<void()> inner);
  void emitInsideMasks(int64_t size);
  void emitPartialMask(int64_t count);
  void emitU(WorkBlocks blocks, function_ref<void()> inner);
  void emitApart(function_ref<void()> inner);
  void emitVectors(function_ref<void(unsigned vo)> emit);
  void emitInstance();
  void emitReductions();
  SmallVector<Value> partialResults(SmallVectorImpl<Value> &running, unsigned number, unsigned uo, unsigned vo);
  void emitFoldedRows(SmallVectorImpl<Value> &running);
  void emitRunningValues(SmallVectorImpl<Value> &running);
  Value isStepRead();
  Value endOfSum(const TrimmedSum &factors);
  Value isZeroGroup(ExprNode *factor, int64_t group);
  Value isFiniteGroup(ExprNode *factor, Value low, int64_t group);
  /// What is known of whether a condition may come out as a value; operands are shared.
  using KnownTruths = DenseMap<llvm::PointerIntPair<ExprNode *, 1, bool>, std::optional<Value>>;
  std::optional<Value> mayBe(ExprNode *node, bool value, KnownTruths &truths);
  std::optional<Value> emitMayBe(ExprNode *node, bool value, KnownTruths &truths);
  std::optional<Value> mayCompareAs(ExprNode *node, bool value);
  std::vector<Store> epilogueStores() const;
  void emitEpilogue(unsigned vectors);
  void emitStoresOfRows(ArrayRef<Store> stores, unsigned vo);
  bool rollsEpilogue() const;
  void emitRolledEpilogue(SmallVectorImpl<Value> &running);
  void keepConstantsOut(Operation *loop);
  void emitScan();
  void emitScanLoop(Value begin, Value end, int64_t mainEnd, int64_t step, SmallVectorImpl<Value> &running);
  void emitScanRest(int64_t begin, SmallVectorImpl<Value> &running);
  void emitScanStep(SmallVectorImpl<Value> &running, int64_t count);
  SmallVector<Value> lastLane(ArrayRef<Value> vectors);
  SmallVector<Value> append(Reduction &scan, ArrayRef<Value> before, ArrayRef<Value> more);
  SmallVector<Value> appendScalars(Reduction &scan, ArrayRef<Value> before, ArrayRef<Value> more);
  SmallVector<Value> emitPrefix(Reduction &scan, SmallVector<Value> values, int64_t count);
  void emitInMemory(WorkBlocks vBlocks);
  /// A loop over a reduction dimension, or over `span` of it within a loop that steps over as much. In parts: what one
  /// iteration sums up is added to what the loop carries only at the end.
  struct ReductionLoop {
    unsigned dim;
    int64_t end, step, span = 0;
    bool inParts = false;
  };
  SmallVector<ReductionLoop> reductionLoops() const;
  void emitReductionLoops(ArrayRef<ReductionLoop> loops, SmallVectorImpl<Value> &running);
  void emitWindow(const ReductionLoop &spec, SmallVectorImpl<Value> &running);
  void emitRemainder(int64_t begin, SmallVectorImpl<Value> &running);
  void emitAccumulation(SmallVectorImpl<Value> &running, function_ref<void(unsigned vo)> beforeVector = nullptr);
  void emitFoldInOrder(Reduction &reduction, unsigned number, SmallVectorImpl<Value> &running,
                       SmallVectorImpl<Value> &next);
  bool isFoldedInOrder(const Reduction &reduction) const {
    return plan->foldsInOrder && reduction.order != FoldOrder::Any;
  }
  unsigned vectorsOf(const Reduction &reduction) const { return isFoldedInOrder(reduction) ? 1 : vSlots; }
  SmallVector<Type> sumTypes() const;
  Value &slotOf(SmallVectorImpl<Value> &running, unsigned reduction, unsigned accumulator, unsigned uo, unsigned vo);
  Value neutral(vector::CombiningKind kind, Type type);
  SmallVector<Value> combine(Reduction &reduction, ArrayRef<Value> lhs, ArrayRef<Value> rhs);
  Value orderAsIntegers(bool isMaximum, Value lanes);
  Value foldExtremum(bool isMaximum, Value lanes);
  SmallVector<Value> foldChosen(Reduction &reduction, ArrayRef<Value> partial);
  Value foldVector(vector::CombiningKind kind, Value lanes);
  SmallVector<Value> merge(Reduction &reduction, SmallVector<Value> lhs, SmallVector<Value> rhs);
  SmallVector<Value> foldLanes(Reduction &reduction, SmallVector<Value> values);
  SmallVector<Value> foldRows(Reduction &reduction, SmallVector<SmallVector<Value>> rows);
  SmallVector<Value> firstLane(ArrayRef<Value> vectors);
  SmallVector<Value> foldNeighbours(Reduction &reduction, SmallVector<SmallVector<Value>> vectors, int64_t count);

  ImplicitLocOpBuilder &b;
  KernelExprs &exprs;
  bool onDevice; // for a GPU
  SmallVector<Value> slots;
  SmallVector<OpBuilder::InsertPoint> levels;
  SmallVector<Value> iv;
  SmallVector<unsigned> ivLevel;
  std::map<Key, Emitted> values;
  std::map<std::vector<const void *>, Emitted> sums;
  DenseMap<Value, Emitted> splats;
  std::array<DenseMap<Value, Emitted>, 2> reciprocals; // of numbers without and with a sign
  DenseMap<Attribute, Value> constants;
  DenseMap<Value, Value> stackCopies;
  DenseMap<Value, Value> scalarArguments;
  llvm::SmallMapVector<Attribute, unsigned, 4> copiesOfFunctions; // of the nest, that has several
  DenseMap<std::pair<Attribute, Type>, func::FuncOp> functions;   // of the module; null: not called

  LoopNest *nest = nullptr;
  const NestPlan *plan = nullptr;
  const TilePlan *tiles = nullptr;
  unsigned uCount = 1, vCount = 1;
  unsigned vSlots = 1;      // vectors of running values along v
  int64_t stepElements = 1; // along v in this step of a reduction
  int windowDim = -1;       // that is written out, and its index: no value, but a part of addresses
  int64_t windowStep = 0;
  bool atStep = true; // v stands where a step begins
  Value partialMask;
  const Interior *interior = nullptr;            // what is known of conditions, while its code is emitted
  unsigned branchLevel = 0;                      // of the code of the interior, or that of the edges; 0: of neither
  SmallVector<Value> insideMasks;                // of the plan's masked steps
  SmallVector<Value> scanBase;                   // of a sum in parts: what comes before this part
  unsigned nestLevel = 0;                        // of the nest's own code
  Value trimmedEnd;                              // of the reduced dimension, if the nest trims its sum
  llvm::SmallDenseSet<unsigned> stored, storing; // slots that earlier nests, and this one, write
  scf::ForOp workLoop, blockLoop;
  SmallVector<scf::ForOp> stepLoops;          // of the nest: over the lanes' dimension, and over reduced ones
  Value threadInTeam, warpInTeam, laneInWarp; // once known
  Value blockNumber, blockRound, blockWords;  // of blocks with numbers: how often all have begun, a word for each
  Value scanTile;                             // the number of the block's tile in its scan
  Value isColumn;                             // whether this thread has one; null if all have
  std::vector<TeamAccess> unmet;              // since the threads of the team met
  bool isOnce = false;                        // one of them stores for all
  Value isAligned;                            // of kernels that write past the caches
  bool writesPastCaches = false;              // the code being emitted does
  bool hasTileRegisters = false;              // to be released
  Value tileOfSums;                           // memory of a step in them
  bool roundsByInstructions = false;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_NESTEMITTER_H
