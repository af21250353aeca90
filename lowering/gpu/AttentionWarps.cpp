// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by warps with tensor cores. A warp has 16 or 32 rows with all keys of a tile: scores are in the
// accumulators of its instructions, four threads have a row, and exponentials, rounded as the program rounds quotients,
// are operands of the next products where they are. Tiles of keys and values come past the registers, several ahead.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/AttentionEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xla;

/// Rows, or columns, of a matrix, those that an instruction has of columns, and the sums of a thread.
static constexpr int64_t kMatrix = 16, kColumns = 8, kSums = 4, kWarp = GpuMachine::warp;

static std::array<NVVM::MMATypes, 2> typesOf(Type element) {
  NVVM::MMATypes type = element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  return {type, type};
}

//===- Tiles ------------------------------------------------------------------------------------------------------===//

/// Where keys and values from `first` on are, less where those of the first stage are.
Value AttentionEmitter::stageOf(Value first) {
  at(top());
  Value number = modulo(divide(first, tiles->keys), tiles->stages);
  return elementAt(shared, b.getI8Type(), product(number, tiles->stageBytes()));
}

void AttentionEmitter::bringStage(Value first) {
  Value before = stage;
  stage = stageOf(first);
  bring(*form->scores, tiles->k, first);
  bring(*form->values, tiles->v, first);
  stage = before;
}

//===- Scores -----------------------------------------------------------------------------------------------------===//

/// Groups of 16 rows are dealt to warps in turn.
BlockEmitter::Fragments AttentionEmitter::rowsOfStep(int64_t step) {
  return readMatrices(tiles->q.tile, shared, step, tiles->rowsOfThread / kMatrix, rowGroup, tiles->warps(),
                      /*ofRows=*/0);
}

/// Sums are [16 rows][8 keys][of the 4 that a thread has of those].
SmallVector<Value> AttentionEmitter::multiplyScores(ArrayRef<Fragments> ofRows) {
  at(top());
  Value base = elementAt(stage, b.getI8Type(), {}, tiles->k.offset);
  SmallVector<Value> sums(tiles->rowsOfThread * tiles->keys / kWarp, constant(b.getF32FloatAttr(0)));
  TensorShape shape(tiles->k.type);
  for (int64_t step = 0; step < tiles->steps / kMatrix; ++step) {
    Fragments rows = ofRows.empty() ? rowsOfStep(step) : ofRows[step];
    Fragments keys = readMatrices(tiles->k.tile, base, step, tiles->keys / kMatrix, i64(0), 1, /*ofRows=*/1);
    MutableArrayRef<Value> rest(sums);
    for (ArrayRef<Value> row : rows)
      for (int64_t key = 0; key < tiles->keys / kColumns; ++key) {
        multiplyMatrices(shape, typesOf(tiles->k.type), row, ArrayRef(keys[key / 2]).slice(key % 2 * 2, 2),
                         rest.take_front(kSums));
        rest = rest.drop_front(kSums);
      }
  }
  return sums;
}

