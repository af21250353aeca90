// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's tiles in tile registers (AMX). The plan says which register holds what, so that LLVM has none to
// allocate: instructions name them. A kernel gives the registers their shapes before its work, and releases them after.

#include "mlir_xla/lowering/cpu/NestEmitter.h"
#include "mlir_xla/lowering/cpu/TileFactors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

using Registers = TilesAttr::TileRegisters;
static constexpr int64_t kTileRows = TilesAttr::kTileRows, kTileBytes = TilesAttr::kTileBytes;
static constexpr StringLiteral kAllow = "xla_rt_allow_tile_registers";

void NestEmitter::callTile(StringRef name, ArrayRef<int64_t> registers, ValueRange operands) {
  SmallVector<Value> all;
  for (int64_t number : registers)
    all.push_back(constant(b.getI8IntegerAttr(number)));
  llvm::append_range(all, operands);
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86." + name.str()), all);
}

/// Asks for the registers, at the start of the kernel.
void NestEmitter::allowTileRegisters() {
  at(0);
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(kAllow)) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(atStart, module.getLoc(), kAllow, atStart.getFunctionType({}, {b.getI32Type()})).setPrivate();
  }
  func::CallOp::create(b, kAllow, b.getI32Type(), ValueRange());
  hasTileRegisters = true;
}

/// Gives the registers their shapes, from a description that is put to `shapes`: first the number of
/// its format, then bytes of a row of each register, and the rows.
void NestEmitter::openTileRegisters(Value shapes) {
  Registers registers(tiles->rows, tiles->vectors);
  constexpr int64_t format = 1, bytesAt = 16, rowsAt = 48;
  std::array<int8_t, kTileBytes> description{};
  description[0] = format;
  auto setRows = [&](int64_t number, int64_t rows) {
    description[bytesAt + 2 * number] = kTileBytes;
    description[rowsAt + number] = static_cast<int8_t>(rows);
  };
  for (int64_t number = 0; number < registers.sums + registers.kept + registers.turns; ++number)
    setRows(number, kTileRows);
  // Those of rows and of sums may have fewer.
  int64_t height = rowsOfRegister(tiles->rows, tiles->vectors);
  auto rowsOf = [&](int64_t tile) { return std::min(height, tiles->rows - tile * height); };
  for (int64_t tile = 0; tile < registers.rowTiles; ++tile) {
    for (int64_t column = 0; column < registers.columnTiles; ++column)
      setRows(tile * registers.columnTiles + column, rowsOf(tile));
    setRows(registers.sums + (registers.keepsRows ? tile : registers.kept + tile % registers.turns), rowsOf(tile));
  }

  allowTileRegisters();
  auto type = VectorType::get({kTileBytes}, b.getI8Type());
  Value bytes = constant(DenseElementsAttr::get(type, ArrayRef<int8_t>(description)));
  LLVM::StoreOp::create(b, bytes, shapes, 1);
  callTile("ldtilecfg", {}, shapes);
}

/// Tiles are whole along k: what they read of the packed columns behind its end is zeros.
void NestEmitter::padColumns(const TileBlock &block) {
  int64_t groups = llvm::divideCeil(nest->sizes[tiles->k], tiles->group);
  int64_t missing = llvm::alignTo(groups, kTileRows) - groups, step = tiles->step();
  if (!missing)
    return;
  block.isLast ? openIf(block.isLast) : openScope();
  at(top());
  auto zeros = VectorType::get({tiles->lanes}, b.getI32Type());
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(zeros)));
  Value first = difference(i64(groups), arith::DivUIOp::create(b, block.kLow, i64(tiles->group)));
  scf::ForOp panels = openLoop(-1, i64(0), difference(block.nHigh, block.nLow), step, {});
  at(top());
  Value panel = product(panels.getInductionVar(), tiles->instructions);
  Value place = elementAt(block.columns, b.getI32Type(), sum(panel, product(first, step)));
  scf::ForOp loop = openLoop(-1, i64(0), i64(missing * step), tiles->lanes, {}, /*nonEmpty=*/true);
  at(top());
  LLVM::StoreOp::create(b, zero, elementAt(place, b.getI32Type(), loop.getInductionVar()), 4);
  closeLoop(loop, {});
  closeLoop(panels, {});
  block.isLast ? closeIf() : closeScope();
}

