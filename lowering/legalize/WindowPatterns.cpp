// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of one window, which is what `x.at[i].set(y)` of JAX is: slices, which share kernels with what they write.
// Updates of a window that take place or not, `where(p, x.at[i].set(y), x)`: of the window alone.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xla;

/// Windows of more bytes are worth a kernel of their own.
static constexpr int64_t kLongWindow = 1 << 14;

namespace {

/// xla.scatter %x, %i, %update {one index vector}
///   ->  %old = xla.dynamic_slice %x, %i; xla.dynamic_update_slice %x, %i, (%i is inside ? combiner(%old, %update) :
///   %old)
/// Only one element of each dimension with an index is written, so that the window is inside or outside as a whole; or
/// the index is a constant, with which the window is inside.
struct ScatterOneWindow : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
    if (op.getInputs().size() != 1 || !numbers.getInputBatchingDims().empty() ||
        !llvm::all_of(op->getOperandTypes(), [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); }))
      return failure();
    std::optional<SmallVector<int64_t>> window = windowOf(op);
    if (!window || !isCombiner(op.getUpdateComputation(), TensorBuilder::typeOf(op.getInputs()[0]).getElementType()))
      return failure();

    TensorBuilder b(op.getLoc(), rewriter);
    Value x = op.getInputs()[0], inside;
    ArrayRef<int64_t> shape = b.typeOf(x).getShape(), indexed = numbers.getScatterDimsToOperandDims();
    Type element = b.typeOf(op.getScatterIndices()).getElementType();
    Value indices = b.reshape(op.getScatterIndices(), {static_cast<int64_t>(indexed.size())});
    SmallVector<Value> starts(shape.size(), b.scalar(element, int64_t(0)));
    for (auto [i, dim] : llvm::enumerate(indexed)) {
      if (std::optional<int64_t> constant = constantIndex(op, i);
          constant && fits(op, dim, (*window)[dim], *constant)) {
        starts[dim] = b.scalar(element, *constant);
        continue;
      }
      auto at = [&](int64_t index) { return b.getDenseI64ArrayAttr({index}); };
      int64_t begin = i;
      Value part =
          SliceOp::create(b, b.getLoc(), RankedTensorType::get({1}, element), indices, at(begin), at(begin + 1), at(1));
      starts[dim] = b.reshape(part, {});
      for (Value each : {b.compare(ComparisonDirection::GE, starts[dim], b.scalar(element, int64_t(0))),
                         b.compare(ComparisonDirection::LE, starts[dim], b.scalar(element, shape[dim] - 1))})
        inside = inside ? b.binary("and", inside, each) : each;
    }
    Value old = b.dynamicSlice(x, starts, *window), update = b.reshape(op.getUpdates()[0], *window);
    Value written = combined(op.getUpdateComputation(), old, update, b);
    if (inside)
      written = b.select(inside, written, old);
    rewriter.replaceOp(op, b.dynamicUpdateSlice(x, written, starts));
    return success();
  }

