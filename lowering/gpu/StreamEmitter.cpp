// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of few rows: keys and values are read once, so they go past the rows, which all threads have in registers.
// A group of threads shares a key, each some of its neighbours. Its sums of products are folded in such a way that each
// thread ends up with scores of its own, of which it computes exponentials; these go to all threads of the group, which
// sum up values. Nothing is in shared memory until the groups of a block have done with their keys.

#include "mlir_xla/lowering/gpu/StreamEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xla;

static constexpr int64_t kWarp = BlocksAttr::kWarp;

SmallVector<Value> StreamEmitter::Running::all() const {
  SmallVector<Value> result{maximum, sum};
  llvm::append_range(result, values);
  return result;
}

StreamEmitter::Running StreamEmitter::Running::from(ValueRange all) {
  return {all[0], all[1], SmallVector<Value>(all.drop_front(2))};
}

//===- Where threads are ------------------------------------------------------------------------------------------===//

void StreamEmitter::begin(const Attention &attention, const StreamPlan &plan, Value theScratch) {
  form = &attention;
  stream = &plan;
  scratch = theScratch;
  isLow = attention.hasTensorFactors();
  iv.resize(exprs.noDeps().size());
  ivLevel.resize(iv.size(), 0);
  uCount = vCount = 1;
}

void StreamEmitter::placeBatch(Value number) {
  batch = number;
  for (unsigned dim = form->block - 1; dim-- > 0;) {
    int64_t size = form->scores->sizes[dim];
    iv[dim] = modulo(number, size);
    ivLevel[dim] = 0;
    number = divide(number, size);
  }
}

/// Blocks that have the same keys follow each other.
void StreamEmitter::placeBlock() {
  at(0);
  thread = arith::IndexCastOp::create(b, b.getI64Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  lane = modulo(thread, kWarp);
  Value rest = arith::IndexCastOp::create(b, b.getI64Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x));
  firstRow = product(modulo(rest, stream->rowTiles), stream->rows);
  rest = divide(rest, stream->rowTiles);
  part = modulo(rest, stream->split);
  placeBatch(divide(rest, stream->split));
  iv[form->block - 1] = firstRow;
  ivLevel[form->block - 1] = 0;

  group = divide(thread, stream->group);
  inGroup = modulo(thread, stream->group);
  firstOfGroup = arith::TruncIOp::create(b, b.getI32Type(), arith::SubIOp::create(b, lane, inGroup));
  for (int64_t bit = 1; bit < stream->group; bit *= 2)
    isUpper.push_back(
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, arith::AndIOp::create(b, inGroup, i64(bit)), i64(0)));
  ownRow = divide(inGroup, stream->threadsOfRow());
  ownKey = product(divide(modulo(inGroup, stream->threadsOfRow()), stream->threadsOfScore()), stream->scoresOfThread());
  // Beyond the end, the last one.
  auto clamped = [&](Value row) -> Value {
    return stream->numRows % stream->rows
               ? arith::MinSIOp::create(b, row, arith::SubIOp::create(b, i64(stream->numRows - 1), firstRow))
                     .getResult()
               : row;
  };
  ownRow = clamped(ownRow);
  for (int64_t row = 0; row < stream->rows; ++row)
    rowsInBlock.push_back(clamped(i64(row)));
}

//===- Factors ----------------------------------------------------------------------------------------------------===//

/// This thread's elements of what the other dimensions have been bound to; those beyond the end are zeros.
SmallVector<Value> StreamEmitter::load(const LoopNest &theNest, ExprNode *factor, const StreamPieces &pieces) {
  nest = const_cast<LoopNest *>(&theNest);
  NestPlan walk;
  walk.lanes = pieces.lanes;
  if (pieces.lanes > 1) {
    walk.v = pieces.dim;
    walk.aligned = true;
  }
  plan = &walk;
  SmallVector<Value> elements;
  for (int64_t piece = 0; piece < pieces.count; ++piece) {
    openScope();
    at(top());
    Value place = product(add(inGroup, piece * stream->group), pieces.lanes), isInside;
    if (pieces.isPartial) {
      isInside = isBelow(place, pieces.size);
      place = least(place, pieces.size - pieces.lanes);
    }
    bindDim(pieces.dim, place);
    Value value = lanes(evaluate(factor, 0, 0)).value;
    at(top());
    for (int64_t i = 0; i < pieces.lanes; ++i) {
      Value element = pieces.lanes > 1 ? vector::ExtractOp::create(b, value, i).getResult() : value;
      if (isInside)
        element = arith::SelectOp::create(b, isInside, element, constant(b.getF32FloatAttr(0)));
      elements.push_back(element);
    }
    leave(pieces.dim);
    closeScope();
  }
  plan = &scalar;
  return elements;
}

