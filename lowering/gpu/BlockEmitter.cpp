// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of threads that multiply by themselves. Tile by tile along k, threads load what they bring into registers
// while they multiply the tile before, which is in the other half of shared memory: one barrier for each tile. Elements
// beyond the end of m and n are those at the end, which nobody stores; beyond the end of k they are zeros. Sums go
// through shared memory once more, so that what is computed of them is computed along rows of results.

#include "mlir_xla/lowering/gpu/BlockEmitter.h"
#include "mlir_xla/lowering/gpu/LastBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

//===- Indices ----------------------------------------------------------------------------------------------------===//

Value BlockEmitter::add(Value lhs, Value rhs) { return arith::AddIOp::create(b, lhs, rhs); }

/// They are below 2^31, and divisions of 32 bits much cheaper.
Value BlockEmitter::divide(Value value, int64_t divisor) {
  if (divisor == 1)
    return value;
  Value narrow = arith::TruncIOp::create(b, b.getI32Type(), value);
  Value quotient = arith::DivUIOp::create(b, narrow, constant(b.getI32IntegerAttr(divisor)));
  return arith::ExtUIOp::create(b, b.getI64Type(), quotient);
}

Value BlockEmitter::modulo(Value value, int64_t divisor) {
  if (divisor == 1)
    return i64(0);
  Value narrow = arith::TruncIOp::create(b, b.getI32Type(), value);
  Value rest = arith::RemUIOp::create(b, narrow, constant(b.getI32IntegerAttr(divisor)));
  return arith::ExtUIOp::create(b, b.getI64Type(), rest);
}

Value BlockEmitter::isBelow(Value value, int64_t bound) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, value, i64(bound));
}

/// Sets the dimensions that are walked as one; `index` is known at `level`.
void BlockEmitter::bind(const BlockDim &dim, Value index, unsigned level) {
  at(level);
  for (size_t i = dim.dims.size(); i-- > 0;) {
    int64_t size = nest->sizes[dim.dims[i]];
    iv[dim.dims[i]] = i == 0 ? index : modulo(index, size);
    ivLevel[dim.dims[i]] = level;
    if (i > 0)
      index = divide(index, size);
  }
}

void BlockEmitter::unbind(const BlockDim &dim) {
  for (int64_t d : dim.dims)
    leave(d);
}

void BlockEmitter::barrier() {
  at(top());
  meet();
}

void BlockEmitter::meet() {
  // The warpgroup that asks for tiles has ended.
  if (blocks && blocks->isWarpgroups())
    return instructions("bar.sync 1, " + std::to_string(blocks->threads) + ";");
  gpu::BarrierOp::create(b);
}

// A warp is so many threads along n by so many along m if it can be: it reads least then.
static constexpr int64_t warpColumns = 8, warpRows = 4;

bool BlockEmitter::areThreadsInRows() const {
  return blocks->threadColumns() <= warpColumns || blocks->threadRows() % warpRows;
}

void BlockEmitter::placeThread() {
  constexpr int64_t warp = BlocksAttr::kWarp;
  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  lane = modulo(thread, warp);
  int64_t inN = blocks->threadColumns();
  if (int64_t together = BlocksAttr::threadsTogether(blocks->instruction); together > 1) {
    threadInN = modulo(divide(thread, together), inN);
    threadInM = divide(thread, together * inN);
    return;
  }
  if (areThreadsInRows()) {
    threadInN = modulo(thread, inN);
    threadInM = divide(thread, inN);
    return;
  }
  Value number = divide(thread, warp);
  int64_t warps = inN / warpColumns;
  threadInN = add(modulo(lane, warpColumns), product(modulo(number, warps), warpColumns));
  threadInM = add(divide(lane, warpColumns), product(divide(number, warps), warpRows));
}

