// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-reductions`: large reductions with few results in two steps, so that the first has parallel rows, and
// contractions along a long dimension, so that what they read again stays in the cache.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/TiledProducts.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/nest/FoldOrder.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// On products that were taken out of their sum: they are computed where that is.
static constexpr StringLiteral kSeparated = "xla.separated";

/// Steps of a block of a contraction that pay for its partial results.
static constexpr int64_t kMinBlock = 256;

/// The generic op `like` with other inputs, inits and maps.
static linalg::GenericOp rebuild(OpBuilder &b, linalg::GenericOp like, ValueRange inputs, ValueRange inits,
                                 ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators) {
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  auto op = linalg::GenericOp::create(b, like.getLoc(), types, inputs, inits, maps, iterators);
  IRMapping mapping;
  like.getRegion().cloneInto(&op.getRegion(), mapping);
  return op;
}

namespace {
/// How a reduction is split: `dim` becomes parallel, or is cut into as many `rows`. The elements that are left beyond
/// them are reduced last.
struct Cut {
  unsigned dim;
  int64_t rows;
};
} // namespace

/// The first reduced dimension becomes parallel. A single one is cut in two, [n] -> [rows, n / rows], and so is one
/// that would leave more partial results than a page holds.
static std::optional<Cut> cutForCores(linalg::GenericOp op, const Machine &machine) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t total = 1, results = 1, reduced = 0;
  std::optional<unsigned> first;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    total *= ranges[dim];
    if (kind == utils::IteratorType::parallel) {
      results *= ranges[dim];
    } else if (ranges[dim] > 1) {
      ++reduced;
      if (!first)
        first = dim;
    }
  }
  // One core is as good as two.
  if (!first || total < 2 * machine.elementsPerCore)
    return std::nullopt;
  // A short innermost dimension that is kept fills vectors, not cores.
  bool keepsInnermost = op.getIteratorTypesArray().back() == utils::IteratorType::parallel;
  int64_t parallelWork = keepsInnermost && ranges.back() < machine.longRow() ? results / ranges.back() : results;
  if (parallelWork >= machine.fewItems)
    return std::nullopt;
  int64_t size = ranges[*first];
  if (reduced > 1) {
    int64_t bytes = 0; // of the results
    for (Value init : op.getDpsInits())
      bytes += results * elementStorageBytes(getElementTypeOrSelf(init.getType()));
    if (size * bytes > machine.pageBytes)
      for (int64_t rows : {64, 32, 16})
        if (size % rows == 0 && rows * bytes <= machine.pageBytes)
          return Cut{*first, rows};
    return Cut{*first, size};
  }
  for (int64_t rows : {256, 128, 64, 32, 16, 8, 250, 200, 100, 50, 10})
    if (size % rows == 0 && size / rows >= 16)
      return Cut{*first, rows};
  return std::nullopt;
}

/// The single operation that combines elements of the array with that number with what there is of their result,
/// widened or as they are; null if there is none.
static Operation *combinerOf(linalg::GenericOp op, unsigned number) {
  Block &body = *op.getBody();
  if (op.getNumDpsInputs() != op.getNumDpsInits())
    return nullptr;
  auto widened = [](Value value) {
    auto extension = value.getDefiningOp<arith::ExtFOp>();
    return extension ? extension.getIn() : value;
  };
  Value result = body.getTerminator()->getOperand(number);
  if (auto rounding = result.getDefiningOp<arith::TruncFOp>())
    result = rounding.getIn();
  Operation *combiner = result.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2)
    return nullptr;
  Value left = widened(combiner->getOperand(0)), right = widened(combiner->getOperand(1));
  Value input = body.getArgument(number), accumulator = op.getRegionOutputArgs()[number];
  bool isBoth = (left == input && right == accumulator) || (left == accumulator && right == input);
  return isBoth ? combiner : nullptr;
}

/// Elements may be combined in any order if a single operation that commutes combines those of each array.
static bool commutes(linalg::GenericOp op) {
  return llvm::all_of(llvm::seq<unsigned>(op.getNumDpsInits()), [&](unsigned number) {
    Operation *combiner = combinerOf(op, number);
    return combiner && (combiner->hasTrait<OpTrait::IsCommutative>() || isa<complex::AddOp>(combiner));
  });
}

