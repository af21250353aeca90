// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom assembly directives shared by the op families.

#ifndef MLIR_XLA_DIALECT_ASSEMBLY_H
#define MLIR_XLA_DIALECT_ASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::xla {

/// `type` if all operand and result types are equal, else the function type `(operands) -> result`.
void printSameOperandsAndResultType(OpAsmPrinter &p, Operation *op, Type lhs, Type rhs, Type result);
ParseResult parseSameOperandsAndResultType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_ASSEMBLY_H
