// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU and QR factorizations of batches of column-major matrices, and products with the reflectors of QR.

#include "mlir_xla/runtime/library/lapack/Lapack.h"

namespace xla_rt::lapack {

/// parameters: m, n; buffers: a, pivots (from 1), info.
template <typename T> static void getrf(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "getrf");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), lda = leading(m);
  int64_t rank = m < n ? m : n;
  for (int64_t i = begin; routine && i < end; ++i)
    call(routine, &m, &n, item<T>(buffers, 0, i, p[0] * p[1]), &lda, item<int32_t>(buffers, 1, i, rank),
         item<int32_t>(buffers, 2, i, 1));
}
XLA_RT_LAPACK(getrf)

/// The same with pivots from 0, and with the permutation of the rows in place of info.
template <typename T> static void lu(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "getrf");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), lda = leading(m), info = 0;
  int64_t rank = m < n ? m : n;
  for (int64_t i = begin; routine && i < end; ++i) {
    int32_t *pivots = item<int32_t>(buffers, 1, i, rank), *rows = item<int32_t>(buffers, 2, i, m);
    call(routine, &m, &n, item<T>(buffers, 0, i, p[0] * p[1]), &lda, pivots, &info);
    for (int32_t row = 0; row < m; ++row)
      rows[row] = row;
    for (int64_t step = 0; step < rank; ++step) {
      int32_t pivot = --pivots[step], other = rows[pivot];
      rows[pivot] = rows[step];
      rows[step] = other;
    }
  }
}
XLA_RT_LAPACK(lu)

/// parameters: m, n; buffers: a, tau.
template <typename T> static void geqrf(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "geqrf");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), lda = leading(m), info = 0, size = -1;
  int64_t rank = m < n ? m : n;
  if (!routine || begin == end)
    return;
  runAll<T>(begin, end, size, [&](int64_t i, T *workspace) {
    call(routine, &m, &n, item<T>(buffers, 0, i, p[0] * p[1]), &lda, item<T>(buffers, 1, i, rank), workspace, &size,
         &info);
  });
}
XLA_RT_LAPACK(geqrf)

/// parameters: m, n; buffers: a, pivots, tau.
template <typename T> static void geqp3(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "geqp3");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), lda = leading(m), info = 0, size = -1;
  int64_t rank = m < n ? m : n;
  if (!routine || begin == end)
    return;
  Workspace reals, work;
  if (!reals.allocate(2 * p[1] * sizeof(Real<T>)))
    return;
  auto run = [&](int64_t i, T *workspace) {
    T *a = item<T>(buffers, 0, i, p[0] * p[1]), *tau = item<T>(buffers, 2, i, rank);
    int32_t *pivots = item<int32_t>(buffers, 1, i, p[1]);
    if constexpr (isComplex<T>)
      call(routine, &m, &n, a, &lda, pivots, tau, workspace, &size, reals.as<Real<T>>(), &info);
    else
      call(routine, &m, &n, a, &lda, pivots, tau, workspace, &size, &info);
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(geqp3)

/// parameters: m, n, reflectors; buffers: tau, a.
template <typename T> static void orgqr(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "orgqr", "ungqr");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), k = static_cast<int>(p[2]), lda = leading(m), info = 0;
  if (!routine || begin == end)
    return;
  int size = -1;
  runAll<T>(begin, end, size, [&](int64_t i, T *workspace) {
    call(routine, &m, &n, &k, item<T>(buffers, 1, i, p[0] * p[1]), &lda, item<T>(buffers, 0, i, p[2]), workspace, &size,
         &info);
  });
}
XLA_RT_LAPACK(orgqr)

/// parameters: m and n of c, reflectors, left side, transpose, columns of a; buffers: a, tau, c.
template <typename T> static void ormqr(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "ormqr", "unmqr");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), k = static_cast<int>(p[2]), info = 0, size = -1;
  bool left = p[3];
  int64_t rows = left ? p[0] : p[1];
  int lda = leading(rows), ldc = leading(m);
  const char *side = left ? "L" : "R", *transpose = !p[4] ? "N" : isComplex<T> ? "C" : "T";
  if (!routine || begin == end)
    return;
  auto run = [&](int64_t i, T *workspace) {
    call(routine, side, transpose, &m, &n, &k, item<T>(buffers, 0, i, rows * p[5]), &lda, item<T>(buffers, 1, i, p[2]),
         item<T>(buffers, 2, i, p[0] * p[1]), &ldc, workspace, &size, &info, kLength, kLength);
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(ormqr)

} // namespace xla_rt::lapack
