// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/Assembly.h"

using namespace mlir;
using namespace mlir::xla;

void mlir::xla::printSameOperandsAndResultType(OpAsmPrinter &p, Operation *op, Type lhs, Type rhs, Type result) {
  if (lhs == rhs && lhs == result)
    p << lhs;
  else
    p << FunctionType::get(op->getContext(), {lhs, rhs}, {result});
}

ParseResult mlir::xla::parseSameOperandsAndResultType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    lhs = rhs = result = type;
    return success();
  }
  if (function.getNumInputs() != 2 || function.getNumResults() != 1)
    return parser.emitError(loc, "expected a type or a function type with two inputs and one result");
  lhs = function.getInput(0);
  rhs = function.getInput(1);
  result = function.getResult(0);
  return success();
}
