// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verification of the operations.

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/xla_rt/DealtPlaces.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

#define GET_OP_CLASSES
#include "mlir_xla/lowering/xla_rt/XlaRtOps.cpp.inc"

/// Checks that a combiner takes `arguments` and leaves `elements`.
static LogicalResult verifyCombiner(Operation *op, Region &combiner, ArrayRef<Type> arguments,
                                    ArrayRef<Type> elements) {
  Block &body = combiner.front();
  if (body.getArgumentTypes() != arguments)
    return op->emitOpError("combines values of types (")
           << TypeRange(arguments) << "), but its combiner takes (" << body.getArgumentTypes() << ")";
  Operation *yield = body.getTerminator();
  if (yield->getOperandTypes() != elements)
    return yield->emitOpError("leaves values of types (")
           << yield->getOperandTypes() << ") in a combiner of (" << TypeRange(elements) << ")";
  return success();
}

LogicalResult rt::ScanOp::verify() {
  size_t count = getInputs().size();
  if (count == 0)
    return emitOpError("has no inputs");
  if (getInitial().size() != count || getOuts().size() != count || getNumResults() != count)
    return emitOpError("has ") << counted(count, "input") << ", " << counted(getInitial().size(), "initial value")
                               << ", " << counted(getOuts().size(), "out") << " and "
                               << counted(getNumResults(), "result") << "; there is one of each for every array";
  int64_t rank = getShape().size(), dimension = getDimension();
  if (dimension < 0 || dimension >= rank)
    return emitOpError("has the dimension ") << dimension << ", but inputs of rank " << rank;
  SmallVector<int64_t> others(getShape());
  others.erase(others.begin() + dimension);
  SmallVector<Type> elements;
  for (size_t i = 0; i < count; ++i) {
    auto input = cast<RankedTensorType>(getInputs()[i].getType());
    if (input.getShape() != getShape())
      return emitOpError("has the input ")
             << i << " of type " << input << ", but the first one is of type " << getInputs()[0].getType();
    if (getOuts()[i].getType() != input || getResult(i).getType() != input)
      return emitOpError("has the input ")
             << i << " of type " << input << ", but an out of type " << getOuts()[i].getType()
             << " and a result of type " << getResult(i).getType();
    elements.push_back(input.getElementType());
    auto expected = RankedTensorType::get(others, elements.back());
    if (getInitial()[i].getType() != expected)
      return emitOpError("has the initial value ")
             << i << " of type " << getInitial()[i].getType() << " instead of " << expected;
  }
  return success();
}

LogicalResult rt::ScanOp::verifyRegions() {
  SmallVector<Type> elements;
  for (Value input : getInputs())
    elements.push_back(getElementTypeOrSelf(input.getType()));
  SmallVector<Type> arguments(elements);
  llvm::append_range(arguments, elements);
  return verifyCombiner(*this, getCombiner(), arguments, elements);
}

LogicalResult rt::LibraryCallOp::verify() {
  if (getOuts().getTypes() != getResultTypes())
    return emitOpError("has results of types (")
           << getResultTypes() << "), but outs of types (" << getOuts().getTypes() << ")";
  if (getWork() < 0 || getCost() < 0 || getScratch() < 0)
    return emitOpError("has negative work, cost or scratch");
  return success();
}