/// Scores become exponentials less the greatest score so far; what was summed up less another is scaled. A row of which
/// all scores so far are negative infinities has no exponentials yet. Returns whether the warp has any that are not
/// zero; null if that is not worth a question.
Value AttentionEmitter::softmaxOf(Value first, SmallVectorImpl<Value> &scores, Running &running) {
  int64_t groups = tiles->rowsOfThread / kMatrix, keys = tiles->keys / kColumns;
  int64_t size = form->scores->sizes[form->block + 1];
  Reduction &maximum = form->maximum->reductions[0], &sum = form->sum->reductions[0];
  Value none = negativeInfinity();
  Value zero = constant(b.getF32FloatAttr(0)), isAny;
  at(top());
  SmallVector<Value> keyOf, isKey;
  for (int64_t key = 0; key < keys; ++key)
    for (int64_t i = 0; i < 2; ++i) {
      Value index = add(add(first, column), key * kColumns + i);
      if (size % tiles->keys) {
        isKey.push_back(isBelow(index, size));
        index = least(index, size - 1);
      }
      keyOf.push_back(index);
    }
  int64_t sumsOfGroup = tiles->columns / kColumns * kSums;
  for (int64_t row = 0; row < 2 * groups; ++row) {
    // Of this row, a thread has two neighbours of each 8 keys, and of each 8 columns of values.
    auto placeOf = [&](int64_t key) { return (row / 2 * keys + key / 2) * kSums + row % 2 * 2 + key % 2; };
    Value greatest;
    for (int64_t key = 0; key < 2 * keys; ++key) {
      Value &score = scores[placeOf(key)];
      score = scoreOf(score, rowsInBlock[row], keyOf[key]);
      at(top());
      if (!isKey.empty())
        score = arith::SelectOp::create(b, isKey[key], score, none);
      greatest = greatest ? combine(maximum, {greatest}, {score})[0] : score;
    }
    greatest = combine(maximum, {running.maximum[row]}, {foldRow(maximum, greatest)})[0];
    at(top());
    Value shift = shiftOf(greatest);
    Value scale = lowExponentialOf(running.maximum[row], shift), total;
    for (int64_t key = 0; key < 2 * keys; ++key) {
      Value &score = scores[placeOf(key)];
      score = lowExponentialOf(score, shift);
      total = total ? combine(sum, {total}, {score})[0] : score;
    }
    for (int64_t key = 0; key < 2 * keys; ++key) {
      Value &score = scores[placeOf(key)];
      score = weightOf(score, rowsInBlock[row], keyOf[key], isKey.empty() ? Value() : isKey[key]);
    }
    at(top());
    if (hasMask) {
      Value isSome = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, total, zero);
      isAny = isAny ? arith::OrIOp::create(b, isAny, isSome).getResult() : isSome;
    }
    running.maximum[row] = greatest;
    running.sum[row] = math::FmaOp::create(b, running.sum[row], scale, total);
    for (int64_t place = row % 2 * 2; place < sumsOfGroup; place += kSums)
      for (int64_t i = 0; i < 2; ++i) {
        Value &value = running.values[row / 2 * sumsOfGroup + place + i];
        value = arith::MulFOp::create(b, value, scale);
      }
  }
  if (!isAny)
    return {};
  at(top());
  return NVVM::VoteSyncOp::create(b, b.getI1Type(), constant(b.getI32IntegerAttr(-1)), isAny, NVVM::VoteSyncKind::any);
}

//===- Values -----------------------------------------------------------------------------------------------------===//

/// Two neighbours as tensor cores take them.
Value AttentionEmitter::narrowPair(Value low, Value high) {
  auto type = VectorType::get({2}, tiles->v.type);
  if (tiles->v.type.isF16())
    return NVVM::ConvertF32x2ToF16x2Op::create(b, type, high, low, Value(), NVVM::FPRoundingMode::RN);
  Value pair = NVVM::ConvertF32x2ToBF16x2Op::create(b, type, high, low, Value(), NVVM::FPRoundingMode::RN);
  return LLVM::BitcastOp::create(b, b.getI32Type(), pair);
}

/// The sums of two times 8 keys are where the rows of 16 steps are to be.
void AttentionEmitter::multiplyValues(ArrayRef<Value> exponentials, Running &running) {
  int64_t groups = tiles->rowsOfThread / kMatrix, keys = tiles->keys / kColumns;
  at(top());
  Value base = elementAt(stage, b.getI8Type(), {}, tiles->v.offset);
  TensorShape shape(tiles->v.type);
  for (int64_t step = 0; step < tiles->keys / kMatrix; ++step) {
    Fragments columns = readMatrices(tiles->v.tile, base, step, tiles->columns / kMatrix, i64(0), 1, /*ofRows=*/1);
    MutableArrayRef<Value> rest(running.values);
    for (int64_t group = 0; group < groups; ++group) {
      ArrayRef<Value> sums = exponentials.slice((group * keys + step * 2) * kSums, 2 * kSums);
      SmallVector<Value> row;
      for (int64_t pair = 0; pair < 4; ++pair)
        row.push_back(narrowPair(sums[2 * pair], sums[2 * pair + 1]));
      for (int64_t column = 0; column < tiles->columns / kColumns; ++column) {
        multiplyMatrices(shape, typesOf(tiles->v.type), row, ArrayRef(columns[column / 2]).slice(column % 2 * 2, 2),
                         rest.take_front(kSums));
        rest = rest.drop_front(kSums);
      }
    }
  }
}

