// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-pack-contractions`: panels for the streamed operand of large contractions.

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/TiledProducts.h"
#include "mlir_xla/lowering/nest/Contraction.h"

namespace mlir::xla {
#define GEN_PASS_DEF_PACKCONTRACTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Below this many multiplications packing costs more than it saves.
static constexpr int64_t kMinWork = 1 << 21;
/// Rows, each of which reads the whole operand, and steps along k below which it is not read often enough.
static constexpr int64_t kMinRows = 24, kMinSteps = 16;
/// Rows for which columns are transposed as they are.
static constexpr int64_t kRowsOfTransposition = 17;
/// Columns that `--xla-arrange-factors` knows what to do with.
static constexpr int64_t kFewColumns = 4;
/// Bytes of a step, of all rows, up to which a nest with steps in lanes takes these at once, if they stay in the
/// first-level cache. More of them wait too long between lines of columns that come from memory.
static constexpr int64_t kStepOfLanes = 24;

/// Is `value` what fusion may compute where it is read? Then it is not in memory as tiles would read it.
static bool mayBeFused(Value value) {
  auto producer = value.getDefiningOp<linalg::GenericOp>();
  return producer && producer.getNumParallelLoops() == producer.getNumLoops();
}

/// Is something reduced along the rows of `value`, or of what is computed of it element by element? Kernels of rows
/// then walk the product as well, whose loops read columns in order.
static bool isReducedAlongRows(Value value) {
  SmallVector<Value> pending{value};
  DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    for (OpOperand &use : next.getUses()) {
      auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
      if (!user || matchContraction(user) || !seen.insert(user).second)
        continue;
      ArrayRef<AffineExpr> read = user.getMatchingIndexingMap(&use).getResults();
      SmallVector<utils::IteratorType> loops = user.getIteratorTypesArray();
      if (!read.empty() && isa<AffineDimExpr>(read.back()) &&
          loops[cast<AffineDimExpr>(read.back()).getPosition()] == utils::IteratorType::reduction)
        return true;
      if (user.getNumParallelLoops() == user.getNumLoops())
        llvm::append_range(pending, user->getResults());
    }
  }
  return false;
}

/// Is `value` computed element by element of a product whose rows are reduced, as attention's weights are?
static bool isOfReducedRows(Value value) {
  SmallVector<Value> pending{value};
  DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    auto producer = next.getDefiningOp<linalg::GenericOp>();
    if (!producer || !seen.insert(producer).second)
      continue;
    if (isSumOfProducts(producer)) {
      if (isReducedAlongRows(next))
        return true;
    } else if (mayBeFused(next)) {
      llvm::append_range(pending, producer.getInputs());
    }
  }
  return false;
}

/// Does `reader` alone read `value` and what it is computed of element by element, up to a product? Sums and the like
/// of them are there for the same rows.
static bool isForOne(Value value, Operation *reader) {
  DenseSet<Operation *> readers{reader};
  SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    auto producer = values[i].getDefiningOp<linalg::GenericOp>();
    if (!producer || !mayBeFused(values[i]))
      continue;
    readers.insert(producer);
    for (Value input : producer.getInputs())
      if (isOfReducedRows(input)) // others, as masks are, may have other readers
        values.insert(input);
  }
  return llvm::all_of(values, [&](Value each) {
    return llvm::all_of(each.getUsers(), [&](Operation *user) {
      auto op = dyn_cast<linalg::GenericOp>(user);
      return readers.contains(user) || (op && op.getNumReductionLoops() > 0 && !isSumOfProducts(op));
    });
  });
}

static bool isWidened(BlockArgument factor) { return factor.hasOneUse() && isa<arith::ExtFOp>(*factor.user_begin()); }

/// Iterations of the loops `dims`.
static int64_t sizeOf(linalg::GenericOp op, ArrayRef<unsigned> dims) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t size = 1;
  for (unsigned dim : dims)
    size *= ranges[dim];
  return size;
}

/// Is something reduced along the rows of `op`, a product of which the operand `streamed` has the columns, so that a
/// kernel of rows walks it?
static bool isFirstOfRows(linalg::GenericOp op, const linalg::ContractionDimensions &dims, unsigned streamed,
                          const Machine &machine) {
  int64_t columns = sizeOf(op, streamed == 1 ? dims.n : dims.m);
  return !streamsThroughBlocks(columns, sizeOf(op, dims.k), getElementTypeOrSelf(op->getResult(0)), machine) &&
         isReducedAlongRows(op->getResult(0));
}

