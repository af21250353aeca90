// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of numbers that the math dialect has not.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLARTFUNCTIONS_H
#define MLIR_XLA_LOWERING_XLA_RT_XLARTFUNCTIONS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h.inc"

#endif // MLIR_XLA_LOWERING_XLA_RT_XLARTFUNCTIONS_H
