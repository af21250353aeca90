// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by blocks of threads. A block keeps its rows in shared memory and walks the keys tile by tile: scores and
// sums of values are in registers, exponentials go from the threads of a row to each other through shared memory. The
// next keys are on their way while values are multiplied, and values while scores are.

#include "mlir_xla/lowering/gpu/AttentionEmitter.h"
#include "mlir_xla/lowering/GpuMachine.h"

#include "mlir_xla/lowering/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kGroup = AttentionPlan::kGroup, kWarp = GpuMachine::warp;
/// Of an access.
static constexpr int32_t kBytes = 16;

SmallVector<Value> AttentionEmitter::Running::all() const {
  SmallVector<Value> result(maximum);
  llvm::append_range(result, sum);
  llvm::append_range(result, values);
  return result;
}

AttentionEmitter::Running AttentionEmitter::Running::from(ValueRange all, int64_t rows) {
  return {SmallVector<Value>(all.take_front(rows)), SmallVector<Value>(all.slice(rows, rows)),
          SmallVector<Value>(all.drop_front(2 * rows))};
}

void AttentionEmitter::placeBlockOfRows() {
  at(0);
  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  lane = modulo(thread, kWarp);
  // The last blocks of rows first: those of a causal mask have most to do.
  unsigned block = form->block;
  const LoopNest &scores = *form->scores;
  Value rest = arith::IndexCastOp::create(b, b.getI64Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x));
  rest = arith::SubIOp::create(b, i64(tiles->grid - 1), rest);
  int64_t batches = tiles->grid / tiles->rowTiles;
  firstRow = product(divide(rest, batches), tiles->rows);
  Value batch = modulo(rest, batches);
  for (unsigned dim = block - 1; dim-- > 0;) {
    iv[dim] = modulo(batch, scores.sizes[dim]);
    ivLevel[dim] = 0;
    batch = divide(batch, scores.sizes[dim]);
  }
  iv[block - 1] = firstRow;
  ivLevel[block - 1] = 0;
}

/// A row of this thread; beyond the end, the last one.
void AttentionEmitter::placeRow(Value inBlock) {
  int64_t size = form->scores->sizes[form->block - 1];
  if (size % tiles->rows)
    inBlock = arith::MinSIOp::create(b, inBlock, arith::SubIOp::create(b, i64(size - 1), firstRow));
  rowsInBlock.push_back(inBlock);
}

/// Threads of a row are neighbours, in one warp.
void AttentionEmitter::placeThreads() {
  column = modulo(thread, tiles->threadColumns);
  rowGroup = divide(thread, tiles->threadColumns);
  for (int64_t row = 0; row < tiles->rowsOfThread; ++row)
    placeRow(add(rowGroup, row * (tiles->rows / tiles->rowsOfThread)));
}

Value AttentionEmitter::placeIn(const AttentionPanel &panel, Value row, Value column, int64_t constant) {
  Value base = elementAt(stage ? stage : shared, b.getI8Type(), {}, panel.offset);
  if (panel.tile.elementBytes)
    return elementAt(base, panel.type, offsetOf(panel.tile, {column, row}), constant);
  Value place = product(row, panel.pitch);
  return elementAt(base, panel.type, column ? add(place, column) : place, constant);
}

Value AttentionEmitter::loadGroup(Value place) {
  return LLVM::LoadOp::create(b, VectorType::get({kGroup}, b.getF32Type()), place, 16);
}

//===- To shared memory -------------------------------------------------------------------------------------------===//

