// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions and narrow float conversions as straight-line arithmetic, on scalars and vectors alike.

#ifndef MLIR_XLA_LOWERING_MATH_VECTORMATH_H
#define MLIR_XLA_LOWERING_MATH_VECTORMATH_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// How f32 is rounded to bf16: by integer arithmetic, whatever NaNs there are, or where the lower halves of those that
/// the target makes are zero, as processors' are (NVIDIA's GPUs make one of all ones); or by an instruction.
enum class BF16Rounding { Arithmetic, OfShortNaNs, Instruction };

/// Emits `op` (of the math or arith dialect) applied to `operands` with result type `type` (scalar or vector), or
/// returns null if the op needs no expansion: it then maps to instructions.
Value emitScalarMath(ImplicitLocOpBuilder &b, Operation *op, Type type, ValueRange operands,
                     BF16Rounding rounding = BF16Rounding::Arithmetic);

/// Copies `op`, which computes with scalars, with the expansions of all functions in it.
void cloneWithMath(ImplicitLocOpBuilder &b, Operation &op, IRMapping &mapping);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_VECTORMATH_H
