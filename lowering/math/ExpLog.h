// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials, logarithms and powers as straight-line arithmetic.
// Each takes f32 or f64 unless it says otherwise, keeps IEEE 754's special values, and is within 2 ulp of f32 or 3 ulp
// of f64. Coefficients are near-minimax: interpolation at Chebyshev nodes in 50 digits of the function named beside
// them, on the interval named there.

#ifndef MLIR_XLA_LOWERING_MATH_EXPLOG_H
#define MLIR_XLA_LOWERING_MATH_EXPLOG_H

#include "mlir_xla/lowering/math/Pair.h"

namespace mlir::xla {

Real emitExp(Real x);
/// e^x / 2, for x that are not negative.
Real emitHalfExp(Real x);
/// e^x for x whose result is normal, or NaN.
Real emitNormalExp(Real x);

/// e^x for x that are not positive, or NaN: 0 where the result would be below the normal numbers. If `isMasked`, a
/// vector of zeros is found by a branch.
Real emitWeight(Real x, bool isMasked);

Real emitExp2(Real x);
Real emitExpm1(Real x);
Real emitLog(Real x);
Real emitLog1p(Real x);
/// f64 only.
Real emitPreciseLog2(Real x);
Real emitPreciseLog10(Real x);
/// f64 that is rounded to f32 afterwards.
Real emitPow(Real x, Real y);
/// f64 only.
Real emitPrecisePow(Real x, Real y);
/// e^x * factor for factors from 1/64 to 1.4, and an x.high from -106, or -790 in f64, to 0; rounded once.
Real emitExpOfPair(Pair x, Real factor);
/// log(x + low), and e^x, to some 65 bits. f64 only, the logarithm of positive finite numbers; a denormal x has
/// the low part 0.
Pair emitLogPair(Real x, std::optional<Real> low = {});
Real emitExpOfPair(Pair x);
/// Of f32 in f64.
Real emitCbrt(Real x);
/// f64 only.
Real emitPreciseCbrt(Real x);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_MATH_EXPLOG_H