/// What the parts of the result with that number begin with: `initial`, which all are combined with at the end, unless
/// that changes more than once what it is combined with.
static Value initialOfParts(OpBuilder &b, linalg::GenericOp op, unsigned number, Value initial) {
  Operation *combiner = combinerOf(op, number);
  if (!combiner)
    return initial;
  Type type = initial.getType();
  Location loc = op.getLoc();
  // Nor does a product with 0, of which parts that began with 1 might be infinite.
  if (matchPattern(initial, m_AnyZeroFloat()) || matchPattern(initial, m_Zero()))
    return initial;
  if (isa<arith::AddFOp, arith::AddIOp, arith::XOrIOp>(combiner)) {
    TypedAttr zero = isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, -0.0)) : b.getZeroAttr(type);
    return arith::ConstantOp::create(b, loc, zero);
  }
  if (isa<arith::MulFOp, arith::MulIOp>(combiner))
    return arith::ConstantOp::create(
        b, loc, isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, 1.0)) : b.getIntegerAttr(type, 1));
  if (auto complexType = dyn_cast<ComplexType>(type); complexType && isa<complex::AddOp, complex::MulOp>(combiner)) {
    auto part = [&](double value) { return b.getFloatAttr(complexType.getElementType(), value); };
    bool isSum = isa<complex::AddOp>(combiner);
    return complex::ConstantOp::create(b, loc, type,
                                       b.getArrayAttr({part(isSum ? -0.0 : 1.0), part(isSum ? -0.0 : 0.0)}));
  }
  return initial;
}

/// A GPU is busy with many blocks of threads that read rows, or with many threads that read columns next to each other.
/// Of all reduced dimensions the one that has as many parts, or else the one that has most, is cut; the first one if
/// elements have to meet in order.
static std::optional<Cut> cutForThreads(linalg::GenericOp op, bool hasAscending) {
  constexpr int64_t enoughElements = 1 << 16, fewColumns = 16, manyRows = 64, enoughRows = 512;
  constexpr int64_t elementsBeyondCaches = 1 << 23, manyElements = 1 << 20, leastOfRow = 2048, leastOfColumn = 16,
                    manyColumns = 1 << 14, enoughColumns = 1 << 17;
  constexpr int64_t ofBlock = GpuMachine::warp, leastOfBlock = 128;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  // Of numbers of iterations the least, or those of the greatest elements, can be found by threads in any order.
  bool isAnyOrder = commutes(op), mayMeetInAnyOrder = isAnyOrder || hasAscending;
  int64_t length = 1, results = 1;
  for (auto [range, kind] : llvm::zip(ranges, iterators))
    (kind == utils::IteratorType::parallel ? results : length) *= range;
  bool areColumns = iterators.back() == utils::IteratorType::parallel && ranges.back() >= fewColumns;
  // Threads of a block share the neighbours of a row, and others go on to the next ones. Where those are few, blocks
  // are too small to ask for as much as memory gives.
  int64_t neighbours = 1;
  for (size_t dim = ranges.size(); dim-- > 0 && iterators[dim] == utils::IteratorType::reduction;)
    neighbours *= ranges[dim];
  auto threads = std::min(GpuMachine::largestBlock, static_cast<int64_t>(llvm::bit_floor<uint64_t>(neighbours)));
  // Rows of fewer neighbours than a warp are shared along another dimension.
  int64_t few = neighbours < GpuMachine::warp ? elementsBeyondCaches : manyElements;
  bool asksForEnough = length * results < few || results * threads >= GpuMachine::threadsOfMemory || !isAnyOrder;
  if (results == 0 || length * results < enoughElements ||
      results >= (areColumns      ? manyColumns
                  : asksForEnough ? manyRows
                                  : enoughRows))
    return std::nullopt;
  int64_t parts =
      std::min((areColumns ? enoughColumns : enoughRows) / results, length / (areColumns ? leastOfColumn : leastOfRow));
  // Blocks of threads share the rows of a few columns each: so many that they leave little for the last one to add up.
  if (areColumns && ranges.back() >= ofBlock && mayMeetInAnyOrder) {
    auto blocks = static_cast<int64_t>(llvm::divideCeil(ranges.back(), ofBlock)) * (results / ranges.back());
    parts = std::min(GpuMachine::someBlocks / blocks, length / leastOfBlock);
  }
  if (parts < 2)
    return std::nullopt;
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < ranges.size(); ++dim)
    if (iterators[dim] == utils::IteratorType::reduction && ranges[dim] > 1 && (isAnyOrder || dims.empty()))
      dims.push_back(dim);
  std::optional<Cut> best;
  double closest = 0;
  for (unsigned dim : dims)
    for (int64_t rows = std::min(ranges[dim], 2 * parts); rows > 1; --rows) {
      double ratio = static_cast<double>(rows) / static_cast<double>(parts);
      ratio = std::min(ratio, 1 / ratio);
      if (ranges[dim] % rows == 0 && ratio > closest) {
        best = Cut{dim, rows};
        closest = ratio;
      }
    }
  // Something remains then.
  constexpr double tooFar = 0.25;
  if (closest < tooFar)
    for (unsigned dim : dims)
      if (ranges[dim] >= 2 * parts)
        return Cut{dim, parts};
  return best;
}

