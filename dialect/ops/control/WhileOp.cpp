// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifier, assembly and loop interface of `xla.while`.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

//===- Verification -----------------------------------------------------------------------------------------------===//

static bool hasStaticShape(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), hasStaticShape);
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.hasStaticShape();
}

LogicalResult WhileOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  for (auto [i, type] : llvm::enumerate(adaptor.getOperand().getTypes())) {
    if (!hasStaticShape(type))
      return ConstraintError(loc, getOperationName(), "While-C4")
             << "carried value " << i << " has no static shape: " << type;
    types.push_back(type);
  }
  return success();
}

LogicalResult WhileOp::verify() { return verifyInferredTypes(*this, "While-C3"); }

LogicalResult WhileOp::verifyRegions() {
  TypeRange carried = getOperand().getTypes();
  auto check = [&](Region &region, StringRef name, StringRef constraint) -> LogicalResult {
    if (!areCompatibleTypes(carried, region.getArgumentTypes()))
      return ConstraintError(getLoc(), getOperationName(), constraint)
             << name << " takes " << listed(region.getArgumentTypes()) << " but the carried types are " << carried;
    if (!getReturn(region))
      return ConstraintError(getLoc(), getOperationName(), constraint) << name << " does not end in xla.return";
    return success();
  };
  if (failed(check(getCond(), "cond", "While-C1")) || failed(check(getBody(), "body", "While-C2")))
    return failure();

  TypeRange condition = getReturn(getCond()).getOperandTypes();
  if (condition.size() != 1 || !isScalar(condition[0], IntegerType::get(getContext(), 1)))
    return ConstraintError(getLoc(), getOperationName(), "While-C1")
           << "cond returns " << listed(condition) << " instead of tensor<i1>";
  TypeRange next = getReturn(getBody()).getOperandTypes();
  if (!areCompatibleTypes(carried, next))
    return ConstraintError(getLoc(), getOperationName(), "While-C2")
           << "body returns " << listed(next) << " but the carried types are " << carried;
  return success();
}

//===- Interfaces -------------------------------------------------------------------------------------------------===//

SmallVector<Region *> WhileOp::getLoopRegions() { return {&getCond(), &getBody()}; }

void WhileOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

//===- Assembly ---------------------------------------------------------------------------------------------------===//

/// xla.while(%a = %x, %b = %y) : t0, t1 attributes {...} cond {...} do {...}; both regions name the carried values
/// alike.
void WhileOp::print(OpAsmPrinter &p) {
  p << '(';
  llvm::interleaveComma(llvm::zip_equal(getCond().getArguments(), getOperand()), p, [&](auto pair) {
    p.printOperand(std::get<0>(pair));
    p << " = ";
    p.printOperand(std::get<1>(pair));
  });
  p << ')';
  if (!getOperand().empty())
    p << " : " << getOperand().getTypes();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  p.printNewline();
  p << "cond ";
  p.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  p.shadowRegionArgs(getBody(), getCond().getArguments());
  p << " do ";
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  auto parsePair = [&] {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  SmallVector<Type> types;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parsePair) ||
      (!operands.empty() && (parser.parseColon() || parser.parseTypeList(types))) ||
      parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(types);
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  Region *cond = result.addRegion(), *body = result.addRegion();
  return failure(parser.parseKeyword("cond") || parser.parseRegion(*cond, arguments) || parser.parseKeyword("do") ||
                 parser.parseRegion(*body, arguments));
}