/// Those of the keys of this group at a time, [key][element]; beyond the end, the last key again.
SmallVector<SmallVector<Value>> StreamEmitter::loadKeys(const LoopNest &theNest, ExprNode *factor,
                                                        const StreamPieces &pieces, unsigned keyDim, Value first) {
  SmallVector<SmallVector<Value>> keys;
  iv[form->block] = i64(0);
  ivLevel[form->block] = 0;
  for (int64_t key = 0; key < stream->keys; ++key) {
    openScope();
    at(top());
    Value index = add(first, key);
    if (stream->numKeys % stream->tileKeys())
      index = least(index, stream->numKeys - 1);
    bindDim(keyDim, index);
    keys.push_back(load(theNest, factor, pieces));
    leave(keyDim);
    closeScope();
  }
  leave(form->block);
  return keys;
}

void StreamEmitter::loadRows() {
  for (Value row : rowsInBlock) {
    iv[form->block] = row;
    ivLevel[form->block] = 0;
    queries.push_back(load(*form->scores, form->q, stream->steps));
    leave(form->block);
  }
}

//===- Scores -----------------------------------------------------------------------------------------------------===//

Value StreamEmitter::swapped(Value value, int64_t distance) {
  return gpu::ShuffleOp::create(b, value, distance, kWarp, gpu::ShuffleMode::XOR).getShuffleResult();
}

/// What that thread of this group has.
Value StreamEmitter::ofThread(Value value, int64_t number) {
  Value from = arith::AddIOp::create(b, firstOfGroup, constant(b.getI32IntegerAttr(number)));
  return gpu::ShuffleOp::create(b, value, from, constant(b.getI32IntegerAttr(kWarp)), gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

/// What the threads have that have scores of that row.
Value StreamEmitter::ofRow(Value value, int64_t row) {
  return stream->rows == 1 ? value : ofThread(value, row * stream->threadsOfRow());
}

/// Sums of products, [row][key], are folded over the threads of the group: of two threads each gives away the half that
/// it is not to have, as long as there are halves.
SmallVector<Value> StreamEmitter::scoresOf(ArrayRef<SmallVector<Value>> keys) {
  at(top());
  SmallVector<Value> sums;
  for (ArrayRef<Value> row : queries)
    for (ArrayRef<Value> key : keys) {
      Value sum = constant(b.getF32FloatAttr(0));
      for (auto [lhs, rhs] : llvm::zip_equal(row, key))
        sum = math::FmaOp::create(b, lhs, rhs, sum);
      sums.push_back(sum);
    }
  for (size_t bit = isUpper.size(); bit-- > 0;) {
    int64_t distance = int64_t(1) << bit;
    if (sums.size() == 1) {
      sums[0] = arith::AddFOp::create(b, sums[0], swapped(sums[0], distance));
      continue;
    }
    size_t half = sums.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      Value kept = arith::SelectOp::create(b, isUpper[bit], sums[i + half], sums[i]);
      Value given = arith::SelectOp::create(b, isUpper[bit], sums[i], sums[i + half]);
      sums[i] = arith::AddFOp::create(b, kept, swapped(given, distance));
    }
    sums.truncate(half);
  }
  return sums;
}

Value StreamEmitter::exponential(Value score, Value shift) {
  return isLow ? lowExponentialOf(score, shift) : exponentialOf(score, shift);
}

/// What is computed of sums of keys from `first` on, in their place; those at `end` and beyond have no scores. Returns
/// the greatest of this thread's row.
Value StreamEmitter::maximumOf(Value first, Value end, MutableArrayRef<Value> scores) {
  Reduction &maximum = form->maximum->reductions[0];
  bool isPartial = stream->numKeys % stream->tileKeys();
  Value greatest;
  for (auto [number, score] : llvm::enumerate(scores)) {
    at(top());
    Value key = add(add(first, ownKey), number);
    score = scoreOf(score, ownRow, isPartial ? least(key, stream->numKeys - 1) : key);
    at(top());
    if (isPartial) {
      Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, key, end);
      score = arith::SelectOp::create(b, isInside, score, negativeInfinity());
    }
    greatest = greatest ? combine(maximum, {greatest}, {score})[0] : score;
  }
  for (int64_t distance = stream->threadsOfScore(); distance < stream->threadsOfRow(); distance *= 2) {
    at(top());
    greatest = combine(maximum, {greatest}, {swapped(greatest, distance)})[0];
  }
  return greatest;
}

void StreamEmitter::takeKeys(Value first, Value end, Running &running) {
  unsigned other = form->block + 1, reduced = form->block + 2;
  auto keys = loadKeys(*form->scores, form->k, stream->steps, other, first);
  auto values = loadKeys(*form->values, form->v, stream->columns, reduced, first);
  SmallVector<Value> scores = scoresOf(keys);
  Value greatest = maximumOf(first, end, scores);
  greatest = combine(form->maximum->reductions[0], {running.maximum}, {greatest})[0];
  Value shift = shiftOf(greatest), scale = exponential(running.maximum, shift);
  at(top());
  Value total = arith::MulFOp::create(b, running.sum, scale);
  for (Value &score : scores) {
    score = exponential(score, shift);
    at(top());
    total = arith::AddFOp::create(b, total, score);
  }
  running.maximum = greatest;
  running.sum = total;
  at(top());
  int64_t elements = stream->columns.elements;
  for (int64_t row = 0; row < stream->rows; ++row) {
    MutableArrayRef<Value> sums = MutableArrayRef<Value>(running.values).slice(row * elements, elements);
    Value ofAll = ofRow(scale, row);
    for (Value &sum : sums)
      sum = arith::MulFOp::create(b, sum, ofAll);
    for (int64_t key = 0; key < stream->keys; ++key) {
      int64_t number = row * stream->keys + key, each = stream->scoresOfThread();
      Value weight = ofThread(scores[number % each], number / each * stream->threadsOfScore());
      for (auto [sum, value] : llvm::zip_equal(sums, values[key]))
        sum = math::FmaOp::create(b, weight, value, sum);
    }
  }
}

