// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds formulas of xla ops.

#include "mlir_xla/lowering/legalize/Build.h"

using namespace mlir;
using namespace mlir::xla;

Value TensorBuilder::apply(StringRef name, Type type, ValueRange operands) {
  OperationState state(getLoc(), ("xla." + name).str(), operands, TypeRange{type});
  return create(state)->getResult(0);
}

std::pair<Value, Value> TensorBuilder::sameShape(Value x, Value y) {
  if (typeOf(x).getRank() == 0)
    return {broadcast(x, typeOf(y).getShape(), {}), y};
  if (typeOf(y).getRank() == 0)
    return {x, broadcast(y, typeOf(x).getShape(), {})};
  return {x, y};
}

Value TensorBuilder::binary(StringRef name, Value x, Value y) {
  std::tie(x, y) = sameShape(x, y);
  return apply(name, x.getType(), {x, y});
}

Value TensorBuilder::compare(ComparisonDirection direction, Value x, Value y) {
  std::tie(x, y) = sameShape(x, y);
  OperationState state(getLoc(), CompareOp::getOperationName(), {x, y}, TypeRange{typeOf(x).clone(getI1Type())});
  state.addAttribute("comparison_direction", ComparisonDirectionAttr::get(getContext(), direction));
  return create(state)->getResult(0);
}

Value TensorBuilder::select(Value predicate, Value x, Value y) {
  std::tie(x, y) = sameShape(x, y);
  return apply("select", x.getType(), {predicate, x, y});
}

Value TensorBuilder::scalar(Type element, int64_t value) {
  auto type = RankedTensorType::get({}, element);
  APInt bits(element.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true);
  return ConstantOp::create(*this, type, DenseElementsAttr::get(type, bits));
}

Value TensorBuilder::scalar(Type element, double value) {
  auto type = RankedTensorType::get({}, element);
  return ConstantOp::create(*this, type, DenseElementsAttr::get(type, getFloatAttr(element, value)));
}

Value TensorBuilder::broadcast(Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  RankedTensorType type = RankedTensorType::get(shape, typeOf(value).getElementType());
  return type == value.getType() ? value : BroadcastInDimOp::create(*this, type, value, dims);
}

Value TensorBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  return ReshapeOp::create(*this, RankedTensorType::get(shape, typeOf(value).getElementType()), value);
}

Value TensorBuilder::convert(Value value, Type element) {
  return typeOf(value).getElementType() == element ? value : apply("convert", typeOf(value).clone(element), value);
}

Value TensorBuilder::bitcast(Value value, Type element) {
  return typeOf(value).getElementType() == element ? value
                                                   : apply("bitcast_convert", typeOf(value).clone(element), value);
}

Value TensorBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(typeOf(value).getDimSize(dim));
  return TransposeOp::create(*this, RankedTensorType::get(shape, typeOf(value).getElementType()), value,
                             getDenseI64ArrayAttr(permutation));
}

Value TensorBuilder::dynamicSlice(Value value, ValueRange starts, ArrayRef<int64_t> sizes) {
  auto type = RankedTensorType::get(sizes, typeOf(value).getElementType());
  return type == value.getType() ? value : DynamicSliceOp::create(*this, type, value, starts, sizes);
}

Value TensorBuilder::dynamicUpdateSlice(Value value, Value update, ValueRange starts) {
  return DynamicUpdateSliceOp::create(*this, value.getType(), value, update, starts);
}

SmallVector<Value> TensorBuilder::countedLoop(Value begin, Value end, Value step, ValueRange inits,
                                              function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  SmallVector<Value> operands{begin};
  llvm::append_range(operands, inits);
  SmallVector<Type> types = llvm::to_vector(TypeRange(operands));
  OperationState state(getLoc(), WhileOp::getOperationName(), operands, types);
  for (unsigned i = 0; i < 2; ++i) {
    Block &block = state.addRegion()->emplaceBlock();
    block.addArguments(types, SmallVector<Location>(types.size(), getLoc()));
  }
  auto loop = cast<WhileOp>(create(state));
  InsertionGuard guard(*this);
  setInsertionPointToStart(&loop.getCond().front());
  ReturnOp::create(*this, compare(ComparisonDirection::LT, loop.getCond().getArgument(0), end));
  setInsertionPointToStart(&loop.getBody().front());
  ValueRange arguments = loop.getBody().getArguments();
  SmallVector<Value> next = body(arguments[0], arguments.drop_front());
  next.insert(next.begin(), add(arguments[0], step));
  ReturnOp::create(*this, next);
  return llvm::to_vector(ValueRange(loop.getResults()).drop_front());
}

SmallVector<int64_t> mlir::xla::without(ArrayRef<int64_t> list, int64_t index) {
  SmallVector<int64_t> rest(list);
  rest.erase(rest.begin() + index);
  return rest;
}

Attribute mlir::xla::getIdentity(Operation *op, Type element) {
  bool isFloat = isa<FloatType>(element), isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  if (!isFloat && !isa<IntegerType>(element))
    return {};
  unsigned width = element.getIntOrFloatBitWidth();
  auto integer = [&](const APInt &value) -> Attribute {
    return isFloat ? Attribute() : IntegerAttr::get(element, value);
  };
  auto number = [&](double value) -> Attribute {
    return isFloat ? FloatAttr::get(element, value)
                   : Attribute(IntegerAttr::get(element, APInt(width, static_cast<uint64_t>(value))));
  };
  auto extremum = [&](bool lowest) -> Attribute {
    if (isFloat) {
      const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
      return APFloat::semanticsHasInf(semantics) ? FloatAttr::get(element, APFloat::getInf(semantics, lowest))
                                                 : Attribute();
    }
    if (isUnsigned)
      return integer(lowest ? APInt::getZero(width) : APInt::getAllOnes(width));
    return integer(lowest ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
  };
  if (isa<AddOp>(op))
    return number(isFloat ? -0.0 : 0.0);
  if (isa<MulOp>(op))
    return number(1.0);
  if (isa<MaxOp>(op))
    return extremum(true);
  if (isa<MinOp>(op))
    return extremum(false);
  if (isa<OrOp, XorOp>(op))
    return integer(APInt::getZero(width));
  if (isa<AndOp>(op))
    return integer(APInt::getAllOnes(width));
  return {};
}
