// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers, shape rules and assembly of the shape family.

#include "mlir_xla/dialect/Assembly.h"
#include "mlir_xla/dialect/InferTypes.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::xla;

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isScalar(RankedTensorType type) { return type.getRank() == 0; }

//===- Constant ---------------------------------------------------------------------------------------------------===//

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type || !isXlaElementType(type.getElementType()))
    return ConstraintError(loc, getOperationName(), "Constant-C1")
           << "value must be a ranked tensor of XLA elements, got " << adaptor.getValue().getType();
  types.push_back(type);
  return success();
}

LogicalResult ConstantOp::verify() { return verifyInferredTypes(*this, "Constant-C1"); }

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue().getType() == getType() ? getValue() : ElementsAttr(); }

void ConstantOp::print(OpAsmPrinter &p) {
  p.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  p << ' ' << getValue();
  // A result type that differs in its encoding would not survive the short form.
  if (getType() != getValue().getType())
    p << " -> " << getType();
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseAttribute(value, "value", result.attributes))
    return failure();
  Type type = value.getType();
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(type))
    return failure();
  if (!isa<RankedTensorType>(type))
    return parser.emitError(loc) << "expected elements of a ranked tensor, got " << type;
  result.addTypes(type);
  return success();
}

//===- Iota -------------------------------------------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  RankedTensorType type = getType();
  auto dim = static_cast<int64_t>(getIotaDimension());
  if (dim < 0 || dim >= type.getRank())
    return ConstraintError(getLoc(), getOperationName(), "Iota-C1")
           << "iota_dimension " << dim << " is not a dimension of " << type;
  if (classOf(type.getElementType()) == kPred)
    return ConstraintError(getLoc(), getOperationName(), "Iota-C2")
           << "does not produce elements of type " << type.getElementType() << ", expected INT, FLOAT or COMPLEX";
  return success();
}

//===- Broadcasting -----------------------------------------------------------------------------------------------===//

LogicalResult BroadcastInDimOp::verify() {
  auto error = [&](StringRef constraint) { return ConstraintError(getLoc(), getOperationName(), constraint); };
  RankedTensorType from = getOperand().getType(), to = getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  if (static_cast<int64_t>(dims.size()) != from.getRank())
    return error("BroadcastInDim-C1") << "broadcast_dimensions " << dimsToString(dims) << " has "
                                      << counted(dims.size(), "entry") << " for an operand of rank " << from.getRank();
  if (from.getElementType() != to.getElementType())
    return error("BroadcastInDim-C2") << "element type changes from " << from.getElementType() << " to "
                                      << to.getElementType();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= to.getRank())
      return error("BroadcastInDim-C2") << "broadcast dimension " << dim << " is not a dimension of the result " << to;
    if (i > 0 && dims[i - 1] >= dim)
      return error("BroadcastInDim-C3") << "broadcast_dimensions " << dimsToString(dims) << " do not increase strictly";
    int64_t size = from.getDimSize(i), target = to.getDimSize(dim);
    if (size != 1 && !areCompatibleDims(size, target))
      return error("BroadcastInDim-C4") << "operand dimension " << i << " of size " << size
                                        << " is neither 1 nor the size " << target << " of result dimension " << dim;
  }
  return success();
}

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType operand = tensorType(adaptor.getOperand());
  SmallVector<int64_t> dims(adaptor.getBroadcastSizes());
  for (int64_t size : dims)
    if (size < 0)
      return ConstraintError(loc, getOperationName(), "Broadcast-C1")
             << "broadcast_sizes " << dimsToString(dims) << " has the negative size " << size;
  llvm::append_range(dims, operand.getShape());
  types.push_back(tensorLike(operand, dims, operand.getElementType()));
  return success();
}

LogicalResult BroadcastOp::verify() { return verifyInferredTypes(*this, "Broadcast-C2"); }

