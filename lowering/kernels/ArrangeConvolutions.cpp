// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-arrange-convolutions`: convolutions for tile registers and their gradients, whatever their layouts, become
// products of matrices whose rows are read where they are: in the image, if that is a row of whole steps for each
// pixel, else in a copy in that order (docs/design/convolutions.md).

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/kernels/Convolutions.h"
#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/kernels/Readers.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_ARRANGECONVOLUTIONS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// A convolution whose rows and steps are in order: the last row's results are in the rows of tile registers.
struct Arranged : Convolution {
  SmallVector<int64_t> neighbours; // steps that follow each other in memory; they are none of `steps` any more

  explicit Arranged(Convolution convolution) : Convolution(std::move(convolution)) {}
  /// Steps of an instruction.
  int64_t ofTile() const { return TilesAttr::kTileBytes / elementBytes; }
  /// Neighbours, filled up with zeros to whole tiles.
  int64_t run() const { return static_cast<int64_t>(llvm::alignTo(productOf(neighbours), ofTile())); }
  int64_t extentOf(int64_t dim) const {
    return cast<RankedTensorType>(op->getOperand(image).getType()).getDimSize(dim);
  }
};

/// One loop of a matrix, and what it adds to the address.
struct Walk {
  int64_t size, stride;
};
} // namespace

//===- Rows and steps in order ------------------------------------------------------------------------------------===//

/// How many rows of a loop of `size` results a tile register has: all of them, or a part of which there are several.
static int64_t rowsOfRegister(int64_t size) {
  for (int64_t rows = TilesAttr::kTileRows; rows > 1; --rows)
    if (size % rows == 0)
      return rows;
  return 1;
}

/// Which loop's results are in the rows of registers, and which steps are neighbours.
static Arranged arrange(Convolution found) {
  constexpr int64_t fewRows = 7;
  Arranged convolution(std::move(found));
  auto &rows = convolution.rows;
  auto rowsOf = [&](int64_t loop) { return rowsOfRegister(convolution.sizes[loop]); };
  if (rowsOf(rows.back()) < fewRows) {
    auto best = std::max_element(rows.begin(), rows.end(), [&](int64_t a, int64_t b) { return rowsOf(a) < rowsOf(b); });
    std::rotate(best, best + 1, rows.end());
  }
  // Steps in the order of the image, channels last.
  auto &steps = convolution.steps;
  llvm::sort(steps, [&](int64_t a, int64_t b) {
    bool isA = convolution.places[convolution.placeOf(a)].isPixel(),
         isB = convolution.places[convolution.placeOf(b)].isPixel();
    return isA != isB ? isA : convolution.placeOf(a) < convolution.placeOf(b);
  });
  auto isPixel = [&](int64_t loop) { return convolution.places[convolution.placeOf(loop)].isPixel(); };
  int64_t ofTile = convolution.ofTile();
  int64_t channel = isPixel(steps.back()) ? -1 : steps.back();
  if (channel >= 0 && convolution.sizes[channel] % ofTile == 0) {
    convolution.neighbours = {channel};
    steps.pop_back();
    return convolution;
  }
  int64_t window = *llvm::find_if(llvm::reverse(steps), isPixel);
  convolution.neighbours = {window};
  llvm::erase(steps, window);
  if (channel < 0)
    return convolution;
  int64_t apart = convolution.run() * convolution.sizes[channel];
  convolution.neighbours.push_back(channel);
  if (convolution.run() < apart) {
    steps.pop_back();
    return convolution;
  }
  // One after the other: the outermost steps.
  convolution.neighbours.pop_back();
  std::rotate(steps.begin(), steps.end() - 1, steps.end());
  return convolution;
}

