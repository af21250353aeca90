// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions by Fourier transforms: of lines that end in zeros, their length is free, as long as nothing comes around
// from the end to the beginning. Who wrote the program has taken the length of the result, which may be anything.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// A transform of a length with a greater prime factor is a convolution itself, of twice the length and more.
static constexpr int64_t kLargestRadix = 11;

static int64_t withoutFactors(int64_t n, ArrayRef<int64_t> factors) {
  for (int64_t factor : factors)
    while (n % factor == 0)
      n /= factor;
  return n;
}

/// The next length whose prime factors are 2, 3, 5 and 7; an even one of real numbers, which are pairs then.
static int64_t nextLength(int64_t least, bool isReal) {
  int64_t step = isReal ? 2 : 1, length = llvm::alignTo(least, step);
  while (withoutFactors(length, {2, 3, 5, 7}) != 1)
    length += step;
  return length;
}

namespace {

/// A factor of a product of spectra: the transform of an array that is padded by zeros.
struct PaddedFactor {
  BroadcastInDimOp broadcast; // may be null
  FftOp fft;
  PadOp pad;

  static std::optional<PaddedFactor> of(Value value, FftType type, ArrayRef<int64_t> lengths);
  /// Elements along one of the `axes` transformed dimensions up to the last that is no padding.
  int64_t endAlong(int64_t axis, int64_t axes) {
    auto padded = cast<RankedTensorType>(pad.getType());
    int64_t dim = padded.getRank() - axes + axis;
    return padded.getDimSize(dim) - pad.getEdgePaddingHigh()[dim];
  }
  /// The same for other lengths.
  Value rebuilt(ArrayRef<int64_t> lengths, ArrayRef<int64_t> spectrum, PatternRewriter &rewriter);
};

} // namespace

