// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-recognize-composites`: composites that are an op of this dialect, where its lowering does less than what the
// decomposition says. JAX's exported programs hold ops of CHLO as composites. Those that are functions of a number are
// left: their decompositions take half to all of the time of our own, which have fewer errors.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xla {
#define GEN_PASS_DEF_RECOGNIZECOMPOSITES
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// The `k` of the largest elements of rows; null if it is anything else, whatever its name: then the decomposition says
/// what it is.
static IntegerAttr matchTopK(CompositeOp op) {
  if (op.getName() != "chlo.top_k" || op.getInputs().size() != 1 || !isa<RankedTensorType>(op.getInputs()[0].getType()))
    return {};
  TopKOp::Properties properties;
  properties.k = op.getCompositeAttributes().getAs<IntegerAttr>("k");
  if (!properties.k || !properties.k.getType().isInteger(64))
    return {};
  SmallVector<Type> types;
  TopKOp::Adaptor adaptor(op.getInputs(), DictionaryAttr(), properties, RegionRange());
  bool fits = succeeded(TopKOp::inferReturnTypes(op.getContext(), std::nullopt, adaptor, types));
  return fits && llvm::equal(types, op.getResultTypes()) ? properties.k : IntegerAttr();
}

namespace {
struct RecognizeCompositesPass : xla::impl::RecognizeCompositesBase<RecognizeCompositesPass> {
  using RecognizeCompositesBase::RecognizeCompositesBase;

  void runOnOperation() override {
    getOperation().walk([](CompositeOp op) {
      IntegerAttr k = matchTopK(op);
      if (!k)
        return;
      OpBuilder b(op);
      op.replaceAllUsesWith(TopKOp::create(b, op.getLoc(), op.getResultTypes(), op.getInputs()[0], k).getResults());
      op.erase();
    });
  }
};
} // namespace