/// Rows from `first` on. Rows and columns beyond the end are zeros.
void AttentionEmitter::bring(const LoopNest &theNest, const AttentionPanel &panel, Value first) {
  constexpr int64_t mostUnrolled = 16;
  nest = const_cast<LoopNest *>(&theNest);
  NestPlan walk;
  walk.lanes = panel.lanes;
  if (panel.lanes > 1) {
    walk.v = panel.along;
    walk.aligned = true;
  }
  plan = &walk;
  int64_t inRow = panel.inner / panel.lanes, pieces = panel.rows * inRow, threads = tiles->threads;
  int64_t steps = llvm::divideCeil(pieces, threads);
  bool isPartial = pieces % threads;
  auto bringOne = [&](Value number, Value row, Value columns) {
    if (isPartial)
      openIf(isBelow(number, pieces));
    bringPiece(panel, first, row, columns);
    if (isPartial)
      closeIf();
  };
  auto bringNumber = [&](Value number) {
    if (panel.byRows)
      bringOne(number, modulo(number, panel.rows), product(divide(number, panel.rows), panel.lanes));
    else
      bringOne(number, divide(number, inRow), product(modulo(number, inRow), panel.lanes));
  };
  int64_t size = nest->sizes[panel.row == form->block ? panel.row - 1 : panel.row];
  std::optional<int64_t> stride;
  if (panel.async)
    stride = strideAlong(panel.factor->address, panel.row, 1);
  bool isWhole = size % panel.rows == 0 && panel.columns % panel.inner == 0 && !isPartial;
  // Pieces have the same order every so many rows.
  int64_t period = panel.tile.elementBytes ? panel.tile.rowsOfLine() * panel.tile.orders() : 1;
  if (stride && isWhole && threads % inRow == 0 && threads / inRow % period == 0) {
    // Addresses differ by constants. LLVM would not see it: it makes sums of parts of an index *or*s.
    at(top());
    Value row = divide(thread, inRow), columns = product(modulo(thread, inRow), panel.lanes);
    bindDim(panel.row, first && !panel.ofKeys ? add(first, row) : row);
    bindDim(panel.along, first && panel.ofKeys ? add(first, columns) : columns);
    Value source = pointer(panel.factor->buffer, panel.type, resolve(panel.factor->address, 0, 0)).value;
    Value target = placeIn(panel, row, columns);
    int64_t pitch = panel.tile.elementBytes ? panel.tile.inner : panel.pitch;
    at(top());
    for (int64_t step = 0; step < steps; ++step) {
      int64_t rows = step * (threads / inRow);
      copy(elementAt(source, panel.type, {}, rows * *stride), elementAt(target, panel.type, {}, rows * pitch));
    }
    leave(panel.row);
    leave(panel.along);
    return;
  }
  if (steps > mostUnrolled) {
    scf::ForOp loop = openLoop(-1, i64(0), i64(steps), 1, {}, /*nonEmpty=*/true);
    at(top());
    bringNumber(add(thread, product(loop.getInductionVar(), threads)));
    closeLoop(loop, {});
    return;
  }
  for (int64_t step = 0; step < steps; ++step) {
    openScope();
    at(top());
    bringNumber(add(thread, step * threads));
    closeScope();
  }
}

/// 16 bytes past the registers; `count` of them are read, the others zeros.
void AttentionEmitter::copy(Value source, Value target, Value count) {
  Value global = LLVM::AddrSpaceCastOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 1), source);
  NVVM::CpAsyncOp::create(b, target, global, kBytes, NVVM::LoadCacheModifierKind::CG, count);
}

void AttentionEmitter::bringPiece(const AttentionPanel &panel, Value first, Value row, Value columns) {
  at(top());
  // Rows of queries are counted from the first one of the block, others from the first of all.
  bool isRow = panel.row == form->block;
  int64_t size = isRow ? nest->sizes[panel.row - 1] : nest->sizes[panel.row];
  Value index = isRow || panel.ofKeys ? row : add(first, row), isInside;
  if (size % panel.rows) {
    Value last = isRow ? arith::SubIOp::create(b, i64(size - 1), firstRow).getResult() : i64(size - 1);
    if (!isRow)
      isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, index, last);
    index = arith::MinSIOp::create(b, index, last);
  }
  Value along = panel.ofKeys ? add(first, columns) : columns;
  if (panel.columns % panel.inner) {
    Value isColumn = isBelow(along, panel.columns);
    isInside = isInside ? arith::AndIOp::create(b, isInside, isColumn).getResult() : isColumn;
    along = least(along, panel.columns - panel.lanes);
  }
  bindDim(panel.row, index);
  bindDim(panel.along, along);
  if (panel.async) {
    Emitted source = pointer(panel.factor->buffer, panel.type, resolve(panel.factor->address, 0, 0));
    at(top());
    Value count;
    if (isInside)
      count =
          arith::SelectOp::create(b, isInside, constant(b.getI32IntegerAttr(kBytes)), constant(b.getI32IntegerAttr(0)));
    copy(source.value, placeIn(panel, row, columns), count);
  } else {
    Value value = lanes(evaluate(panel.factor, 0, 0)).value;
    Value zero = lanes({constant(cast<TypedAttr>(b.getZeroAttr(panel.type))), 0}).value;
    at(top());
    if (isInside)
      value = arith::SelectOp::create(b, isInside, value, zero);
    LLVM::StoreOp::create(b, value, placeIn(panel, row, columns), panel.lanes * elementStorageBytes(panel.type));
  }
  leave(panel.row);
  leave(panel.along);
}

