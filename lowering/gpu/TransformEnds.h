// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel computes around a Fourier transform, element by element: of its arguments, what is transformed, and of
// that, its result. The steps of the transform call it as a function (docs/design/libraries.md).

#ifndef MLIR_XLA_LOWERING_GPU_TRANSFORMENDS_H
#define MLIR_XLA_LOWERING_GPU_TRANSFORMENDS_H

#include "mlir_xla/lowering/nest/KernelNests.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::xla {

struct TransformEnds {
  /// The steps' buffers, if there are functions: the operand and the result, unless there is a function for it; the
  /// functions; and an array of what these work on, the kernel's arguments and its result.
  enum Buffer : int64_t { kOperand, kResult, kLoad, kStore, kArguments };

  bool loads = false, stores = false; // whether there is something before the transform, and behind it
  int64_t read = 0;                   // bytes of what is read before it
  int64_t readBehind = 0;             // and, besides what it gives, behind it
  int64_t written = 0;                // bytes of the kernel's result
  int64_t loading = 0, storing = 0;   // operations of all elements

  /// Of a transform that is alone in a kernel, or has something around it.
  static TransformEnds of(rt::LibraryCallOp op);
  bool any() const { return loads || stores; }
};

/// Whether a kernel of its arguments computes each element of its result by itself, for which a function can be made,
/// and reads memory about in the order of elements: neighbouring threads do neighbours.
bool isElementFunction(func::FuncOp kernel);
/// Whether it does something with each element of an argument, or leaves it out, and can be a function of that.
bool isFunctionOfElement(func::FuncOp kernel, unsigned argument);

/// The functions of what `kernel` computes before the transform and behind it, on the device, or null:
/// `function(array of arguments, number of the element, the element)`.
FailureOr<std::pair<LLVM::LLVMFuncOp, LLVM::LLVMFuncOp>> emitTransformEnds(func::FuncOp kernel, rt::LibraryCallOp op,
                                                                           gpu::GPUModuleOp onDevice);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_TRANSFORMENDS_H
