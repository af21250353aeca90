// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside the program every tensor is row-major. A buffer in another order, or with padding, is a row-major tensor of
// its dimensions in memory; slices, transposes and pads lead from there to the tensor that the program means, and back.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/LapackCalls.h"
#include "mlir_xla/lowering/legalize/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// What fills the padding of a buffer; zeros where nothing is asked for, which is as good as anything.
TypedAttr fillOf(Type element, std::optional<PaddingValue> padding, OpBuilder &b) {
  PaddingValue value = padding.value_or(PaddingValue::UNKNOWN);
  bool isLowest = value == PaddingValue::LOWEST, isHighest = value == PaddingValue::HIGHEST;
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    if (isLowest || isHighest)
      return b.getFloatAttr(type, APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, isLowest)
                                                                      : APFloat::getLargest(semantics, isLowest));
    // Formats without a zero hold powers of two.
    bool isZero = value != PaddingValue::ONE && APFloat::semanticsHasZero(semantics);
    APFloat number(1.0);
    bool isInexact;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &isInexact);
    return b.getFloatAttr(type, isZero ? APFloat::getZero(semantics) : number);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || width == 1;
  APInt number(width, value == PaddingValue::ONE);
  if (isLowest)
    number = isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  else if (isHighest)
    number = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  return b.getIntegerAttr(element, number);
}

/// The tensor that a buffer in a layout is.
class Memory {
public:
  Memory(RankedTensorType tensor, LayoutAttr layout) : tensor(tensor), layout(layout) {
    order = llvm::to_vector(llvm::reverse(layout.getMinorToMajor()));
    ArrayRef<int64_t> widths = layout.getWidths(tensor.getShape());
    for (int64_t dim : order) {
      shape.push_back(widths[dim]);
      unpadded.push_back(tensor.getDimSize(dim));
    }
  }

  RankedTensorType type() const { return RankedTensorType::get(shape, tensor.getElementType()); }

  /// buffer  ->  xla.transpose(xla.slice(buffer))
  Value read(OpBuilder &b, Location loc, Value buffer) const {
    int64_t rank = order.size();
    if (shape != unpadded) {
      SmallVector<int64_t> zeros(rank, 0), ones(rank, 1);
      buffer = SliceOp::create(b, loc, reordered(), buffer, zeros, unpadded, ones);
    }
    SmallVector<int64_t> places(rank);
    for (auto [place, dim] : llvm::enumerate(order))
      places[dim] = place;
    return transposed(b, loc, tensor, buffer, places);
  }

  /// tensor  ->  xla.pad(xla.transpose(tensor))
  Value write(OpBuilder &b, Location loc, Value value) const {
    value = transposed(b, loc, reordered(), value, order);
    if (shape == unpadded)
      return value;
    SmallVector<int64_t> zeros(order.size(), 0), high;
    for (auto [width, size] : llvm::zip_equal(shape, unpadded))
      high.push_back(width - size);
    return PadOp::create(b, loc, type(), value, fill(b, loc), zeros, high, zeros);
  }

private:
  RankedTensorType reordered() const { return RankedTensorType::get(unpadded, tensor.getElementType()); }

  Value transposed(OpBuilder &b, Location loc, RankedTensorType type, Value value,
                   ArrayRef<int64_t> permutation) const {
    return llvm::is_sorted(permutation) ? value : TransposeOp::create(b, loc, type, value, permutation);
  }

  Value fill(OpBuilder &b, Location loc) const {
    auto scalar = RankedTensorType::get({}, tensor.getElementType());
    if (auto type = dyn_cast<ComplexType>(tensor.getElementType())) { // lowest and highest in both parts
      Attribute part = fillOf(type.getElementType(), layout.getPadding(), b);
      Attribute imaginary =
          layout.getPadding() == PaddingValue::ONE ? fillOf(type.getElementType(), PaddingValue::ZERO, b) : part;
      auto number = [](Attribute attr) { return cast<FloatAttr>(attr).getValue(); };
      std::complex<APFloat> value(number(part), number(imaginary));
      return ConstantOp::create(b, loc, scalar, DenseElementsAttr::get(scalar, ArrayRef(value)));
    }
    Attribute value = fillOf(tensor.getElementType(), layout.getPadding(), b);
    return ConstantOp::create(b, loc, scalar, DenseElementsAttr::get(scalar, ArrayRef(value)));
  }

  RankedTensorType tensor;
  LayoutAttr layout;
  SmallVector<int64_t> order, shape, unpadded; // from major to minor
};

/// The layout of a value in memory; null if it is row-major. `order`, if there is one, comes before the type's.
LayoutAttr layoutOf(Type type, Attribute order) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return {};
  LayoutAttr layout = dyn_cast_or_null<LayoutAttr>(tensor.getEncoding());
  if (order)
    layout = LayoutAttr::get(type.getContext(),
                             llvm::map_to_vector(cast<DenseIntElementsAttr>(order).getValues<APInt>(),
                                                 [](const APInt &dim) { return dim.getSExtValue(); }),
                             {}, std::nullopt);
  return layout && !layout.isRowMajor(tensor.getShape()) ? layout : LayoutAttr();
}

