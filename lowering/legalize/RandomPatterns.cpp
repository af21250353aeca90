// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers of hidden state: bits that the runtime's next state gives, and the formula of a distribution.

#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/CompositePatterns.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

class RandomNumbers {
public:
  RandomNumbers(RngOp op, PatternRewriter &rewriter)
      : op(op), b(op.getLoc(), rewriter), type(cast<RankedTensorType>(op.getType())), element(type.getElementType()) {}

  Value build() {
    if (element.isInteger(1))
      return b.broadcast(op.getA(), type.getShape(), {}); // all of [false, true)
    if (op.getRngDistribution() == RngDistribution::NORMAL)
      return normal();
    return isa<FloatType>(element) ? uniformFloat() : uniformInt();
  }

private:
  /// Fresh bits with each execution: the runtime's state counts them.
  Value bits(unsigned width) {
    auto state = RankedTensorType::get({3}, IntegerType::get(b.getContext(), 64, IntegerType::Unsigned));
    OperationState call(op.getLoc(), CustomCallOp::getOperationName(), ValueRange(), TypeRange{state});
    call.addAttribute("call_target_name", b.getStringAttr("xla_rt.random_state"));
    call.addAttribute("has_side_effect", b.getBoolAttr(true));
    Value initial = b.create(call)->getResult(0);
    Type word = IntegerType::get(b.getContext(), width, IntegerType::Unsigned);
    OperationState generator(op.getLoc(), RngBitGeneratorOp::getOperationName(), initial,
                             {state, RankedTensorType::get(type.getShape(), word)});
    generator.addAttribute("rng_algorithm", RngAlgorithmAttr::get(b.getContext(), RngAlgorithm::PHILOX));
    return b.create(generator)->getResult(1);
  }

  /// The type in which floats are computed, and the upper bits of its random words that become a number.
  FloatType wide() { return element.isF64() ? cast<FloatType>(b.getF64Type()) : cast<FloatType>(b.getF32Type()); }
  Value upperBits(int64_t count) {
    unsigned width = wide().getWidth();
    Value words = bits(width);
    Value shifted = b.binary("shift_right_logical", words, b.scalar(b.typeOf(words).getElementType(), width - count));
    return b.bitcast(shifted, b.getIntegerType(width));
  }

  /// u in [0, 1)  ->  a (1 - u) + b u, which is finite for all limits. Roundings up to b are the number before it.
  Value uniformFloat() {
    int64_t precision = wide().getFPMantissaWidth();
    Value u = b.mul(b.convert(upperBits(precision), wide()), b.scalar(wide(), std::ldexp(1.0, -precision)));
    Value low = b.convert(op.getA(), wide()), high = b.convert(op.getB(), wide());
    Value one = b.scalar(wide(), 1.0);
    Value x = b.add(b.mul(b.sub(one, u), low), b.mul(u, high));
    Value narrow = b.binary("maximum", b.convert(x, element), op.getA());
    Value last = b.binary("next_after", op.getB(), op.getA());
    return b.select(b.compare(ComparisonDirection::LT, narrow, op.getB()), narrow, last);
  }

  /// The upper half of random words times b - a, plus a: 64 bits make what is left of an unequal share too small to
  /// be seen for any limits.
  Value uniformInt() {
    Type word = IntegerType::get(b.getContext(), 64, IntegerType::Unsigned);
    Value low = widen(op.getA(), word), range = b.sub(widen(op.getB(), word), low);
    return b.convert(b.add(b.binary("mulhi", bits(64), range), low), element);
  }
  Value widen(Value limit, Type word) {
    return element.isUnsignedInteger() ? b.convert(limit, word) : b.bitcast(b.convert(limit, b.getI64Type()), word);
  }

  /// mu + sigma * sqrt(2) * erf_inv(u) for u in (-1, 1), the odd multiples of half the spacing of 2^bits intervals.
  Value normal() {
    int64_t count = wide().getFPMantissaWidth() - 1;
    Type integer = b.getIntegerType(wide().getWidth());
    Value k = upperBits(count);
    Value odd = b.add(b.add(k, k), b.scalar(integer, 1 - (int64_t(1) << count)));
    Value u = b.mul(b.convert(odd, wide()), b.scalar(wide(), std::ldexp(1.0, -count)));
    Value deviate = b.mul(b.unary("erf_inv", u), b.scalar(wide(), std::sqrt(2.0)));
    Value mu = b.convert(op.getA(), wide()), sigma = b.convert(op.getB(), wide());
    return b.convert(b.add(b.mul(deviate, sigma), mu), element);
  }

  RngOp op;
  TensorBuilder b;
  RankedTensorType type;
  Type element;
};

/// xla.rng %a, %b, %shape  ->  xla.custom_call @xla_rt.random_state, xla.rng_bit_generator, a formula
struct DecomposeRng : OpRewritePattern<RngOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RngOp op, PatternRewriter &rewriter) const override {
    if (!cast<RankedTensorType>(op.getType()).hasStaticShape())
      return failure();
    rewriter.replaceOp(op, RandomNumbers(op, rewriter).build());
    return success();
  }
};

} // namespace

void mlir::xla::populateRandomNumberPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeRng>(patterns.getContext());
}
