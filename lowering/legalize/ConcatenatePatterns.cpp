// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops and reductions of a concatenation are computed of its parts, which then need not be next to each
// other in memory.

#include "mlir_xla/dialect/Traits.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/dialect/ops/reduction/ReductionComputation.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::xla;

/// Every part is an op of its own; and so many ops are looked at.
static constexpr size_t kMostParts = 4, kMostOps = 256;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The sizes of the parts.
static SmallVector<int64_t> partsOf(ConcatenateOp op) {
  return llvm::map_to_vector(op.getInputs(), [&](Value input) { return typeOf(input).getDimSize(op.getDimension()); });
}

/// Is it in memory anyway, or a constant? Parts of anything else would be read by several kernels, and so be in memory.
static bool isInMemory(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<BroadcastInDimOp>(op))
    return typeOf(broadcast.getOperand()).getRank() == 0;
  return !op || isa<ConstantOp, WhileOp, DotGeneralOp, ConvolutionOp>(op);
}

/// Can every element be read where it is, as its parts are in memory (`lowering/kernels/DecomposeWrites.cpp`)?
static bool isOfMemory(ConcatenateOp op) {
  return llvm::all_of(op.getInputs(), [](Value input) {
    while (isa_and_nonnull<SliceOp, ReshapeOp>(input.getDefiningOp()))
      input = input.getDefiningOp()->getOperand(0);
    return !input.getDefiningOp() || isa<ConstantOp, WhileOp>(input.getDefiningOp());
  });
}

static bool haveSameParts(ConcatenateOp lhs, ConcatenateOp rhs) {
  return lhs.getDimension() == rhs.getDimension() && partsOf(lhs) == partsOf(rhs);
}

/// Can it be read from other parts than its own, for an op that alone reads it?
static bool isSliceable(ConcatenateOp op) {
  return op->hasOneUse() && op.getInputs().size() <= kMostParts && op.getType().hasStaticShape() && isOfMemory(op);
}

/// Can `op` be done part by part, with what `known` says beside values in memory?
static bool isByParts(Operation *op, ConcatenateOp like, function_ref<bool(Operation *)> known) {
  if (!op->hasTrait<IsElementwise>() || op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.getShape() == like.getType().getShape() && !type.getEncoding() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           auto from = dyn_cast<RankedTensorType>(operand.getType());
           if (!from || from.getEncoding() || (from.getRank() != 0 && from.getShape() != type.getShape()))
             return false;
           if (auto concatenate = operand.getDefiningOp<ConcatenateOp>())
             return haveSameParts(concatenate, like) || isSliceable(concatenate);
           return from.getRank() == 0 || isInMemory(operand) || known(operand.getDefiningOp());
         });
}

/// Does `slice` take elements of one part only?
static bool isOfPart(SliceOp slice, ConcatenateOp like) {
  int64_t dim = like.getDimension(), begin = 0, from = slice.getStartIndices()[dim], to = slice.getLimitIndices()[dim];
  return llvm::any_of(partsOf(like), [&](int64_t size) {
    begin += size;
    return from >= begin - size && to <= begin;
  });
}

/// The concatenation is in memory now, unless it is read from its parts. Of all that follows from it element by
/// element, will no more than one tensor be there as a whole, read by other ops, if the rest is done part by part?
static bool gainsByParts(ConcatenateOp op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  int64_t wholes = 0;
  bool isTakenApart = false;
  for (size_t i = 0; i < ops.size() && wholes <= 1 && ops.size() <= kMostOps; ++i) {
    bool isWhole = false, isSliced = false;
    for (Operation *user : ops[i]->getUsers()) {
      auto slice = dyn_cast<SliceOp>(user);
      if (isByParts(user, op, [&](Operation *other) { return ops.contains(other); }))
        ops.insert(user);
      else if (slice && isOfPart(slice, op))
        isSliced = true;
      else
        isWhole = true;
    }
    wholes += isWhole;
    // Slices of what is there as a whole are read from there.
    isTakenApart |= isSliced && !isWhole;
  }
  return wholes <= 1 && ops.size() <= kMostOps && (isTakenApart || !isOfMemory(op));
}

/// The box from `start` to `limit`, of slices of the inputs.
static Value sliceOf(ConcatenateOp op, ArrayRef<int64_t> start, ArrayRef<int64_t> limit, PatternRewriter &rewriter) {
  int64_t dim = op.getDimension(), begin = 0;
  SmallVector<int64_t> strides(start.size(), 1);
  SmallVector<Value> parts;
  RankedTensorType type = op.getType();
  auto shapeOf = [](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    return llvm::map_to_vector(llvm::zip_equal(from, to),
                               [](auto pair) -> int64_t { return std::get<1>(pair) - std::get<0>(pair); });
  };
  for (auto [input, size] : llvm::zip_equal(op.getInputs(), partsOf(op))) {
    SmallVector<int64_t> from(start), to(limit);
    from[dim] = std::max<int64_t>(start[dim] - begin, 0);
    to[dim] = std::min(limit[dim] - begin, size);
    begin += size;
    if (from[dim] < to[dim])
      parts.push_back(SliceOp::create(rewriter, op.getLoc(), type.clone(shapeOf(from, to)), input, from, to, strides));
  }
  if (parts.size() == 1)
    return parts.front();
  return ConcatenateOp::create(rewriter, op.getLoc(), type.clone(shapeOf(start, limit)), parts, dim);
}

