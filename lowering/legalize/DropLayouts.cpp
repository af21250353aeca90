// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor types lose their layout encoding: inside the program every tensor is row-major.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::xla {
#define GEN_PASS_DEF_DROPLAYOUTS
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

static RankedTensorType withoutLayout(RankedTensorType type) {
  return isa_and_nonnull<LayoutAttr>(type.getEncoding()) ? RankedTensorType::get(type.getShape(), type.getElementType())
                                                         : type;
}

namespace {

struct DropLayoutsPass : xla::impl::DropLayoutsBase<DropLayoutsPass> {
  void runOnOperation() override {
    // Elements attributes carry their type outside of the sub-element interface.
    getOperation().walk([](ConstantOp op) {
      auto type = cast<RankedTensorType>(op.getValue().getShapedType()), plain = withoutLayout(type);
      if (type == plain)
        return;
      if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
        op.setValueAttr(dense.reshape(plain));
      else if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
        op.setValueAttr(DenseResourceElementsAttr::get(plain, resource.getRawHandle()));
    });
    AttrTypeReplacer replacer;
    replacer.addReplacement([](RankedTensorType type) -> std::optional<Type> { return withoutLayout(type); });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};

} // namespace
