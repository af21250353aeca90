// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries on and construction of constants.

#include "mlir_xla/dialect/ConstantFolding.h"

using namespace mlir;
using namespace mlir::xla;

bool mlir::xla::hasUsualArithmetic(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  return APFloat::semanticsHasNaN(semantics) && APFloat::semanticsHasZero(semantics) &&
         APFloat::semanticsHasSignedRepr(semantics);
}

DenseElementsAttr mlir::xla::asFoldable(Attribute attr) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || elements.getNumElements() == 0)
    return {};
  return elements.isSplat() || elements.getNumElements() <= kFoldLimit ? elements : DenseElementsAttr();
}

bool mlir::xla::isSplatZero(Attribute attr) {
  std::optional<APInt> value = splatOf<APInt>(attr);
  return value && value->isZero();
}

bool mlir::xla::isSplatOne(Attribute attr) {
  if (std::optional<APInt> value = splatOf<APInt>(attr))
    return value->getBitWidth() > 1 && value->isOne();
  std::optional<APFloat> value = splatOf<APFloat>(attr);
  return value && value->isExactlyValue(1.0);
}

bool mlir::xla::isSplatAllOnes(Attribute attr) {
  std::optional<APInt> value = splatOf<APInt>(attr);
  return value && value->isAllOnes();
}

DenseElementsAttr mlir::xla::splatInteger(Type type, int64_t value) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape())
    return {};
  auto real = [&](FloatType floatType) {
    APFloat result(floatType.getFloatSemantics());
    result.convertFromAPInt(APInt(64, value, /*isSigned=*/true), /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    return result;
  };
  Type element = tensor.getElementType();
  if (auto floatType = dyn_cast<FloatType>(element); floatType && !hasUsualArithmetic(floatType))
    return {};
  if (auto integer = dyn_cast<IntegerType>(element))
    return DenseElementsAttr::get(tensor, APInt(integer.getWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true));
  if (auto floatType = dyn_cast<FloatType>(element))
    return DenseElementsAttr::get(tensor, real(floatType));
  auto floatType = cast<FloatType>(cast<ComplexType>(element).getElementType());
  return DenseElementsAttr::get(tensor,
                                ArrayRef(ComplexAPFloat(real(floatType), APFloat(floatType.getFloatSemantics()))));
}

SmallVector<int64_t> mlir::xla::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

template <typename T>
static DenseElementsAttr copyTyped(ArrayRef<DenseElementsAttr> operands, RankedTensorType type,
                                   function_ref<std::pair<size_t, int64_t>(ArrayRef<int64_t>)> source) {
  auto ranges = llvm::map_to_vector(operands, [](DenseElementsAttr operand) { return operand.getValues<T>(); });
  int64_t count = type.getNumElements();
  SmallVector<T> results;
  results.reserve(count);
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0; i < count; ++i) {
    auto [operand, position] = source(index);
    results.push_back(ranges[operand][position]);
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      if (++index[dim] < type.getDimSize(dim))
        break;
      index[dim] = 0;
    }
  }
  return DenseElementsAttr::get(type, results);
}

DenseElementsAttr mlir::xla::copyElements(ArrayRef<DenseElementsAttr> operands, RankedTensorType type,
                                          function_ref<std::pair<size_t, int64_t>(ArrayRef<int64_t>)> source) {
  if (!type.hasStaticShape() || type.getNumElements() == 0)
    return {};
  // One splat, or splats of one value, need no walk over the elements.
  bool sameSplat = llvm::all_of(operands, [&](DenseElementsAttr operand) {
    return operand && operand.isSplat() && operand.getSplatValue<Attribute>() == operands[0].getSplatValue<Attribute>();
  });
  if (sameSplat)
    return DenseElementsAttr(operands[0]).resizeSplat(type);
  bool foldable = llvm::all_of(operands, [](DenseElementsAttr operand) { return asFoldable(operand); });
  if (!foldable || type.getNumElements() > kFoldLimit)
    return {};
  return dispatchElementType(type.getElementType(),
                             [&](auto tag) { return copyTyped<typename decltype(tag)::type>(operands, type, source); });
}
