// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-defer-quotients`: attention divides the few results of its second product by the sums of a softmax, and not
// the many weights.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Softmax.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/nest/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xla {
#define GEN_PASS_DEF_DEFERQUOTIENTS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// The exponentials that `quotient` divides by their sums, none of which is above 1: a sum of their products is at most
/// as many times as large as that of the quotients as it has terms.
static std::optional<std::pair<TensorRead, TensorRead>> matchSoftmax(linalg::GenericOp quotient) {
  TensorRead weights = readOf(quotient, 0), sums = readOf(quotient, 1);
  linalg::GenericOp sum = reduction(sums.tensor, llvm::IsaPred<arith::AddFOp>);
  auto exponential = weights.tensor.getDefiningOp<linalg::GenericOp>();
  if (!sum || !exponential || !isOf(sum, sums, weights) || !matchWeights(exponential))
    return std::nullopt;
  return std::pair(weights, sums);
}

static int64_t elementsOf(linalg::GenericOp op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
}

/// What `rounding` makes of `weights`, which it is to read as they are.
static Value roundLike(OpBuilder &b, linalg::GenericOp rounding, Value weights) {
  Type element = getElementTypeOrSelf(rounding->getResult(0).getType());
  auto type = RankedTensorType::get(cast<RankedTensorType>(weights.getType()).getShape(), element);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  return buildElementwise(b, rounding.getLoc(), type, {weights}, {identity},
                          [&](OpBuilder &b, Location loc, ValueRange in) -> SmallVector<Value> {
                            return {arith::TruncFOp::create(b, loc, element, in[0])};
                          });
}

/// product(quotient(%e, %s), %v)  ->  quotient(product(%e, %v), %s); likewise if quotients are rounded, as
/// exponentials are then
static void defer(linalg::GenericOp product) {
  auto fill = product.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  // Types of fewer bits have no room for sums that are so many times as large, or round them and the quotients.
  Type element = getElementTypeOrSelf(product->getResult(0).getType());
  if (!(element.isF32() || element.isF64()) || !matchContraction(product) || !isSumOfProducts(product) || !fill ||
      !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
    return;
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  for (unsigned operand : {0u, 1u}) {
    Value factor = product.getDpsInputs()[operand];
    linalg::GenericOp rounding = elementwise(factor, llvm::IsaPred<arith::TruncFOp>);
    if (rounding && (!rounding->hasOneUse() || !rounding.getIndexingMapsArray()[0].isIdentity()))
      continue;
    linalg::GenericOp quotient =
        elementwise(rounding ? rounding.getDpsInputs()[0] : factor, llvm::IsaPred<arith::DivFOp>);
    if (!quotient || !quotient->hasOneUse() || elementsOf(quotient) <= elementsOf(product))
      continue;
    auto found = matchSoftmax(quotient);
    if (!found)
      continue;
    auto &[weights, sums] = *found;
    // From the loops of the product to the dimensions of the sums, and from there to those of the result.
    AffineMap rows = sums.map.compose(maps[operand]);
    SmallVector<AffineExpr> places;
    for (AffineExpr row : rows.getResults())
      if (auto place = maps[2].getResultPosition(row))
        places.push_back(getAffineDimExpr(*place, product.getContext()));
    if (places.size() != rows.getNumResults())
      continue;
    OpBuilder b(product->getContext());
    // Before they are added up, so that both can be done at once.
    b.setInsertionPointAfterValue(weights.tensor);
    Value exponentials = rounding ? roundLike(b, rounding, weights.tensor) : weights.tensor;
    b.setInsertionPointAfter(product);
    Value result = product->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    maps[operand] = weights.map.compose(maps[operand]);
    product->setOperand(operand, exponentials);
    if (rounding)
      rounding.erase();
    product.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    Value divided = buildElementwise(b, quotient.getLoc(), type, {result, sums.tensor},
                                     {identity, AffineMap::get(type.getRank(), 0, places, product.getContext())},
                                     [](OpBuilder &b, Location loc, ValueRange in) -> SmallVector<Value> {
                                       return {arith::DivFOp::create(b, loc, in[0], in[1])};
                                     });
    result.replaceAllUsesExcept(divided, divided.getDefiningOp());
    quotient.erase();
    return;
  }
}

namespace {
struct DeferQuotientsPass : public mlir::xla::impl::DeferQuotientsBase<DeferQuotientsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      defer(op);
  }
};
} // namespace