/// Is it a product with what was computed of such rows?
static bool isLastOfRows(linalg::GenericOp op, const linalg::ContractionDimensions &dims, unsigned streamed,
                         const Machine &machine) {
  int64_t columns = sizeOf(op, streamed == 1 ? dims.n : dims.m);
  return !streamsThroughBlocks(sizeOf(op, dims.k), columns, getElementTypeOrSelf(op->getResult(0)), machine) &&
         isOfReducedRows(op->getOperand(1 - streamed));
}

/// Is it either of them? Kernels of rows walk such products, attention's, in loops.
static bool isOfRows(linalg::GenericOp op, const linalg::ContractionDimensions &dims, const Machine &machine) {
  AffineMap result = op.getIndexingMapsArray()[2];
  auto column = dyn_cast_or_null<AffineDimExpr>(result.getNumResults() ? result.getResults().back() : AffineExpr());
  unsigned streamed = column && llvm::is_contained(dims.m, column.getPosition()) ? 0 : 1;
  return isFirstOfRows(op, dims, streamed, machine) || isLastOfRows(op, dims, 0, machine) ||
         isLastOfRows(op, dims, 1, machine);
}

/// Do loops multiply two steps of bf16 at a time? Those of the operand in panels, which is the one that is `streamed`,
/// are packed next to each other, and those of the other one are. Tile registers compute whole panels, also if they end
/// with fewer columns or, where the rows are weights in a kernel's own memory, with half a pair.
static bool isForPairs(linalg::GenericOp op, const linalg::ContractionDimensions &dims, unsigned streamed, unsigned n,
                       unsigned k, const Machine &machine) {
  int64_t lanes = machine.lanes(32);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool areWhole = ranges[k] % 2 == 0 && ranges[n] % lanes == 0, mayBeInTiles = machine.hasTdpbf16ps;
  if (mayBeInTiles && !areWhole)
    mayBeInTiles = (ranges[k] % 2 == 0 || isLastOfRows(op, dims, streamed, machine)) &&
                   llvm::any_of(streamed == 1 ? dims.m : dims.n, [&](unsigned dim) { return ranges[dim] >= kMinRows; });
  return (mayBeInTiles || (areWhole && machine.hasPairs(lanes))) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isF32() && isOfRows(op, dims, machine) &&
         op.getIndexingMapsArray()[1 - streamed].getResults().back() == getAffineDimExpr(k, op.getContext()) &&
         llvm::all_of(op.getBody()->getArguments().take_front(2),
                      [](BlockArgument factor) { return factor.getType().isBF16() && isWidened(factor); });
}

