// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and singular values of batches of column-major matrices.

#include "mlir_xla/runtime/library/lapack/Lapack.h"

#include <string.h>

namespace xla_rt::lapack {

/// Results that a mode leaves out are zero.
template <typename T> static void clear(T *values, int64_t count) {
  memset(static_cast<void *>(values), 0, count * sizeof(T));
}

/// The iterations of LAPACK need not end for what is not finite.
template <typename T> static bool isFinite(const T *values, int64_t count) {
  const Real<T> *reals = reinterpret_cast<const Real<T> *>(values);
  Real<T> sum = 0; // of zeros, or NaN
  for (int64_t i = 0, n = count * (isComplex<T> ? 2 : 1); i < n; ++i)
    sum += reals[i] * 0;
  return sum == 0;
}

/// parameters: n, mode ('N', 'V'), triangle ('L', 'U'); buffers: a, eigenvalues, info.
template <typename T> static void syevd(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "syevd", "heevd");
  int n = static_cast<int>(p[0]), lda = leading(n), size = -1, realSize = -1, intSize = -1;
  char mode = static_cast<char>(p[1]), uplo = static_cast<char>(p[2]);
  if (!routine || begin == end)
    return;
  Workspace work, reals, ints;
  auto run = [&](int64_t i, T *workspace, Real<T> *realWorkspace, int32_t *intWorkspace) {
    T *a = item<T>(buffers, 0, i, p[0] * p[0]);
    Real<T> *w = item<Real<T>>(buffers, 1, i, p[0]);
    int32_t *info = item<int32_t>(buffers, 2, i, 1);
    if constexpr (isComplex<T>)
      call(routine, &mode, &uplo, &n, a, &lda, w, workspace, &size, realWorkspace, &realSize, intWorkspace, &intSize,
           info, kLength, kLength);
    else
      call(routine, &mode, &uplo, &n, a, &lda, w, workspace, &size, intWorkspace, &intSize, info, kLength, kLength);
  };
  T answer(0);
  Real<T> realAnswer = 0;
  int32_t intAnswer = 0;
  run(begin, &answer, &realAnswer, &intAnswer);
  size = sizeOfAnswer(answer);
  realSize = sizeOfAnswer(realAnswer);
  intSize = intAnswer + 1;
  if (!work.allocate(size * sizeof(T)) || !reals.allocate(realSize * sizeof(Real<T>)) ||
      !ints.allocate(intSize * sizeof(int32_t)))
    return;
  for (int64_t i = begin; i < end; ++i)
    run(i, work.as<T>(), reals.as<Real<T>>(), ints.as<int32_t>());
}
XLA_RT_LAPACK(syevd)

