// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows and columns of arrays to the lanes of vectors and back. Included by objects that are compiled for different
// processors, which is why all of it is in an unnamed namespace.

#ifndef MLIR_XLA_RUNTIME_LIBRARY_FFT_LANES_H
#define MLIR_XLA_RUNTIME_LIBRARY_FFT_LANES_H

#include <cstdint>

namespace xla_fft {
namespace {

/// Vectors of N elements. `Packed` is one in an array of them, `Unaligned` one anywhere.
template <typename T, int N> struct Lanes {
  typedef T Vector __attribute__((vector_size(N * sizeof(T))));
  typedef T Packed __attribute__((vector_size(N * sizeof(T)), may_alias));
  typedef T Unaligned __attribute__((vector_size(N * sizeof(T)), aligned(sizeof(T)), may_alias));
  static_assert(N == 2 || N == 4 || N == 8, "shuffles are written for these");

  static Vector load(const T *from) { return *reinterpret_cast<const Unaligned *>(from); }
  static void store(T *to, Vector value) { *reinterpret_cast<Unaligned *>(to) = value; }
  static Packed &packed(T *place) { return *reinterpret_cast<Packed *>(place); }
  static const Packed &packed(const T *place) { return *reinterpret_cast<const Packed *>(place); }

  /// a0 b0 a2 b2 .. and a1 b1 a3 b3 ..
  static void exchangeElements(Vector &a, Vector &b) {
    Vector x = a, y = b;
    if constexpr (N == 2) {
      a = __builtin_shufflevector(x, y, 0, 2);
      b = __builtin_shufflevector(x, y, 1, 3);
    } else if constexpr (N == 4) {
      a = __builtin_shufflevector(x, y, 0, 4, 2, 6);
      b = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    } else {
      a = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
      b = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
    }
  }
  /// The same for pairs of elements.
  static void exchangePairs(Vector &a, Vector &b) {
    Vector x = a, y = b;
    if constexpr (N == 4) {
      a = __builtin_shufflevector(x, y, 0, 1, 4, 5);
      b = __builtin_shufflevector(x, y, 2, 3, 6, 7);
    } else if constexpr (N == 8) {
      a = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13);
      b = __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  static void exchangeHalves(Vector &a, Vector &b) {
    Vector x = a, y = b;
    if constexpr (N == 8) {
      a = __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11);
      b = __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
    }
  }
  static void transpose(Vector (&rows)[N]) {
    for (int i = 0; i < N; i += 2)
      exchangeElements(rows[i], rows[i + 1]);
    for (int i = 0; N >= 4 && i < N; i += 4)
      for (int j = i; j < i + 2; ++j)
        exchangePairs(rows[j], rows[j + 2]);
    for (int i = 0; N == 8 && i < 4; ++i)
      exchangeHalves(rows[i], rows[i + 4]);
  }

  /// The numbers at even and at odd places of 2 N of them.
  static void separate(Vector &a, Vector &b) {
    Vector x = a, y = b;
    if constexpr (N == 2) {
      a = __builtin_shufflevector(x, y, 0, 2);
      b = __builtin_shufflevector(x, y, 1, 3);
    } else if constexpr (N == 4) {
      a = __builtin_shufflevector(x, y, 0, 2, 4, 6);
      b = __builtin_shufflevector(x, y, 1, 3, 5, 7);
    } else {
      a = __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14);
      b = __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15);
    }
  }
  static void interleave(Vector &a, Vector &b) {
    Vector x = a, y = b;
    if constexpr (N == 2) {
      a = __builtin_shufflevector(x, y, 0, 2);
      b = __builtin_shufflevector(x, y, 1, 3);
    } else if constexpr (N == 4) {
      a = __builtin_shufflevector(x, y, 0, 4, 1, 5);
      b = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    } else {
      a = __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
      b = __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
    }
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
