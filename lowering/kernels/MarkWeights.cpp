// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-mark-weights`: which exponentials are weights of a softmax, so that those below the normal numbers may be 0.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_MARKWEIGHTS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Does `sum` add up the weights along all dimensions of which `greatest` is the greatest, and no others?
static bool addsWholeRows(linalg::GenericOp sum, const TensorRead &weights, const TensorRead &greatest) {
  if (!weights.map.isPermutation())
    return false;
  SmallVector<utils::IteratorType> kinds = sum.getIteratorTypesArray();
  for (auto [dim, loop] : llvm::enumerate(weights.map.getResults())) {
    bool isAdded = kinds[cast<AffineDimExpr>(loop).getPosition()] == utils::IteratorType::reduction;
    if (isAdded == greatest.map.isFunctionOfDim(dim))
      return false;
  }
  return true;
}

/// Does anybody take logarithms of the weights, or of what they are multiplied or divided by? Those of 0 are infinite.
static bool haveLogarithms(Value weights) {
  SmallVector<Value> worklist{weights};
  for (unsigned i = 0; i < worklist.size(); ++i)
    for (Operation *user : worklist[i].getUsers()) {
      bool isScaled = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(user);
      if (auto loops = dyn_cast<linalg::GenericOp>(user)) {
        for (Operation &op : *loops.getBody()) {
          if (isa<math::LogOp, math::Log2Op, math::Log10Op>(op))
            return true;
          isScaled |= isa<arith::DivFOp, arith::MulFOp, arith::ExtFOp, arith::TruncFOp>(op);
        }
        isScaled &= loops.getNumReductionLoops() == 0;
      }
      if (isScaled && !llvm::is_contained(worklist, user->getResult(0)))
        worklist.push_back(user->getResult(0));
    }
  return false;
}

namespace {
struct MarkWeightsPass : public mlir::xla::impl::MarkWeightsBase<MarkWeightsPass> {
  void runOnOperation() override {
    getOperation().walk([](linalg::GenericOp op) {
      linalg::GenericOp sum = reduction(op->getResult(0), llvm::IsaPred<arith::AddFOp>);
      if (!sum)
        return;
      TensorRead weights = readOf(sum, 0);
      auto exponential = weights.tensor.getDefiningOp<linalg::GenericOp>();
      std::optional<TensorRead> greatest = exponential ? matchWeights(exponential) : std::nullopt;
      if (!greatest || !addsWholeRows(sum, weights, *greatest) || haveLogarithms(weights.tensor))
        return;
      auto exp = cast<math::ExpOp>(exponential.getBody()->front());
      exp.setFastmath(arith::FastMathFlags::afn);
    });
  }
};
} // namespace
