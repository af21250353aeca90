// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters: vector ops of any rank. Leaves: what the conversion to LLVM handles directly and well.

#include "mlir_xla/lowering/native/Passes.h"

#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LOWERVECTORS
#include "mlir_xla/lowering/native/Passes.h.inc"

namespace {

bool isMultiDimensional(Type type) {
  auto vectorType = dyn_cast<VectorType>(type);
  return vectorType && vectorType.getRank() > 1;
}

/// Elementwise ops on multi-dimensional vectors are left to the conversion, which unrolls them.
bool needsLowering(Operation *op) {
  if (isa<vector::ContractionOp, vector::MultiDimReductionOp, vector::TransposeOp, vector::ShapeCastOp,
          vector::OuterProductOp, vector::StepOp, vector::InterleaveOp, vector::DeinterleaveOp, vector::ScanOp,
          vector::CreateMaskOp, vector::ConstantMaskOp, vector::InsertStridedSliceOp>(op))
    return true;
  return isa<vector::BroadcastOp, vector::GatherOp, vector::BitCastOp, vector::FMAOp, vector::ShuffleOp,
             vector::FromElementsOp, vector::ToElementsOp, vector::ExtractStridedSliceOp>(op) &&
         (llvm::any_of(op->getOperandTypes(), isMultiDimensional) ||
          llvm::any_of(op->getResultTypes(), isMultiDimensional));
}

struct LowerVectorsPass : impl::LowerVectorsBase<LowerVectorsPass> {
  LogicalResult initialize(MLIRContext *context) override {
    using namespace vector;
    RewritePatternSet set(context);
    populateVectorContractLoweringPatterns(set, VectorContractLowering::OuterProduct);
    populateVectorOuterProductLoweringPatterns(set);
    populateVectorMultiReductionLoweringPatterns(set, VectorMultiReductionLowering::InnerReduction);
    populateVectorBroadcastLoweringPatterns(set);
    populateVectorMaskOpLoweringPatterns(set);
    populateVectorShapeCastLoweringPatterns(set);
    populateVectorTransposeLoweringPatterns(set, VectorTransposeLowering::Shuffle16x16);
    populateVectorStepLoweringPatterns(set);
    populateVectorScanLoweringPatterns(set);
    populateVectorGatherLoweringPatterns(set);
    populateVectorInterleaveLoweringPatterns(set);
    populateVectorBitCastLoweringPatterns(set);
    populateVectorRankReducingFMAPattern(set);
    populateVectorFromElementsUnrollPatterns(set);
    populateVectorToElementsUnrollPatterns(set);
    populateVectorInsertExtractStridedSliceTransforms(set);
    patterns = std::make_shared<FrozenRewritePatternSet>(std::move(set));
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled).enableConstantCSE(false);
    // Function by function, as few need it in a long program. Not converging is no error: what is left converts, only
    // less well.
    for (Operation &function : *getOperation().getBody())
      if (function.hasTrait<OpTrait::IsIsolatedFromAbove>() &&
          function
              .walk([](Operation *op) { return needsLowering(op) ? WalkResult::interrupt() : WalkResult::advance(); })
              .wasInterrupted())
        (void)applyPatternsGreedily(&function, *patterns, config);
  }

  std::shared_ptr<FrozenRewritePatternSet> patterns;
};

} // namespace
} // namespace mlir::xla
