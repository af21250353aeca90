// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes and pipeline of the `legal` stage.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_PASSES_H
#define MLIR_XLA_LOWERING_LEGALIZE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {

#define GEN_PASS_DECL
#include "mlir_xla/lowering/legalize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/legalize/Passes.h.inc"

/// xla -> legal. For a `device`, which a single iteration of a loop gives little work, loops leave all products they
/// can.
void buildLegalizePipeline(OpPassManager &manager, bool device = false);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_PASSES_H
