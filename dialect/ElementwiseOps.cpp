// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers, shape rules, folds and assembly of the elementwise family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

LogicalResult AddOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  if (adaptor.getLhs().getType() != adaptor.getRhs().getType())
    return ConstraintError(loc, getOperationName(), "Binary-C1")
           << "operand types differ: " << adaptor.getLhs().getType() << " and " << adaptor.getRhs().getType();
  types.push_back(adaptor.getLhs().getType());
  return success();
}

LogicalResult AddOp::verify() { return verifyInferredTypes(*this, "Binary-C6"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ElementwiseOps.cpp.inc"

void XlaDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ElementwiseOps.cpp.inc"
      >();
}
