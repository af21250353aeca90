// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that runs the conversion patterns of all op families, and the pipeline of the `linalg` stage.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/LapackCalls.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Passes.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LEGALIZETOLINALG
#include "mlir_xla/lowering/linalg/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

SignlessTypeConverter::SignlessTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType type) -> Type { return signlessTensorType(type); });
}

namespace {

struct LegalizeToLinalgPass : xla::impl::LegalizeToLinalgBase<LegalizeToLinalgPass> {
  using LegalizeToLinalgBase::LegalizeToLinalgBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateElementwisePatterns(converter, set);
    populateShapePatterns(converter, set);
    populateIndexingPatterns(converter, set);
    populateScatterPatterns(converter, set);
    populateReductionPatterns(converter, set);
    populateWindowPatterns(converter, set);
    populateSelectAndScatterPatterns(converter, set);
    populateContractionPatterns(converter, set);
    populateConvolutionPatterns(converter, set, device);
    populateFftPatterns(converter, set, /*inPieces=*/!device);
    populateSolvePatterns(converter, set);
    populateSortPatterns(converter, set, /*inPieces=*/!device);
    populateRandomPatterns(converter, set);
    populateControlPatterns(converter, set);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(set, converter);
    populateReturnOpTypeConversionPattern(set, converter);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, complex::ComplexDialect, linalg::LinalgDialect, math::MathDialect,
                           scf::SCFDialect, tensor::TensorDialect, XlaRtDialect>();
    target.addLegalOp<ModuleOp>();
    target.addIllegalDialect<XlaDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>(
        [&](func::FuncOp op) { return converter.isSignatureLegal(op.getFunctionType()); });
    target.addDynamicallyLegalOp<func::ReturnOp, OptimizationBarrierOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addDynamicallyLegalOp<CustomCallOp>(
        [&](CustomCallOp op) { return converter.isLegal(op) && !isLapackCall(op); });
    noteStartsInside(getOperation());
    noteTripCounts(getOperation());
    if (failed(applyFullConversion(getOperation(), target, patterns)))
      return signalPassFailure();
    writeCountedLoops(getOperation(), device);
  }

  SignlessTypeConverter converter;
  FrozenRewritePatternSet patterns;
};

} // namespace

void mlir::xla::buildLinalgPipeline(OpPassManager &manager, bool device) {
  LegalizeToLinalgOptions options;
  options.device = device;
  manager.addPass(createLegalizeToLinalg(options));
  manager.addNestedPass<func::FuncOp>(createCSEPass());
}