//===- Scores -----------------------------------------------------------------------------------------------------===//

/// Scores that a mask hides from all of the block need no products: whether any is not hidden; null if that is not
/// known.
Value AttentionEmitter::isTileRead(Value first) {
  NestPlan tile;
  tile.v = form->block + 1;
  tile.lanes = tiles->keys;
  tile.u = form->block;
  tile.uUnroll = tiles->rows;
  nest = form->scores;
  plan = &tile;
  vCount = 1;
  uCount = tiles->rows;
  bindDim(form->block, i64(0));
  bindDim(form->block + 1, first);
  Value isRead = isStepRead();
  leave(form->block);
  leave(form->block + 1);
  uCount = 1;
  plan = &scalar;
  return isRead;
}

/// Sums of products of this thread's rows with its keys of the tile, [row][key].
SmallVector<Value> AttentionEmitter::emitScores(Value first) {
  int64_t rows = tiles->rowsOfThread, keys = tiles->keysOfThread;
  Value zero = neutral(vector::CombiningKind::ADD, b.getF32Type());
  SmallVector<Value> sums(rows * keys, zero);

  Value isRead = isTileRead(first);
  hasMask = isRead != Value();
  scf::IfOp branch = hasMask ? openIf(isRead, sums) : scf::IfOp();
  scf::ForOp loop = openLoop(-1, i64(0), i64(tiles->q.inner), kGroup, sums, /*nonEmpty=*/true);
  sums.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  at(top());
  Value step = loop.getInductionVar();
  Value q = placeIn(tiles->q, rowGroup, step), k = placeIn(tiles->k, column, step);
  SmallVector<Value> ofRows, ofKeys;
  for (int64_t row = 0; row < rows; ++row)
    ofRows.push_back(loadGroup(elementAt(q, b.getF32Type(), {}, row * (tiles->rows / rows) * tiles->q.pitch)));
  for (int64_t key = 0; key < keys; ++key)
    ofKeys.push_back(loadGroup(elementAt(k, b.getF32Type(), {}, key * tiles->threadColumns * tiles->k.pitch)));
  for (int64_t i = 0; i < kGroup; ++i)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t key = 0; key < keys; ++key) {
        Value &sum = sums[row * keys + key];
        Value lhs = vector::ExtractOp::create(b, ofRows[row], i), rhs = vector::ExtractOp::create(b, ofKeys[key], i);
        sum = math::FmaOp::create(b, lhs, rhs, sum);
      }
  closeLoop(loop, sums);
  sums.assign(loop.getResults().begin(), loop.getResults().end());
  if (branch)
    closeIf(branch, sums);
  return sums;
}

/// What all threads of a row have, folded.
Value AttentionEmitter::foldRow(Reduction &reduction, Value value) {
  for (int64_t distance = 1; distance < tiles->threadColumns; distance *= 2) {
    at(top());
    Value other = gpu::ShuffleOp::create(b, value, distance, kWarp, gpu::ShuffleMode::XOR).getShuffleResult();
    value = combine(reduction, {value}, {other})[0];
  }
  return value;
}

