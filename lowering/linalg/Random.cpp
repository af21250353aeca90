// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random family: a row of random words, arranged as XLA does, and the state behind them.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::xla;

/// `state` with `count` added to the counter, which is what follows the key, its low word first.
static Value advance(OpBuilder &b, Location loc, Value state, int64_t count) {
  auto type = cast<RankedTensorType>(state.getType());
  MLIRContext *context = b.getContext();
  AffineMap lowWord = AffineMap::get(1, 0, b.getAffineConstantExpr(1), context);
  return buildElementwise(b, loc, type, {state, state}, {b.getMultiDimIdentityMap(1), lowWord},
                          [&](OpBuilder &b, Location loc, ValueRange x) -> SmallVector<Value> {
                            Value added = arith::ConstantIntOp::create(b, loc, count, 64);
                            Value word = linalg::IndexOp::create(b, loc, 0);
                            auto isWord = [&](int64_t number) {
                              return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, word,
                                                           buildIndex(b, loc, number));
                            };
                            Value sum = arith::AddIOp::create(b, loc, x[1], added);
                            Value result = arith::SelectOp::create(b, loc, isWord(1), sum, x[0]);
                            if (type.getDimSize(0) > 2) {
                              Value overflow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, sum, added);
                              Value carry = arith::ExtUIOp::create(b, loc, b.getI64Type(), overflow);
                              Value carried = arith::AddIOp::create(b, loc, x[0], carry);
                              result = arith::SelectOp::create(b, loc, isWord(2), carried, result);
                            }
                            return {result};
                          });
}

namespace {

/// xla.rng_bit_generator %state, algorithm = PHILOX  ->  xla_rt.random_bits philox, reshaped; %state[1] + n / 4
struct RngBitGeneratorLowering : OpConversionPattern<RngBitGeneratorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RngBitGeneratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = signlessTensorType(cast<RankedTensorType>(op.getOutput().getType()));
    int64_t elements = type.getNumElements(), blocks;
    unsigned width = type.getElementTypeBitWidth();
    Value state = adaptor.getInitialState(), output;
    auto words = [&](rt::RandomAlgorithm algorithm, int64_t count) -> Value {
      Value out = tensor::EmptyOp::create(rewriter, loc, {count}, type.getElementType());
      return rt::RandomBitsOp::create(rewriter, loc, out.getType(), algorithm, state, out);
    };
    if (op.getRngAlgorithm() != RngAlgorithm::THREE_FRY) {
      blocks = llvm::divideCeil(width == 64 ? 2 * elements : elements, 4);
      output = words(rt::RandomAlgorithm::Philox, elements);
    } else if (width == 64) {
      blocks = elements;
      output = words(rt::RandomAlgorithm::ThreeFry, elements);
    } else {
      // The two words of a block are neighbours along the first dimension of even size, or else along the first
      // of the largest ones. Those behind an odd one are dropped.
      ArrayRef<int64_t> shape = type.getShape();
      size_t split = llvm::find_if(shape, [](int64_t size) { return size % 2 == 0; }) - shape.begin();
      if (split == shape.size() && !shape.empty())
        split = std::max_element(shape.begin(), shape.end()) - shape.begin();
      int64_t outer = 1, size = 1, inner = 1;
      for (auto [d, n] : llvm::enumerate(shape))
        (d < split ? outer : d == split ? size : inner) *= n;
      int64_t pairs = llvm::divideCeil(size, 2);
      blocks = outer * pairs * inner;
      if (inner == 1 && (outer == 1 || size % 2 == 0)) {
        output = words(rt::RandomAlgorithm::ThreeFry, elements);
      } else {
        output = words(rt::RandomAlgorithm::ThreeFry, 2 * blocks);
        output = buildReshape(rewriter, loc, output, {outer, pairs, inner, 2});
        auto arranged = RankedTensorType::get({outer, pairs, 2, inner}, type.getElementType());
        AffineExpr o, p, word, i;
        bindDims(op.getContext(), o, p, word, i);
        output =
            buildElementwise(rewriter, loc, arranged, output, AffineMap::get(4, 0, {o, p, i, word}, op.getContext()),
                             [](OpBuilder &, Location, ValueRange x) { return SmallVector<Value>{x[0]}; });
        output = buildReshape(rewriter, loc, output, {outer, 2 * pairs, inner});
        output = buildSlice(rewriter, loc, output, {0, 0, 0}, {outer, size, inner}, {1, 1, 1});
      }
    }
    output = buildReshape(rewriter, loc, output, type.getShape());
    rewriter.replaceOp(op, {advance(rewriter, loc, state, blocks), output});
    return success();
  }
};

} // namespace

void mlir::xla::populateRandomPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<RngBitGeneratorLowering>(converter, patterns.getContext());
}
