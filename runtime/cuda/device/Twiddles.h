// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers, and roots of unity to the last place, without a library's sine.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_TWIDDLES_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_TWIDDLES_H

#include "mlir_xla/runtime/cuda/device/Device.h"

namespace xla_rt::device {

/// Is loaded and stored at once.
template <typename T> struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

template <typename T> XLA_RT_INLINE Complex<T> operator+(Complex<T> x, Complex<T> y) {
  return {x.re + y.re, x.im + y.im};
}
template <typename T> XLA_RT_INLINE Complex<T> operator-(Complex<T> x, Complex<T> y) {
  return {x.re - y.re, x.im - y.im};
}
template <typename T> XLA_RT_INLINE Complex<T> operator*(Complex<T> x, Complex<T> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
template <typename T> XLA_RT_INLINE Complex<T> operator*(Complex<T> x, T y) { return {x.re * y, x.im * y}; }
template <typename T> XLA_RT_INLINE Complex<T> conjugate(Complex<T> x) { return {x.re, -x.im}; }
template <typename T> XLA_RT_INLINE Complex<T> swapped(Complex<T> x) { return {x.im, x.re}; }
/// -i x
template <typename T> XLA_RT_INLINE Complex<T> turned(Complex<T> x) { return {x.im, -x.re}; }

/// e^(-2 pi i k / n), for 0 <= k < n < 2^60.
XLA_RT_INLINE Complex<double> rootOfUnity(int64_t k, int64_t n) {
  // An eighth of a turn, and how far beyond its beginning, or before its end: exact.
  int64_t eighth = 8 * k / n, rest = 8 * k - eighth * n;
  if (eighth & 1)
    rest = n - rest;
  // The angle in pi/4, and in radians, as sums of two numbers.
  double whole = static_cast<double>(n), part = static_cast<double>(rest), inverse = 1.0 / whole;
  double y = part * inverse, yLow = __builtin_fma(-y, whole, part) * inverse;
  constexpr double quarterPi = 0x1.921fb54442d18p-1, quarterPiLow = 0x1.1a62633145c07p-55;
  double x = y * quarterPi;
  double xLow = __builtin_fma(y, quarterPiLow, __builtin_fma(y, quarterPi, -x)) + yLow * quarterPi;
  double square = x * x;
  // Taylor's series end where the next term is below 2^-60 for x <= pi/4.
  double s = -0x1.ae7f3e733b81fp-41 /* 1/15! */;
  s = __builtin_fma(s, square, 0x1.6124613a86d09p-33);
  s = __builtin_fma(s, square, -0x1.ae64567f544e4p-26);
  s = __builtin_fma(s, square, 0x1.71de3a556c734p-19);
  s = __builtin_fma(s, square, -0x1.a01a01a01a01ap-13);
  s = __builtin_fma(s, square, 0x1.1111111111111p-7);
  s = __builtin_fma(s, square, -0x1.5555555555555p-3);
  double c = 0x1.ae7f3e733b81fp-45 /* 1/16! */;
  c = __builtin_fma(c, square, -0x1.93974a8c07c9dp-37);
  c = __builtin_fma(c, square, 0x1.1eed8eff8d898p-29);
  c = __builtin_fma(c, square, -0x1.27e4fb7789f5cp-22);
  c = __builtin_fma(c, square, 0x1.a01a01a01a01ap-16);
  c = __builtin_fma(c, square, -0x1.6c16c16c16c17p-10);
  c = __builtin_fma(c, square, 0x1.5555555555555p-5);
  // sin(x + xLow) and cos(x + xLow); the square's own rounding counts in the cosine only.
  double cosine = __builtin_fma(-0.5, square, 1.0);
  double lost = __builtin_fma(-0.5, square, 1.0 - cosine) - 0.5 * __builtin_fma(x, x, -square);
  double sine = x + __builtin_fma(x * square, s, xLow * cosine);
  cosine += __builtin_fma(square * square, c, lost - x * xLow);
  if ((eighth + 1) & 2) {
    double other = sine;
    sine = cosine;
    cosine = other;
  }
  if (eighth & 4)
    sine = -sine;
  if ((eighth + 2) & 4)
    cosine = -cosine;
  return {cosine, -sine};
}

} // namespace xla_rt::device

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_TWIDDLES_H
