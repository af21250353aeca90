// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/dialect/InferTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::xla;

ConstraintError::ConstraintError(std::optional<Location> loc, StringRef opName, StringRef constraint) {
  if (!loc)
    return;
  diagnostic.emplace(emitError(*loc));
  *diagnostic << "'" << opName << "' op [" << constraint << "] ";
}

LogicalResult mlir::xla::verifyInferredTypes(InferTypeOpInterface op, StringRef constraint) {
  SmallVector<Type> inferred;
  Operation *operation = op;
  if (failed(op.inferReturnTypes(op->getContext(), op->getLoc(), operation->getOperands(),
                                 operation->getAttrDictionary(), operation->getPropertiesStorage(),
                                 operation->getRegions(), inferred)))
    return failure();
  if (op.isCompatibleReturnTypes(inferred, operation->getResultTypes()))
    return success();
  return ConstraintError(op->getLoc(), operation->getName().getStringRef(), constraint)
         << "result types " << operation->getResultTypes() << " differ from the inferred " << TypeRange(inferred);
}

static Type withoutEncoding(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), tensor.getElementType());
  if (auto tuple = dyn_cast<TupleType>(type))
    return TupleType::get(type.getContext(), llvm::map_to_vector(tuple.getTypes(), withoutEncoding));
  return type;
}

bool mlir::xla::areCompatibleTypes(TypeRange inferred, TypeRange actual) {
  return llvm::equal(inferred, actual,
                     [](Type lhs, Type rhs) { return lhs == rhs || withoutEncoding(lhs) == withoutEncoding(rhs); });
}