/// Rows divided by the sums of their exponentials go through shared memory, then what is computed of them is computed
/// along rows.
void AttentionEmitter::writeResults(Running &running) {
  int64_t groups = tiles->rowsOfThread / kMatrix, columns = tiles->columns, width = tiles->lanes;
  Type f32 = b.getF32Type();
  stage = {};
  if (tiles->isLastTileThere)
    barrier();
  auto pair = VectorType::get({2}, f32);
  at(top());
  Value base = elementAt(shared, f32,
                         add(product(add(product(rowGroup, kMatrix), divide(lane, 4)), tiles->resultPitch), column));
  for (int64_t row = 0; row < 2 * groups; ++row) {
    Value total = foldRow(form->sum->reductions[0], running.sum[row]);
    Value undefined = weightsOfUndefined(total, rowsInBlock[row], form->quotients->sizes[form->block + 1]);
    at(top());
    int64_t place = (row / 2 * tiles->warps() * kMatrix + row % 2 * 8) * tiles->resultPitch;
    for (int64_t number = 0; number < columns / kColumns; ++number) {
      const Value *sums = &running.values[(row / 2 * (columns / kColumns) + number) * kSums + row % 2 * 2];
      SmallVector<Value> quotients;
      for (int64_t i = 0; i < 2; ++i)
        quotients.push_back(quotientOf(sums[i], total, undefined));
      LLVM::StoreOp::create(b, vector::FromElementsOp::create(b, pair, quotients),
                            elementAt(base, f32, {}, place + number * kColumns), 8);
    }
  }
  barrier();

  unsigned along = form->block + 1;
  nest = form->values;
  NestPlan walk;
  walk.lanes = width;
  if (width > 1) {
    walk.v = along;
    walk.aligned = true;
  }
  plan = &walk;
  int64_t size = form->scores->sizes[form->block - 1], sizeAlong = nest->sizes[along];
  int64_t vectors = llvm::divideCeil(sizeAlong, width);
  scf::ForOp loop = openLoop(-1, thread, i64(tiles->rows * vectors), tiles->threads, {});
  at(top());
  Value number = loop.getInductionVar();
  Value row = divide(number, vectors), place = product(modulo(number, vectors), width);
  bool isPartial = size % tiles->rows;
  if (isPartial)
    openIf(isBelow(add(firstRow, row), size));
  at(top());
  Type type = width > 1 ? Type(VectorType::get({width}, f32)) : f32;
  Value value =
      LLVM::LoadOp::create(b, type, elementAt(shared, f32, add(product(row, tiles->resultPitch), place)), width * 4);
  bindDim(form->block, row);
  bindDim(along, place);
  emitResult(value);
  leave(form->block);
  leave(along);
  if (isPartial)
    closeIf();
  closeLoop(loop, {});
}

//===- All of it --------------------------------------------------------------------------------------------------===//

