// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-mark-places`: notes which places of a tensor kernels write that update it. Once they are code, nobody can
// tell.

#include "mlir_xla/lowering/gpu/DelayUpdates.h"
#include "mlir_xla/lowering/gpu/Places.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {
#define GEN_PASS_DEF_MARKPLACES
#include "mlir_xla/lowering/gpu/Passes.h.inc"

std::optional<Places> Places::of(func::FuncOp kernel) {
  auto attr = kernel->getAttrOfType<ArrayAttr>(kName);
  return attr ? std::optional(read(attr)) : std::nullopt;
}

Places Places::read(ArrayAttr attr) {
  auto list = [&](unsigned i) { return SmallVector<int64_t>(cast<DenseI64ArrayAttr>(attr[i]).asArrayRef()); };
  return {list(0), list(1), list(2), list(3)};
}

Attribute Places::asAttr(MLIRContext *context) const {
  auto list = [&](ArrayRef<int64_t> values) -> Attribute { return DenseI64ArrayAttr::get(context, values); };
  return ArrayAttr::get(context, {list(offsets), list(sizes), list(strides), list(shape)});
}

/// Tensors of one shape. They are if they are in one dimension: one ends before the other begins, or they take turns.
bool Places::areApartFrom(const Places &other) const {
  auto end = [](const Places &places, size_t dim) {
    return places.offsets[dim] + (places.sizes[dim] - 1) * places.strides[dim] + 1;
  };
  if (shape != other.shape)
    return false;
  for (size_t dim = 0; dim < offsets.size(); ++dim)
    if (end(*this, dim) <= other.offsets[dim] || end(other, dim) <= offsets[dim] ||
        (strides[dim] == other.strides[dim] && (offsets[dim] - other.offsets[dim]) % strides[dim] != 0))
      return true;
  return false;
}

bool Places::areApart(func::FuncOp a, func::FuncOp b) {
  std::optional<Places> ofA = of(a), ofB = of(b);
  return ofA && ofB && ofA->areApartFrom(*ofB);
}

/// The arguments that values are computed of, by number.
static SmallVector<int64_t> argumentsOf(ValueRange computed) {
  SmallVector<int64_t> numbers;
  llvm::SetVector<Value> values(computed.begin(), computed.end()); // each once: they may be read several times each
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (auto argument = dyn_cast<BlockArgument>(value))
      numbers.push_back(argument.getArgNumber());
    else
      values.insert_range(value.getDefiningOp()->getOperands());
  }
  return numbers;
}

namespace {

struct MarkPlacesPass : impl::MarkPlacesBase<MarkPlacesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (kernel.isExternal() || kernel.getNumResults() != 1 || !kernel->hasAttr(XlaRtDialect::kKernel))
        continue;
      auto inserted = kernel.getBody().front().getTerminator()->getOperand(0).getDefiningOp<tensor::InsertSliceOp>();
      if (!inserted || !isa<BlockArgument>(inserted.getDest()) || !inserted.getDest().hasOneUse() ||
          inserted.getDest() == inserted.getSource() || ShapedType::isDynamicShape(inserted.getStaticStrides()))
        continue;
      if (!inserted.getOffsets().empty()) {
        kernel->setAttr(kPlacedBy, DenseI64ArrayAttr::get(&getContext(), argumentsOf(inserted.getOffsets())));
        continue;
      }
      Places places{SmallVector<int64_t>(inserted.getStaticOffsets()), SmallVector<int64_t>(inserted.getStaticSizes()),
                    SmallVector<int64_t>(inserted.getStaticStrides()),
                    SmallVector<int64_t>(inserted.getDestType().getShape())};
      kernel->setAttr(Places::kName, places.asAttr(&getContext()));
    }
  }
};

} // namespace
} // namespace mlir::xla
