// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of integers, and what they make of comparisons: JAX wraps every index of `x[i]` around (i < 0 ? i + n : i),
// the counter of a loop as well.

#include "mlir_xla/lowering/legalize/Ranges.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"
#include "mlir_xla/lowering/legalize/TripCount.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

using MaybeRange = std::optional<IntegerRange>;

namespace {

/// Operations between a value and what its range follows from, at most, and elements of a constant that are looked at.
constexpr unsigned kDeepest = 24;
constexpr int64_t kMostElements = 4096;

/// One question. What is found on the way is kept, so that its time is linear in what the value is computed from.
class RangeFinder {
public:
  MaybeRange find(Value value, unsigned depth = 0);

private:
  MaybeRange compute(Value value, unsigned depth);
  MaybeRange ofArgument(BlockArgument argument, unsigned depth);
  MaybeRange ofConstant(ConstantOp op);
  MaybeRange unionOf(ValueRange values, unsigned depth);

  DenseMap<Value, MaybeRange> found;
};

IntegerType integerOf(Value value) { return dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType())); }

/// All numbers of a type; none of those beyond 64 bits.
MaybeRange rangeOfType(IntegerType type) {
  unsigned width = type.getWidth();
  if (width == 1 || type.isUnsigned())
    return width < 64 ? MaybeRange(IntegerRange{0, (int64_t(1) << width) - 1}) : std::nullopt;
  return width <= 64 ? MaybeRange(IntegerRange{llvm::minIntN(width), llvm::maxIntN(width)}) : std::nullopt;
}

bool isWithin(IntegerRange inner, IntegerRange outer) {
  return inner.least >= outer.least && inner.greatest <= outer.greatest;
}

MaybeRange added(IntegerRange lhs, IntegerRange rhs) {
  IntegerRange sum;
  if (llvm::AddOverflow(lhs.least, rhs.least, sum.least) || llvm::AddOverflow(lhs.greatest, rhs.greatest, sum.greatest))
    return std::nullopt;
  return sum;
}

MaybeRange subtracted(IntegerRange lhs, IntegerRange rhs) {
  IntegerRange difference;
  if (llvm::SubOverflow(lhs.least, rhs.greatest, difference.least) ||
      llvm::SubOverflow(lhs.greatest, rhs.least, difference.greatest))
    return std::nullopt;
  return difference;
}

MaybeRange multiplied(IntegerRange lhs, IntegerRange rhs) {
  int64_t products[4];
  if (llvm::MulOverflow(lhs.least, rhs.least, products[0]) || llvm::MulOverflow(lhs.least, rhs.greatest, products[1]) ||
      llvm::MulOverflow(lhs.greatest, rhs.least, products[2]) ||
      llvm::MulOverflow(lhs.greatest, rhs.greatest, products[3]))
    return std::nullopt;
  auto [least, greatest] = std::minmax_element(std::begin(products), std::end(products));
  return IntegerRange{*least, *greatest};
}

/// Of divisors that are positive: quotients are rounded towards zero.
MaybeRange divided(IntegerRange lhs, IntegerRange rhs) {
  if (rhs.least <= 0)
    return std::nullopt;
  return IntegerRange{lhs.least / (lhs.least < 0 ? rhs.least : rhs.greatest),
                      lhs.greatest / (lhs.greatest < 0 ? rhs.greatest : rhs.least)};
}

/// Remainders have the sign of the dividend, and are no farther from zero than that.
MaybeRange remainderOf(IntegerRange lhs, IntegerRange rhs) {
  if (rhs.least <= 0)
    return std::nullopt;
  int64_t most = rhs.greatest - 1;
  return IntegerRange{std::max(std::min<int64_t>(lhs.least, 0), -most),
                      std::min(std::max<int64_t>(lhs.greatest, 0), most)};
}

MaybeRange RangeFinder::find(Value value, unsigned depth) {
  IntegerType type = integerOf(value);
  if (!type)
    return std::nullopt;
  MaybeRange all = rangeOfType(type);
  if (depth > kDeepest || !all)
    return all;
  auto [known, isNew] = found.try_emplace(value, all);
  if (!isNew)
    return known->second;
  // What would wrap around may be anything.
  MaybeRange range = compute(value, depth + 1);
  if (!range || !isWithin(*range, *all))
    range = all;
  return found[value] = range;
}

