// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom assembly directives of the linear family. The syntax is StableHLO's.

#ifndef MLIR_XLA_DIALECT_OPS_LINEAR_LINEARASSEMBLY_H
#define MLIR_XLA_DIALECT_OPS_LINEAR_LINEARASSEMBLY_H

#include "mlir_xla/dialect/XlaDialect.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::xla {

/// `[HIGH, DEFAULT]`.
void printPrecisionConfig(OpAsmPrinter &p, Operation *op, ArrayAttr precision);
ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`; batching_dims is omitted when empty.
void printDotDimensionNumbers(OpAsmPrinter &p, Operation *op, DotDimensionNumbersAttr dims);
ParseResult parseDotDimensionNumbers(OpAsmParser &parser, DotDimensionNumbersAttr &dims);

/// `, precision = [HIGH, DEFAULT], algorithm = <...>`, each part only if present.
void printDotOptions(OpAsmPrinter &p, Operation *op, ArrayAttr precision, DotAlgorithmAttr algorithm);
ParseResult parseDotOptions(OpAsmParser &parser, ArrayAttr &precision, DotAlgorithmAttr &algorithm);

/// `stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]`, each part only if present, in
/// any order.
void printWindowAttributes(OpAsmPrinter &p, Operation *op, DenseI64ArrayAttr strides, DenseIntElementsAttr padding,
                           DenseI64ArrayAttr lhsDilation, DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal);
ParseResult parseWindowAttributes(OpAsmParser &parser, DenseI64ArrayAttr &strides, DenseIntElementsAttr &padding,
                                  DenseI64ArrayAttr &lhsDilation, DenseI64ArrayAttr &rhsDilation,
                                  DenseBoolArrayAttr &reversal);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_OPS_LINEAR_LINEARASSEMBLY_H
