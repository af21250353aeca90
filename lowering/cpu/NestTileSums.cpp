// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's sums of products in tile registers (AMX), in nests such as those of attention: a step is a few rows of
// tiles by a few columns of them. Columns are in panels of pairs, and rows are read as they are. Sums go where they
// belong, or to a tile in memory, from where vectors of them go through what is computed of them.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kTileRows = TilesAttr::kTileRows, kTileBytes = TilesAttr::kTileBytes,
                         kLanes = TilesAttr::kTileLanes, kSteps = 2 * kLanes;

namespace {
/// Which registers hold what: first the sums, row by row of tiles. Tiles of rows and of columns take turns in others,
/// and those of what is left behind whole steps, which are of another shape, in the last ones.
struct Registers {
  Registers(const LoopNest &nest, const NestPlan &plan)
      : columnTiles(plan.vUnroll), sums(plan.uUnroll / kTileRows * columnTiles),
        whole(llvm::alignTo(nest.sizes[plan.reductionLoops[0]], 2)), rest(whole % kSteps) {
    whole -= rest;
    constexpr int64_t most = 2;
    turns = std::min((TilesAttr::kTileRegisters - sums) / (rest ? 4 : 2), most);
  }
  int64_t rows(int64_t tile, bool isRest) const { return sums + (isRest ? 2 * turns : 0) + tile % turns; }
  int64_t columns(int64_t tile, bool isRest) const { return rows(0, isRest) + turns + tile % turns; }

  int64_t columnTiles, sums;
  int64_t whole, rest; // steps, which are pairs
  int64_t turns;
};
} // namespace

/// Describes the registers to the processor, before the steps of a nest.
void NestEmitter::beginTileSums() {
  constexpr int64_t format = 1, bytesAt = 16, rowsAt = 48, bytesOfPair = 4;
  Registers registers(*nest, *plan);
  std::array<int8_t, kTileBytes> description{};
  description[0] = format;
  auto setShape = [&](int64_t number, int64_t rows, int64_t bytes) {
    description[bytesAt + 2 * number] = static_cast<int8_t>(bytes);
    description[rowsAt + number] = static_cast<int8_t>(rows);
  };
  for (int64_t number = 0; number < registers.sums; ++number)
    setShape(number, kTileRows, kTileBytes);
  for (bool isRest : {false, true}) {
    int64_t pairs = isRest ? registers.rest / 2 : kSteps / 2;
    for (int64_t turn = 0; pairs && turn < registers.turns; ++turn) {
      setShape(registers.rows(turn, isRest), kTileRows, pairs * bytesOfPair);
      setShape(registers.columns(turn, isRest), pairs, kTileBytes);
    }
  }
  if (!hasTileRegisters)
    allowTileRegisters();
  at(0);
  auto type = VectorType::get({kTileBytes}, b.getI8Type());
  Value shapes = allocateOnStack(b.getI8Type(), kTileBytes);
  LLVM::StoreOp::create(b, constant(DenseElementsAttr::get(type, ArrayRef<int8_t>(description))), shapes, 1);
  at(top());
  callTile("ldtilecfg", {}, shapes);
  tileOfSums = {};
  padPairs(*tileFactorsOf(*nest, *plan));
}

/// The second half of the last pair of an odd number of steps is zero in all rows, as it is in columns.
void NestEmitter::padPairs(const TileFactors &factors) {
  int64_t size = nest->sizes[plan->reductionLoops[0]];
  if (size % 2 == 0)
    return;
  Type element = factors.rows->type;
  at(top());
  scf::ForOp loop = openLoop(plan->u, i64(0), i64(nest->sizes[plan->u]), 1, {}, /*nonEmpty=*/true);
  Value row = pointer(factors.rows->buffer, element, resolve(factors.rows->address, 0, 0)).value;
  at(top());
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(element)));
  LLVM::StoreOp::create(b, zero, elementAt(row, element, {}, size), elementAlignment(element));
  closeLoop(loop, {});
  leave(plan->u);
}

/// 32 steps of the reduced dimension from where it stands, or what is left.
void NestEmitter::emitTileStep(const TileFactors &factors, bool isRest) {
  constexpr int64_t none = -1;
  Registers registers(*nest, *plan);
  Type memory = factors.rows->type;
  int64_t rowBytes = 2 * factors.rows->address.dims[plan->u], stepBytes = 2 * factors.pitch;
  std::array<int64_t, TilesAttr::kTileRegisters> held;
  held.fill(none);
  auto load = [&](ExprNode *factor, int64_t number, int64_t tile, unsigned uo, unsigned vo, int64_t pitch) {
    if (std::exchange(held[number], tile) == tile)
      return;
    Value place = pointer(factor->buffer, memory, resolve(factor->address, uo, vo)).value;
    at(top());
    callTile("tileloadd64", number, {place, i64(pitch)});
  };
  for (int64_t row = 0; row < uCount / kTileRows; ++row) {
    int64_t rowNumber = registers.rows(row, isRest);
    load(factors.rows, rowNumber, row, row * kTileRows, 0, rowBytes);
    for (int64_t i = 0; i < vCount; ++i) {
      // Back and forth, so that the last columns of a row are there for the next one.
      int64_t column = row % 2 ? vCount - 1 - i : i, columnNumber = registers.columns(column, isRest);
      load(factors.columns, columnNumber, column, 0, column, stepBytes);
      callTile("tdpbf16ps", {row * registers.columnTiles + column, rowNumber, columnNumber});
    }
  }
}

