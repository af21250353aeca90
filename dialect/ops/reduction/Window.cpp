// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/ops/reduction/Window.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"

#include "mlir/IR/Operation.h"

#include <limits>

using namespace mlir;
using namespace mlir::xla;

/// Sizes that a program can use lie far below; larger ones are refused so that no arithmetic overflows.
static constexpr int64_t kLimit = int64_t(1) << 40;

bool WindowDimension::isTrivial() const {
  return size == 1 && stride == 1 && padLow == 0 && padHigh == 0 && baseDilation == 1;
}

int64_t mlir::xla::dilatedSize(int64_t size, int64_t dilation) {
  if (ShapedType::isDynamic(size) || size == 0)
    return size;
  int64_t dilated;
  if (llvm::MulOverflow(size - 1, dilation, dilated))
    return std::numeric_limits<int64_t>::max() / 4;
  return std::min(dilated, std::numeric_limits<int64_t>::max() / 4 - 1) + 1;
}

int64_t mlir::xla::getWindowedSize(int64_t size, const WindowDimension &window) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(window.size))
    return ShapedType::kDynamic;
  int64_t padded = dilatedSize(size, window.baseDilation) + window.padLow + window.padHigh;
  int64_t effective = dilatedSize(window.size, window.windowDilation);
  return padded < effective ? 0 : (padded - effective) / window.stride + 1;
}

FailureOr<SmallVector<WindowDimension>> mlir::xla::getWindow(std::optional<Location> loc, StringRef opName,
                                                             StringRef listConstraint, StringRef valueConstraint,
                                                             size_t rank, const WindowAttributes &attributes) {
  auto checkLength = [&](StringRef name, size_t length) -> LogicalResult {
    if (length == rank)
      return success();
    return ConstraintError(loc, opName, listConstraint) << "[WIN-C1] " << name << " has " << counted(length, "entry")
                                                        << " for " << counted(rank, "windowed dimension");
  };
  auto checkList = [&](StringRef name, std::optional<ArrayRef<int64_t>> list) -> LogicalResult {
    if (!list)
      return success();
    if (failed(checkLength(name, list->size())))
      return failure();
    for (auto [dim, value] : llvm::enumerate(*list))
      if (!ShapedType::isDynamic(value) && (value < 1 || value > kLimit))
        return ConstraintError(loc, opName, valueConstraint)
               << "[WIN-C2] " << name << " is " << value << " in dimension " << dim
               << (value < 1 ? " but must be at least 1" : ", which is too large");
    return success();
  };
  if (failed(checkList("window size", attributes.sizes)) || failed(checkList("stride", attributes.strides)) ||
      failed(checkList("base dilation", attributes.baseDilations)) ||
      failed(checkList("window dilation", attributes.windowDilations)))
    return failure();
  if (DenseIntElementsAttr padding = attributes.padding) {
    ArrayRef<int64_t> shape = padding.getType().getShape();
    if (shape.size() != 2 || shape[1] != 2)
      return ConstraintError(loc, opName, listConstraint)
             << "[WIN-C1] padding is not an Nx2 list of (low, high) pairs but " << padding.getType();
    if (failed(checkLength("padding", shape[0])))
      return failure();
    for (auto [i, value] : llvm::enumerate(padding.getValues<int64_t>()))
      if (value < -kLimit || value > kLimit)
        return ConstraintError(loc, opName, valueConstraint)
               << "[WIN-C2] padding is " << value << " in dimension " << i / 2 << ", which is too large";
  }
  if (attributes.reversal && failed(checkLength("reversal", attributes.reversal->size())))
    return failure();
  return getVerifiedWindow(attributes);
}

SmallVector<WindowDimension> mlir::xla::getVerifiedWindow(const WindowAttributes &attributes) {
  SmallVector<WindowDimension> window(attributes.sizes.size());
  for (auto [i, dim] : llvm::enumerate(window)) {
    dim.size = attributes.sizes[i];
    if (attributes.strides)
      dim.stride = (*attributes.strides)[i];
    if (attributes.baseDilations)
      dim.baseDilation = (*attributes.baseDilations)[i];
    if (attributes.windowDilations)
      dim.windowDilation = (*attributes.windowDilations)[i];
    if (attributes.reversal)
      dim.reversal = (*attributes.reversal)[i];
    if (attributes.padding) {
      dim.padLow = attributes.padding.getValues<int64_t>()[2 * i];
      dim.padHigh = attributes.padding.getValues<int64_t>()[2 * i + 1];
    }
  }
  return window;
}
