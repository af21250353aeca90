// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangular systems of row-major matrices, by blocks of threads: a step has one for each tile of the unknowns that are
// not known yet. It subtracts from its tile what the unknowns of the step before contribute, and those of the first
// tiles then multiply what is left by the inverse of the triangle there, which a step before all has found. Small
// systems are solved one row after the other. lowering/gpu/SolveSteps.cpp makes the steps.

#include "mlir_xla/runtime/cuda/device/Tiles.h"

namespace xla_rt::device {
namespace {

/// The parameters of the steps of systems l x = b. Strides are of the triangle as it is meant, and of the right-hand
/// sides as columns.
struct SolvePlan {
  int64_t n, count; // equations and right-hand sides
  int64_t row, column, bRow, bColumn;
  int64_t lower, unit, conjugates;
  int64_t first;    // equation of the step's first tiles
  int64_t inverses; // of the tiles on the diagonal, row by row, in the scratch memory; -1 without
};

/// A system whose equations are in the order in which they are solved.
template <typename T> struct System {
  const T *a;
  T *b;
  SolvePlan plan;

  XLA_RT_INLINE int64_t at(int64_t i) const { return plan.lower ? i : plan.n - 1 - i; }
  XLA_RT_INLINE T get(int64_t i, int64_t j) const {
    T x = a[at(i) * plan.row + at(j) * plan.column];
    return plan.conjugates ? Number<T>::conjugated(x) : x;
  }
  XLA_RT_INLINE T &unknown(int64_t i, int64_t column) const { return b[at(i) * plan.bRow + column * plan.bColumn]; }
};

template <typename T> XLA_RT_INLINE System<T> systemOf(const SolvePlan &plan, Buffers buffers, int64_t system) {
  return {static_cast<const T *>(buffers[0]) + system * plan.n * plan.n,
          static_cast<T *>(buffers[1]) + system * plan.n * plan.count, plan};
}

/// Finds the unknowns of a tile, of which `triangle` holds the equations. Everybody knows a row when it is finished but
/// for its divisor, from shared memory: two rows in turn, which `known` has room for. The first one is there, and the
/// last one is of no use to others.
template <typename T, int threads, typename Own>
XLA_RT_INLINE void substitute(Own &strips, const T *triangle, T *known, int size, bool unit) {
  for (int j = 0; j < size; ++j) {
    const T *row = known + j % 2 * kTile, *column = triangle + j * kTileStride;
    T *next = known + (j + 1) % 2 * kTile;
    auto step = [&](int thread) __attribute__((always_inline)) {
      int c = laneOf(thread), first = rowOf<threads>(thread, 0);
      if (first + kRowsOfThread<threads> <= j)
        return;
      T x = unit ? row[c] : Number<T>::over(row[c], column[j]);
#pragma unroll
      for (int q = 0; q < kRowsOfThread<threads>; ++q) {
        T &mine = strips.of(thread).rows[q];
        if (first + q == j)
          mine = x;
        else if (first + q > j)
          mine = Number<T>::less(mine, column[first + q], x);
        if (first + q == j + 1)
          next[c] = mine;
      }
    };
    eachThread<threads>(step, /*waits=*/j + 1 < size);
  }
}

/// The equations of a tile on the diagonal, for `substitute`.
template <typename T, int threads>
XLA_RT_INLINE void bringTriangle(T *triangle, int thread, const System<T> &s, int64_t i0, int64_t height) {
  bringTile<threads>(triangle, thread, s.plan.column == 1, height, height,
                     [&](int r, int k) __attribute__((always_inline)) {
                       return r > k || (r == k && !s.plan.unit) ? s.get(i0 + r, i0 + k) : Number<T>::fromReal(0);
                     });
}

template <typename T> XLA_RT_INLINE T *inverseOf(const SolvePlan &plan, void *scratch, int64_t system, int64_t i0) {
  int64_t tiles = (plan.n + kTile - 1) / kTile;
  return reinterpret_cast<T *>(bytesAt(scratch, plan.inverses)) + (system * tiles + i0 / kTile) * kTile * kTile;
}

/// The inverses of the triangles on the diagonal. An item is one of a system.
template <typename T>
XLA_RT_INLINE void invertTiles(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  constexpr int threads = kTileTeam, rows = kRowsOfThread<threads>;
  SolvePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(triangleBytes, kSharedTile<T>);
  XLA_RT_SHARED(knownBytes, 2 * kTile * sizeof(T));
  T *triangle = reinterpret_cast<T *>(triangleBytes), *known = reinterpret_cast<T *>(knownBytes);
  Own<Strip<T, threads>, threads> strips;
  int64_t tiles = (plan.n + kTile - 1) / kTile;
  for (int64_t item = begin; item < end; ++item) {
    System<T> s = systemOf<T>(plan, buffers, item / tiles);
    int64_t i0 = item % tiles * kTile, height = least(kTile, plan.n - i0);
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      int c = laneOf(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q) {
        int i = rowOf<threads>(thread, q);
        strips.of(thread).rows[q] = Number<T>::fromReal(i == c && i < height ? 1 : 0);
      }
      bringTriangle<T, threads>(triangle, thread, s, i0, height);
      if (rowOf<threads>(thread, 0) == 0)
        known[c] = strips.of(thread).rows[0];
    });
    substitute<T, threads>(strips, triangle, known, static_cast<int>(height), plan.unit);
    T *inverse = inverseOf<T>(plan, scratch, item / tiles, i0);
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
#pragma unroll
      for (int q = 0; q < rows; ++q)
        inverse[rowOf<threads>(thread, q) * kTile + laneOf(thread)] = strips.of(thread).rows[q];
    });
  }
}