/// Checks words instead of index vectors: there is one for each, with room for its number and for a place. Dealt ones
/// are followed by where those of each owner begin.
static LogicalResult verifyWords(rt::ScatterOp op) {
  ArrayRef<int64_t> update = op.getUpdateShape();
  auto words = cast<RankedTensorType>(op.getIndices().getType());
  bool isDealt = op.getDealt();
  StringRef how = isDealt ? "dealt" : "ordered";
  if (isDealt && op.getOrdered())
    return op.emitOpError("has index vectors that are both ordered and dealt");
  int64_t count = 1;
  for (int64_t dim : op.getBatch()) {
    if (dim < 0 || dim >= static_cast<int64_t>(update.size()))
      return op.emitOpError("has the batch dimension ")
             << dim << ", which is none of updates of rank " << update.size();
    count *= update[dim];
  }
  if (isDealt)
    count = DealtPlaces(op).rowLength();
  if (words.getRank() != 1 || words.getDimSize(0) != count)
    return op.emitOpError("has ") << how << " index vectors of type " << words << " instead of a row of " << count;
  int64_t width = words.getElementTypeBitWidth();
  if (isDealt && width != 8 * DealtPlaces(op).wordBytes)
    return op.emitOpError("has dealt index vectors of ")
           << counted(width, "bit") << " instead of " << 8 * DealtPlaces(op).wordBytes;
  if (int64_t bits = op.getOrdered().value_or(0);
      bits < 0 || bits >= width || (!isDealt && count > 1 && llvm::Log2_64_Ceil(count) > bits))
    return op.emitOpError("has ordered index vectors of ")
           << counted(width, "bit") << ", of which " << bits << " are no place for the numbers of " << count
           << " and for that of a place";
  if (op.getUnique() || op.getSorted() || op.getInit())
    return op.emitOpError("is ") << how << ", and has neither an init nor a promise of 'unique' or 'sorted'";
  for (auto [dim, start, step] : llvm::enumerate(op.getStarts(), op.getSteps()))
    if (start >= 0 && step >= 0 && step < static_cast<int64_t>(update.size()) && update[step] != 1)
      return op.emitOpError("is ") << how << ", but walks dimension " << dim
                                   << " from a start, so that windows of several places may meet";
  return success();
}

/// Checks that `starts`, `steps` and `batch` tell of every dimension of the arrays what walks it.
static LogicalResult verifyWalk(rt::ScatterOp op) {
  ArrayRef<int64_t> starts = op.getStarts(), steps = op.getSteps(), batch = op.getBatch();
  ArrayRef<int64_t> out = op.getOutShape(), update = op.getUpdateShape();
  SmallVector<int64_t> indices(cast<RankedTensorType>(op.getIndices().getType()).getShape());
  int64_t vector = op.getVector(), components = 1, rank = indices.size(), updateRank = update.size();
  if (op.hasWords()) {
    if (failed(verifyWords(op)))
      return failure();
    components = llvm::count_if(starts, [](int64_t start) { return start >= 0; });
    indices = llvm::map_to_vector(batch, [&](int64_t dim) { return update[dim]; });
  } else if (vector < 0 || vector > rank) {
    return op.emitOpError("has its index vectors along dimension ") << vector << " of indices of rank " << rank;
  } else if (vector < rank) {
    components = indices[vector];
    indices.erase(indices.begin() + vector);
  }
  if (batch.size() != indices.size())
    return op.emitOpError("has ") << counted(batch.size(), "batch dimension") << " for "
                                  << counted(indices.size(), "dimension") << " of index vectors";
  if (starts.size() != out.size() || steps.size() != out.size())
    return op.emitOpError("has ") << counted(starts.size(), "start") << " and " << counted(steps.size(), "step")
                                  << " for outs of rank " << out.size();
  SmallVector<bool> isBatch(updateRank, false), isStep(updateRank, false), isStart(components, false);
  for (auto [i, dim] : llvm::enumerate(batch)) {
    if (dim < 0 || dim >= updateRank || isBatch[dim])
      return op.emitOpError("has the batch dimension ")
             << dim << ", which is none of updates of rank " << updateRank << ", or named twice";
    if (update[dim] != indices[i])
      return op.emitOpError("has ") << counted(indices[i], "index vector") << " along a dimension of size "
                                    << update[dim] << " of updates";
    isBatch[dim] = true;
  }
  for (auto [dim, start, step, size] : llvm::zip_equal(llvm::seq<int64_t>(out.size()), starts, steps, out)) {
    if (start < -1 || start >= components || (start >= 0 && isStart[start]))
      return op.emitOpError("has the start ") << start << " for dimension " << dim << ", which is none of "
                                              << counted(components, "component") << ", or named twice";
    if (step < -1 || step >= updateRank || (step >= 0 && isStep[step]))
      return op.emitOpError("has the step ")
             << step << " for dimension " << dim << ", which is no dimension of updates of rank " << updateRank
             << ", or named twice";
    if (start >= 0)
      isStart[start] = true;
    if (step >= 0)
      isStep[step] = true;
    if (start >= 0 && step >= 0 && isBatch[step])
      return op.emitOpError("has a start for dimension ") << dim << ", whose step is a batch dimension";
    int64_t extent = step >= 0 ? update[step] : start >= 0 ? 0 : 1;
    if (extent > size)
      return op.emitOpError("walks ") << counted(extent, "position") << " along dimension " << dim << " of size "
                                      << size;
  }
  for (int64_t dim = 0; dim < updateRank; ++dim)
    if (!isBatch[dim] && !isStep[dim])
      return op.emitOpError("has no use of dimension ") << dim << " of updates";
  if (int64_t component = llvm::find(isStart, false) - isStart.begin(); component < components)
    return op.emitOpError("has no use of component ") << component << " of index vectors";
  return success();
}

