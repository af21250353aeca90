// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A contraction addresses its operands by dimension numbers, so that a transpose before or after it is free.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

using namespace mlir;
using namespace mlir::xla;

/// The free dimensions of an operand: neither contracted nor batch, ascending.
static SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batching, d) && !llvm::is_contained(contracting, d))
      dims.push_back(d);
  return dims;
}

static SmallVector<int64_t> lookUp(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector(dims, [&](int64_t d) { return permutation[d]; });
}

/// Does `transpose` bring to the end what neighbours of the left operand of a product become, where the product itself
/// has dimensions of its right operand there? It is an order in which the product is written more easily, as that of
/// attention is whose values come first: transpose(dot_general(%v, %weights) : bhdq) : bqhd.
static bool bringsNeighboursBack(TransposeOp transpose) {
  auto dot = transpose.getOperand().getDefiningOp<DotGeneralOp>();
  if (!dot || !dot->hasOneUse() || !transpose->hasOneUse())
    return false;
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  int64_t rank = cast<RankedTensorType>(dot.getLhs().getType()).getRank();
  ArrayRef<int64_t> batching = dims.getLhsBatchingDimensions(), contracting = dims.getLhsContractingDimensions();
  int64_t last = rank - static_cast<int64_t>(contracting.size()) - 1;
  return !llvm::is_contained(batching, rank - 1) && !llvm::is_contained(contracting, rank - 1) &&
         last + 1 < dot.getType().getRank() && transpose.getPermutation().back() == last;
}

/// The operand of a transpose that `tensor` is, with the dimension numbers of `batching` and `contracting` renamed;
/// null unless the free dimensions keep their order.
static Value lookThrough(Value tensor, SmallVectorImpl<int64_t> &batching, SmallVectorImpl<int64_t> &contracting) {
  auto transpose = tensor.getDefiningOp<TransposeOp>();
  if (!transpose || bringsNeighboursBack(transpose))
    return {};
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  if (!llvm::is_sorted(lookUp(freeDims(permutation.size(), batching, contracting), permutation)))
    return {};
  batching = lookUp(batching, permutation);
  contracting = lookUp(contracting, permutation);
  return transpose.getOperand();
}

namespace {

/// dot_general(transpose(%a), %b)  ->  dot_general(%a, %b) with other dimension numbers
struct FoldTransposeIntoDot : OpRewritePattern<DotGeneralOp> {
  FoldTransposeIntoDot(MLIRContext *context, bool device) : OpRewritePattern(context), device(device) {}
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    SmallVector<int64_t> lhsBatching(dims.getLhsBatchingDimensions()), rhsBatching(dims.getRhsBatchingDimensions());
    SmallVector<int64_t> lhsContracting(dims.getLhsContractingDimensions()),
        rhsContracting(dims.getRhsContractingDimensions());
    Value lhs = lookThrough(op.getLhs(), lhsBatching, lhsContracting), rhs;
    // What is transposed before a loop is so once.
    if (device || rhsContracting != SmallVector<int64_t>{0} || !isFactorOfLoop(op, op.getRhs()))
      rhs = lookThrough(op.getRhs(), rhsBatching, rhsContracting);
    if (!lhs && !rhs)
      return failure();
    auto renamed =
        DotDimensionNumbersAttr::get(op.getContext(), lhsBatching, rhsBatching, lhsContracting, rhsContracting);
    rewriter.replaceOpWithNewOp<DotGeneralOp>(op, op.getType(), lhs ? lhs : op.getLhs(), rhs ? rhs : op.getRhs(),
                                              renamed, op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
    return success();
  }

private:
  bool device;
};

/// transpose(dot_general(%a, %b)) that exchanges the free dimensions of the two  ->  dot_general(%b, %a)
struct FoldTransposeOfDot : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto dot = op.getOperand().getDefiningOp<DotGeneralOp>();
    if (!dot || !dot->hasOneUse() || dot.getAlgorithmAttr())
      return failure();
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    int64_t batch = dims.getLhsBatchingDimensions().size(), contracted = dims.getLhsContractingDimensions().size();
    int64_t lhsFree = cast<RankedTensorType>(dot.getLhs().getType()).getRank() - batch - contracted;
    int64_t rhsFree = cast<RankedTensorType>(dot.getRhs().getType()).getRank() - batch - contracted;
    SmallVector<int64_t> exchange = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    llvm::append_range(exchange, llvm::seq<int64_t>(batch + lhsFree, batch + lhsFree + rhsFree));
    llvm::append_range(exchange, llvm::seq<int64_t>(batch, batch + lhsFree));
    if (ArrayRef(exchange) != op.getPermutation())
      return failure();
    auto exchanged =
        DotDimensionNumbersAttr::get(op.getContext(), dims.getRhsBatchingDimensions(), dims.getLhsBatchingDimensions(),
                                     dims.getRhsContractingDimensions(), dims.getLhsContractingDimensions());
    ArrayAttr precision = dot.getPrecisionConfigAttr();
    if (precision && precision.size() == 2)
      precision = rewriter.getArrayAttr({precision[1], precision[0]});
    rewriter.replaceOpWithNewOp<DotGeneralOp>(op, op.getType(), dot.getRhs(), dot.getLhs(), exchanged, precision,
                                              DotAlgorithmAttr());
    return success();
  }
};

/// %t = transpose(%x), transpose(reduce(%x)) in the same order of rows  ->  reduce(%t), so that %x has one reader less
struct FoldTransposeOfReduce : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto reduce = op.getOperand().getDefiningOp<ReduceOp>();
    if (!reduce || !reduce->hasOneUse() || reduce.getInputs().size() != 1)
      return failure();
    Value tensor = reduce.getInputs()[0];
    ArrayRef<int64_t> reduced = reduce.getDimensions();
    SmallVector<int64_t> kept = freeDims(cast<RankedTensorType>(tensor.getType()).getRank(), {}, reduced);
    SmallVector<int64_t> rows = lookUp(op.getPermutation(), kept);
    for (Operation *user : tensor.getUsers()) {
      auto other = dyn_cast<TransposeOp>(user);
      if (!other)
        continue;
      SmallVector<int64_t> otherRows, otherReduced, dims;
      for (auto [position, dim] : llvm::enumerate(other.getPermutation())) {
        bool isReduced = llvm::is_contained(reduced, dim);
        (isReduced ? otherReduced : otherRows).push_back(dim);
        if (isReduced)
          dims.push_back(position);
      }
      // Several reduced dimensions keep their order, which is that of the sums.
      if (otherRows != rows || !llvm::is_sorted(otherReduced))
        continue;
      Value transposed = TransposeOp::create(rewriter, op.getLoc(), other.getType(), tensor, other.getPermutation());
      auto moved = cast<ReduceOp>(rewriter.clone(*reduce));
      moved->setOperand(0, transposed);
      moved.setDimensions(dims);
      moved->getResult(0).setType(op.getType());
      rewriter.replaceOp(op, moved->getResults());
      return success();
    }
    return failure();
  }
};

} // namespace

void mlir::xla::populateTransposePatterns(RewritePatternSet &patterns, bool device) {
  patterns.add<FoldTransposeIntoDot>(patterns.getContext(), device);
  patterns.add<FoldTransposeOfDot, FoldTransposeOfReduce>(patterns.getContext());
}
