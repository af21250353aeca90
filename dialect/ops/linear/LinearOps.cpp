// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and shape rules of the linear family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/linear/LinearAssembly.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::xla;

//===- Shared checks ----------------------------------------------------------------------------------------------===//

namespace mlir::xla {
/// Equality of dims; element types may differ within their class, since a result can be wider than the operands, and
/// integers may be summed as floats.
static bool areCompatibleContractionTypes(TypeRange inferred, TypeRange actual) {
  auto isInteger = [](RankedTensorType type) { return classOf(type.getElementType()) & (kPred | kInt); };
  return llvm::equal(inferred, actual, [&](Type lhs, Type rhs) {
    auto a = dyn_cast<RankedTensorType>(lhs), b = dyn_cast<RankedTensorType>(rhs);
    if (!a || !b || !areCompatibleDims(a.getShape(), b.getShape()))
      return false;
    unsigned found = classOf(b.getElementType());
    return isInteger(a) ? isInteger(b) || found == kFloat : found == classOf(a.getElementType());
  });
}
} // namespace mlir::xla

static LogicalResult checkElementTypes(std::optional<Location> loc, StringRef opName, StringRef constraint, Type lhs,
                                       Type rhs) {
  if (elementTypeOf(lhs) == elementTypeOf(rhs))
    return success();
  return ConstraintError(loc, opName, constraint) << "element types of lhs and rhs differ: " << lhs << " and " << rhs;
}

static LogicalResult checkPrecision(std::optional<Location> loc, StringRef opName, StringRef constraint,
                                    std::optional<ArrayAttr> precision) {
  if (!precision || precision->empty() || precision->size() == 2)
    return success();
  return ConstraintError(loc, opName, constraint)
         << "precision_config has " << counted(precision->size(), "entry") << " instead of one per operand";
}

//===- Dot --------------------------------------------------------------------------------------------------------===//

LogicalResult DotOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  for (RankedTensorType type : {lhs, rhs})
    if (type.getRank() != 1 && type.getRank() != 2)
      return ConstraintError(loc, name, "Dot-C1") << "operands are vectors or matrices, not " << type;
  if (!areCompatibleDims(lhs.getShape().back(), rhs.getShape().front()))
    return ConstraintError(loc, name, "Dot-C2") << "contracted sizes " << lhs.getShape().back() << " and "
                                                << rhs.getShape().front() << " differ in " << lhs << " and " << rhs;
  if (failed(checkElementTypes(loc, name, "Dot-C3", lhs, rhs)) ||
      failed(checkPrecision(loc, name, "Dot-C4", adaptor.getPrecisionConfig())))
    return failure();
  SmallVector<int64_t> dims(lhs.getShape().drop_back());
  llvm::append_range(dims, rhs.getShape().drop_front());
  types.push_back(RankedTensorType::get(dims, lhs.getElementType()));
  return success();
}

LogicalResult DotOp::verify() { return verifyInferredTypes(*this, "Dot-C2"); }

/// Checks that batch and contracting dimensions of one side are distinct dimensions of `type` and returns the others.
static FailureOr<SmallVector<int64_t>> getFreeDims(std::optional<Location> loc, StringRef opName, StringRef constraint,
                                                   StringRef side, RankedTensorType type, ArrayRef<int64_t> batch,
                                                   ArrayRef<int64_t> contracting) {
  llvm::BitVector used(type.getRank());
  for (int64_t dim : llvm::concat<const int64_t>(batch, contracting)) {
    if (dim < 0 || dim >= type.getRank())
      return ConstraintError(loc, opName, constraint)
             << "dimension " << dim << " of " << side << " is outside of " << type;
    if (used.test(dim))
      return ConstraintError(loc, opName, constraint)
             << "dimension " << dim << " of " << side << " is listed twice among batching and contracting dimensions";
    used.set(dim);
  }
  SmallVector<int64_t> free;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!used.test(dim))
      free.push_back(dim);
  return free;
}

namespace {
/// A contraction whose dimensions fit together.
struct ContractionDims {
  SmallVector<int64_t> batchSizes, lhsFree, rhsFree; // sizes, dimensions, dimensions
};
} // namespace

