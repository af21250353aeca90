// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two steps in one launch: the last block to arrive goes on with what all have written.

#ifndef MLIR_XLA_LOWERING_GPU_LASTBLOCK_H
#define MLIR_XLA_LOWERING_GPU_LASTBLOCK_H

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/Launch.h"

namespace mlir::xla {

/// Clocks from a block's last store until the block that waits for it has read it: until the store is in the L2 cache,
/// the counter's way there and back, and the read's. That is three of the ways of which a launch is five.
constexpr double kArrival = 0.6 * GpuMachine::launch;

/// As many counters of blocks for a kernel, in memory of its module. They are zero when the module is loaded, and the
/// last block leaves them so. Launches of one module follow each other on a device's only stream, so none finds another
/// one counting.
LLVM::GlobalOp addCounters(gpu::GPUModuleOp onDevice, Location loc, StringRef kernel, int64_t count);

/// What `addFlag` takes of shared memory at most, behind something else.
constexpr int64_t kFlagBytes = 16;

/// Shared memory of a kernel's blocks, in which one thread tells the others what it has counted.
LLVM::GlobalOp addFlag(gpu::GPUModuleOp onDevice, Location loc, StringRef kernel);

/// Where a block comes to a counter.
struct Arrival {
  LLVM::GlobalOp counters;
  Value number;       // of the counter, i64
  int64_t blocks = 0; // that come to it
  Value isFirst;      // of the block's threads, one that speaks for all
  Value flag;         // 4 bytes of shared memory: those of `addFlag`, or others
  /// Whether the thread that speaks for all has itself written what they have to say.
  bool isWrittenByFirst = false;
};

/// Whether all other blocks have come: then all that their threads have written is there for all threads of this one.
/// The block's threads come here together, and meet by `meet`.
Value emitArrival(ImplicitLocOpBuilder &b, const Arrival &arrival, function_ref<void()> meet);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_LASTBLOCK_H
