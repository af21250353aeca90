// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last pass of the `kernels` stage, and the first of the `loops` stage.

#ifndef MLIR_XLA_LOWERING_CPU_PASSES_H
#define MLIR_XLA_LOWERING_CPU_PASSES_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {
#define GEN_PASS_DECL
#include "mlir_xla/lowering/cpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/cpu/Passes.h.inc"
} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_PASSES_H
