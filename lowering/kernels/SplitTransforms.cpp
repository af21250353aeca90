// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-transforms`: a few long Fourier transforms as many short ones, in two calls.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include <cmath>

namespace mlir::xla {
#define GEN_PASS_DEF_SPLITTRANSFORMS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Elements from which on two steps pay, and lines of each item of work.
static constexpr int64_t kLongTransform = 1 << 16, kLanes = 16;
/// Bytes of rows up to which those whose lengths are powers of two are fast enough on one core: PowersOfTwo.cpp.
static constexpr int64_t kFastRow = 2 << 20;

/// The smaller one of the two factors of `length` that are nearest to each other.
static int64_t nearestFactor(int64_t length) {
  auto factor = static_cast<int64_t>(std::sqrt(static_cast<double>(length)));
  while (length % factor != 0)
    --factor;
  return factor;
}

static bool hasOnlySmallFactors(int64_t n) {
  for (int64_t p : {2, 3, 5, 7, 11})
    while (n % p == 0)
      n /= p;
  return n == 1;
}

/// The parameters are those of runtime/library/fft/Fft.cpp.
static void split(rt::LibraryCallOp op) {
  ArrayRef<int64_t> p = op.getParameters();
  bool isFft = op.getFunction() == "xla_rt_fft_f32" || op.getFunction() == "xla_rt_fft_f64";
  if (!isFft || p.size() != 7)
    return;
  int64_t kind = p[0], outer = p[1], inner = p[2], lanes = p[3], inPlace = p[4], length = p[6];
  bool isComplex = kind == 0 || kind == 1;
  if (!isComplex || inner != 1 || lanes != 1 || inPlace || length < kLongTransform || !hasOnlySmallFactors(length))
    return;
  int64_t bytes = length * (op.getFunction().ends_with("f32") ? 8 : 16);
  if (llvm::isPowerOf2_64(length) && bytes <= kFastRow)
    return;
  int64_t first = nearestFactor(length), second = length / first;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  auto call = [&](const Twine &function, ValueRange in, Value out, ArrayRef<int64_t> parameters, int64_t lines) {
    return rt::LibraryCallOp::create(b, loc, TypeRange{type}, function.str(), in, out, parameters,
                                     llvm::divideCeil(lines, kLanes), op.getCost() / 2, /*scratch=*/0)
        .getResult(0);
  };
  Value turned = call("xla_rt_fft_step" + op.getFunction().take_back(4), op.getInputs()[0], op.getOuts()[0],
                      {kind, outer, first, second}, outer * second);
  op.getResult(0).replaceAllUsesWith(
      call(op.getFunction(), {}, turned, {kind, outer, first, kLanes, /*inPlace=*/1, 1, second}, outer * first));
  op.erase();
}

namespace {
struct SplitTransformsPass : public mlir::xla::impl::SplitTransformsBase<SplitTransformsPass> {
  void runOnOperation() override {
    SmallVector<rt::LibraryCallOp> ops;
    getOperation().walk([&](rt::LibraryCallOp op) { ops.push_back(op); });
    for (rt::LibraryCallOp op : ops)
      split(op);
  }
};
} // namespace
