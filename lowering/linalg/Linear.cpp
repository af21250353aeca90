// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear family: dot_general as one generic whose maps express every transposition.

#include "mlir_xla/lowering/linalg/Linear.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/linalg/Patterns.h"
#include "mlir_xla/lowering/linalg/ScalarOps.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::xla;

static Value emitProduct(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Type type = lhs.getType();
  if (isa<ComplexType>(type))
    return complex::MulOp::create(b, loc, lhs, rhs);
  if (isa<FloatType>(type))
    return arith::MulFOp::create(b, loc, lhs, rhs);
  if (type.isInteger(1))
    return arith::AndIOp::create(b, loc, lhs, rhs);
  return arith::MulIOp::create(b, loc, lhs, rhs);
}

static Value emitSum(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Type type = lhs.getType();
  if (isa<ComplexType>(type))
    return complex::AddOp::create(b, loc, lhs, rhs);
  if (isa<FloatType>(type))
    return arith::AddFOp::create(b, loc, lhs, rhs);
  if (type.isInteger(1))
    return arith::OrIOp::create(b, loc, lhs, rhs);
  return arith::AddIOp::create(b, loc, lhs, rhs);
}

/// Two loops that are summed over, and that both factors have next to each other in the same order, as one loop.
static bool mergeSums(OpBuilder &b, Location loc, std::array<Value, 2> &factors, SmallVectorImpl<AffineMap> &maps) {
  auto isSum = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && !maps[2].isFunctionOfDim(dim.getPosition());
  };
  ArrayRef<AffineExpr> lhs = maps[0].getResults(), rhs = maps[1].getResults();
  for (size_t i = 0; i + 1 < lhs.size(); ++i) {
    if (!isSum(lhs[i]) || !isSum(lhs[i + 1]))
      continue;
    const AffineExpr *found = llvm::find(rhs, lhs[i]);
    if (found == rhs.end() || found + 1 == rhs.end() || found[1] != lhs[i + 1])
      continue;
    unsigned inner = cast<AffineDimExpr>(lhs[i + 1]).getPosition(), loops = maps[0].getNumDims();
    std::array<size_t, 2> positions{i, static_cast<size_t>(found - rhs.begin())};
    // The inner loop is gone, and those behind it move up.
    SmallVector<AffineExpr> renamed;
    for (unsigned dim = 0; dim < loops; ++dim)
      renamed.push_back(getAffineDimExpr(dim > inner ? dim - 1 : dim, b.getContext()));
    for (auto [factor, map, position] : llvm::zip(factors, maps, positions)) {
      SmallVector<int64_t> shape(cast<RankedTensorType>(factor.getType()).getShape());
      shape[position] *= shape[position + 1];
      shape.erase(shape.begin() + position + 1);
      SmallVector<AffineExpr> exprs(map.getResults());
      exprs.erase(exprs.begin() + position + 1);
      factor = buildReshape(b, loc, factor, shape);
      map = AffineMap::get(loops, 0, exprs, b.getContext());
    }
    for (AffineMap &map : maps)
      map = map.replaceDimsAndSymbols(renamed, {}, loops - 1, 0);
    return true;
  }
  return false;
}

