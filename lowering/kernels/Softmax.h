// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a softmax among loops on tensors.

#ifndef MLIR_XLA_LOWERING_KERNELS_SOFTMAX_H
#define MLIR_XLA_LOWERING_KERNELS_SOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>
#include <optional>

namespace mlir::xla {

/// A tensor, and where some loops read it.
struct TensorRead {
  Value tensor;
  AffineMap map;
};

/// What `op` reads as its input `operand`, behind copies into more dimensions.
TensorRead readOf(linalg::GenericOp op, unsigned operand);

/// `value` computed by one op of its block, of the kind that `is` says, from the arguments alone and in the order of
/// the loops.
linalg::GenericOp elementwise(Value value, function_ref<bool(Operation *)> is);

/// The reduction by such a combiner along some dimensions that `value` is.
linalg::GenericOp reduction(Value value, function_ref<bool(Operation *)> is);

/// True if `reduced` is `op`'s result where `op` reduces the dimensions of `all` that `reduced` lacks: then the loops
/// of both readers are those of `op`.
bool isOf(linalg::GenericOp op, const TensorRead &reduced, const TensorRead &all);

/// The greatest of the numbers along some dimensions, as `exponential` reads them: it is the exponential of what is
/// left when they are subtracted, so none of its results is above 1, and along those dimensions one is 1.
std::optional<TensorRead> matchWeights(linalg::GenericOp exponential);

/// May weights be multiplied, or divided, by that before they are divided by their sum? Exponentials are 1 at most, so
/// that none of f16 becomes infinite, and such numbers are not large.
inline bool isFactorOfWeights(const APFloat &value, bool isDivisor) {
  constexpr double most = 256;
  double factor = std::abs(value.convertToDouble());
  return std::isfinite(factor) && factor <= (isDivisor ? 1e30 : most) && (!isDivisor || factor >= 1 / most);
}

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_SOFTMAX_H