//===- Rearrangement ----------------------------------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  if (from.getElementType() != to.getElementType())
    return ConstraintError(getLoc(), getOperationName(), "Reshape-C2")
           << "element type changes from " << from.getElementType() << " to " << to.getElementType();
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return success();
  std::optional<int64_t> before = elementCount(from.getShape()), after = elementCount(to.getShape());
  if (before && before == after)
    return success();
  auto inWords = [](std::optional<int64_t> count) { return count ? std::to_string(*count) : "more than 2^63"; };
  return ConstraintError(getLoc(), getOperationName(), "Reshape-C2")
         << "from " << dimsToString(from.getShape()) << " to " << dimsToString(to.getShape())
         << " the number of elements changes from " << inWords(before) << " to " << inWords(after);
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  RankedTensorType operand = tensorType(adaptor.getOperand());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<int64_t> sorted(permutation), dims;
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, operand.getRank())))
    return ConstraintError(loc, getOperationName(), "Transpose-C1")
           << dimsToString(permutation) << " is not a permutation of the " << counted(operand.getRank(), "dimension")
           << " of the operand";
  for (int64_t dim : permutation)
    dims.push_back(operand.getDimSize(dim));
  types.push_back(RankedTensorType::get(dims, operand.getElementType()));
  return success();
}

LogicalResult TransposeOp::verify() { return verifyInferredTypes(*this, "Transpose-C2"); }

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType operand = tensorType(adaptor.getOperand());
  SmallVector<bool> seen(operand.getRank(), false);
  for (int64_t dim : adaptor.getDimensions()) {
    if (dim < 0 || dim >= operand.getRank())
      return ConstraintError(loc, getOperationName(), "Rev-C1")
             << "dimension " << dim << " is not a dimension of " << operand;
    if (seen[dim])
      return ConstraintError(loc, getOperationName(), "Rev-C1") << "dimension " << dim << " is listed twice";
    seen[dim] = true;
  }
  types.push_back(tensorLike(operand, operand.getShape(), operand.getElementType()));
  return success();
}

LogicalResult ReverseOp::verify() { return verifyInferredTypes(*this, "Rev-C2"); }

//===- Joining, padding, slicing ----------------------------------------------------------------------------------===//

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef constraint) { return ConstraintError(loc, getOperationName(), constraint); };
  ValueRange inputs = adaptor.getInputs();
  if (inputs.empty())
    return error("Concatenate-C1") << "expects at least one input";
  RankedTensorType first = tensorType(inputs[0]);
  auto dimension = static_cast<int64_t>(adaptor.getDimension());
  SmallVector<int64_t> dims(first.getShape());
  for (auto [i, input] : llvm::enumerate(inputs)) {
    RankedTensorType type = tensorType(input);
    if (type.getRank() != first.getRank() || type.getElementType() != first.getElementType())
      return error("Concatenate-C2") << "input " << i << " of type " << type
                                     << " differs in rank or element type from input 0 of type " << first;
  }
  if (dims.empty())
    return error("Concatenate-C3") << "scalars cannot be concatenated";
  if (dimension < 0 || dimension >= first.getRank())
    return error("Concatenate-C4") << "dimension " << dimension << " is not a dimension of " << first;
  for (auto [i, input] : llvm::enumerate(inputs.drop_front())) {
    ArrayRef<int64_t> shape = tensorType(input).getShape();
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (static_cast<int64_t>(dim) == dimension) {
        bool dynamic = ShapedType::isDynamic(size) || ShapedType::isDynamic(dims[dim]);
        if (dynamic)
          dims[dim] = ShapedType::kDynamic;
        else if (llvm::AddOverflow(dims[dim], size, dims[dim]))
          return error("Concatenate-C5") << "the sizes of dimension " << dim << " add up to more than 2^63";
      } else if (!areCompatibleDims(size, dims[dim])) {
        return error("Concatenate-C5") << "dimension " << dim << " is " << size << " in input " << i + 1 << " and "
                                       << dims[dim] << " in input 0";
      } else if (ShapedType::isDynamic(dims[dim])) {
        dims[dim] = size;
      }
    }
  }
  types.push_back(RankedTensorType::get(dims, first.getElementType()));
  return success();
}

