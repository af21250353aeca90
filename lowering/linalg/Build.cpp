// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/linalg/Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xla;

Type mlir::xla::signlessElementType(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType); integer && !integer.isSignless())
    return IntegerType::get(elementType.getContext(), integer.getWidth());
  return elementType;
}

RankedTensorType mlir::xla::signlessTensorType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), signlessElementType(type.getElementType()));
}

Value mlir::xla::buildElementwise(OpBuilder &b, Location loc, RankedTensorType type, ValueRange inputs,
                                  ArrayRef<AffineMap> maps, BodyBuilder body) {
  type = signlessTensorType(type);
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  bool failed = false;
  auto generic = linalg::GenericOp::create(b, loc, TypeRange{type}, inputs, ValueRange{empty}, allMaps, iterators,
                                           [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
                                             SmallVector<Value> results = body(nested, nestedLoc, args.drop_back());
                                             failed = results.empty();
                                             linalg::YieldOp::create(nested, nestedLoc, results);
                                           });
  return failed ? Value() : generic.getResult(0);
}

Value mlir::xla::buildElementwise(OpBuilder &b, Location loc, RankedTensorType type, ValueRange inputs,
                                  BodyBuilder body) {
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps;
  for (Value input : inputs)
    maps.push_back(cast<RankedTensorType>(input.getType()).getRank() == rank ? b.getMultiDimIdentityMap(rank)
                                                                             : AffineMap::get(rank, 0, b.getContext()));
  return buildElementwise(b, loc, type, inputs, maps, body);
}

Value mlir::xla::buildFill(OpBuilder &b, Location loc, RankedTensorType type, Value scalar) {
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), signlessElementType(type.getElementType()));
  return linalg::FillOp::create(b, loc, ValueRange{scalar}, ValueRange{empty}).getResult(0);
}

Value mlir::xla::buildZero(OpBuilder &b, Location loc, Type elementType) {
  elementType = signlessElementType(elementType);
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    Attribute zero = b.getZeroAttr(complex.getElementType());
    return complex::ConstantOp::create(b, loc, complex, b.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(elementType));
}

Value mlir::xla::buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value mlir::xla::buildScalar(OpBuilder &b, Location loc, Value tensor) {
  auto elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)) && constant.isSplat()) {
    if (isa<ComplexType>(elementType)) {
      auto parts = constant.getSplatValue<Attribute>();
      return complex::ConstantOp::create(b, loc, elementType, cast<ArrayAttr>(parts));
    }
    return arith::ConstantOp::create(b, loc, cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  }
  return tensor::ExtractOp::create(b, loc, tensor, ValueRange{});
}

Value mlir::xla::buildReshape(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ArrayRef<int64_t> source = type.getShape();
  if (source == shape)
    return tensor;
  auto resultType = RankedTensorType::get(shape, type.getElementType());
  if (type.getNumElements() == 0)
    return tensor::EmptyOp::create(b, loc, shape, type.getElementType());

  // Pair the shortest runs of dimensions with equal products: [2, 3, 8] and [6, 2, 4] give {2, 3 | 6} and {8 | 2, 4}.
  SmallVector<ReassociationIndices> sourceRuns, resultRuns;
  SmallVector<int64_t> common;
  int64_t i = 0, j = 0, sourceRank = source.size(), resultRank = shape.size();
  while (i < sourceRank && j < resultRank) {
    ReassociationIndices sourceRun{i}, resultRun{j};
    int64_t lhs = source[i++], rhs = shape[j++];
    while (lhs != rhs) {
      if (lhs < rhs) {
        sourceRun.push_back(i);
        lhs *= source[i++];
      } else {
        resultRun.push_back(j);
        rhs *= shape[j++];
      }
    }
    sourceRuns.push_back(sourceRun);
    resultRuns.push_back(resultRun);
    common.push_back(lhs);
  }
  // What is left over are dimensions of size 1. They join the last run; without a run one side is a scalar.
  for (; i < sourceRank && !sourceRuns.empty(); ++i)
    sourceRuns.back().push_back(i);
  for (; j < resultRank && !resultRuns.empty(); ++j)
    resultRuns.back().push_back(j);
  if (sourceRuns.empty())
    return sourceRank == 0 ? Value(tensor::ExpandShapeOp::create(b, loc, resultType, tensor, resultRuns))
                           : Value(tensor::CollapseShapeOp::create(b, loc, resultType, tensor, sourceRuns));

  if (static_cast<int64_t>(common.size()) != sourceRank)
    tensor = tensor::CollapseShapeOp::create(b, loc, RankedTensorType::get(common, type.getElementType()), tensor,
                                             sourceRuns);
  if (static_cast<int64_t>(common.size()) != resultRank)
    tensor = tensor::ExpandShapeOp::create(b, loc, resultType, tensor, resultRuns);
  return tensor;
}

