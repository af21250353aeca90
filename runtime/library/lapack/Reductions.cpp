// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of batches of column-major matrices to Hessenberg and tridiagonal form, and tridiagonal systems.

#include "mlir_xla/runtime/library/lapack/Lapack.h"

#include <cmath>
#include <limits>
#include <string.h>

namespace xla_rt::lapack {

/// parameters: n, low, high (from 1); buffers: a, tau, info.
template <typename T> static void gehrd(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "gehrd");
  int n = static_cast<int>(p[0]), low = static_cast<int>(p[1]), high = static_cast<int>(p[2]), lda = leading(n);
  int64_t taus = p[0] > 0 ? p[0] - 1 : 0;
  int size = -1;
  if (!routine || begin == end)
    return;
  auto run = [&](int64_t i, T *workspace) {
    call(routine, &n, &low, &high, item<T>(buffers, 0, i, p[0] * p[0]), &lda, item<T>(buffers, 1, i, taus), workspace,
         &size, item<int32_t>(buffers, 2, i, 1));
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(gehrd)

/// parameters: n, triangle ('L', 'U'); buffers: a, diagonal, other diagonal, tau, info.
template <typename T> static void sytrd(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "sytrd", "hetrd");
  int n = static_cast<int>(p[0]), lda = leading(n), size = -1;
  char uplo = static_cast<char>(p[1]);
  int64_t others = p[0] > 0 ? p[0] - 1 : 0;
  if (!routine || begin == end)
    return;
  auto run = [&](int64_t i, T *workspace) {
    call(routine, &uplo, &n, item<T>(buffers, 0, i, p[0] * p[0]), &lda, item<Real<T>>(buffers, 1, i, p[0]),
         item<Real<T>>(buffers, 2, i, others), item<T>(buffers, 3, i, others), workspace, &size,
         item<int32_t>(buffers, 4, i, 1), kLength);
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(sytrd)

/// parameters: n, right-hand sides; buffers: lower, main and upper diagonal, b, info. All diagonals have n elements:
/// the first of the lower and the last of the upper one do not count.
template <typename T> static void gtsv(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "gtsv");
  int n = static_cast<int>(p[0]), count = static_cast<int>(p[1]), ldb = leading(n);
  for (int64_t i = begin; routine && i < end; ++i)
    call(routine, &n, &count, item<T>(buffers, 0, i, n) + (n > 0), item<T>(buffers, 1, i, n), item<T>(buffers, 2, i, n),
         item<T>(buffers, 3, i, p[0] * p[1]), &ldb, item<int32_t>(buffers, 4, i, 1));
}
XLA_RT_LAPACK(gtsv)

/// A pivot by which a row of right-hand sides can be divided: while the quotients would overflow, it is moved away from
/// 0 by steps that double (LAPACK's xLAGTS). What is smaller than any normal number is scaled, and the row with it.
template <typename T> static T safePivot(T pivot, Real<T> step, T *row, int64_t count, int64_t stride) {
  constexpr Real<T> least = std::numeric_limits<Real<T>>::min();
  Real<T> largest = 0;
  for (int64_t c = 0; c < count; ++c)
    largest = std::abs(row[c * stride]) > largest ? std::abs(row[c * stride]) : largest;
  step = std::copysign(step, std::real(pivot));
  while (std::abs(pivot) < 1) {
    Real<T> size = std::abs(pivot);
    if (size != 0 && largest * least <= size) {
      if (size < least) {
        for (int64_t c = 0; c < count; ++c)
          row[c * stride] *= 1 / least;
        pivot *= 1 / least;
      }
      break;
    }
    pivot += step;
    step *= 2;
  }
  return pivot;
}

/// Systems that may be singular: pivots are perturbed, by about the rounding error of the largest element of the upper
/// factor, where dividing by them would overflow. parameters: n, right-hand sides; buffers: lower, main and upper
/// diagonal, b, x.
template <typename T> static void perturbed(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  int64_t n = p[0], count = p[1];
  Workspace work;
  if (n == 0 || begin == end || !work.allocate(3 * n * sizeof(T)))
    return;
  // Elimination with row exchanges: the upper factor has three diagonals.
  T *main = work.as<T>(), *above = main + n, *second = above + n;
  for (int64_t i = begin; i < end; ++i) {
    const T *lower = item<T>(buffers, 0, i, n), *diagonal = item<T>(buffers, 1, i, n),
            *upper = item<T>(buffers, 2, i, n);
    T *x = item<T>(buffers, 4, i, n * count);
    memcpy(static_cast<void *>(x), item<T>(buffers, 3, i, n * count), n * count * sizeof(T));
    T row[2] = {diagonal[0], n > 1 ? upper[0] : T(0)};
    for (int64_t k = 0; k < n; ++k) {
      main[k] = row[0];
      above[k] = row[1];
      second[k] = T(0);
      if (k + 1 == n)
        break;
      T next[3] = {lower[k + 1], diagonal[k + 1], k + 2 < n ? upper[k + 1] : T(0)};
      bool exchange = std::abs(next[0]) > std::abs(main[k]);
      if (exchange) {
        T first = main[k], other = above[k];
        main[k] = next[0];
        above[k] = next[1];
        second[k] = next[2];
        next[0] = first;
        next[1] = other;
        next[2] = T(0);
      }
      row[0] = next[1];
      row[1] = next[2];
      T factor(0);
      if (std::abs(main[k]) != 0) {
        factor = next[0] / main[k];
        row[0] -= factor * above[k];
        row[1] -= factor * second[k];
      }
      for (int64_t c = 0; c < count; ++c) {
        T *column = x + c * n;
        if (exchange) {
          T kept = column[k];
          column[k] = column[k + 1];
          column[k + 1] = kept;
        }
        column[k + 1] -= factor * column[k];
      }
    }
    Real<T> largest = 0;
    for (int64_t k = 0; k < n; ++k)
      for (T value : {main[k], above[k], second[k]})
        largest = std::abs(value) > largest ? std::abs(value) : largest;
    Real<T> step = largest * std::numeric_limits<Real<T>>::epsilon();
    if (!(step > std::numeric_limits<Real<T>>::min()))
      step = std::numeric_limits<Real<T>>::min();
    for (int64_t k = n - 1; k >= 0; --k) {
      for (int64_t c = 0; c < count; ++c) {
        T *column = x + c * n;
        if (k + 1 < n)
          column[k] -= above[k] * column[k + 1];
        if (k + 2 < n)
          column[k] -= second[k] * column[k + 2];
      }
      T pivot = safePivot(main[k], step, x + k, count, n);
      for (int64_t c = 0; c < count; ++c)
        x[c * n + k] /= pivot;
    }
  }
}
XLA_RT_LAPACK(perturbed)

} // namespace xla_rt::lapack
