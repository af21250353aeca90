// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors and triangular systems, of row-major matrices. LAPACK sees a row-major matrix transposed: its other
// triangle is meant, and the other side of a system. (The transpose of a Hermitian matrix is its conjugate, whose
// factor is the conjugate of the factor: what LAPACK finds is the factor of the row-major matrix.)

#include "mlir_xla/runtime/library/lapack/Lapack.h"
#include "mlir_xla/runtime/library/lapack/SmallMatrices.h"

#include <complex>
#include <limits>

namespace xla_rt::lapack {

/// Fills the triangle of a row-major matrix, with the diagonal or without.
template <typename T> static void fillTriangle(T *a, int64_t n, bool lower, bool diagonal, T value) {
  int64_t past = diagonal;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = lower ? 0 : i + 1 - past, end = lower ? i + past : n; j < end; ++j)
      a[i * n + j] = value;
}

template <typename T> static T conjugate(T x) { return x; }
template <typename T> static std::complex<T> conjugate(std::complex<T> x) { return std::conj(x); }

/// Has the lower triangle of a row-major matrix in the upper one as well, conjugated; or, `back`, the upper one in the
/// lower.
template <typename T> static void mirror(T *a, int64_t n, bool back) {
  constexpr int64_t block = 16;
  for (int64_t rows = 0; rows < n; rows += block)
    for (int64_t columns = 0; columns <= rows; columns += block)
      for (int64_t j = columns; j < columns + block && j < n; ++j)
        for (int64_t i = rows > j ? rows : j + 1; i < rows + block && i < n; ++i) {
          T &below = a[i * n + j], &above = a[j * n + i];
          (back ? below : above) = conjugate(back ? above : below);
        }
}

/// Is the upper triangle's factor found so much faster that the lower one is mirrored for it? OpenBLAS takes 1.3 to 1.5
/// times as long for a lower triangle of complex<f32>, by AVX-512 also of real numbers; two mirrorings take a tenth of
/// it, until rows are pages apart. Of complex<f64> the two differ little.
template <typename T> static bool mirrorsFor(int64_t n) {
  constexpr int64_t few = 64, many = 256;
  if (sizeof(T) > 8 || n > many)
    return false;
#ifdef __x86_64__
  return isComplex<T> || (n >= few && __builtin_cpu_supports("avx512f"));
#else
  return isComplex<T>;
#endif
}

/// parameters: n, matrices, lower, group, zeros; buffers: a and, if there is one more result, info. An item of work is
/// a group of matrices. With `zeros` the other triangle becomes zero, else it stays as it is. Where a matrix is not
/// positive definite, the triangle becomes NaN.
template <typename T> static void potrf(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  int64_t n = p[0], matrices = p[1], group = p[3];
  bool lower = p[2] & 1, zeros = p[4] & 1, tells = p[4] & 2;
  static void *cache;
  void *routine = n > kSmall ? find<T>(cache, "potrf") : nullptr;
  if (n > kSmall && !routine)
    return;
  for (int64_t g = begin; g < end; ++g) {
    int64_t first = g * group, last = first + group < matrices ? first + group : matrices;
    if (!routine) {
      constexpr int64_t lanes = 64 / sizeof(Real<T>);
      for (int64_t i = first; i < last; i += lanes) {
        // The upper triangle is the lower one of the transpose, and what is there are the conjugates.
        Strides strides = lower ? Strides{n, 1} : Strides{1, n};
        int32_t *info = tells ? item<int32_t>(buffers, 1, i, 1) : nullptr;
        choleskyOfSmall<T>(
            {item<T>(buffers, 0, i, n * n), n, last - i < lanes ? last - i : lanes, strides, !lower, info});
      }
    }
    for (int64_t i = first; i < last; ++i) {
      T *a = item<T>(buffers, 0, i, n * n);
      if (routine) {
        bool mirrors = lower && zeros && mirrorsFor<T>(n);
        if (mirrors)
          mirror(a, n, /*back=*/false);
        int size = static_cast<int>(n), info = 0;
        call(routine, lower && !mirrors ? "U" : "L", &size, a, &size, &info, kLength);
        if (mirrors)
          mirror(a, n, /*back=*/true);
        if (tells)
          *item<int32_t>(buffers, 1, i, 1) = info;
        if (info)
          fillTriangle<T>(a, n, lower, true, T(std::numeric_limits<Real<T>>::quiet_NaN()));
      }
      if (zeros)
        fillTriangle<T>(a, n, !lower, false, T(0));
    }
  }
}
XLA_RT_LAPACK(potrf)

/// parameters: n, right-hand sides, left side, lower, transpose ('N', 'T', 'C'), unit diagonal, parts; buffers: a, b,
/// which becomes x. An item of work is one of the parts that the right-hand sides of a system are cut into.
template <typename T> static void solve(Parameters p, Buffers buffers, int64_t begin, int64_t end) {
  int64_t n = p[0], count = p[1], parts = p[6];
  bool left = p[2], lower = p[3], unit = p[5];
  char transpose = static_cast<char>(p[4]);
  static void *cache;
  void *routine = n > kSmall ? find<T>(cache, "trsm") : nullptr;
  if (n > kSmall && !routine)
    return;
  for (int64_t index = begin; index < end; ++index) {
    int64_t system = index / parts, part = index % parts;
    int64_t first = count * part / parts, size = count * (part + 1) / parts - first;
    T *a = item<T>(buffers, 0, system, n * n), *b = item<T>(buffers, 1, system, n * count);
    b += left ? first : first * n;
    if (!routine) {
      // x op(a) = b is op(a)^T x^T = b^T.
      bool swap = (transpose == 'N') != left;
      Strides strides = swap ? Strides{1, n} : Strides{n, 1}, bStrides = left ? Strides{count, 1} : Strides{1, n};
      solveSmall<T>({a, b, n, size, strides, bStrides, lower != swap, unit, transpose == 'C'});
      continue;
    }
    int order = static_cast<int>(n), rows = static_cast<int>(left ? size : n), columns = left ? order : (int)size;
    int stride = left ? leading(count) : order;
    T one(1);
    call(routine, left ? "R" : "L", lower ? "U" : "L", &transpose, unit ? "U" : "N", &rows, &columns, &one, a, &order,
         b, &stride, kLength, kLength, kLength, kLength);
  }
}
XLA_RT_LAPACK(solve)

} // namespace xla_rt::lapack