//===- Masks ------------------------------------------------------------------------------------------------------===//

/// A mask that is computed, or loaded for all keys at once, says what need not be read.
void StreamEmitter::findMask() {
  hidden = hiddenScore();
  if (!hidden)
    return;
  condition = form->score->operands[0];
  isSeenIf = form->score->operands[2] == hidden;
  llvm::SetVector<ExprNode *> nodes;
  collectNodes(condition, nodes);
  if (llvm::any_of(nodes,
                   [&](ExprNode *node) { return node->kind == ExprNode::Load && node->deps.test(form->block + 1); }))
    hidden = nullptr;
}

/// Whether the mask does not hide all of this thread's scores of keys from `first` on.
Value StreamEmitter::isAnySeen(Value first, Value end) {
  nest = form->scores;
  plan = &scalar;
  Value isAnySeen;
  for (int64_t number = 0; number < stream->scoresOfThread(); ++number) {
    openScope();
    at(top());
    Value key = add(add(first, ownKey), number);
    Value isSeen = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, key, end);
    iv[form->block] = ownRow;
    ivLevel[form->block] = 0;
    bindDim(form->block + 1, least(key, stream->numKeys - 1));
    Value holds = evaluate(condition, 0, 0).value;
    at(top());
    if (!isSeenIf)
      holds = arith::XOrIOp::create(b, holds, constant(b.getBoolAttr(true)));
    isSeen = arith::AndIOp::create(b, isSeen, holds);
    isAnySeen = isAnySeen ? arith::OrIOp::create(b, isAnySeen, isSeen).getResult() : isSeen;
    leave(form->block);
    leave(form->block + 1);
    closeScope();
  }
  return isAnySeen;
}

Value StreamEmitter::isAny(Value ofThread) {
  at(top());
  Value all = constant(b.getI32IntegerAttr(-1));
  return NVVM::VoteSyncOp::create(b, b.getI1Type(), all, ofThread, NVVM::VoteSyncKind::any);
}

/// What the maximum of this thread's row is at least: that of the first keys of all. It is asked for where the mask
/// hides all of the warp's first keys.
Value StreamEmitter::leastMaximum(Value first, Value end) {
  Value isSeen = isAny(isAnySeen(first, end)), bound = negativeInfinity();
  at(top());
  Value isHidden = arith::XOrIOp::create(b, isSeen, constant(b.getBoolAttr(true)));
  scf::IfOp branch = openIf(isHidden, bound);
  SmallVector<Value> scores = scoresOf(loadKeys(*form->scores, form->k, stream->steps, form->block + 1, i64(0)));
  bound = maximumOf(i64(0), i64(stream->numKeys), scores);
  closeIf(branch, bound);
  return bound;
}

//===- All of it --------------------------------------------------------------------------------------------------===//

void StreamEmitter::emitStream(const Attention &attention, const StreamPlan &thePlan, Value theScratch) {
  begin(attention, thePlan, theScratch);
  placeBlock();
  loadRows();
  at(0);
  int64_t tile = stream->tileKeys();
  Value zero = constant(b.getF32FloatAttr(0));
  Running running{negativeInfinity(), zero, SmallVector<Value>(stream->rows * stream->columns.elements, zero)};
  Value first = product(part, stream->splitTiles * tile), end = i64(stream->numKeys);
  if (stream->split > 1)
    end = least(add(first, stream->splitTiles * tile), stream->numKeys);
  findMask();
  Value ofGroup = product(group, stream->keys);
  Value bound = hidden ? leastMaximum(add(first, ofGroup), end) : Value();
  scf::ForOp loop = openLoop(-1, first, end, tile, running.all(), /*nonEmpty=*/true);
  running = Running::from(loop.getRegionIterArgs());
  at(top());
  Value here = add(loop.getInductionVar(), ofGroup);
  scf::IfOp branch;
  if (hidden) {
    Value isSeen = isAnySeen(here, end);
    Value maximum = combine(form->maximum->reductions[0], {running.maximum}, {bound})[0];
    Value isOpen = mayCount(hidden, maximum);
    at(top());
    branch = openIf(isAny(arith::OrIOp::create(b, isSeen, isOpen)), running.all());
  }
  takeKeys(here, end, running);
  if (branch) {
    SmallVector<Value> all = running.all();
    closeIf(branch, all);
    running = Running::from(all);
  }
  closeLoop(loop, running.all());
  running = Running::from(loop.getResults());
  meetInWarp(running);
  leaveInShared(running);
  barrier();
  emitResults();
}
