// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction family without windows: reduce.

#include "mlir_xla/lowering/linalg/Reduction.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::xla;

/// The body's results for scalar arguments followed by the scalars that it captures; empty after an error.
static SmallVector<Value> emitBody(OpBuilder &b, Region &body, ArrayRef<Value> captures, ValueRange arguments,
                                   ValueRange captured) {
  SmallVector<Value> results;
  auto capture = [&](Value value) { return captured[llvm::find(captures, value) - captures.begin()]; };
  if (failed(emitScalarRegion(b, body, arguments, capture, results)))
    results.clear();
  return results;
}

FailureOr<SmallVector<Value>> mlir::xla::buildRegionReduction(ConversionPatternRewriter &rewriter, Operation *op,
                                                              Region &body, ValueRange inputs, ValueRange inits,
                                                              const ReductionLoops &loops) {
  Location loc = op->getLoc();
  MLIRContext *context = op->getContext();
  size_t count = inputs.size();
  int64_t rank = loops.getNumLoops();
  AffineMap scalarMap = AffineMap::get(rank, 0, context);
  SmallVector<Value> operands(inputs);
  SmallVector<AffineMap> maps(count, loops.inputMap);
  if (loops.windowMap) {
    operands.push_back(tensor::EmptyOp::create(rewriter, loc, loops.windowShape,
                                               cast<RankedTensorType>(inputs[0].getType()).getElementType()));
    maps.push_back(loops.windowMap);
  }
  SmallVector<Value> captures = getScalarCaptures(body);
  size_t firstCapture = operands.size();
  for (Value capture : captures) {
    operands.push_back(rewriter.getRemappedValue(capture));
    maps.push_back(scalarMap);
  }

  bool hasReduction = loops.resultMap.getNumResults() != rank;
  SmallVector<Value> outs;
  SmallVector<Type> types;
  for (auto [result, init] : llvm::zip(op->getResults(), inits)) {
    auto type = signlessTensorType(cast<RankedTensorType>(result.getType()));
    types.push_back(type);
    if (hasReduction)
      outs.push_back(buildFill(rewriter, loc, type, buildScalar(rewriter, loc, init)));
    else
      outs.push_back(tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType()));
  }
  if (!hasReduction)
    for (Value init : inits) {
      operands.push_back(init);
      maps.push_back(scalarMap);
    }
  maps.append(count, loops.resultMap);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::reduction);
  for (AffineExpr expr : loops.resultMap.getResults())
    iterators[cast<AffineDimExpr>(expr).getPosition()] = utils::IteratorType::parallel;

  bool failedBody = false;
  auto generic = linalg::GenericOp::create(
      rewriter, loc, types, operands, outs, maps, iterators, [&](OpBuilder &b, Location bodyLoc, ValueRange args) {
        // Running values first. Without a reduction they are the initial values, which are the last inputs.
        ValueRange running = hasReduction ? args.take_back(count) : args.drop_back(count).take_back(count);
        SmallVector<Value> arguments(running);
        llvm::append_range(arguments, args.take_front(count));
        SmallVector<Value> results = emitBody(b, body, captures, arguments, args.slice(firstCapture, captures.size()));
        failedBody = results.empty();
        linalg::YieldOp::create(b, bodyLoc, results);
      });
  if (failedBody)
    return failure();
  return SmallVector<Value>(generic.getResults());
}

namespace {

/// xla.reduce(%x init: %c) across [1]  ->  linalg.generic ins(%x) outs(linalg.fill %c), iterators [parallel, reduction]
struct ReduceLowering : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ReduceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    int64_t rank = cast<RankedTensorType>(op.getInputs().front().getType()).getRank();
    SmallVector<int64_t> kept;
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(op.getDimensions(), d))
        kept.push_back(d);
    ReductionLoops loops;
    loops.inputMap = rewriter.getMultiDimIdentityMap(rank);
    loops.resultMap = buildDimsMap(op.getContext(), rank, kept);
    auto results =
        buildRegionReduction(rewriter, op, op.getBody(), adaptor.getInputs(), adaptor.getInitValues(), loops);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

} // namespace

void mlir::xla::populateReductionPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReduceLowering>(converter, patterns.getContext());
}