LogicalResult rt::ScatterOp::verify() {
  size_t count = getOuts().size();
  if (count == 0 || getUpdates().size() != count)
    return emitOpError("has ") << counted(getUpdates().size(), "update") << " and " << counted(count, "out")
                               << "; there is one of each for every array";
  if (getOuts().getTypes() != getResultTypes())
    return emitOpError("has results of types (")
           << getResultTypes() << "), but outs of types (" << getOuts().getTypes() << ")";
  if (auto index = dyn_cast<IntegerType>(getElementTypeOrSelf(getIndices().getType())); !index || !index.isSignless())
    return emitOpError("has indices of type ") << getIndices().getType() << ", which are no signless integers";
  for (auto [i, out, update] : llvm::enumerate(getOuts(), getUpdates())) {
    auto outType = cast<RankedTensorType>(out.getType()), updateType = cast<RankedTensorType>(update.getType());
    if (outType.getShape() != getOutShape() || updateType.getShape() != getUpdateShape())
      return emitOpError("has the out ") << i << " of type " << outType << " and the update " << i << " of type "
                                         << updateType << ", which have not the shapes of the first ones";
    if (outType.getElementType() != updateType.getElementType())
      return emitOpError("combines elements of ") << updateType << " into " << outType;
  }
  for (Value scalar : getScalars())
    if (cast<RankedTensorType>(scalar.getType()).getRank() != 0)
      return emitOpError("has the scalar of type ") << scalar.getType() << ", which is none";
  if (failed(verifyWalk(*this)))
    return failure();
  if (TypedAttr init = getInitAttr()) {
    if (count > 1 || getUnique() || init.getType() != getElementTypeOrSelf(getOuts()[0].getType()))
      return emitOpError("has the init ")
             << init << "; one out that is not unique has one, of the type of its elements";
    // Whoever has no updates writes nothing.
    if (llvm::is_contained(getUpdateShape(), 0))
      return emitOpError("has an init, but no updates");
    for (auto [size, start, step] : llvm::zip_equal(getOutShape(), getStarts(), getSteps()))
      if (start < 0 && (step < 0 ? 1 : getUpdateShape()[step]) != size)
        return emitOpError("has an init, but updates that do not walk all of the ")
               << size << " elements of a dimension";
  }
  if (TypedAttr update = getUpdateAttr()) {
    if (count > 1 || update.getType() != getElementTypeOrSelf(getUpdates()[0].getType()))
      return emitOpError("has the update ") << update << "; one array has one, of the type of its elements";
    if (!getUpdates()[0].getDefiningOp<tensor::EmptyOp>())
      return emitOpError("has the update ") << update << ", and elements of updates that are something else";
  }
  return success();
}

