// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the entry points of Fft.cpp call: transforms with elements of one type, compiled for one kind of processor.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_FFT_TRANSFORMS_H
#define MLIR_XLA_RUNTIME_LIBRARY_FFT_TRANSFORMS_H

#include <cstdint>

namespace xla_fft {

enum Kind : int64_t { Forward, Inverse, RealToComplex, ComplexToReal };

/// The transforms of a call: along `axes` neighbouring dimensions of `lengths` (real ones for the real kinds) of an
/// array that has `outer` elements before and `inner` behind them.
struct Call {
  Kind kind;
  int64_t axes;
  int64_t lengths[3];
  int64_t outer, inner;
  /// With one axis, an item of work is this many transforms, counted through `outer` and `inner`. With more it is the
  /// transform of one of `outer`, and `inner` is 1.
  int64_t lanes;
  const void *in;
  void *out; // may be `in` for the complex kinds
};

/// The first step of a transform of `first` x `second` elements of each of `outer` rows, written as a matrix: the
/// transforms of its columns, each result k of column j turned by exp(-2 pi i j k / (first second)), stored as rows.
/// What is left are transforms along the columns of these. An item of work is 16 columns.
struct Step {
  bool forward;
  int64_t outer, first, second;
  const void *in;
  void *out;
};

/// Each does the items [begin, end). Throws what the standard library throws.
struct Functions {
  void (*transform)(const Call &call, int64_t begin, int64_t end);
  void (*step)(const Step &step, int64_t begin, int64_t end);
};

extern const Functions f32_baseline, f64_baseline, f32_avx2, f64_avx2;

/// Transforms whose lengths are powers of two: PowersOfTwo.cpp. Each function does those from `begin` to before `end`,
/// times `factor`, or returns false without having done anything. An inverse transform is one that is not `forward`.
template <typename Real> struct PowersOfTwo {
  /// Complex numbers are pairs of real ones.
  bool (*rows)(const Real *in, Real *out, int64_t length, int64_t begin, int64_t end, bool forward, Real factor);
  /// Lines whose elements are `inner` apart, counted through `inner` and all arrays.
  bool (*columns)(const Real *in, Real *out, int64_t length, int64_t inner, int64_t begin, int64_t end, bool forward,
                  Real factor);
  /// Rows of `length` real numbers to their spectra, and back.
  bool (*realRows)(const Real *in, Real *out, int64_t length, int64_t begin, int64_t end);
  bool (*toRealRows)(const Real *in, Real *out, int64_t length, int64_t begin, int64_t end, Real factor);
};

extern const PowersOfTwo<float> powers_f32_avx2, powers_f32_avx512;
extern const PowersOfTwo<double> powers_f64_avx2, powers_f64_avx512;

} // namespace xla_fft

#endif // MLIR_XLA_RUNTIME_LIBRARY_FFT_TRANSFORMS_H
