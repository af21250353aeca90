// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `xla` dialect, its types, enums and attributes.

#ifndef MLIR_XLA_DIALECT_XLADIALECT_H
#define MLIR_XLA_DIALECT_XLADIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"

namespace mlir::xla {

/// True for the element types of spec section 0.3: i1, (u)i2/4/8/16/32/64, the f4/f6/f8 family, bf16, f16, f32, f64,
/// complex<f32>, complex<f64>.
bool isXlaElementType(Type type);

} // namespace mlir::xla

#include "mlir_xla/dialect/XlaDialect.h.inc"

#include "mlir_xla/dialect/XlaEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "mlir_xla/dialect/XlaTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir_xla/dialect/XlaAttrs.h.inc"

#endif // MLIR_XLA_DIALECT_XLADIALECT_H
