// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What groups of threads, warps and blocks know of their keys, combined: maxima, sums of exponentials, and sums of
// values, each less its own maximum. Warps meet in shared memory, blocks in scratch memory.

#include "mlir_xla/lowering/gpu/StreamEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kWarp = BlocksAttr::kWarp;
/// Elements of 16 bytes.
static constexpr int64_t kPiece = 4;

/// The groups of a warp come to have what all of them have.
void StreamEmitter::meetInWarp(Running &running) {
  Reduction &maximum = form->maximum->reductions[0];
  at(top());
  for (int64_t distance = stream->threadsOfScore(); distance < stream->threadsOfRow(); distance *= 2)
    running.sum = arith::AddFOp::create(b, running.sum, swapped(running.sum, distance));
  if (stream->group == kWarp)
    return;
  auto fold = [&](Value &value) {
    for (int64_t distance = stream->group; distance < kWarp; distance *= 2)
      value = arith::AddFOp::create(b, value, swapped(value, distance));
  };
  Value own = running.maximum;
  for (int64_t distance = stream->group; distance < kWarp; distance *= 2) {
    at(top());
    running.maximum = combine(maximum, {running.maximum}, {swapped(running.maximum, distance)})[0];
  }
  Value scale = exponential(own, shiftOf(running.maximum));
  at(top());
  running.sum = arith::MulFOp::create(b, running.sum, scale);
  fold(running.sum);
  for (int64_t row = 0; row < stream->rows; ++row) {
    Value ofAll = ofRow(scale, row);
    for (Value &value :
         MutableArrayRef<Value>(running.values).slice(row * stream->columns.elements, stream->columns.elements)) {
      value = arith::MulFOp::create(b, value, ofAll);
      fold(value);
    }
  }
}

/// Where a row in shared memory has a column. A thread has neighbouring columns; if those are several pieces of 16
/// bytes, neighbours change places, by the place of 128 bytes, or threads that write their first pieces would meet in
/// banks. Who reads the row has eight pieces of one place.
Value StreamEmitter::swizzledColumn(Value column) {
  int64_t pieces = stream->columns.lanes / kPiece;
  if (pieces <= 1)
    return column;
  Value turn = modulo(divide(column, 8 * kPiece), pieces);
  return arith::XOrIOp::create(b, column, product(turn, kPiece));
}

/// For each warp: sums of values in rows; behind those of all, maxima, and then sums.
void StreamEmitter::leaveInShared(const Running &running) {
  Type f32 = b.getF32Type();
  const StreamPieces &columns = stream->columns;
  at(top());
  Value warp = divide(thread, kWarp);
  openIf(isBelow(lane, stream->group));
  at(top());
  int64_t width = std::min(columns.lanes, kPiece);
  auto type = VectorType::get({width}, f32);
  Value base = product(warp, stream->rows * columns.padded), own = product(inGroup, columns.lanes);
  for (int64_t first = 0; first < columns.elements; first += width) {
    int64_t column = first / columns.lanes * stream->group * columns.lanes + first % columns.lanes;
    Value place = elementAt(shared, f32, add(base, swizzledColumn(add(own, column))));
    for (int64_t row = 0; row < stream->rows; ++row) {
      ArrayRef<Value> sums = ArrayRef(running.values).slice(row * columns.elements + first, width);
      Value value = width > 1 ? vector::FromElementsOp::create(b, type, sums).getResult() : sums[0];
      LLVM::StoreOp::create(b, value, elementAt(place, f32, {}, row * columns.padded), 4 * width);
    }
  }
  openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, modulo(inGroup, stream->threadsOfRow()), i64(0)));
  at(top());
  int64_t maxima = stream->warps() * stream->rows * columns.padded, count = stream->warps() * stream->rows;
  Value place =
      elementAt(shared, f32, add(product(warp, stream->rows), divide(inGroup, stream->threadsOfRow())), maxima);
  LLVM::StoreOp::create(b, running.maximum, place, 4);
  LLVM::StoreOp::create(b, running.sum, elementAt(place, f32, {}, count), 4);
  closeIf();
  closeIf();
}

/// Neighbouring columns, as results are written.
static Value loadColumns(ImplicitLocOpBuilder &b, Value place, int64_t lanes) {
  Type f32 = b.getF32Type();
  return LLVM::LoadOp::create(b, lanes > 1 ? Type(VectorType::get({lanes}, f32)) : f32, place,
                              std::min<int64_t>(16, 4 * lanes));
}

/// Those of a row in shared memory.
Value StreamEmitter::columnsInShared(Value row, Value column) {
  Type f32 = b.getF32Type();
  int64_t width = std::min(stream->lanes, kPiece);
  SmallVector<Value> elements;
  for (int64_t first = 0; first < stream->lanes; first += width) {
    Value place = swizzledColumn(first ? add(column, first) : column);
    Value piece = loadColumns(b, elementAt(row, f32, place), width);
    if (width == stream->lanes)
      return piece;
    for (int64_t i = 0; i < width; ++i)
      elements.push_back(vector::ExtractOp::create(b, piece, i));
  }
  return vector::FromElementsOp::create(b, VectorType::get({stream->lanes}, f32), elements);
}

StreamEmitter::Part StreamEmitter::partInShared(Value warp, Value row, Value column) {
  Type f32 = b.getF32Type();
  int64_t padded = stream->columns.padded, count = stream->warps() * stream->rows;
  at(top());
  Value number = add(product(warp, stream->rows), row);
  Value place = elementAt(shared, f32, number, count * padded);
  return {LLVM::LoadOp::create(b, f32, place, 4), LLVM::LoadOp::create(b, f32, elementAt(place, f32, {}, count), 4),
          columnsInShared(elementAt(shared, f32, product(number, padded)), column)};
}