/// The part of the inputs along `dim`, whose maps are identities. Products that were separated are not kept for it.
static SmallVector<Value> sliceOf(OpBuilder &b, Location loc, ValueRange inputs, unsigned dim, int64_t low,
                                  int64_t high) {
  SmallVector<Value> slices;
  for (Value input : inputs) {
    auto products = input.getDefiningOp<linalg::GenericOp>();
    if (products && products->hasAttr(kSeparated) &&
        llvm::all_of(products.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); })) {
      SmallVector<Value> parts = sliceOf(b, loc, products.getDpsInputs(), dim, low, high);
      auto type = cast<RankedTensorType>(input.getType());
      SmallVector<int64_t> sizes(type.getShape());
      sizes[dim] = high - low;
      Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
      slices.push_back(
          rebuild(b, products, parts, empty, products.getIndexingMapsArray(), products.getIteratorTypesArray())
              .getResult(0));
      continue;
    }
    SmallVector<int64_t> sizes(cast<RankedTensorType>(input.getType()).getShape());
    SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0)), strides(sizes.size(), b.getIndexAttr(1));
    offsets[dim] = b.getIndexAttr(low);
    sizes[dim] = high - low;
    SmallVector<OpFoldResult> mixed;
    for (int64_t size : sizes)
      mixed.push_back(b.getIndexAttr(size));
    slices.push_back(tensor::ExtractSliceOp::create(b, loc, input, offsets, mixed, strides));
  }
  return slices;
}

/// The inputs of `op` that are the numbers of the iterations along its only reduced dimension, with the initial value
/// zero. The parts of a reduction that is cut there have ascending ones.
static SmallVector<int64_t> ascendingInputs(linalg::GenericOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  SmallVector<int64_t> found;
  for (auto [number, input, init] : llvm::enumerate(op.getDpsInputs(), op.getDpsInits())) {
    auto numbers = input.getDefiningOp<linalg::GenericOp>();
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (reduced.size() != 1 || !numbers || numbers.getNumDpsInputs() != 0 || numbers.getNumResults() != 1 ||
        !numbers.getIndexingMapsArray()[0].isIdentity() || !fill || !matchPattern(fill.getInputs()[0], m_Zero()))
      continue;
    Value value = numbers.getBody()->getTerminator()->getOperand(0);
    if (auto widened = value.getDefiningOp<arith::ExtSIOp>())
      value = widened.getIn();
    auto cast = value.getDefiningOp<arith::IndexCastOp>();
    auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : linalg::IndexOp();
    auto type = dyn_cast<IntegerType>(value.getType());
    if (index && type && index.getDim() == reduced[0] &&
        llvm::isUIntN(type.getWidth() - 1, op.getStaticLoopRanges()[reduced[0]] - 1))
      found.push_back(static_cast<int64_t>(number));
  }
  return found;
}