/// Checks what `dot_general` and its kin have in common; `family` is that of the constraints.
template <typename Numbers>
static FailureOr<ContractionDims> getContractionDims(std::optional<Location> loc, StringRef name, StringRef family,
                                                     Value left, Value right, Numbers numbers,
                                                     std::optional<ArrayAttr> precision) {
  auto constraint = [&](StringRef number) { return (family + "-C" + number).str(); };
  auto lhs = cast<RankedTensorType>(left.getType());
  auto rhs = cast<RankedTensorType>(right.getType());
  ArrayRef<int64_t> lhsBatch = numbers.getLhsBatchingDimensions(), rhsBatch = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContract = numbers.getLhsContractingDimensions(),
                    rhsContract = numbers.getRhsContractingDimensions();
  if (lhsContract.size() != rhsContract.size())
    return ConstraintError(loc, name, constraint("1"))
           << "lhs has " << lhsContract.size() << " and rhs " << counted(rhsContract.size(), "contracting dimension");
  if (lhsBatch.size() != rhsBatch.size())
    return ConstraintError(loc, name, constraint("1"))
           << "lhs has " << lhsBatch.size() << " and rhs " << counted(rhsBatch.size(), "batching dimension");
  auto lhsFree = getFreeDims(loc, name, constraint("4"), "lhs", lhs, lhsBatch, lhsContract);
  if (failed(lhsFree))
    return failure();
  auto rhsFree = getFreeDims(loc, name, constraint("4"), "rhs", rhs, rhsBatch, rhsContract);
  if (failed(rhsFree))
    return failure();

  auto checkSizes = [&](StringRef kind, StringRef number, ArrayRef<int64_t> lhsDims,
                        ArrayRef<int64_t> rhsDims) -> LogicalResult {
    for (auto [l, r] : llvm::zip_equal(lhsDims, rhsDims))
      if (!areCompatibleDims(lhs.getDimSize(l), rhs.getDimSize(r)))
        return ConstraintError(loc, name, constraint(number))
               << kind << " dimensions " << l << " of lhs and " << r << " of rhs have sizes " << lhs.getDimSize(l)
               << " and " << rhs.getDimSize(r);
    return success();
  };
  if (failed(checkSizes("contracting", "2", lhsContract, rhsContract)) ||
      failed(checkSizes("batching", "3", lhsBatch, rhsBatch)) ||
      failed(checkElementTypes(loc, name, constraint("5"), lhs, rhs)) ||
      failed(checkPrecision(loc, name, constraint("7"), precision)))
    return failure();
  ContractionDims dims{{}, std::move(*lhsFree), std::move(*rhsFree)};
  for (auto [l, r] : llvm::zip_equal(lhsBatch, rhsBatch))
    dims.batchSizes.push_back(lhs.isDynamicDim(l) ? rhs.getDimSize(r) : lhs.getDimSize(l));
  return dims;
}

LogicalResult DotGeneralOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  FailureOr<ContractionDims> contraction =
      getContractionDims(loc, getOperationName(), "DotGeneral", adaptor.getLhs(), adaptor.getRhs(),
                         adaptor.getDotDimensionNumbers(), adaptor.getPrecisionConfig());
  if (failed(contraction))
    return failure();
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  SmallVector<int64_t> dims = contraction->batchSizes;
  for (int64_t dim : contraction->lhsFree)
    dims.push_back(lhs.getDimSize(dim));
  for (int64_t dim : contraction->rhsFree)
    dims.push_back(rhs.getDimSize(dim));
  types.push_back(RankedTensorType::get(dims, lhs.getElementType()));
  return success();
}

LogicalResult DotGeneralOp::verify() { return verifyInferredTypes(*this, "DotGeneral-C6"); }

//===- RaggedDot --------------------------------------------------------------------------------------------------===//

