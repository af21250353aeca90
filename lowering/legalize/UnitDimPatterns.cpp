// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dimensions of size 1 leave what computes: an op on tensors that have some becomes reshapes around the same op without
// them. Reshapes meet and disappear, so that ops that differ in nothing else see the same shapes, and what permutes
// only such dimensions is seen to do nothing.

#include "mlir_xla/dialect/Traits.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

using namespace mlir;
using namespace mlir::xla;

/// A tensor with dimensions of size 1 beside others. Scalars with dimensions are nobody's concern.
static bool hasUnitDims(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() && llvm::is_contained(tensor.getShape(), 1) &&
         !llvm::all_of(tensor.getShape(), [](int64_t size) { return size == 1; });
}

/// The dimensions of `shape` other than those of size 1, and those among them that are `kept`.
static SmallVector<int64_t> remaining(ArrayRef<int64_t> shape, ArrayRef<int64_t> kept = {}) {
  return llvm::filter_to_vector(llvm::seq<int64_t>(0, shape.size()),
                                [&](int64_t dim) { return shape[dim] != 1 || llvm::is_contained(kept, dim); });
}

static RankedTensorType withDims(RankedTensorType type, ArrayRef<int64_t> dims) {
  return RankedTensorType::get(llvm::map_to_vector(dims, [&](int64_t dim) { return type.getDimSize(dim); }),
                               type.getElementType());
}

static Value reshaped(PatternRewriter &rewriter, Location loc, Value value, RankedTensorType type) {
  return value.getType() == type ? value : ReshapeOp::create(rewriter, loc, type, value).getResult();
}

/// `value` with `dims` of its dimensions.
static Value withDims(PatternRewriter &rewriter, Location loc, Value value, ArrayRef<int64_t> dims) {
  return reshaped(rewriter, loc, value, withDims(cast<RankedTensorType>(value.getType()), dims));
}

/// `dims` as numbers among the `remaining` ones.
static SmallVector<int64_t> renumbered(ArrayRef<int64_t> dims, ArrayRef<int64_t> remaining) {
  SmallVector<int64_t> result;
  for (int64_t dim : dims)
    if (auto found = llvm::find(remaining, dim); found != remaining.end())
      result.push_back(found - remaining.begin());
  return result;
}

namespace {

/// tanh(%x) : 4x1x8  ->  reshape(tanh(reshape(%x)) : 4x8)
struct DropFromElementwise : RewritePattern {
  explicit DropFromElementwise(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>() || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        !hasUnitDims(op->getResult(0).getType()))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto isSame = [&](Value operand) {
      auto each = dyn_cast<RankedTensorType>(operand.getType());
      return each && !each.getEncoding() && (each.getRank() == 0 || each.getShape() == type.getShape());
    };
    if (!llvm::all_of(op->getOperands(), isSame))
      return failure();
    SmallVector<int64_t> dims = remaining(type.getShape());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(cast<RankedTensorType>(operand.getType()).getRank() == 0
                             ? operand
                             : withDims(rewriter, op->getLoc(), operand, dims));
    Operation *narrow = rewriter.clone(*op);
    narrow->setOperands(operands);
    narrow->getResult(0).setType(withDims(type, dims));
    rewriter.replaceOp(op, reshaped(rewriter, op->getLoc(), narrow->getResult(0), type));
    return success();
  }
};

/// broadcast_in_dim(%x : 4x1) : 4x1x8  ->  reshape(broadcast_in_dim(reshape(%x) : 4) : 4x8). A broadcast scalar has
/// any shape, without a reshape.
struct DropFromBroadcast : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto from = dyn_cast<RankedTensorType>(op.getOperand().getType());
    if (!from || from.getRank() == 0 || !from.hasStaticShape() || from.getEncoding() ||
        (!hasUnitDims(type) && !hasUnitDims(from)) || !type.hasStaticShape() || type.getEncoding())
      return failure();
    SmallVector<int64_t> dims = remaining(type.getShape()), fromDims = remaining(from.getShape());
    SmallVector<int64_t> into =
        llvm::map_to_vector(fromDims, [&](int64_t dim) { return op.getBroadcastDimensions()[dim]; });
    Value operand = withDims(rewriter, op.getLoc(), op.getOperand(), fromDims);
    Value narrow =
        BroadcastInDimOp::create(rewriter, op.getLoc(), withDims(type, dims), operand, renumbered(into, dims));
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), narrow, type));
    return success();
  }
};

