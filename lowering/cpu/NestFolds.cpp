// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's folds: partial results of a reduction, in lanes, are put together.

#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xla;

/// Integers in the order of floats, of which NaN is beyond all numbers in the direction of the extremum: magnitudes of
/// negative numbers are complemented.
Value NestEmitter::orderAsIntegers(bool isMaximum, Value lanes) {
  auto type = cast<VectorType>(lanes.getType());
  unsigned width = type.getElementTypeBitWidth();
  auto integers = VectorType::get(type.getShape(), b.getIntegerType(width));
  auto splat = [&](const APInt &value) { return constant(DenseElementsAttr::get(integers, value)); };
  APInt nan = APFloat::getQNaN(cast<FloatType>(type.getElementType()).getFloatSemantics(), !isMaximum).bitcastToAPInt();
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, lanes, lanes);
  Value bits = arith::BitcastOp::create(b, integers, lanes);
  bits = arith::SelectOp::create(b, isNan, splat(nan), bits);
  APInt sign(width, width - 1), magnitude = APInt::getSignedMaxValue(width);
  Value negative = arith::AndIOp::create(b, arith::ShRSIOp::create(b, bits, splat(sign)), splat(magnitude));
  return arith::XOrIOp::create(b, bits, negative);
}

/// The extremum of all lanes, NaN if one is NaN, as that of integers in the same order. An integer takes one
/// instruction per step, a float three to seven, for the sake of NaN and of the sign of zero.
Value NestEmitter::foldExtremum(bool isMaximum, Value lanes) {
  auto type = cast<VectorType>(lanes.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type integer = b.getIntegerType(width);
  auto scalar = [&](const APInt &value) { return constant(b.getIntegerAttr(integer, value)); };
  Value found = vector::ReductionOp::create(b, isMaximum ? vector::CombiningKind::MAXSI : vector::CombiningKind::MINSI,
                                            orderAsIntegers(isMaximum, lanes));
  APInt sign(width, width - 1), magnitude = APInt::getSignedMaxValue(width);
  Value negative = arith::AndIOp::create(b, arith::ShRSIOp::create(b, found, scalar(sign)), scalar(magnitude));
  return arith::BitcastOp::create(b, type.getElementType(), arith::XOrIOp::create(b, found, negative));
}

/// The value that is chosen of all lanes, and its key: the extremum, of the lanes that hold it the one with the
/// smallest key, and what is in that lane, which may be the other zero. Three reductions of integers take half of the
/// time of a tree of the combiner.
SmallVector<Value> NestEmitter::foldChosen(Reduction &reduction, ArrayRef<Value> partial) {
  using K = vector::CombiningKind;
  at(top());
  Value lanes = partial[1 - reduction.key], keys = partial[reduction.key], ordered = lanes;
  auto type = cast<VectorType>(lanes.getType());
  auto splat = [&](Type type, const APInt &value) {
    return constant(DenseElementsAttr::get(cast<ShapedType>(type), value));
  };
  auto integers = VectorType::get(type.getShape(), b.getIntegerType(type.getElementTypeBitWidth()));
  if (isa<FloatType>(type.getElementType())) {
    ordered = orderAsIntegers(reduction.chosen == K::MAXSI, lanes);
    // Zeros are equal.
    Value minusZero = splat(integers, APInt::getAllOnes(integers.getElementTypeBitWidth()));
    Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, ordered, minusZero);
    ordered = arith::SelectOp::create(b, isZero, splat(integers, APInt(integers.getElementTypeBitWidth(), 0)), ordered);
  }
  auto lanesWith = [&](Value lanes, Value scalar) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lanes,
                                 vector::BroadcastOp::create(b, lanes.getType(), scalar));
  };
  Value isExtremum = lanesWith(ordered, vector::ReductionOp::create(b, *reduction.chosen, ordered));
  Value last =
      splat(keys.getType(), APInt::getSignedMaxValue(cast<VectorType>(keys.getType()).getElementTypeBitWidth()));
  Value key = vector::ReductionOp::create(b, K::MINSI, arith::SelectOp::create(b, isExtremum, keys, last));
  Value isChosen = arith::AndIOp::create(b, isExtremum, lanesWith(keys, key));
  Value bits = type == integers ? lanes : arith::BitcastOp::create(b, integers, lanes).getResult();
  Value none = splat(integers, APInt(integers.getElementTypeBitWidth(), 0));
  Value value = vector::ReductionOp::create(b, K::OR, arith::SelectOp::create(b, isChosen, bits, none));
  if (type != integers)
    value = arith::BitcastOp::create(b, type.getElementType(), value);
  SmallVector<Value> chosen(2);
  chosen[reduction.key] = key;
  chosen[1 - reduction.key] = value;
  return chosen;
}