LogicalResult ConcatenateOp::verify() { return verifyInferredTypes(*this, "Concatenate-C5"); }

LogicalResult PadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef constraint) { return ConstraintError(loc, getOperationName(), constraint); };
  RankedTensorType operand = tensorType(adaptor.getOperand()), value = tensorType(adaptor.getPaddingValue());
  if (!isScalar(value) || value.getElementType() != operand.getElementType())
    return error("Pad-C1") << "padding_value must be a scalar of type " << operand.getElementType() << ", got "
                           << value;
  ArrayRef<int64_t> low = adaptor.getEdgePaddingLow(), high = adaptor.getEdgePaddingHigh(),
                    interior = adaptor.getInteriorPadding();
  for (auto [list, name] :
       {std::pair(low, "edge_padding_low"), {high, "edge_padding_high"}, {interior, "interior_padding"}})
    if (static_cast<int64_t>(list.size()) != operand.getRank())
      return error("Pad-C2") << name << " has " << counted(list.size(), "entry") << " for an operand of rank "
                             << operand.getRank();
  SmallVector<int64_t> dims(operand.getShape());
  for (auto [dim, size] : llvm::enumerate(dims)) {
    if (interior[dim] < 0)
      return error("Pad-C3") << "interior_padding of dimension " << dim << " is negative: " << interior[dim];
    if (ShapedType::isDynamic(size))
      continue;
    // Amounts come from the user: the sum is computed wide enough not to overflow.
    __int128 padded =
        static_cast<__int128>(size) + static_cast<__int128>(std::max<int64_t>(size - 1, 0)) * interior[dim];
    padded += static_cast<__int128>(low[dim]) + high[dim];
    if (padded < 0 || padded > std::numeric_limits<int64_t>::max())
      return error("Pad-C4") << "dimension " << dim << " of size " << size << " cannot be padded by low " << low[dim]
                             << ", high " << high[dim] << ", interior " << interior[dim]
                             << (padded < 0 ? ": the result would be negative" : ": the result is too large");
    size = static_cast<int64_t>(padded);
  }
  types.push_back(tensorLike(operand, dims, operand.getElementType()));
  return success();
}

LogicalResult PadOp::verify() { return verifyInferredTypes(*this, "Pad-C4"); }

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef constraint) { return ConstraintError(loc, getOperationName(), constraint); };
  RankedTensorType operand = tensorType(adaptor.getOperand());
  ArrayRef<int64_t> start = adaptor.getStartIndices(), limit = adaptor.getLimitIndices(),
                    strides = adaptor.getStrides();
  for (auto [list, name] : {std::pair(start, "start_indices"), {limit, "limit_indices"}, {strides, "strides"}})
    if (static_cast<int64_t>(list.size()) != operand.getRank())
      return error("Slice-C1") << name << " has " << counted(list.size(), "entry") << " for an operand of rank "
                               << operand.getRank();
  SmallVector<int64_t> dims;
  for (auto [dim, size, from, to, step] : llvm::enumerate(operand.getShape(), start, limit, strides)) {
    if (from < 0)
      return error("Slice-C2") << "start index " << from << " of dimension " << dim << " is negative";
    if (from > to)
      return error("Slice-C3") << "start index " << from << " of dimension " << dim << " exceeds the limit " << to;
    if (!ShapedType::isDynamic(size) && to > size)
      return error("Slice-C3") << "limit " << to << " of dimension " << dim << " exceeds its size " << size;
    if (step < 1)
      return error("Slice-C4") << "stride " << step << " of dimension " << dim << " is not positive";
    dims.push_back((to - from) / step + ((to - from) % step != 0));
  }
  types.push_back(RankedTensorType::get(dims, operand.getElementType()));
  return success();
}

LogicalResult SliceOp::verify() { return verifyInferredTypes(*this, "Slice-C1"); }

