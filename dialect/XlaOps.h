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
#include "mlir_xla/dialect/ops/elementwise/ElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/shape/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/indexing/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/reduction/ReductionOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/linear/LinearOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/control/ControlOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/normalization/NormalizationOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/sort/SortOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/fft/FftOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/solve/SolveOps.h.inc"
#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/random/RandomOps.h.inc"

#endif // MLIR_XLA_DIALECT_XLAOPS_H