/// Is `op` a product of bf16 or f16 for which the processor has an instruction? Tiles pack what they read themselves.
static bool isForTiles(linalg::GenericOp op, const linalg::ContractionDimensions &dims, const Machine &machine) {
  BlockArgument left = op.getBody()->getArgument(0), right = op.getBody()->getArgument(1);
  Type type = left.getType();
  if (!multipliesFloats(type, machine) || right.getType() != type ||
      !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
    return false;
  if (!isWidened(left) || !isWidened(right) || isOfRows(op, dims, machine))
    return false;
  // Tiles walk rows along one dimension.
  constexpr int64_t fewRows = 4;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto isLong = [&](unsigned dim) { return ranges[dim] >= fewRows; };
  return llvm::any_of(dims.m, isLong) && llvm::any_of(dims.n, isLong);
}

/// Are these loops, in order, neighbouring dimensions of what `map` reads, so that they are walked as one?
static bool areNeighbours(AffineMap map, ArrayRef<unsigned> loops) {
  ArrayRef<AffineExpr> results = map.getResults();
  const auto *first = llvm::find(results, getAffineDimExpr(loops[0], map.getContext()));
  if (results.end() - first < static_cast<int64_t>(loops.size()))
    return false;
  return llvm::all_of(llvm::zip_first(loops, llvm::make_range(first, results.end())), [&](auto pair) {
    return std::get<1>(pair) == getAffineDimExpr(std::get<0>(pair), map.getContext());
  });
}

bool mlir::xla::arePackedByTiles(linalg::GenericOp op, const Machine &machine) {
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!dims || dims->k.size() != 1 || (!element.isF32() && !element.isF64()))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned k = dims->k[0], n = op.getNumLoops();
  if (maps[2].getNumResults() != 0 && isa<AffineDimExpr>(maps[2].getResults().back()))
    n = cast<AffineDimExpr>(maps[2].getResults().back()).getPosition();
  unsigned streamed = llvm::is_contained(dims->n, n) ? 1 : 0;
  ArrayRef<unsigned> own = streamed == 1 ? dims->n : dims->m, others = streamed == 1 ? dims->m : dims->n;
  auto isDim = [&](AffineExpr expr, unsigned dim) { return expr == getAffineDimExpr(dim, op.getContext()); };
  AffineMap map = maps[streamed], other = maps[1 - streamed];
  if (!llvm::is_contained(own, n) || own.size() != 1 || others.empty())
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t rows = 1, longest = 1;
  for (unsigned dim : others) {
    rows *= ranges[dim];
    longest = std::max(longest, ranges[dim]);
  }
  if (!areNeighbours(other, others) || !areNeighbours(maps[2], others))
    rows = longest;
  auto type = cast<RankedTensorType>(op->getOperand(streamed).getType());
  int64_t bytes = elementStorageBytes(element), pitch = elementStorageBytes(type.getElementType());
  ArrayRef<int64_t> shape = type.getShape();
  for (unsigned i = map.getNumResults(); i-- > 0 && !isDim(map.getResult(i), k);)
    pitch *= shape[i];
  bool columnsAlongSteps = isDim(map.getResults().back(), k), rowsAlongSteps = isDim(other.getResults().back(), k);
  bool isBatched = !dims->batch.empty();
  std::array<bool, 2> areWidened;
  for (unsigned operand : {0u, 1u}) {
    Type stored = getElementTypeOrSelf(op->getOperand(operand));
    areWidened[operand] = stored != element;
    bool isNarrow = (stored.isBF16() || stored.isF16()) && isWidened(op.getBody()->getArgument(operand));
    if (areWidened[operand] && !isNarrow)
      return false;
  }
  if ((areWidened[0] || areWidened[1]) && (isForTiles(op, *dims, machine) || isOfRows(op, *dims, machine)))
    return false;
  if (((columnsAlongSteps || isBatched) &&
       (mayBeFused(op->getOperand(streamed)) || isFirstOfRows(op, *dims, streamed, machine))) ||
      (isLastOfRows(op, *dims, streamed, machine) &&
       (columnsAlongSteps || isForOne(op->getOperand(1 - streamed), op))) ||
      (!rowsAlongSteps && (others.size() != 1 || mayBeFused(op->getOperand(1 - streamed)) || areWidened[1 - streamed])))
    return false;
  auto haveTiles = [&](int64_t count) {
    ProductSizes sizes{count,
                       ranges[n],
                       ranges[k],
                       bytes,
                       pitch,
                       rowsAlongSteps,
                       columnsAlongSteps,
                       isBatched,
                       areWidened[1 - streamed],
                       areWidened[streamed]};
    return tilePackingOf(sizes, machine).has_value();
  };
  // What is computed of the results may keep their dimensions apart, as a window's that is put back into an image.
  return haveTiles(rows) && (!columnsAlongSteps || haveTiles(longest));
}

/// Does an operand of a product hold columns, steps and batches alone, as panels do?
static bool isForPanels(AffineMap map, unsigned n, unsigned k, const linalg::ContractionDimensions &dims) {
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim &&
           (dim.getPosition() == n || dim.getPosition() == k || llvm::is_contained(dims.batch, dim.getPosition()));
  });
}