/// In scratch memory, for each part, the maxima of its rows; likewise the sums, and those of values. Rows of a block
/// are neighbours, so that its threads write whole sectors.
Value StreamEmitter::placeInScratch(int64_t which, Value thePart, Value row) {
  Value number = add(product(add(product(batch, stream->split), thePart), stream->numRows), row);
  int64_t count = stream->batches * stream->numRows * stream->split;
  if (which < 2)
    return elementAt(scratch, b.getF32Type(), number, which * count);
  return elementAt(scratch, b.getF32Type(), product(number, stream->columns.size), llvm::alignTo(2 * count, 4));
}

StreamEmitter::Part StreamEmitter::partInScratch(Value thePart, Value row, Value column) {
  at(top());
  Type f32 = b.getF32Type();
  return {LLVM::LoadOp::create(b, f32, placeInScratch(0, thePart, row), 4),
          LLVM::LoadOp::create(b, f32, placeInScratch(1, thePart, row), 4),
          loadColumns(b, elementAt(placeInScratch(2, thePart, row), f32, column), stream->lanes)};
}

Value StreamEmitter::vectorOf(Value scalar) {
  return stream->lanes > 1
             ? vector::BroadcastOp::create(b, VectorType::get({stream->lanes}, b.getF32Type()), scalar).getResult()
             : scalar;
}

StreamEmitter::Part StreamEmitter::combined(ArrayRef<Part> parts) {
  Part all = parts.front();
  if (parts.size() == 1)
    return all;
  for (const Part &part : parts.drop_front())
    all.maximum = combine(form->maximum->reductions[0], {all.maximum}, {part.maximum})[0];
  Value shift = shiftOf(all.maximum);
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value scale = exponential(part.maximum, shift);
    at(top());
    Value sum = arith::MulFOp::create(b, part.sum, scale);
    Value values = arith::MulFOp::create(b, part.values, vectorOf(scale));
    all.sum = number ? arith::AddFOp::create(b, all.sum, sum).getResult() : sum;
    all.values = number ? arith::AddFOp::create(b, all.values, values).getResult() : values;
  }
  return all;
}

/// What is computed of a row's sums, divided by the sum of its exponentials. Row and column are bound.
void StreamEmitter::finish(const Part &part) {
  at(top());
  emitResult(arith::DivFOp::create(b, part.values, vectorOf(part.sum)));
}

static NestPlan walkOfResults(int64_t lanes, unsigned along) {
  NestPlan walk;
  walk.lanes = lanes;
  if (lanes > 1) {
    walk.v = along;
    walk.aligned = true;
  }
  return walk;
}

void StreamEmitter::emitResults() {
  unsigned along = form->block + 1;
  nest = form->values;
  int64_t width = stream->lanes, vectors = stream->columns.size / width;
  NestPlan walk = walkOfResults(width, along);
  plan = &walk;
  scf::ForOp loop = openLoop(-1, thread, i64(stream->rows * vectors), stream->threads, {});
  at(top());
  Value number = loop.getInductionVar();
  Value row = divide(number, vectors), column = product(modulo(number, vectors), width);
  bool isPartial = stream->numRows % stream->rows;
  if (isPartial)
    openIf(isBelow(add(firstRow, row), stream->numRows));
  plan = &scalar;
  SmallVector<Part> parts;
  for (int64_t warp = 0; warp < stream->warps(); ++warp)
    parts.push_back(partInShared(i64(warp), row, column));
  Part all = combined(parts);
  plan = &walk;
  at(top());
  if (stream->split > 1) {
    Value ofAll = add(firstRow, row);
    LLVM::StoreOp::create(b, all.values, elementAt(placeInScratch(2, part, ofAll), b.getF32Type(), column),
                          std::min<int64_t>(16, 4 * width));
    openIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, column, i64(0)));
    at(top());
    LLVM::StoreOp::create(b, all.maximum, placeInScratch(0, part, ofAll), 4);
    LLVM::StoreOp::create(b, all.sum, placeInScratch(1, part, ofAll), 4);
    closeIf();
  } else {
    bindDim(form->block, row);
    bindDim(along, column);
    finish(all);
    leave(form->block);
    leave(along);
  }
  if (isPartial)
    closeIf();
  closeLoop(loop, {});
}

void StreamEmitter::emitCombination(const Attention &attention, const StreamPlan &thePlan, Value theScratch,
                                    Value item) {
  begin(attention, thePlan, theScratch);
  unsigned block = form->block, along = block + 1;
  nest = form->values;
  plan = &scalar;
  at(0);
  int64_t vectors = stream->columns.size / stream->lanes;
  Value column = product(modulo(item, vectors), stream->lanes), rest = divide(item, vectors);
  Value row = modulo(rest, stream->numRows);
  placeBatch(divide(rest, stream->numRows));
  SmallVector<Part> parts;
  for (int64_t number = 0; number < stream->split; ++number)
    parts.push_back(partInScratch(i64(number), row, column));
  Part all = combined(parts);
  NestPlan walk = walkOfResults(stream->lanes, along);
  plan = &walk;
  bindDim(block - 1, row);
  bindDim(block, i64(0));
  bindDim(along, column);
  finish(all);
}