/// Are products so many that the copies take little of their time?
static bool isWorthIt(const Arranged &convolution) {
  constexpr int64_t fewProducts = 1 << 18, leastRows = 16, leastFeatures = 4, leastReads = 16, leastSteps = 16;
  int64_t rows = convolution.productOf(convolution.rows), features = convolution.sizes[convolution.feature],
          steps = convolution.productOf(convolution.steps) * convolution.productOf(convolution.neighbours);
  int64_t padded = convolution.productOf(convolution.steps) * convolution.run();
  int64_t reads = features * convolution.productOf(convolution.steps);
  return rows >= leastRows && features >= leastFeatures && steps >= leastSteps &&
         rows * steps * features >= fewProducts && padded <= 4 * steps && reads >= leastReads;
}

//===- Operands in order ------------------------------------------------------------------------------------------===//

static Value emptyLike(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Value value) {
  return tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(value));
}

/// The elements of `value` at `exprs` of the indices of a tensor of this shape.
static Value gathered(OpBuilder &b, Value value, ArrayRef<int64_t> shape, ArrayRef<AffineExpr> exprs) {
  AffineMap map = AffineMap::get(shape.size(), 0, exprs, b.getContext());
  if (map.isIdentity() && cast<RankedTensorType>(value.getType()).getShape() == shape)
    return value;
  SmallVector<int64_t> order;
  if (map.isPermutation()) {
    for (AffineExpr expr : exprs)
      order.push_back(cast<AffineDimExpr>(expr).getPosition());
    return transposed(b, value, order);
  }
  Value empty = emptyLike(b, value.getLoc(), shape, value);
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, value.getLoc(), empty.getType(), value, empty, ArrayRef{map, b.getMultiDimIdentityMap(shape.size())},
             iterators,
             [](OpBuilder &body, Location loc, ValueRange args) { linalg::YieldOp::create(body, loc, args[0]); })
      .getResult(0);
}

/// The last `count` dimensions as one, with zeros behind them up to `size`.
static Value joined(OpBuilder &b, Value value, int64_t dim, int64_t count, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = type.getRank();
  Location loc = value.getLoc();
  if (count > 1) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < rank; ++i)
      if (i > dim && i < dim + count)
        groups.back().push_back(i);
      else
        groups.push_back({i});
    value = tensor::CollapseShapeOp::create(b, loc, value, groups);
    type = cast<RankedTensorType>(value.getType());
    rank = type.getRank();
  }
  if (type.getDimSize(dim) == size)
    return value;
  int64_t inside = type.getDimSize(dim);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, RankedTensorType::get(shape, type.getElementType()), ValueRange(), emptyLike(b, loc, shape, value),
             b.getMultiDimIdentityMap(rank), iterators,
             [&](OpBuilder &body, Location at, ValueRange) {
               SmallVector<Value> indices;
               for (int64_t i = 0; i < rank; ++i)
                 indices.push_back(linalg::IndexOp::create(body, at, i));
               Value end = arith::ConstantIndexOp::create(body, at, inside);
               Value isInside = arith::CmpIOp::create(body, at, arith::CmpIPredicate::ult, indices[dim], end);
               auto read = [&](OpBuilder &branch, Location) {
                 scf::YieldOp::create(branch, at, tensor::ExtractOp::create(branch, at, value, indices).getResult());
               };
               auto pad = [&](OpBuilder &branch, Location) {
                 Value zero = arith::ConstantOp::create(branch, at, branch.getZeroAttr(type.getElementType()));
                 scf::YieldOp::create(branch, at, zero);
               };
               linalg::YieldOp::create(body, at, scf::IfOp::create(body, at, isInside, read, pad).getResults());
             })
      .getResult(0);
}

static Value flattened(OpBuilder &b, Value value, ArrayRef<ReassociationIndices> groups) {
  return static_cast<int64_t>(groups.size()) == cast<RankedTensorType>(value.getType()).getRank()
             ? value
             : tensor::CollapseShapeOp::create(b, value.getLoc(), value, groups).getResult();
}

static ReassociationIndices range(int64_t first, int64_t last) { return llvm::to_vector(llvm::seq(first, last)); }

namespace {
/// Zeros around `source`, which begins at `low` in each dimension.
struct Padding {
  Value source;
  SmallVector<int64_t> low;
};
} // namespace