/// Blocks that are there at the same time share rows and columns, which then stay in the caches: some tiles along m,
/// for all of those along n.
void BlockEmitter::placeBlock() {
  constexpr int64_t together = 8;
  int64_t inM = blocks->m.tiles(), inN = blocks->n.tiles();
  Value rest = arith::IndexCastOp::create(b, b.getI64Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x));
  tile = modulo(rest, inM * inN);
  rest = divide(rest, inM * inN);
  Value first = product(divide(tile, together * inN), together), within = modulo(tile, together * inN);
  Value row, column;
  if (inM % together == 0) {
    row = modulo(within, together);
    column = divide(within, together);
  } else {
    Value count = least(arith::SubIOp::create(b, i64(inM), first), together);
    row = arith::RemUIOp::create(b, within, count);
    column = arith::DivUIOp::create(b, within, count);
  }
  mLow = product(add(first, row), blocks->m.tile);
  nLow = product(column, blocks->n.tile);
  batch = modulo(rest, blocks->batches);
  placeWork(batch);
  kFirst = i64(0);
  kEnd = i64(blocks->k.size);
  if (blocks->split > 1) {
    int64_t steps = blocks->splitTiles * blocks->k.tile;
    part = divide(rest, blocks->batches);
    kFirst = product(part, steps);
    kEnd = least(add(kFirst, steps), blocks->k.size);
  }
}

void BlockEmitter::placeWork(Value number) {
  for (int64_t dim : llvm::reverse(blocks->work)) {
    iv[dim] = modulo(number, nest->sizes[dim]);
    ivLevel[dim] = 0;
    number = divide(number, nest->sizes[dim]);
  }
}

//===- The pipeline -----------------------------------------------------------------------------------------------===//

/// Where the tile of k that begins at `kLow` is in shared memory.
Value BlockEmitter::stageOf(Value kLow) {
  Value number = modulo(divide(kLow, blocks->k.tile), blocks->stages);
  return elementAt(shared, b.getI8Type(), product(number, blocks->stageBytes()));
}

Value BlockEmitter::panelAt(Value stage, const BlockPanel &panel) {
  return elementAt(stage, b.getI8Type(), {}, &panel == &blocks->b ? blocks->a.bytes() : 0);
}

/// The whole tile at `kLow`, at once.
void BlockEmitter::bring(Value kLow) {
  at(top());
  Value stage = stageOf(kLow);
  for (const BlockPanel *panel : {&blocks->a, &blocks->b}) {
    at(top());
    Value base = panelAt(stage, *panel);
    if (panel->async)
      copy(*panel, kLow, base);
    else
      store(*panel, load(*panel, kLow), base);
  }
}

/// Adds the products of [low, high) of k. When a tile is multiplied, those for all other stages but one are on their
/// way, and that one has been read by all: it is for the tile which is asked for now.
void BlockEmitter::emitPart(Value low, Value high, SmallVectorImpl<Value> &sums) {
  const BlockDim &k = blocks->k;
  bool isAsync = blocks->a.async || blocks->b.async;
  scf::ForOp loop = openLoop(-1, low, high, k.tile, sums, /*nonEmpty=*/true);
  sums.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  at(top());
  Value kLow = loop.getInductionVar(), stage = stageOf(kLow);
  if (isAsync)
    NVVM::CpAsyncWaitGroupOp::create(b, blocks->stages - 2);
  barrier();
  int64_t ahead = (blocks->stages - 1) * k.tile;
  SmallVector<std::pair<const BlockPanel *, SmallVector<Value>>> loaded;
  Value next, isNext;
  if (std::min(k.size, blocks->splitTiles * k.tile) > ahead) {
    next = add(kLow, ahead);
    isNext = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next, kEnd);
    if (isAsync) {
      openIf(isNext);
      at(top());
      Value nextStage = stageOf(next);
      for (const BlockPanel *panel : {&blocks->a, &blocks->b}) {
        at(top());
        if (panel->async)
          copy(*panel, next, panelAt(nextStage, *panel));
      }
      closeIf();
    }
    for (const BlockPanel *panel : {&blocks->a, &blocks->b})
      if (!panel->async)
        loaded.emplace_back(panel, loadIf(*panel, isNext, next));
  }
  if (isAsync) {
    at(top());
    NVVM::CpAsyncCommitGroupOp::create(b);
  }
  at(top());
  multiply(stage, sums);
  if (!loaded.empty()) {
    openIf(isNext);
    at(top());
    Value nextStage = stageOf(next);
    for (auto &[panel, pieces] : loaded)
      store(*panel, pieces, panelAt(nextStage, *panel));
    closeIf();
  }
  closeLoop(loop, sums);
  sums.assign(loop.getResults().begin(), loop.getResults().end());
}

