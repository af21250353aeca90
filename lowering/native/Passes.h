// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes from the `loops` stage to the LLVM dialect.

#ifndef MLIR_XLA_LOWERING_NATIVE_PASSES_H
#define MLIR_XLA_LOWERING_NATIVE_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xla {

/// scf.for whose first iteration is certain to cf, in fewer blocks than upstream's patterns. Regions of scf ops around
/// them then hold several blocks: the IR is valid again when those are converted, too. Whether `lowerControl` does that
/// is `controlFollows`: a loop of the schedule (scf.while) around them is otherwise left to patterns that do not take
/// it.
void lowerNonEmptyLoops(ModuleOp module, bool controlFollows);

/// Whether nothing in `module` stands against `lowerControl`: types that are others for LLVM, or ops of dialects that
/// have no business here.
bool canLowerControl(ModuleOp module);

/// Converts functions, calls, loops and branches, and `index` to i64.
void lowerControl(ModuleOp module);

/// True for scalars, pointers and vectors that are the same for LLVM.
bool isNativeType(Type type);

/// Replaces ops whose types and results LLVM has as they are.
void lowerDirectly(ModuleOp module);

/// Has the constant vectors that enter loops read from memory.
void loadEnteringConstants(ModuleOp module);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "mlir_xla/lowering/native/Passes.h.inc"
} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_NATIVE_PASSES_H