/// transpose(%x : 4x1x8) : 1x4x8  ->  reshape(%x)
struct DropFromTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!hasUnitDims(type) || cast<RankedTensorType>(op.getOperand().getType()).getEncoding())
      return failure();
    SmallVector<int64_t> dims = remaining(type.getShape());
    SmallVector<int64_t> fromDims = remaining(cast<RankedTensorType>(op.getOperand().getType()).getShape());
    SmallVector<int64_t> permutation =
        renumbered(llvm::map_to_vector(dims, [&](int64_t dim) { return op.getPermutation()[dim]; }), fromDims);
    Value narrow = withDims(rewriter, op.getLoc(), op.getOperand(), fromDims);
    if (!llvm::is_sorted(permutation))
      narrow = TransposeOp::create(rewriter, op.getLoc(), withDims(type, dims), narrow, permutation);
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), narrow, type));
    return success();
  }
};

/// reduce(%x : 4x1x8) across [2]  ->  reshape(reduce(reshape(%x) : 4x8) across [1]). Reduced dimensions stay: their
/// elements are combined with the initial value.
struct DropFromReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getInputs().front().getType());
    if (!type || !hasUnitDims(type))
      return failure();
    SmallVector<int64_t> dims = remaining(type.getShape(), op.getDimensions());
    if (dims.size() == static_cast<size_t>(type.getRank()))
      return failure();
    auto isPlain = [&](Value input) {
      auto each = cast<RankedTensorType>(input.getType());
      return !each.getEncoding() && each.getShape() == type.getShape();
    };
    if (!llvm::all_of(op.getInputs(), isPlain))
      return failure();
    SmallVector<Value> operands;
    for (Value input : op.getInputs())
      operands.push_back(withDims(rewriter, op.getLoc(), input, dims));
    llvm::append_range(operands, op.getInitValues());
    auto narrow = cast<ReduceOp>(rewriter.clone(*op));
    narrow->setOperands(operands);
    narrow.setDimensions(renumbered(op.getDimensions(), dims));
    SmallVector<Value> results;
    for (auto [wide, result] : llvm::zip_equal(op->getResults(), narrow->getResults())) {
      auto resultType = cast<RankedTensorType>(wide.getType());
      result.setType(withDims(resultType, remaining(resultType.getShape())));
      results.push_back(reshaped(rewriter, op.getLoc(), result, resultType));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// dot_general(%x : 4x1x8, %y : 8x5)  ->  reshape(dot_general(reshape(%x) : 4x8, %y)); contracted dimensions stay.
struct DropFromDot : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto lhs = cast<RankedTensorType>(op.getLhs().getType()), rhs = cast<RankedTensorType>(op.getRhs().getType());
    if (!hasUnitDims(type) || lhs.getEncoding() || rhs.getEncoding())
      return failure();
    DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
    SmallVector<int64_t> lhsDims = remaining(lhs.getShape(), numbers.getLhsContractingDimensions());
    SmallVector<int64_t> rhsDims = remaining(rhs.getShape(), numbers.getRhsContractingDimensions());
    auto narrowNumbers =
        DotDimensionNumbersAttr::get(op.getContext(), renumbered(numbers.getLhsBatchingDimensions(), lhsDims),
                                     renumbered(numbers.getRhsBatchingDimensions(), rhsDims),
                                     renumbered(numbers.getLhsContractingDimensions(), lhsDims),
                                     renumbered(numbers.getRhsContractingDimensions(), rhsDims));
    Value narrow = DotGeneralOp::create(rewriter, op.getLoc(), withDims(type, remaining(type.getShape())),
                                        withDims(rewriter, op.getLoc(), op.getLhs(), lhsDims),
                                        withDims(rewriter, op.getLoc(), op.getRhs(), rhsDims), narrowNumbers,
                                        op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), narrow, type));
    return success();
  }
};

/// iota dim = 0 : 4x1  ->  reshape(iota dim = 0 : 4)
struct DropFromIota : OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IotaOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    int64_t counted = op.getIotaDimension();
    if (!hasUnitDims(type) || type.getDimSize(counted) == 1)
      return failure();
    SmallVector<int64_t> dims = remaining(type.getShape());
    Value narrow = IotaOp::create(rewriter, op.getLoc(), withDims(type, dims), renumbered({counted}, dims)[0]);
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), narrow, type));
    return success();
  }
};

} // namespace

void mlir::xla::populateUnitDimPatterns(RewritePatternSet &patterns) {
  patterns.add<DropFromElementwise, DropFromBroadcast, DropFromTranspose, DropFromReduce, DropFromDot, DropFromIota>(
      patterns.getContext());
}
