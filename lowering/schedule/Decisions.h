// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches that a device can decide, so that the host need not wait for what it decides by. The schedule then
// is a graph, through which the host goes once: where the device decides, addresses have to be the same each time, so
// the plan copies what is not where it was.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_DECISIONS_H
#define MLIR_XLA_LOWERING_SCHEDULE_DECISIONS_H

#include "mlir_xla/lowering/schedule/BufferPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::xla {

/// Copies of more bytes in an iteration or a branch take longer than the host does to decide.
inline constexpr int64_t kMostPlacedBytes = 16 << 20;

/// The element that decides a loop (before each iteration) or branches; null if that is computed in another way, or for
/// something else, too.
tensor::ExtractOp decidingRead(Operation *control);
/// The loop or the branches that an element decides so.
Operation *decidedBy(tensor::ExtractOp read);
/// Has each such element be read right where it decides. False if the host reads others, or does something itself: then
/// it decides, too.
bool prepareDecisions(func::FuncOp main, const SymbolTable &symbols);

/// Whether the device counts the iterations of a loop rather than that the graph has all of them. Then `plan` gets how
/// many of them it has.
bool isCountedOnDevice(scf::WhileOp loop, ControlPlan &plan);
/// Whether nothing is handed on.
bool hasFixedPlaces(const ControlPlan &plan);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_DECISIONS_H
