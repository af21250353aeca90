// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors of row-major matrices, by blocks of threads and right-looking: a step has one for each tile of what
// is left of a matrix. It subtracts from its tile what the columns of the step before contribute. Those of the first
// tiles eliminate: each does so with the tile on the diagonal, too, so that nobody waits for another. So the finished
// tile on the diagonal goes to the scratch memory, because others read there what it was.
// lowering/gpu/SolveSteps.cpp makes the steps.

#include "mlir_xla/runtime/cuda/device/Tiles.h"

namespace xla_rt::device {
namespace {

/// The parameters of the steps of a factor.
struct FactorPlan {
  int64_t n;
  int64_t lower;
  int64_t first;     // column of the step's tiles on the diagonal
  int64_t failures;  // in the scratch memory: for each matrix 0, or the first column, from 1, that is not positive
  int64_t diagonals; // there, too: finished tiles on the diagonal; -1 if they are in the matrix
  int64_t zeros;     // whether the other triangle becomes zero
  int64_t info;      // whether there is a result for the failures
};

/// A matrix as its lower factor. The upper factor is the lower one's adjoint: what lies transposed is conjugated.
template <typename T> struct Factor {
  T *elements;
  int64_t n;
  bool lower;
  XLA_RT_INLINE T get(int64_t i, int64_t j) const {
    return lower ? elements[i * n + j] : Number<T>::conjugated(elements[j * n + i]);
  }
  XLA_RT_INLINE void clear(int64_t i, int64_t j) const { elements[lower ? i * n + j : j * n + i] = T{}; }
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

template <typename T> XLA_RT_INLINE T notANumber() {
  return Number<T>::fromReal(static_cast<typename Number<T>::Real>(__builtin_nan("")));
}

/// What a thread has of tiles in registers: parts of a column of one on the diagonal, and of one that it shares.
template <typename T, int threads> struct Panel {
  Strip<T, threads> diagonal, below;
};

/// A row of a tile.
template <typename T> struct Row {
  T x[kTile];
  int32_t failure; // the first column, from 1, that is not positive; everybody knows
};

/// In shared memory a tile lies row by row, so that threads read one each without a conflict of banks.
constexpr int kRowStride = kTile + 1;

/// Eliminates the columns of a tile on the diagonal, one after the other, and with them those of the tile below it. The
/// first threads have a row each of the former, then as many one of the latter, the others wait. Everybody knows a
/// column when it is finished but for its factor, from shared memory: two columns in turn, of which the first one is
/// there. Between two columns there is one barrier, and little else that depends on another thread. Of `size` columns,
/// the code is for `width`, which is known where it is not all of a tile.
/// (An element divided by a subnormal pivot may overflow.)
template <typename T, int threads, typename Own>
XLA_RT_INLINE void eliminate(Own &rows, T *columns, int size, int width, bool hasBelow) {
  using Real = typename Number<T>::Real;
  eachNumber<0, kTile>([&](auto number) __attribute__((always_inline)) {
    constexpr int j = decltype(number)::value;
    if (j >= size)
      return;
    const T *column = columns + j % 2 * kTile;
    T *next = columns + (j + 1) % 2 * kTile;
    auto step = [&](int thread) __attribute__((always_inline)) {
      Row<T> &row = rows.of(thread);
      Real d = Number<T>::realPart(column[j]);
      if (!(d > 0) && !row.failure)
        row.failure = j + 1;
      if (thread >= (hasBelow ? 2 : 1) * kTile)
        return;
      Real root = squareRoot(d), scale = Real(1) / root;
      T finished = row.x[j] * scale, left = finished * scale;
#pragma unroll
      for (int c = j + 1; c < kTile; ++c) {
        if (c >= width)
          break;
        row.x[c] = Number<T>::lessConjugate(row.x[c], left, column[c]);
        if (c == j + 1 && thread < kTile)
          next[thread] = row.x[c];
      }
      row.x[j] = thread == j ? Number<T>::fromReal(root) : finished;
    };
    eachThread<threads>(step, /*waits=*/j + 1 < kTile && j + 1 < size);
  });
}

/// From shared memory, where the rows of the tiles are; the first column of the one on the diagonal goes to `columns`.
template <typename T, int threads, typename Own>
XLA_RT_INLINE void takeRows(Own &rows, const T *diagonal, const T *below, T *columns, int width, bool hasBelow) {
  eachThread<threads>([&](int thread) __attribute__((always_inline)) {
    Row<T> &row = rows.of(thread);
    row.failure = 0;
    if (thread >= (hasBelow ? 2 : 1) * kTile)
      return;
    const T *from = (thread < kTile ? diagonal : below) + laneOf(thread) * kRowStride;
#pragma unroll
    for (int c = 0; c < kTile; ++c)
      row.x[c] = c < width ? from[c] : Number<T>::fromReal(0);
    if (thread < kTile)
      columns[thread] = row.x[0];
  });
}

/// And back.
template <typename T, int threads, typename Own>
XLA_RT_INLINE void giveRows(Own &rows, T *diagonal, T *below, int width, bool hasBelow) {
  eachThread<threads>([&](int thread) __attribute__((always_inline)) {
    if (thread >= (hasBelow ? 2 : 1) * kTile)
      return;
    T *to = (thread < kTile ? diagonal : below) + laneOf(thread) * kRowStride;
#pragma unroll
    for (int c = 0; c < kTile; ++c)
      if (c < width)
        to[c] = rows.of(thread).x[c];
  });
}

/// Matrices that are no larger than a tile. An item is one.
template <typename T>
XLA_RT_INLINE void factorSmall(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  constexpr int threads = kSmallTeam, rows = kRowsOfThread<threads>;
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(tileBytes, kSharedTile<T>);
  XLA_RT_SHARED(bytes, 2 * kTile * sizeof(T));
  T *tile = reinterpret_cast<T *>(tileBytes), *columns = reinterpret_cast<T *>(bytes);
  Own<Row<T>, threads> ofThreads;
  int size = static_cast<int>(plan.n);
  for (int64_t matrix = begin; matrix < end; ++matrix) {
    Factor<T> a = factorOf<T>(plan, buffers, matrix);
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      int c = laneOf(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q) {
        int i = rowOf<threads>(thread, q);
        tile[i * kRowStride + c] = i < size && c <= i ? a.get(i, c) : Number<T>::fromReal(0);
      }
    });
    takeRows<T, threads>(ofThreads, tile, tile, columns, size, /*hasBelow=*/false);
    eliminate<T, threads>(ofThreads, columns, size, size, /*hasBelow=*/false);
    giveRows<T, threads>(ofThreads, tile, tile, size, /*hasBelow=*/false);
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      int32_t failure = ofThreads.of(thread).failure;
      int c = laneOf(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q) {
        int i = rowOf<threads>(thread, q);
        if (i >= size || c >= size)
          continue;
        if (c <= i)
          a.set(i, c, failure ? notANumber<T>() : tile[i * kRowStride + c]);
        else if (plan.zeros)
          a.clear(i, c);
      }
      if (plan.info && thread == 0)
        static_cast<int32_t *>(buffers[1])[matrix] = failure;
    });
  }
}