/// An item is a tile of a system.
template <typename T, int threads>
XLA_RT_INLINE void solveTiles(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  constexpr int rows = kRowsOfThread<threads>;
  SolvePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(triangleBytes, kSharedTile<T>);
  XLA_RT_SHARED(knownBytes, kSharedTile<T>);
  T *triangle = reinterpret_cast<T *>(triangleBytes), *known = reinterpret_cast<T *>(knownBytes);
  Own<Strip<T, threads>, threads> strips;
  int64_t before = plan.first - kTile, rest = plan.n - plan.first;
  int64_t tilesDown = before >= 0 ? (rest + kTile - 1) / kTile : 1, tilesRight = (plan.count + kTile - 1) / kTile;
  for (int64_t item = begin; item < end; ++item) {
    System<T> s = systemOf<T>(plan, buffers, item / tilesRight / tilesDown);
    // The first tiles take longest.
    int64_t i0 = plan.first + item / tilesRight % tilesDown * kTile, j0 = item % tilesRight * kTile;
    int64_t height = plan.n - i0, width = plan.count - j0;
    bool alongRows = plan.column == 1;
    // The product of both tiles in shared memory.
    auto subtract = [&](bool waits) __attribute__((always_inline)) {
      auto each = [&](int thread) __attribute__((always_inline)) {
        int c = laneOf(thread), first = rowOf<threads>(thread, 0);
#pragma unroll 4
        for (int k = 0; k < kTile; ++k) {
          T x = known[k * kTileStride + c];
#pragma unroll
          for (int q = 0; q < rows; ++q) {
            T &mine = strips.of(thread).rows[q];
            mine = Number<T>::less(mine, triangle[k * kTileStride + first + q], x);
          }
        }
      };
      eachThread<threads>(each, waits);
    };
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      int c = laneOf(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q) {
        int i = rowOf<threads>(thread, q);
        strips.of(thread).rows[q] = i < height && c < width ? s.unknown(i0 + i, j0 + c) : Number<T>::fromReal(0);
      }
    });
    if (before >= 0) {
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        bringTile<threads>(triangle, thread, alongRows, height, kTile,
                           [&](int r, int k) __attribute__((always_inline)) { return s.get(i0 + r, before + k); });
        bringTile<threads>(known, thread, plan.bColumn != 1, width, kTile,
                           [&](int r, int k) __attribute__((always_inline)) { return s.unknown(before + k, j0 + r); });
      });
      subtract(/*waits=*/true);
    }
    if (i0 == plan.first && plan.inverses >= 0) {
      const T *inverse = inverseOf<T>(plan, scratch, item / tilesRight / tilesDown, i0);
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        bringTile<threads>(triangle, thread, /*alongRows=*/true, kTile, kTile,
                           [&](int r, int k) __attribute__((always_inline)) { return inverse[r * kTile + k]; });
#pragma unroll
        for (int q = 0; q < rows; ++q) {
          T &mine = strips.of(thread).rows[q];
          known[rowOf<threads>(thread, q) * kTileStride + laneOf(thread)] =
              Number<T>::less(Number<T>::fromReal(0), Number<T>::fromReal(1), mine);
          mine = Number<T>::fromReal(0);
        }
      });
      subtract(/*waits=*/false);
    } else if (i0 == plan.first) {
      eachThread<threads>([&](int thread) __attribute__((always_inline)) {
        bringTriangle<T, threads>(triangle, thread, s, i0, height);
        if (rowOf<threads>(thread, 0) == 0)
          known[laneOf(thread)] = strips.of(thread).rows[0];
      });
      substitute<T, threads>(strips, triangle, known, static_cast<int>(least(kTile, rest)), plan.unit);
    }
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      int c = laneOf(thread);
#pragma unroll
      for (int q = 0; q < rows; ++q)
        if (int i = rowOf<threads>(thread, q); i < height && c < width)
          s.unknown(i0 + i, j0 + c) = strips.of(thread).rows[q];
    });
  }
}

template <typename T>
XLA_RT_INLINE void solveStep(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  solveTiles<T, kTileTeam>(p, buffers, begin, end, scratch);
}

/// Systems of no more equations than a tile has rows. An item is as many of its right-hand sides as a tile has columns.
template <typename T>
XLA_RT_INLINE void solveSmall(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *scratch) {
  solveTiles<T, kSmallTeam>(p, buffers, begin, end, scratch);
}

/// Systems of a few equations: an item is a right-hand side, and one thread's.
template <typename T> XLA_RT_INLINE void solveTiny(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  SolvePlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  for (int64_t item = begin; item < end; ++item) {
    System<T> s = systemOf<T>(plan, buffers, item / plan.count);
    int64_t column = item % plan.count;
    for (int64_t i = 0; i < plan.n; ++i) {
      T sum = s.unknown(i, column);
      for (int64_t k = 0; k < i; ++k)
        sum = Number<T>::less(sum, s.get(i, k), s.unknown(k, column));
      s.unknown(i, column) = plan.unit ? sum : Number<T>::over(sum, s.get(i, i));
    }
  }
}

} // namespace
} // namespace xla_rt::device

XLA_RT_SOLVE(solve_tiny, solveTiny)
XLA_RT_SOLVE(solve_small, solveSmall)
XLA_RT_SOLVE(solve_invert, invertTiles)
XLA_RT_SOLVE(solve_step, solveStep)
