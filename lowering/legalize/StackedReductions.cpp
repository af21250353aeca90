// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along a stack are computed of its parts, element by element, and the stack need not be in memory.

#include "mlir_xla/dialect/Traits.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// Every part has a copy of the computation, and of what lies between it and the stack.
static constexpr int64_t kMostParts = 32, kMostOps = 128;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// The elements of values at one index of the dimension along which a reduction goes.
class Parts {
public:
  Parts(int64_t dim, int64_t count) : dim(dim), count(count) {}

  /// Can `value` be had part by part, without a tensor that has been there as a whole? Counts the ops that takes.
  bool canTake(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getEncoding() || !type.hasStaticShape())
      return false;
    Operation *op = value.getDefiningOp();
    if (type.getRank() == 0)
      return true;
    if (!op || ++numOps > kMostOps)
      return false;
    if (auto stack = dyn_cast<ConcatenateOp>(op)) {
      hasStack = true;
      return static_cast<int64_t>(stack.getDimension()) == dim &&
             static_cast<int64_t>(stack.getInputs().size()) == count &&
             llvm::all_of(stack.getInputs(), [&](Value part) { return typeOf(part).getDimSize(dim) == 1; }) &&
             llvm::all_of(stack->getUsers(), [&](Operation *user) { return user == *stack->getUsers().begin(); });
    }
    if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
      return !typeOf(broadcast.getOperand()).getEncoding();
    if (auto constant = dyn_cast<ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    if (isa<IotaOp>(op))
      return true;
    return op->hasTrait<IsElementwise>() && op->getNumResults() == 1 && op->getNumRegions() == 0 && op->hasOneUse() &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return canTake(operand); });
  }

  /// Is there a stack at all?
  bool hasStack = false;
  int64_t numOps = 0;

  Value take(TensorBuilder &b, Value value, int64_t index) const {
    RankedTensorType type = typeOf(value);
    if (type.getRank() == 0)
      return value;
    Operation *op = value.getDefiningOp();
    SmallVector<int64_t> shape = without(type.getShape(), dim);
    RankedTensorType partType = type.clone(shape);
    if (auto stack = dyn_cast<ConcatenateOp>(op))
      return b.reshape(stack.getInputs()[index], shape);
    if (auto constant = dyn_cast<ConstantOp>(op))
      return ConstantOp::create(b, cast<SplatElementsAttr>(constant.getValue()).resizeSplat(partType));
    if (auto iota = dyn_cast<IotaOp>(op)) {
      int64_t along = iota.getIotaDimension();
      if (along != dim)
        return IotaOp::create(b, partType, along - (along > dim));
      Value scalar = b.convert(b.index(index), type.getElementType());
      return b.broadcast(scalar, shape, {});
    }
    if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
      Value operand = broadcast.getOperand();
      SmallVector<int64_t> dims(broadcast.getBroadcastDimensions());
      if (auto *found = llvm::find(dims, dim); found != dims.end()) {
        int64_t at = found - dims.begin();
        ArrayRef<int64_t> sizes = typeOf(operand).getShape();
        SmallVector<int64_t> begin(sizes.size(), 0), end(sizes), strides(sizes.size(), 1);
        begin[at] = sizes[at] == 1 ? 0 : index;
        end[at] = begin[at] + 1;
        SmallVector<int64_t> sliced(sizes);
        sliced[at] = 1;
        operand = SliceOp::create(b, typeOf(operand).clone(sliced), operand, begin, end, strides);
        operand = b.reshape(operand, without(sizes, at));
        dims = without(dims, at);
      }
      for (int64_t &each : dims)
        each -= each > dim;
      return b.broadcast(operand, shape, dims);
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(take(b, operand, index));
    return like(b, op, operands, shape);
  }

  /// `op`, which is elementwise, of these operands and with this shape.
  static Value like(OpBuilder &b, Operation *op, ValueRange operands, ArrayRef<int64_t> shape) {
    OperationState state(op->getLoc(), op->getName(), operands, typeOf(op->getResult(0)).clone(shape), {});
    state.attributes = op->getDiscardableAttrDictionary();
    state.propertiesAttr = op->getPropertiesAsAttribute();
    return b.create(state)->getResult(0);
  }

