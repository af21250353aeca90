// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the planner asks of the code of a nest, so that instructions that wait for each other have others beside them.

#ifndef MLIR_XLA_LOWERING_CPU_PLANREDUCTION_H
#define MLIR_XLA_LOWERING_CPU_PLANREDUCTION_H

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/cpu/NestPlan.h"

namespace mlir::xla {

/// The longest chain of operations that wait for each other; `nodes` are in order, operands first.
unsigned longestChain(ArrayRef<ExprNode *> nodes);

/// Is what is read in a step along `dim` far from what the one before read?
bool readsFarRows(ArrayRef<ExprNode *> nodes, unsigned dim, const Machine &machine);

/// Short rows along `v`, read again in every step of a loop around them, as of the channels of a group, are one running
/// value that waits for itself. Those next to each other in memory have one each: the dimension, of `dims`, that walks
/// them, and how many of them, a power of two up to `most`; -1 and 1 if there are none, or too little other work for
/// all cores.
std::pair<int, int64_t> neighbouringRows(const LoopNest &nest, ArrayRef<ExprNode *> nodes, unsigned v,
                                         ArrayRef<int64_t> dims, int64_t most, const Machine &machine);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_PLANREDUCTION_H
