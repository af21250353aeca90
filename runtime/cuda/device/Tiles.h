// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Square tiles of matrices, which a block of threads shares: a warp has some neighbouring rows of a tile, and a lane a
// column of them, in registers. What is multiplied with them is in shared memory.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_TILES_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_TILES_H

#include "mlir_xla/runtime/cuda/device/Block.h"
#include "mlir_xla/runtime/cuda/device/Number.h"

namespace xla_rt::device {

/// Rows and columns of a tile: as many as a warp has lanes.
constexpr int kTile = 32;
/// Threads of a block; those of one that has a small matrix to itself.
constexpr int kTileTeam = 256, kSmallTeam = 64;
/// In shared memory a tile lies column by column, with room for whole vectors behind each.
constexpr int kTileStride = kTile + 4;
template <typename T> constexpr int kSharedTile = kTile * kTileStride * sizeof(T);

/// The rows of a tile that a thread has.
template <int threads> constexpr int kRowsOfThread = kTile * kTile / threads;

/// A part of a column of a tile.
template <typename T, int threads> struct Strip {
  T rows[kRowsOfThread<threads>];
};

XLA_RT_INLINE int laneOf(int thread) { return thread % kTile; }
template <int threads> XLA_RT_INLINE int rowOf(int thread, int q) {
  return thread / kTile * kRowsOfThread<threads> + q;
}

/// Brings a tile to shared memory. Neighbouring threads read along rows, or along columns; `get(row, column)` is not
/// asked for what is beyond `rows` and `columns`, where there are zeros. Of rows, a warp reads 32 bytes of four at a
/// time: those are all that is read of memory together, and are written to different banks.
template <int threads, typename T, typename Get>
XLA_RT_INLINE void bringTile(T *tile, int thread, bool alongRows, int64_t rows, int64_t columns, Get get) {
#pragma unroll
  for (int q = 0; q < kRowsOfThread<threads>; ++q) {
    constexpr int neighbours = 32 / sizeof(T), together = 4, columnsOfWarp = kTile / together;
    int part = thread / kTile + q * (threads / kTile), row = laneOf(thread), column = part;
    if (alongRows) {
      column = part % together * columnsOfWarp + row / (together * neighbours) * neighbours + row % neighbours;
      row = part / together * together + row / neighbours % together;
    }
    tile[column * kTileStride + row] = row < rows && column < columns ? get(row, column) : Number<T>::fromReal(0);
  }
}

} // namespace xla_rt::device

/// A step of its own for each type of numbers.
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

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_TILES_H