SmallVector<Value> BlockEmitter::emitSums() {
  const BlockDim &k = blocks->k;
  int64_t lastTiles = k.tiles() - (blocks->split - 1) * blocks->splitTiles; // of the last part
  for (int64_t stage = 0; stage + 1 < blocks->stages; ++stage) {
    at(0);
    Value low = add(kFirst, stage * k.tile);
    if (stage < lastTiles) {
      bring(low);
    } else if (stage < blocks->splitTiles) {
      openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, low, kEnd));
      bring(low);
      closeIf();
    }
    at(top());
    if (blocks->a.async || blocks->b.async)
      NVVM::CpAsyncCommitGroupOp::create(b);
  }
  SmallVector<Value> zeros(sumsOfThread(), zeroSum()), sums = zeros;
  if (blocks->parts == 1) {
    emitPart(kFirst, kEnd, sums);
    return sums;
  }
  scf::ForOp loop = openLoop(-1, kFirst, kEnd, blocks->partSize, zeros, /*nonEmpty=*/true);
  at(top());
  Value low = loop.getInductionVar();
  Value high = arith::MinSIOp::create(b, add(low, blocks->partSize), kEnd);
  emitPart(low, high, sums);
  at(top());
  SmallVector<Value> totals;
  for (auto [before, sum] : llvm::zip_equal(loop.getRegionIterArgs(), sums))
    totals.push_back(arith::AddFOp::create(b, before, sum));
  closeLoop(loop, totals);
  return SmallVector<Value>(loop.getResults());
}

void BlockEmitter::begin(LoopNest &theNest, const BlocksPlan &thePlan, Value theScratch) {
  nest = &theNest;
  blocks = &thePlan;
  scratch = theScratch;
  iv.resize(exprs.noDeps().size());
  ivLevel.resize(iv.size(), 0);
  at(0);
}

/// Whether this is the last of a tile's blocks that has written its part.
Value BlockEmitter::emitArrivalOfTile() {
  at(top());
  Arrival arrival;
  arrival.counters = arrivals.counters;
  arrival.number = add(product(batch, blocks->m.tiles() * blocks->n.tiles()), tile);
  arrival.blocks = blocks->split;
  arrival.isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, i64(0));
  arrival.flag = arrivals.flag;
  return emitArrival(b, arrival, [&] { meet(); });
}

void BlockEmitter::emitBlocks(LoopNest &theNest, const BlocksPlan &thePlan, Value theScratch,
                              const Arrivals &theArrivals) {
  begin(theNest, thePlan, theScratch);
  arrivals = theArrivals;
  placeThread();
  placeBlock();
  if (blocks->isWarpgroups())
    return emitWarpgroups();
  SmallVector<Value> sums = emitSums();
  const BlockDim &m = blocks->m;
  int64_t rows = m.tile / blocks->passes, passes = llvm::divideCeil(std::min(m.tile, m.size), rows);
  auto share = [&](int64_t pass) {
    writeSums(sums, pass);
    if (!readsOwnSums())
      barrier();
  };
  for (int64_t pass = 0; pass < passes; ++pass) {
    // Who multiplies the last tile has met the others behind the one before.
    if (pass > 0 || blocks->isLastTileThere)
      barrier();
    share(pass);
    emitResults(pass);
  }
  if (!arrivals.counters)
    return;
  openIf(emitArrivalOfTile());
  for (int64_t pass = 0; pass < passes; ++pass) {
    if (pass > 0)
      barrier();
    // The block's own sums are still there if they went through shared memory at once.
    if (passes > 1)
      share(pass);
    emitResults(pass, /*areTotals=*/true);
  }
  closeIf();
}
