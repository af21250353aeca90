// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of the schedule that is a single launch, and what can be told of it: what the passes that merge launches
// ask (MergeLaunches.cpp, LaunchLoops.cpp).

#ifndef MLIR_XLA_LOWERING_GPU_LAUNCHED_H
#define MLIR_XLA_LOWERING_GPU_LAUNCHED_H

#include "mlir_xla/lowering/gpu/Launch.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::xla {

/// A kernel of the schedule, and how it is launched.
struct Launched {
  gpu::GPUFuncOp kernel;
  gpu::LaunchFuncOp launch;
  int64_t blocks = 0, threads = 0;
  bool meets = false;    // all threads of a block, at barriers or in shared memory
  bool isSingle = false; // only the first thread has something to do

  /// `host` launches it, and does nothing else; its arguments are the launch's.
  static std::optional<Launched> find(func::FuncOp host, gpu::GPUModuleOp onDevice);

  /// How many threads have something to do, if that depends on their numbers alone, whatever the size of blocks
  /// (`emitKernel`).
  std::optional<int64_t> countedThreads();

  /// Whether all that a block writes to the device's memory is written by its first thread. Only known of kernels whose
  /// threads meet.
  bool isWrittenByFirst(gpu::GPUModuleOp onDevice) { return meets && isWrittenByFirst(kernel, onDevice); }

  /// Does it take one block about the time of a launch?
  bool isForOneBlock() const;

  /// Do `ofBlock` threads take little more time for it than all threads of the device?
  bool isSmallFor(int64_t ofBlock) const {
    return (meets ? threads == ofBlock : threads <= ofBlock) && isForOneBlock();
  }

private:
  bool noteMeetings(Operation *function, gpu::GPUModuleOp onDevice);
  bool isWrittenByFirst(Operation *function, gpu::GPUModuleOp onDevice);
};

/// The number of a thread of a block, or of its team of so many: thread_id, or thread_id % threads.
bool isNumberInBlock(Value value, int64_t threads);

/// Names of the static shared memory that a function of the device has, and those which it calls, but for those of
/// the library.
SmallVector<StringAttr> sharedMemoryOf(Operation *function, gpu::GPUModuleOp onDevice);
/// Functions of the device's library that it calls.
SmallVector<StringRef> libraryFunctionsOf(gpu::GPUFuncOp kernel, gpu::GPUModuleOp onDevice);

/// The address of something in shared memory.
bool isShared(LLVM::AddressOfOp address);
/// Bytes of a type of LLVM's dialect.
int64_t sizeOf(Type type);

/// Kernels that nothing launches any more, with their host code and declarations.
void eraseUnusedLaunches(ModuleOp module, gpu::GPUModuleOp onDevice);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_LAUNCHED_H