/// Scores become exponentials less the greatest score so far, in shared memory; what was summed up less another is
/// scaled. A row of which all scores so far are negative infinities has no exponentials yet. Returns whether the warp
/// has any that are not zero; null if that is not worth a question.
Value AttentionEmitter::emitSoftmax(Value first, ArrayRef<Value> sums, Running &running) {
  int64_t rows = tiles->rowsOfThread, keys = tiles->keysOfThread, size = form->scores->sizes[form->block + 1];
  Reduction &maximum = form->maximum->reductions[0], &sum = form->sum->reductions[0];
  Type f32 = b.getF32Type();
  Value none = negativeInfinity();
  Value zero = constant(b.getF32FloatAttr(0));
  at(top());
  Value isAny;
  SmallVector<Value> keyOf;
  for (int64_t key = 0; key < keys; ++key)
    keyOf.push_back(add(add(first, column), key * tiles->threadColumns));
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<Value> scores;
    Value greatest = running.maximum[row];
    for (int64_t key = 0; key < keys; ++key) {
      at(top());
      Value index = size % tiles->keys ? least(keyOf[key], size - 1) : keyOf[key];
      Value score = scoreOf(sums[row * keys + key], rowsInBlock[row], index);
      if (size % tiles->keys) {
        at(top());
        score = arith::SelectOp::create(b, isBelow(keyOf[key], size), score, none);
      }
      scores.push_back(score);
    }
    Value here = scores[0];
    for (Value score : ArrayRef(scores).drop_front())
      here = combine(maximum, {here}, {score})[0];
    greatest = combine(maximum, {greatest}, {foldRow(maximum, here)})[0];
    at(top());
    Value shift = shiftOf(greatest);
    Value scale = exponentialOf(running.maximum[row], shift), total;
    Value place;
    for (auto [key, score] : llvm::enumerate(scores)) {
      Value value = exponentialOf(score, shift);
      total = total ? combine(sum, {total}, {value})[0] : value;
      at(top());
      if (hasMask) {
        Value isSome = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, zero);
        isAny = isAny ? arith::OrIOp::create(b, isAny, isSome).getResult() : isSome;
      }
      bool isPartial = size % tiles->keys;
      value = weightOf(value, rowsInBlock[row], isPartial ? least(keyOf[key], size - 1) : keyOf[key],
                       isPartial ? isBelow(keyOf[key], size) : Value());
      at(top());
      if (!place)
        place = placeIn(tiles->p, add(rowGroup, row * (tiles->rows / rows)), column);
      LLVM::StoreOp::create(b, value, elementAt(place, f32, {}, key * tiles->threadColumns), 4);
    }
    at(top());
    running.maximum[row] = greatest;
    running.sum[row] = math::FmaOp::create(b, running.sum[row], scale, total);
    for (Value &value :
         MutableArrayRef<Value>(running.values).slice(row * tiles->columnsOfThread, tiles->columnsOfThread))
      value = arith::MulFOp::create(b, value, scale);
  }
  if (!isAny)
    return {};
  at(top());
  return NVVM::VoteSyncOp::create(b, b.getI1Type(), constant(b.getI32IntegerAttr(-1)), isAny, NVVM::VoteSyncKind::any);
}

//===- Values -----------------------------------------------------------------------------------------------------===//

/// A thread has groups of neighbouring columns. Where a mask has left nothing but zeros, nothing is added.
void AttentionEmitter::emitProducts(Value isAny, Running &running) {
  int64_t rows = tiles->rowsOfThread, columns = tiles->columnsOfThread, groups = columns / kGroup;
  scf::IfOp branch = isAny ? openIf(isAny, running.values) : scf::IfOp();
  scf::ForOp loop = openLoop(-1, i64(0), i64(tiles->keys), kGroup, running.values, /*nonEmpty=*/true);
  SmallVector<Value> sums(loop.getRegionIterArgs());
  at(top());
  Value first = loop.getInductionVar(), ofColumn = product(column, kGroup);
  Value p = placeIn(tiles->p, rowGroup, first), v = placeIn(tiles->v, first, ofColumn);
  SmallVector<Value> ofRows;
  for (int64_t row = 0; row < rows; ++row)
    ofRows.push_back(loadGroup(elementAt(p, b.getF32Type(), {}, row * (tiles->rows / rows) * tiles->p.pitch)));
  for (int64_t key = 0; key < kGroup; ++key)
    for (int64_t group = 0; group < groups; ++group) {
      Value ofKey =
          loadGroup(elementAt(v, b.getF32Type(), {}, key * tiles->v.pitch + group * kGroup * tiles->threadColumns));
      for (int64_t row = 0; row < rows; ++row) {
        Value lhs = vector::ExtractOp::create(b, ofRows[row], key);
        for (int64_t i = 0; i < kGroup; ++i) {
          Value &sum = sums[row * columns + group * kGroup + i];
          sum = math::FmaOp::create(b, lhs, vector::ExtractOp::create(b, ofKey, i), sum);
        }
      }
    }
  closeLoop(loop, sums);
  running.values.assign(loop.getResults().begin(), loop.getResults().end());
  if (branch)
    closeIf(branch, running.values);
}