MaybeRange RangeFinder::unionOf(ValueRange values, unsigned depth) {
  MaybeRange all;
  for (Value value : values) {
    MaybeRange range = find(value, depth);
    if (!range)
      return std::nullopt;
    all = all ? IntegerRange{std::min(all->least, range->least), std::max(all->greatest, range->greatest)} : *range;
  }
  return all;
}

MaybeRange RangeFinder::ofConstant(ConstantOp op) {
  auto values = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!values || values.empty() || (!values.isSplat() && values.getNumElements() > kMostElements))
    return std::nullopt;
  bool isUnsigned = integerOf(op).isUnsigned() || integerOf(op).getWidth() == 1;
  MaybeRange all;
  auto add = [&](const APInt &value) {
    int64_t number = isUnsigned ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue();
    all = all ? IntegerRange{std::min(all->least, number), std::max(all->greatest, number)}
              : IntegerRange{number, number};
  };
  if (values.isSplat())
    add(values.getSplatValue<APInt>());
  else
    llvm::for_each(values.getValues<APInt>(), add);
  return all;
}

/// What a loop hands on unchanged, and what it adds a constant to in each of its iterations, of which the number is
/// known.
MaybeRange RangeFinder::ofArgument(BlockArgument argument, unsigned depth) {
  auto loop = dyn_cast_or_null<WhileOp>(argument.getOwner()->getParentOp());
  if (!loop || argument.getOwner() != &loop.getBody().front())
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  Value next = argument.getOwner()->getTerminator()->getOperand(number);
  if (next == argument)
    return find(loop.getOperands()[number], depth);
  auto add = next.getDefiningOp<AddOp>();
  std::optional<int64_t> trips = add ? tripCount(loop) : std::nullopt;
  if (!trips || *trips < 1 || (add.getLhs() != argument && add.getRhs() != argument))
    return std::nullopt;
  Value step = add.getLhs() == argument ? add.getRhs() : add.getLhs();
  MaybeRange first = find(loop.getOperands()[number], depth),
             by = step.getDefiningOp<ConstantOp>() ? find(step, depth) : std::nullopt;
  MaybeRange way = by ? multiplied(*by, {0, *trips - 1}) : std::nullopt;
  return first && way ? added(*first, *way) : std::nullopt;
}

MaybeRange RangeFinder::compute(Value value, unsigned depth) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument, depth);
  auto ofTwo = [&](Operation *op, MaybeRange (*combine)(IntegerRange, IntegerRange)) -> MaybeRange {
    MaybeRange lhs = find(op->getOperand(0), depth), rhs = find(op->getOperand(1), depth);
    return lhs && rhs ? combine(*lhs, *rhs) : std::nullopt;
  };
  auto greater = [](IntegerRange lhs, IntegerRange rhs) -> MaybeRange {
    return IntegerRange{std::max(lhs.least, rhs.least), std::max(lhs.greatest, rhs.greatest)};
  };
  auto lesser = [](IntegerRange lhs, IntegerRange rhs) -> MaybeRange {
    return IntegerRange{std::min(lhs.least, rhs.least), std::min(lhs.greatest, rhs.greatest)};
  };
  return llvm::TypeSwitch<Operation *, MaybeRange>(value.getDefiningOp())
      .Case([&](ConstantOp op) { return ofConstant(op); })
      .Case([&](IotaOp op) -> MaybeRange {
        auto type = cast<RankedTensorType>(op.getType());
        int64_t size = type.hasStaticShape() ? type.getDimSize(op.getIotaDimension()) : 0;
        return size > 0 ? MaybeRange(IntegerRange{0, size - 1}) : std::nullopt;
      })
      .Case([&](AddOp op) { return ofTwo(op, added); })
      .Case([&](SubtractOp op) { return ofTwo(op, subtracted); })
      .Case([&](MulOp op) { return ofTwo(op, multiplied); })
      .Case([&](DivOp op) { return ofTwo(op, divided); })
      .Case([&](RemOp op) { return ofTwo(op, remainderOf); })
      .Case([&](MaxOp op) { return ofTwo(op, greater); })
      .Case([&](MinOp op) { return ofTwo(op, lesser); })
      .Case([&](ClampOp op) -> MaybeRange {
        MaybeRange low = find(op.getMin(), depth), middle = find(op.getOperand(), depth),
                   high = find(op.getMax(), depth);
        return low && middle && high ? lesser(*greater(*low, *middle), *high) : std::nullopt;
      })
      .Case([&](SelectOp op) { return unionOf({op.getOnTrue(), op.getOnFalse()}, depth); })
      .Case([&](ConvertOp op) { return find(op.getOperand(), depth); })
      .Case<ReshapeOp, BroadcastInDimOp, TransposeOp, ReverseOp, SliceOp, DynamicSliceOp, GatherOp>(
          [&](Operation *op) { return find(op->getOperand(0), depth); })
      .Case([&](ConcatenateOp op) { return unionOf(op.getInputs(), depth); })
      .Default(std::nullopt);
}

