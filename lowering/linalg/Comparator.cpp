// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads comparators: what compares f(a) with the same function of b orders by the key f, whatever f is, and
// `f(a) < f(b) or (f(a) == f(b) and ...)` by that key first.

#include "mlir_xla/lowering/linalg/Comparator.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

/// True for operations of which the scalar form is their operand.
static bool isScalarView(Operation *op) { return isa<ReshapeOp, BroadcastInDimOp, TransposeOp>(op); }

namespace {

class ComparatorReader {
public:
  explicit ComparatorReader(Region &region) : region(region) {}

  /// Appends the keys by which `value` orders.
  bool read(Value value, SmallVectorImpl<SortKey> &keys) {
    Operation *op = value.getDefiningOp();
    if (auto compare = dyn_cast_or_null<CompareOp>(op)) {
      std::optional<SortKey> key = readKey(compare);
      if (key)
        keys.push_back(*key);
      return key.has_value();
    }
    if (auto either = dyn_cast_or_null<OrOp>(op))
      return readChain(either.getLhs(), either.getRhs(), keys) || readChain(either.getRhs(), either.getLhs(), keys);
    if (auto select = dyn_cast_or_null<SelectOp>(op)) {
      auto equality = select.getPred().getDefiningOp<CompareOp>();
      if (!equality)
        return false;
      bool isEqual = equality.getComparisonDirection() == ComparisonDirection::EQ;
      Value first = isEqual ? select.getOnFalse() : select.getOnTrue();
      Value rest = isEqual ? select.getOnTrue() : select.getOnFalse();
      return readLevel(first.getDefiningOp<CompareOp>(), equality,
                       isEqual ? ComparisonDirection::EQ : ComparisonDirection::NE, rest, keys);
    }
    return false;
  }

private:
  /// `first` or (equality and rest), where the conjunction is `other`.
  bool readChain(Value first, Value other, SmallVectorImpl<SortKey> &keys) {
    auto both = other.getDefiningOp<AndOp>();
    auto less = first.getDefiningOp<CompareOp>();
    if (!both || !less)
      return false;
    for (auto [equality, rest] : {std::pair(both.getLhs(), both.getRhs()), std::pair(both.getRhs(), both.getLhs())}) {
      size_t known = keys.size();
      if (readLevel(less, equality.getDefiningOp<CompareOp>(), ComparisonDirection::EQ, rest, keys))
        return true;
      keys.truncate(known);
    }
    return false;
  }

  bool readLevel(CompareOp less, CompareOp equality, ComparisonDirection direction, Value rest,
                 SmallVectorImpl<SortKey> &keys) {
    if (!less || !equality || equality.getComparisonDirection() != direction ||
        equality.isTotalOrder() != less.isTotalOrder())
      return false;
    bool same = isSame(less.getLhs(), equality.getLhs()) && isSame(less.getRhs(), equality.getRhs());
    bool swapped = isSame(less.getLhs(), equality.getRhs()) && isSame(less.getRhs(), equality.getLhs());
    if (!same && !swapped)
      return false;
    std::optional<SortKey> key = readKey(less);
    if (!key)
      return false;
    keys.push_back(*key);
    return read(rest, keys);
  }

  std::optional<SortKey> readKey(CompareOp compare) {
    ComparisonDirection direction = compare.getComparisonDirection();
    if (direction != ComparisonDirection::LT && direction != ComparisonDirection::GT)
      return std::nullopt;
    Value lhs = compare.getLhs(), rhs = compare.getRhs();
    unsigned side = sidesOf(lhs);
    if ((side != kFirst && side != kSecond) || !isMirrored(lhs, rhs))
      return std::nullopt;
    SortKey key{side == kFirst ? lhs : rhs, KeyOrder::Signed,
                (direction == ComparisonDirection::LT) != (side == kFirst)};
    Type element = elementTypeOf(lhs);
    if (isa<FloatType>(element)) {
      key.order = compare.isTotalOrder() ? KeyOrder::Total : KeyOrder::Number;
      if (Value number = matchNumber(key.value); number && compare.isTotalOrder()) {
        key.value = number;
        key.order = KeyOrder::Number;
      }
    } else if (element.isUnsignedInteger() || element.isInteger(1)) {
      key.order = KeyOrder::Unsigned;
    } else if (!isa<IntegerType>(element)) {
      return std::nullopt;
    }
    return key;
  }

  /// select(x != x, NaN, select(x == 0, 0, x)) gives x: in total order that is the order by value.
  static Value matchNumber(Value value) {
    auto outer = value.getDefiningOp<SelectOp>();
    auto inner = outer ? outer.getOnFalse().getDefiningOp<SelectOp>() : SelectOp();
    if (!inner)
      return {};
    Value x = inner.getOnFalse();
    auto isNaN = outer.getPred().getDefiningOp<CompareOp>(), isZero = inner.getPred().getDefiningOp<CompareOp>();
    APFloat nan(0.0), zero(1.0), comparedWith(1.0);
    auto is = [](CompareOp compare, ComparisonDirection direction, Value operand) {
      return compare && compare.getComparisonDirection() == direction && !compare.isTotalOrder() &&
             compare.getLhs() == operand;
    };
    bool matches = is(isNaN, ComparisonDirection::NE, x) && isNaN.getRhs() == x &&
                   is(isZero, ComparisonDirection::EQ, x) &&
                   matchPattern(isZero.getRhs(), m_ConstantFloat(&comparedWith)) && comparedWith.isZero() &&
                   matchPattern(inner.getOnTrue(), m_ConstantFloat(&zero)) && zero.isPosZero() &&
                   matchPattern(outer.getOnTrue(), m_ConstantFloat(&nan)) && nan.isNaN() && !nan.isNegative();
    return matches ? x : Value();
  }

