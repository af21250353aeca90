// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction family, scattering: select_and_scatter as two window reductions. The first finds the element that each
// window selects; the second sums up, per element, what the windows around it send there. Nothing is written twice, so
// that both run in parallel over their results.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/Window.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// xla.select_and_scatter %x, %dy  ->  linalg.generic { select } -> %indices, linalg.generic ins(%dy, %indices) {
/// scatter }
struct SelectAndScatterLowering : OpConversionPattern<SelectAndScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SelectAndScatterOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto operandType = cast<RankedTensorType>(adaptor.getOperand().getType());
    auto sourceType = cast<RankedTensorType>(adaptor.getSource().getType());
    int64_t rank = operandType.getRank();
    SmallVector<int64_t> ones(rank, 1);
    ArrayRef<int64_t> sizes = op.getWindowDimensions() ? *op.getWindowDimensions() : ArrayRef<int64_t>(ones);
    SmallVector<WindowDimension> window = getVerifiedWindow({sizes, op.getWindowStrides(), op.getPaddingAttr()});
    Value init = buildScalar(rewriter, loc, adaptor.getInitValue());
    if (sourceType.getNumElements() == 0 || operandType.getNumElements() == 0) {
      rewriter.replaceOp(op, buildFill(rewriter, loc, operandType, init));
      return success();
    }

    Loops loops(rewriter, loc, window);
    Value selected = buildSelection(rewriter, op, adaptor.getOperand(), sourceType, window, loops);
    if (!selected)
      return failure();

    // Element i receives source[o] for window elements k with o * stride + k - low == i. In the source with its
    // elements `stride` apart that is position i + low - k; counted from the far end of the window, a window of i.
    SmallVector<int64_t> low, high, interior;
    SmallVector<AffineExpr> exprs;
    for (auto [d, w] : llvm::enumerate(window)) {
      int64_t spread = (sourceType.getDimSize(d) - 1) * w.stride + 1;
      low.push_back(w.size - 1 - w.padLow);
      high.push_back(operandType.getDimSize(d) + w.size - 1 - low.back() - spread);
      interior.push_back(w.stride - 1);
      exprs.push_back(rewriter.getAffineDimExpr(d) + loops.windowExprs[d]);
    }
    Type numberType = typeOfNumbers(operandType);
    Value nowhere = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(numberType, -1));
    Value sources = buildPad(rewriter, loc, adaptor.getSource(), buildZero(rewriter, loc, sourceType.getElementType()),
                             low, high, interior);
    Value targets = buildPad(rewriter, loc, selected, nowhere, low, high, interior);
    AffineMap map = AffineMap::get(loops.count, 0, exprs, op.getContext());
    Value fill = buildFill(rewriter, loc, operandType, init);
    bool failedBody = false;
    auto scatter = linalg::GenericOp::create(
        rewriter, loc, TypeRange{operandType}, ValueRange{sources, targets, loops.shape}, ValueRange{fill},
        ArrayRef<AffineMap>{map, map, loops.windowMap, loops.resultMap}, loops.iterators,
        [&](OpBuilder &b, Location bodyLoc, ValueRange x) {
          Value here = emitLinearIndex(b, bodyLoc, operandType,
                                       [&](int64_t d) -> Value { return linalg::IndexOp::create(b, bodyLoc, d); });
          Value hits = arith::CmpIOp::create(b, bodyLoc, arith::CmpIPredicate::eq, x[1], here);
          Value sum = emitBinary(b, op.getScatter(), rewriter, x[3], x[0]);
          failedBody = !sum;
          Value result = sum ? arith::SelectOp::create(b, bodyLoc, hits, sum, x[3]) : x[3];
          linalg::YieldOp::create(b, bodyLoc, result);
        });
    if (failedBody)
      return failure();
    rewriter.replaceOp(op, scatter.getResult(0));
    return success();
  }