/// parameters: m, n, mode ('A', 'S', 'N'), columns of u, rows of vt; buffers: a, s, u, vt, info.
template <typename T> static void gesdd(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "gesdd");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), lda = leading(m), ldvt = leading(p[4]), size = -1;
  int64_t small = m < n ? m : n, large = m < n ? n : m;
  char mode = static_cast<char>(p[2]);
  if (!routine || begin == end)
    return;
  Workspace reals, ints;
  int64_t realCount =
      mode == 'N' ? 7 * small
                  : small * (5 * small + 7 > 2 * large + 2 * small + 1 ? 5 * small + 7 : 2 * large + 2 * small + 1);
  if (!reals.allocate(isComplex<T> ? realCount * sizeof(Real<T>) : 0) || !ints.allocate(8 * small * sizeof(int32_t)))
    return;
  auto run = [&](int64_t i, T *workspace) {
    T *a = item<T>(buffers, 0, i, p[0] * p[1]), *u = item<T>(buffers, 2, i, p[0] * p[3]);
    T *vt = item<T>(buffers, 3, i, p[4] * p[1]);
    Real<T> *s = item<Real<T>>(buffers, 1, i, small);
    int32_t *info = item<int32_t>(buffers, 4, i, 1);
    if constexpr (isComplex<T>)
      call(routine, &mode, &m, &n, a, &lda, s, u, &lda, vt, &ldvt, workspace, &size, reals.as<Real<T>>(),
           ints.as<int32_t>(), info, kLength);
    else
      call(routine, &mode, &m, &n, a, &lda, s, u, &lda, vt, &ldvt, workspace, &size, ints.as<int32_t>(), info, kLength);
    if (mode == 'N' && size > 0) {
      clear(u, p[0] * p[3]);
      clear(vt, p[4] * p[1]);
    }
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(gesdd)

/// As gesdd, by iterations of QR.
template <typename T> static void gesvd(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "gesvd");
  int m = static_cast<int>(p[0]), n = static_cast<int>(p[1]), lda = leading(m), ldvt = leading(p[4]), size = -1;
  int64_t small = m < n ? m : n;
  char mode = static_cast<char>(p[2]);
  if (!routine || begin == end)
    return;
  Workspace reals;
  if (!reals.allocate(isComplex<T> ? 5 * small * sizeof(Real<T>) : 0))
    return;
  auto run = [&](int64_t i, T *workspace) {
    T *a = item<T>(buffers, 0, i, p[0] * p[1]), *u = item<T>(buffers, 2, i, p[0] * p[3]);
    T *vt = item<T>(buffers, 3, i, p[4] * p[1]);
    Real<T> *s = item<Real<T>>(buffers, 1, i, small);
    int32_t *info = item<int32_t>(buffers, 4, i, 1);
    if constexpr (isComplex<T>)
      call(routine, &mode, &mode, &m, &n, a, &lda, s, u, &lda, vt, &ldvt, workspace, &size, reals.as<Real<T>>(), info,
           kLength, kLength);
    else
      call(routine, &mode, &mode, &m, &n, a, &lda, s, u, &lda, vt, &ldvt, workspace, &size, info, kLength, kLength);
    if (mode == 'N' && size > 0) {
      clear(u, p[0] * p[3]);
      clear(vt, p[4] * p[1]);
    }
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(gesvd)

/// LAPACK's eigenvectors of a real matrix, where a conjugate pair shares two columns, as complex ones.
template <typename R>
static void unpackEigenvectors(int64_t n, const R *imaginary, const R *packed, std::complex<R> *unpacked) {
  for (int64_t j = 0; j < n; ++j) {
    const R *re = packed + j * n;
    std::complex<R> *to = unpacked + j * n;
    if (imaginary[j] == 0 || j + 1 == n) {
      for (int64_t i = 0; i < n; ++i)
        to[i] = re[i];
      continue;
    }
    for (int64_t i = 0; i < n; ++i) {
      to[i] = {re[i], re[n + i]};
      to[n + i] = {re[i], -re[n + i]};
    }
    ++j;
  }
}

/// parameters: n, left and right vectors ('N', 'V'); buffers: a, eigenvalues (real and imaginary parts apart if a is
/// real), left vectors, right vectors, info.
template <typename T> static void geev(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "geev");
  int64_t square = p[0] * p[0];
  int n = static_cast<int>(p[0]), lda = leading(n), size = -1;
  char left = static_cast<char>(p[1]), right = static_cast<char>(p[2]);
  if (!routine || begin == end)
    return;
  constexpr int first = isComplex<T> ? 2 : 3; // of the buffers behind the eigenvalues
  Workspace copies, reals, work;
  if (!copies.allocate(3 * square * sizeof(T)) || !reals.allocate(isComplex<T> ? 2 * p[0] * sizeof(T) : 0))
    return;
  T *a = copies.as<T>(), *packedLeft = a + square, *packedRight = packedLeft + square;
  auto run = [&](int64_t i, T *workspace) {
    Complex<T> *vl = item<Complex<T>>(buffers, first, i, square), *vr = item<Complex<T>>(buffers, first + 1, i, square);
    int32_t *info = item<int32_t>(buffers, first + 2, i, 1);
    if (size > 0) {
      memcpy(static_cast<void *>(a), item<T>(buffers, 0, i, square), square * sizeof(T));
      for (auto [mode, vectors] : {std::pair{left, vl}, std::pair{right, vr}})
        if (mode == 'N')
          clear(vectors, square);
      if (!isFinite(a, square)) {
        *info = -4;
        return;
      }
    }
    if constexpr (isComplex<T>) {
      call(routine, &left, &right, &n, a, &lda, item<T>(buffers, 1, i, n), vl, &lda, vr, &lda, workspace, &size,
           reals.as<Real<T>>(), info, kLength, kLength);
    } else {
      T *im = item<T>(buffers, 2, i, n);
      call(routine, &left, &right, &n, a, &lda, item<T>(buffers, 1, i, n), im, packedLeft, &lda, packedRight, &lda,
           workspace, &size, info, kLength, kLength);
      if (size > 0 && left == 'V')
        unpackEigenvectors(p[0], im, packedLeft, vl);
      if (size > 0 && right == 'V')
        unpackEigenvectors(p[0], im, packedRight, vr);
    }
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(geev)

/// parameters: n, mode ('N', 'V'); buffers: a, vectors, eigenvalues (as of geev), sdim, info.
template <typename T> static void gees(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  static void *cache;
  void *routine = find<T>(cache, "gees");
  int64_t square = p[0] * p[0];
  int n = static_cast<int>(p[0]), lda = leading(n), size = -1;
  char mode = static_cast<char>(p[1]), sort = 'N';
  if (!routine || begin == end)
    return;
  constexpr int first = isComplex<T> ? 3 : 4; // of the buffers behind the eigenvalues
  void *select = nullptr;
  Workspace reals, flags, work;
  if (!reals.allocate(isComplex<T> ? p[0] * sizeof(Real<T>) : 0) || !flags.allocate(p[0] * sizeof(int32_t)))
    return;
  auto run = [&](int64_t i, T *workspace) {
    T *a = item<T>(buffers, 0, i, square), *vectors = item<T>(buffers, 1, i, square), *w = item<T>(buffers, 2, i, n);
    int32_t *sdim = item<int32_t>(buffers, first, i, 1), *info = item<int32_t>(buffers, first + 1, i, 1);
    if (size > 0) {
      *sdim = 0;
      if (mode == 'N')
        clear(vectors, square);
      if (!isFinite(a, square)) {
        *info = -6;
        return;
      }
    }
    if constexpr (isComplex<T>)
      call(routine, &mode, &sort, select, &n, a, &lda, sdim, w, vectors, &lda, workspace, &size, reals.as<Real<T>>(),
           flags.as<int32_t>(), info, kLength, kLength);
    else
      call(routine, &mode, &sort, select, &n, a, &lda, sdim, w, item<T>(buffers, 3, i, n), vectors, &lda, workspace,
           &size, flags.as<int32_t>(), info, kLength, kLength);
  };
  runAll<T>(begin, end, size, run);
}
XLA_RT_LAPACK(gees)

} // namespace xla_rt::lapack
