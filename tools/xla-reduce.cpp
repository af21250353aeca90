// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test case reduction: `xla-reduce FILE --reduction-tree='traversal-mode=0 test=SCRIPT'` makes a program smaller as
// long as SCRIPT, run on a candidate's file, exits with 1. Reads `xla`; other input goes through `xla-opt` first.

#include "mlir_xla/dialect/StablehloInput.h"
#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Pipelines.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

namespace {
/// %y = xla.tanh %x : tensor<4xf32>  ->  %x
///
/// Any op of the dialect with one result gives way to its first operand of exactly the result's type.
struct ReplaceByOperand : RewritePattern {
  explicit ReplaceByOperand(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<xla::XlaDialect>(op->getDialect()) || op->getNumResults() != 1)
      return failure();
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType() && operand != op->getResult(0)) {
        rewriter.replaceOp(op, operand);
        return success();
      }
    return failure();
  }
};

/// %y = xla.dot_general %a, %b, ...  ->  %y = xla.constant dense<0.0>
struct ReplaceByZero : RewritePattern {
  explicit ReplaceByZero(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<xla::XlaDialect>(op->getDialect()) || op->getNumResults() == 0 || isa<xla::ConstantOp>(op))
      return failure();
    SmallVector<TypedAttr> zeros;
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
        return failure();
      Type element = tensor.getElementType();
      Attribute zero = isa<FloatType>(element)
                           ? Attribute(FloatAttr::get(element, 0.0))
                           : Attribute(IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), 0)));
      zeros.push_back(DenseElementsAttr::get(tensor, zero));
    }
    SmallVector<Value> values;
    for (TypedAttr zero : zeros)
      values.push_back(xla::ConstantOp::create(rewriter, op->getLoc(), zero.getType(), cast<ElementsAttr>(zero)));
    rewriter.replaceOp(op, values);
    return success();
  }
};

struct XlaReductions : DialectReductionPatternInterface {
  explicit XlaReductions(Dialect *dialect) : DialectReductionPatternInterface(dialect) {}
  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    patterns.add<ReplaceByOperand, ReplaceByZero>(patterns.getContext());
  }
};
} // namespace

int main(int argc, char **argv) {
  registerAllPasses();
  xla::registerImportStablehloPass();
  xla::registerLoweringPasses();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<xla::XlaDialect>();
  xla::registerLoweringDialects(registry);
  xla::registerStablehloInput(registry);
  registry.addExtension(+[](MLIRContext *, xla::XlaDialect *dialect) { dialect->addInterfaces<XlaReductions>(); });
  MLIRContext context(registry);
  return failed(mlirReduceMain(argc, argv, context));
}
