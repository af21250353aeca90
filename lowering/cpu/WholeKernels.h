// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that hold one operation of xla_rt, which has an emitter of its own.

#ifndef MLIR_XLA_LOWERING_CPU_WHOLEKERNELS_H
#define MLIR_XLA_LOWERING_CPU_WHOLEKERNELS_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {

/// What the implementation of such a kernel is emitted with.
struct WholeKernel {
  WholeKernel(DestinationStyleOpInterface op, ImplicitLocOpBuilder &builder, const Machine &machine)
      : op(op), builder(builder), machine(machine) {}

  DestinationStyleOpInterface op;
  ImplicitLocOpBuilder &builder; // at the end of the implementation's entry
  const Machine &machine;
  DenseMap<Value, Value> arguments; // pointers of the tensors that `op` reads or updates
  SmallVector<Value> results;       // pointers of its results
  Value scratch;                    // null without scratch memory
  Value begin, end;                 // i64, the items of work to do
  bool onDevice = false;            // threads of a GPU do them

  /// The pointer of an operand of `op`; where the operand is a destination, that of the result.
  Value pointerOf(OpOperand &operand) const;
};

/// What the schedule may assume of the kernel that `op` is.
struct WholeKernelFacts {
  int64_t work = 1, cost = 0, scratch = 0;
  bool ordered = false;
};

/// Says what `op` needs, before anything is emitted.
FailureOr<WholeKernelFacts> getWholeKernelFacts(DestinationStyleOpInterface op, const Machine &machine, bool onDevice);
/// Emits the body.
LogicalResult emitWholeKernel(const WholeKernel &kernel);

/// Gives `kernel`, which holds `op`, an implementation.
LogicalResult implementWholeKernel(func::FuncOp kernel, DestinationStyleOpInterface op, const Machine &machine,
                                   bool onDevice);

WholeKernelFacts getSortFacts(rt::SortOp op);
LogicalResult emitSort(const WholeKernel &kernel, rt::SortOp op);
LogicalResult emitLibraryCall(const WholeKernel &kernel, rt::LibraryCallOp op);
LogicalResult emitScatter(const WholeKernel &kernel, rt::ScatterOp op);

WholeKernelFacts factsOfRandomBits(rt::RandomBitsOp op, const Machine &machine, bool onDevice);
LogicalResult emitRandomBits(const WholeKernel &kernel, rt::RandomBitsOp op);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_WHOLEKERNELS_H
