// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of products as the code of one thread of a block. Values come from NestEmitter; tiles, shared memory and
// registers are laid out here.

#ifndef MLIR_XLA_LOWERING_GPU_BLOCKEMITTER_H
#define MLIR_XLA_LOWERING_GPU_BLOCKEMITTER_H

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/gpu/BlockPlan.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::xla {

class BlockEmitter : protected NestEmitter {
public:
  /// As for NestEmitter; `shared` is the block's shared memory, `maps` are addresses of what describes the factors to
  /// the accelerator, if that brings them.
  BlockEmitter(ImplicitLocOpBuilder &builder, Block *entry, KernelExprs &exprs, ArrayRef<Value> slots,
               ArrayRef<std::pair<Value, Value>> scalars, Value shared, ValueRange maps = {})
      : NestEmitter(builder, entry, exprs, slots, scalars, /*onDevice=*/true), shared(shared), maps(maps) {}

  /// Where blocks of a tile find out which is the last, if that adds up parts: a counter for each, and 4 bytes of
  /// shared memory.
  struct Arrivals {
    LLVM::GlobalOp counters;
    Value flag;
  };
  /// `plan` passes checkBlocks. With a split k, sums go to `scratch`.
  void emitBlocks(LoopNest &nest, const BlocksPlan &plan, Value scratch, const Arrivals &theArrivals = {});
  /// What is computed of the sums in `scratch`, for as many neighbours along n as have the number `item`.
  void emitFold(LoopNest &nest, const BlocksPlan &plan, Value scratch, Value item);

protected:
  // Indices are i64 and not negative.
  Value add(Value lhs, Value rhs);
  Value add(Value lhs, int64_t rhs) { return rhs == 0 ? lhs : add(lhs, i64(rhs)); }
  Value divide(Value value, int64_t divisor);
  Value modulo(Value value, int64_t divisor);
  Value isBelow(Value value, int64_t bound);
  void barrier();
  void meet(); // where the builder is
  Value shared, thread, lane;

  // Panels in shared memory (BlockPanels.cpp), and tensor cores (BlockProducts.cpp).
  struct Piece {
    Value inner, outer; // within the tile
  };
  Value offsetOf(const BlockPanel &panel, Piece piece);
  Value orderOf(const BlockPanel &panel, Value row);
  /// Of 16 rows of a panel: the registers of an instruction's operand, those of the second half of the rows last if
  /// they are columns.
  using Fragments = SmallVector<SmallVector<Value>>;
  Fragments readMatrices(const BlockPanel &panel, Value base, int64_t step, int64_t groups, Value warp, int64_t warps,
                         unsigned ofRows);
  void multiplyMatrices(const TensorShape &shape, std::array<NVVM::MMATypes, 2> types, ArrayRef<Value> row,
                        ArrayRef<Value> column, MutableArrayRef<Value> sums);
  /// What the nest computes of a sum, where its dimensions stand.
  void emitResult(Value sum);

private:
  void bind(const BlockDim &dim, Value index, unsigned level);
  void unbind(const BlockDim &dim);

  void begin(LoopNest &theNest, const BlocksPlan &thePlan, Value theScratch);
  /// Whether the numbers of threads run along n first, over the whole tile.
  bool areThreadsInRows() const;
  void placeThread();
  void placeWork(Value number);
  void placeBlock();

  // Panels (BlockPanels.cpp): from memory to shared memory, from there to the registers of those who multiply.
  int64_t piecesOf(const BlockPanel &panel) const {
    return panel.inner * panel.outer / (panel.width() * blocks->threads);
  }
  Piece pieceOf(const BlockPanel &panel, int64_t number);
  Value targetOf(const BlockPanel &panel, int64_t number, Value base);
  Piece squareOf(const BlockPanel &panel, int64_t number);
  void visitPiece(const BlockPanel &panel, Value kLow, Value ownOffset, Value kOffset,
                  function_ref<void(Value isInside)> visit);
  void forEachPiece(const BlockPanel &panel, Value kLow, function_ref<void(int64_t number, Value isInside)> visit);
  Value valueOf(const BlockPanel &panel, Value isInside);
  SmallVector<Value> load(const BlockPanel &panel, Value kLow);
  SmallVector<Value> loadIf(const BlockPanel &panel, Value condition, Value kLow);
  void copy(const BlockPanel &panel, Value kLow, Value base);
  void store(const BlockPanel &panel, ArrayRef<Value> pieces, Value base);
  /// Elements [step of the piece][of `count`] of this thread, whose number is `own` of `threads` along the panel.
  SmallVector<SmallVector<Value>> readFragments(const BlockPanel &panel, Value base, Value piece, int64_t count,
                                                Value own, int64_t threads);

  // The pipeline.
  Value stageOf(Value kLow);
  Value panelAt(Value stage, const BlockPanel &panel);
  void bring(Value kLow);
  void emitPart(Value low, Value high, SmallVectorImpl<Value> &sums);
  SmallVector<Value> emitSums();

  // Warpgroups and the accelerator that brings their tiles (Warpgroups.cpp).
  /// A stage of the ring, or a barrier of it, in shared memory.
  struct Turn {
    Value stage, full, empty; // places there, i32
    Value phase;              // parity of the round, i32
  };
  Value i32(int64_t value) { return constant(b.getI32IntegerAttr(value)); }
  void instructions(StringRef text, StringRef operands = "", ValueRange values = {});
  Value readRegister(StringRef name);
  Turn turnOf(Value number);
  void waitFor(Value barrier, Value phase);
  void initBarriers();
  void meetCluster();
  Value numberOfTiles();
  void bringTiles();
  Value placeOf(const TensorBox &box, const TensorDim &tensorDim);
  Value offsetOf(const TensorDim &pixels);
  void bringBoxes(const BlockPanel &panel, Value stage, Value barrier, Value kLow);
  SmallVector<Value> multiplyByWarpgroups();
  std::string productsOfTile(StringRef behind = "");
  void giveBack(Value number);
  void writeSumsOfWarpgroup(ArrayRef<Value> sums);
  void emitWarpgroups();

  // Products and sums (BlockProducts.cpp).
  Value zeroSum() { return neutral(vector::CombiningKind::ADD, blocks->sumType); }
  int64_t sumsOfThread() const;
  void multiply(Value stage, SmallVectorImpl<Value> &sums);
  void multiplyByThreads(Value stage, SmallVectorImpl<Value> &sums);
  void multiplyByWarps(Value stage, SmallVectorImpl<Value> &sums);
  Fragments readRows(const BlockPanel &panel, Value base, int64_t step);
  Fragments readElements(const BlockPanel &panel, Value base, int64_t step, int64_t groups, Value warp, int64_t warps,
                         unsigned ofRows);
  void multiplyAdd(ArrayRef<Value> row, ArrayRef<Value> column, MutableArrayRef<Value> sums);
  void writeSumsOfThread(ArrayRef<Value> sums, int64_t pass);
  void writeSumsOfWarp(ArrayRef<Value> sums, int64_t pass);
  void writeSums(ArrayRef<Value> sums, int64_t pass);
  /// Whether each thread computes results of the very sums that it has put into shared memory.
  bool readsOwnSums() const;
  void emitResults(int64_t pass, bool areTotals = false);
  Value emitArrivalOfTile();
  Value totalOf(Value row, Value column, Value own = {});
  Value placeOfPart(Value part, Value row, Value column);
  Value placeOfSum(Value row, Value column);
  Value loadSums(Value place);

  Value scratch;
  Arrivals arrivals;
  SmallVector<Value> maps;
  Value sharedAddress, rank;  // of warpgroups: the former as i32, and the block's number in its cluster
  Value threadInM, threadInN; // numbers of this thread's row and column of threads, or of its warp's
  Value mLow, nLow;           // where the block's tile begins
  Value kFirst, kEnd;         // its steps
  Value batch, part;          // numbers among those of `work`, and of a split k
  Value tile;                 // number among those of a batch
  const BlocksPlan *blocks = nullptr;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_BLOCKEMITTER_H