/// Splits a reduction whose inputs all have the identity map and whose combiner takes (inputs, accumulators) of the
/// same types: a reduced dimension, or a part of it, becomes parallel in step one and is reduced in step two.
static void split(linalg::GenericOp op, const Machine &machine, bool isDevice) {
  int64_t loops = op.getNumLoops();
  if (op.getNumReductionLoops() == 0 || op.hasIndexSemantics() || op.getNumDpsInputs() != op.getNumDpsInits())
    return;
  std::optional<Cut> cut = isDevice ? cutForThreads(op, !ascendingInputs(op).empty()) : cutForCores(op, machine);
  if (!cut)
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [input, init] : llvm::zip_equal(op.getDpsInputOperands(), op.getDpsInitsMutable())) {
    if (!op.getMatchingIndexingMap(input).isIdentity() ||
        getElementTypeOrSelf(input->get().getType()) != getElementTypeOrSelf(init.get().getType()))
      return;
    if (op.getMatchingIndexingMap(&init) != op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]))
      return;
    // The init enters both steps, so it must come from one scalar.
    auto fill = init.get().getDefiningOp<linalg::FillOp>();
    auto constant = init.get().getDefiningOp<arith::ConstantOp>();
    if (!fill && !(constant && isa<SplatElementsAttr>(constant.getValue())))
      return;
  }

  OpBuilder b(op);
  MLIRContext *context = op.getContext();
  Location loc = op.getLoc();
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<int64_t> shape = ranges;
  unsigned outer = cut->dim;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  int64_t rows = cut->rows, whole = ranges[outer] / rows * rows;
  SmallVector<Value> rest;
  if (whole < ranges[outer]) {
    rest = sliceOf(b, loc, inputs, outer, whole, ranges[outer]);
    inputs = sliceOf(b, loc, inputs, outer, 0, whole);
  }
  AffineMap resultMap = op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]);
  if (rows < ranges[outer]) {
    SmallVector<ReassociationIndices> reassociation;
    shape.clear();
    for (int64_t dim = 0; dim < loops; ++dim) {
      ReassociationIndices group{static_cast<int64_t>(shape.size())};
      if (dim == static_cast<int64_t>(outer)) {
        shape.append({rows, whole / rows});
        group.push_back(group[0] + 1);
      } else {
        shape.push_back(ranges[dim]);
      }
      reassociation.push_back(group);
    }
    for (Value &input : inputs) {
      auto type = RankedTensorType::get(shape, getElementTypeOrSelf(input.getType()));
      input = tensor::ExpandShapeOp::create(b, loc, type, input, reassociation);
    }
    iterators.insert(iterators.begin() + outer, utils::IteratorType::reduction);
    // Dimension numbers behind the cut one move up.
    SmallVector<AffineExpr> moved;
    for (int64_t dim = 0; dim < loops; ++dim)
      moved.push_back(getAffineDimExpr(dim > static_cast<int64_t>(outer) ? dim + 1 : dim, context));
    resultMap = resultMap.replaceDimsAndSymbols(moved, {}, loops + 1, 0);
    ++loops;
  }

  // Step one: `outer` is parallel and leads the partial results.
  SmallVector<AffineExpr> partialExprs{getAffineDimExpr(outer, context)};
  llvm::append_range(partialExprs, resultMap.getResults());
  SmallVector<int64_t> partialShape;
  for (AffineExpr expr : partialExprs)
    partialShape.push_back(shape[cast<AffineDimExpr>(expr).getPosition()]);
  AffineMap partialMap = AffineMap::get(loops, 0, partialExprs, context);
  SmallVector<Value> partialInits;
  SmallVector<AffineMap> maps(inputs.size(), b.getMultiDimIdentityMap(loops));
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    Type element = getElementTypeOrSelf(init.getType());
    Value scalar;
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      scalar = fill.getInputs()[0];
    else
      scalar = arith::ConstantOp::create(
          b, loc,
          cast<TypedAttr>(
              cast<DenseElementsAttr>(init.getDefiningOp<arith::ConstantOp>().getValue()).getSplatValue<Attribute>()));
    scalar = initialOfParts(b, op, number, scalar);
    Value empty = tensor::EmptyOp::create(b, loc, partialShape, element);
    partialInits.push_back(linalg::FillOp::create(b, loc, scalar, empty).getResult(0));
    maps.push_back(partialMap);
  }
  SmallVector<utils::IteratorType> stepOne = iterators;
  stepOne[outer] = utils::IteratorType::parallel;
  linalg::GenericOp partial = rebuild(b, op, inputs, partialInits, maps, stepOne);
  SmallVector<int64_t> unread;
  for (OpResult result : op->getResults())
    if (result.use_empty())
      unread.push_back(result.getResultNumber());
  if (!unread.empty())
    partial->setAttr(xla::XlaRtDialect::kUnread, b.getDenseI64ArrayAttr(unread));

  // Step two: the leading dimension of the partial results.
  int64_t rank = partialShape.size();
  SmallVector<AffineExpr> keptExprs;
  for (int64_t dim = 1; dim < rank; ++dim)
    keptExprs.push_back(getAffineDimExpr(dim, context));
  SmallVector<AffineMap> lastMaps(inputs.size(), b.getMultiDimIdentityMap(rank));
  lastMaps.append(inputs.size(), AffineMap::get(rank, 0, keptExprs, context));
  SmallVector<utils::IteratorType> stepTwo(rank, utils::IteratorType::parallel);
  stepTwo[0] = utils::IteratorType::reduction;
  linalg::GenericOp last = rebuild(b, op, partial.getResults(), op.getDpsInits(), lastMaps, stepTwo);
  if (SmallVector<int64_t> ascending = ascendingInputs(op); !ascending.empty())
    last->setAttr(kAscending, b.getDenseI64ArrayAttr(ascending));
  if (!rest.empty())
    last = rebuild(b, op, rest, last.getResults(), op.getIndexingMapsArray(), op.getIteratorTypesArray());
  op.replaceAllUsesWith(last.getResults());
  op.erase();
}

