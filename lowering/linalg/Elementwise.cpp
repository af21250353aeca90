// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise family: one `linalg.generic` per op, whose body is the op's scalar form.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/RealValue.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::xla;

/// A tensor that is `padding` all over but for `source`, an element of which is in every `strides`th place of a box.
namespace {
struct Spread {
  Value source;
  Operation *padding; // a constant
  SmallVector<int64_t> offsets, sizes, strides;
  SmallVector<int64_t> dims; // of the source, without some of size 1
};
} // namespace

static std::optional<Spread> matchSpread(Value value) {
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
    std::optional<Spread> found = matchSpread(collapse.getSrc());
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    if (!found || int64_t(found->dims.size()) != collapse.getSrcType().getRank())
      return std::nullopt;
    found->dims.clear();
    for (const ReassociationIndices &run : collapse.getReassociationIndices()) {
      auto isLong = [&](int64_t dim) { return shape[dim] != 1; };
      if (llvm::count_if(run, isLong) > 1)
        return std::nullopt;
      auto only = llvm::find_if(run, isLong);
      found->dims.push_back(only == run.end() ? run.front() : *only);
    }
    for (SmallVector<int64_t> *list : {&found->offsets, &found->sizes, &found->strides})
      *list = llvm::map_to_vector(found->dims, [&](int64_t dim) { return (*list)[dim]; });
    return found;
  }
  Spread found;
  Value padding;
  if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    auto fill = insert.getDest().getDefiningOp<linalg::FillOp>();
    if (!fill || insert.getSourceType().getRank() != insert.getDestType().getRank())
      return std::nullopt;
    found = {insert.getSource(),
             nullptr,
             SmallVector<int64_t>(insert.getStaticOffsets()),
             SmallVector<int64_t>(insert.getStaticSizes()),
             SmallVector<int64_t>(insert.getStaticStrides()),
             {}};
    padding = fill.getInputs().front();
  } else if (auto pad = value.getDefiningOp<tensor::PadOp>()) {
    found = {pad.getSource(),
             nullptr,
             SmallVector<int64_t>(pad.getStaticLow()),
             SmallVector<int64_t>(pad.getSourceType().getShape()),
             SmallVector<int64_t>(pad.getSourceType().getRank(), 1),
             {}};
    padding = pad.getConstantPaddingValue();
  }
  found.padding = padding ? padding.getDefiningOp() : nullptr;
  found.dims = llvm::to_vector(llvm::seq<int64_t>(0, found.sizes.size()));
  if (!found.padding || !found.padding->hasTrait<OpTrait::ConstantLike>() ||
      ShapedType::isDynamicShape(found.offsets) || ShapedType::isDynamicShape(found.sizes) ||
      ShapedType::isDynamicShape(found.strides))
    return std::nullopt;
  return found;
}

/// Do the elements of both take turns along a dimension, and fill `shape` together?
static bool alternate(const Spread &a, const Spread &b, ArrayRef<int64_t> shape) {
  if (ShapedType::getNumElements(a.sizes) + ShapedType::getNumElements(b.sizes) != ShapedType::getNumElements(shape))
    return false;
  return llvm::any_of(llvm::seq<size_t>(0, shape.size()), [&](size_t d) {
    // A single element has no stride of its own.
    int64_t stride = a.sizes[d] > 1 ? a.strides[d] : b.strides[d];
    return stride > 1 && (a.sizes[d] == 1 || b.sizes[d] == 1 || a.strides[d] == b.strides[d]) &&
           (a.offsets[d] - b.offsets[d]) % stride != 0;
  });
}

namespace {
/// The reciprocal of a number as the sum of two: x / divisor is x * high + x * low.
struct Reciprocal {
  float high, low;
};
} // namespace

/// The reciprocal of `divisor` by which every integer from `first` to `last` is divided without an error: this is
/// tried.
static std::optional<Reciprocal> reciprocalFor(float divisor, int64_t first, int64_t last) {
  float high = 1 / divisor, low = static_cast<float>((1 - static_cast<double>(high) * divisor) / divisor);
  if (!std::isnormal(high))
    return std::nullopt;
  auto isExact = [&](auto product) {
    return llvm::all_of(llvm::seq_inclusive(first, last), [&](int64_t integer) {
      auto x = static_cast<float>(integer);
      return llvm::bit_cast<uint32_t>(product(x)) == llvm::bit_cast<uint32_t>(x / divisor);
    });
  };
  if (isExact([&](float x) { return x * high; }))
    return Reciprocal{high, 0};
  if (isExact([&](float x) { return std::fma(x, high, x * low); }))
    return Reciprocal{high, low};
  return std::nullopt;
}