/// linalg.generic (m,k) x (k,n)  ->  (m,k) x (n floordiv 64, k, n mod 64), the second operand copied into panels;
/// of pairs, as they are, (m,k) x (n floordiv 64, k floordiv 2, n mod 64, k mod 2)
static void pack(linalg::GenericOp op, const Machine &machine) {
  int64_t panel = machine.panelColumns();
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1 || isForTiles(op, *dims, machine))
    return;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isSummedInLanes(element))
    return;
  Block *body = op.getBody();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto lastDim = dyn_cast<AffineDimExpr>(maps[2].getResults().empty() ? getAffineConstantExpr(0, op.getContext())
                                                                      : maps[2].getResults().back());
  if (!lastDim)
    return;
  unsigned n = lastDim.getPosition(), k = dims->k[0];
  unsigned streamed = llvm::is_contained(dims->n, n) ? 1 : llvm::is_contained(dims->m, n) ? 0 : 2;
  if (streamed == 2)
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineMap map = maps[streamed];
  if (!isForPanels(map, n, k, *dims))
    return;
  int64_t rows = 1;
  for (unsigned dim : streamed == 1 ? dims->m : dims->n)
    rows *= ranges[dim];
  // Narrow floats are widened once, while they are copied.
  BlockArgument streamedElement = body->getArgument(streamed);
  Type source = streamedElement.getType();
  arith::ExtFOp extend;
  if (source != element) {
    extend = streamedElement.hasOneUse() ? dyn_cast<arith::ExtFOp>(*streamedElement.user_begin()) : arith::ExtFOp();
    if (!extend || extend.getType() != element)
      return;
  }
  int64_t bytes = ranges[k] * ranges[n] * elementStorageBytes(element);
  bool contiguous = map.getResults().back() == getAffineDimExpr(n, op.getContext());
  if (rows < kMinRows || ranges[n] < panel / 4 || ranges[k] < kMinSteps)
    return;
  // Rows far apart, of which a small part is read, defeat the prefetcher.
  int64_t pitch = elementStorageBytes(element);
  auto streamedShape = cast<RankedTensorType>(op->getOperand(streamed).getType()).getShape();
  for (unsigned i = map.getNumResults(); i-- > 0 && map.getResult(i) != getAffineDimExpr(k, op.getContext());)
    pitch *= streamedShape[i];
  bool scattered = pitch >= machine.farApart() && pitch > ranges[n] * elementStorageBytes(element);
  // Contiguous rows can be streamed as they are from the caches; anything else would be read element by element.
  if (contiguous && source == element && !scattered &&
      (bytes <= machine.l2ShareOfStream() || rows * ranges[n] * ranges[k] < kMinWork || ranges[n] <= panel))
    return;

  OpBuilder b(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<unsigned> batch;
  for (AffineExpr expr : map.getResults()) {
    unsigned position = cast<AffineDimExpr>(expr).getPosition();
    if (position != n && position != k)
      batch.push_back(position);
  }
  bool arePairs = isForPairs(op, *dims, streamed, n, k, machine);
  if (arePairs) {
    element = source;
    extend = {};
  }
  // Panels: [batch..., ceil(n / panel), k, panel]; of pairs [batch..., ceil(n / panel), k / 2, panel, 2].
  SmallVector<int64_t> shape;
  for (unsigned dim : batch)
    shape.push_back(ranges[dim]);
  unsigned p = shape.size();
  shape.append({static_cast<int64_t>(llvm::divideCeil(ranges[n], panel)),
                static_cast<int64_t>(llvm::divideCeil(ranges[k], arePairs ? 2 : 1)), panel});
  if (arePairs)
    shape.push_back(2);
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  bool hasHalf = arePairs && ranges[k] % 2, isWhole = ranges[n] % panel == 0 && !hasHalf;
  auto widen = [&](OpBuilder &body, Location at, Value value) -> Value {
    return value.getType() == element ? value : arith::ExtFOp::create(body, at, element, value).getResult();
  };
  // The last panel may hold fewer columns: nothing is read for the others, and their products are not stored. So may
  // the last pair hold one step.
  auto readInside = [&](OpBuilder &body, Location at) -> Value {
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(body, at, value); };
    auto index = [&](unsigned dim) { return linalg::IndexOp::create(body, at, dim).getResult(); };
    Value first = arith::MulIOp::create(body, at, index(p), constant(panel));
    Value columnIndex = arith::AddIOp::create(body, at, first, index(p + 2)), stepIndex = index(p + 1);
    if (arePairs) {
      Value begin = arith::MulIOp::create(body, at, stepIndex, constant(2));
      stepIndex = arith::AddIOp::create(body, at, begin, index(p + 3));
    }
    SmallVector<Value> position;
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      position.push_back(dim == n ? columnIndex : dim == k ? stepIndex : index(llvm::find(batch, dim) - batch.begin()));
    }
    Value isInside = arith::CmpIOp::create(body, at, arith::CmpIPredicate::ult, columnIndex, constant(ranges[n]));
    if (hasHalf) {
      Value isStep = arith::CmpIOp::create(body, at, arith::CmpIPredicate::ult, stepIndex, constant(ranges[k]));
      isInside = arith::AndIOp::create(body, at, isInside, isStep);
    }
    return scf::IfOp::create(
               body, at, isInside,
               [&](OpBuilder &branch, Location where) {
                 Value value = tensor::ExtractOp::create(branch, where, op->getOperand(streamed), position);
                 scf::YieldOp::create(branch, where, widen(branch, where, value));
               },
               [&](OpBuilder &branch, Location where) {
                 Value zero = arith::ConstantOp::create(branch, where, branch.getZeroAttr(element));
                 scf::YieldOp::create(branch, where, zero);
               })
        .getResult(0);
  };
  SmallVector<AffineExpr> from;
  AffineExpr stepExpr = getAffineDimExpr(p + 1, context);
  if (arePairs)
    stepExpr = stepExpr * 2 + getAffineDimExpr(p + 3, context);
  for (AffineExpr expr : map.getResults()) {
    unsigned position = cast<AffineDimExpr>(expr).getPosition();
    from.push_back(position == n   ? getAffineDimExpr(p, context) * panel + getAffineDimExpr(p + 2, context)
                   : position == k ? stepExpr
                                   : getAffineDimExpr(llvm::find(batch, position) - batch.begin(), context));
  }
  SmallVector<AffineMap> copyMaps{b.getMultiDimIdentityMap(shape.size())};
  SmallVector<Value> sources;
  if (isWhole) {
    sources.push_back(op->getOperand(streamed));
    copyMaps.insert(copyMaps.begin(), AffineMap::get(shape.size(), 0, from, context));
  }
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  Value packed = linalg::GenericOp::create(b, loc, empty.getType(), sources, empty, copyMaps, iterators,
                                           [&](OpBuilder &body, Location at, ValueRange args) {
                                             linalg::YieldOp::create(
                                                 body, at, isWhole ? widen(body, at, args[0]) : readInside(body, at));
                                           })
                     .getResult(0);

  SmallVector<AffineExpr> access;
  for (unsigned dim : batch)
    access.push_back(getAffineDimExpr(dim, context));
  AffineExpr column = getAffineDimExpr(n, context), step = getAffineDimExpr(k, context);
  access.append({column.floorDiv(panel), arePairs ? step.floorDiv(2) : step, column % panel});
  if (arePairs)
    access.push_back(step % 2);
  maps[streamed] = AffineMap::get(op.getNumLoops(), 0, access, context);
  op->setOperand(streamed, packed);
  if (extend) {
    streamedElement.setType(element);
    extend.replaceAllUsesWith(Value(streamedElement));
    extend.erase();
  }
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
}