/// A tile of what a step has to do with a matrix, in tiles from the step's column on.
struct FactorTile {
  int64_t down, right;
  bool exists;
};

/// The tiles of the first column come first, then the triangle behind them: two rows of it have together as many tiles
/// as any other two, the first and the last one, and so on.
XLA_RT_INLINE FactorTile tileOf(int64_t item, int64_t tiles) {
  if (item < tiles)
    return {item, 0, true};
  item -= tiles;
  int64_t rows = tiles - 1, row = item / tiles, place = item % tiles, other = rows - 1 - row;
  if (place <= row)
    return {1 + row, 1 + place, true};
  return {1 + other, place - row, other != row};
}
XLA_RT_INLINE int64_t itemsOf(int64_t tiles, bool hasTriangle) { return tiles + (hasTriangle ? tiles / 2 * tiles : 0); }

template <typename T>
XLA_RT_INLINE void factorStep(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  constexpr int threads = kTileTeam, rows = kRowsOfThread<threads>;
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(downBytes, kSharedTile<T>);
  XLA_RT_SHARED(rightBytes, kSharedTile<T>);
  XLA_RT_SHARED(bytes, 2 * kTile * sizeof(T));
  T *ofRows = reinterpret_cast<T *>(downBytes), *ofColumns = reinterpret_cast<T *>(rightBytes);
  T *columns = reinterpret_cast<T *>(bytes);
  auto *failures = reinterpret_cast<int32_t *>(bytesAt(scratch, plan.failures));
  Own<Panel<T, threads>, threads> panels;
  Own<Row<T>, threads> ofThreads;
  int64_t rest = plan.n - plan.first, tiles = (rest + kTile - 1) / kTile, before = plan.first - kTile;
  int64_t items = itemsOf(tiles, before >= 0);
  for (int64_t item = begin; item < end; ++item) {
    int64_t matrix = item / items;
    FactorTile tile = tileOf(item % items, tiles);
    if (!tile.exists)
      continue;
    Factor<T> a = factorOf<T>(plan, buffers, matrix);
    bool isPanel = tile.right == 0, isDiagonal = tile.down == 0;
    // Where the tile begins, and what is left from there on.
    int64_t i0 = plan.first + tile.down * kTile, j0 = plan.first + tile.right * kTile;
    int64_t height = plan.n - i0, width = plan.n - j0;
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      Panel<T, threads> &panel = panels.of(thread);
      int c = laneOf(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q) {
        int i = rowOf<threads>(thread, q);
        bool isThere = i < height && c < width && (tile.down != tile.right || c <= i);
        panel.below.rows[q] = isThere && !isDiagonal ? a.get(i0 + i, j0 + c) : Number<T>::fromReal(0);
        bool isOnDiagonal = isPanel && i < rest && c <= i;
        panel.diagonal.rows[q] = isOnDiagonal ? a.get(plan.first + i, plan.first + c) : Number<T>::fromReal(0);
      }
      if (before >= 0) {
        bringTile<threads>(ofRows, thread, a.lower, height, kTile,
                           [&](int r, int k) __attribute__((always_inline)) { return a.get(i0 + r, before + k); });
        bringTile<threads>(ofColumns, thread, a.lower, width, kTile,
                           [&](int r, int k) __attribute__((always_inline)) { return a.get(j0 + r, before + k); });
      }
    });
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      Panel<T, threads> &panel = panels.of(thread);
      int c = laneOf(thread), first = rowOf<threads>(thread, 0);
      if (before >= 0) {
#pragma unroll 4
        for (int k = 0; k < kTile; ++k) {
          const T *ofRow = ofRows + k * kTileStride + first, *ofColumn = ofColumns + k * kTileStride;
          T right = ofColumn[c];
#pragma unroll
          for (int q = 0; q < rows; ++q)
            panel.below.rows[q] = Number<T>::lessConjugate(panel.below.rows[q], ofRow[q], right);
          if (!isPanel)
            continue;
#pragma unroll
          for (int q = 0; q < rows; ++q)
            panel.diagonal.rows[q] = Number<T>::lessConjugate(panel.diagonal.rows[q], ofColumn[first + q], right);
        }
      }
