// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-complex-products`: contractions and convolutions of complex numbers are those of their parts, which are
// packed and walked in tiles as real numbers are.

#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SPLITCOMPLEXPRODUCTS
#include "mlir_xla/lowering/legalize/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Rows, columns and steps from which on copies of the parts are little of the work.
static constexpr int64_t kLeast = 32;
/// Bytes of products, of one batch, from which on operands do not stay in the caches: 256 rows, columns and steps of
/// 8 bytes.
static constexpr int64_t kLeastBytes = 1 << 27;
/// The same for convolutions, whose windows overlap, and the features that fill a vector with their parts.
static constexpr int64_t kLeastBytesOfWindows = 1 << 24, kLeastFeatures = 8;

namespace {
/// An operand of a contraction.
struct Side {
  Value value;
  ArrayRef<int64_t> batching, contracting;
  SmallVector<int64_t> free = {};
  int64_t size = 1; // of the free dimensions

  Side(Value value, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting)
      : value(value), batching(batching), contracting(contracting) {
    for (auto [dim, extent] : llvm::enumerate(TensorBuilder::typeOf(value).getShape()))
      if (!llvm::is_contained(batching, dim) && !llvm::is_contained(contracting, dim)) {
        free.push_back(dim);
        size *= extent;
      }
  }
};
} // namespace

static Value concatenated(TensorBuilder &b, Value first, Value second, int64_t dim) {
  RankedTensorType type = TensorBuilder::typeOf(first);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= 2;
  return ConcatenateOp::create(b, type.clone(shape), ValueRange{first, second}, dim);
}

/// The real or imaginary parts of `value`.
static Value partOf(TensorBuilder &b, StringRef name, Value value) {
  RankedTensorType type = TensorBuilder::typeOf(value);
  return b.apply(name, type.clone(cast<ComplexType>(type.getElementType()).getElementType()), value);
}

/// [re, im] along the dimension `summed`.
static Value partsOf(TensorBuilder &b, Value value, int64_t summed) {
  return concatenated(b, partOf(b, "real", value), partOf(b, "imag", value), summed);
}

/// [[re, im], [-im, re]] along the dimensions `summed` and `own`.
static Value fourPartsOf(TensorBuilder &b, Value value, int64_t summed, int64_t own) {
  Value re = partOf(b, "real", value), im = partOf(b, "imag", value);
  return concatenated(b, concatenated(b, re, im, own), concatenated(b, b.unary("negate", im), re, own), summed);
}

/// The type of the parts of both kinds along `dim`, for results of a complex type.
static RankedTensorType typeOfParts(RankedTensorType type, int64_t dim) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= 2;
  return RankedTensorType::get(shape, cast<ComplexType>(type.getElementType()).getElementType());
}

/// Half of `value` along `dim`.
static Value half(TensorBuilder &b, Value value, int64_t dim, bool isSecond) {
  RankedTensorType type = TensorBuilder::typeOf(value);
  SmallVector<int64_t> shape(type.getShape()), starts(shape.size(), 0), limits(shape), strides(shape.size(), 1);
  shape[dim] /= 2;
  (isSecond ? starts : limits)[dim] = shape[dim];
  return SliceOp::create(b, type.clone(shape), value, starts, limits, strides);
}

/// Numbers whose parts are the halves of `parts` along `dim`, instead of `op`.
static void replace(TensorBuilder &b, Operation *op, Value parts, int64_t dim) {
  Value result =
      b.apply("complex", op->getResult(0).getType(), {half(b, parts, dim, false), half(b, parts, dim, true)});
  op->replaceAllUsesWith(ValueRange{result});
  op->erase();
}

static int64_t bytesOf(ComplexType type) { return type.getElementType().getIntOrFloatBitWidth() / 4; }

/// dot_general(%a, %b)  ->  complex(the halves of dot_general([re %a, im %a], [[re %b, im %b], [-im %b, re %b]]))
///
/// The smaller operand has the four parts: the same with both exchanged.
static void split(DotGeneralOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto element = dyn_cast<ComplexType>(type.getElementType());
  if (!element || op.getAlgorithmAttr() || TensorBuilder::typeOf(op.getLhs()).getElementType() != element)
    return;
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  Side lhs(op.getLhs(), dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions()),
      rhs(op.getRhs(), dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions());
  int64_t steps = 1;
  for (int64_t dim : lhs.contracting)
    steps *= TensorBuilder::typeOf(lhs.value).getDimSize(dim);
  if (std::min({lhs.size, rhs.size, steps}) < kLeast || lhs.size * rhs.size * steps * bytesOf(element) < kLeastBytes)
    return;
  bool isLeft = lhs.size < rhs.size;
  Side &wide = isLeft ? lhs : rhs, &other = isLeft ? rhs : lhs;

  TensorBuilder b(op.getLoc(), OpBuilder(op));
  wide.value = fourPartsOf(b, wide.value, wide.contracting[0], wide.free[0]);
  other.value = partsOf(b, other.value, other.contracting[0]);
  int64_t dim = dims.getLhsBatchingDimensions().size() + (isLeft ? 0 : lhs.free.size());
  Value parts = DotGeneralOp::create(b, typeOfParts(type, dim), lhs.value, rhs.value, dims, op.getPrecisionConfigAttr(),
                                     DotAlgorithmAttr());
  replace(b, op, parts, dim);
}

/// The same of a convolution, by its channels and features: the kernel has the four parts.
static void split(ConvolutionOp op) {
  auto type = cast<RankedTensorType>(op.getType()), image = TensorBuilder::typeOf(op.getLhs()),
       kernel = TensorBuilder::typeOf(op.getRhs());
  auto element = dyn_cast<ComplexType>(type.getElementType());
  if (!element || image.getElementType() != element || op.getFeatureGroupCount() != 1 || op.getBatchGroupCount() != 1)
    return;
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  int64_t own = dims.getKernelOutputFeatureDimension(), features = kernel.getDimSize(own),
          dim = dims.getOutputFeatureDimension();
  if (features == 0 || kernel.getNumElements() / features < kLeast || features < kLeastFeatures ||
      type.getNumElements() * (kernel.getNumElements() / features) * bytesOf(element) < kLeastBytesOfWindows)
    return;
  TensorBuilder b(op.getLoc(), OpBuilder(op));
  IRMapping parts;
  parts.map(op.getLhs(), partsOf(b, op.getLhs(), dims.getInputFeatureDimension()));
  parts.map(op.getRhs(), fourPartsOf(b, op.getRhs(), dims.getKernelInputFeatureDimension(), own));
  Value result = b.clone(*op, parts)->getResult(0);
  result.setType(typeOfParts(type, dim));
  replace(b, op, result, dim);
}

namespace {
struct SplitComplexProductsPass : public mlir::xla::impl::SplitComplexProductsBase<SplitComplexProductsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (auto product = dyn_cast<DotGeneralOp>(op))
        split(product);
      else if (auto convolution = dyn_cast<ConvolutionOp>(op))
        split(convolution);
  }
};
} // namespace