/// Has an operand in memory as `element`, which the body of `op` widens each time.
static void widenInMemory(linalg::GenericOp op, unsigned operand, arith::ExtFOp extend) {
  Type element = extend.getType();
  auto type = cast<RankedTensorType>(op->getOperand(operand).getType());
  OpBuilder b(op);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), element);
  auto wide = linalg::GenericOp::create(
      b, op.getLoc(), empty.getType(), op->getOperand(operand), empty, ArrayRef<AffineMap>{identity, identity},
      iterators, [&](OpBuilder &body, Location loc, ValueRange args) {
        linalg::YieldOp::create(body, loc, arith::ExtFOp::create(body, loc, element, args[0]).getResult());
      });
  BlockArgument factor = op.getBody()->getArgument(operand);
  op->setOperand(operand, wide.getResult(0));
  factor.setType(element);
  extend.replaceAllUsesWith(Value(factor));
  extend.erase();
}

/// Weights of narrow floats are widened once, by the kernel of rows that computes them.
static void widenWeights(linalg::GenericOp op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isSumOfProducts(op) || !element.isF32())
    return;
  for (unsigned operand : {0u, 1u}) {
    BlockArgument factor = op.getBody()->getArgument(operand);
    auto extend = factor.hasOneUse() ? dyn_cast<arith::ExtFOp>(*factor.user_begin()) : arith::ExtFOp();
    if (!extend || !isOfReducedRows(op->getOperand(operand)) || extend.getType() != element ||
        op.getBody()->getArgument(1 - operand).getType() != element)
      continue;
    widenInMemory(op, operand, extend);
  }
}