  /// True if `x` and `y` are computed in the same way, from the same parameters; with `mirror`, one of the first
  /// elements where the other one is of the second.
  bool isEquivalent(Value x, Value y, bool mirror) {
    if (x.getType() != y.getType())
      return false;
    if (isParameter(x) || isParameter(y)) {
      auto left = dyn_cast<BlockArgument>(x), right = dyn_cast<BlockArgument>(y);
      return isParameter(x) && isParameter(y) && left.getArgNumber() == (right.getArgNumber() ^ (mirror ? 1 : 0));
    }
    Attribute constant, other;
    if (matchPattern(x, m_Constant(&constant)))
      return matchPattern(y, m_Constant(&other)) && constant == other;
    if (!isInside(x) || !isInside(y))
      return x == y;
    auto [it, isNew] = equivalent[mirror].try_emplace({x, y}, false);
    if (!isNew)
      return it->second;
    Operation *left = x.getDefiningOp(), *right = y.getDefiningOp();
    bool same = left->getName() == right->getName() && left->getAttrDictionary() == right->getAttrDictionary() &&
                cast<OpResult>(x).getResultNumber() == cast<OpResult>(y).getResultNumber() &&
                left->getNumOperands() == right->getNumOperands() && left->getNumRegions() == 0 &&
                right->getNumRegions() == 0;
    for (unsigned i = 0; same && i < left->getNumOperands(); ++i)
      same = isEquivalent(left->getOperand(i), right->getOperand(i), mirror);
    return equivalent[mirror][{x, y}] = same;
  }
  bool isSame(Value x, Value y) { return isEquivalent(x, y, /*mirror=*/false); }
  bool isMirrored(Value x, Value y) { return isEquivalent(x, y, /*mirror=*/true); }

  bool isInside(Value value) { return isComputedIn(region, value); }
  bool isParameter(Value value) { return value.getParentRegion() == &region && isa<BlockArgument>(value); }

  static constexpr unsigned kFirst = 1, kSecond = 2, kUnfit = 4;

  /// Of which elements `value` is a function; kUnfit where it has no scalar form.
  unsigned sidesOf(Value value) {
    if (isParameter(value))
      return cast<BlockArgument>(value).getArgNumber() % 2 ? kSecond : kFirst;
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || tensor.getRank() != 0)
      return kUnfit;
    if (!isInside(value))
      return 0;
    auto [it, isNew] = sides.try_emplace(value, 0);
    if (!isNew)
      return it->second;
    Operation *op = value.getDefiningOp();
    unsigned result = isa<ConstantOp>(op) || isScalarView(op) || hasScalarForm(op) ? 0 : kUnfit;
    for (Value operand : op->getOperands())
      result |= sidesOf(operand);
    return sides[value] = result;
  }

  Region &region;
  DenseMap<std::pair<Value, Value>, bool> equivalent[2];
  DenseMap<Value, unsigned> sides;
};

} // namespace

FailureOr<SmallVector<SortKey>> mlir::xla::readComparator(Region &comparator) {
  SmallVector<SortKey> keys;
  if (!ComparatorReader(comparator).read(getReturn(comparator).getOperand(0), keys))
    return failure();
  return keys;
}

SmallVector<Value> mlir::xla::getSortKeyInputs(Value value, Region &comparator) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  SmallVector<Value> inputs;
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (isa_and_present<ConstantOp>(op))
      continue;
    if (op && comparator.isAncestor(op->getParentRegion()))
      seen.insert_range(op->getOperands());
    else
      inputs.push_back(seen[i]);
  }
  return inputs;
}

Value mlir::xla::emitSortKey(OpBuilder &b, Value value, Region &comparator, function_ref<Value(Value)> lookup) {
  DenseMap<Value, Value> scalars;
  auto emit = [&](auto &self, Value from) -> Value {
    if (Value known = scalars.lookup(from))
      return known;
    Value scalar;
    Operation *op = from.getDefiningOp();
    if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
      scalar = emitScalarConstant(b, op->getLoc(), constant.getValue());
    } else if (!op || !comparator.isAncestor(op->getParentRegion())) {
      scalar = lookup(from);
    } else {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands()) {
        operands.push_back(self(self, operand));
        if (!operands.back())
          return {};
      }
      scalar = isScalarView(op) ? operands[0] : emitScalarOp(b, op, operands);
    }
    scalars[from] = scalar;
    return scalar;
  };
  return emit(emit, value);
}
