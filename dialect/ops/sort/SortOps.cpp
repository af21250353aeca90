// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and shape rules of the sort family.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

//===- Sort -------------------------------------------------------------------------------------------------------===//

LogicalResult SortOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  if (adaptor.getInputs().empty())
    return ConstraintError(loc, name, "Sort-C1") << "has no operands";
  auto first = cast<RankedTensorType>(adaptor.getInputs()[0].getType());
  for (auto [i, input] : llvm::enumerate(adaptor.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!areCompatibleDims(type.getShape(), first.getShape()))
      return ConstraintError(loc, name, "Sort-C2")
             << "dims of operand " << i << " differ from those of operand 0: " << type << " and " << first;
    types.push_back(RankedTensorType::get(type.getShape(), type.getElementType()));
  }
  int64_t rank = first.getRank(), dimension = adaptor.getDimension();
  if (dimension < -rank || dimension >= rank)
    return ConstraintError(loc, name, "Sort-C4") << "dimension " << dimension << " is no dimension of " << first;
  return success();
}

LogicalResult SortOp::verify() { return verifyInferredTypes(*this, "Sort-C5"); }

LogicalResult SortOp::verifyRegions() {
  SmallVector<Type> parameters;
  for (Value input : getInputs())
    parameters.append(2, RankedTensorType::get({}, elementTypeOf(input)));
  auto error = [&] { return ConstraintError(getLoc(), getOperationName(), "Sort-C3"); };
  if (!areCompatibleTypes(parameters, getComparator().getArgumentTypes()))
    return error() << "comparator takes " << getComparator().getArgumentTypes() << " instead of "
                   << TypeRange(parameters);
  ReturnOp ret = getReturn(getComparator());
  if (!ret || ret.getNumOperands() != 1 || !isScalar(ret.getOperand(0).getType(), IntegerType::get(getContext(), 1)))
    return error() << "comparator does not return one tensor<i1>";
  if (Operation *effect = findSideEffect(getComparator()))
    return error() << "comparator contains '" << effect->getName() << "', which has side effects";
  return success();
}

int64_t SortOp::getSortedDimension() {
  int64_t rank = cast<RankedTensorType>(getInputs()[0].getType()).getRank(), dimension = getDimension();
  return dimension < 0 ? dimension + rank : dimension;
}

//===- TopK -------------------------------------------------------------------------------------------------------===//

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  int64_t k = adaptor.getKAttr().getInt();
  if (operand.getRank() == 0)
    return ConstraintError(loc, name, "TopK-C1") << "the operand " << operand << " has no dimension";
  int64_t size = operand.getShape().back();
  if (k < 0 || (!ShapedType::isDynamic(size) && k > size))
    return ConstraintError(loc, name, "TopK-C2") << "k = " << k << " does not lie between 0 and " << size
                                                 << ", the size of the last dimension of " << operand;
  if (!(classOf(operand.getElementType()) & (kPred | kInt | kFloat)))
    return ConstraintError(loc, name, "TopK-C3") << "does not take elements of type " << operand.getElementType()
                                                 << ", expected " << describeClasses(kPred | kInt | kFloat);
  SmallVector<int64_t> dims(operand.getShape());
  dims.back() = k;
  types.push_back(RankedTensorType::get(dims, operand.getElementType()));
  types.push_back(RankedTensorType::get(dims, IntegerType::get(context, 32)));
  return success();
}

LogicalResult TopKOp::verify() { return verifyInferredTypes(*this, "TopK-C4"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/sort/SortOps.cpp.inc"

void XlaDialect::registerSortOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/sort/SortOps.cpp.inc"
      >();
}
