// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scalar operations cost, for whoever weighs computing a value again against keeping it.

#ifndef MLIR_XLA_LOWERING_NEST_COST_H
#define MLIR_XLA_LOWERING_NEST_COST_H

#include "mlir/IR/Operation.h"

namespace mlir::xla {

/// Is it a function that is a long chain of instructions, for vectors as for numbers?
bool isFunction(Operation *op);
/// Likewise, of such that fill the units of vectors of 512 bits, in whose registers several are under way, by
/// themselves.
bool isFunctionOfShortVectors(Operation *op);

/// True for an operation that takes many instructions, or one of low throughput: divisions, loops, and the functions of
/// the math dialect except those that are one instruction.
bool isExpensive(Operation *op);

/// True for those of them that are many instructions also where an element is in a lane.
bool isLongCode(Operation *op);

/// How many operations are executed: of a body, or of a loop in one, those of all iterations.
int64_t operationsOf(Operation *op);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_COST_H