/// The same of the rows. What there is comes afterwards, `written` steps at a time, of which the last may be zeros.
void NestEmitter::padRows(const TileBlock &block, int64_t written) {
  int64_t size = nest->sizes[tiles->k], ofTile = tiles->group * kTileRows, rest = size % ofTile;
  if (llvm::alignTo(size, written) >= llvm::alignTo(size, ofTile))
    return;
  block.isLast ? openIf(block.isLast) : openScope();
  at(top());
  auto zeros = VectorType::get({kTileRows}, b.getI32Type());
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(zeros)));
  Value last = elementAt(block.rows, tiles->packedType, difference(i64(size - rest), block.kLow));
  scf::ForOp loop = openLoop(-1, i64(0), difference(block.mHigh, block.mLow), 1, {}, /*nonEmpty=*/true);
  at(top());
  LLVM::StoreOp::create(b, zero, elementAt(last, tiles->packedType, product(loop.getInductionVar(), tiles->pitchA)), 4);
  closeLoop(loop, {});
  block.isLast ? closeIf() : closeScope();
}

static std::string nameOfProduct(const TilePlan &tiles) {
  if (tiles.instruction != ProductInstruction::Tdpbssd)
    return stringifyProductInstruction(tiles.instruction).str();
  return std::string("tdpb") + (tiles.aSigned ? "s" : "u") + (tiles.bSigned ? "s" : "u") + "d";
}

/// The block of k for one tile of results, whose sums begin at zero and go to `block.tile`, or where they belong.
void NestEmitter::emitTileProducts(const TileBlock &block, Value columns, Value rows) {
  Registers registers(tiles->rows, tiles->vectors);
  int64_t step = tiles->step(), stepsOfTile = tiles->group * kTileRows;
  std::string name = nameOfProduct(*tiles);
  Type lane = b.getI32Type();
  at(top());
  for (int64_t number = 0; number < registers.sums; ++number)
    callTile("tilezero", number);
  int64_t elementBytes = 4 / tiles->group;
  Value rowBytes = i64(tiles->pitchA * elementBytes), stepBytes = i64(step * 4);
  Value upper = block.kHigh;
  if (nest->sizes[tiles->k] % stepsOfTile)
    upper = product(arith::DivUIOp::create(b, sum(upper, i64(stepsOfTile - 1)), i64(stepsOfTile)), stepsOfTile);
  scf::ForOp loop = openLoop(tiles->k, block.kLow, upper, stepsOfTile, {}, /*nonEmpty=*/true);
  at(top());
  Value panel = elementAt(columns, lane, product(iv[tiles->k], step / tiles->group));
  int64_t height = rowsOfRegister(tiles->rows, tiles->vectors);
  SmallVector<Value> places; // of the rows of registers
  if (tiles->packA)
    rows = elementAt(rows, tiles->packedType, iv[tiles->k]);
  for (int64_t tile = 0; tile < registers.rowTiles; ++tile) {
    int64_t first = tile * height;
    places.push_back(tiles->packA
                         ? elementAt(rows, tiles->packedType, first ? i64(first * tiles->pitchA) : Value())
                         : pointer(tiles->a->buffer, tiles->a->type, resolve(tiles->a->address, first, 0)).value);
  }
  at(top());
  auto load = [&](bool isOfRows, int64_t tile, int64_t number) {
    if (isOfRows)
      callTile("tileloadd64", number, {places[tile], rowBytes});
    else
      callTile("tileloadd64", number, {elementAt(panel, lane, {}, tile * tiles->lanes), stepBytes});
  };
  for (int64_t tile = 0; tile < registers.kept; ++tile)
    load(registers.keepsRows, tile, registers.sums + tile);
  int64_t others = registers.keepsRows ? registers.columnTiles : registers.rowTiles;
  for (int64_t other = 0; other < others; ++other) {
    int64_t number = registers.sums + registers.kept + other % registers.turns;
    load(!registers.keepsRows, other, number);
    for (int64_t tile = 0; tile < registers.kept; ++tile) {
      int64_t kept = registers.sums + tile;
      if (registers.keepsRows)
        callTile(name, {tile * registers.columnTiles + other, kept, number});
      else
        callTile(name, {other * registers.columnTiles + tile, number, kept});
    }
  }
  closeLoop(loop, {});
  leave(tiles->k);
  Value place = block.tile, pitchBytes = stepBytes;
  int64_t pitch = step;
  if (tiles->storesTiles) {
    const Store &store = *nest->reductions[0].stores[0];
    storing.insert(store.buffer.slot);
    pitch = store.address.dims[tiles->m];
    place = pointer(store.buffer, store.elementType, resolve(store.address, 0, 0)).value;
    pitchBytes = i64(pitch * 4);
  }
  at(top());
  for (int64_t row = 0; row < registers.rowTiles; ++row)
    for (int64_t column = 0; column < registers.columnTiles; ++column)
      callTile("tilestored64", row * registers.columnTiles + column,
               {elementAt(place, lane, {}, row * height * pitch + column * tiles->lanes), pitchBytes});
}
