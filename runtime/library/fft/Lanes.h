// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows and columns of arrays to the lanes of vectors and back. Included by objects that are compiled for different
// processors, which is why all of it is in an unnamed namespace.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_FFT_LANES_H
#define MLIR_XLA_RUNTIME_LIBRARY_FFT_LANES_H

#include <cstdint>
#include <utility>

namespace xla_fft {
namespace {

/// Vectors of N elements. `Packed` is one in an array of them, `Unaligned` one anywhere.
template <typename T, int N> struct Lanes {
  typedef T Vector __attribute__((vector_size(N * sizeof(T))));
  typedef T Packed __attribute__((vector_size(N * sizeof(T)), may_alias));
  typedef T Unaligned __attribute__((vector_size(N * sizeof(T)), aligned(sizeof(T)), may_alias));
  static_assert(N == 2 || N == 4 || N == 8 || N == 16, "shuffles are written for these");

  static Vector load(const T *from) { return *reinterpret_cast<const Unaligned *>(from); }
  static void store(T *to, Vector value) { *reinterpret_cast<Unaligned *>(to) = value; }
  static Packed &packed(T *place) { return *reinterpret_cast<Packed *>(place); }
  static const Packed &packed(const T *place) { return *reinterpret_cast<const Packed *>(place); }

  /// Exchanges every second block of `size` elements of `a` with the one before it of `b`: a0 b0 a2 b2 .. and
  /// a1 b1 a3 b3 ..
  template <int size> static void exchange(Vector &a, Vector &b) {
    exchange<size>(a, b, std::make_integer_sequence<int, N>());
  }
  template <int size, int... lane> static void exchange(Vector &a, Vector &b, std::integer_sequence<int, lane...>) {
    Vector x = a, y = b;
    a = __builtin_shufflevector(x, y, (lane & size ? N + lane - size : lane)...);
    b = __builtin_shufflevector(x, y, (lane & size ? N + lane : lane + size)...);
  }
  template <int size> static void transposeBlocks(Vector (&rows)[N]) {
    for (int i = 0; i < N; i += 2 * size)
      for (int j = i; j < i + size; ++j)
        exchange<size>(rows[j], rows[j + size]);
    if constexpr (2 * size < N)
      transposeBlocks<2 * size>(rows);
  }
  static void transpose(Vector (&rows)[N]) { transposeBlocks<1>(rows); }

  /// The numbers at even and at odd places of 2 N of them.
  static void separate(Vector &a, Vector &b) { separate(a, b, std::make_integer_sequence<int, N>()); }
  template <int... lane> static void separate(Vector &a, Vector &b, std::integer_sequence<int, lane...>) {
    Vector x = a, y = b;
    a = __builtin_shufflevector(x, y, 2 * lane...);
    b = __builtin_shufflevector(x, y, (2 * lane + 1)...);
  }
  static void interleave(Vector &a, Vector &b) { interleave(a, b, std::make_integer_sequence<int, N>()); }
  template <int... lane> static void interleave(Vector &a, Vector &b, std::integer_sequence<int, lane...>) {
    Vector x = a, y = b;
    a = __builtin_shufflevector(x, y, (lane / 2 + lane % 2 * N)...);
    b = __builtin_shufflevector(x, y, (N / 2 + lane / 2 + lane % 2 * N)...);
  }
  /// N-1 .. 1 0
  static Vector reverse(Vector a) { return reverse(a, std::make_integer_sequence<int, N>()); }
  template <int... lane> static Vector reverse(Vector a, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, a, (N - 1 - lane)...);
  }

  /// `to[j * N + lane] = rows[lane][j]` for j < size.
  static void loadRows(const T *const (&rows)[N], int64_t size, T *__restrict to) {
    int64_t j = 0;
    for (; j + N <= size; j += N) {
      Vector square[N];
      for (int i = 0; i < N; ++i)
        square[i] = load(rows[i] + j);
      transpose(square);
      for (int i = 0; i < N; ++i)
        packed(to + (j + i) * N) = square[i];
    }
    for (; j < size; ++j)
      for (int i = 0; i < N; ++i)
        to[j * N + i] = rows[i][j];
  }

  /// `rows[lane][j] = from[j * N + lane] * factor` for the first `count` lanes.
  static void storeRows(const T *__restrict from, int64_t size, T *const (&rows)[N], int64_t count, T factor) {
    int64_t j = 0;
    for (; j + N <= size; j += N) {
      Vector square[N];
      for (int i = 0; i < N; ++i)
        square[i] = packed(from + (j + i) * N) * factor;
      transpose(square);
      for (int i = 0; i < N; ++i)
        if (i < count)
          store(rows[i] + j, square[i]);
    }
    for (; j < size; ++j)
      for (int i = 0; i < count; ++i)
        rows[i][j] = from[j * N + i] * factor;
  }

  /// N neighbouring columns of complex numbers: of each row, `stride` numbers apart, the real and the imaginary parts.
  static void loadColumns(const T *from, int64_t size, int64_t stride, T *__restrict to) {
    for (int64_t i = 0; i < size; ++i) {
      Vector a = load(from + 2 * i * stride), b = load(from + 2 * i * stride + N);
      separate(a, b);
      packed(to + 2 * i * N) = a;
      packed(to + (2 * i + 1) * N) = b;
    }
  }
  static void storeColumns(const T *__restrict from, int64_t size, int64_t stride, T *to, T factor) {
    for (int64_t i = 0; i < size; ++i) {
      Vector a = packed(from + 2 * i * N) * factor, b = packed(from + (2 * i + 1) * N) * factor;
      interleave(a, b);
      store(to + 2 * i * stride, a);
      store(to + 2 * i * stride + N, b);
    }
  }
};

} // namespace
} // namespace xla_fft

#endif // MLIR_XLA_RUNTIME_LIBRARY_FFT_LANES_H
