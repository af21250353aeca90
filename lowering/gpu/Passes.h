// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU's own passes, of the stages `kernels`, `loops` and `llvm`.

#ifndef MLIR_XLA_LOWERING_GPU_PASSES_H
#define MLIR_XLA_LOWERING_GPU_PASSES_H

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {

/// The module that holds all kernels of a program.
inline constexpr StringLiteral kKernelsModule = "kernels";

#define GEN_PASS_DECL
#include "mlir_xla/lowering/gpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/gpu/Passes.h.inc"
} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_PASSES_H
