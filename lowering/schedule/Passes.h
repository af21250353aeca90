// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes about the schedule on tensors, which all backends share.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_PASSES_H
#define MLIR_XLA_LOWERING_SCHEDULE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {
#define GEN_PASS_DECL
#include "mlir_xla/lowering/schedule/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/schedule/Passes.h.inc"
} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_PASSES_H
