// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What factors and systems need of a number, be it real or complex.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_NUMBER_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_NUMBER_H

#include "mlir_xla/runtime/cuda/device/Twiddles.h"

namespace xla_rt::device {

/// What the algorithms need of a number.
template <typename T> struct Number {
  using Real = T;
  static XLA_RT_INLINE T conjugated(T x) { return x; }
  static XLA_RT_INLINE T realPart(T x) { return x; }
  static XLA_RT_INLINE T fromReal(T x) { return x; }
  /// sum - x conj(y)
  static XLA_RT_INLINE T lessConjugate(T sum, T x, T y) { return sum - x * y; }
  static XLA_RT_INLINE T less(T sum, T x, T y) { return sum - x * y; }
  static XLA_RT_INLINE T overReal(T x, T y) { return x / y; }
  static XLA_RT_INLINE T over(T x, T y) { return x / y; }
  /// What LAPACK chooses pivots by.
  static XLA_RT_INLINE T size(T x) { return x < 0 ? -x : x; }
};
template <typename T> struct Number<Complex<T>> {
  using Real = T;
  using C = Complex<T>;
  static XLA_RT_INLINE C conjugated(C x) { return conjugate(x); }
  static XLA_RT_INLINE T realPart(C x) { return x.re; }
  static XLA_RT_INLINE C fromReal(T x) { return {x, T(0)}; }
  static XLA_RT_INLINE C lessConjugate(C sum, C x, C y) {
    return {sum.re - x.re * y.re - x.im * y.im, sum.im - x.im * y.re + x.re * y.im};
  }
  static XLA_RT_INLINE C less(C sum, C x, C y) {
    return {sum.re - x.re * y.re + x.im * y.im, sum.im - x.re * y.im - x.im * y.re};
  }
  static XLA_RT_INLINE C overReal(C x, T y) { return {x.re / y, x.im / y}; }
  /// By Smith's method: the square of the divisor need not be a finite number.
  static XLA_RT_INLINE C over(C x, C y) {
    bool swap = __builtin_fabs(y.re) < __builtin_fabs(y.im);
    T large = swap ? y.im : y.re, small = swap ? y.re : y.im;
    T ratio = small / large, scale = T(1) / (large + small * ratio);
    T re = swap ? x.re * ratio + x.im : x.re + x.im * ratio, im = swap ? x.im * ratio - x.re : x.im - x.re * ratio;
    return {re * scale, im * scale};
  }
  static XLA_RT_INLINE T size(C x) { return Number<T>::size(x.re) + Number<T>::size(x.im); }
};

XLA_RT_INLINE float squareRoot(float x) { return __builtin_sqrtf(x); }
XLA_RT_INLINE double squareRoot(double x) { return __builtin_sqrt(x); }

} // namespace xla_rt::device

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_NUMBER_H
