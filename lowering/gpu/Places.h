// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which places of a tensor a kernel writes that updates it.

#ifndef MLIR_XLA_LOWERING_GPU_PLACES_H
#define MLIR_XLA_LOWERING_GPU_PLACES_H

#include "mlir_xla/lowering/gpu/Passes.h"

namespace mlir::xla {

/// A box of a tensor: for each dimension the first place, how many there are, and how far apart; and of how many the
/// tensor has.
struct Places {
  SmallVector<int64_t> offsets, sizes, strides, shape;

  /// On a kernel: what it writes of the one tensor that it updates, and does not read.
  static constexpr StringLiteral kName = "xla_rt.places";

  static std::optional<Places> of(func::FuncOp kernel);
  static Places read(ArrayAttr attr);
  Attribute asAttr(MLIRContext *context) const;
  bool areApartFrom(const Places &other) const;
  /// Whether it is known that two kernels write no place both.
  static bool areApart(func::FuncOp a, func::FuncOp b);
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_PLACES_H
