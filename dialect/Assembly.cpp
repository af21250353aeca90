// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom assembly of operand types, operand lists and plain attributes.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/Messages.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::xla;

//===- Types of operands and results ------------------------------------------------------------------------------===//

static ParseResult assignTypes(OpAsmParser &parser, SMLoc loc, FunctionType function, ArrayRef<Type *> operands,
                               Type &result) {
  if (function.getNumInputs() != operands.size() || function.getNumResults() != 1)
    return parser.emitError(loc) << "expected a function type with " << counted(operands.size(), "input")
                                 << " and one result, got " << function;
  for (auto [operand, input] : llvm::zip_equal(operands, function.getInputs()))
    *operand = input;
  result = function.getResult(0);
  return success();
}

static void printFunctionType(OpAsmPrinter &p, TypeRange operands, Type result) {
  p << FunctionType::get(result.getContext(), operands, result);
}

void mlir::xla::printUniformTypes(OpAsmPrinter &p, TypeRange operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    p << result;
  else
    printFunctionType(p, operands, result);
}

ParseResult mlir::xla::parseUniformTypes(OpAsmParser &parser, ArrayRef<Type *> operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignTypes(parser, loc, function, operands, result);
  for (Type *operand : operands)
    *operand = type;
  result = type;
  // CHLO writes unary ops as `operand -> result`.
  if (operands.size() == 1 && succeeded(parser.parseOptionalArrow()))
    return parser.parseType(result);
  return success();
}

void mlir::xla::printVariadicSameOperandsAndResultType(OpAsmPrinter &p, Operation *, OperandRange, TypeRange types,
                                                       Type result) {
  printUniformTypes(p, types, result);
}

ParseResult mlir::xla::parseVariadicSameOperandsAndResultType(OpAsmParser &parser,
                                                              ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                                                              SmallVectorImpl<Type> &types, Type &result) {
  types.resize(operands.size());
  return parseUniformTypes(parser, llvm::map_to_vector(types, [](Type &type) { return &type; }), result);
}

static Type realTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto complex = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return complex ? Type(tensor.clone(complex.getElementType())) : Type();
}

void mlir::xla::printComplexOpType(OpAsmPrinter &p, Operation *, Type lhs, Type rhs, Type result) {
  Type real = realTensor(result);
  if (lhs == real && rhs == real)
    p << result;
  else
    printFunctionType(p, {lhs, rhs}, result);
}

ParseResult mlir::xla::parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignTypes(parser, loc, function, {&lhs, &rhs}, result);
  lhs = rhs = realTensor(type);
  if (!lhs)
    return parser.emitError(loc) << "expected a tensor of complex elements, got " << type;
  result = type;
  return success();
}

void mlir::xla::printSelectOpType(OpAsmPrinter &p, Operation *, Type pred, Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    p << pred << ", " << result;
  else
    printFunctionType(p, {pred, onTrue, onFalse}, result);
}

ParseResult mlir::xla::parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 1)
    if (auto function = dyn_cast<FunctionType>(types[0]))
      return assignTypes(parser, loc, function, {&pred, &onTrue, &onFalse}, result);
  if (types.size() != 2)
    return parser.emitError(loc, "expected the types of predicate and result, or a function type");
  pred = types[0];
  onTrue = onFalse = result = types[1];
  return success();
}

void mlir::xla::printPairwiseOpType(OpAsmPrinter &p, Operation *, TypeRange operands, TypeRange) {
  llvm::interleaveComma(operands, p);
}

ParseResult mlir::xla::parsePairwiseOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operands,
                                           SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void mlir::xla::printTupleOpType(OpAsmPrinter &p, Operation *, TypeRange, Type result) { p << result; }

ParseResult mlir::xla::parseTupleOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc) << "expected a tuple type, got " << result;
  llvm::append_range(operands, tuple.getTypes());
  return success();
}

//===- Operands and attributes ------------------------------------------------------------------------------------===//

void mlir::xla::printVariadicOperandWithAttribute(OpAsmPrinter &p, Operation *, OperandRange operands) {
  llvm::interleave(operands, p, [&](Value operand) { p << operand << ','; }, " ");
}

ParseResult mlir::xla::parseVariadicOperandWithAttribute(OpAsmParser &parser,
                                                         SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void mlir::xla::printSliceRanges(OpAsmPrinter &p, Operation *, ArrayRef<int64_t> start, ArrayRef<int64_t> limit,
                                 ArrayRef<int64_t> strides) {
  p << '[';
  // Lists of different lengths are invalid, but must print: the shortest decides, the op is then printed generically
  // by the verifier's diagnostics anyway.
  llvm::interleaveComma(llvm::zip(start, limit, strides), p, [&](auto range) {
    auto [from, to, step] = range;
    p << from << ':' << to;
    if (step != 1)
      p << ':' << step;
  });
  p << ']';
}

ParseResult mlir::xla::parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start, DenseI64ArrayAttr &limit,
                                        DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> from, to, step;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(from.emplace_back()) || parser.parseColon() || parser.parseInteger(to.emplace_back()))
      return failure();
    step.push_back(1);
    return failed(parser.parseOptionalColon()) ? success() : parser.parseInteger(step.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  start = parser.getBuilder().getDenseI64ArrayAttr(from);
  limit = parser.getBuilder().getDenseI64ArrayAttr(to);
  strides = parser.getBuilder().getDenseI64ArrayAttr(step);
  return success();
}

void mlir::xla::printExponentMantissa(AsmPrinter &p, Operation *, IntegerAttr exponent, IntegerAttr mantissa) {
  p << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

ParseResult mlir::xla::parseExponentMantissa(AsmParser &parser, IntegerAttr &exponent, IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef format;
  if (parser.parseKeyword(&format))
    return failure();
  int32_t exponentBits, mantissaBits;
  auto [e, m] = format.split('m');
  if (!e.consume_front("e") || e.getAsInteger(10, exponentBits) || m.getAsInteger(10, mantissaBits))
    return parser.emitError(loc) << "expected a format such as e5m10, got " << format;
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void mlir::xla::printCustomCallTarget(AsmPrinter &p, Operation *, StringAttr target) {
  p.printSymbolName(target.getValue());
}

ParseResult mlir::xla::parseCustomCallTarget(AsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

//===- Parts of attributes ----------------------------------------------------------------------------------------===//

void mlir::xla::printDim(AsmPrinter &p, int64_t dim) {
  if (ShapedType::isDynamic(dim))
    p << '?';
  else
    p << dim;
}

ParseResult mlir::xla::parseDim(AsmParser &parser, int64_t &dim) {
  if (succeeded(parser.parseOptionalQuestion())) {
    dim = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(dim);
}

void mlir::xla::printDims(AsmPrinter &p, ArrayRef<int64_t> dims) {
  p << '[';
  llvm::interleaveComma(dims, p, [&](int64_t dim) { printDim(p, dim); });
  p << ']';
}

FailureOr<SmallVector<int64_t>> mlir::xla::parseDims(AsmParser &parser) {
  SmallVector<int64_t> dims;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseDim(parser, dims.emplace_back()); }))
    return failure();
  return dims;
}

FailureOr<APFloat> mlir::xla::parseDouble(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  return APFloat(value);
}
