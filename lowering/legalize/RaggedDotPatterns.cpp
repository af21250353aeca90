// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ragged contractions: a loop over the groups, and in it one over blocks of rows, so that the work is that of one
// contraction and a block for each group. Nothing is computed for groups that a row does not belong to.

#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/CompositePatterns.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

class RaggedDot {
public:
  RaggedDot(RaggedDotOp op, PatternRewriter &rewriter)
      : op(op), b(op.getLoc(), rewriter), numbers(op.getRaggedDotDimensionNumbers()),
        type(cast<RankedTensorType>(op.getType())) {
    ragged = numbers.getLhsRaggedDimensions()[0];
    element = type.getElementType();
    // Blocks are added up in f32 where results are narrower.
    wide = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 ? b.getF32Type() : element;
  }

  Value build() {
    if (llvm::is_contained(numbers.getLhsBatchingDimensions(), ragged))
      return dot(op.getLhs(), op.getRhs(), type, numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions(),
                 numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions());
    bool isFree = !llvm::is_contained(numbers.getLhsContractingDimensions(), ragged);
    isFree ? arrangeFree() : arrangeContracted();
    RankedTensorType groups = b.typeOf(op.getGroupSizes());
    groupCount = groups.getShape().back();
    Value sizes = b.convert(op.getGroupSizes(), b.getI64Type());
    auto slices = [&](ValueRange arrays, Value position, Value ofGroups, Value result) {
      return isFree ? freeGroups(arrays[0], arrays[1], ofGroups, result)
                    : contractedGroups(arrays[0], arrays[1], ofGroups, result);
    };
    auto resultType = RankedTensorType::get(resultShape, wide);
    Value zero = b.broadcast(ConstantOp::create(b, RankedTensorType::get({}, wide),
                                                cast<ElementsAttr>(b.getZeroAttr(RankedTensorType::get({}, wide)))),
                             resultType.getShape(), {});
    Value result = zero;
    if (prefix == 0) {
      // There is nothing to contract.
    } else if (groups.getRank() == 1 || prefix == 1) {
      result = slices({lhs, rhs}, {}, b.reshape(sizes, {groupCount}), zero);
    } else {
      // Each position before the ragged dimension has groups of its own.
      result = eachPosition(b.reshape(sizes, {prefix, groupCount}), zero, slices);
    }
    return b.convert(finish(result), element);
  }

private:
  static int64_t product(ArrayRef<int64_t> sizes) {
    int64_t result = 1;
    for (int64_t size : sizes)
      result *= size;
    return result;
  }

  Value dot(Value x, Value y, RankedTensorType result, ArrayRef<int64_t> xBatch, ArrayRef<int64_t> yBatch,
            ArrayRef<int64_t> xContracted, ArrayRef<int64_t> yContracted) {
    auto dims = DotDimensionNumbersAttr::get(b.getContext(), xBatch, yBatch, xContracted, yContracted);
    return DotGeneralOp::create(b, result, x, y, dims, op.getPrecisionConfigAttr(), DotAlgorithmAttr());
  }

  /// `value` with its dimensions in the order of `groups`, each of which becomes one dimension.
  Value arrange(Value value, ArrayRef<SmallVector<int64_t>> groups) {
    SmallVector<int64_t> order, shape;
    ArrayRef<int64_t> sizes = b.typeOf(value).getShape();
    for (const SmallVector<int64_t> &group : groups) {
      order.append(group);
      shape.push_back(product(llvm::map_to_vector(group, [&](int64_t dim) { return sizes[dim]; })));
    }
    return b.reshape(b.transpose(value, order), shape);
  }

  SmallVector<int64_t> freeDims(Value value, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted, int64_t except) {
    SmallVector<int64_t> dims;
    for (int64_t d = 0, rank = b.typeOf(value).getRank(); d < rank; ++d)
      if (d != except && !llvm::is_contained(batch, d) && !llvm::is_contained(contracted, d))
        dims.push_back(d);
    return dims;
  }

  //===- Rows in groups: [batch, before, m, after, k] x [g, batch, k, n] -> [batch, before, m, after, n]
  //-------------===//

  void arrangeFree() {
    ArrayRef<int64_t> batch = numbers.getLhsBatchingDimensions(), contracted = numbers.getLhsContractingDimensions();
    SmallVector<int64_t> before, after;
    for (int64_t dim : freeDims(op.getLhs(), batch, contracted, ragged))
      (dim < ragged ? before : after).push_back(dim);
    lhs = arrange(op.getLhs(), {llvm::to_vector(batch), before, {ragged}, after, llvm::to_vector(contracted)});
    int64_t group = numbers.getRhsGroupDimensions()[0];
    batch = numbers.getRhsBatchingDimensions(), contracted = numbers.getRhsContractingDimensions();
    rhs = arrange(op.getRhs(), {{group},
                                llvm::to_vector(batch),
                                llvm::to_vector(contracted),
                                freeDims(op.getRhs(), batch, contracted, group)});
    ArrayRef<int64_t> left = b.typeOf(lhs).getShape();
    prefix = left[0] * left[1];
    resultShape = {left[0], left[1], left[2], left[3], b.typeOf(rhs).getShape()[3]};
  }