/// Rows of narrow floats are widened once, if tiles do not pack them: a broadcast of one takes three instructions of
/// f16, two of bf16, and one of f32. Of bf16, that pays for several vectors of columns, or for panels if it takes
/// memory that does not stay in the second-level cache, and beside columns that are neighbours along the steps, where
/// it is vectors that take two.
static void widenRows(linalg::GenericOp op, const Machine &machine) {
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || !getElementTypeOrSelf(op->getResult(0).getType()).isF32() || isForTiles(op, *dims, machine) ||
      arePackedByTiles(op, machine))
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto column = dyn_cast_or_null<AffineDimExpr>(maps[2].getNumResults() ? maps[2].getResults().back() : AffineExpr());
  if (!column)
    return;
  unsigned rows = maps[0].isFunctionOfDim(column.getPosition()) ? 1 : 0;
  BlockArgument factor = op.getBody()->getArgument(rows);
  auto extend = factor.hasOneUse() ? dyn_cast<arith::ExtFOp>(*factor.user_begin()) : arith::ExtFOp();
  // A kernel of rows may multiply them as they are, and widens the weights that it computes.
  if (isOfRows(op, *dims, machine) &&
      (multipliesFloats(factor.getType(), machine) || isOfReducedRows(op->getOperand(rows))))
    return;
  if (!extend || !extend.getType().isF32() || maps[rows].isFunctionOfDim(column.getPosition()) ||
      sizeOf(op, rows == 0 ? dims->m : dims->n) < 2) // one row waits for memory
    return;
  int64_t columns = op.getStaticLoopRanges()[column.getPosition()], lanes = machine.lanes(32);
  int64_t bytes = cast<RankedTensorType>(op->getOperand(rows).getType()).getNumElements() * sizeof(float);
  bool inVectors =
      dims->k.size() == 1 && maps[1 - rows].getResults().back() == getAffineDimExpr(dims->k[0], op.getContext());
  bool pays = factor.getType().isF16()
                  ? columns >= lanes / 2
                  : factor.getType().isBF16() && (inVectors || columns >= 2 * machine.panelColumns() ||
                                                  (columns > lanes && bytes <= machine.l2Share()));
  if (pays)
    widenInMemory(op, rows, extend);
}

Value mlir::xla::copyOf(OpBuilder &b, Location loc, Value value, ArrayRef<unsigned> order) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (unsigned dim : order)
    shape.push_back(type.getDimSize(dim));
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  AffineMap read = inversePermutation(AffineMap::getPermutationMap(order, b.getContext()));
  SmallVector<utils::IteratorType> iterators(order.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), value, empty, ArrayRef<AffineMap>{read, b.getMultiDimIdentityMap(order.size())},
             iterators,
             [](OpBuilder &body, Location at, ValueRange args) { linalg::YieldOp::create(body, at, args[0]); })
      .getResult(0);
}

void mlir::xla::copyWithLast(linalg::GenericOp op, unsigned operand, unsigned position) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap map = maps[operand];
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    if (dim != position)
      order.push_back(dim);
  order.push_back(position);
  OpBuilder b(op);
  op->setOperand(operand, copyOf(b, op.getLoc(), op->getOperand(operand), order));
  maps[operand] = map.getSubMap(order);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
}

