// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and shape rules of the elementwise family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::xla;

//===- Unary ------------------------------------------------------------------------------------------------------===//

namespace {
enum class UnaryResult { Same, Real, Pred };
} // namespace

static LogicalResult inferUnary(std::optional<Location> loc, StringRef opName, Value operand, unsigned classes,
                                UnaryResult rule, SmallVectorImpl<Type> &types) {
  auto tensor = cast<RankedTensorType>(operand.getType());
  Type element = tensor.getElementType();
  if (!(classOf(element) & classes))
    return ConstraintError(loc, opName, "Unary-C2")
           << "does not take elements of type " << element << ", expected " << describeClasses(classes);
  if (rule == UnaryResult::Real)
    element = realTypeOf(element);
  else if (rule == UnaryResult::Pred)
    element = IntegerType::get(element.getContext(), 1);
  types.push_back(tensorLike(tensor, tensor.getShape(), element));
  return success();
}

/// Distinguishes wrong dimensions (C1) from a wrong element type (C3) of the result.
static LogicalResult verifyUnary(InferTypeOpInterface op) {
  auto operand = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (!areCompatibleDims(operand.getShape(), result.getShape()))
    return ConstraintError(op->getLoc(), op->getName().getStringRef(), "Unary-C1")
           << "result dimensions " << dimsToString(result.getShape()) << " differ from the operand's "
           << dimsToString(operand.getShape());
  return verifyInferredTypes(op, "Unary-C3");
}

//===- Binary -----------------------------------------------------------------------------------------------------===//

/// Checks that two operands have the same element type (C1) and dimensions (C3) and returns their common type.
static FailureOr<RankedTensorType> commonType(std::optional<Location> loc, StringRef opName, StringRef prefix,
                                              Value lhs, Value rhs) {
  auto left = cast<RankedTensorType>(lhs.getType()), right = cast<RankedTensorType>(rhs.getType());
  if (left.getElementType() != right.getElementType())
    return ConstraintError(loc, opName, (prefix + "-C1").str())
           << "element types of the operands differ: " << left.getElementType() << " and " << right.getElementType();
  if (!areCompatibleDims(left.getShape(), right.getShape()))
    return ConstraintError(loc, opName, (prefix + "-C3").str())
           << "dimensions of the operands differ: " << dimsToString(left.getShape()) << " and "
           << dimsToString(right.getShape()) << "; broadcast one of them explicitly";
  SmallVector<int64_t> dims(left.getShape());
  for (auto [dim, other] : llvm::zip_equal(dims, right.getShape()))
    if (ShapedType::isDynamic(dim))
      dim = other;
  return tensorLike(left.getEncoding() ? left : right, dims, left.getElementType());
}

static LogicalResult inferBinary(std::optional<Location> loc, StringRef opName, Value lhs, Value rhs, unsigned classes,
                                 SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> type = commonType(loc, opName, "Binary", lhs, rhs);
  if (failed(type))
    return failure();
  if (!(classOf(type->getElementType()) & classes))
    return ConstraintError(loc, opName, "Binary-C5")
           << "does not take elements of type " << type->getElementType() << ", expected " << describeClasses(classes);
  types.push_back(*type);
  return success();
}

LogicalResult ComplexOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<RankedTensorType> type = commonType(loc, getOperationName(), "Binary", adaptor.getLhs(), adaptor.getRhs());
  if (failed(type))
    return failure();
  Type element = type->getElementType();
  if (!element.isF32() && !element.isF64())
    return ConstraintError(loc, getOperationName(), "Binary-C5")
           << "does not take elements of type " << element << ", expected f32 or f64";
  types.push_back(tensorLike(*type, type->getShape(), ComplexType::get(element)));
  return success();
}

LogicalResult ComplexOp::verify() { return verifyInferredTypes(*this, "Binary-C6"); }

//===- Compare, select, clamp -------------------------------------------------------------------------------------===//

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  FailureOr<RankedTensorType> type = commonType(loc, name, "Compare", adaptor.getLhs(), adaptor.getRhs());
  if (failed(type))
    return failure();
  Type element = type->getElementType();
  unsigned elementClass = classOf(element);
  ComparisonDirection direction = adaptor.getComparisonDirection();
  if (elementClass == kComplex && direction != ComparisonDirection::EQ && direction != ComparisonDirection::NE)
    return ConstraintError(loc, name, "Compare-C6")
           << stringifyComparisonDirection(direction) << " is not defined for " << element << ", only EQ and NE are";
  ComparisonType order = adaptor.getCompareType().value_or(ComparisonType::NOTYPE);
  bool fits = true;
  switch (order) {
  case ComparisonType::NOTYPE:
    break;
  case ComparisonType::FLOAT:
    fits = elementClass & (kFloat | kComplex);
    break;
  case ComparisonType::TOTALORDER:
    fits = elementClass & kFloat;
    break;
  case ComparisonType::SIGNED:
    fits = elementClass & kSint;
    break;
  case ComparisonType::UNSIGNED:
    fits = elementClass & (kUint | kPred);
    break;
  }
  if (!fits)
    return ConstraintError(loc, name, "Compare-C6")
           << "compare_type " << stringifyComparisonType(order) << " does not fit elements of type " << element;
  types.push_back(tensorLike(*type, type->getShape(), IntegerType::get(context, 1)));
  return success();
}