LogicalResult RaggedDotOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef number) {
    return ConstraintError(loc, getOperationName(), ("RaggedDot-C" + number).str());
  };
  RaggedDotDimensionNumbersAttr numbers = adaptor.getRaggedDotDimensionNumbers();
  FailureOr<ContractionDims> contraction = getContractionDims(loc, getOperationName(), "RaggedDot", adaptor.getLhs(),
                                                              adaptor.getRhs(), numbers, adaptor.getPrecisionConfig());
  if (failed(contraction))
    return failure();
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  auto groups = cast<RankedTensorType>(adaptor.getGroupSizes().getType());
  ArrayRef<int64_t> ragged = numbers.getLhsRaggedDimensions(), group = numbers.getRhsGroupDimensions();
  if (ragged.size() != 1 || ragged[0] < 0 || ragged[0] >= lhs.getRank())
    return error("8") << "lhs_ragged_dimensions [" << ragged << "] are not one dimension of lhs " << lhs;
  bool isFree = llvm::is_contained(contraction->lhsFree, ragged[0]);
  bool isContracted = llvm::is_contained(numbers.getLhsContractingDimensions(), ragged[0]);
  if (group.size() != (isFree ? 1 : 0) || (isFree && !llvm::is_contained(contraction->rhsFree, group[0])))
    return error("9") << "rhs_group_dimensions [" << group << "] are not "
                      << (isFree ? "one dimension of rhs that is neither batching nor contracting"
                                 : "empty, although the ragged dimension is not free");
  // The dims of lhs in the order of the result up to the ragged one, whose place the groups take.
  SmallVector<int64_t> before;
  if (isFree || isContracted)
    before = contraction->batchSizes;
  for (int64_t dim : isFree ? ArrayRef(contraction->lhsFree) : ArrayRef<int64_t>())
    if (dim < ragged[0])
      before.push_back(lhs.getDimSize(dim));
  for (int64_t dim : isContracted ? numbers.getLhsContractingDimensions()
                     : isFree     ? ArrayRef<int64_t>()
                                  : numbers.getLhsBatchingDimensions()) {
    if (dim == ragged[0])
      break;
    before.push_back(lhs.getDimSize(dim));
  }
  bool fits = groups.getRank() == 1 || (groups.getRank() == static_cast<int64_t>(before.size()) + 1 &&
                                        areCompatibleDims(groups.getShape().drop_back(), before));
  if (!(classOf(groups.getElementType()) & kInt) || !fits ||
      (isFree && !areCompatibleDims(groups.getShape().back(), rhs.getDimSize(group[0]))))
    return error("10") << "group_sizes " << groups << " are not integers of shape [groups]"
                       << (before.empty() ? "" : " or with dims " + dimsToString(before) + " before it");
  SmallVector<int64_t> dims;
  if (isContracted)
    dims.push_back(groups.getShape().back());
  llvm::append_range(dims, contraction->batchSizes);
  for (int64_t dim : contraction->lhsFree)
    dims.push_back(lhs.getDimSize(dim));
  for (int64_t dim : contraction->rhsFree)
    if (!llvm::is_contained(group, dim))
      dims.push_back(rhs.getDimSize(dim));
  types.push_back(RankedTensorType::get(dims, lhs.getElementType()));
  return success();
}

LogicalResult RaggedDotOp::verify() { return verifyInferredTypes(*this, "RaggedDot-C6"); }

//===- Convolution ------------------------------------------------------------------------------------------------===//

/// Checks that two dimensions and the spatial ones are a permutation of `rank` dimensions.
static LogicalResult checkDimensionNumbers(std::optional<Location> loc, StringRef array, int64_t rank, int64_t first,
                                           int64_t second, ArrayRef<int64_t> spatial, Attribute numbers) {
  SmallVector<int64_t> dims(spatial);
  dims.append({first, second});
  llvm::sort(dims);
  if (llvm::equal(dims, llvm::seq<int64_t>(0, rank)))
    return success();
  return ConstraintError(loc, ConvolutionOp::getOperationName(), "ConvWithGeneralPadding-C11")
         << "dimension numbers of the " << array << " are no permutation of its " << counted(rank, "dimension") << ": "
         << numbers;
}

