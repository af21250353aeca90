// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the random family. Result types do not follow from the operands' types.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/Regions.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

LogicalResult RngOp::verify() {
  bool isUniform = getRngDistribution() == RngDistribution::UNIFORM;
  auto error = [&](StringRef number) {
    return ConstraintError(getLoc(), getOperationName(), ((isUniform ? "RngUniform-C" : "RngNormal-C") + number).str());
  };
  for (auto [name, limit] : {std::pair("a", getA()), std::pair("b", getB())})
    if (!isScalar(limit.getType()))
      return error("1") << name << " is " << limit.getType() << " instead of a scalar";
  auto result = cast<RankedTensorType>(getResult().getType());
  Type element = elementTypeOf(getA());
  unsigned classes = isUniform ? kPred | kInt | kFloat : unsigned(kFloat);
  if (!(classOf(element) & classes))
    return error("2") << "does not take elements of type " << element << ", expected " << describeClasses(classes);
  if (elementTypeOf(getB()) != element || result.getElementType() != element)
    return error("3") << "the element types of a " << getA().getType() << ", b " << getB().getType()
                      << " and the result " << result << " differ";
  auto shape = cast<RankedTensorType>(getShape().getType());
  if (shape.getRank() != 1 || !(classOf(shape.getElementType()) & kInt) ||
      !areCompatibleDims(shape.getDimSize(0), result.getRank()))
    return error("5") << "shape is " << shape << " instead of one integer for each dimension of the result " << result;
  DenseIntElementsAttr sizes;
  if (matchPattern(getShape(), m_Constant(&sizes)))
    for (auto [dim, size] : llvm::enumerate(sizes.getValues<APInt>()))
      if (!areCompatibleDims(result.getDimSize(dim), size.getSExtValue()))
        return error("5") << "shape asks for " << size.getSExtValue() << " elements in dimension " << dim
                          << " of the result " << result;
  return success();
}

LogicalResult RngBitGeneratorOp::verify() {
  auto error = [&](StringRef number) {
    return ConstraintError(getLoc(), getOperationName(), ("RngBitGenerator-C" + number).str());
  };
  auto state = cast<RankedTensorType>(getInitialState().getType());
  auto words = [&](int64_t count) { return state.getRank() == 1 && areCompatibleDims(state.getDimSize(0), count); };
  RngAlgorithm algorithm = getRngAlgorithm();
  bool fits = (algorithm != RngAlgorithm::PHILOX && words(2)) || (algorithm != RngAlgorithm::THREE_FRY && words(3));
  if (!fits || !state.getElementType().isUnsignedInteger(64))
    return error("1") << "the state of " << stringifyRngAlgorithm(algorithm) << " is " << state << " instead of "
                      << (algorithm == RngAlgorithm::THREE_FRY ? "tensor<2xui64>" : "tensor<3xui64>");
  if (!areSameShape(state, getOutputState().getType()))
    return error("2") << "the new state is " << getOutputState().getType() << " instead of " << state;
  Type element = elementTypeOf(getOutput());
  if (!(classOf(element) & (kInt | kFloat)) || !llvm::is_contained({8, 16, 32, 64}, bitWidthOf(element)))
    return error("3") << "does not give elements of type " << element
                      << ", expected INT or FLOAT of 8, 16, 32 or 64 bits";
  return success();
}

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/random/RandomOps.cpp.inc"

void XlaDialect::registerRandomOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/random/RandomOps.cpp.inc"
      >();
}