LogicalResult CompareOp::verify() { return verifyInferredTypes(*this, "Compare-C5"); }

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto pred = cast<RankedTensorType>(adaptor.getPred().getType());
  auto onTrue = cast<RankedTensorType>(adaptor.getOnTrue().getType());
  auto onFalse = cast<RankedTensorType>(adaptor.getOnFalse().getType());
  if (!pred.getElementType().isInteger(1))
    return ConstraintError(loc, getOperationName(), "Select-C1")
           << "pred must have elements of type i1, got " << pred.getElementType();
  if (!areSameShape(onTrue, onFalse)) {
    bool broadcast =
        onTrue.getElementType() == onFalse.getElementType() && (onTrue.getRank() == 0 || onFalse.getRank() == 0);
    return ConstraintError(loc, getOperationName(), broadcast ? "Select-C5" : "Select-C2")
           << "on_true " << onTrue << " and on_false " << onFalse << " differ";
  }
  if (pred.getRank() != 0 && !areCompatibleDims(pred.getShape(), onTrue.getShape()))
    return ConstraintError(loc, getOperationName(), onTrue.getRank() == 0 ? "Select-C5" : "Select-C3")
           << "pred must be a scalar or have the dimensions " << dimsToString(onTrue.getShape()) << " of on_true, got "
           << dimsToString(pred.getShape());
  SmallVector<int64_t> dims(onTrue.getShape());
  for (auto [dim, other] : llvm::zip_equal(dims, onFalse.getShape()))
    if (ShapedType::isDynamic(dim))
      dim = other;
  types.push_back(tensorLike(onTrue, dims, onTrue.getElementType()));
  return success();
}

LogicalResult SelectOp::verify() { return verifyInferredTypes(*this, "Select-C2"); }

LogicalResult ClampOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto min = cast<RankedTensorType>(adaptor.getMin().getType());
  auto max = cast<RankedTensorType>(adaptor.getMax().getType());
  Type element = operand.getElementType();
  if (min.getElementType() != element || max.getElementType() != element)
    return ConstraintError(loc, name, "Clamp-C1") << "element types differ: min " << min.getElementType()
                                                  << ", operand " << element << ", max " << max.getElementType();
  if (classOf(element) == kComplex)
    return ConstraintError(loc, name, "Clamp-C1") << "does not take elements of type " << element;
  for (auto [bound, role, constraint] : {std::tuple(min, "min", "Clamp-C2"), std::tuple(max, "max", "Clamp-C3")}) {
    if (bound.getRank() == 0 || areCompatibleDims(bound.getShape(), operand.getShape()))
      continue;
    return ConstraintError(loc, name, operand.getRank() == 0 ? "Clamp-C4" : constraint)
           << role << " must be a scalar or have the dimensions " << dimsToString(operand.getShape())
           << " of the operand, got " << dimsToString(bound.getShape());
  }
  types.push_back(tensorLike(operand, operand.getShape(), element));
  return success();
}

LogicalResult ClampOp::verify() { return verifyInferredTypes(*this, "Clamp-C4"); }

//===- Conversions ------------------------------------------------------------------------------------------------===//

LogicalResult ConvertOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  if (!areCompatibleDims(from.getShape(), to.getShape()))
    return ConstraintError(getLoc(), getOperationName(), "ConvertElementType-C2")
           << "result dimensions " << dimsToString(to.getShape()) << " differ from the operand's "
           << dimsToString(from.getShape());
  return success();
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  auto error = [&](StringRef constraint) { return ConstraintError(getLoc(), getOperationName(), constraint); };
  if (isa<ComplexType>(from.getElementType()) != isa<ComplexType>(to.getElementType()))
    return error("BitcastConvertType-C5") << "complex types only convert to complex types, got "
                                          << from.getElementType() << " to " << to.getElementType();
  int64_t fromBits = bitWidthOf(from.getElementType()), toBits = bitWidthOf(to.getElementType());
  if (std::max(fromBits, toBits) % std::min(fromBits, toBits) != 0)
    return error("BitcastConvertType-C2")
           << "the larger of the widths " << fromBits << " and " << toBits << " is no multiple of the smaller";
  ArrayRef<int64_t> fromDims = from.getShape(), toDims = to.getShape();
  if (toBits > fromBits) {
    int64_t ratio = toBits / fromBits;
    if (fromDims.empty() || !areCompatibleDims(fromDims.back(), ratio))
      return error("BitcastConvertType-C3")
             << "from " << from.getElementType() << " to " << to.getElementType()
             << " the last dimension of the operand must be " << ratio << ", got " << dimsToString(fromDims);
    fromDims = fromDims.drop_back();
  } else if (fromBits > toBits) {
    int64_t ratio = fromBits / toBits;
    if (toDims.empty() || !areCompatibleDims(toDims.back(), ratio))
      return error("BitcastConvertType-C4")
             << "from " << from.getElementType() << " to " << to.getElementType()
             << " the result must have a new last dimension of " << ratio << ", got " << dimsToString(toDims);
    toDims = toDims.drop_back();
  }
  if (!areCompatibleDims(fromDims, toDims))
    return error("BitcastConvertType-C4") << "result dimensions " << dimsToString(to.getShape())
                                          << " do not fit the operand's " << dimsToString(from.getShape());
  return success();
}