/// linalg.generic (k,m) x (k,n) -> (m,n) with few n  ->  the same -> (n,m), and a copy of that which transposes it
///
/// The first operand, much more than the results, is read in the order of memory then, as columns, and not transposed.
/// .. x (n,k) -> (m,n) with few m  ->  the same -> (n,m), and so on: the second operand has the rows then, which are
/// read once, and the first one columns.
static void transposeResult(linalg::GenericOp op, const Machine &machine) {
  constexpr int64_t manySteps = 4;
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1 || dims->m.size() != 1 || dims->n.size() != 1 || !dims->batch.empty())
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  AffineExpr k = getAffineDimExpr(dims->k[0], op.getContext());
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (maps[2].getNumResults() != 2 || !fill || !isSummedInLanes(type.getElementType()))
    return;
  AffineExpr row = maps[2].getResult(0), column = maps[2].getResult(1);
  unsigned ofRows = maps[0].isFunctionOfDim(cast<AffineDimExpr>(row).getPosition()) ? 0 : 1;
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1), few = std::min(rows, columns);
  bool areRowsAcross = maps[ofRows].getResults() == ArrayRef({k, row}),
       areColumnsAcross = maps[1 - ofRows].getResults() == ArrayRef({column, k});
  // Tiles of instructions pack columns, however few rows read them; without one, each element of rows is widened.
  bool isPacked = isForInstructions(op, machine);
  bool areWidened = !isPacked && getElementTypeOrSelf(op->getOperand(1 - ofRows)) != type.getElementType();
  // Shorter rows are read across as they are.
  int64_t longRow = machine.longRun() / elementStorageBytes(type.getElementType());
  // Narrow tiles have more blocks of columns, for each of which rows would be packed.
  int64_t mostColumns = machine.hasNarrowTiles() ? 128 : 64,
          least = columns > mostColumns ? 4 * machine.panelColumns() : std::max(longRow, 4 * columns);
  int64_t stepBytes = rows * elementStorageBytes(type.getElementType());
  bool hasFewColumns = areRowsAcross && columns <= mostColumns && !isPacked,
       areInLanes = !areRowsAcross && stepBytes <= kStepOfLanes &&
                    stepBytes * op.getStaticLoopRanges()[dims->k[0]] <= machine.l1Bytes,
       hasFewRows = areColumnsAcross && !areInLanes && rows > kFewColumns &&
                    rows < (areRowsAcross ? kFewRows : kMinRows) && !areWidened &&
                    !(isPacked && rows < machine.lanes(32) / 2);
  // Fewer rows are no blocks, whatever is reduced along them.
  bool mayBeBlocks = !hasFewRows || rows >= kMinRows;
  if ((mayBeBlocks && isOfRows(op, *dims, machine)) || (!hasFewColumns && !hasFewRows) || few < 2 ||
      std::max(rows, columns) < least || op.getStaticLoopRanges()[dims->k[0]] < manySteps * few)
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  RankedTensorType transposed = type.clone({columns, rows});
  Value empty = tensor::EmptyOp::create(b, loc, transposed.getShape(), type.getElementType());
  Value init = linalg::FillOp::create(b, loc, fill.getInputs(), empty).getResult(0);
  maps[2] = AffineMap::get(op.getNumLoops(), 0, {column, row}, op.getContext());
  auto product =
      linalg::GenericOp::create(b, loc, transposed, op.getDpsInputs(), init, maps, op.getIteratorTypesArray());
  product.getRegion().takeBody(op.getRegion());
  Value copy = copyOf(b, loc, product->getResult(0), {1, 0});
  op->getResult(0).replaceAllUsesWith(copy);
  op.erase();
}

/// linalg.generic (m,k) x (n,k)  ->  (m,k) x (k,n), the second operand transposed, where panels are not for it: its
/// columns are few, or do not fill panels, whose last one would be copied element by element, or short, or lie beside
/// other dimensions of the results.
static bool transposeColumns(linalg::GenericOp op, const Machine &machine) {
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1 || !isSummedInLanes(getElementTypeOrSelf(op->getResult(0).getType())))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto last = dyn_cast_or_null<AffineDimExpr>(maps[2].getNumResults() ? maps[2].getResults().back() : AffineExpr());
  if (!last)
    return false;
  unsigned n = last.getPosition(), k = dims->k[0];
  ArrayRef<unsigned> others;
  unsigned streamed = 1;
  if (llvm::is_contained(dims->n, n)) {
    others = dims->m;
  } else if (llvm::is_contained(dims->m, n)) {
    others = dims->n;
    streamed = 0;
  } else {
    return false;
  }
  AffineMap map = maps[streamed];
  int64_t rows = 1, panel = machine.panelColumns();
  for (unsigned dim : others)
    rows *= ranges[dim];
  const auto *place = llvm::find(map.getResults(), last);
  if (place == map.getResults().end() || map.getResults().back() != getAffineDimExpr(k, op.getContext()) ||
      rows < (isForPanels(map, n, k, *dims) ? kRowsOfTransposition : kRowsOfTransposition / 4) ||
      ranges[n] <= kFewColumns || !map.isProjectedPermutation() || isOfRows(op, *dims, machine) ||
      (rows >= kMinRows && ranges[n] >= panel / 4 && ranges[k] >= kMinSteps &&
       (ranges[n] <= panel || ranges[n] % panel == 0) && isForPanels(map, n, k, *dims)))
    return false;
  copyWithLast(op, streamed, place - map.getResults().begin());
  return true;
}

