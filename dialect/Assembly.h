// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom assembly directives shared by the op families and the attributes. The syntax is StableHLO's.

#ifndef MLIR_XLA_DIALECT_ASSEMBLY_H
#define MLIR_XLA_DIALECT_ASSEMBLY_H

#include "mlir_xla/dialect/XlaDialect.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::xla {

//===- Types of operands and results ------------------------------------------------------------------------------===//

/// `type` if all operand and result types are equal, else the function type `(operands) -> result`. The last type is
/// the result's.
void printUniformTypes(OpAsmPrinter &p, TypeRange operands, Type result);
ParseResult parseUniformTypes(OpAsmParser &parser, ArrayRef<Type *> operands, Type &result);
template <typename... Types> void printSameOperandsAndResultType(OpAsmPrinter &p, Operation *, Types... types) {
  SmallVector<Type> all{types...};
  printUniformTypes(p, TypeRange(all).drop_back(), all.back());
}
template <typename... Types> ParseResult parseSameOperandsAndResultType(OpAsmParser &parser, Types &...types) {
  SmallVector<Type *> all{&types...};
  return parseUniformTypes(parser, ArrayRef(all).drop_back(), *all.back());
}

/// The same for a variadic operand list.
void printVariadicSameOperandsAndResultType(OpAsmPrinter &p, Operation *op, OperandRange operands, TypeRange types,
                                            Type result);
ParseResult parseVariadicSameOperandsAndResultType(OpAsmParser &parser,
                                                   ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                                                   SmallVectorImpl<Type> &types, Type &result);

/// `tensor<4xcomplex<f32>>` when both operands are the real tensor of the result, else a function type.
void printComplexOpType(OpAsmPrinter &p, Operation *op, Type lhs, Type rhs, Type result);
ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result);

/// `predicate, result` when both choices have the result type, else a function type.
void printSelectOpType(OpAsmPrinter &p, Operation *op, Type pred, Type onTrue, Type onFalse, Type result);
ParseResult parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse, Type &result);

/// The types of operands that equal the result types one by one: `%0:2 = op %a, %b : t0, t1`.
void printPairwiseOpType(OpAsmPrinter &p, Operation *op, TypeRange operands, TypeRange results);
ParseResult parsePairwiseOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operands, SmallVectorImpl<Type> &results);

/// The result's tuple type, from which the operand types follow.
void printTupleOpType(OpAsmPrinter &p, Operation *op, TypeRange operands, Type result);
ParseResult parseTupleOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operands, Type &result);

//===- Operands and attributes ------------------------------------------------------------------------------------===//

/// Operands, each followed by a comma, before a keyword: `%a, %b, dim = 0`.
void printVariadicOperandWithAttribute(OpAsmPrinter &p, Operation *op, OperandRange operands);
ParseResult parseVariadicOperandWithAttribute(OpAsmParser &parser,
                                              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands);

/// `[0:4:2, 1:3]`: start, limit and, unless 1, stride.
void printSliceRanges(OpAsmPrinter &p, Operation *op, ArrayRef<int64_t> start, ArrayRef<int64_t> limit,
                      ArrayRef<int64_t> strides);
ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start, DenseI64ArrayAttr &limit,
                             DenseI64ArrayAttr &strides);

/// `e5m10`.
void printExponentMantissa(AsmPrinter &p, Operation *op, IntegerAttr exponent, IntegerAttr mantissa);
ParseResult parseExponentMantissa(AsmParser &parser, IntegerAttr &exponent, IntegerAttr &mantissa);

/// `@name`, stored as a string.
void printCustomCallTarget(AsmPrinter &p, Operation *op, StringAttr target);
ParseResult parseCustomCallTarget(AsmParser &parser, StringAttr &target);

//===- Parts of attributes ----------------------------------------------------------------------------------------===//

/// An integer or, for ShapedType::kDynamic, `?`; a bracketed list of them.
void printDim(AsmPrinter &p, int64_t dim);
ParseResult parseDim(AsmParser &parser, int64_t &dim);
void printDims(AsmPrinter &p, ArrayRef<int64_t> dims);
FailureOr<SmallVector<int64_t>> parseDims(AsmParser &parser);

FailureOr<APFloat> parseDouble(AsmParser &parser);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`; the overloads with an operation serve as a directive.
void printConvolutionDimensions(AsmPrinter &p, ConvDimensionNumbersAttr dims);
void printConvolutionDimensions(AsmPrinter &p, Operation *op, ConvDimensionNumbersAttr dims);
ParseResult parseConvolutionDimensions(AsmParser &parser, ConvDimensionNumbersAttr &dims);

} // namespace mlir::xla

#endif // MLIR_XLA_DIALECT_ASSEMBLY_H
