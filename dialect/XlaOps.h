// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operation classes of all families.

#ifndef MLIR_XLA_DIALECT_XLAOPS_H
#define MLIR_XLA_DIALECT_XLAOPS_H

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Traits.h"
#include "mlir_xla/dialect/XlaDialect.h"

#include "mlir/IR/OpAsmSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ReductionOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/LinearOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ControlOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/NormalizationOps.h.inc"

#endif // MLIR_XLA_DIALECT_XLAOPS_H
