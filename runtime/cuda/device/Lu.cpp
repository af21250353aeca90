// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factors, as LAPACK's getrf finds them, of column-major matrices that are no larger than a tile: a block has one, a
// lane a row of it in shared memory. Rows stay where they are and know their places among the others, which change
// when a pivot is found. lowering/gpu/SolveSteps.cpp makes the step.

#include "mlir_xla/runtime/cuda/device/Tiles.h"

namespace xla_rt::device {
namespace {

/// The parameters of a step.
struct LuPlan {
  int64_t m, n;
  int64_t base;     // number of the first row in what is said of pivots
  int64_t permutes; // whether the last result is the permutation of the rows; else it is the first column, from 1,
                    // without a pivot, or 0
};

/// What can be the pivot of a column: the larger, of equal ones that at the first place.
template <typename Real> struct Candidate {
  Real size; // -1: none
  int32_t place, row;
  XLA_RT_INLINE void take(const Candidate &other) {
    if (other.size > size || (other.size == size && other.place < place))
      *this = other;
  }
};

/// Those of all rows; what a block shares.
template <typename Real> struct Candidates {
  Real sizes[kTile];
  int32_t places[kTile];

  /// In several chains, as one comparison waits for another.
  XLA_RT_INLINE Candidate<Real> best(int rows) const {
    constexpr int chains = 4;
    Candidate<Real> found[chains];
#pragma unroll
    for (int row = 0; row < kTile; ++row) {
      if (row >= rows)
        break;
      Candidate<Real> here = {sizes[row], places[row], row};
      if (row < chains)
        found[row] = here;
      else
        found[row % chains].take(here);
    }
#pragma unroll
    for (int chain = 1; chain < chains; ++chain)
      if (chain < rows)
        found[0].take(found[chain]);
    return found[0];
  }
};

/// What a thread knows of its row from one column to the next. The row's factor of the column before is written when
/// nobody reads what was there.
template <typename T> struct LuRow {
  T factor;
  int32_t place; // -1: there is no such row
  bool hasFactor;
};

/// Columns that a thread has on their way at a time.
constexpr int kColumnsTogether = 4;

/// An item is a matrix. A column takes one phase: all threads look for the pivot, and those of the rows below subtract
/// a multiple of its row from their own. Of a row, each warp has every other column.
template <typename T> XLA_RT_INLINE void luSmall(Parameters p, Buffers buffers, int64_t begin, int64_t end, void *) {
  constexpr int threads = kSmallTeam, parts = threads / kTile, stride = kTile + 1;
  using Real = typename Number<T>::Real;
  LuPlan plan;
  __builtin_memcpy(&plan, p, sizeof(plan));
  XLA_RT_SHARED(tileBytes, kTile * stride * sizeof(T));
  XLA_RT_SHARED(candidateBytes, 2 * sizeof(Candidates<Real>));
  T *tile = reinterpret_cast<T *>(tileBytes);
  auto *candidates = reinterpret_cast<Candidates<Real> *>(candidateBytes); // of this column, and of the next one
  Own<LuRow<T>, threads> rows;
  int m = static_cast<int>(plan.m), n = static_cast<int>(plan.n), rank = m < n ? m : n;
  for (int64_t matrix = begin; matrix < end; ++matrix) {
    T *a = static_cast<T *>(buffers[0]) + matrix * m * n;
    int32_t *pivots = static_cast<int32_t *>(buffers[1]) + matrix * rank, failure = 0;
    auto offer = [&](int column, int row, int32_t place, bool isLeft) __attribute__((always_inline)) {
      Candidates<Real> &all = candidates[column % 2];
      Real size = isLeft ? Number<T>::size(tile[row * stride + column]) : Real(-1);
      all.sizes[row] = size == size ? size : static_cast<Real>(__builtin_inf());
      all.places[row] = place;
    };
    eachThread<threads>([&](int thread) __attribute__((always_inline)) {
      int row = laneOf(thread), part = thread / kTile;
      rows.of(thread) = {Number<T>::fromReal(0), row < m ? row : -1, false};
#pragma unroll kColumnsTogether
      for (int c = part; c < n; c += parts)
        if (row < m)
          tile[row * stride + c] = a[c * m + row];
      if (part == 0 && rank > 0)
        offer(0, row, row, row < m);
    });
    for (int j = 0; j < rank; ++j) {
      auto eliminate = [&](int thread) __attribute__((always_inline)) {
        LuRow<T> &mine = rows.of(thread);
        int row = laneOf(thread), part = thread / kTile;
        T *own = tile + row * stride;
        if (mine.hasFactor && (j - 1) % parts == part)
          own[j - 1] = mine.factor;
        Candidate<Real> pivot = candidates[j % 2].best(m);
        const T *above = tile + pivot.row * stride;
        if (!(pivot.size > 0) && !failure)
          failure = j + 1;
        if (thread == 0)
          pivots[j] = pivot.place + static_cast<int32_t>(plan.base);
        bool isBelow = mine.place >= j && row != pivot.row;
        if (row == pivot.row)
          mine.place = j;
        else if (mine.place == j)
          mine.place = pivot.place;
        mine.hasFactor = isBelow && pivot.size > 0;
        if (mine.hasFactor) {
          mine.factor = Number<T>::over(own[j], above[j]);
          int first = j + 1 + (j + 1 + part) % parts;
          for (int c = first; c < n; c += parts * kColumnsTogether) {
            T x[kColumnsTogether];
#pragma unroll
            for (int q = 0; q < kColumnsTogether; ++q)
              if (int column = c + q * parts; column < n)
                x[q] = Number<T>::less(own[column], mine.factor, above[column]);
#pragma unroll
            for (int q = 0; q < kColumnsTogether; ++q)
              if (int column = c + q * parts; column < n)
                own[column] = x[q];
          }
        }
        if (j + 1 < rank && (j + 1) % parts == part)
          offer(j + 1, row, mine.place, isBelow);
      };
      eachThread<threads>(eliminate, /*waits=*/j + 1 < rank);
    }
    unwaited<threads>([&](int thread) __attribute__((always_inline)) {
      LuRow<T> &mine = rows.of(thread);
      int row = laneOf(thread), part = thread / kTile;
      auto *last = static_cast<int32_t *>(buffers[2]);
      if (thread == 0 && !plan.permutes)
        last[matrix] = failure;
      if (row >= m)
        return;
      if (part == 0 && plan.permutes)
        last[matrix * m + mine.place] = row;
#pragma unroll kColumnsTogether
      for (int c = part; c < n; c += parts)
        a[c * m + mine.place] = mine.hasFactor && c == rank - 1 ? mine.factor : tile[row * stride + c];
    });
  }
}

} // namespace
} // namespace xla_rt::device

XLA_RT_SOLVE(lu_small, luSmall)
