// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that slide over an array, as convolution, reduce_window and select_and_scatter share them. Per dimension: the
// base is dilated and padded, the window is dilated and moves by a stride.

#ifndef MLIR_XLA_DIALECT_OPS_REDUCTION_WINDOW_H
#define MLIR_XLA_DIALECT_OPS_REDUCTION_WINDOW_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

#include <optional>

namespace mlir::xla {

struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padLow = 0;
  int64_t padHigh = 0;
  int64_t baseDilation = 1;
  int64_t windowDilation = 1;
  bool reversal = false;

  /// A window of one element that visits every element once.
  bool isTrivial() const;
};

/// Number of positions that `size` elements take with `dilation - 1` holes between neighbours; dynamic if `size` is.
int64_t dilatedSize(int64_t size, int64_t dilation);

/// Number of positions of `window` in a base of `size` elements: 0 if it does not fit; dynamic if `size` is.
int64_t getWindowedSize(int64_t size, const WindowDimension &window);

/// The attributes of an op that describe its window; absent lists mean their defaults.
struct WindowAttributes {
  ArrayRef<int64_t> sizes;
  std::optional<ArrayRef<int64_t>> strides = std::nullopt;
  DenseIntElementsAttr padding = nullptr; ///< N x 2, low and high
  std::optional<ArrayRef<int64_t>> baseDilations = std::nullopt;
  std::optional<ArrayRef<int64_t>> windowDilations = std::nullopt;
  std::optional<ArrayRef<bool>> reversal = std::nullopt;
};

/// One entry per dimension. Lists that do not have `rank` entries are reported under `listConstraint` (and WIN-C1),
/// entries that are too small under `valueConstraint` (and WIN-C2).
FailureOr<SmallVector<WindowDimension>> getWindow(std::optional<Location> loc, StringRef opName,
                                                  StringRef listConstraint, StringRef valueConstraint, size_t rank,
                                                  const WindowAttributes &attributes);

/// Windows of an op that passed verification.
SmallVector<WindowDimension> getVerifiedWindow(const WindowAttributes &attributes);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_OPS_REDUCTION_WINDOW_H