/// Adds the dimensions of which `condition` says that `indices` are inside `source`; false if it says anything else.
static bool saysInside(Value condition, ValueRange indices, ArrayRef<int64_t> source, llvm::SmallBitVector &dims) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return saysInside(both.getLhs(), indices, source, dims) && saysInside(both.getRhs(), indices, source, dims);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  APInt end;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&end)))
    return false;
  auto index = llvm::find(indices, compare.getLhs());
  int64_t dim = index - indices.begin();
  if (index == indices.end() || end.getSExtValue() != source[dim])
    return false;
  dims.set(dim);
  return true;
}

/// A choice between the elements of a tensor and zero, as `--xla-decompose-writes` makes of a pad.
static std::optional<Padding> paddingOf(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 0 || op->getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
      !op.getIndexingMapsArray().back().isIdentity())
    return std::nullopt;
  auto choice = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<scf::IfOp>();
  auto extract = choice ? choice.thenYield().getOperand(0).getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
  if (!extract || extract.getIndices().size() != op.getNumLoops())
    return std::nullopt;
  Value outside = choice.elseYield().getOperand(0);
  if (!matchPattern(outside, m_Zero()) && !matchPattern(outside, m_PosZeroFloat()))
    return std::nullopt;
  Padding padding{extract.getTensor(), {}};
  ArrayRef<int64_t> source = extract.getTensor().getType().getShape(),
                    whole = cast<RankedTensorType>(value.getType()).getShape();
  llvm::SmallBitVector inside(source.size());
  if (!saysInside(choice.getCondition(), extract.getIndices(), source, inside))
    return std::nullopt;
  for (auto [dim, each] : llvm::enumerate(extract.getIndices())) {
    Value index = each;
    APInt low(64, 0);
    if (auto shifted = index.getDefiningOp<arith::SubIOp>();
        shifted && matchPattern(shifted.getRhs(), m_ConstantInt(&low)))
      index = shifted.getLhs();
    auto loop = index.getDefiningOp<linalg::IndexOp>();
    if (!loop || loop.getDim() != dim || low.isNegative() || low.getSExtValue() + source[dim] > whole[dim] ||
        (source[dim] != whole[dim] && !inside.test(dim)))
      return std::nullopt;
    padding.low.push_back(low.getSExtValue());
  }
  return padding;
}