namespace {

/// add(concatenate(%a, %b), %x)  ->  concatenate(add(%a, slice %x), add(%b, slice %x))
///
/// %x may be another concatenation, whose parts are others.
struct SplitElementwise : RewritePattern {
  explicit SplitElementwise(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>())
      return failure();
    auto isSplit = [&](ConcatenateOp concatenate) {
      return concatenate && concatenate.getInputs().size() <= kMostParts && concatenate.getType().hasStaticShape() &&
             isByParts(op, concatenate, [](Operation *) { return false; }) && gainsByParts(concatenate);
    };
    ConcatenateOp first;
    for (Value operand : op->getOperands())
      if (auto concatenate = operand.getDefiningOp<ConcatenateOp>(); !first && isSplit(concatenate))
        first = concatenate;
    if (!first)
      return failure();

    auto type = typeOf(op->getResult(0));
    int64_t dim = first.getDimension();
    SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape()), strides(type.getRank(), 1);
    SmallVector<Value> parts;
    limit[dim] = 0;
    for (int64_t size : partsOf(first)) {
      limit[dim] += size;
      size_t number = parts.size();
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] = size;
      auto partOf = [&](Value operand) -> Value {
        if (auto concatenate = operand.getDefiningOp<ConcatenateOp>())
          return haveSameParts(concatenate, first) ? concatenate.getInputs()[number]
                                                   : sliceOf(concatenate, start, limit, rewriter);
        if (typeOf(operand).getRank() == 0)
          return operand;
        return SliceOp::create(rewriter, op->getLoc(), typeOf(operand).clone(shape), operand, start, limit, strides);
      };
      SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), partOf);
      Operation *part = rewriter.clone(*op);
      part->setOperands(operands);
      part->getResult(0).setType(type.clone(shape));
      parts.push_back(part->getResult(0));
      start[dim] += size;
    }
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, type, parts, dim);
    return success();
  }
};

/// reduce(concatenate(%a, %b, dim = 0), dimensions = [0])  ->  add(reduce(%a), reduce(%b))
/// reduce(concatenate(%a, %b, dim = 0), dimensions = [1])  ->  concatenate(reduce(%a), reduce(%b))
///
/// Small concatenations are written in no time, and those that anything else reads are in memory anyway.
struct ReduceByParts : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The operation that combines elements, in any order and without more roundings.
  static Operation *combinerOf(ReduceOp op) {
    Operation *combiner = op.getInputs().size() == 1 ? getSingleBinaryOp(op.getBody()) : nullptr;
    Type element = getElementTypeOrSelf(op.getInputs().front().getType());
    if (!isa_and_nonnull<AddOp, MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(combiner) ||
        getElementTypeOrSelf(combiner->getResult(0).getType()) != element || !getIdentity(combiner, element) ||
        cast<RankedTensorType>(op->getResult(0).getType()).getEncoding())
      return nullptr;
    bool isNarrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
    return isNarrow && !isa<MaxOp, MinOp>(combiner) ? nullptr : combiner;
  }

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    constexpr int64_t fewBytes = 4096;
    auto whole = op.getInputs().front().getDefiningOp<ConcatenateOp>();
    if (!whole || whole.getInputs().size() > kMostParts || !whole.getType().hasStaticShape() ||
        whole.getType().getEncoding() || bufferBytes(whole.getType()) <= fewBytes ||
        !llvm::all_of(whole->getUsers(), [](Operation *user) {
          auto other = dyn_cast<ReduceOp>(user);
          return other && combinerOf(other);
        }))
      return failure();
    Operation *combiner = combinerOf(op);
    auto dim = static_cast<int64_t>(whole.getDimension());
    bool isReduced = llvm::is_contained(op.getDimensions(), dim);
    TensorBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    int64_t position = dim - llvm::count_if(op.getDimensions(), [&](int64_t each) { return each < dim; });
    Value init = op.getInitValues().front(), result;
    SmallVector<Value> parts;
    for (auto [input, size] : llvm::zip_equal(whole.getInputs(), partsOf(whole))) {
      SmallVector<int64_t> shape(type.getShape());
      if (!isReduced)
        shape[position] = size;
      auto part = ReduceOp::create(b, TypeRange{type.clone(shape)}, input, init, op.getDimensions());
      buildSingleBinaryOp(b, op.getLoc(), part.getBody(), combiner->getName(), type.getElementType());
      parts.push_back(part->getResult(0));
      if (!isReduced)
        continue;
      result = result ? b.binary(combiner->getName().stripDialect(), result, parts.back()) : parts.back();
      // What a reduction begins with counts once.
      if (parts.size() == 1)
        init =
            ConstantOp::create(b, scalar, DenseElementsAttr::get(scalar, getIdentity(combiner, type.getElementType())));
    }
    if (!isReduced)
      result = ConcatenateOp::create(b, type, parts, position);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// transpose(concatenate(%a : 1x8, %b : 1x8))  ->  concatenate(reshape(%a), reshape(%b)) : 8x2
