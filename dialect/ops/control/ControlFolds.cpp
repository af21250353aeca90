// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds and canonicalisation patterns of the control family, apart from `xla.while`.

#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::xla;

//===- Branches ---------------------------------------------------------------------------------------------------===//

namespace {

/// %c = constant true;  "xla.if"(%c) ({A}, {B})  ->  A
/// "xla.case"(%i) ({A})                          ->  A
template <typename Op> struct InlineTakenBranch : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Attribute selector;
    matchPattern(op->getOperand(0), m_Constant(&selector));
    std::optional<unsigned> taken = getTakenBranch(op, selector);
    if (op->getNumRegions() == 1)
      taken = 0;
    if (!taken)
      return failure();
    ReturnOp ret = getReturn(op->getRegion(*taken));
    SmallVector<Value> results(ret.getOperands());
    if (TypeRange(results) != op->getResultTypes())
      return failure();
    rewriter.eraseOp(ret);
    rewriter.inlineBlockBefore(&op->getRegion(*taken).front(), op, {});
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// "xla.if"(%p) ({ return %x, %a }, { return %x, %b })  ->  %x, "xla.if"(%p) ({ return %a }, { return %b })
/// and results that nobody uses likewise.
template <typename Op> struct DropBranchResults : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    SmallVector<Region *> branches = llvm::map_to_vector(op->getRegions(), [](Region &region) { return &region; });
    llvm::BitVector keep(op->getNumResults());
    for (OpResult result : op->getResults()) {
      unsigned i = result.getResultNumber();
      Value common = getReturn(*branches[0]).getOperand(i);
      bool same = common.getType() == result.getType() && llvm::all_of(branches, [&](Region *branch) {
                    return getReturn(*branch).getOperand(i) == common && !branch->isAncestor(common.getParentRegion());
                  });
      if (same)
        rewriter.replaceAllUsesWith(result, common);
      keep[i] = !result.use_empty();
    }
    if (keep.all())
      return failure();
    keepResults(rewriter, op, op->getOperands(), keep, branches);
    return success();
  }
};

/// %i = xla.convert %p : (tensor<i1>) -> tensor<i32>;  "xla.case"(%i) ({A}, {B})  ->  "xla.if"(%p) ({B}, {A})
struct CaseOfPredicateToIf : OpRewritePattern<CaseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CaseOp op, PatternRewriter &rewriter) const override {
    auto convert = op.getIndex().getDefiningOp<ConvertOp>();
    if (!convert || op->getNumRegions() != 2 || !isScalar(convert.getOperand().getType(), rewriter.getI1Type()))
      return failure();
    auto ifOp = IfOp::create(rewriter, op.getLoc(), op.getResultTypes(), convert.getOperand());
    ifOp->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getBranches()[1], ifOp.getTrueBranch(), ifOp.getTrueBranch().begin());
    rewriter.inlineRegionBefore(op.getBranches()[0], ifOp.getFalseBranch(), ifOp.getFalseBranch().begin());
    rewriter.replaceOp(op, ifOp);
    return success();
  }
};

} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<InlineTakenBranch<IfOp>, DropBranchResults<IfOp>>(context);
}

void CaseOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<InlineTakenBranch<CaseOp>, DropBranchResults<CaseOp>, CaseOfPredicateToIf>(context);
}

//===- Tuples and tokens ------------------------------------------------------------------------------------------===//

/// tuple(get_tuple_element(%t, 0), get_tuple_element(%t, 1), ...)  ->  %t
OpFoldResult TupleOp::fold(FoldAdaptor) {
  Value tuple;
  for (auto [i, element] : llvm::enumerate(getVal())) {
    auto get = element.getDefiningOp<GetTupleElementOp>();
    if (!get || get.getIndex() != i || (tuple && get.getOperand() != tuple))
      return {};
    tuple = get.getOperand();
  }
  return tuple && tuple.getType() == getType() ? OpFoldResult(tuple) : OpFoldResult();
}

/// get_tuple_element(tuple(%a, %b), 1)  ->  %b
OpFoldResult GetTupleElementOp::fold(FoldAdaptor) {
  auto tuple = getOperand().getDefiningOp<TupleOp>();
  if (!tuple || tuple.getVal()[getIndex()].getType() != getType())
    return {};
  return tuple.getVal()[getIndex()];
}

/// after_all(%t, %t)  ->  %t
OpFoldResult AfterAllOp::fold(FoldAdaptor) {
  if (getInputs().empty() || !llvm::all_equal(getInputs()))
    return {};
  return getInputs().front();
}
