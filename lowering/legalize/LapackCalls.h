// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom calls of routines of linear algebra that every program can make: those by which JAX calls LAPACK on the CPU,
// and XLA's own names for QR, LU and eigenvalues. Functions of `runtime/library/lapack/` serve them.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_LAPACKCALLS_H
#define MLIR_XLA_LOWERING_LEGALIZE_LAPACKCALLS_H

#include "mlir_xla/dialect/XlaOps.h"

namespace mlir::xla {

/// How a custom call is served by a function of the runtime.
struct LapackCall {
  std::string function;
  SmallVector<int64_t> parameters;
  /// Operands that the function reads and leaves as they are.
  SmallVector<unsigned> inputs;
  /// For each result the operand whose elements it has before the call, or -1.
  SmallVector<int> inits;
  /// The dimensions of operands and results in the order, from major to minor, in which the function wants them.
  SmallVector<SmallVector<int64_t>> operandOrders, resultOrders;
  int64_t work = 1, cost = 1;
};

/// Whether the target is one of those.
bool isLapackCall(CustomCallOp op);
/// Says how it is served, or reports what is wrong with it.
FailureOr<LapackCall> analyzeLapackCall(CustomCallOp op);

/// Matrices up to this size are factorised and solved by kernels of the runtime, larger ones by LAPACK.
constexpr int64_t kSmallMatrix = 32;
/// What the function for Cholesky factors, `xla_rt_lapack_<s|d|c|z>potrf`, is called with.
LapackCall getCholeskyCall(RankedTensorType type, bool lower, bool zeros, bool info);
/// The same of the function for triangular systems, `xla_rt_lapack_<s|d|c|z>solve`; `transpose` is N, T or C.
LapackCall getSolveCall(RankedTensorType a, RankedTensorType b, bool left, bool lower, char transpose, bool unit);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_LAPACKCALLS_H