namespace {

/// xla.divide (xla.convert %x : ui8 to f32), 255  ->  linalg.generic { math.fma %x, 1/255, %x * (what that lacks) }
///
/// A division takes as long as many products. So pixels become fractions.
struct DivideIntegersByConstant : OpConversionPattern<DivOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DivOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    DenseFPElementsAttr divisors;
    auto convert = op.getLhs().getDefiningOp<ConvertOp>();
    auto type = cast<RankedTensorType>(op.getType());
    if (!convert || !type.getElementType().isF32() || !matchPattern(op.getRhs(), m_Constant(&divisors)) ||
        !divisors.isSplat())
      return failure();
    auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(convert.getOperand()));
    if (!integer || integer.getWidth() > 16 || integer.getWidth() == 1)
      return failure();
    unsigned bits = integer.getWidth();
    bool isSigned = !integer.isUnsigned();
    std::optional<Reciprocal> by = reciprocalFor(divisors.getSplatValue<float>(), isSigned ? llvm::minIntN(bits) : 0,
                                                 isSigned ? llvm::maxIntN(bits) : llvm::maxUIntN(bits));
    if (!by)
      return failure();
    Value result =
        buildElementwise(rewriter, op.getLoc(), type, adaptor.getLhs(),
                         [&](OpBuilder &builder, Location loc, ValueRange scalars) -> SmallVector<Value> {
                           ImplicitLocOpBuilder b(loc, builder);
                           Real x{&b, scalars[0]};
                           if (by->low == 0)
                             return {(x * by->high).value};
                           return {math::FmaOp::create(b, x.value, x.constant(by->high).value, (x * by->low).value)};
                         });
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// xla.add (pad %a, interior 1), (pad %b, low 1, interior 1)  ->  insert_slice (%b + 0) into insert_slice (%a + 0)
///
/// Nothing is padded, and each element is computed once. So `jax.lax.associative_scan` puts even and odd elements
/// together; the parts of what is itself a concatenation go to their places one by one.
struct AlternatingLowering : ConversionPattern {
  AlternatingLowering(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, Pattern::MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (operands.size() != 2 || !hasScalarForm(op))
      return failure();
    auto type = signlessTensorType(cast<RankedTensorType>(op->getResult(0).getType()));
    std::optional<Spread> spreads[] = {matchSpread(operands[0]), matchSpread(operands[1])};
    if (!spreads[0] || !spreads[1] || !alternate(*spreads[0], *spreads[1], type.getShape()))
      return failure();
    Location loc = op->getLoc();
    Value result = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    for (int number : {0, 1}) {
      const Spread &spread = *spreads[number];
      Operation *padding = spreads[1 - number]->padding;
      auto concat = spread.source.getDefiningOp<tensor::ConcatOp>();
      // The parts of what is no dimension here are one.
      const auto *dim = concat ? llvm::find(spread.dims, int64_t(concat.getDim())) : spread.dims.end();
      bool hasParts = dim != spread.dims.end();
      size_t along = dim - spread.dims.begin();
      SmallVector<Value> parts{spread.source};
      if (hasParts)
        parts.assign(concat.getInputs().begin(), concat.getInputs().end());
      SmallVector<int64_t> offsets = spread.offsets, sizes = spread.sizes;
      for (Value part : parts) {
        if (hasParts)
          sizes[along] = cast<RankedTensorType>(part.getType()).getDimSize(*dim);
        auto body = [&](OpBuilder &b, Location, ValueRange scalars) -> SmallVector<Value> {
          Value other = b.clone(*padding)->getResult(0), own = scalars[0];
          Value scalar = emitScalarOp(b, op, number == 0 ? ValueRange{own, other} : ValueRange{other, own});
          return scalar ? SmallVector<Value>{scalar} : SmallVector<Value>{};
        };
        Value computed =
            buildElementwise(rewriter, loc, type.clone(sizes), buildReshape(rewriter, loc, part, sizes), body);
        if (!computed)
          return failure();
        auto attrs = [&](ArrayRef<int64_t> values) { return getAsIndexOpFoldResult(rewriter.getContext(), values); };
        result = tensor::InsertSliceOp::create(rewriter, loc, computed, result, attrs(offsets), attrs(sizes),
                                               attrs(spread.strides));
        if (hasParts)
          offsets[along] += sizes[along] * spread.strides[along];
      }
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// xla.add %x, %y  ->  linalg.generic ins(%x, %y) { arith.addf }
/// Scalar operands of select and clamp get the map (d0, ..) -> ().
struct ElementwiseLowering : ConversionPattern {
  ElementwiseLowering(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, Pattern::MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!hasScalarForm(op))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value result = buildElementwise(rewriter, op->getLoc(), type, operands,
                                    [&](OpBuilder &b, Location, ValueRange scalars) -> SmallVector<Value> {
                                      Value scalar = emitScalarOp(b, op, scalars);
                                      return scalar ? SmallVector<Value>{scalar} : SmallVector<Value>{};
                                    });
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// xla.map (%x, %y) { region }  ->  linalg.generic ins(%x, %y) { region }
struct MapLowering : OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MapOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> inputs(adaptor.getInputs());
    SmallVector<Value> captures = getScalarCaptures(op.getComputation());
    for (Value capture : captures)
      inputs.push_back(rewriter.getRemappedValue(capture));
    auto type = cast<RankedTensorType>(op.getType());
    Value result = buildElementwise(
        rewriter, op.getLoc(), type, inputs, [&](OpBuilder &b, Location, ValueRange scalars) -> SmallVector<Value> {
          ValueRange captured = scalars.drop_front(captures.size() ? scalars.size() - captures.size() : scalars.size());
          SmallVector<Value> results;
          auto capture = [&](Value value) { return captured[llvm::find(captures, value) - captures.begin()]; };
          if (failed(emitScalarRegion(b, op.getComputation(), scalars.drop_back(captures.size()), capture, results)))
            results.clear();
          return results;
        });
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// xla.bitcast_convert to another width: a wide element's parts are shifted out of it; narrow elements, each read
/// through its own map, are shifted together. A part of a complex<f64> is a complex<f32> of its lower and upper half.
struct BitcastConvertLowering : OpConversionPattern<BitcastConvertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(BitcastConvertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(adaptor.getOperand().getType());
    auto type = signlessTensorType(cast<RankedTensorType>(op.getType()));
    if (source.getRank() == type.getRank())
      return failure();
    Type from = source.getElementType(), to = type.getElementType();
    // Complex numbers become complex ones, whose parts are real numbers: `from` and `to` are the types of these.
    auto complexTo = dyn_cast<ComplexType>(to);
    if (complexTo) {
      from = cast<ComplexType>(from).getElementType();
      to = complexTo.getElementType();
    }
    unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
    Type fromBits = rewriter.getIntegerType(fromWidth), toBits = rewriter.getIntegerType(toWidth);
    auto bitcast = [](OpBuilder &b, Location loc, Value value, Type type) -> Value {
      return value.getType() == type ? value : arith::BitcastOp::create(b, loc, type, value);
    };
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    MLIRContext *context = op.getContext();
    int64_t rank = type.getRank();
    if (fromWidth > toWidth) {
      inputs.push_back(adaptor.getOperand());
      maps.push_back(buildDimsMap(context, rank, llvm::to_vector(llvm::seq<int64_t>(0, rank - 1))));
    } else {
      for (int64_t part = 0; part < source.getShape().back(); ++part) {
        SmallVector<AffineExpr> exprs;
        for (int64_t d = 0; d < rank; ++d)
          exprs.push_back(rewriter.getAffineDimExpr(d));
        exprs.push_back(rewriter.getAffineConstantExpr(part));
        inputs.push_back(adaptor.getOperand());
        maps.push_back(AffineMap::get(rank, 0, exprs, context));
      }
    }
    Value result = buildElementwise(
        rewriter, op.getLoc(), type, inputs, maps, [&](OpBuilder &b, Location loc, ValueRange x) -> SmallVector<Value> {
          auto constant = [&](Type type, int64_t c) -> Value {
            return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, c));
          };
          auto shiftOut = [&](Value bits, Value amount) {
            Value part = arith::TruncIOp::create(b, loc, toBits, arith::ShRUIOp::create(b, loc, bits, amount));
            return bitcast(b, loc, part, to);
          };
          auto shiftTogether = [&](ValueRange parts) {
            Value bits;
            for (auto [i, value] : llvm::enumerate(parts)) {
              Value part = arith::ExtUIOp::create(b, loc, toBits, bitcast(b, loc, value, fromBits));
              if (i)
                part = arith::ShLIOp::create(b, loc, part, constant(toBits, i * fromWidth));
              bits = bits ? Value(arith::OrIOp::create(b, loc, bits, part)) : part;
            }
            return bitcast(b, loc, bits, to);
          };
          if (fromWidth > toWidth) {
            Value index = linalg::IndexOp::create(b, loc, rank - 1);
            if (complexTo) {
              Value zero = arith::ConstantIndexOp::create(b, loc, 0);
              Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, index, zero);
              Value re = complex::ReOp::create(b, loc, x[0]), im = complex::ImOp::create(b, loc, x[0]);
              Value bits = bitcast(b, loc, arith::SelectOp::create(b, loc, isFirst, re, im), fromBits);
              Value low = shiftOut(bits, constant(fromBits, 0)), high = shiftOut(bits, constant(fromBits, toWidth));
              return {complex::CreateOp::create(b, loc, complexTo, low, high)};
            }
            Value part = arith::IndexCastOp::create(b, loc, fromBits, index);
            Value amount = arith::MulIOp::create(b, loc, part, constant(fromBits, toWidth));
            return {shiftOut(bitcast(b, loc, x[0], fromBits), amount)};
          }
          if (!complexTo)
            return {shiftTogether(x)};
          auto joined = [&](Value z) {
            Value re = complex::ReOp::create(b, loc, z), im = complex::ImOp::create(b, loc, z);
            return shiftTogether({re, im});
          };
          return {complex::CreateOp::create(b, loc, complexTo, joined(x[0]), joined(x[1]))};
        });
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void mlir::xla::populateElementwisePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AlternatingLowering, ElementwiseLowering, MapLowering, BitcastConvertLowering>(converter,
                                                                                              patterns.getContext());
  patterns.add<DivideIntegersByConstant>(converter, patterns.getContext(), /*benefit=*/3);
}
