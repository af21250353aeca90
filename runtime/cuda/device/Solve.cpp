// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors and triangular systems, of row-major matrices: right-looking, block by block. A block on the
// diagonal is a few items' work; what is updated with it has items for many threads. lowering/gpu/SolveSteps.cpp makes
// the steps.

#include "mlir_xla/runtime/cuda/device/Twiddles.h"

namespace xla_rt::device {
namespace {

/// Rows and columns of a block, of which a thread has a row in registers.
constexpr int kBlock = 16;
/// An update of a factor is done in tiles of so many rows and columns, one of a system in so many rows.
constexpr int kTile = 4;

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
};

XLA_RT_INLINE float squareRoot(float x) { return __builtin_sqrtf(x); }
XLA_RT_INLINE double squareRoot(double x) { return __builtin_sqrt(x); }

//===- Cholesky factors -------------------------------------------------------------------------------------------===//

/// The parameters of the steps of a factor.
struct FactorPlan {
  int64_t n;
  int64_t lower;
  int64_t first, size; // of the block
  int64_t failures;    // in the scratch memory: for each matrix 0, or the first column, from 1, that is not positive
  int64_t zeros;       // whether the other triangle becomes zero
  int64_t info;        // whether there is a result for the failures
};

/// A matrix as its lower factor. The upper factor is the lower one's adjoint: what lies transposed is conjugated.
template <typename T> struct Factor {
  T *elements;
  int64_t n;
  bool lower;
  XLA_RT_INLINE T get(int64_t i, int64_t j) const {
    return lower ? elements[i * n + j] : Number<T>::conjugated(elements[j * n + i]);
  }
  XLA_RT_INLINE void set(int64_t i, int64_t j, T x) const {
    if (lower)
      elements[i * n + j] = x;
    else
      elements[j * n + i] = i == j ? x : Number<T>::conjugated(x); // no negative zeros on the diagonal
  }
};

template <typename T> XLA_RT_INLINE Factor<T> factorOf(const FactorPlan &plan, Buffers buffers, int64_t matrix) {
  return {static_cast<T *>(buffers[0]) + matrix * plan.n * plan.n, plan.n, plan.lower != 0};
}

/// The factor of a block on the diagonal. An item is a matrix.
template <typename T>
XLA_RT_INLINE void factorDiagonal(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  auto *failures = reinterpret_cast<int32_t *>(bytesAt(scratch, plan.failures));
  for (int64_t matrix = begin; matrix < end; ++matrix) {
    Factor<T> a = factorOf<T>(plan, buffers, matrix);
    int32_t failure = plan.first > 0 ? failures[matrix] : 0;
    for (int64_t j = plan.first; j < plan.first + plan.size && !failure; ++j) {
      auto diagonal = Number<T>::realPart(a.get(j, j));
      for (int64_t k = plan.first; k < j; ++k) {
        T x = a.get(j, k);
        diagonal = Number<T>::realPart(Number<T>::lessConjugate(Number<T>::fromReal(diagonal), x, x));
      }
      if (!(diagonal > 0)) {
        failure = static_cast<int32_t>(j) + 1;
        break;
      }
      diagonal = squareRoot(diagonal);
      a.set(j, j, Number<T>::fromReal(diagonal));
      for (int64_t i = j + 1; i < plan.first + plan.size; ++i) {
        T sum = a.get(i, j);
        for (int64_t k = plan.first; k < j; ++k)
          sum = Number<T>::lessConjugate(sum, a.get(i, k), a.get(j, k));
        a.set(i, j, Number<T>::overReal(sum, diagonal));
      }
    }
    failures[matrix] = failure;
  }
}

/// The rows below a whole block. An item is a row of a matrix.
template <typename T>
XLA_RT_INLINE void factorPanel(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  int64_t next = plan.first + kBlock, rows = plan.n - next;
  for (int64_t item = begin; item < end; ++item) {
    Factor<T> a = factorOf<T>(plan, buffers, item / rows);
    int64_t i = next + item % rows;
    T row[kBlock];
#pragma unroll
    for (int j = 0; j < kBlock; ++j)
      row[j] = a.get(i, plan.first + j);
#pragma unroll
    for (int j = 0; j < kBlock; ++j) {
#pragma unroll
      for (int k = 0; k < j; ++k)
        row[j] = Number<T>::lessConjugate(row[j], row[k], a.get(plan.first + j, plan.first + k));
      row[j] = Number<T>::overReal(row[j], Number<T>::realPart(a.get(plan.first + j, plan.first + j)));
    }
#pragma unroll
    for (int j = 0; j < kBlock; ++j)
      a.set(i, plan.first + j, row[j]);
  }
}

/// What is right of the block, less the products of those rows. An item is a tile.
template <typename T>
XLA_RT_INLINE void factorUpdate(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  int64_t next = plan.first + kBlock, tiles = (plan.n - next + kTile - 1) / kTile;
  for (int64_t item = begin; item < end; ++item) {
    Factor<T> a = factorOf<T>(plan, buffers, item / tiles / tiles);
    int64_t down = item / tiles % tiles, right = item % tiles;
    // Neighbouring items are neighbours in memory.
    if (!plan.lower) {
      int64_t other = down;
      down = right;
      right = other;
    }
    if (right > down)
      continue;
    int64_t i = next + down * kTile, j = next + right * kTile;
    T sums[kTile][kTile] = {};
#pragma unroll
    for (int r = 0; r < kTile; ++r)
#pragma unroll
      for (int c = 0; c < kTile; ++c)
        if (i + r < plan.n && j + c <= i + r)
          sums[r][c] = a.get(i + r, j + c);
    for (int k = 0; k < kBlock; ++k) {
      T rows[kTile], columns[kTile];
#pragma unroll
      for (int r = 0; r < kTile; ++r) {
        rows[r] = a.get(least(i + r, plan.n - 1), plan.first + k);
        columns[r] = a.get(least(j + r, plan.n - 1), plan.first + k);
      }
#pragma unroll
      for (int r = 0; r < kTile; ++r)
#pragma unroll
        for (int c = 0; c < kTile; ++c)
          sums[r][c] = Number<T>::lessConjugate(sums[r][c], rows[r], columns[c]);
    }
#pragma unroll
    for (int r = 0; r < kTile; ++r)
#pragma unroll
      for (int c = 0; c < kTile; ++c)
        if (i + r < plan.n && j + c <= i + r)
          a.set(i + r, j + c, sums[r][c]);
  }
}

/// The other triangle, NaN in those that failed, and what is said of that. An item is an element.
template <typename T>
XLA_RT_INLINE void factorFinish(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const auto *failures = reinterpret_cast<const int32_t *>(bytesAt(scratch, plan.failures));
  for (int64_t item = begin; item < end; ++item) {
    int64_t matrix = item / (plan.n * plan.n), i = item / plan.n % plan.n, j = item % plan.n;
    T *elements = static_cast<T *>(buffers[0]);
    if (plan.lower ? j > i : i > j) {
      if (plan.zeros)
        elements[item] = Number<T>::fromReal(0);
    } else if (failures[matrix]) {
      elements[item] = Number<T>::fromReal(static_cast<typename Number<T>::Real>(__builtin_nan("")));
    }
    if (plan.info && i == 0 && j == 0)
      static_cast<int32_t *>(buffers[1])[matrix] = failures[matrix];
  }
}

//===- Triangular systems -----------------------------------------------------------------------------------------===//

/// The parameters of the steps of systems l x = b. Strides are of the triangle as it is meant, and of the right-hand
/// sides as columns.
struct SolvePlan {
  int64_t n, count; // equations and right-hand sides
  int64_t row, column, bRow, bColumn;
  int64_t lower, unit, conjugates;
  int64_t first, size; // of the block
};

template <typename T> struct System {
  const T *a;
  T *b;
  SolvePlan plan;

  XLA_RT_INLINE T get(int64_t i, int64_t j) const {
    T x = a[i * plan.row + j * plan.column];
    return plan.conjugates ? Number<T>::conjugated(x) : x;
  }
  XLA_RT_INLINE T &unknown(int64_t i, int64_t column) const { return b[i * plan.bRow + column * plan.bColumn]; }
};

template <typename T> XLA_RT_INLINE System<T> systemOf(const SolvePlan &plan, Buffers buffers, int64_t system) {
  return {static_cast<const T *>(buffers[0]) + system * plan.n * plan.n,
          static_cast<T *>(buffers[1]) + system * plan.n * plan.count, plan};
}

/// The unknowns of a block, if those before it are known and what they contribute has been subtracted. An item is a
/// right-hand side.
template <typename T>
XLA_RT_INLINE void solveDiagonal(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  SolvePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  for (int64_t item = begin; item < end; ++item) {
    System<T> s = systemOf<T>(plan, buffers, item / plan.count);
    int64_t column = item % plan.count, start = plan.lower ? plan.first : plan.first + plan.size - 1;
    int64_t step = plan.lower ? 1 : -1;
    for (int64_t done = 0; done < plan.size; ++done) {
      int64_t i = start + step * done;
      T sum = s.unknown(i, column);
      for (int64_t k = 0; k < done; ++k)
        sum = Number<T>::less(sum, s.get(i, start + step * k), s.unknown(start + step * k, column));
      s.unknown(i, column) = plan.unit ? sum : Number<T>::over(sum, s.get(i, i));
    }
  }
}

/// What the unknowns of a whole block contribute to the equations that are left. An item is a tile of rows of a
/// right-hand side.
template <typename T>
XLA_RT_INLINE void solveUpdate(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  SolvePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  int64_t from = plan.lower ? plan.first + plan.size : 0, to = plan.lower ? plan.n : plan.first;
  int64_t tiles = (to - from + kTile - 1) / kTile;
  for (int64_t item = begin; item < end; ++item) {
    System<T> s = systemOf<T>(plan, buffers, item / tiles / plan.count);
    int64_t rest = item % (tiles * plan.count);
    // Neighbouring items are neighbours in memory.
    bool together = plan.bColumn == 1;
    int64_t tile = together ? rest / plan.count : rest % tiles, column = together ? rest % plan.count : rest / tiles;
    int64_t i = from + tile * kTile;
    T sums[kTile];
#pragma unroll
    for (int r = 0; r < kTile; ++r)
      sums[r] = s.unknown(least(i + r, to - 1), column);
    for (int64_t k = plan.first; k < plan.first + plan.size; ++k) {
      T x = s.unknown(k, column);
#pragma unroll
      for (int r = 0; r < kTile; ++r)
        sums[r] = Number<T>::less(sums[r], s.get(least(i + r, to - 1), k), x);
    }
#pragma unroll
    for (int r = 0; r < kTile; ++r)
      if (i + r < to)
        s.unknown(i + r, column) = sums[r];
  }
}

} // namespace
} // namespace xla_rt::device

