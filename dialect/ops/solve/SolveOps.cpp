// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and shape rules of the solve family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

LogicalResult CholeskyOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  auto a = cast<RankedTensorType>(adaptor.getA().getType());
  if (a.getRank() < 2)
    return ConstraintError(loc, name, "Cholesky-C1") << "the operand " << a << " is no matrix or batch of matrices";
  if (!areCompatibleDims(a.getShape().back(), a.getDimSize(a.getRank() - 2)))
    return ConstraintError(loc, name, "Cholesky-C2") << "the matrices of " << a << " are not square";
  if (!(classOf(a.getElementType()) & (kFloat | kComplex)))
    return ConstraintError(loc, name, "Cholesky-C3") << "does not take elements of type " << a.getElementType()
                                                     << ", expected " << describeClasses(kFloat | kComplex);
  types.push_back(tensorLike(a, a.getShape(), a.getElementType()));
  return success();
}

LogicalResult CholeskyOp::verify() { return verifyInferredTypes(*this, "Cholesky-C4"); }

LogicalResult TriangularSolveOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef number) {
    return ConstraintError(loc, getOperationName(), ("TriangularSolve-C" + number).str());
  };
  auto a = cast<RankedTensorType>(adaptor.getA().getType());
  auto b = cast<RankedTensorType>(adaptor.getB().getType());
  int64_t rank = a.getRank();
  if (rank != b.getRank() || rank < 2)
    return error("1") << "the ranks of a " << a << " and b " << b << " are not the same or less than 2";
  if (!areCompatibleDims(a.getShape().back(), a.getDimSize(rank - 2)))
    return error("2") << "the matrices of a " << a << " are not square";
  int64_t solved = adaptor.getLeftSideAttr().getValue() ? rank - 2 : rank - 1;
  if (!areCompatibleDims(a.getShape().back(), b.getDimSize(solved)))
    return error("3") << "dimension " << solved << " of b " << b << " is not as large as the matrices of a " << a;
  if (!areCompatibleDims(a.getShape().drop_back(2), b.getShape().drop_back(2)))
    return error("4") << "the batch dimensions of a " << a << " and b " << b << " differ";
  if (a.getElementType() != b.getElementType())
    return error("5") << "element types of a and b differ: " << a << " and " << b;
  if (!(classOf(a.getElementType()) & (kFloat | kComplex)))
    return error("5") << "does not take elements of type " << a.getElementType() << ", expected "
                      << describeClasses(kFloat | kComplex);
  if (adaptor.getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return error("7") << "transpose_a is TRANSPOSE_INVALID";
  types.push_back(tensorLike(b, b.getShape(), b.getElementType()));
  return success();
}

LogicalResult TriangularSolveOp::verify() { return verifyInferredTypes(*this, "TriangularSolve-C6"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/solve/SolveOps.cpp.inc"

void XlaDialect::registerSolveOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/solve/SolveOps.cpp.inc"
      >();
}
