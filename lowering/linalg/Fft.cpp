// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fft family: calls of the library's transforms. Along several dimensions there is one call, whose items of work
// are whole transforms, if there are enough of these for all cores, and otherwise a call for each dimension.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::xla;

/// As many rows, or columns, as are done at once, in the lanes of vectors.
static constexpr int64_t kLanes = 8, kColumnLanes = 16;
/// Transforms along several dimensions at once are items of work if there are enough of them for many cores, and what
/// each leaves along one dimension is in a cache of the core when it goes along the next.
static constexpr int64_t kManyTransforms = 16;
static constexpr double kCacheBytes = 4 << 20;
/// Nanoseconds that are not worth dividing.
static constexpr double kLittleCost = 30000;

static int64_t greatestPrimeFactor(int64_t n) {
  int64_t greatest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p)
      greatest = p;
  return std::max(greatest, n);
}

/// Nanoseconds on one core for transforms of `length` that give `elements` of one type: passes over the data, twice as
/// many for lengths with large prime factors, whose transforms are convolutions.
static double costOf(int64_t length, double elements, Type element) {
  double passes = 6 + std::log2(std::max<int64_t>(1, length)) * (greatestPrimeFactor(length) > 11 ? 3 : 1);
  return passes * elements * elementStorageBytes(element) * 0.02;
}

namespace {

struct Call {
  FftType kind;
  SmallVector<int64_t> lengths;
  int64_t outer, inner, lanes, work;
  double cost;
};

} // namespace

/// With a null `in`, `out` is transformed in place.
static Value emitCall(OpBuilder &b, Location loc, const Call &call, Value in, Value out) {
  auto type = cast<RankedTensorType>(out.getType());
  Type part = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(part))
    part = complex.getElementType();
  SmallVector<int64_t> parameters = {
      static_cast<int64_t>(call.kind),          call.outer, call.inner, call.lanes, in ? 0 : 1,
      static_cast<int64_t>(call.lengths.size())};
  llvm::append_range(parameters, call.lengths);
  auto cost = static_cast<int64_t>(std::min(call.cost, 1e15));
  return rt::LibraryCallOp::create(b, loc, TypeRange{type}, part.isF32() ? "xla_rt_fft_f32" : "xla_rt_fft_f64",
                                   in ? ValueRange{in} : ValueRange{}, ValueRange{out}, parameters, call.work, cost,
                                   /*scratch=*/0)
      .getResult(0);
}

/// The transforms along one of the dimensions.
static Call callForDimension(FftType kind, int64_t length, int64_t outer, int64_t inner, RankedTensorType type) {
  int64_t transforms = outer * inner;
  // A few long rows are work for several cores if each is vectorized by itself, which takes twice as long, and is
  // possible for some lengths only. Very long ones would leave all caches.
  bool divisible = length >= 512 && length % 4 == 0 && greatestPrimeFactor(length) <= 11;
  bool single = inner == 1 && (transforms == 1 || (divisible && transforms < 4 * kLanes) || length > (1 << 18));
  int64_t lanes = single ? 1 : inner > 1 ? kColumnLanes : kLanes;
  return {kind,
          {length},
          outer,
          inner,
          lanes,
          (transforms + lanes - 1) / lanes,
          costOf(length, type.getNumElements(), type.getElementType())};
}

namespace {

/// xla.fft %x  ->  xla_rt.library_call "xla_rt_fft_f32" ins(%x) outs(%empty), and more of them in place
struct FftLowering : OpConversionPattern<FftOp> {
  FftLowering(const TypeConverter &converter, MLIRContext *context, bool inPieces)
      : OpConversionPattern(converter, context), inPieces(inPieces) {}
  LogicalResult matchAndRewrite(FftOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = signlessTensorType(cast<RankedTensorType>(op.getType()));
    auto empty = [&](RankedTensorType each) -> Value {
      return tensor::EmptyOp::create(rewriter, loc, each.getShape(), each.getElementType());
    };
    if (type.getNumElements() == 0) {
      rewriter.replaceOp(op, empty(type));
      return success();
    }
    FftType kind = op.getFftType();
    ArrayRef<int64_t> lengths = op.getFftLength();
    int64_t last = lengths.size() - 1;
    auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
    RankedTensorType spectrum = kind == FftType::IRFFT ? operand : type;
    ArrayRef<int64_t> shape = spectrum.getShape();
    int64_t rank = shape.size(), batch = 1, each = 1;
    for (int64_t d = 0; d < rank; ++d)
      (d < rank - 1 - last ? batch : each) *= shape[d];

    // The innermost dimensions in one call, as many as there may be.
    double cost = 0;
    int64_t together = 0, inner = 1, outer = batch * each;
    for (int64_t a = last; a >= 0; --a) {
      int64_t size = shape[rank - 1 - last + a];
      double sum = cost + costOf(lengths[a], spectrum.getNumElements(), spectrum.getElementType());
      double bytes = inner * size * elementStorageBytes(spectrum.getElementType());
      if (inPieces && a < last && !(outer / size >= kManyTransforms && bytes <= kCacheBytes) && sum > kLittleCost)
        break;
      cost = sum;
      inner *= size;
      outer /= size;
      ++together;
    }
    // What nobody else reads and is no argument is overwritten. The schedule copies what it may not overwrite.
    bool overwrites =
        op.getOperand().getDefiningOp() && op.getOperand().hasOneUse() && !matchPattern(op.getOperand(), m_Constant());
    Value value = adaptor.getOperand();
    auto transform = [&](const Call &call, RankedTensorType result) {
      bool inPlace = value.getType() == result && (overwrites || value != adaptor.getOperand());
      value = emitCall(rewriter, loc, call, inPlace ? Value() : value, inPlace ? value : empty(result));
    };
    auto alongInnermost = [&] {
      Call call = callForDimension(kind, lengths[last], batch * each / shape.back(), 1, type);
      if (together > 1)
        call = {kind, llvm::to_vector(lengths.take_back(together)), outer, 1, 1, outer, cost};
      transform(call, type);
    };
    if (kind != FftType::IRFFT)
      alongInnermost();
    // The other dimensions have complex numbers: of the result, which is there by now, or of the operand.
    FftType others = kind == FftType::RFFT ? FftType::FFT : kind == FftType::IRFFT ? FftType::IFFT : kind;
    for (int64_t a = last - together, before = outer; a >= 0; --a) {
      before /= lengths[a];
      if (lengths[a] > 1)
        transform(callForDimension(others, lengths[a], before, inner, spectrum), spectrum);
      inner *= lengths[a];
    }
    if (kind == FftType::IRFFT)
      alongInnermost();
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  bool inPieces;
};

} // namespace

void mlir::xla::populateFftPatterns(const TypeConverter &converter, RewritePatternSet &patterns, bool inPieces) {
  patterns.add<FftLowering>(converter, patterns.getContext(), inPieces);
}
