// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowering knows of GPUs: the counterpart of Machine.h. Every number of threads, registers, bytes or clocks of
// the device that decides something comes from here, or is derived from it.

#ifndef MLIR_XLA_LOWERING_GPUMACHINE_H
#define MLIR_XLA_LOWERING_GPUMACHINE_H

#include <cstdint>

namespace mlir::xla {

/// An H100 (SXM), whatever GPU is compiled for: a plan is the same wherever it is made. Sizes are in bytes.
struct GpuMachine {
  /// Threads that execute together; those that share memory, at most; bytes that a thread reads or writes at most with
  /// one instruction.
  static constexpr int64_t warp = 32, largestBlock = 1024, access = 16;

  static constexpr int64_t multiprocessors = 132;
  // What each of them has at a time.
  static constexpr int64_t threads = 2048, blocks = 32, registers = 1 << 16, sharedBytes = 227 << 10, schedulers = 4;
  /// Threads that compute as fast as any number of them: two warps for each scheduler.
  static constexpr int64_t busyThreads = 2 * schedulers * warp;

  /// Registers that a thread can have, in a block of so many; they are given out eight at a time.
  static constexpr int64_t registersOfThread(int64_t blockSize) {
    constexpr int64_t most = 255, unit = 8;
    int64_t each = registers / blockSize / unit * unit;
    return each < most ? each : most;
  }

  /// Shared memory of a block that every device gives without being asked; parameters of a launch.
  static constexpr int64_t staticSharedBytes = 48 << 10, parameterBytes = 4096;

  /// Blocks of which two, or eight, are a multiprocessor's: they keep a device busy if they are long, or short.
  static constexpr int64_t someBlocks = 2 * multiprocessors, manyBlocks = 8 * multiprocessors;
  /// Threads from which on a device is busy, and those that ask for as much as memory, or the L2 cache, gives.
  static constexpr int64_t enoughThreads = 1 << 14, threadsOfMemory = 1 << 16, threadsOfCache = 1 << 17;

  /// Clocks of a second.
  static constexpr double clock = 1.75e9;
  /// Bytes of a clock: what a multiprocessor gets from the L2 cache, its share of what memory gives, and what shared
  /// memory gives or takes.
  static constexpr double cacheRate = 40, memoryRate = 14, sharedRate = 128;
  /// Seconds from when a block begins until the next one of its place does, if it loads and stores once: a start, and a
  /// load while all ask for memory (docs/gpu-model.md).
  static constexpr double roundTime = 1.5e-6;
  /// Instructions of threads that a multiprocessor does in a clock.
  static constexpr double issue = 128;
  /// Seconds from one launch to the next, and clocks.
  static constexpr double launchTime = 2e-6, launch = launchTime * clock;

  /// Elements of a tile of a scan, which is a block's, and the tiles of a scan: each block asks for those before it.
  static constexpr int64_t scanTile = 4096, mostScanTiles = 4096;
  /// Scans of neighbours in memory, of so many elements, that are cut into such tiles: long ones, and fewer than blocks
  /// of the usual size that would ask for as much as memory gives.
  static constexpr bool hasScanTiles(int64_t scans, int64_t size) {
    constexpr int64_t usualBlock = 256, manyScans = threadsOfMemory / usualBlock, longScan = 1 << 15;
    return scans < manyScans && size >= longScan && size <= scanTile * mostScanTiles;
  }
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPUMACHINE_H