LogicalResult rt::ScatterOp::verifyRegions() {
  SmallVector<Type> elements, arguments;
  for (Value out : getOuts())
    elements.push_back(getElementTypeOrSelf(out.getType()));
  for (ValueRange values : {ValueRange(getOuts()), ValueRange(getUpdates()), ValueRange(getScalars())})
    for (Value value : values)
      arguments.push_back(getElementTypeOrSelf(value.getType()));
  return verifyCombiner(*this, getCombiner(), arguments, elements);
}

LogicalResult rt::SortOp::verify() {
  if (getInputs().empty())
    return emitOpError("has no inputs");
  int64_t rank = getShape().size(), dimension = getDimension();
  if (dimension < 0 || dimension >= rank)
    return emitOpError("has the dimension ") << dimension << ", but inputs of rank " << rank;
  if (getOuts().getTypes() != getInputs().getTypes() || getResultTypes() != getInputs().getTypes())
    return emitOpError("has inputs of types (")
           << getInputs().getTypes() << "), outs of types (" << getOuts().getTypes() << ") and results of types ("
           << getResultTypes() << ")";
  for (Value input : getInputs())
    if (cast<RankedTensorType>(input.getType()).getShape() != getShape())
      return emitOpError("has an input of type ")
             << input.getType() << ", but the first one is of type " << getInputs()[0].getType();
  for (Value scalar : getScalars())
    if (cast<RankedTensorType>(scalar.getType()).getRank() != 0)
      return emitOpError("has the scalar of type ") << scalar.getType() << ", which is none";
  return success();
}

LogicalResult rt::SortOp::verifyRegions() {
  SmallVector<Type> arguments;
  for (Value input : getInputs())
    arguments.append(2, getElementTypeOrSelf(input.getType()));
  for (Value scalar : getScalars())
    arguments.push_back(getElementTypeOrSelf(scalar.getType()));
  Block &body = getComparator().front();
  if (body.getArgumentTypes() != ArrayRef<Type>(arguments))
    return emitOpError("compares values of types (")
           << TypeRange(arguments) << "), but its comparator takes (" << body.getArgumentTypes() << ")";
  auto yield = dyn_cast<rt::YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != 1 || !yield.getOperand(0).getType().isInteger(1))
    return emitOpError("has a comparator that does not leave one i1");
  return success();
}

LogicalResult rt::RandomBitsOp::verify() {
  auto state = cast<RankedTensorType>(getState().getType()), type = cast<RankedTensorType>(getResult().getType());
  bool philox = getAlgorithm() == RandomAlgorithm::Philox;
  if (state.getRank() != 1 || !state.getElementType().isInteger(64) ||
      !(state.getDimSize(0) == 2 || (philox && state.getDimSize(0) == 3)))
    return emitOpError("has a state of type ") << state << " instead of tensor<" << (philox ? "3" : "2") << "xi64>";
  if (getOut().getType() != type)
    return emitOpError("has a result of type ") << type << ", but an out of type " << getOut().getType();
  if (type.getRank() != 1 || !type.getElementType().isIntOrFloat() ||
      !llvm::is_contained({8, 16, 32, 64}, type.getElementTypeBitWidth()))
    return emitOpError("has a result of type ") << type << ", which is no row of words of 8, 16, 32 or 64 bits";
  return success();
}

std::optional<KernelKind> mlir::xla::wholeKernelKind(Operation *op) {
  if (isa<rt::LibraryCallOp>(op))
    return KernelKind::Library;
  if (isa<rt::ScatterOp>(op))
    return KernelKind::Scatter;
  if (isa<rt::SortOp>(op))
    return KernelKind::Sort;
  if (isa<rt::RandomBitsOp>(op))
    return KernelKind::Random;
  return std::nullopt;
}

DestinationStyleOpInterface mlir::xla::wholeKernelIn(func::FuncOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (wholeKernelKind(&op))
      return cast<DestinationStyleOpInterface>(op);
  return {};
}
