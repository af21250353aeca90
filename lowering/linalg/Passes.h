// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes and pipeline of the `linalg` stage.

#ifndef MLIR_XLA_LOWERING_LINALG_PASSES_H
#define MLIR_XLA_LOWERING_LINALG_PASSES_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {

#define GEN_PASS_DECL
#include "mlir_xla/lowering/linalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/linalg/Passes.h.inc"

/// legal -> linalg.
void buildLinalgPipeline(OpPassManager &manager, bool device = false);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_PASSES_H