void AttentionEmitter::emitByWarps() {
  rowGroup = divide(thread, kWarp);
  column = product(modulo(lane, 4), 2);
  for (int64_t row = 0; row < tiles->rowsOfThread; row += 8)
    placeRow(add(add(product(rowGroup, kMatrix), divide(lane, 4)),
                 row / kMatrix * tiles->warps() * kMatrix + row % kMatrix));
  bool isAsync = tiles->q.async || tiles->k.async || tiles->v.async;
  auto commit = [&] {
    at(top());
    if (isAsync)
      NVVM::CpAsyncCommitGroupOp::create(b);
  };
  auto wait = [&](bool isNeeded) {
    at(top());
    if (isNeeded)
      NVVM::CpAsyncWaitGroupOp::create(b, tiles->stages - 2);
    barrier();
  };
  bring(*form->scores, tiles->q, {});
  for (int64_t number = 0; number + 1 < tiles->stages; ++number) {
    if (number < tiles->keyTiles)
      bringStage(i64(number * tiles->keys));
    commit();
  }
  int64_t rows = tiles->rowsOfThread / 8, size = form->scores->sizes[form->block + 1];
  SmallVector<Fragments> ofRows;
  // A single tile is there with the rows.
  bool isThere = tiles->keepsRows && tiles->keyTiles == 1;
  if (tiles->keepsRows) {
    wait(isThere ? isAsync : tiles->q.async);
    for (int64_t step = 0; step < tiles->steps / kMatrix; ++step)
      ofRows.push_back(rowsOfStep(step));
  }

  Value zero = constant(b.getF32FloatAttr(0));
  Value none = negativeInfinity();
  Running running;
  running.maximum.assign(rows, none);
  running.sum.assign(rows, zero);
  running.values.assign(tiles->rowsOfThread * tiles->columns / kWarp, zero);
  scf::ForOp loop = openLoop(-1, i64(0), i64(size), tiles->keys, running.all(), /*nonEmpty=*/true);
  running = Running::from(loop.getRegionIterArgs(), rows);
  Value first = loop.getInductionVar(), isRead = isTileRead(first), ofAny;
  hasMask = isRead != Value();
  ExprNode *hidden = hasMask ? hiddenScore() : nullptr;
  // The tile is there, and all have done with the one before, whose place is that of the next.
  Value isOpen = hidden ? mayCount(hidden, running.maximum) : Value();
  int64_t ahead = tiles->stages - 1;
  if (isOpen && tiles->keyTiles > ahead) {
    if (isAsync)
      NVVM::CpAsyncWaitGroupOp::create(b, tiles->stages - 2);
    Type i32 = b.getI32Type();
    auto isOr = NVVM::BarrierReductionAttr::get(b.getContext(), NVVM::BarrierReduction::OR);
    ofAny = NVVM::BarrierOp::create(b, TypeRange(i32), Value(), Value(), isOr,
                                    arith::ExtUIOp::create(b, i32, isOpen).getResult())
                .getResult(0);
    ofAny = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, ofAny, constant(b.getI32IntegerAttr(0)));
  } else if (!isThere) {
    wait(isAsync);
  }
  if (tiles->keyTiles > ahead) {
    at(top());
    Value next = add(first, ahead * tiles->keys), isNext = isBelow(next, size);
    if (ofAny) {
      Value isNextRead = isTileRead(next);
      at(top());
      isNext = arith::AndIOp::create(b, isNext, arith::OrIOp::create(b, isNextRead, ofAny));
    }
    openIf(isNext);
    bringStage(next);
    closeIf();
  }
  if (tiles->keyTiles > 1) // later waits count groups
    commit();
  stage = stageOf(first);
  scf::IfOp whole;
  if (isOpen) {
    Value ofWarp =
        NVVM::VoteSyncOp::create(b, b.getI1Type(), constant(b.getI32IntegerAttr(-1)), isOpen, NVVM::VoteSyncKind::any);
    whole = openIf(arith::OrIOp::create(b, isRead, ofWarp), running.all());
  }
  SmallVector<Value> scores;
  if (hasMask) {
    SmallVector<Value> zeros(tiles->rowsOfThread * tiles->keys / kWarp, zero);
    scf::IfOp branch = openIf(isRead, zeros);
    scores = multiplyScores(ofRows);
    closeIf(branch, scores);
  } else {
    scores = multiplyScores(ofRows);
  }
  Value isAny = softmaxOf(first, scores, running);
  scf::IfOp branch = isAny ? openIf(isAny, running.values) : scf::IfOp();
  multiplyValues(scores, running);
  if (branch)
    closeIf(branch, running.values);
  if (whole) {
    SmallVector<Value> all = running.all();
    closeIf(whole, all);
    running = Running::from(all, rows);
  }
  closeLoop(loop, running.all());
  running = Running::from(loop.getResults(), rows);
  writeResults(running);
}