///
/// What vmap makes of jnp.stack: the parts are written where they belong at once.
struct TransposeParts : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto stack = op.getOperand().getDefiningOp<ConcatenateOp>();
    auto type = cast<RankedTensorType>(op.getType());
    if (!stack || !stack->hasOneUse() || stack.getInputs().size() > kMostParts || !type.hasStaticShape() ||
        type.getEncoding())
      return failure();
    int64_t dim = stack.getDimension(), position = llvm::find(op.getPermutation(), dim) - op.getPermutation().begin();
    SmallVector<int64_t> others(op.getPermutation());
    others.erase(others.begin() + position);
    if (!llvm::is_sorted(others) || llvm::any_of(partsOf(stack), [](int64_t size) { return size != 1; }))
      return failure();
    SmallVector<int64_t> shape(type.getShape());
    shape[position] = 1;
    SmallVector<Value> parts;
    for (Value input : stack.getInputs())
      parts.push_back(ReshapeOp::create(rewriter, op.getLoc(), type.clone(shape), input));
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, type, parts, position);
    return success();
  }
};

/// concatenate(%a : 64x1, %b, %c, %d, %e, dim = 1)  ->  transpose(concatenate(reshape(%a), ... : 1x64, dim = 0))
///
/// Each of many parts would be written element by element, one in every row.
struct StackRows : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    constexpr int64_t fewRows = 64;
    RankedTensorType type = op.getType();
    int64_t count = op.getInputs().size(), dim = op.getDimension(), rank = type.getRank();
    if (count <= static_cast<int64_t>(kMostParts) || dim + 1 != rank || !type.hasStaticShape() || type.getEncoding() ||
        type.getNumElements() < fewRows * count || llvm::any_of(partsOf(op), [](int64_t size) { return size != 1; }))
      return failure();
    SmallVector<int64_t> shape{1}, permutation;
    llvm::append_range(shape, type.getShape().drop_back());
    SmallVector<Value> rows;
    for (Value input : op.getInputs())
      rows.push_back(ReshapeOp::create(rewriter, op.getLoc(), type.clone(shape), input));
    shape[0] = count;
    for (int64_t position = 1; position < rank; ++position)
      permutation.push_back(position);
    permutation.push_back(0);
    Value stack = ConcatenateOp::create(rewriter, op.getLoc(), type.clone(shape), rows, 0);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, type, stack, permutation);
    return success();
  }
};

/// concatenate(reshape(concatenate(%a : 64x1, %b, dim = 1)) : 64x1x2, reshape(concatenate(%c, %d)), dim = 1) : 64x2x2
///   ->  reshape(concatenate(%a, %b, %c, %d, dim = 1))
///
/// Matrices of a few columns each, such as rotations, are rows of a few columns, which are written at once.
struct FlattenStacks : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    constexpr size_t mostColumns = 16;
    RankedTensorType type = op.getType();
    int64_t dim = op.getDimension(), rank = type.getRank();
    if (dim + 2 != rank || !type.hasStaticShape() || type.getEncoding())
      return failure();
    SmallVector<int64_t> row(type.getShape());
    row.erase(row.begin() + dim);
    SmallVector<Value> columns;
    for (Value input : op.getInputs()) {
      auto reshape = input.getDefiningOp<ReshapeOp>();
      auto stack = reshape ? reshape.getOperand().getDefiningOp<ConcatenateOp>() : ConcatenateOp();
      if (!stack || !input.hasOneUse() || !stack->hasOneUse() || stack.getType().getShape() != ArrayRef(row) ||
          static_cast<int64_t>(stack.getDimension()) + 2 != rank ||
          llvm::any_of(partsOf(stack), [](int64_t size) { return size != 1; }))
        return failure();
      llvm::append_range(columns, stack.getInputs());
    }
    if (columns.size() > mostColumns)
      return failure();
    row.back() = columns.size();
    Value all = ConcatenateOp::create(rewriter, op.getLoc(), type.clone(row), columns, dim);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, all);
    return success();
  }
};

} // namespace

void mlir::xla::populateConcatenatePatterns(RewritePatternSet &patterns, bool device) {
  patterns.add<SplitElementwise, TransposeParts>(patterns.getContext());
  if (!device) // which writes all parts at once
    patterns.add<StackRows, FlattenStacks, ReduceByParts>(patterns.getContext());
}
