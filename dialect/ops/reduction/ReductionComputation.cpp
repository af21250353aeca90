// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/Regions.h"

using namespace mlir;
using namespace mlir::xla;

LogicalResult mlir::xla::verifyReductionComputation(Operation *op, Region &region, StringRef regionName,
                                                    StringRef constraint, ArrayRef<Type> elements) {
  StringRef opName = op->getName().getStringRef();
  auto scalars = llvm::map_to_vector(elements, [](Type type) -> Type { return RankedTensorType::get({}, type); });
  SmallVector<Type> parameters(scalars);
  parameters.append(scalars);
  if (!areCompatibleTypes(parameters, region.getArgumentTypes()))
    return ConstraintError(op->getLoc(), opName, constraint)
           << "[RC-C1] " << regionName << " takes " << listed(region.getArgumentTypes()) << " instead of "
           << TypeRange(parameters);
  ReturnOp ret = getReturn(region);
  if (!ret)
    return ConstraintError(op->getLoc(), opName, constraint)
           << "[RC-C1] " << regionName << " does not end in xla.return";
  if (!areCompatibleTypes(scalars, ret.getOperandTypes()))
    return ConstraintError(op->getLoc(), opName, constraint)
           << "[RC-C1] " << regionName << " returns " << listed(ret.getOperandTypes()) << " instead of "
           << TypeRange(scalars);
  if (Operation *effect = findSideEffect(region))
    return ConstraintError(op->getLoc(), opName, constraint)
           << "[RC-C4] " << regionName << " contains '" << effect->getName() << "', which has side effects";
  return success();
}

SmallVector<Type> mlir::xla::getElementTypes(TypeRange tensors) {
  return llvm::map_to_vector(tensors, [](Type type) { return elementTypeOf(type); });
}

Operation *mlir::xla::getSingleBinaryOp(Region &region) {
  if (!region.hasOneBlock() || region.getNumArguments() != 2 || !llvm::hasNItems(region.front(), 2))
    return nullptr;
  Operation *op = &region.front().front();
  ReturnOp ret = getReturn(region);
  if (!ret || op->getNumResults() != 1 || ret->getOperands() != op->getResults() ||
      !llvm::equal(op->getOperands(), region.getArguments()))
    return nullptr;
  return op;
}

void mlir::xla::buildSingleBinaryOp(OpBuilder &builder, Location loc, Region &region, OperationName op, Type element) {
  OpBuilder::InsertionGuard guard(builder);
  Type scalar = RankedTensorType::get({}, element);
  Block *block = builder.createBlock(&region, {}, {scalar, scalar}, {loc, loc});
  OperationState state(loc, op, block->getArguments(), scalar);
  Operation *combined = builder.create(state);
  ReturnOp::create(builder, loc, combined->getResults());
}

std::optional<RegisteredOperationName> mlir::xla::lookUpReducer(MLIRContext *context, StringRef name) {
  for (StringRef prefix : {"stablehlo.", "mhlo.", "chlo."})
    if (name.consume_front(prefix))
      return RegisteredOperationName::lookup((XlaDialect::getDialectNamespace() + "." + name).str(), context);
  return RegisteredOperationName::lookup(name, context);
}