/// What is computed of a row's sums, divided by the sum of its exponentials.
void AttentionEmitter::emitResults(const Running &running) {
  int64_t rows = tiles->rowsOfThread, groups = tiles->columnsOfThread / kGroup, width = tiles->lanes;
  int64_t size = form->scores->sizes[form->block - 1];
  unsigned along = form->block + 1;
  NestPlan walk;
  walk.lanes = width;
  if (width > 1) {
    walk.v = along;
    walk.aligned = true;
  }
  auto type = VectorType::get({width}, b.getF32Type());
  for (int64_t row = 0; row < rows; ++row) {
    Value total = foldRow(form->sum->reductions[0], running.sum[row]);
    Value undefined = weightsOfUndefined(total, rowsInBlock[row], form->quotients->sizes[along]);
    nest = form->values;
    at(top());
    Value index = add(rowGroup, row * (tiles->rows / rows));
    bool isPartial = size % tiles->rows;
    if (isPartial)
      openIf(isBelow(add(firstRow, index), size));
    for (int64_t first = 0; first < groups * kGroup; first += width) {
      openScope();
      at(top());
      SmallVector<Value> quotients;
      for (int64_t i = first; i < first + width; ++i)
        quotients.push_back(quotientOf(running.values[row * tiles->columnsOfThread + i], total, undefined));
      Value value = width > 1 ? vector::FromElementsOp::create(b, type, quotients).getResult() : quotients[0];
      Value place = add(product(column, kGroup), first / kGroup * kGroup * tiles->threadColumns + first % kGroup);
      bool isOutside = tiles->v.columns != tiles->v.inner;
      if (isOutside)
        openIf(isBelow(place, tiles->v.columns));
      plan = &walk;
      iv[form->block] = rowsInBlock[row];
      ivLevel[form->block] = 0;
      bindDim(along, place);
      emitResult(value);
      leave(form->block);
      leave(along);
      if (isOutside)
        closeIf();
      closeScope();
    }
    if (isPartial)
      closeIf();
  }
}

//===- All of it --------------------------------------------------------------------------------------------------===//

void AttentionEmitter::emitAttention(const Attention &attention, const AttentionPlan &thePlan) {
  form = &attention;
  tiles = &thePlan;
  iv.resize(exprs.noDeps().size());
  ivLevel.resize(iv.size(), 0);
  uCount = vCount = 1;
  placeBlockOfRows();
  if (tiles->isMma())
    return emitByWarps();
  placeThreads();
  // Groups of copies are those of keys, the first one with the rows, and those of values, in turn.
  bool areKeysAsync = tiles->k.async && tiles->keyTiles > 1;
  auto commit = [&](bool isGroup) {
    at(top());
    if (isGroup)
      NVVM::CpAsyncCommitGroupOp::create(b);
  };
  auto wait = [&](bool isGroup, int64_t behind) {
    at(top());
    if (isGroup)
      NVVM::CpAsyncWaitGroupOp::create(b, behind);
    barrier();
  };
  bring(*form->scores, tiles->q, {});
  bring(*form->scores, tiles->k, i64(0));
  commit(tiles->q.async || tiles->k.async);

  int64_t rows = tiles->rowsOfThread, size = form->scores->sizes[form->block + 1];
  Value zero = constant(b.getF32FloatAttr(0));
  Value none = negativeInfinity();
  Running running;
  running.maximum.assign(rows, none);
  running.sum.assign(rows, zero);
  running.values.assign(rows * tiles->columnsOfThread, zero);
  scf::ForOp loop = openLoop(-1, i64(0), i64(size), tiles->keys, running.all(), /*nonEmpty=*/true);
  running = Running::from(loop.getRegionIterArgs(), rows);
  Value first = loop.getInductionVar();
  // Keys are there, and all have done with the values before.
  wait(tiles->q.async || tiles->k.async, 0);
  bring(*form->values, tiles->v, first);
  commit(tiles->v.async);
  SmallVector<Value> scores = emitScores(first);
  if (tiles->keyTiles > 1) {
    barrier();
    at(top());
    Value next = add(first, tiles->keys);
    openIf(isBelow(next, size));
    bring(*form->scores, tiles->k, next);
    closeIf();
  }
  commit(areKeysAsync);
  Value isAny = emitSoftmax(first, scores, running);
  // Values are there, of keys only those that are on their way.
  wait(tiles->v.async, areKeysAsync ? 1 : 0);
  emitProducts(isAny, running);
  closeLoop(loop, running.all());
  running = Running::from(loop.getResults(), rows);
  emitResults(running);
}