Value mlir::xla::buildSlice(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == sizes)
    return tensor;
  // An empty slice may begin behind the last element, where extract_slice may not.
  if (llvm::is_contained(sizes, 0))
    return tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  auto attrs = [&](ArrayRef<int64_t> values) { return getAsIndexOpFoldResult(b.getContext(), values); };
  return tensor::ExtractSliceOp::create(b, loc, RankedTensorType::get(sizes, type.getElementType()), tensor,
                                        attrs(offsets), attrs(sizes), attrs(strides));
}

Value mlir::xla::buildPad(OpBuilder &b, Location loc, Value tensor, Value paddingScalar, ArrayRef<int64_t> low,
                          ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t rank = type.getRank();
  // Element i of a dimension lands at i * step + low. Keep the elements [first, last) that land inside the result.
  SmallVector<int64_t> shape(rank), first(rank), kept(rank), landing(rank), steps(rank), tail(rank);
  bool nothingKept = false, dilated = false, padded = false;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = type.getDimSize(d), step = interior[d] + 1;
    shape[d] = (size == 0 ? 0 : (size - 1) * step + 1) + low[d] + high[d];
    first[d] = low[d] < 0 ? llvm::divideCeil(-low[d], step) : 0;
    int64_t last = shape[d] > low[d] ? std::min<int64_t>(size, llvm::divideCeil(shape[d] - low[d], step)) : 0;
    kept[d] = std::max<int64_t>(last - first[d], 0);
    landing[d] = first[d] * step + low[d];
    // A single kept element lies nowhere between others: no interior padding is left.
    steps[d] = kept[d] > 1 ? step : 1;
    tail[d] = shape[d] - landing[d] - ((kept[d] - 1) * steps[d] + 1);
    nothingKept |= kept[d] == 0;
    dilated |= steps[d] > 1;
    padded |= landing[d] > 0 || tail[d] > 0;
  }
  auto resultType = RankedTensorType::get(shape, type.getElementType());
  if (nothingKept)
    return buildFill(b, loc, resultType, paddingScalar);
  SmallVector<int64_t> ones(rank, 1);
  tensor = buildSlice(b, loc, tensor, first, kept, ones);
  auto attrs = [&](ArrayRef<int64_t> values) { return getAsIndexOpFoldResult(b.getContext(), values); };
  if (dilated)
    return tensor::InsertSliceOp::create(b, loc, tensor, buildFill(b, loc, resultType, paddingScalar), attrs(landing),
                                         attrs(kept), attrs(steps));
  if (!padded)
    return tensor;
  return tensor::PadOp::create(b, loc, resultType, tensor, attrs(landing), attrs(tail), paddingScalar);
}

AffineMap mlir::xla::buildDimsMap(MLIRContext *context, int64_t rank, ArrayRef<int64_t> dims) {
  return AffineMap::get(rank, 0, llvm::map_to_vector(dims, [&](int64_t d) { return getAffineDimExpr(d, context); }),
                        context);
}
