// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other views of a tensor's memory.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLARTVIEWS_H
#define MLIR_XLA_LOWERING_XLA_RT_XLARTVIEWS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtViews.h.inc"

#endif // MLIR_XLA_LOWERING_XLA_RT_XLARTVIEWS_H
