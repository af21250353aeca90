// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Combiners of scatters that a GPU's threads may apply in any order, by one instruction.

#ifndef MLIR_XLA_LOWERING_NEST_ATOMICCOMBINER_H
#define MLIR_XLA_LOWERING_NEST_ATOMICCOMBINER_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>

namespace mlir::xla {

/// What the atomic instruction does that is the combiner of `op`, if there is one whose order is no matter.
std::optional<LLVM::AtomicBinOp> atomicCombiner(rt::ScatterOp op);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NEST_ATOMICCOMBINER_H