/// `image`, whose dimension i becomes dimension `order[i]`. Padding is put around it afterwards: a transposition that
/// asks for each element whether it is inside takes ten times as long.
static Value imageInOrder(OpBuilder &b, Value image, ArrayRef<int64_t> order) {
  std::optional<Padding> padding = paddingOf(image);
  if (!padding || llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return transposed(b, image, order);
  auto type = cast<RankedTensorType>(image.getType());
  Location loc = image.getLoc();
  Value inside = transposed(b, padding->source, order);
  SmallVector<int64_t> shape(order.size()), low(order.size());
  for (auto [dim, position] : llvm::enumerate(order)) {
    shape[position] = type.getDimSize(dim);
    low[position] = padding->low[dim];
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  Value zeros = linalg::FillOp::create(b, loc, zero, emptyLike(b, loc, shape, image)).getResult(0);
  auto asAttr = [&](int64_t each) -> OpFoldResult { return b.getIndexAttr(each); };
  auto sizes = llvm::map_to_vector(cast<RankedTensorType>(inside.getType()).getShape(), asAttr);
  SmallVector<OpFoldResult> strides(order.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, loc, inside, zeros, llvm::map_to_vector(low, asAttr), sizes, strides);
}

namespace {
/// The image in order, and how its elements are addressed.
struct Rows {
  Value values;
  SmallVector<Walk> rows, steps;
  int64_t groupStride = 0;
};
} // namespace

/// Where the dimensions of the image are in a copy, as a permutation: those that are read by steps only, those of rows
/// and pixels in the order of rows, and neighbours.
static ArrayRef<int64_t> orderOfImage(const Arranged &convolution, MutableArrayRef<int64_t> order) {
  int64_t count = 0;
  auto isNeighbour = [&](int64_t loop) { return llvm::is_contained(convolution.neighbours, loop); };
  auto add = [&](int64_t dim) {
    if (order[dim] < 0)
      order[dim] = count++;
  };
  if (convolution.group >= 0)
    add(convolution.placeOf(convolution.group));
  for (int64_t loop : convolution.steps)
    if (int64_t dim = convolution.placeOf(loop); !convolution.places[dim].isPixel())
      add(dim);
  for (int64_t loop : convolution.rows)
    if (int64_t dim = convolution.placeOf(loop);
        !convolution.places[dim].isPixel() || !isNeighbour(convolution.places[dim].step))
      add(dim);
  for (int64_t loop : convolution.neighbours)
    add(convolution.placeOf(loop));
  // Of one element.
  for (int64_t dim = 0; dim < static_cast<int64_t>(order.size()); ++dim)
    add(dim);
  return order;
}

/// Dimensions that are read by steps only, those of rows and pixels in the order of rows, and what is next to each
/// other.
static Rows arrangeImage(OpBuilder &b, const Arranged &convolution) {
  SmallVector<int64_t> order(convolution.places.size(), -1);
  Value image = imageInOrder(b, convolution.op->getOperand(convolution.image), orderOfImage(convolution, order));
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> read(convolution.places.size(), b.getAffineConstantExpr(0));
  SmallVector<int64_t> loops; // of the dimensions of the copy; a pixel has that of its row
  auto isNeighbour = [&](int64_t loop) { return llvm::is_contained(convolution.neighbours, loop); };
  auto add = [&](int64_t loop, int64_t size, int64_t dim, int64_t coefficient) {
    AffineExpr &expr = read[order[dim]];
    expr = expr + b.getAffineDimExpr(shape.size()) * coefficient;
    shape.push_back(size);
    loops.push_back(loop);
  };
  if (convolution.group >= 0)
    add(convolution.group, convolution.sizes[convolution.group], convolution.placeOf(convolution.group), 1);
  for (int64_t loop : convolution.steps)
    if (int64_t dim = convolution.placeOf(loop); !convolution.places[dim].isPixel())
      add(loop, convolution.extentOf(dim), dim, 1);
  for (int64_t loop : convolution.rows) {
    int64_t dim = convolution.placeOf(loop);
    const Place &place = convolution.places[dim];
    bool isCopied = place.step < 0 || isNeighbour(place.step); // results, not what they read
    add(loop, isCopied ? convolution.sizes[loop] : convolution.extentOf(dim), dim, isCopied ? place.stride : 1);
  }
  int64_t first = shape.size();
  for (int64_t loop : convolution.neighbours) {
    int64_t dim = convolution.placeOf(loop);
    add(loop, convolution.sizes[loop], dim, convolution.places[dim].isPixel() ? convolution.places[dim].dilation : 1);
  }
  // A strided dimension without a window is cut, which a copy of its results does as well.
  Value copy = joined(b, gathered(b, image, shape, read), first, convolution.neighbours.size(), convolution.run());
  auto type = cast<RankedTensorType>(copy.getType());
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * type.getDimSize(dim + 1);
  Rows result;
  auto dimOf = [&](int64_t loop) { return llvm::find(loops, loop) - loops.begin(); };
  if (convolution.group >= 0)
    result.groupStride = strides[dimOf(convolution.group)];
  for (int64_t loop : convolution.rows) {
    const Place &place = convolution.places[convolution.placeOf(loop)];
    bool isCopied = place.step < 0 || isNeighbour(place.step);
    result.rows.push_back({convolution.sizes[loop], strides[dimOf(loop)] * (isCopied ? 1 : place.stride)});
  }
  for (int64_t loop : convolution.steps) {
    const Place &place = convolution.places[convolution.placeOf(loop)];
    int64_t stride = place.isPixel() ? strides[dimOf(place.row)] * place.dilation : strides[dimOf(loop)];
    result.steps.push_back({convolution.sizes[loop], stride});
  }
  result.steps.push_back({convolution.run(), 1});
  result.values = copy;
  return result;
}

/// The kernel as (groups x) steps x features.
static Value arrangeKernel(OpBuilder &b, const Arranged &convolution) {
  Value kernel = convolution.op->getOperand(1 - convolution.image);
  SmallVector<int64_t> shape, loops;
  if (convolution.group >= 0)
    loops.push_back(convolution.group);
  llvm::append_range(loops, convolution.steps);
  int64_t first = loops.size();
  llvm::append_range(loops, convolution.neighbours);
  loops.push_back(convolution.feature);
  SmallVector<AffineExpr> read;
  for (AffineExpr expr : convolution.kernelMap().getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    read.push_back(dim ? b.getAffineDimExpr(llvm::find(loops, dim.getPosition()) - loops.begin())
                       : b.getAffineConstantExpr(0));
  }
  for (int64_t loop : loops)
    shape.push_back(convolution.sizes[loop]);
  Value copy = joined(b, gathered(b, kernel, shape, read), first, convolution.neighbours.size(), convolution.run());
  int64_t rank = cast<RankedTensorType>(copy.getType()).getRank();
  if (convolution.group >= 0)
    return flattened(b, copy, {{0}, range(1, rank - 1), {rank - 1}});
  return flattened(b, copy, {range(0, rank - 1), {rank - 1}});
}

//===- Products ---------------------------------------------------------------------------------------------------===//

/// The address of index `position`, which counts through all of the loops.
static AffineExpr addressOf(AffineExpr position, ArrayRef<Walk> loops) {
  // Loops that follow each other in memory are one.
  SmallVector<Walk> walks;
  for (const Walk &loop : loops) {
    if (loop.size == 1)
      continue;
    if (!walks.empty() && walks.back().stride == loop.size * loop.stride)
      walks.back() = {walks.back().size * loop.size, loop.stride};
    else
      walks.push_back(loop);
  }
  // Each step of a loop takes back what the loops within it have added. So there is one division for each, of which
  // neighbours have the results in common.
  AffineExpr address = getAffineConstantExpr(0, position.getContext());
  int64_t within = 1, added = 0;
  for (const Walk &walk : llvm::reverse(walks)) {
    address = address + position.floorDiv(within) * (walk.stride - added);
    within *= walk.size;
    added = walk.size * walk.stride;
  }
  return address;
}

static bool hasDivision(AffineExpr expr) {
  bool found = false;
  expr.walk([&](AffineExpr part) { found |= part.getKind() == AffineExprKind::FloorDiv; });
  return found;
}

/// convolution(image, kernel)  ->  product(rows of the image, kernel as a matrix)
static void multiply(const Arranged &convolution) {
  linalg::GenericOp op = convolution.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  bool hasGroups = convolution.group >= 0;
  Rows rows = arrangeImage(b, convolution);
  Value kernel = arrangeKernel(b, convolution);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());

  SmallVector<int64_t> shape{convolution.productOf(convolution.rows)};
  if (hasGroups)
    shape.push_back(convolution.sizes[convolution.group]);
  shape.push_back(convolution.sizes[convolution.feature]);
  Value empty = tensor::EmptyOp::create(b, loc, shape, result.getElementType());
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Value init = linalg::FillOp::create(b, loc, fill.getInputs(), empty).getResult(0);
  unsigned loops = shape.size() + 1;
  AffineExpr m = getAffineDimExpr(0, context), group = getAffineDimExpr(1, context),
             n = getAffineDimExpr(loops - 2, context), k = getAffineDimExpr(loops - 1, context);
  AffineExpr ofRows = addressOf(m, rows.rows), ofSteps = addressOf(k, rows.steps);
  if (hasGroups)
    ofRows = ofRows + group * rows.groupStride;
  // Without a division it would be taken for a window of one channel: rows are matrices of runs then.
  int64_t rank = cast<RankedTensorType>(rows.values.getType()).getRank(), run = convolution.run();
  bool isLinear = !hasDivision(ofRows) && !hasDivision(ofSteps);
  Value image = flattened(b, rows.values,
                          isLinear ? SmallVector<ReassociationIndices>{range(0, rank - 1), {rank - 1}}
                                   : SmallVector<ReassociationIndices>{range(0, rank)});
  SmallVector<AffineExpr> address{ofRows + ofSteps};
  if (isLinear) {
    bool isOneRun = rows.steps.size() == 1;
    address = {isOneRun ? ofRows.floorDiv(run) : ofRows.floorDiv(run) + k.floorDiv(run), isOneRun ? k : k % run};
  }
  AffineMap maps[] = {AffineMap::get(loops, 0, address, context),
                      AffineMap::get(loops, 0, hasGroups ? ArrayRef{group, k, n} : ArrayRef{k, n}, context),
                      AffineMap::getMultiDimIdentityMap(loops, context).getMajorSubMap(loops - 1)};
  Value operands[] = {image, kernel};
  if (convolution.image == 1) {
    std::swap(operands[0], operands[1]);
    std::swap(maps[0], maps[1]);
  }
  SmallVector<utils::IteratorType> kinds(loops - 1, utils::IteratorType::parallel);
  kinds.push_back(utils::IteratorType::reduction);
  auto product = linalg::GenericOp::create(b, loc, init.getType(), operands, init, maps, kinds);
  IRMapping mapping;
  op.getRegion().cloneInto(&product.getRegion(), mapping);
  product->setDiscardableAttrs(op->getDiscardableAttrDictionary());

  SmallVector<int64_t> of(convolution.rows);
  if (hasGroups)
    of.push_back(convolution.group);
  of.push_back(convolution.feature);
  SmallVector<int64_t> expanded, order;
  for (int64_t loop : of)
    expanded.push_back(convolution.sizes[loop]);
  int64_t last = convolution.rows.size();
  SmallVector<ReassociationIndices> groups{range(0, last)};
  for (int64_t dim = last; dim < static_cast<int64_t>(of.size()); ++dim)
    groups.push_back({dim});
  Value results = product.getResult(0);
  if (last > 1)
    results = tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(expanded, result.getElementType()), results,
                                            groups);
  for (AffineExpr expr : op.getIndexingMapsArray()[2].getResults())
    order.push_back(llvm::find(of, cast<AffineDimExpr>(expr).getPosition()) - of.begin());
  replaceInOrder(op->getResult(0), results, order);
  op.erase();
  if (last > 1)
    flattenReaders(results, groups);
}

/// Padding and transpositions that nobody reads any more would be kernels.
static void eraseUnread(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct ArrangeConvolutionsPass : public mlir::xla::impl::ArrangeConvolutionsBase<ArrangeConvolutionsPass> {
  using ArrangeConvolutionsBase::ArrangeConvolutionsBase;
  LogicalResult initialize(MLIRContext *context) override {
    return Machine::checkVectors(vectorBits, context, instructions);
  }
  void runOnOperation() override {
    Machine machine = Machine::withVectors(vectorBits, instructions);
    std::vector<Arranged> convolutions;
    getOperation().walk([&](linalg::GenericOp op) {
      std::optional<Convolution> found = matchConvolution(op);
      if (!found || !op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() || !isForInstructions(op, machine) ||
          !(found->elementBytes == 1 ? machine.hasTdpbssd : machine.hasTdpbf16ps))
        return;
      Arranged convolution = arrange(std::move(*found));
      if (isWorthIt(convolution))
        convolutions.push_back(std::move(convolution));
    });
    for (const Arranged &convolution : convolutions)
      multiply(convolution);
    if (!convolutions.empty())
      eraseUnread(getOperation());
  }
};
} // namespace
