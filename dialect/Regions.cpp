// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/Regions.h"

using namespace mlir;
using namespace mlir::xla;

ReturnOp mlir::xla::getReturn(Region &region) {
  if (!region.hasOneBlock() || region.front().empty())
    return {};
  return dyn_cast<ReturnOp>(region.front().back());
}

std::optional<unsigned> mlir::xla::getTakenBranch(Operation *op, Attribute selector) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(selector);
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  APInt value = *elements.value_begin<APInt>();
  if (isa<IfOp>(op))
    return value.isZero() ? 1 : 0;
  unsigned last = op->getNumRegions() - 1;
  return value.uge(last) ? last : static_cast<unsigned>(value.getZExtValue());
}

Operation *mlir::xla::keepResults(RewriterBase &rewriter, Operation *op, ValueRange operands,
                                  const llvm::BitVector &keep, ArrayRef<Region *> returning) {
  for (Region *region : returning) {
    ReturnOp ret = getReturn(*region);
    rewriter.modifyOpInPlace(ret, [&] { ret->eraseOperands(llvm::BitVector(keep).flip()); });
  }
  OperationState state(op->getLoc(), op->getName(), operands, {}, op->getDiscardableAttrDictionary().getValue());
  for (unsigned i : keep.set_bits())
    state.addTypes(op->getResult(i).getType());
  for (size_t i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  rewriter.setInsertionPoint(op);
  Operation *rebuilt = rewriter.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), rebuilt->getRegions()))
    rewriter.inlineRegionBefore(from, to, to.begin());
  for (auto [i, kept] : llvm::enumerate(keep.set_bits()))
    rewriter.replaceAllUsesWith(op->getResult(kept), rebuilt->getResult(i));
  rewriter.eraseOp(op);
  return rebuilt;
}

bool mlir::xla::isScalar(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && (!element || tensor.getElementType() == element);
}

Operation *mlir::xla::findSideEffect(Region &region) {
  Operation *found = nullptr;
  region.walk([&](MemoryEffectOpInterface op) {
    if (isa<OptimizationBarrierOp>(op.getOperation()) || op.hasNoEffect())
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
