// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and shape rules of the normalization family.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/XlaOps.h"

using namespace mlir;
using namespace mlir::xla;

/// Checks the feature dimension of `operand` (constraint 1), the arrays that have one element per feature (constraint
/// 2) and the element types (constraint `elementConstraint`). Appends the type of `operand`, then `perFeatureResults`
/// times that of a feature array.
static LogicalResult inferBatchNorm(std::optional<Location> loc, StringRef opName, StringRef family, Value operand,
                                    ArrayRef<std::pair<StringRef, Value>> perFeature, int64_t featureIndex,
                                    StringRef elementConstraint, unsigned perFeatureResults,
                                    SmallVectorImpl<Type> &types) {
  auto constraint = [&](StringRef number) { return (family + "-C" + number).str(); };
  auto type = cast<RankedTensorType>(operand.getType());
  if (featureIndex < 0 || featureIndex >= type.getRank())
    return ConstraintError(loc, opName, constraint("1"))
           << "feature_index " << featureIndex << " is no dimension of operand " << type;
  int64_t features = type.getDimSize(featureIndex);
  for (auto [name, value] : perFeature) {
    auto array = cast<RankedTensorType>(value.getType());
    if (array.getRank() != 1 || array.getDimSize(0) != features)
      return ConstraintError(loc, opName, constraint("2"))
             << name << " is " << array << " instead of one element for each of the " << features
             << " features of operand " << type;
  }
  if (!isa<FloatType>(type.getElementType()))
    return ConstraintError(loc, opName, constraint(elementConstraint))
           << "the element type of operand " << type << " is not floating-point";
  for (auto [name, value] : perFeature)
    if (elementTypeOf(value) != type.getElementType())
      return ConstraintError(loc, opName, constraint(elementConstraint))
             << "the element type of " << name << ' ' << value.getType() << " is not that of operand " << type;
  types.push_back(RankedTensorType::get(type.getShape(), type.getElementType()));
  types.append(perFeatureResults, RankedTensorType::get({features}, type.getElementType()));
  return success();
}

LogicalResult BatchNormTrainingOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                    SmallVectorImpl<Type> &types) {
  return inferBatchNorm(loc, getOperationName(), "BatchNormTraining", adaptor.getOperand(),
                        {{"scale", adaptor.getScale()}, {"offset", adaptor.getOffset()}},
                        adaptor.getFeatureIndexAttr().getInt(), "3", 2, types);
}

LogicalResult BatchNormTrainingOp::verify() { return verifyInferredTypes(*this, "BatchNormTraining-C4"); }

LogicalResult BatchNormInferenceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                     SmallVectorImpl<Type> &types) {
  return inferBatchNorm(loc, getOperationName(), "BatchNormInference", adaptor.getOperand(),
                        {{"scale", adaptor.getScale()},
                         {"offset", adaptor.getOffset()},
                         {"mean", adaptor.getMean()},
                         {"variance", adaptor.getVariance()}},
                        adaptor.getFeatureIndexAttr().getInt(), "3", 0, types);
}

LogicalResult BatchNormInferenceOp::verify() { return verifyInferredTypes(*this, "BatchNormInference-C4"); }

LogicalResult BatchNormGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  if (failed(inferBatchNorm(
          loc, getOperationName(), "BatchNormGrad", adaptor.getOperand(),
          {{"scale", adaptor.getScale()}, {"mean", adaptor.getMean()}, {"variance", adaptor.getVariance()}},
          adaptor.getFeatureIndexAttr().getInt(), "4", 2, types)))
    return failure();
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto gradient = cast<RankedTensorType>(adaptor.getGradOutput().getType());
  if (!areCompatibleDims(gradient.getShape(), operand.getShape()))
    return ConstraintError(loc, getOperationName(), "BatchNormGrad-C3")
           << "grad_output " << gradient << " does not have the dims of operand " << operand;
  if (gradient.getElementType() != operand.getElementType())
    return ConstraintError(loc, getOperationName(), "BatchNormGrad-C4")
           << "the element type of grad_output " << gradient << " is not that of operand " << operand;
  return success();
}

LogicalResult BatchNormGradOp::verify() { return verifyInferredTypes(*this, "BatchNormGrad-C5"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/normalization/NormalizationOps.cpp.inc"

void XlaDialect::registerNormalizationOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/normalization/NormalizationOps.cpp.inc"
      >();
}