LogicalResult ReducePrecisionOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  if (classOf(operand.getElementType()) != kFloat)
    return ConstraintError(loc, name, "ReducePrecision-C1")
           << "does not take elements of type " << operand.getElementType() << ", expected FLOAT";
  auto exponentBits = static_cast<int32_t>(adaptor.getExponentBits());
  auto mantissaBits = static_cast<int32_t>(adaptor.getMantissaBits());
  if (exponentBits < 1)
    return ConstraintError(loc, name, "ReducePrecision-C2") << "exponent_bits must be at least 1, got " << exponentBits;
  if (mantissaBits < 0)
    return ConstraintError(loc, name, "ReducePrecision-C3")
           << "mantissa_bits must not be negative, got " << mantissaBits;
  types.push_back(tensorLike(operand, operand.getShape(), operand.getElementType()));
  return success();
}

LogicalResult ReducePrecisionOp::verify() { return verifyInferredTypes(*this, "ReducePrecision-C4"); }

//===- Map --------------------------------------------------------------------------------------------------------===//

LogicalResult MapOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef constraint) { return ConstraintError(loc, getOperationName(), constraint); };
  ValueRange inputs = adaptor.getInputs();
  if (inputs.empty())
    return error("Map-C1") << "expects at least one input";
  auto first = cast<RankedTensorType>(inputs[0].getType());
  for (auto [i, type] : llvm::enumerate(inputs.getTypes()))
    if (!areCompatibleDims(first.getShape(), cast<RankedTensorType>(type).getShape()))
      return error("Map-C2") << "dimensions of input " << i << " are "
                             << dimsToString(cast<RankedTensorType>(type).getShape()) << ", those of input 0 are "
                             << dimsToString(first.getShape());
  ArrayRef<int64_t> dims = adaptor.getDimensions();
  if (static_cast<int64_t>(dims.size()) != first.getRank() ||
      !llvm::equal(dims, llvm::seq<int64_t>(0, first.getRank())))
    return error("Map-C4") << "dimensions must be all of 0.." << first.getRank() - 1 << " in order, got "
                           << dimsToString(dims);
  Region *region = adaptor.getRegions().empty() ? nullptr : adaptor.getRegions().front();
  if (!region || region->empty() || region->front().empty())
    return error("Map-C3") << "the computation is empty";
  Block &body = region->front();
  if (body.getNumArguments() != inputs.size())
    return error(body.getNumArguments() > inputs.size() ? "Map-C6" : "Map-C3")
           << "the computation has " << counted(body.getNumArguments(), "parameter") << " for "
           << counted(inputs.size(), "input");
  for (auto [i, argument, type] : llvm::enumerate(body.getArgumentTypes(), inputs.getTypes()))
    if (Type expected = RankedTensorType::get({}, elementTypeOf(type)); !areSameShape(argument, expected))
      return error("Map-C3") << "parameter " << i << " of the computation must be " << expected << ", got " << argument;
  OperandRange returned = body.back().getOperands();
  auto scalar = returned.size() == 1 ? dyn_cast<RankedTensorType>(returned[0].getType()) : RankedTensorType();
  if (!scalar || scalar.getRank() != 0)
    return error("Map-C3") << "the computation must return one scalar, got (" << returned.getTypes() << ")";
  types.push_back(tensorLike(first, first.getShape(), scalar.getElementType()));
  return success();
}

LogicalResult MapOp::verify() {
  // The shape rule looks into the region, whose ops are verified only afterwards: the terminator may be missing.
  return verifyInferredTypes(*this, "Map-C5");
}

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/elementwise/ElementwiseOps.cpp.inc"

void XlaDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/elementwise/ElementwiseOps.cpp.inc"
      >();
}
