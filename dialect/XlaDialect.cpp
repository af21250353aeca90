// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers the dialect's types, attributes and op families.

#include "mlir_xla/dialect/XlaDialect.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/stablehlo/StablehloInput.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

#include "mlir_xla/dialect/XlaDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "mlir_xla/dialect/XlaTypes.cpp.inc"

bool mlir::xla::isXlaElementType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.isSigned())
      return false;
    if (integer.getWidth() == 1)
      return integer.isSignless();
    return llvm::is_contained({2u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  }
  return isa<BFloat16Type, Float16Type, Float32Type, Float64Type, Float8E3M4Type, Float8E4M3Type, Float8E4M3B11FNUZType,
             Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type, Float8E5M2FNUZType, Float8E8M0FNUType,
             Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(type);
}

namespace {
/// Every op may be inlined into any function and region.
struct XlaInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const override { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
};

/// Constants stay in the computation that uses them: regions of ops capture nothing that folding creates.
struct XlaFolder : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *) const override { return true; }
};
} // namespace

void XlaDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mlir_xla/dialect/XlaTypes.cpp.inc"
      >();
  registerAttributes();
  addInterfaces<XlaInliner, XlaFolder>();
  registerElementwiseOps();
  registerShapeOps();
  registerIndexingOps();
  registerReductionOps();
  registerLinearOps();
  registerControlOps();
  registerNormalizationOps();
  registerSortOps();
  registerFftOps();
  registerSolveOps();
  registerRandomOps();
}

std::optional<Dialect::ParseOpHook> XlaDialect::getParseOperationHook(StringRef) const {
  // A ParseOpHook refers to its function, which must outlive the call.
  static const auto hook = [](OpAsmParser &parser, OperationState &state) {
    return unknownOp(parser, state.name.getStringRef());
  };
  return ParseOpHook(hook);
}

Operation *XlaDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
