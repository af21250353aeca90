// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control family: while, if and case become scf on tensors; barriers and custom calls keep their form.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::xla;

/// Replaces `op` by `replacement`, whose `regions` are empty: they get the regions of `op` with converted arguments.
static LogicalResult replaceWithRegions(Operation *op, Operation *replacement, ArrayRef<Region *> regions,
                                        ConversionPatternRewriter &rewriter, const TypeConverter &converter) {
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), regions)) {
    rewriter.inlineRegionBefore(from, *to, to->end());
    if (failed(rewriter.convertRegionTypes(to, converter)))
      return failure();
  }
  rewriter.replaceOp(op, replacement);
  return success();
}

namespace {

/// xla.while cond { return %p } do { return %y }  ->  scf.while { scf.condition(tensor.extract %p) } do { scf.yield %y
/// }
struct WhileLowering : OpConversionPattern<WhileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(WhileOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto loop = scf::WhileOp::create(rewriter, op.getLoc(), types, adaptor.getOperand());
    if (Attribute trips = op->getAttr(kCountedTrips))
      loop->setAttr(kCountedTrips, trips);
    return replaceWithRegions(op, loop, {&loop.getBefore(), &loop.getAfter()}, rewriter, *getTypeConverter());
  }
};

/// xla.if %p  ->  scf.if (tensor.extract %p)
struct IfLowering : OpConversionPattern<IfOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(IfOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    Value pred = tensor::ExtractOp::create(rewriter, op.getLoc(), adaptor.getPred(), ValueRange{});
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), types, pred, /*addThenBlock=*/false, /*addElseBlock=*/false);
    return replaceWithRegions(op, branch, {&branch.getThenRegion(), &branch.getElseRegion()}, rewriter,
                              *getTypeConverter());
  }
};

/// xla.case %i of N branches  ->  scf.index_switch whose default is the last branch, also for negative indices
struct CaseLowering : OpConversionPattern<CaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CaseOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    Value integer = tensor::ExtractOp::create(rewriter, op.getLoc(), adaptor.getIndex(), ValueRange{});
    Value index = arith::IndexCastOp::create(rewriter, op.getLoc(), rewriter.getIndexType(), integer);
    unsigned numCases = op.getBranches().size() - 1;
    auto branch = scf::IndexSwitchOp::create(rewriter, op.getLoc(), types, index,
                                             llvm::to_vector(llvm::seq<int64_t>(0, numCases)), numCases);
    auto regions = llvm::map_to_vector(branch.getCaseRegions(), [](Region &region) { return &region; });
    regions.push_back(&branch.getDefaultRegion());
    return replaceWithRegions(op, branch, regions, rewriter, *getTypeConverter());
  }
};

/// xla.return  ->  scf.condition in the condition of a loop, scf.yield elsewhere
struct ReturnLowering : OpConversionPattern<ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReturnOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()); loop && op->getParentRegion() == &loop.getBefore()) {
      Value more = tensor::ExtractOp::create(rewriter, op.getLoc(), adaptor.getResults()[0], ValueRange{});
      rewriter.replaceOpWithNewOp<scf::ConditionOp>(op, more, op->getBlock()->getArguments());
      return success();
    }
    if (!isa<scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op->getParentOp()))
      return failure();
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, adaptor.getResults());
    return success();
  }
};

/// The same op on signless tensors.
template <typename OpT> struct SignlessOp : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op.getLoc(), op->getName(), adaptor.getOperands(), types, op->getAttrDictionary().getValue());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

/// xla.custom_call on signless tensors. What it calls is told the types that the program wrote.
struct CustomCallLowering : OpConversionPattern<CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    NamedAttrList attributes(op->getAttrDictionary());
    bool hasLayouts = op->hasAttr(XlaRtDialect::kSignature); // written by xla-drop-layouts
    if (!hasLayouts &&
        (TypeRange(adaptor.getOperands()) != op->getOperandTypes() || TypeRange(types) != op->getResultTypes())) {
      auto signature = rewriter.getFunctionType(op->getOperandTypes(), op->getResultTypes());
      attributes.set(XlaRtDialect::kSignature, TypeAttr::get(signature));
    }
    OperationState state(op.getLoc(), op->getName(), adaptor.getOperands(), types, attributes);
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

} // namespace

void mlir::xla::populateControlPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<WhileLowering, IfLowering, CaseLowering, ReturnLowering, CustomCallLowering,
               SignlessOp<OptimizationBarrierOp>>(converter, patterns.getContext());
}
