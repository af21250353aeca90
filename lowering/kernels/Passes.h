// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `kernels` stage.

#ifndef MLIR_XLA_LOWERING_KERNELS_PASSES_H
#define MLIR_XLA_LOWERING_KERNELS_PASSES_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::xla {
#define GEN_PASS_DECL
#include "mlir_xla/lowering/kernels/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/kernels/Passes.h.inc"

/// The passes from the `linalg` stage to the `kernels` stage.
void buildKernelsPipeline(OpPassManager &passes, unsigned vectorBits = 512, StringRef instructions = "");
/// Likewise, without what prepares kernels for a processor's caches and vectors.
void buildGpuKernelsPipeline(OpPassManager &passes);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_PASSES_H