/// Results for disjoint sets of elements, whichever those are.
SmallVector<Value> NestEmitter::merge(Reduction &reduction, SmallVector<Value> lhs, SmallVector<Value> rhs) {
  if (reduction.order == FoldOrder::Key) {
    at(top());
    Value inOrder = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, lhs[reduction.key], rhs[reduction.key]);
    for (auto [left, right] : llvm::zip_equal(lhs, rhs)) {
      Value first = arith::SelectOp::create(b, inOrder, left, right);
      right = arith::SelectOp::create(b, inOrder, right, left);
      left = first;
    }
  }
  return combine(reduction, lhs, rhs);
}

/// All lanes of one array, combined by an operation that vectors have.
Value NestEmitter::foldVector(vector::CombiningKind kind, Value lanes) {
  at(top());
  if (kind == vector::CombiningKind::MAXIMUMF || kind == vector::CombiningKind::MINIMUMF) {
    // One step is sooner done than the way to integers and back.
    if (cast<VectorType>(lanes.getType()).getNumElements() == 2)
      return vector::makeArithReduction(b, b.getLoc(), kind, vector::ExtractOp::create(b, lanes, ArrayRef<int64_t>{0}),
                                        vector::ExtractOp::create(b, lanes, ArrayRef<int64_t>{1}));
    return foldExtremum(kind == vector::CombiningKind::MAXIMUMF, lanes);
  }
  // Left to itself, a sum of lanes begins at +0, to which -0 is lost.
  Type element = getElementTypeOrSelf(lanes.getType());
  if (kind == vector::CombiningKind::ADD && isa<FloatType>(element))
    return vector::ReductionOp::create(b, kind, lanes, neutral(kind, element), arith::FastMathFlags::reassoc);
  return vector::ReductionOp::create(b, kind, lanes, arith::FastMathFlags::reassoc);
}

SmallVector<Value> NestEmitter::foldLanes(Reduction &reduction, SmallVector<Value> partial) {
  if (reduction.kind)
    return llvm::map_to_vector(partial, [&](Value lanes) { return foldVector(*reduction.kind, lanes); });
  if (reduction.chosen && !onDevice)
    return foldChosen(reduction, partial);
  for (unsigned distance = plan->lanes / 2; distance >= 1; distance /= 2) {
    // Only the first lane counts. The others swap places too: of lanes that stay where they are, LLVM 22 makes a wrong
    // permutation for AVX-512 where a maximum and a minimum are folded side by side.
    SmallVector<int64_t> order;
    for (unsigned lane = 0; lane < plan->lanes; ++lane)
      order.push_back(lane ^ distance);
    at(top());
    SmallVector<Value> shifted;
    for (Value value : partial)
      shifted.push_back(vector::ShuffleOp::create(b, value, value, order));
    partial = merge(reduction, partial, shifted);
  }
  return firstLane(partial);
}

SmallVector<Value> NestEmitter::firstLane(ArrayRef<Value> vectors) {
  at(top());
  return llvm::map_to_vector(
      vectors, [&](Value value) -> Value { return vector::ExtractOp::create(b, value, ArrayRef<int64_t>{0}); });
}