  /// Rows that a step contracts: about half of a group of average size, so that most of a group is in whole blocks.
  int64_t blockOf(int64_t rows) {
    constexpr int64_t fewest = 8, most = 256;
    int64_t half = llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(1, rows / (2 * groupCount))));
    return std::min(rows, std::clamp(half, fewest, most));
  }

  /// Calls `step` for blocks of indices that cover each group: with the first index of the block, which lies inside
  /// `size`, which of its indices belong to the group, and the number of the group.
  Value eachBlock(Value sizes, int64_t size, int64_t block, Value result,
                  function_ref<Value(Value first, Value inGroup, Value group, Value result)> step) {
    if (groupCount == 0 || size == 0)
      return result;
    auto body = [&](Value group, ValueRange values) -> SmallVector<Value> {
      Value begin = values[0];
      Value end = b.add(begin, b.reshape(b.dynamicSlice(sizes, group, {1}), {}));
      Value clampedEnd = b.binary("minimum", end, b.index(size));
      auto inBlock = [&](Value at, ValueRange running) -> SmallVector<Value> {
        // The last block begins early enough to be whole.
        Value first = b.binary("minimum", at, b.index(size - block));
        OperationState iota(op.getLoc(), IotaOp::getOperationName(), ValueRange(),
                            TypeRange{RankedTensorType::get({block}, b.getI64Type())});
        iota.addAttribute("iota_dimension", b.getI64IntegerAttr(0));
        Value index = b.add(b.create(iota)->getResult(0), first);
        Value inGroup = b.binary("and", b.compare(ComparisonDirection::GE, index, at),
                                 b.compare(ComparisonDirection::LT, index, clampedEnd));
        return {step(first, inGroup, group, running[0])};
      };
      // Sizes that are too large or negative may begin outside.
      Value start = b.binary("maximum", begin, b.index(0));
      Value next = b.countedLoop(start, clampedEnd, b.index(block), values[1], inBlock)[0];
      return {end, next};
    };
    return b.countedLoop(b.index(0), b.index(groupCount), b.index(1), {b.index(0), result}, body)[1];
  }

  Value freeGroups(Value left, Value right, Value sizes, Value result) {
    SmallVector<int64_t> leftBlock(b.typeOf(left).getShape()), rightBlock(b.typeOf(right).getShape());
    SmallVector<int64_t> resultBlock(b.typeOf(result).getShape());
    int64_t size = leftBlock[2], block = blockOf(size);
    leftBlock[2] = resultBlock[2] = block;
    rightBlock[0] = 1;
    auto step = [&](Value first, Value inGroup, Value group, Value running) {
      Value zero = b.index(0);
      SmallVector<Value> starts{zero, zero, first, zero, zero};
      Value matrix =
          b.reshape(b.dynamicSlice(right, {group, zero, zero, zero}, rightBlock), ArrayRef(rightBlock).drop_front());
      Value rows = b.dynamicSlice(left, starts, leftBlock);
      Value products = dot(rows, matrix, RankedTensorType::get(resultBlock, wide), {0}, {0}, {4}, {1});
      Value old = b.dynamicSlice(running, starts, resultBlock);
      Value chosen = b.select(b.broadcast(inGroup, resultBlock, {2}), products, old);
      return b.dynamicUpdateSlice(running, chosen, starts);
    };
    return eachBlock(sizes, size, block, result, step);
  }

  //===- Contracted indices in groups: [batch, before, k, after, m] x [batch, before, k, after, n]
  //------------------===//
  //                                  -> [g, batch, m, n]

  void arrangeContracted() {
    ArrayRef<int64_t> contracted = numbers.getLhsContractingDimensions();
    size_t place = llvm::find(contracted, ragged) - contracted.begin();
    auto arrangeSide = [&](Value value, ArrayRef<int64_t> batch, ArrayRef<int64_t> dims) {
      return arrange(value, {llvm::to_vector(batch),
                             llvm::to_vector(dims.take_front(place)),
                             {dims[place]},
                             llvm::to_vector(dims.drop_front(place + 1)),
                             freeDims(value, batch, dims, -1)});
    };
    lhs = arrangeSide(op.getLhs(), numbers.getLhsBatchingDimensions(), contracted);
    rhs = arrangeSide(op.getRhs(), numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions());
    ArrayRef<int64_t> left = b.typeOf(lhs).getShape(), right = b.typeOf(rhs).getShape();
    prefix = left[0] * left[1];
    resultShape = {b.typeOf(op.getGroupSizes()).getShape().back(), left[0], left[4], right[4]};
  }

  Value contractedGroups(Value left, Value right, Value sizes, Value result) {
    int64_t size = b.typeOf(left).getShape()[2], block = blockOf(size);
    SmallVector<int64_t> resultBlock(b.typeOf(result).getShape());
    resultBlock[0] = 1;
    auto step = [&](Value first, Value inGroup, Value group, Value running) {
      Value zero = b.index(0);
      // Zero times what is not finite would not be zero: neither side keeps what is of other groups.
      auto masked = [&](Value array) {
        SmallVector<int64_t> dims(b.typeOf(array).getShape());
        dims[2] = block;
        Value part = b.dynamicSlice(array, {zero, zero, first, zero, zero}, dims);
        auto scalar = RankedTensorType::get({}, b.typeOf(array).getElementType());
        Value nothing = ConstantOp::create(b, scalar, cast<ElementsAttr>(b.getZeroAttr(scalar)));
        return b.select(b.broadcast(inGroup, dims, {2}), part, nothing);
      };
      Value products = dot(masked(left), masked(right), RankedTensorType::get(ArrayRef(resultBlock).drop_front(), wide),
                           {0}, {0}, {1, 2, 3}, {1, 2, 3});
      SmallVector<Value> starts{group, zero, zero, zero};
      Value sum = b.add(b.dynamicSlice(running, starts, resultBlock), b.reshape(products, resultBlock));
      return b.dynamicUpdateSlice(running, sum, starts);
    };
    return eachBlock(sizes, size, block, result, step);
  }

  //===- Groups of their own for each position before the ragged dimension
  //------------------------------------------===//

  Value eachPosition(Value sizes, Value result, function_ref<Value(ValueRange, Value, Value, Value)> ofPosition) {
    bool isFree = b.typeOf(result).getRank() == 5;
    int64_t inner = b.typeOf(lhs).getShape()[1];
    auto body = [&](Value position, ValueRange values) -> SmallVector<Value> {
      Value zero = b.index(0), outerIndex = b.binary("divide", position, b.index(inner));
      Value innerIndex = b.binary("remainder", position, b.index(inner));
      // [batch, before, ..] at the position, with both dimensions of size 1.
      SmallVector<int64_t> leftDims(b.typeOf(lhs).getShape());
      leftDims[0] = leftDims[1] = 1;
      Value left = b.dynamicSlice(lhs, {outerIndex, innerIndex, zero, zero, zero}, leftDims);
      SmallVector<int64_t> rightDims(b.typeOf(rhs).getShape());
      SmallVector<Value> rightStarts(rightDims.size(), zero), resultStarts(b.typeOf(result).getRank(), zero);
      SmallVector<int64_t> resultDims(b.typeOf(result).getShape());
      if (isFree) {
        rightDims[1] = resultDims[0] = resultDims[1] = 1;
        rightStarts[1] = resultStarts[0] = outerIndex;
        resultStarts[1] = innerIndex;
      } else {
        rightDims[0] = rightDims[1] = resultDims[1] = 1;
        rightStarts[0] = resultStarts[1] = outerIndex;
        rightStarts[1] = innerIndex;
      }
      Value right = b.dynamicSlice(rhs, rightStarts, rightDims);
      Value groups = b.reshape(b.dynamicSlice(sizes, {position, zero}, {1, groupCount}), {groupCount});
      Value part = b.dynamicSlice(values[0], resultStarts, resultDims);
      part = ofPosition({left, right}, position, groups, part);
      return {b.dynamicUpdateSlice(values[0], part, resultStarts)};
    };
    return b.countedLoop(b.index(0), b.index(prefix), b.index(1), result, body)[0];
  }

  Value finish(Value result) { return b.reshape(result, type.getShape()); }

  RaggedDotOp op;
  TensorBuilder b;
  RaggedDotDimensionNumbersAttr numbers;
  RankedTensorType type;
  Type element, wide;
  int64_t ragged, groupCount = 0;
  int64_t prefix = 1; // positions that may have groups of their own
  Value lhs, rhs;     // arranged
  SmallVector<int64_t> resultShape;
};

/// xla.ragged_dot  ->  xla.while over groups { xla.while over blocks { xla.dot_general, xla.dynamic_update_slice } }
struct DecomposeRaggedDot : OpRewritePattern<RaggedDotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RaggedDotOp op, PatternRewriter &rewriter) const override {
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (!cast<RankedTensorType>(type).hasStaticShape())
        return failure();
    rewriter.replaceOp(op, RaggedDot(op, rewriter).build());
    return success();
  }
};

} // namespace

void mlir::xla::populateRaggedDotPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeRaggedDot>(patterns.getContext());
}
