// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-reductions`: large reductions with few results in two steps, so that the first has parallel rows.

#include "mlir_xla/lowering/kernels/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_XLASPLITREDUCTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;

/// Elements below which one core is as good as two.
static constexpr int64_t kSmall = 1 << 16;
/// Results from which on the reduction has enough parallel work of its own.
static constexpr int64_t kManyResults = 64;

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

/// Splits a reduction whose inputs all have the identity map and whose combiner takes (inputs, accumulators) of the
/// same types: the first reduced dimension becomes parallel in step one and is reduced in step two.
static void split(linalg::GenericOp op) {
  int64_t loops = op.getNumLoops();
  if (op.getNumReductionLoops() == 0 || op.hasIndexSemantics() || op.getNumDpsInputs() != op.getNumDpsInits())
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t total = 1, results = 1;
  std::optional<unsigned> first;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    total *= ranges[dim];
    if (kind == utils::IteratorType::parallel)
      results *= ranges[dim];
    else if (!first && ranges[dim] > 1)
      first = dim;
  }
  if (!first || total < kSmall || results >= kManyResults)
    return;
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
  unsigned outer = *first;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  // With a single reduced dimension the dimension itself is cut in two: [n] -> [rows, n / rows].
  bool single = llvm::count_if(llvm::zip(iterators, ranges), [](auto pair) {
                  return std::get<0>(pair) == utils::IteratorType::reduction && std::get<1>(pair) > 1;
                }) == 1;
  AffineMap resultMap = op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]);
  if (single) {
    int64_t size = ranges[outer], rows = 0;
    for (int64_t candidate : {256, 128, 64, 32, 16, 8, 250, 200, 100, 50, 10})
      if (size % candidate == 0 && size / candidate >= 16) {
        rows = candidate;
        break;
      }
    if (!rows)
      return;
    SmallVector<ReassociationIndices> reassociation;
    shape.clear();
    for (int64_t dim = 0; dim < loops; ++dim) {
      ReassociationIndices group{static_cast<int64_t>(shape.size())};
      if (dim == static_cast<int64_t>(outer)) {
        shape.append({rows, size / rows});
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
  for (Value init : op.getDpsInits()) {
    Type element = getElementTypeOrSelf(init.getType());
    Value scalar;
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      scalar = fill.getInputs()[0];
    else
      scalar = arith::ConstantOp::create(
          b, loc,
          cast<TypedAttr>(
              cast<DenseElementsAttr>(init.getDefiningOp<arith::ConstantOp>().getValue()).getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(b, loc, partialShape, element);
    partialInits.push_back(linalg::FillOp::create(b, loc, scalar, empty).getResult(0));
    maps.push_back(partialMap);
  }
  SmallVector<utils::IteratorType> stepOne = iterators;
  stepOne[outer] = utils::IteratorType::parallel;
  linalg::GenericOp partial = rebuild(b, op, inputs, partialInits, maps, stepOne);

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
  op.replaceAllUsesWith(last.getResults());
  op.erase();
}

namespace {
struct XlaSplitReductionsPass : public mlir::xla::impl::XlaSplitReductionsBase<XlaSplitReductionsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    llvm::for_each(ops, split);
  }
};
} // namespace