/// The first `count` elements of consecutive vectors, folded into the first lane: neighbours are combined, then
/// neighbours of the results, and so on.
SmallVector<Value> NestEmitter::foldNeighbours(Reduction &reduction, SmallVector<SmallVector<Value>> vectors,
                                               int64_t count) {
  int64_t lanes = plan->lanes;
  SmallVector<int64_t> even, odd;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    even.push_back(2 * lane);
    odd.push_back(2 * lane + 1);
  }
  for (; count > 1; count = llvm::divideCeil(count, 2)) {
    SmallVector<SmallVector<Value>> folded;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      const SmallVector<Value> &low = vectors[i], &high = vectors[std::min(i + 1, vectors.size() - 1)];
      at(top());
      SmallVector<Value> lhs, rhs;
      for (auto [first, second] : llvm::zip_equal(low, high)) {
        lhs.push_back(vector::ShuffleOp::create(b, first, second, even));
        rhs.push_back(vector::ShuffleOp::create(b, first, second, odd));
      }
      SmallVector<Value> result = combine(reduction, lhs, rhs);
      // The last of an odd number of elements has no neighbour.
      if (count % 2 && i + 2 >= vectors.size()) {
        SmallVector<bool> paired;
        for (int64_t lane = 0; lane < lanes; ++lane)
          paired.push_back(static_cast<int64_t>(i) * lanes + 2 * lane + 1 < count);
        at(top());
        Value mask = constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), paired));
        for (auto [value, alone] : llvm::zip_equal(result, lhs))
          value = arith::SelectOp::create(b, mask, value, alone);
      }
      folded.push_back(std::move(result));
    }
    vectors = std::move(folded);
  }
  return vectors[0];
}

/// Where two vectors, of which `chunk` lanes each hold as many rows, again and again, have what is combined so that
/// twice as many lanes hold the rows of both. A shuffle within blocks of a register is one instruction, and so is one
/// of whole blocks that takes halves of a vector.
static void pairRows(int64_t lanes, int64_t chunk, int64_t block, SmallVectorImpl<int64_t> &left,
                     SmallVectorImpl<int64_t> &right) {
  for (int64_t lane = 0; lane < lanes; ++lane) {
    int64_t begin = lane / block * block, part = (lane - begin) / chunk, distance = block / 2;
    bool isSecond = part % 2;
    int64_t from = begin + part / 2 * chunk + lane % chunk;
    if (chunk >= block) {
      // Blocks of the same rows follow each other.
      int64_t copies = lanes / chunk, groups = chunk / block, group = lane / block / (copies / 2);
      isSecond = group >= groups;
      from = (group % groups * copies + lane / block % (copies / 2)) * block + lane % block;
      distance = copies / 2 * block;
    }
    left.push_back(from + (isSecond ? lanes : 0));
    right.push_back(left.back() + distance);
  }
}

/// The folded lanes of each of `rows`, next to each other. A tree over pairs of rows takes two shuffles for each of
/// them, where every row for itself takes two for each step.
SmallVector<Value> NestEmitter::foldRows(Reduction &reduction, SmallVector<SmallVector<Value>> rows) {
  constexpr int64_t blockBits = 128;
  int64_t lanes = plan->lanes, count = rows.size(), block = lanes;
  at(top());
  // Truth values are in registers of masks, which have no shuffles.
  bool areTruths = reduction.kind && getElementTypeOrSelf(rows[0][0].getType()).isInteger(1);
  for (SmallVector<Value> &row : rows)
    for (Value &value : row) {
      if (areTruths)
        value = arith::ExtSIOp::create(b, VectorType::get({lanes}, b.getI8Type()), value);
      block = std::min<int64_t>(block, blockBits / cast<VectorType>(value.getType()).getElementTypeBitWidth());
    }
  for (int64_t chunk = 1; chunk < lanes; chunk *= 2) {
    SmallVector<int64_t> left, right;
    pairRows(lanes, chunk, block, left, right);
    SmallVector<SmallVector<Value>> folded;
    for (size_t i = 0; i < rows.size(); i += 2) {
      SmallVector<Value> lhs, rhs;
      at(top());
      for (auto [first, second] : llvm::zip_equal(rows[i], rows[std::min(i + 1, rows.size() - 1)])) {
        lhs.push_back(vector::ShuffleOp::create(b, first, second, left));
        rhs.push_back(vector::ShuffleOp::create(b, first, second, right));
      }
      folded.push_back(merge(reduction, lhs, rhs));
    }
    rows = std::move(folded);
  }
  at(top());
  SmallVector<int64_t> first = llvm::to_vector(llvm::seq(count));
  for (Value &value : rows[0]) {
    if (count < lanes)
      value = vector::ShuffleOp::create(b, value, value, first);
    if (areTruths)
      value = arith::TruncIOp::create(b, VectorType::get({count}, b.getI1Type()), value);
  }
  return rows[0];
}