/// Whether the comparison comes out alike for all elements, and how.
std::optional<bool> decide(ComparisonDirection direction, IntegerRange lhs, IntegerRange rhs) {
  auto less = [](IntegerRange a, IntegerRange b) -> std::optional<bool> {
    return a.greatest < b.least ? std::optional(true) : a.least >= b.greatest ? std::optional(false) : std::nullopt;
  };
  auto negated = [](std::optional<bool> answer) { return answer ? std::optional(!*answer) : std::nullopt; };
  bool areApart = lhs.greatest < rhs.least || rhs.greatest < lhs.least;
  switch (direction) {
  case ComparisonDirection::LT:
    return less(lhs, rhs);
  case ComparisonDirection::GE:
    return negated(less(lhs, rhs));
  case ComparisonDirection::GT:
    return less(rhs, lhs);
  case ComparisonDirection::LE:
    return negated(less(rhs, lhs));
  case ComparisonDirection::EQ:
    return areApart ? std::optional(false) : std::nullopt;
  case ComparisonDirection::NE:
    return areApart ? std::optional(true) : std::nullopt;
  }
  return std::nullopt;
}

/// xla.compare LT, %i, %zero, with %i in [0, 9]  ->  xla.constant dense<false>
struct DecideComparison : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !type.hasStaticShape() || !integerOf(op.getLhs()))
      return failure();
    MaybeRange lhs = rangeOf(op.getLhs()), rhs = lhs ? rangeOf(op.getRhs()) : std::nullopt;
    std::optional<bool> answer = rhs ? decide(op.getComparisonDirection(), *lhs, *rhs) : std::nullopt;
    if (!answer)
      return failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), DenseElementsAttr::get(type, *answer));
    return success();
  }
};

/// xla.maximum %i, %zero, with %i in [0, 9]  ->  %i
template <typename Op> struct DropBound : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    MaybeRange lhs = integerOf(op) ? rangeOf(op.getLhs()) : std::nullopt,
               rhs = lhs ? rangeOf(op.getRhs()) : std::nullopt;
    if (!rhs)
      return failure();
    constexpr bool isMax = std::is_same_v<Op, MaxOp>;
    bool isLeftLess = lhs->greatest <= rhs->least, isRightLess = rhs->greatest <= lhs->least;
    if (!isLeftLess && !isRightLess)
      return failure();
    rewriter.replaceOp(op, isRightLess == isMax ? op.getLhs() : op.getRhs());
    return success();
  }
};

/// xla.clamp %zero, %i, %nine, with %i in [0, 9]  ->  %i
struct DropClamp : OpRewritePattern<ClampOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ClampOp op, PatternRewriter &rewriter) const override {
    MaybeRange middle = integerOf(op) ? rangeOf(op.getOperand()) : std::nullopt;
    MaybeRange low = middle ? rangeOf(op.getMin()) : std::nullopt, high = low ? rangeOf(op.getMax()) : std::nullopt;
    if (!high || middle->least < low->greatest || middle->greatest > high->least)
      return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

} // namespace

std::optional<IntegerRange> mlir::xla::rangeOf(Value value) {
  RangeFinder finder;
  return finder.find(value);
}

void mlir::xla::populateRangePatterns(RewritePatternSet &patterns) {
  patterns.add<DecideComparison, DropBound<MaxOp>, DropBound<MinOp>, DropClamp>(patterns.getContext());
}