/// (k) x (k) -> ()  as  (k) of products, then their sum
///
/// A device has a block for each of a few long sums of products, and splits sums.
static linalg::GenericOp separateProducts(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Value sum = op.getBody()->getTerminator()->getOperand(0), accumulator = op.getRegionOutputArgs()[0];
  Operation *add = sum.getDefiningOp();
  if (op.getNumResults() != 1 || !matchContraction(op) || !accumulator.hasOneUse() ||
      !isa_and_present<arith::AddFOp, arith::AddIOp, complex::AddOp>(add) ||
      !llvm::is_contained(add->getOperands(), accumulator))
    return {};
  // Those of more rows or columns have tiles.
  constexpr int64_t fewOfTile = 32;
  AffineMap resultMap = op.getIndexingMapsArray().back();
  for (AffineExpr expr : resultMap.getResults())
    if (!isa<AffineDimExpr>(expr) || ranges[cast<AffineDimExpr>(expr).getPosition()] >= fewOfTile)
      return {};
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value product = add->getOperand(add->getOperand(0) == accumulator);
  Type element = product.getType();
  Value empty = tensor::EmptyOp::create(b, loc, ranges, element);
  SmallVector<AffineMap> maps(ArrayRef(op.getIndexingMapsArray()).drop_back());
  AffineMap whole = b.getMultiDimIdentityMap(op.getNumLoops());
  maps.push_back(whole);
  SmallVector<utils::IteratorType> parallel(op.getNumLoops(), utils::IteratorType::parallel);
  auto products = linalg::GenericOp::create(b, loc, empty.getType(), op.getDpsInputs(), empty, maps, parallel,
                                            [&](OpBuilder &body, Location, ValueRange args) {
                                              IRMapping mapping;
                                              mapping.map(op.getBody()->getArguments(), args);
                                              for (Operation &inner : op.getBody()->without_terminator())
                                                if (&inner != add)
                                                  body.clone(inner, mapping);
                                              linalg::YieldOp::create(body, loc, mapping.lookup(product));
                                            });
  products->setAttr(kSeparated, b.getUnitAttr());
  auto sums = linalg::GenericOp::create(b, loc, op.getResultTypes(), products.getResult(0), op.getDpsInits(),
                                        ArrayRef<AffineMap>{whole, resultMap}, op.getIteratorTypesArray(),
                                        [&](OpBuilder &body, Location at, ValueRange args) {
                                          Operation *combined = body.clone(*add);
                                          combined->setOperands({args[1], args[0]});
                                          linalg::YieldOp::create(body, at, combined->getResults());
                                        });
  if (!cutForThreads(sums, /*hasAscending=*/false)) {
    sums.erase();
    products.erase();
    return {};
  }
  op.replaceAllUsesWith(sums.getResults());
  op.erase();
  return sums;
}