private:
  /// Parallel loops over an array, and a reduction loop for each window dimension of more than one element (or for one
  /// dimension at least).
  struct Loops {
    Loops(OpBuilder &b, Location loc, ArrayRef<WindowDimension> window) {
      int64_t rank = window.size();
      SmallVector<int64_t> windowShape, windowLoops;
      count = rank;
      iterators.assign(rank, utils::IteratorType::parallel);
      bool trivial = llvm::all_of(window, [](const WindowDimension &w) { return w.size == 1; });
      for (auto [d, w] : llvm::enumerate(window)) {
        bool hasLoop = w.size > 1 || (trivial && d == 0);
        windowExprs.push_back(hasLoop ? b.getAffineDimExpr(count) : b.getAffineConstantExpr(0));
        if (!hasLoop)
          continue;
        windowShape.push_back(w.size);
        windowLoops.push_back(count++);
        iterators.push_back(utils::IteratorType::reduction);
      }
      shape = tensor::EmptyOp::create(b, loc, windowShape, b.getI1Type());
      windowMap = buildDimsMap(b.getContext(), count, windowLoops);
      resultMap = buildDimsMap(b.getContext(), count, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    }

    int64_t count;
    SmallVector<utils::IteratorType> iterators;
    SmallVector<AffineExpr> windowExprs;
    Value shape; ///< gives the extents of the window's loops
    AffineMap windowMap, resultMap;
  };

  /// Numbers of 32 bits, if those of all elements and of what is around them by windows fit in them with room to spare:
  /// half of the memory, and twice as many lanes.
  static Type typeOfNumbers(RankedTensorType type) {
    constexpr int64_t most = int64_t(1) << 28;
    MLIRContext *context = type.getContext();
    return IntegerType::get(context, type.getNumElements() <= most ? 32 : 64);
  }

  /// The row-major number of the element at `index(d)` in `type`.
  static Value emitLinearIndex(OpBuilder &b, Location loc, RankedTensorType type, function_ref<Value(int64_t)> index) {
    Value linear;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      Value own = index(d);
      if (linear) {
        Value scaled = arith::MulIOp::create(b, loc, linear, buildIndex(b, loc, type.getDimSize(d)));
        linear = arith::AddIOp::create(b, loc, scaled, own);
      } else {
        linear = own;
      }
    }
    if (!linear)
      linear = buildIndex(b, loc, 0);
    return arith::IndexCastOp::create(b, loc, typeOfNumbers(type), linear);
  }

  static Value emitBinary(OpBuilder &b, Region &region, ConversionPatternRewriter &rewriter, Value lhs, Value rhs) {
    SmallVector<Value> results;
    auto capture = [&](Value value) -> Value {
      return tensor::ExtractOp::create(b, value.getLoc(), rewriter.getRemappedValue(value), ValueRange{});
    };
    if (failed(emitScalarRegion(b, region, {lhs, rhs}, capture, results)))
      return {};
    return results[0];
  }

  /// Per window the linear index of the element that it selects; -1 where it covers padding only.
  static Value buildSelection(ConversionPatternRewriter &rewriter, SelectAndScatterOp op, Value operand,
                              RankedTensorType sourceType, ArrayRef<WindowDimension> window, const Loops &loops) {
    Location loc = op.getLoc();
    auto operandType = cast<RankedTensorType>(operand.getType());
    Type element = operandType.getElementType();
    SmallVector<int64_t> low, high, interior(window.size(), 0);
    SmallVector<AffineExpr> exprs;
    for (auto [d, w] : llvm::enumerate(window)) {
      low.push_back(w.padLow);
      high.push_back(w.padHigh);
      exprs.push_back(rewriter.getAffineDimExpr(d) * w.stride + loops.windowExprs[d]);
    }
    Value zero = buildZero(rewriter, loc, element);
    Value padded = buildPad(rewriter, loc, operand, zero, low, high, interior);
    auto valueType = RankedTensorType::get(sourceType.getShape(), element);
    auto indexType = RankedTensorType::get(sourceType.getShape(), typeOfNumbers(operandType));
    Value none = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(indexType.getElementType(), -1));
    SmallVector<Value> outs{buildFill(rewriter, loc, valueType, zero), buildFill(rewriter, loc, indexType, none)};
    AffineMap map = AffineMap::get(loops.count, 0, exprs, op.getContext());
    bool failedBody = false;
    auto selection = linalg::GenericOp::create(
        rewriter, loc, TypeRange{valueType, indexType}, ValueRange{padded, loops.shape}, outs,
        ArrayRef<AffineMap>{map, loops.windowMap, loops.resultMap, loops.resultMap}, loops.iterators,
        [&](OpBuilder &b, Location bodyLoc, ValueRange x) {
          Value value = x[0], best = x[2], bestIndex = x[3], inside;
          auto position = [&](int64_t d) -> Value {
            const WindowDimension &w = window[d];
            Value base = linalg::IndexOp::create(b, bodyLoc, d);
            if (w.stride != 1)
              base = arith::MulIOp::create(b, bodyLoc, base, buildIndex(b, bodyLoc, w.stride));
            if (auto loop = dyn_cast<AffineDimExpr>(loops.windowExprs[d]))
              base = arith::AddIOp::create(b, bodyLoc, base, linalg::IndexOp::create(b, bodyLoc, loop.getPosition()));
            if (w.padLow != 0)
              base = arith::SubIOp::create(b, bodyLoc, base, buildIndex(b, bodyLoc, w.padLow));
            return base;
          };
          Value here = emitLinearIndex(b, bodyLoc, operandType, position);
          for (auto [d, w] : llvm::enumerate(window)) {
            if (w.padLow <= 0 && w.padHigh <= 0)
              continue;
            // One unsigned comparison covers both ends.
            Value own = arith::CmpIOp::create(b, bodyLoc, arith::CmpIPredicate::ult, position(d),
                                              buildIndex(b, bodyLoc, operandType.getDimSize(d)));
            inside = inside ? Value(arith::AndIOp::create(b, bodyLoc, inside, own)) : own;
          }
          Value keep = emitBinary(b, op.getSelect(), rewriter, best, value);
          failedBody = !keep;
          if (failedBody) {
            linalg::YieldOp::create(b, bodyLoc, ValueRange{best, bestIndex});
            return;
          }
          Value hasBest = arith::CmpIOp::create(
              b, bodyLoc, arith::CmpIPredicate::sge, bestIndex,
              arith::ConstantOp::create(b, bodyLoc, b.getIntegerAttr(indexType.getElementType(), 0)));
          keep = arith::AndIOp::create(b, bodyLoc, keep, hasBest);
          if (inside) {
            Value yes = arith::ConstantOp::create(b, bodyLoc, b.getBoolAttr(true));
            keep = arith::OrIOp::create(b, bodyLoc, keep, arith::XOrIOp::create(b, bodyLoc, inside, yes));
          }
          Value newBest = arith::SelectOp::create(b, bodyLoc, keep, best, value);
          Value newIndex = arith::SelectOp::create(b, bodyLoc, keep, bestIndex, here);
          linalg::YieldOp::create(b, bodyLoc, ValueRange{newBest, newIndex});
        });
    return failedBody ? Value() : selection.getResult(1);
  }
};

} // namespace

void mlir::xla::populateSelectAndScatterPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<SelectAndScatterLowering>(converter, patterns.getContext());
}
