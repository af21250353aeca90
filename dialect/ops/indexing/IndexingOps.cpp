// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and shape rules of the indexing family. Gather and scatter are each other's reverse and share the rules for
// index vectors and for the dimensions that a slice (or window) lacks.

#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"

using namespace mlir;
using namespace mlir::xla;

//===- Shared checks ----------------------------------------------------------------------------------------------===//

namespace {
/// Emits errors of one op, with constraints "<family>-C<number>".
struct Reporter {
  std::optional<Location> loc;
  StringRef opName;
  StringRef family;

  ConstraintError operator()(int number) const {
    return ConstraintError(loc, opName, (family + "-C" + Twine(number)).str());
  }
  /// Dimensions in `[0, rank)`, each once; ascending unless `anyOrder`.
  LogicalResult checkDims(int number, StringRef name, ArrayRef<int64_t> dims, int64_t rank,
                          bool anyOrder = false) const {
    for (auto [i, dim] : llvm::enumerate(dims)) {
      if (dim < 0 || dim >= rank)
        return (*this)(number) << name << " contains " << dim << ", which is outside of rank " << rank;
      if (llvm::is_contained(dims.take_front(i), dim))
        return (*this)(number) << name << " contains " << dim << " twice";
      if (!anyOrder && i > 0 && dims[i - 1] > dim)
        return (*this)(number) << name << " is not ascending: " << dims[i - 1] << " comes before " << dim;
    }
    return success();
  }
};
} // namespace

/// Checks the start indices: integers, the place of the index vector (constraints `typeRule`, `placeRule`), and the
/// operand dimensions its components address (`mapRule`).
static LogicalResult checkIndices(const Reporter &error, int typeRule, int placeRule, int mapRule, StringRef mapName,
                                  RankedTensorType indices, int64_t indexVectorDim, ArrayRef<int64_t> map,
                                  int64_t operandRank, ArrayRef<int64_t> operandBatching) {
  if (!indices.getElementType().isInteger() || indices.getElementType().isInteger(1))
    return error(typeRule) << "indices are not integers but " << indices;
  if (indexVectorDim < 0 || indexVectorDim > indices.getRank())
    return error(placeRule) << "index_vector_dim " << indexVectorDim << " is outside of [0, " << indices.getRank()
                            << "] for indices " << indices;
  int64_t components = indexVectorDim == indices.getRank() ? 1 : indices.getDimSize(indexVectorDim);
  if (!ShapedType::isDynamic(components) && components != static_cast<int64_t>(map.size()))
    return error(mapRule) << mapName << " has " << counted(map.size(), "entry") << " for index vectors of size "
                          << components;
  if (failed(error.checkDims(mapRule, mapName, map, operandRank, /*anyOrder=*/true)))
    return failure();
  for (int64_t dim : map)
    if (llvm::is_contained(operandBatching, dim))
      return error(mapRule) << mapName << " contains the batching dimension " << dim;
  return success();
}

/// Checks that batching dimensions of operand and indices pair up.
static LogicalResult checkBatching(const Reporter &error, int rule, RankedTensorType operand,
                                   ArrayRef<int64_t> operandDims, RankedTensorType indices,
                                   ArrayRef<int64_t> indicesDims, int64_t indexVectorDim) {
  if (operandDims.size() != indicesDims.size())
    return error(rule) << "the operand has " << operandDims.size() << " and the indices have " << indicesDims.size()
                       << " batching dimensions";
  if (failed(error.checkDims(rule, "batching dimensions of the indices", indicesDims, indices.getRank(),
                             /*anyOrder=*/true)))
    return failure();
  for (auto [dim, operandDim] : llvm::zip_equal(indicesDims, operandDims)) {
    if (dim == indexVectorDim)
      return error(rule) << "index_vector_dim " << dim << " is a batching dimension of the indices";
    int64_t size = indices.getDimSize(dim), operandSize = operand.getDimSize(operandDim);
    if (size != operandSize && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(operandSize))
      return error(rule) << "batching dimensions " << operandDim << " of the operand and " << dim
                         << " of the indices have sizes " << operandSize << " and " << size;
  }
  return success();
}