private:
  int64_t dim, count;
};

/// reduce(concatenate(%a : 1xn, %b : 1xn, dim = 0), dimensions = [0])  ->  add(reshape(%a), reshape(%b))
///
/// The pixels around a pixel, the terms of a sum, and what else is stacked to take its maximum or mean.
struct ReduceParts : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Is the computation elementwise, and does it not round more often than the reduction would?
  static bool isByElements(ReduceOp op) {
    auto isNarrow = [](Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32; };
    return llvm::all_of(op.getBody().front().without_terminator(), [&](Operation &each) {
      if (isa<ConstantOp>(each))
        return true;
      if (!each.hasTrait<IsElementwise>() || each.getNumResults() != 1 || each.getNumRegions() != 0)
        return false;
      Type element = getElementTypeOrSelf(each.getResult(0).getType());
      return !isNarrow(element) || isa<MaxOp, MinOp, SelectOp>(each);
    });
  }

  static SmallVector<Value> combine(TensorBuilder &b, ReduceOp op, ValueRange values, ArrayRef<int64_t> shape) {
    Block &body = op.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArguments(), values);
    for (Operation &each : body.without_terminator()) {
      if (isa<ConstantOp>(each)) {
        mapping.map(each.getResult(0), b.broadcast(b.clone(each)->getResult(0), shape, {}));
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : each.getOperands())
        operands.push_back(mapping.lookup(operand));
      mapping.map(each.getResult(0), Parts::like(b, &each, operands, shape));
    }
    SmallVector<Value> results;
    for (Value each : body.getTerminator()->getOperands())
      results.push_back(mapping.lookup(each));
    return results;
  }

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    for (int64_t dim : op.getDimensions())
      if (succeeded(reduceAlong(op, dim, rewriter)))
        return success();
    return failure();
  }

  static LogicalResult reduceAlong(ReduceOp op, int64_t dim, PatternRewriter &rewriter) {
    auto type = dyn_cast<RankedTensorType>(op.getInputs().front().getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() == 0)
      return failure();
    int64_t count = type.getDimSize(dim);
    Block &body = op.getBody().front();
    if (count < 2 || count > kMostParts || count * static_cast<int64_t>(body.getOperations().size()) > kMostOps)
      return failure();
    Parts parts(dim, count);
    if (!llvm::all_of(op.getInputs(), [&](Value input) { return parts.canTake(input); }) || !parts.hasStack ||
        parts.numOps * count > kMostOps || !isByElements(op))
      return failure();
    // All that the computation uses must be its own.
    for (Operation &each : body)
      for (Value operand : each.getOperands())
        if (operand.getParentBlock() != &body)
          return failure();

    TensorBuilder b(op.getLoc(), rewriter);
    SmallVector<int64_t> shape = without(type.getShape(), dim), dims;
    for (int64_t each : op.getDimensions())
      if (each != dim)
        dims.push_back(each - (each > dim));
    SmallVector<Value> values;
    if (dims.empty())
      for (Value init : op.getInitValues())
        values.push_back(b.broadcast(init, shape, {}));
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<Value> next;
      for (Value input : op.getInputs())
        next.push_back(parts.take(b, input, i));
      if (values.empty()) {
        values = next;
        continue;
      }
      llvm::append_range(values, next);
      values = combine(b, op, values, shape);
    }
    if (dims.empty()) {
      rewriter.replaceOp(op, values);
      return success();
    }
    auto rest = ReduceOp::create(b, op->getResultTypes(), values, op.getInitValues(), dims);
    rewriter.inlineRegionBefore(op.getBody(), rest.getBody(), rest.getBody().end());
    rewriter.replaceOp(op, rest);
    return success();
  }
};

} // namespace

void mlir::xla::populateStackedReductionPatterns(RewritePatternSet &patterns) {
  patterns.add<ReduceParts>(patterns.getContext());
}
