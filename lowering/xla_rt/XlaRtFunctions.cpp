// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of numbers that the math dialect has not.

#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.h"

#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::xla;

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtFunctions.cpp.inc"