/// All sums of a step, from zero.
void NestEmitter::addTileProducts(const TileFactors &factors) {
  Registers registers(*nest, *plan);
  unsigned step = plan->reductionLoops[0];
  int64_t whole = registers.whole;
  at(top());
  for (int64_t row = 0; row < uCount / kTileRows; ++row)
    for (int64_t column = 0; column < vCount; ++column)
      callTile("tilezero", row * registers.columnTiles + column);
  if (whole > 0) {
    Value upper = i64(whole);
    if (trimmedEnd) {
      // Products that may be left out, but need not.
      Value steps = arith::DivUIOp::create(b, sum(trimmedEnd, i64(kSteps - 1)), i64(kSteps));
      upper = least(product(steps, kSteps), whole);
    }
    scf::ForOp loop = openLoop(step, i64(0), upper, kSteps, {}, /*nonEmpty=*/!trimmedEnd);
    emitTileStep(factors, /*isRest=*/false);
    closeLoop(loop, {});
    leave(step);
  }
  if (!registers.rest)
    return;
  at(top());
  if (trimmedEnd)
    openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, trimmedEnd, i64(whole)));
  else
    openScope();
  iv[step] = i64(whole);
  ivLevel[step] = top();
  emitTileStep(factors, /*isRest=*/true);
  trimmedEnd ? closeIf() : closeScope();
  leave(step);
}

/// The store of all sums of a step, as they are, to rows of memory; nothing if there is more to do.
std::optional<Store> NestEmitter::storeOfTiles() {
  std::vector<Store> stores = epilogueStores();
  if (stores.size() != 1 || stores[0].value != nest->reductions[0].results[0] || !stores[0].elementType.isF32() ||
      stores[0].address.dims[plan->v] != 1 || !stores[0].address.symbols.empty() ||
      !stores[0].address.nonlinear.empty() || maskOf(vCount - 1))
    return std::nullopt;
  return stores[0];
}

/// A step of sums, and what is computed of them, row by row, so that the code is there once.
void NestEmitter::emitRowTiles() {
  TileFactors factors = *tileFactorsOf(*nest, *plan);
  int u = plan->u;
  Type element = b.getF32Type();
  int64_t step = plan->vUnroll * kLanes;
  std::optional<Store> direct = storeOfTiles();
  if (!direct && !tileOfSums)
    tileOfSums = allocateOnStack(element, plan->uUnroll * step);
  Value isRead = isStepRead();
  if (isRead)
    openIf(isRead);
  addTileProducts(factors);
  for (int64_t row = 0; row < uCount; row += kTileRows)
    for (int64_t column = 0; column < vCount; ++column) {
      Value place = direct ? pointer(direct->buffer, element, resolve(direct->address, row, column)).value
                           : elementAt(tileOfSums, element, {}, row * step + column * kLanes);
      at(top());
      callTile("tilestored64", row / kTileRows * plan->vUnroll + column,
               {place, i64(4 * (direct ? direct->address.dims[u] : step))});
    }
  if (isRead)
    closeIf();
  iv[plan->reductionLoops[0]] = {};
  if (direct) {
    storing.insert(direct->buffer.slot);
    return;
  }
  Value first = iv[u];
  unsigned level = ivLevel[u], count = std::exchange(uCount, 1);
  leave(u);
  at(top());
  scf::ForOp rows = openLoop(u, first, sum(first, i64(count)), 1, {}, /*nonEmpty=*/true);
  at(top());
  Value place = elementAt(tileOfSums, element, product(difference(iv[u], first), step));
  auto type = VectorType::get({kLanes}, element);
  for (unsigned vo = 0; vo < vCount; ++vo) {
    Value sums = LLVM::LoadOp::create(b, type, elementAt(place, element, {}, vo * kLanes), kTileBytes);
    values[Key(nest->reductions[0].results[0], 0, vo)] = {sums, top()};
  }
  emitEpilogue(vCount);
  closeLoop(rows, {});
  leave(u);
  iv[u] = first;
  ivLevel[u] = level;
  uCount = count;
}
