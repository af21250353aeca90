// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisation of the linear family: degenerate contractions.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// xla.dot %a, %b  ->  xla.dot_general %a, %b, contracting_dims = [1] x [0]
struct DotToDotGeneral : OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotOp op, PatternRewriter &rewriter) const override {
    int64_t contracted = op.getLhs().getType().getRank() - 1;
    auto numbers = DotDimensionNumbersAttr::get(op.getContext(), {}, {}, contracted, int64_t(0));
    auto general = DotGeneralOp::create(rewriter, op.getLoc(), op.getType(), op.getLhs(), op.getRhs(), numbers,
                                        op.getPrecisionConfigAttr(), DotAlgorithmAttr());
    general->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, general);
    return success();
  }
};

/// dot_general over a contracting dimension of size 0  ->  constant zeros
struct DotOfNothing : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getType();
    if (!isPlainStatic(op.getType()) || llvm::none_of(op.getDotDimensionNumbers().getLhsContractingDimensions(),
                                                      [&](int64_t dim) { return lhs.getDimSize(dim) == 0; }))
      return failure();
    Type element = op.getType().getElementType();
    Attribute zero;
    if (auto complex = dyn_cast<ComplexType>(element)) {
      Attribute part = rewriter.getZeroAttr(complex.getElementType());
      zero = rewriter.getArrayAttr({part, part});
    } else {
      zero = rewriter.getZeroAttr(element);
    }
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), DenseElementsAttr::get(op.getType(), zero));
    return success();
  }
};

/// xla.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x1xf32>, tensor<1x5xf32>)
///   ->  xla.multiply (broadcast (reshape %a)), (broadcast (reshape %b)) : tensor<4x5xf32>
struct DotOfOneElement : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
    RankedTensorType result = op.getType(), lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
    // Batch dimensions that lead in order stay where they are; others would need a transpose first.
    auto lead = [](ArrayRef<int64_t> dims) { return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size())); };
    if (op.getAlgorithm() || !llvm::all_of(TypeRange{result, lhs, rhs}, isPlainStatic) ||
        result.getElementType() != lhs.getElementType() || !lead(numbers.getLhsBatchingDimensions()) ||
        !lead(numbers.getRhsBatchingDimensions()) ||
        llvm::any_of(numbers.getLhsContractingDimensions(), [&](int64_t dim) { return lhs.getDimSize(dim) != 1; }))
      return failure();

    int64_t batch = numbers.getLhsBatchingDimensions().size();
    int64_t lhsFree = lhs.getRank() - batch - numbers.getLhsContractingDimensions().size();
    auto expand = [&](Value operand, ArrayRef<int64_t> contracting, int64_t firstFree) -> Value {
      auto type = cast<RankedTensorType>(operand.getType());
      SmallVector<int64_t> shape, dims;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        if (llvm::is_contained(contracting, dim))
          continue;
        dims.push_back(dim < batch ? dim : firstFree++);
        shape.push_back(type.getDimSize(dim));
      }
      if (shape.size() != static_cast<size_t>(type.getRank()))
        operand =
            ReshapeOp::create(rewriter, op.getLoc(), RankedTensorType::get(shape, type.getElementType()), operand);
      return BroadcastInDimOp::create(rewriter, op.getLoc(), result, operand, dims);
    };
    Value left = expand(op.getLhs(), numbers.getLhsContractingDimensions(), batch);
    Value right = expand(op.getRhs(), numbers.getRhsContractingDimensions(), batch + lhsFree);
    rewriter.replaceOpWithNewOp<MulOp>(op, result, left, right);
    return success();
  }
};

} // namespace

void DotOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DotToDotGeneral>(context);
}

void DotGeneralOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DotOfNothing, DotOfOneElement>(context);
}