#pragma unroll
      for (int q = 0; q < rows; ++q)
        if (int i = rowOf<threads>(thread, q);
            !isPanel && i < height && c < width && (tile.down != tile.right || c <= i))
          a.set(i0 + i, j0 + c, panel.below.rows[q]);
    });
    if (!isPanel)
      continue;
    // What was multiplied is not needed any longer.
    T *diagonal = ofRows, *below = ofColumns;
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      const Panel<T, threads> &panel = panels.of(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q) {
        int place = rowOf<threads>(thread, q) * kRowStride + laneOf(thread);
        diagonal[place] = panel.diagonal.rows[q];
        below[place] = panel.below.rows[q];
      }
    });
    int size = static_cast<int>(least(kTile, rest));
    takeRows<T, threads>(ofThreads, diagonal, below, columns, kTile, !isDiagonal);
    eliminate<T, threads>(ofThreads, columns, size, kTile, !isDiagonal);
    giveRows<T, threads>(ofThreads, diagonal, below, kTile, !isDiagonal);
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      int c = laneOf(thread);
      if (!isDiagonal) {
#pragma unroll
        for (int q = 0; q < rows; ++q)
          if (int i = rowOf<threads>(thread, q); i < height)
            a.set(i0 + i, j0 + c, below[i * kRowStride + c]);
        return;
      }
      T *to = reinterpret_cast<T *>(bytesAt(scratch, plan.diagonals)) +
              (matrix * ((plan.n + kTile - 1) / kTile) + plan.first / kTile) * kTile * kTile;
