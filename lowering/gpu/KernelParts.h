// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads meet, as parts of a kernel: where they are the first threads of a larger block, they have a
// barrier of their own; and all have one shared memory.

#ifndef MLIR_XLA_LOWERING_GPU_KERNELPARTS_H
#define MLIR_XLA_LOWERING_GPU_KERNELPARTS_H

#include "mlir_xla/lowering/gpu/Launched.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::xla {

/// Whether the first threads of a block of so many can do what a block of the kernel does: it meets at barriers of all
/// its threads and in no other way, and has as many registers there.
bool canBeOfFirst(Launched &launched, int64_t ofBlock, gpu::GPUModuleOp onDevice);

/// Waits for the first `threads` of a block.
void emitBarrierOfFirst(OpBuilder &b, Location loc, int64_t threads);

/// Where kernels of which one is done at a time have what they share: in one memory.
struct SharedLayout {
  llvm::DenseMap<StringAttr, int64_t> offsets;
  int64_t bytes = 0;
  int64_t alignment = 16; // at least

  SharedLayout(ArrayRef<gpu::GPUFuncOp> kernels, gpu::GPUModuleOp onDevice);
};

/// Makes code of kernels a part of a kernel that does one after the other, with a barrier between any two whose threads
/// meet.
class KernelParts {
public:
  explicit KernelParts(gpu::GPUModuleOp onDevice) : onDevice(onDevice) {}

  /// Their shared memory is the same, by that name.
  void shareMemory(ArrayRef<gpu::GPUFuncOp> kernels, StringRef name);

  /// What is called, or waited for, in `op` is what the first `threads` of a block call and wait for, or all if that is
  /// 0. Functions of the device get a copy; those of the device's library get a name, by which `defineForFirst` finds
  /// them.
  void adapt(Operation *op, int64_t threads);

private:
  /// Whether it has some of the memory that they share.
  bool mentions(func::FuncOp function) const;
  func::FuncOp copyOf(func::FuncOp callee, int64_t threads);

  gpu::GPUModuleOp onDevice;
  llvm::DenseMap<std::pair<Operation *, int64_t>, func::FuncOp> copies;
  llvm::DenseMap<StringAttr, int64_t> offsets; // of what is in the shared memory
  LLVM::GlobalOp memory;
};

/// What functions of the device's library are for the first threads of a block: `declareForFirst` asks for them before
/// the library is linked, `defineForFirst` writes them when it is.
void declareForFirst(llvm::Module &code);
void defineForFirst(llvm::Module &code);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_KERNELPARTS_H