/// Checks two lists of operand dimensions that slices lack: both ascending, no dimension in both.
static LogicalResult checkMissingDims(const Reporter &error, int rule, StringRef firstName, ArrayRef<int64_t> first,
                                      StringRef secondName, ArrayRef<int64_t> second, int64_t rank) {
  if (failed(error.checkDims(rule, firstName, first, rank)) || failed(error.checkDims(rule, secondName, second, rank)))
    return failure();
  for (int64_t dim : first)
    if (llvm::is_contained(second, dim))
      return error(rule) << "dimension " << dim << " is in both " << firstName << " and " << secondName;
  return success();
}

/// Dims of the indices without the index vector.
static SmallVector<int64_t> getIndexDims(RankedTensorType indices, int64_t indexVectorDim) {
  SmallVector<int64_t> dims(indices.getShape());
  if (indexVectorDim < indices.getRank())
    dims.erase(dims.begin() + indexVectorDim);
  return dims;
}

//===- Gather -----------------------------------------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Reporter error{loc, getOperationName(), "Gather"};
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  auto indices = cast<RankedTensorType>(adaptor.getStartIndices().getType());
  GatherDimensionNumbersAttr numbers = adaptor.getDimensionNumbers();
  ArrayRef<int64_t> offset = numbers.getOffsetDims(), collapsed = numbers.getCollapsedSliceDims(),
                    batching = numbers.getOperandBatchingDims(), sizes = adaptor.getSliceSizes();
  int64_t rank = operand.getRank();
  if (rank != static_cast<int64_t>(offset.size() + collapsed.size() + batching.size()))
    return error(1) << "the operand's rank " << rank << " is not the number of offset (" << offset.size()
                    << "), collapsed (" << collapsed.size() << ") and batching (" << batching.size() << ") dimensions";
  if (rank != static_cast<int64_t>(sizes.size()))
    return error(2) << "slice_sizes has " << counted(sizes.size(), "entry") << " for an operand of rank " << rank;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size < 0 || (!operand.isDynamicDim(dim) && size > operand.getDimSize(dim)))
      return error(2) << "slice size " << size << " of dimension " << dim << " is outside of [0, "
                      << operand.getDimSize(dim) << "]";
  if (failed(checkMissingDims(error, 4, "collapsed_slice_dims", collapsed, "operand_batching_dims", batching, rank)))
    return failure();
  for (int64_t dim : collapsed)
    if (sizes[dim] != 1)
      return error(3) << "slice size of collapsed dimension " << dim << " is " << sizes[dim] << " instead of 1";
  for (int64_t dim : batching)
    if (sizes[dim] > 1)
      return error(3) << "slice size of batching dimension " << dim << " is " << sizes[dim]
                      << " but at most 1 is legal";
  int64_t indexVectorDim = numbers.getIndexVectorDim();
  if (failed(checkIndices(error, 8, 6, 7, "start_index_map", indices, indexVectorDim, numbers.getStartIndexMap(), rank,
                          batching)) ||
      failed(
          checkBatching(error, 10, operand, batching, indices, numbers.getStartIndicesBatchingDims(), indexVectorDim)))
    return failure();

  SmallVector<int64_t> indexDims = getIndexDims(indices, indexVectorDim);
  int64_t resultRank = indexDims.size() + offset.size();
  if (failed(error.checkDims(5, "offset_dims", offset, resultRank)))
    return failure();
  SmallVector<int64_t> dims(resultRank, -1);
  const int64_t *place = offset.begin();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(collapsed, dim) && !llvm::is_contained(batching, dim))
      dims[*place++] = sizes[dim];
  const int64_t *next = indexDims.begin();
  for (int64_t dim = 0; dim < resultRank; ++dim)
    if (!llvm::is_contained(offset, dim))
      dims[dim] = *next++;
  types.push_back(RankedTensorType::get(dims, operand.getElementType()));
  return success();
}

LogicalResult GatherOp::verify() { return verifyInferredTypes(*this, "Gather-C9"); }