/// A sum of products from zero of elements that vectors hold.
static bool isFloatSumFromZero(linalg::GenericOp op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return (element.isF32() || element.isF64()) && fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// `op` in two steps: the sums of its body over `inputs`, which are read by `maps`, with the loops `outer` of sizes
/// `counts` being parallel, and the sum over those.
static void sumParts(linalg::GenericOp op, ValueRange inputs, ArrayRef<AffineMap> maps,
                     ArrayRef<utils::IteratorType> iterators, ArrayRef<unsigned> outer, ArrayRef<int64_t> counts) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<AffineExpr> partialExprs;
  SmallVector<int64_t> partialShape(counts);
  for (unsigned dim : outer)
    partialExprs.push_back(b.getAffineDimExpr(dim));
  llvm::append_range(partialExprs, op.getIndexingMapsArray().back().getResults());
  llvm::append_range(partialShape, resultType.getShape());
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(AffineMap::get(iterators.size(), 0, partialExprs, op.getContext()));
  Value scalar = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>().getInputs()[0];
  Value empty = tensor::EmptyOp::create(b, loc, partialShape, resultType.getElementType());
  Value zero = linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
  linalg::GenericOp partial = rebuild(b, op, inputs, zero, allMaps, iterators);

  unsigned rank = partialShape.size();
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> sumIterators(rank, utils::IteratorType::reduction);
  for (unsigned dim = outer.size(); dim < rank; ++dim) {
    kept.push_back(b.getAffineDimExpr(dim));
    sumIterators[dim] = utils::IteratorType::parallel;
  }
  auto sum = linalg::GenericOp::create(
      b, loc, resultType, partial.getResult(0), op.getDpsInits()[0],
      ArrayRef<AffineMap>{b.getMultiDimIdentityMap(rank), AffineMap::get(rank, 0, kept, op.getContext())}, sumIterators,
      [](OpBuilder &body, Location at, ValueRange args) {
        linalg::YieldOp::create(body, at, arith::AddFOp::create(body, at, args[1], args[0]).getResult());
      });
  op.replaceAllUsesWith(sum.getResults());
  op.erase();
}

/// `input` with blocks of the loop `dim` where `map` has it as an index of its own:
/// [.., n, ..] -> [.., n / block, block, ..]. The map follows; elsewhere, `dim` counts blocks and the loop `inner` the
/// steps within one.
static Value cutInput(OpBuilder &b, Location loc, Value input, AffineMap &map, unsigned dim, unsigned inner,
                      int64_t block) {
  auto type = cast<RankedTensorType>(input.getType());
  AffineExpr blocks = b.getAffineDimExpr(dim), steps = b.getAffineDimExpr(inner);
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> reassociation;
  SmallVector<AffineExpr> exprs;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    ReassociationIndices group{static_cast<int64_t>(shape.size())};
    if (expr == blocks) {
      shape.append({type.getDimSize(position) / block, block});
      group.push_back(group[0] + 1);
      exprs.append({blocks, steps});
    } else {
      shape.push_back(type.getDimSize(position));
      exprs.push_back(expr.replace(blocks, blocks * block + steps));
    }
    reassociation.push_back(group);
  }
  map = AffineMap::get(std::max(map.getNumDims(), inner + 1), 0, exprs, b.getContext());
  if (shape.size() == type.getShape().size())
    return input;
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), input, reassociation);
}

/// A contraction along `k` as sums of `block` steps each, and the sum over these.
static bool sumBlocks(linalg::GenericOp op, unsigned k, int64_t block) {
  // Loop k counts blocks, the new last loop the steps within a block.
  OpBuilder b(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.pop_back();
  for (auto [input, map] : llvm::zip_equal(op.getDpsInputs(), maps))
    inputs.push_back(cutInput(b, op.getLoc(), input, map, k, op.getNumLoops(), block));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  int64_t blocks = op.getStaticLoopRanges()[k] / block;
  iterators[k] = utils::IteratorType::parallel;
  iterators.push_back(utils::IteratorType::reduction);
  sumParts(op, inputs, maps, iterators, k, blocks);
  return true;
}

/// linalg.generic (m,k) x (k,n)  ->  (m,kb,ki) x (kb,ki,n) with kb parallel, then the sum over kb
static bool splitContraction(linalg::GenericOp op, const Machine &machine) {
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1 || !isFloatSumFromZero(op))
    return false;
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned k = dims->k[0];
  int64_t width = elementStorageBytes(resultType.getElementType()), m = 1, n = 1;
  for (unsigned dim : dims->m)
    m *= ranges[dim];
  for (unsigned dim : dims->n)
    n *= ranges[dim];
  // Tiles walk blocks of steps themselves, and need no partial results where there is work for all cores.
  constexpr int64_t rowsOfItem = 96, columnsOfItem = 64;
  if (llvm::divideCeil(m, rowsOfItem) * llvm::divideCeil(n, columnsOfItem) >=
          static_cast<uint64_t>(machine.fewItems / 4) &&
      (isForInstructions(op, machine) || arePackedByTiles(op, machine)))
    return false;
  // For each step of k a panel of the one operand is read again and again. Partial results stay in a cache, too.
  int64_t perStep = std::min(n, Machine().panelColumns()) * width, cached = machine.l2Share();
  if (m < 16 || n < 16 || ranges[k] * perStep <= 4 * cached)
    return false;
  int64_t block = 0;
  for (int64_t candidate = cached / perStep; candidate >= kMinBlock && !block; --candidate)
    if (ranges[k] % candidate == 0)
      block = candidate;
  if (!block || ranges[k] / block * resultType.getNumElements() * width > machine.lastLevelBytes)
    return false;

  return sumBlocks(op, k, block);
}