/// linalg.generic (k,m) x ..  ->  (m,k) x .., the first operand transposed: its rows are read one element per step of
/// k, which would touch a page each.
static void transposeOther(linalg::GenericOp op, const Machine &machine) {
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1)
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps[2].getNumResults() < 2 || !maps[0].isProjectedPermutation() || !maps[1].isProjectedPermutation())
    return;
  MLIRContext *context = op.getContext();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineExpr k = getAffineDimExpr(dims->k[0], context), n = maps[2].getResults().back();
  for (unsigned operand : {0u, 1u}) {
    // The operand without the innermost result dimension, walked along another dimension than k.
    AffineMap map = maps[operand];
    if (llvm::is_contained(map.getResults(), n) || map.getResults().back() == k || map.getNumResults() < 2)
      continue;
    auto type = cast<RankedTensorType>(op->getOperand(operand).getType());
    if (!type.getElementType().isIntOrFloat())
      continue;
    int64_t row = type.getShape().back() * type.getElementTypeBitWidth() / 8;
    // What one step of k after the other touches is known without waiting: a short row, or few pages in all.
    if (row < machine.longRun() || type.getNumElements() < machine.tlbReach() / 4 ||
        ranges[dims->k[0]] < machine.tlbPages)
      continue;
    copyWithLast(op, operand, llvm::find(map.getResults(), k) - map.getResults().begin());
  }
}

/// Is `value` known to be a column of a matrix or the like, whose elements are no neighbours in memory?
static bool isColumn(Value value) {
  while (auto reshape = value.getDefiningOp<tensor::CollapseShapeOp>())
    value = reshape.getSrc();
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride())
    return false;
  int64_t stride = 1;
  for (auto [size, whole] : llvm::reverse(llvm::zip_equal(slice.getStaticSizes(), slice.getSourceType().getShape()))) {
    if (size != 1)
      return stride > 1 && size == slice.getResultType().getNumElements();
    stride *= whole;
  }
  return false;
}

/// (m,k) x (k)  ->  the same of a copy of the vector, which is a column of a matrix: all rows read it, and lanes go
/// along k only if its elements are neighbours.
static void copyColumn(linalg::GenericOp op) {
  std::optional<linalg::ContractionDimensions> dims = matchContraction(op);
  if (!dims || dims->k.size() != 1)
    return;
  constexpr int64_t leastRows = 8, leastSteps = 16;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineExpr k = getAffineDimExpr(dims->k[0], op.getContext());
  for (unsigned operand : {0u, 1u}) {
    ArrayRef<AffineExpr> rows = maps[1 - operand].getResults();
    if (maps[operand].getResults() != ArrayRef(k) || rows.size() != 2 || rows.back() != k ||
        !isa<AffineDimExpr>(rows.front()) || ranges[cast<AffineDimExpr>(rows.front()).getPosition()] < leastRows ||
        ranges[dims->k[0]] < leastSteps || !isColumn(op->getOperand(operand)))
      continue;
    OpBuilder b(op);
    op->setOperand(operand, copyOf(b, op.getLoc(), op->getOperand(operand), {0}));
  }
}

namespace {
struct PackContractionsPass : public mlir::xla::impl::PackContractionsBase<PackContractionsPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      transposeResult(op, machine);
    ops.clear();
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      widenRows(op, machine);
      bool areTransposed = false;
      if (!arePackedByTiles(op, machine)) {
        areTransposed = transposeColumns(op, machine);
        transposeOther(op, machine);
      }
      if (!areTransposed && !arePackedByTiles(op, machine))
        pack(op, machine);
      widenWeights(op);
      copyColumn(op);
    }
  }
};
} // namespace