#define XLA_RT_SOLVE_STEP(NAME, FUNCTION, PREFIX, TYPE)                                                                \
  XLA_RT_DEVICE void xla_rt_gpu_##NAME##_##PREFIX(const int64_t *parameters, void *const *buffers, int64_t begin,      \
                                                  int64_t end, void *scratch) {                                        \
    xla_rt::device::FUNCTION<TYPE>(parameters, buffers, begin, end, scratch);                                          \
  }
#define XLA_RT_SOLVE(NAME, FUNCTION)                                                                                   \
  XLA_RT_SOLVE_STEP(NAME, FUNCTION, s, float)                                                                          \
  XLA_RT_SOLVE_STEP(NAME, FUNCTION, d, double)                                                                         \
  XLA_RT_SOLVE_STEP(NAME, FUNCTION, c, xla_rt::device::Complex<float>)                                                 \
  XLA_RT_SOLVE_STEP(NAME, FUNCTION, z, xla_rt::device::Complex<double>)
XLA_RT_SOLVE(factor_diagonal, factorDiagonal)
XLA_RT_SOLVE(factor_panel, factorPanel)
XLA_RT_SOLVE(factor_update, factorUpdate)
XLA_RT_SOLVE(factor_finish, factorFinish)
XLA_RT_SOLVE(solve_diagonal, solveDiagonal)
XLA_RT_SOLVE(solve_update, solveUpdate)