/// linalg.generic (k) x (k,n)  ->  (kb,ki) x (kb,ki,n) with kb parallel, then the sum over kb
///
/// Few sums of many products, as of a vector by a tall matrix: sums of a part of them each are work for all cores.
static bool splitForCores(linalg::GenericOp op, const Machine &machine) {
  constexpr int64_t fewResults = 128, fewRows = 16, mostParts = 16;
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1 || !isFloatSumFromZero(op))
    return false;
  unsigned k = dims->k[0];
  int64_t results = cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
  int64_t steps = op.getStaticLoopRanges()[k];
  bool areRows = llvm::all_of(ArrayRef(op.getIndexingMapsArray()).drop_back(), [&](AffineMap map) {
    return map.getNumResults() && map.getResults().back() == getAffineDimExpr(k, op.getContext());
  });
  if (results > (areRows ? fewRows : fewResults))
    return false;
  // A product of two vectors reads twice as much as one with a matrix.
  if (results * steps < (results == 1 ? 2 : 4) * machine.elementsPerCore)
    return false;
  for (int64_t parts = mostParts; parts > 1; --parts)
    if (steps % parts == 0 && steps / parts >= kMinBlock)
      return sumBlocks(op, k, steps / parts);
  return false;
}

/// Windows as large as what they move over, in all of what is read: the factors are images, and the result is a kernel.
static bool hasLargeWindows(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool found = false;
  for (AffineMap map : ArrayRef(maps).drop_back())
    for (AffineExpr expr : map.getResults()) {
      if (isa<AffineDimExpr, AffineConstantExpr>(expr))
        continue;
      int64_t window = 1, places = 1;
      for (auto [dim, kind] : llvm::enumerate(kinds))
        if (expr.isFunctionOfDim(dim))
          (kind == utils::IteratorType::reduction ? window : places) *= ranges[dim];
      if (window <= places)
        return false;
      found = true;
    }
  return found;
}

