// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-mark-weights`: which exponentials are weights of a softmax, so that those below the normal numbers may be 0.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Softmax.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

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

/// Does a mask replace scores by a number far below all others, or add one to them?
static bool areMasked(Value scores) {
  constexpr double farBelow = -1000;
  constexpr size_t few = 16;
  auto isFarBelow = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (auto loops = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp()))
        value = loops->getOperand(argument.getArgNumber());
    FloatAttr number;
    if (DenseFPElementsAttr all; matchPattern(value, m_Constant(&all)) && all.isSplat())
      return all.getSplatValue<APFloat>().convertToDouble() <= farBelow;
    return matchPattern(value, m_Constant(&number)) && number.getValueAsDouble() <= farBelow;
  };
  llvm::SetVector<Value> seen;
  seen.insert(scores);
  for (unsigned i = 0; i < seen.size() && i < few; ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      seen.insert(op->getOperand(0));
    auto loops = dyn_cast_or_null<linalg::GenericOp>(op);
    if (!loops || loops.getNumReductionLoops() != 0)
      continue;
    for (Operation &inner : *loops.getBody())
      if (auto choice = dyn_cast<arith::SelectOp>(inner))
        if (isFarBelow(choice.getTrueValue()) || isFarBelow(choice.getFalseValue()))
          return true;
    seen.insert_range(loops.getDpsInputs());
  }
  return false;
}

namespace {
struct MarkWeightsPass : public mlir::xla::impl::MarkWeightsBase<MarkWeightsPass> {
  void runOnOperation() override {
    getOperation().walk([this](linalg::GenericOp op) {
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
      auto difference = exponential.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
      if (areMasked(difference.getDpsInputs()[0]))
        exp->setAttr(XlaRtDialect::kMasked, UnitAttr::get(&getContext()));
    });
  }
};
} // namespace