Value mlir::xla::buildContraction(OpBuilder &b, Location loc, Value lhs, Value rhs, Type lhsElement, Type rhsElement,
                                  ArrayRef<int64_t> resultShape, Type resultElement, AffineMap lhsMap, AffineMap rhsMap,
                                  AffineMap resultMap, bool isTf32) {
  // Sums wrap, so that the lower bits of wider ones are theirs. Instructions for products of bytes sum in 32 bits.
  auto areWholeBytes = [](Type type) { return type.isInteger(8) || type.isInteger(16); };
  bool isNarrow = isa<FloatType>(resultElement) && resultElement.getIntOrFloatBitWidth() < 32;
  bool areBytes = areWholeBytes(lhsElement) && areWholeBytes(rhsElement) && areWholeBytes(resultElement);
  Type sumElement = isNarrow ? Type(b.getF32Type()) : areBytes ? Type(b.getI32Type()) : resultElement;
  auto type = signlessTensorType(RankedTensorType::get(resultShape, sumElement));
  auto emitFactors = [&](OpBuilder &nested, ValueRange x) {
    return emitProduct(nested, loc, emitScalarConvert(nested, loc, x[0], lhsElement, sumElement),
                       emitScalarConvert(nested, loc, x[1], rhsElement, sumElement));
  };

  Value result;
  if (type.getNumElements() == 0) {
    result = tensor::EmptyOp::create(b, loc, resultShape, type.getElementType());
  } else if (resultMap.isIdentity()) {
    // Nothing is summed: an outer product.
    result =
        buildElementwise(b, loc, type, {lhs, rhs}, {lhsMap, rhsMap}, [&](OpBuilder &nested, Location, ValueRange x) {
          return SmallVector<Value>{emitFactors(nested, x)};
        });
  } else {
    Value zero = buildFill(b, loc, type, buildZero(b, loc, sumElement));
    bool isEmptySum = cast<RankedTensorType>(lhs.getType()).getNumElements() == 0;
    if (isEmptySum) {
      result = zero;
    } else {
      SmallVector<AffineMap> maps{lhsMap, rhsMap, resultMap};
      std::array<Value, 2> factors{lhs, rhs};
      while (mergeSums(b, loc, factors, maps))
        ;
      SmallVector<utils::IteratorType> iterators(maps[2].getNumDims(), utils::IteratorType::reduction);
      for (AffineExpr expr : maps[2].getResults())
        iterators[cast<AffineDimExpr>(expr).getPosition()] = utils::IteratorType::parallel;
      auto body = [&](OpBuilder &nested, Location, ValueRange x) {
        Value sum = emitSum(nested, loc, x[2], emitFactors(nested, x));
        linalg::YieldOp::create(nested, loc, sum);
      };
      auto sums = linalg::GenericOp::create(b, loc, TypeRange{type}, factors, ValueRange{zero}, maps, iterators, body);
      if (isTf32 && sumElement.isF32())
        sums->setAttr(XlaRtDialect::kTf32, b.getUnitAttr());
      result = sums.getResult(0);
    }
  }
  if (sumElement == resultElement)
    return result;
  return buildElementwise(b, loc, RankedTensorType::get(resultShape, resultElement), result,
                          [&](OpBuilder &nested, Location, ValueRange x) {
                            return SmallVector<Value>{emitScalarConvert(nested, loc, x[0], sumElement, resultElement)};
                          });
}

namespace {

/// xla.dot_general %a, %b, contracting_dims = [1] x [0]
///   ->  linalg.generic (d0, d2), (d2, d1) -> (d0, d1) { addf(acc, mulf(a, b)) } outs(linalg.fill 0)
struct DotGeneralLowering : OpConversionPattern<DotGeneralOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    auto lhsType = cast<RankedTensorType>(op.getLhs().getType()),
         rhsType = cast<RankedTensorType>(op.getRhs().getType());
    auto type = cast<RankedTensorType>(op.getType());

    // Loops: batch, free dimensions of lhs, of rhs (the result's dimensions in order), then the contracted ones.
    SmallVector<int64_t> lhsLoops(lhsType.getRank(), -1), rhsLoops(rhsType.getRank(), -1);
    int64_t loop = 0;
    for (auto [l, r] : llvm::zip(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions()))
      lhsLoops[l] = rhsLoops[r] = loop++;
    SmallVector<bool> lhsContracted(lhsType.getRank()), rhsContracted(rhsType.getRank());
    for (auto [l, r] : llvm::zip(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions()))
      lhsContracted[l] = rhsContracted[r] = true;
    for (int64_t d = 0; d < lhsType.getRank(); ++d)
      if (lhsLoops[d] < 0 && !lhsContracted[d])
        lhsLoops[d] = loop++;
    for (int64_t d = 0; d < rhsType.getRank(); ++d)
      if (rhsLoops[d] < 0 && !rhsContracted[d])
        rhsLoops[d] = loop++;
    for (auto [l, r] : llvm::zip(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions()))
      lhsLoops[l] = rhsLoops[r] = loop++;

    MLIRContext *context = op.getContext();
    // Three products of parts are as good as f32: only a single one is rounded.
    DotAlgorithmAttr algorithm = op.getAlgorithmAttr();
    bool isTf32 = algorithm && isa<FloatTF32Type>(algorithm.getLhsPrecisionType()) &&
                  isa<FloatTF32Type>(algorithm.getRhsPrecisionType()) && algorithm.getNumPrimitiveOperations() == 1;
    rewriter.replaceOp(
        op, buildContraction(rewriter, op.getLoc(), adaptor.getLhs(), adaptor.getRhs(), lhsType.getElementType(),
                             rhsType.getElementType(), type.getShape(), type.getElementType(),
                             buildDimsMap(context, loop, lhsLoops), buildDimsMap(context, loop, rhsLoops),
                             buildDimsMap(context, loop, llvm::to_vector(llvm::seq(type.getRank()))), isTf32));
    return success();
  }
};

} // namespace

void mlir::xla::populateContractionPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<DotGeneralLowering>(converter, patterns.getContext());
}