//===- Scatter ----------------------------------------------------------------------------------------------------===//

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Reporter error{loc, getOperationName(), "Scatter"};
  // The adaptor takes all but one operand for inputs and updates in equal parts.
  if (size_t count = adaptor.getOperands().size(); count < 3 || count % 2 == 0)
    return error(1) << "has " << counted(count, "operand") << " instead of N >= 1 inputs, the indices and N updates";
  ValueRange inputs = adaptor.getInputs(), updates = adaptor.getUpdates();
  auto input = cast<RankedTensorType>(inputs[0].getType());
  auto update = cast<RankedTensorType>(updates[0].getType());
  for (auto [i, in, up] : llvm::enumerate(inputs, updates)) {
    if (elementTypeOf(in) != elementTypeOf(up))
      return error(1) << "element types of input and update " << i << " differ: " << in.getType() << " and "
                      << up.getType();
    if (!areCompatibleDims(cast<RankedTensorType>(in.getType()).getShape(), input.getShape()))
      return error(2) << "dims of input " << i << " differ from those of input 0: " << in.getType() << " and " << input;
    if (!areCompatibleDims(cast<RankedTensorType>(up.getType()).getShape(), update.getShape()))
      return error(3) << "dims of update " << i << " differ from those of update 0: " << up.getType() << " and "
                      << update;
  }

  auto indices = cast<RankedTensorType>(adaptor.getScatterIndices().getType());
  ScatterDimensionNumbersAttr numbers = adaptor.getScatterDimensionNumbers();
  ArrayRef<int64_t> window = numbers.getUpdateWindowDims(), inserted = numbers.getInsertedWindowDims(),
                    batching = numbers.getInputBatchingDims();
  int64_t indexVectorDim = numbers.getIndexVectorDim(), rank = input.getRank();
  if (failed(checkIndices(error, 11, 11, 10, "scatter_dims_to_operand_dims", indices, indexVectorDim,
                          numbers.getScatterDimsToOperandDims(), rank, batching)))
    return failure();
  SmallVector<int64_t> indexDims = getIndexDims(indices, indexVectorDim);
  if (update.getRank() != static_cast<int64_t>(window.size() + indexDims.size()))
    return error(4) << "the rank of updates " << update << " is not the number of window (" << window.size()
                    << ") and index (" << indexDims.size() << ") dimensions";
  if (failed(error.checkDims(7, "update_window_dims", window, update.getRank())) ||
      failed(checkMissingDims(error, 8, "inserted_window_dims", inserted, "input_batching_dims", batching, rank)))
    return failure();
  if (rank != static_cast<int64_t>(window.size() + inserted.size() + batching.size()))
    return error(9) << "the inputs' rank " << rank << " is not the number of window (" << window.size()
                    << "), inserted (" << inserted.size() << ") and batching (" << batching.size() << ") dimensions";
  if (failed(
          checkBatching(error, 14, input, batching, indices, numbers.getScatterIndicesBatchingDims(), indexVectorDim)))
    return failure();

  auto exceeds = [](int64_t size, int64_t limit) {
    return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(limit) && size > limit;
  };
  const int64_t *windowDim = window.begin();
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::is_contained(inserted, dim) || llvm::is_contained(batching, dim))
      continue;
    int64_t size = update.getDimSize(*windowDim);
    if (exceeds(size, input.getDimSize(dim)))
      return error(5) << "window dimension " << *windowDim << " of updates has size " << size << " but dimension "
                      << dim << " of the inputs " << input << " is smaller";
    ++windowDim;
  }
  const int64_t *next = indexDims.begin();
  for (int64_t dim = 0; dim < update.getRank(); ++dim) {
    if (llvm::is_contained(window, dim))
      continue;
    int64_t size = update.getDimSize(dim), expected = *next++;
    if (exceeds(size, expected) || exceeds(expected, size))
      return error(6) << "dimension " << dim << " of updates " << update << " has size " << size << " but the indices "
                      << indices << " ask for " << expected;
  }
  for (Value in : inputs) {
    auto type = cast<RankedTensorType>(in.getType());
    types.push_back(RankedTensorType::get(type.getShape(), type.getElementType()));
  }
  return success();
}

LogicalResult ScatterOp::verify() { return verifyInferredTypes(*this, "Scatter-C13"); }

LogicalResult ScatterOp::verifyRegions() {
  return verifyReductionComputation(*this, getUpdateComputation(), "update_computation", "Scatter-C12",
                                    getElementTypes(getInputs().getTypes()));
}

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/indexing/IndexingOps.cpp.inc"

void XlaDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/indexing/IndexingOps.cpp.inc"
      >();
}