LogicalResult ConvolutionOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  StringRef name = getOperationName();
  auto error = [&](StringRef number) {
    return ConstraintError(loc, name, ("ConvWithGeneralPadding-C" + number).str());
  };
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  ConvDimensionNumbersAttr numbers = adaptor.getDimensionNumbers();
  ArrayRef<int64_t> inputSpatial = numbers.getInputSpatialDimensions(),
                    kernelSpatial = numbers.getKernelSpatialDimensions(),
                    outputSpatial = numbers.getOutputSpatialDimensions();
  size_t spatial = inputSpatial.size();
  int64_t rank = spatial + 2;
  if (lhs.getRank() != rank || rhs.getRank() != rank || kernelSpatial.size() != spatial ||
      outputSpatial.size() != spatial)
    return error("1") << "ranks of lhs " << lhs << ", rhs " << rhs << " and of the dimension numbers " << numbers
                      << " differ";
  if (failed(checkDimensionNumbers(loc, "input", rank, numbers.getInputBatchDimension(),
                                   numbers.getInputFeatureDimension(), inputSpatial, numbers)) ||
      failed(checkDimensionNumbers(loc, "kernel", rank, numbers.getKernelInputFeatureDimension(),
                                   numbers.getKernelOutputFeatureDimension(), kernelSpatial, numbers)) ||
      failed(checkDimensionNumbers(loc, "output", rank, numbers.getOutputBatchDimension(),
                                   numbers.getOutputFeatureDimension(), outputSpatial, numbers)))
    return failure();

  SmallVector<int64_t> kernelSizes;
  for (int64_t dim : kernelSpatial)
    kernelSizes.push_back(rhs.getDimSize(dim));
  auto window = getWindow(loc, name, "ConvWithGeneralPadding-C2", "ConvWithGeneralPadding-C3", spatial,
                          {kernelSizes, adaptor.getWindowStrides(), adaptor.getPaddingAttr(), adaptor.getLhsDilation(),
                           adaptor.getRhsDilation(), adaptor.getWindowReversal()});
  if (failed(window))
    return failure();

  int64_t batch = lhs.getDimSize(numbers.getInputBatchDimension());
  int64_t features = lhs.getDimSize(numbers.getInputFeatureDimension());
  int64_t kernelFeatures = rhs.getDimSize(numbers.getKernelInputFeatureDimension());
  int64_t outputFeatures = rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
  int64_t featureGroups = adaptor.getFeatureGroupCount(), batchGroups = adaptor.getBatchGroupCount();
  auto divides = [](int64_t divisor, int64_t size) { return ShapedType::isDynamic(size) || size % divisor == 0; };
  if (featureGroups < 1 || !divides(featureGroups, features) || !divides(featureGroups, outputFeatures))
    return error("5") << "feature_group_count " << featureGroups << " is not a positive divisor of the " << features
                      << " input and " << counted(outputFeatures, "output feature");
  if (batchGroups < 1 || !divides(batchGroups, batch))
    return error("6") << "batch_group_count " << batchGroups << " is not a positive divisor of the batch size "
                      << batch;
  if (!divides(batchGroups, outputFeatures))
    return error("7") << "batch_group_count " << batchGroups << " does not divide the "
                      << counted(outputFeatures, "output feature");
  if (featureGroups > 1 && batchGroups > 1)
    return error("8") << "feature_group_count " << featureGroups << " and batch_group_count " << batchGroups
                      << " both exceed 1";
  if (!ShapedType::isDynamic(features) && !areCompatibleDims(kernelFeatures, features / featureGroups))
    return error("4") << "the kernel has " << counted(kernelFeatures, "input feature") << ", but "
                      << counted(features, "input feature") << " in " << counted(featureGroups, "group") << " are "
                      << features / featureGroups;
  if (failed(checkElementTypes(loc, name, "ConvWithGeneralPadding-C9", lhs, rhs)) ||
      failed(checkPrecision(loc, name, "ConvWithGeneralPadding-C12", adaptor.getPrecisionConfig())))
    return failure();

  SmallVector<int64_t> dims(rank);
  dims[numbers.getOutputBatchDimension()] = ShapedType::isDynamic(batch) ? batch : batch / batchGroups;
  dims[numbers.getOutputFeatureDimension()] = outputFeatures;
  for (auto [input, output, dim] : llvm::zip_equal(inputSpatial, outputSpatial, *window))
    dims[output] = getWindowedSize(lhs.getDimSize(input), dim);
  types.push_back(RankedTensorType::get(dims, lhs.getElementType()));
  return success();
}

LogicalResult ConvolutionOp::verify() { return verifyInferredTypes(*this, "ConvWithGeneralPadding-C10"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/linear/LinearOps.cpp.inc"

void XlaDialect::registerLinearOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/linear/LinearOps.cpp.inc"
      >();
}