/// Layouts of several values, null where row-major.
struct Layouts {
  SmallVector<LayoutAttr> list;

  Layouts(TypeRange types, ArrayAttr orders = {}) {
    for (auto [i, type] : llvm::enumerate(types))
      list.push_back(layoutOf(type, orders && i < orders.size() ? orders[i] : Attribute()));
  }

  bool any() const {
    return llvm::any_of(list, [](LayoutAttr layout) { return bool(layout); });
  }

  /// Types without layouts, with these.
  SmallVector<Type> on(TypeRange types) const {
    SmallVector<Type> result(types);
    for (auto [type, layout] : llvm::zip_equal(result, list))
      if (layout)
        type = RankedTensorType::get(cast<RankedTensorType>(type).getShape(),
                                     cast<RankedTensorType>(type).getElementType(), layout);
    return result;
  }
};

/// What crosses a boundary in a layout.
struct Boundary {
  Operation *op; // the function or the call
  Layouts in, out;
};

/// A value becomes a buffer, and its users read that.
void replaceByRead(OpBuilder &b, Value value, const Memory &memory) {
  SmallVector<OpOperand *> uses = llvm::map_to_vector(value.getUses(), [](OpOperand &use) { return &use; });
  value.setType(memory.type());
  if (uses.empty())
    return;
  Value read = memory.read(b, value.getLoc(), value);
  for (OpOperand *use : uses)
    use->set(read);
}

void applyToMain(func::FuncOp main, const Boundary &boundary) {
  OpBuilder b(main.getContext());
  auto written = b.getFunctionType(boundary.in.on(main.getArgumentTypes()), boundary.out.on(main.getResultTypes()));
  main->setAttr(XlaRtDialect::kSignature, TypeAttr::get(written));
  b.setInsertionPointToStart(&main.front());
  for (auto [argument, layout] : llvm::zip_equal(main.getArguments(), boundary.in.list)) {
    if (!layout)
      continue;
    Memory memory(cast<RankedTensorType>(argument.getType()), layout);
    replaceByRead(b, argument, memory);
  }
  auto terminator = cast<func::ReturnOp>(main.front().getTerminator());
  b.setInsertionPoint(terminator);
  for (auto [operand, layout] : llvm::zip_equal(terminator->getOpOperands(), boundary.out.list))
    if (layout) {
      Memory memory(cast<RankedTensorType>(operand.get().getType()), layout);
      operand.set(memory.write(b, terminator.getLoc(), operand.get()));
    }
  main.setFunctionType(b.getFunctionType(main.front().getArgumentTypes(), terminator.getOperandTypes()));
}

void applyToCall(CustomCallOp call, const Boundary &boundary) {
  OpBuilder b(call);
  auto written = b.getFunctionType(boundary.in.on(call->getOperandTypes()), boundary.out.on(call.getResultTypes()));
  call->setAttr(XlaRtDialect::kSignature, TypeAttr::get(written));
  call.removeOperandLayoutsAttr();
  call.removeResultLayoutsAttr();
  call->removeAttr(call.getOutputOperandAliasesAttrName()); // a hint, about types that change
  for (auto [operand, layout] : llvm::zip_equal(call->getOpOperands(), boundary.in.list))
    if (layout) {
      Memory memory(cast<RankedTensorType>(operand.get().getType()), layout);
      operand.set(memory.write(b, call.getLoc(), operand.get()));
    }
  b.setInsertionPointAfter(call);
  for (auto [result, layout] : llvm::zip_equal(call.getResults(), boundary.out.list))
    if (layout) {
      Memory memory(cast<RankedTensorType>(result.getType()), layout);
      replaceByRead(b, result, memory);
    }
}

struct DropLayoutsPass : xla::impl::DropLayoutsBase<DropLayoutsPass> {
  void runOnOperation() override {
    SmallVector<Boundary> boundaries;
    if (auto main = getOperation().lookupSymbol<func::FuncOp>("main"); main && !main.isExternal())
      boundaries.push_back({main, Layouts(main.getArgumentTypes()), Layouts(main.getResultTypes())});
    getOperation().walk([&](CustomCallOp call) {
      if (!isLapackCall(call))
        boundaries.push_back({call, Layouts(call->getOperandTypes(), call.getOperandLayoutsAttr()),
                              Layouts(call->getResultTypes(), call.getResultLayoutsAttr())});
    });
    dropFromTypes();
    for (const Boundary &boundary : boundaries) {
      if (!boundary.in.any() && !boundary.out.any())
        continue;
      if (auto main = dyn_cast<func::FuncOp>(boundary.op))
        applyToMain(main, boundary);
      else
        applyToCall(cast<CustomCallOp>(boundary.op), boundary);
    }
  }

  void dropFromTypes() {
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
