// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of the shape family: ops that do nothing, and rearrangement of constants.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

/// A splat of the operand's value with the shape of the result.
static OpFoldResult foldSplat(Attribute operand, RankedTensorType type) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(operand);
  if (!elements || !elements.isSplat() || !type.hasStaticShape())
    return {};
  return elements.resizeSplat(type);
}

static bool areZero(ArrayRef<int64_t> values) {
  return llvm::all_of(values, [](int64_t value) { return value == 0; });
}

//===- Sources and sizes ------------------------------------------------------------------------------------------===//

OpFoldResult IotaOp::fold(FoldAdaptor) {
  return getType().getDimSize(getIotaDimension()) == 1 ? splatInteger(getType(), 0) : DenseElementsAttr();
}

OpFoldResult GetDimensionSizeOp::fold(FoldAdaptor) {
  int64_t size = getOperand().getType().getDimSize(getDimension());
  if (ShapedType::isDynamic(size) || size > std::numeric_limits<int32_t>::max())
    return {};
  return splatInteger(getType(), size);
}

//===- Broadcasting -----------------------------------------------------------------------------------------------===//

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  // The dimensions increase strictly, so that equal ranks mean the identity.
  if (OpFoldResult same = ifTyped(getOperand(), getType()))
    return same;
  return foldSplat(adaptor.getOperand(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getBroadcastSizes().empty())
    return ifTyped(getOperand(), getType());
  return foldSplat(adaptor.getOperand(), getType());
}

//===- Rearrangement ----------------------------------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult same = ifTyped(getOperand(), getType()))
    return same;
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  return elements && getType().hasStaticShape() ? elements.reshape(getType()) : DenseElementsAttr();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return ifTyped(getOperand(), getType());
  DenseElementsAttr operand = asFoldable(adaptor.getOperand());
  if (!operand)
    return {};
  SmallVector<int64_t> strides = rowMajorStrides(getOperand().getType().getShape());
  return copyElements(operand, getType(), [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (auto [i, dim] : llvm::zip_equal(index, permutation))
      position += i * strides[dim];
    return std::pair<size_t, int64_t>(0, position);
  });
}

OpFoldResult ReverseOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getType();
  bool isIdentity = llvm::all_of(getDimensions(), [&](int64_t dim) { return type.getDimSize(dim) == 1; });
  if (isIdentity)
    return ifTyped(getOperand(), type);
  if (auto inner = getOperand().getDefiningOp<ReverseOp>())
    if (llvm::SmallDenseSet<int64_t>(llvm::from_range, inner.getDimensions()) ==
        llvm::SmallDenseSet<int64_t>(llvm::from_range, getDimensions()))
      return ifTyped(inner.getOperand(), type);
  DenseElementsAttr operand = asFoldable(adaptor.getOperand());
  if (!operand)
    return {};
  SmallVector<int64_t> strides = rowMajorStrides(type.getShape());
  return copyElements(operand, type, [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (auto [dim, i] : llvm::enumerate(index)) {
      bool reversed = llvm::is_contained(getDimensions(), static_cast<int64_t>(dim));
      position += (reversed ? type.getDimSize(dim) - 1 - i : i) * strides[dim];
    }
    return std::pair<size_t, int64_t>(0, position);
  });
}

//===- Joining, padding, slicing ----------------------------------------------------------------------------------===//

OpFoldResult ConcatenateOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1)
    return ifTyped(getInputs()[0], getType());
  SmallVector<DenseElementsAttr> inputs;
  SmallVector<SmallVector<int64_t>> strides;
  SmallVector<int64_t> starts; // where each input begins along the dimension
  int64_t dimension = getDimension(), start = 0;
  for (auto [attr, value] : llvm::zip_equal(adaptor.getInputs(), getInputs())) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.hasStaticShape() || !asFoldable(attr))
      return {};
    inputs.push_back(cast<DenseElementsAttr>(attr));
    strides.push_back(rowMajorStrides(type.getShape()));
    starts.push_back(start);
    start += type.getDimSize(dimension);
  }
  return copyElements(inputs, getType(), [&](ArrayRef<int64_t> index) {
    size_t input = std::prev(llvm::upper_bound(starts, index[dimension])) - starts.begin();
    int64_t position = -starts[input] * strides[input][dimension];
    for (auto [i, stride] : llvm::zip_equal(index, strides[input]))
      position += i * stride;
    return std::pair(input, position);
  });
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  if (areZero(getEdgePaddingLow()) && areZero(getEdgePaddingHigh()) && areZero(getInteriorPadding()))
    return ifTyped(getOperand(), getType());
  // Fillers that equal every element: nothing tells them apart.
  auto operand = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  auto value = dyn_cast_or_null<DenseElementsAttr>(adaptor.getPaddingValue());
  if (operand && value && operand.isSplat() && operand.getSplatValue<Attribute>() == value.getSplatValue<Attribute>())
    return foldSplat(operand, getType());
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  RankedTensorType from = getOperand().getType();
  // A slice as large as its operand is the operand.
  if (from.hasStaticShape())
    if (OpFoldResult same = ifTyped(getOperand(), getType()))
      return same;
  DenseElementsAttr operand = asFoldable(adaptor.getOperand());
  if (!operand)
    return {};
  SmallVector<int64_t> strides = rowMajorStrides(from.getShape());
  return copyElements(operand, getType(), [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (auto [i, start, step, stride] : llvm::zip_equal(index, getStartIndices(), getStrides(), strides))
      position += (start + i * step) * stride;
    return std::pair<size_t, int64_t>(0, position);
  });
}

OpFoldResult DynamicSliceOp::fold(FoldAdaptor adaptor) {
  // Clamping leaves a slice of full size no choice.
  if (getOperand().getType().hasStaticShape())
    if (OpFoldResult same = ifTyped(getOperand(), getType()))
      return same;
  return foldSplat(adaptor.getOperand(), getType());
}

OpFoldResult DynamicUpdateSliceOp::fold(FoldAdaptor) {
  RankedTensorType update = getUpdate().getType();
  if (!update.hasStaticShape() || !getType().hasStaticShape())
    return {};
  if (update.getShape() == getType().getShape())
    return ifTyped(getUpdate(), getType());
  if (update.getNumElements() == 0)
    return ifTyped(getOperand(), getType());
  return {};
}
