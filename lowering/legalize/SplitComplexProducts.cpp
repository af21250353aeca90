// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-complex-products`: contractions of complex numbers are contractions of their parts, which are packed and
// walked in tiles as those of real numbers are.

#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/Passes.h"

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

/// Half of `value` along `dim`.
static Value half(TensorBuilder &b, Value value, int64_t dim, bool isSecond) {
  RankedTensorType type = TensorBuilder::typeOf(value);
  SmallVector<int64_t> shape(type.getShape()), starts(shape.size(), 0), limits(shape), strides(shape.size(), 1);
  shape[dim] /= 2;
  (isSecond ? starts : limits)[dim] = shape[dim];
  return SliceOp::create(b, type.clone(shape), value, starts, limits, strides);
}

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
  int64_t bytes = element.getElementType().getIntOrFloatBitWidth() / 4;
  if (std::min({lhs.size, rhs.size, steps}) < kLeast || lhs.size * rhs.size * steps * bytes < kLeastBytes)
    return;
  bool isLeft = lhs.size < rhs.size;
  Side &wide = isLeft ? lhs : rhs, &other = isLeft ? rhs : lhs;

  TensorBuilder b(op.getLoc(), OpBuilder(op));
  auto partOf = [&](StringRef name, Value value) {
    return b.apply(name, TensorBuilder::typeOf(value).clone(element.getElementType()), value);
  };
  Value re = partOf("real", wide.value), im = partOf("imag", wide.value);
  Value first = concatenated(b, re, im, wide.free[0]);
  Value second = concatenated(b, b.unary("negate", im), re, wide.free[0]);
  wide.value = concatenated(b, first, second, wide.contracting[0]);
  other.value = concatenated(b, partOf("real", other.value), partOf("imag", other.value), other.contracting[0]);
  int64_t halved = dims.getLhsBatchingDimensions().size() + (isLeft ? 0 : lhs.free.size());
  SmallVector<int64_t> shape(type.getShape());
  shape[halved] *= 2;
  Value parts = DotGeneralOp::create(b, RankedTensorType::get(shape, element.getElementType()), lhs.value, rhs.value,
                                     dims, op.getPrecisionConfigAttr(), DotAlgorithmAttr());
  Value result = b.apply("complex", type, {half(b, parts, halved, false), half(b, parts, halved, true)});
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct SplitComplexProductsPass : public mlir::xla::impl::SplitComplexProductsBase<SplitComplexProductsPass> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> ops;
    getOperation().walk([&](DotGeneralOp op) { ops.push_back(op); });
    for (DotGeneralOp op : ops)
      split(op);
  }
};
} // namespace
