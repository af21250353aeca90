// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of memory each thread of a kernel accesses, as far as can be told: what a block does after another thing
// needs no barrier if no thread comes to what another one has written, or writes what another one has accessed.

#ifndef MLIR_XLA_LOWERING_GPU_THREADACCESSES_H
#define MLIR_XLA_LOWERING_GPU_THREADACCESSES_H

#include "mlir_xla/lowering/gpu/Launched.h"

namespace mlir::xla {

/// Accesses of the threads of one block, to `bytes` bytes of memory that begin at `offset` bytes from `base`.
struct ThreadAccess {
  enum class By {
    First,  // the first thread alone
    Owners, // of `count` items of `stride` bytes each, item i is accessed by thread i modulo the size of the block
    Any,    // whichever threads
  };

  Value base; // null: any memory
  int64_t offset = 0;
  int64_t bytes = 0; // 0: not known
  bool isWrite = true;
  By by = By::Any;
  int64_t stride = 0, count = 0;
  ArrayAttr places; // of the tensor that begins there, what is written (`Places`); null: not known

  bool operator==(const ThreadAccess &other) const {
    return base == other.base && offset == other.offset && bytes == other.bytes && isWrite == other.isWrite &&
           by == other.by && stride == other.stride && count == other.count && places == other.places;
  }
};

/// What threads of one block do for a kernel, of which they are several blocks if need be. Bases are its arguments.
SmallVector<ThreadAccess> accessesOf(Launched &launched, int64_t ofBlock, gpu::GPUModuleOp onDevice);

/// The memory of an access whose base is a value of `@main`: its base becomes the arena, an address of a constant, of
/// an argument or of a result; null if it is none of these, or one that is found within `loop`. Several accesses where
/// buffers take turns: it is one of these.
SmallVector<ThreadAccess> locate(const ThreadAccess &access, Operation *loop);

/// Whether threads have to meet between two accesses that have been located.
bool haveToMeet(const ThreadAccess &before, const ThreadAccess &after);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_THREADACCESSES_H