private:
  /// The component `i` of the one index vector, if it is a constant.
  static std::optional<int64_t> constantIndex(ScatterOp op, int64_t i) {
    Value indices = op.getScatterIndices();
    // Constants next to others: all but the dimension of the parts is of size 1.
    while (auto parts = indices.getDefiningOp<ConcatenateOp>())
      for (Value part : parts.getInputs()) {
        int64_t size = cast<RankedTensorType>(part.getType()).getNumElements();
        indices = part;
        if (i < size)
          break;
        i -= size;
      }
    DenseIntElementsAttr constant;
    if (!matchPattern(indices, m_Constant(&constant)))
      return std::nullopt;
    APInt value = constant.getValues<APInt>()[i];
    bool isUnsigned = getElementTypeOrSelf(indices.getType()).isUnsignedInteger();
    return value.getSignificantBits() >= 64
               ? std::nullopt
               : std::optional(isUnsigned ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue());
  }

  static bool fits(ScatterOp op, int64_t dim, int64_t window, int64_t start) {
    return start >= 0 && start + window <= cast<RankedTensorType>(op.getInputs()[0].getType()).getDimSize(dim);
  }

  /// What the one window is of the array; none if there are several, it is long, or may lie partly outside.
  static std::optional<SmallVector<int64_t>> windowOf(ScatterOp op) {
    ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
    auto x = cast<RankedTensorType>(op.getInputs()[0].getType());
    auto updates = cast<RankedTensorType>(op.getUpdates()[0].getType());
    SmallVector<int64_t> window;
    const int64_t *next = numbers.getUpdateWindowDims().begin();
    for (int64_t d = 0; d < x.getRank(); ++d)
      window.push_back(llvm::is_contained(numbers.getInsertedWindowDims(), d) ? 1 : updates.getDimSize(*next++));
    int64_t elements = ShapedType::getNumElements(window);
    if (elements == 0 || elements != updates.getNumElements())
      return std::nullopt;
    bool isKnown = true;
    auto index = cast<IntegerType>(getElementTypeOrSelf(op.getScatterIndices().getType()));
    for (auto [i, dim] : llvm::enumerate(numbers.getScatterDimsToOperandDims())) {
      if (std::optional<int64_t> constant = constantIndex(op, i); constant && fits(op, dim, window[dim], *constant))
        continue;
      isKnown = false;
      // The last index is one of the type that indices have.
      bool hasLast = index.getWidth() >= 32 || x.getDimSize(dim) - 1 < int64_t(1) << (index.getWidth() - 1);
      if (window[dim] != 1 || !hasLast)
        return std::nullopt;
    }
    if (!isKnown && elements * elementStorageBytes(x.getElementType()) > kLongWindow)
      return std::nullopt;
    return window;
  }

  /// The update, or one operation of it and the element.
  static bool isCombiner(Region &region, Type element) {
    if (!region.hasOneBlock() || region.getNumArguments() != 2 ||
        !llvm::all_of(region.getArgumentTypes(), [&](Type type) { return getElementTypeOrSelf(type) == element; }))
      return false;
    Block &block = region.front();
    Value result = block.getTerminator()->getOperand(0);
    if (result == block.getArgument(1))
      return true;
    Operation *op = result.getDefiningOp();
    return op && op == &block.front() && llvm::hasNItems(block, 2) &&
           isa<AddOp, SubtractOp, MulOp, DivOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return llvm::is_contained(block.getArguments(), operand) && operand.getType() == result.getType();
           });
  }

  static Value combined(Region &region, Value old, Value update, TensorBuilder &b) {
    Block &block = region.front();
    Operation *op = block.getTerminator()->getOperand(0).getDefiningOp();
    if (!op)
      return update;
    auto operand = [&](unsigned i) { return op->getOperand(i) == block.getArgument(0) ? old : update; };
    return b.binary(op->getName().stripDialect(), operand(0), operand(1));
  }
};

/// xla.select %p, (xla.dynamic_update_slice %y, %update, %i), %x {%p holds for all or none}
///   ->  %z = xla.select %p, %y, %x;
///       xla.dynamic_update_slice %z, (xla.select %p, %update, xla.dynamic_slice %z, %i), %i
/// and the other way round, where %y is %x, of which %z is left, or %x with other windows updated.
struct ChooseWithinWindow : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    Value pred = op.getPred();
    if (auto broadcast = pred.getDefiningOp<BroadcastInDimOp>())
      pred = broadcast.getOperand();
    if (cast<RankedTensorType>(pred.getType()).getRank() != 0)
      return failure();
    for (bool ifTrue : {true, false}) {
      Value chosen = ifTrue ? op.getOnTrue() : op.getOnFalse(), x = ifTrue ? op.getOnFalse() : op.getOnTrue();
      auto update = chosen.getDefiningOp<DynamicUpdateSliceOp>();
      if (!update || chosen == x || !isUpdated(chosen, x))
        continue;
      TensorBuilder b(op.getLoc(), rewriter);
      auto select = [&](Value updated, Value kept) {
        return ifTrue ? b.select(pred, updated, kept) : b.select(pred, kept, updated);
      };
      Value target = update.getOperand() == x ? x : select(update.getOperand(), x);
      SmallVector<Value> starts(update.getStartIndices());
      Value old = b.dynamicSlice(target, starts, b.typeOf(update.getUpdate()).getShape());
      rewriter.replaceOp(op, b.dynamicUpdateSlice(target, select(update.getUpdate(), old), starts));
      return success();
    }
    return failure();
  }

private:
  /// Is `value` that array with windows of it updated, which nobody else reads and of which none is long beside it?
  static bool isUpdated(Value value, Value x) {
    while (value != x) {
      auto update = value.getDefiningOp<DynamicUpdateSliceOp>();
      if (!update || !value.hasOneUse())
        return false;
      auto type = cast<RankedTensorType>(value.getType()),
           window = cast<RankedTensorType>(update.getUpdate().getType());
      if (!type.hasStaticShape() || !window.hasStaticShape() || 2 * window.getNumElements() > type.getNumElements())
        return false;
      value = update.getOperand();
    }
    return true;
  }
};

} // namespace

void mlir::xla::populateWindowPatterns(RewritePatternSet &patterns) {
  patterns.add<ScatterOneWindow, ChooseWithinWindow>(patterns.getContext());
}
