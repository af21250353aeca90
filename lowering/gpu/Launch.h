// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the device in which every thread has a number, and the host's code that launches them.

#ifndef MLIR_XLA_LOWERING_GPU_LAUNCH_H
#define MLIR_XLA_LOWERING_GPU_LAUNCH_H

#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// What the schedule assumes that a launch takes on the host, in nanoseconds.
constexpr int64_t kLaunchCost = 5000;

/// On a kernel: what all its items take on a core of the host, in nanoseconds, if that is known.
constexpr StringLiteral kCost = "xla_rt.cost";

/// On a launch of a function of the device's library: what it needs (`StepCost`).
constexpr StringLiteral kStep = "xla_rt.step";

/// The module of the kernels; it is created when first asked for.
gpu::GPUModuleOp getDeviceModule(ModuleOp module);

/// A kernel, at the end of `onDevice`, whose first `threads` threads execute what `body` emits: it is given the
/// thread's number and the kernel's arguments, and may change the latter.
gpu::GPUFuncOp
emitKernel(gpu::GPUModuleOp onDevice, Location loc, StringRef name, ArrayRef<Type> arguments, int64_t threads,
           function_ref<void(ImplicitLocOpBuilder &b, Value thread, MutableArrayRef<Value> arguments)> body);

/// Launches it with as many threads, in blocks of whole teams.
gpu::LaunchFuncOp emitLaunch(ImplicitLocOpBuilder &b, gpu::GPUFuncOp kernel, int64_t threads, ValueRange arguments,
                             int64_t team = 1);

/// Says that a multiprocessor has one block of it: else the assembler keeps registers for others, and spills for that.
void markAsOneBlock(gpu::GPUFuncOp kernel);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_LAUNCH_H
