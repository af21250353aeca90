// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which orders the elements of a reduction may be combined. Combiners are associative, but JAX's argmax with NaN, an
// affine composition or "the first that is not zero" do not commute: their operands have to meet in index order.

#ifndef MLIR_XLA_LOWERING_NEST_FOLDORDER_H
#define MLIR_XLA_LOWERING_NEST_FOLDORDER_H

#include "mlir_xla/lowering/nest/LoopNest.h"

namespace mlir::xla {

/// On the second of two steps of a reduction: its inputs that are numbers of iterations of the first, of which each
/// part has greater ones than the parts before it, or the initial value, zero.
constexpr StringLiteral kAscending = "xla_rt.ascending";

/// Sets `order`, `key` and `sums` of a reduction of `nest`, whose combiner and operands are known. An element's key
/// that is greater than the running one, as all are then, is not compared with it.
void findFoldOrder(Reduction &reduction, const LoopNest &nest, KernelExprs &exprs);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_FOLDORDER_H