/// Start indices of dynamic_slice and dynamic_update_slice: one integer scalar per dimension, all of one type.
static LogicalResult verifyStartIndices(std::optional<Location> loc, StringRef opName, StringRef count, StringRef types,
                                        RankedTensorType operand, ValueRange indices) {
  if (static_cast<int64_t>(indices.size()) != operand.getRank())
    return ConstraintError(loc, opName, count)
           << "got " << indices.size() << " start indices for an operand of rank " << operand.getRank();
  for (auto [i, index] : llvm::enumerate(indices)) {
    RankedTensorType type = tensorType(index);
    if (!isScalar(type) || !(classOf(type.getElementType()) & kInt))
      return ConstraintError(loc, opName, types) << "start index " << i << " must be an integer scalar, got " << type;
    if (type.getElementType() != elementTypeOf(indices[0]))
      return ConstraintError(loc, opName, types) << "start indices must have one type, got "
                                                 << elementTypeOf(indices[0]) << " and " << type.getElementType();
  }
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef constraint) { return ConstraintError(loc, getOperationName(), constraint); };
  RankedTensorType operand = tensorType(adaptor.getOperand());
  if (failed(verifyStartIndices(loc, getOperationName(), "DynamicSlice-C1", "DynamicSlice-C2", operand,
                                adaptor.getStartIndices())))
    return failure();
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  if (static_cast<int64_t>(sizes.size()) != operand.getRank())
    return error("DynamicSlice-C3") << "slice_sizes has " << counted(sizes.size(), "entry")
                                    << " for an operand of rank " << operand.getRank();
  for (auto [dim, size, bound] : llvm::enumerate(sizes, operand.getShape()))
    if (size < 0 || (!ShapedType::isDynamic(bound) && size > bound))
      return error("DynamicSlice-C4") << "slice size " << size << " of dimension " << dim
                                      << " is not between 0 and its size " << bound;
  types.push_back(RankedTensorType::get(sizes, operand.getElementType()));
  return success();
}

LogicalResult DynamicSliceOp::verify() { return verifyInferredTypes(*this, "DynamicSlice-C4"); }

LogicalResult DynamicUpdateSliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                                     SmallVectorImpl<Type> &types) {
  auto error = [&](StringRef constraint) { return ConstraintError(loc, getOperationName(), constraint); };
  RankedTensorType operand = tensorType(adaptor.getOperand()), update = tensorType(adaptor.getUpdate());
  if (failed(verifyStartIndices(loc, getOperationName(), "DynamicUpdateSlice-C1", "DynamicUpdateSlice-C1", operand,
                                adaptor.getStartIndices())))
    return failure();
  if (operand.getRank() != update.getRank() || operand.getElementType() != update.getElementType())
    return error("DynamicUpdateSlice-C2")
           << "update " << update << " differs in rank or element type from the operand " << operand;
  for (auto [dim, size, bound] : llvm::enumerate(update.getShape(), operand.getShape()))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(bound) && size > bound)
      return error("DynamicUpdateSlice-C3")
             << "dimension " << dim << " of the update has size " << size << ", more than the operand's " << bound;
  types.push_back(tensorLike(operand, operand.getShape(), operand.getElementType()));
  return success();
}

LogicalResult DynamicUpdateSliceOp::verify() { return verifyInferredTypes(*this, "DynamicUpdateSlice-C3"); }

//===- Sizes ------------------------------------------------------------------------------------------------------===//

LogicalResult GetDimensionSizeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,
                                                   SmallVectorImpl<Type> &types) {
  RankedTensorType operand = tensorType(adaptor.getOperand());
  auto dim = static_cast<int64_t>(adaptor.getDimension());
  if (dim < 0 || dim >= operand.getRank())
    return ConstraintError(loc, getOperationName(), "GetDimensionSize-C2")
           << "dimension " << dim << " is not a dimension of " << operand;
  types.push_back(RankedTensorType::get({}, IntegerType::get(context, 32)));
  return success();
}

LogicalResult GetDimensionSizeOp::verify() { return verifyInferredTypes(*this, "GetDimensionSize-C3"); }

#define GET_OP_CLASSES
#include "mlir_xla/dialect/ops/shape/ShapeOps.cpp.inc"

void XlaDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "mlir_xla/dialect/ops/shape/ShapeOps.cpp.inc"
      >();
}