#pragma unroll
      for (int q = 0; q < rows; ++q)
        if (int i = rowOf<threads>(thread, q); c <= i && i < size)
          to[i * kTile + c] = diagonal[i * kRowStride + c];
      if (thread == 0) {
        int32_t earlier = plan.first > 0 ? failures[matrix] : 0, failure = ofThreads.of(thread).failure;
        failures[matrix] = earlier ? earlier : failure ? static_cast<int32_t>(plan.first) + failure : 0;
      }
    });
  }
}

/// Matrices of a few columns: an item is one, and one thread's.
template <typename T>
XLA_RT_INLINE void factorTiny(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  auto *failures = reinterpret_cast<int32_t *>(bytesAt(scratch, plan.failures));
  for (int64_t matrix = begin; matrix < end; ++matrix) {
    Factor<T> a = factorOf<T>(plan, buffers, matrix);
    int32_t failure = 0;
    for (int64_t j = 0; j < plan.n && !failure; ++j) {
      auto diagonal = Number<T>::realPart(a.get(j, j));
      for (int64_t k = 0; k < j; ++k) {
        T x = a.get(j, k);
        diagonal = Number<T>::realPart(Number<T>::lessConjugate(Number<T>::fromReal(diagonal), x, x));
      }
      if (!(diagonal > 0)) {
        failure = static_cast<int32_t>(j) + 1;
        break;
      }
      diagonal = squareRoot(diagonal);
      a.set(j, j, Number<T>::fromReal(diagonal));
      for (int64_t i = j + 1; i < plan.n; ++i) {
        T sum = a.get(i, j);
        for (int64_t k = 0; k < j; ++k)
          sum = Number<T>::lessConjugate(sum, a.get(i, k), a.get(j, k));
        a.set(i, j, Number<T>::overReal(sum, diagonal));
      }
    }
    failures[matrix] = failure;
  }
}

/// The other triangle, tiles on the diagonal, NaN in those that failed, and what is said of that. An item is an
/// element.
template <typename T>
XLA_RT_INLINE void factorFinish(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  FactorPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  const auto *failures = reinterpret_cast<const int32_t *>(bytesAt(scratch, plan.failures));
  const T *diagonals = reinterpret_cast<const T *>(bytesAt(scratch, plan.diagonals));
  for (int64_t item = begin; item < end; ++item) {
    int64_t matrix = item / (plan.n * plan.n), row = item / plan.n % plan.n, column = item % plan.n;
    int64_t i = plan.lower ? row : column, j = plan.lower ? column : row;
    Factor<T> a = factorOf<T>(plan, buffers, matrix);
    if (j > i) {
      if (plan.zeros)
        a.clear(i, j);
    } else if (failures[matrix]) {
      a.set(i, j, notANumber<T>());
    } else if (plan.diagonals >= 0 && i / kTile == j / kTile) {
      int64_t tile = matrix * ((plan.n + kTile - 1) / kTile) + i / kTile;
      a.set(i, j, diagonals[(tile * kTile + i % kTile) * kTile + j % kTile]);
    }
    if (plan.info && i == 0 && j == 0)
      static_cast<int32_t *>(buffers[1])[matrix] = failures[matrix];
  }
}

} // namespace
} // namespace xla_rt::device

XLA_RT_SOLVE(factor_tiny, factorTiny)
XLA_RT_SOLVE(factor_small, factorSmall)
XLA_RT_SOLVE(factor_step, factorStep)
XLA_RT_SOLVE(factor_finish, factorFinish)