/// `type` with other sizes of the last dimensions.
static RankedTensorType withLast(RankedTensorType type, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> shape(type.getShape().drop_back(sizes.size()));
  llvm::append_range(shape, sizes);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Of a constant with real or complex elements.
static bool isZero(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isZero();
  auto number = elements.getSplatValue<std::complex<APFloat>>();
  return number.real().isZero() && number.imag().isZero();
}

std::optional<PaddedFactor> PaddedFactor::of(Value value, FftType type, ArrayRef<int64_t> lengths) {
  PaddedFactor factor;
  factor.broadcast = value.getDefiningOp<BroadcastInDimOp>();
  if (factor.broadcast) {
    if (!value.hasOneUse())
      return std::nullopt;
    // The transformed dimensions are the same.
    auto from = cast<RankedTensorType>(factor.broadcast.getOperand().getType());
    auto to = cast<RankedTensorType>(value.getType());
    int64_t axes = lengths.size();
    if (from.getRank() < axes)
      return std::nullopt;
    for (int64_t axis = 1; axis <= axes; ++axis)
      if (factor.broadcast.getBroadcastDimensions()[from.getRank() - axis] != to.getRank() - axis ||
          from.getDimSize(from.getRank() - axis) != to.getDimSize(to.getRank() - axis))
        return std::nullopt;
    value = factor.broadcast.getOperand();
  }
  factor.fft = value.getDefiningOp<FftOp>();
  if (!factor.fft || !factor.fft->hasOneUse() || factor.fft.getFftType() != type ||
      factor.fft.getFftLength() != lengths)
    return std::nullopt;
  factor.pad = factor.fft.getOperand().getDefiningOp<PadOp>();
  auto isNegative = [](int64_t count) { return count < 0; };
  if (!factor.pad || !factor.pad->hasOneUse() || !isZero(factor.pad.getPaddingValue()) ||
      llvm::any_of(factor.pad.getEdgePaddingLow(), isNegative) ||
      llvm::any_of(factor.pad.getEdgePaddingHigh(), isNegative))
    return std::nullopt;
  return factor;
}

Value PaddedFactor::rebuilt(ArrayRef<int64_t> lengths, ArrayRef<int64_t> spectrum, PatternRewriter &rewriter) {
  auto padded = cast<RankedTensorType>(pad.getType());
  SmallVector<int64_t> high(pad.getEdgePaddingHigh());
  for (size_t axis = 0; axis < lengths.size(); ++axis) {
    size_t dim = padded.getRank() - lengths.size() + axis;
    high[dim] += lengths[axis] - padded.getDimSize(dim);
  }
  Value operand = PadOp::create(rewriter, pad.getLoc(), withLast(padded, lengths), pad.getOperand(),
                                pad.getPaddingValue(), pad.getEdgePaddingLow(), high, pad.getInteriorPadding());
  Value result = FftOp::create(rewriter, fft.getLoc(), withLast(cast<RankedTensorType>(fft.getType()), spectrum),
                               operand, fft.getFftType(), lengths);
  if (broadcast)
    result = BroadcastInDimOp::create(rewriter, broadcast.getLoc(),
                                      withLast(cast<RankedTensorType>(broadcast.getType()), spectrum), result,
                                      broadcast.getBroadcastDimensions());
  return result;
}

namespace {

/// fft(multiply(fft(pad(%x)), fft(pad(%y)))) of length 17406 = 2 * 9 * 967, if the sums of what is not padded fit
///   ->  slice(fft(multiply(fft(pad(%x)), fft(pad(%y)))) of length 17496 = 8 * 2187)
struct LengthenConvolution : OpRewritePattern<FftOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FftOp op, PatternRewriter &rewriter) const override {
    bool isReal = op.getFftType() == FftType::IRFFT;
    auto product = op.getOperand().getDefiningOp<MulOp>();
    if ((!isReal && op.getFftType() != FftType::IFFT) || !product || !product->hasOneUse() ||
        product.getLhs() == product.getRhs())
      return failure();
    SmallVector<int64_t> before(op.getFftLength()), lengths = before;
    if (llvm::is_contained(before, 0)) // of which everything is a factor
      return failure();
    for (auto [axis, length] : llvm::enumerate(lengths))
      if (withoutFactors(length, {2, 3, 5, 7, kLargestRadix}) != 1)
        length = nextLength(length, isReal && axis + 1 == lengths.size());
    if (lengths == before)
      return failure();
    FftType type = isReal ? FftType::RFFT : FftType::FFT;
    std::optional<PaddedFactor> lhs = PaddedFactor::of(product.getLhs(), type, before);
    std::optional<PaddedFactor> rhs = PaddedFactor::of(product.getRhs(), type, before);
    if (!lhs || !rhs)
      return failure();
    int64_t axes = lengths.size();
    for (int64_t axis = 0; axis < axes; ++axis)
      if (lhs->endAlong(axis, axes) + rhs->endAlong(axis, axes) - 1 > before[axis])
        return failure();

    SmallVector<int64_t> spectrum = lengths;
    if (isReal)
      spectrum.back() = spectrum.back() / 2 + 1;
    Value factors[] = {lhs->rebuilt(lengths, spectrum, rewriter), rhs->rebuilt(lengths, spectrum, rewriter)};
    Value longer = MulOp::create(rewriter, product.getLoc(), factors[0].getType(), factors[0], factors[1]);
    auto result = cast<RankedTensorType>(op.getType());
    longer = FftOp::create(rewriter, op.getLoc(), withLast(result, lengths), longer, op.getFftType(), lengths);
    SmallVector<int64_t> zeros(result.getRank(), 0), ones(result.getRank(), 1);
    rewriter.replaceOpWithNewOp<SliceOp>(op, result, longer, rewriter.getDenseI64ArrayAttr(zeros),
                                         rewriter.getDenseI64ArrayAttr(result.getShape()),
                                         rewriter.getDenseI64ArrayAttr(ones));
    return success();
  }
};

} // namespace

void mlir::xla::populateTransformPatterns(RewritePatternSet &patterns) {
  patterns.add<LengthenConvolution>(patterns.getContext());
}