/// The gradient of a convolution's kernel, in which every result reads all of an image: sums of a part of it each,
/// which stays in the second-level cache, then their sum.
static bool splitWindows(linalg::GenericOp op, const Machine &machine) {
  constexpr int64_t manyReads = 32; // of an element, from which on it counts where it is
  constexpr int64_t partsShare = 4; // of the factors' memory that partial results may take
  if (!isSumOfProducts(op) || !isFloatSumFromZero(op) || !hasLargeWindows(op))
    return false;
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sliceBytes;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.pop_back();
  int64_t width = elementStorageBytes(resultType.getElementType()), factorBytes = 0, iterations = 1, steps = 1;
  for (Value input : op.getDpsInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    sliceBytes.push_back(type.getNumElements() * elementStorageBytes(type.getElementType()));
    factorBytes += sliceBytes.back();
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (auto [range, kind] : llvm::zip_equal(ranges, iterators)) {
    iterations *= range;
    steps *= kind == utils::IteratorType::reduction ? range : 1;
  }
  int64_t cached = machine.l2Bytes, most = factorBytes / partsShare / (resultType.getNumElements() * width);
  if (factorBytes <= 4 * cached || iterations / (factorBytes / width) < manyReads)
    return false;
  // The outer loops are cut first, each into as few parts as will do.
  SmallVector<unsigned> outer;
  SmallVector<int64_t> counts;
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    if (iterators[dim] != utils::IteratorType::reduction || ranges[dim] == 1)
      continue;
    auto needs = [&](int64_t count) {
      return llvm::any_of(llvm::zip_equal(maps, sliceBytes), [&](auto part) {
        auto [map, bytes] = part;
        return bytes / (map.isFunctionOfDim(dim) ? count : 1) > cached;
      });
    };
    // A loop that no factor has as an index of its own cannot be cut.
    bool isIndex = llvm::any_of(maps, [&](AffineMap map) {
      return llvm::is_contained(map.getResults(), getAffineDimExpr(dim, op.getContext()));
    });
    int64_t found = 1;
    for (int64_t count = 2; count <= std::min(most, ranges[dim]) && needs(found) && isIndex; ++count)
      if (ranges[dim] % count == 0 && steps / count >= kMinBlock)
        found = count;
    if (found == 1)
      break;
    outer.push_back(dim);
    counts.push_back(found);
    most /= found;
    steps /= found;
    for (auto [map, bytes] : llvm::zip_equal(maps, sliceBytes))
      bytes /= map.isFunctionOfDim(dim) ? found : 1;
    if (found < ranges[dim])
      break;
  }
  if (outer.empty())
    return false;
  OpBuilder b(op);
  SmallVector<Value> inputs(op.getDpsInputs());
  for (unsigned dim : outer)
    iterators[dim] = utils::IteratorType::parallel;
  if (int64_t block = ranges[outer.back()] / counts.back(); block > 1) {
    for (auto [input, map] : llvm::zip_equal(inputs, maps))
      input = cutInput(b, op.getLoc(), input, map, outer.back(), iterators.size(), block);
    iterators.push_back(utils::IteratorType::reduction);
  }
  sumParts(op, inputs, maps, iterators, outer, counts);
  return true;
}

/// Whether `op` is between two contractions, of which the second alone reads what follows from the first: a kernel of
/// attention has the keys divided among blocks itself (docs/design/gpu/attention.md).
static bool isOfAttention(linalg::GenericOp op) {
  constexpr size_t mostOps = 64;
  auto isView = [](Operation *op) { return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); };
  auto contraction = [](Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && matchContraction(generic);
  };
  if (op->getNumResults() != 1 || contraction(op))
    return false;
  // Other rows are no kernel of rows (`Clusters`), so they are not attention.
  Machine machine;
  int64_t rows = 1, elements = 1;
  for (auto [range, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    (kind == utils::IteratorType::parallel ? rows : elements) *= range;
  if (elements > machine.l2Share() / 4 || (rows < machine.fewItems / 4 && rows * elements > machine.elementsPerCore))
    return false;
  llvm::SetVector<Operation *> before, scores;
  before.insert(op);
  for (size_t i = 0; i < before.size() && before.size() < mostOps; ++i)
    for (Value operand : before[i]->getOperands())
      if (Operation *source = operand.getDefiningOp()) {
        if (contraction(source))
          scores.insert(source);
        else if (isa<linalg::GenericOp>(source) || isView(source))
          before.insert(source);
      }
  return llvm::any_of(scores, [&](Operation *first) {
    llvm::SetVector<Operation *> after;
    Operation *last = nullptr;
    after.insert(first);
    for (size_t i = 0; i < after.size(); ++i)
      for (Operation *user : after[i]->getUsers()) {
        if (contraction(user)) {
          if (last && last != user)
            return false;
          last = user;
        } else if ((!isa<linalg::GenericOp>(user) && !isView(user)) || after.size() >= mostOps) {
          return false;
        } else {
          after.insert(user);
        }
      }
    return last && after.contains(op);
  });
}

namespace {
struct SplitReductionsPass : public mlir::xla::impl::SplitReductionsBase<SplitReductionsPass> {
  using SplitReductionsBase::SplitReductionsBase;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    if (device)
      llvm::erase_if(ops, isOfAttention);
    for (linalg::GenericOp &op : ops)
      if (linalg::GenericOp sums = device ? separateProducts(op) : linalg::GenericOp())
        op = sums;
    for (linalg::GenericOp op : ops)
      if (device || (!splitContraction(op, machine) && !splitForCores(op, machine) && !splitWindows(op, machine)))
        split(op, machine, device);
    getOperation().walk([](linalg::GenericOp op) {
      if (op->removeAttr(kSeparated) && op.use_empty())
        op.erase();
    });
  }
};
} // namespace
