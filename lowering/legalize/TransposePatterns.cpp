// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A contraction addresses its operands by dimension numbers, so that a transpose before or after it is free.

#include "mlir_xla/dialect/ConstantFolding.h"
#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::xla;

/// The free dimensions of an operand: neither contracted nor batch, ascending.
static SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batching, d) && !llvm::is_contained(contracting, d))
      dims.push_back(d);
  return dims;
}

static SmallVector<int64_t> lookUp(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector(dims, [&](int64_t d) { return permutation[d]; });
}

/// Does `transpose` bring to the end what neighbours of the left operand of a product become, where the product itself
/// has dimensions of its right operand there? It is an order in which the product is written more easily, as that of
/// attention is whose values come first: transpose(dot_general(%v, %weights) : bhdq) : bqhd.
static bool bringsNeighboursBack(TransposeOp transpose) {
  auto dot = transpose.getOperand().getDefiningOp<DotGeneralOp>();
  if (!dot || !dot->hasOneUse() || !transpose->hasOneUse())
    return false;
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  int64_t rank = cast<RankedTensorType>(dot.getLhs().getType()).getRank();
  ArrayRef<int64_t> batching = dims.getLhsBatchingDimensions(), contracting = dims.getLhsContractingDimensions();
  int64_t last = rank - static_cast<int64_t>(contracting.size()) - 1;
  return !llvm::is_contained(batching, rank - 1) && !llvm::is_contained(contracting, rank - 1) &&
         last + 1 < dot.getType().getRank() && transpose.getPermutation().back() == last;
}

/// The operand of a transpose that `tensor` is, with the dimension numbers of `batching` and `contracting` renamed;
/// null unless the free dimensions keep their order.
static Value lookThrough(Value tensor, SmallVectorImpl<int64_t> &batching, SmallVectorImpl<int64_t> &contracting) {
  auto transpose = tensor.getDefiningOp<TransposeOp>();
  if (!transpose || bringsNeighboursBack(transpose))
    return {};
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  if (!llvm::is_sorted(lookUp(freeDims(permutation.size(), batching, contracting), permutation)))
    return {};
  batching = lookUp(batching, permutation);
  contracting = lookUp(contracting, permutation);
  return transpose.getOperand();
}

/// Do both operands have the contracted dimensions in the same order?
static bool areInOneOrder(ArrayRef<int64_t> lhsContracting, ArrayRef<int64_t> rhsContracting) {
  auto byLhs = llvm::map_to_vector(llvm::zip_equal(lhsContracting, rhsContracting),
                                   [](auto pair) { return std::pair(std::get<0>(pair), std::get<1>(pair)); });
  llvm::sort(byLhs);
  return llvm::is_sorted(llvm::make_second_range(byLhs));
}

/// Are they neighbours in both, in another order?
static bool mayBeOrdered(ArrayRef<int64_t> lhsContracting, ArrayRef<int64_t> rhsContracting) {
  auto areNeighbours = [](ArrayRef<int64_t> contracted) {
    auto [least, most] = std::minmax_element(contracted.begin(), contracted.end());
    return *most - *least + 1 == static_cast<int64_t>(contracted.size());
  };
  return lhsContracting.size() > 1 && !areInOneOrder(lhsContracting, rhsContracting) && areNeighbours(lhsContracting) &&
         areNeighbours(rhsContracting);
}

/// Does a product read each element of an operand so often that writing it in another order before is little work?
static bool isReadOften(DotGeneralOp op, unsigned side) {
  constexpr int64_t reads = 16;
  int64_t elements = cast<RankedTensorType>(op->getOperand(side).getType()).getNumElements();
  int64_t products = op.getType().getNumElements();
  for (int64_t dim : op.getDotDimensionNumbers().getLhsContractingDimensions())
    products *= cast<RankedTensorType>(op.getLhs().getType()).getDimSize(dim);
  return elements != 0 && products / elements >= reads;
}

namespace {

/// dot_general(transpose(%a), %b)  ->  dot_general(%a, %b) with other dimension numbers
struct FoldTransposeIntoDot : OpRewritePattern<DotGeneralOp> {
  FoldTransposeIntoDot(MLIRContext *context, bool device) : OpRewritePattern(context), device(device) {}
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    // Two may be in one order only without both transposes, or one of them has to stay for it.
    return success(succeeded(fold(op, true, true, rewriter)) || succeeded(fold(op, true, false, rewriter)) ||
                   succeeded(fold(op, false, true, rewriter)));
  }

private:
  LogicalResult fold(DotGeneralOp op, bool ofLhs, bool ofRhs, PatternRewriter &rewriter) const {
    DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    SmallVector<int64_t> lhsBatching(dims.getLhsBatchingDimensions()), rhsBatching(dims.getRhsBatchingDimensions());
    SmallVector<int64_t> lhsContracting(dims.getLhsContractingDimensions()),
        rhsContracting(dims.getRhsContractingDimensions());
    Value lhs, rhs;
    if (ofLhs)
      lhs = lookThrough(op.getLhs(), lhsBatching, lhsContracting);
    // What is transposed before a loop is so once.
    if (ofRhs && (device || rhsContracting != SmallVector<int64_t>{0} || !isFactorOfLoop(op, op.getRhs())))
      rhs = lookThrough(op.getRhs(), rhsBatching, rhsContracting);
    if (!lhs && !rhs)
      return failure();
    // One that is read often is written for it (`OrderContractedDims`).
    bool losesOrder = areInOneOrder(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions()) &&
                      mayBeOrdered(lhsContracting, rhsContracting);
    if (losesOrder && ((lhs && isReadOften(op, 0)) || (rhs && isReadOften(op, 1))))
      return failure();
    auto renamed =
        DotDimensionNumbersAttr::get(op.getContext(), lhsBatching, rhsBatching, lhsContracting, rhsContracting);
    rewriter.replaceOpWithNewOp<DotGeneralOp>(op, op.getType(), lhs ? lhs : op.getLhs(), rhs ? rhs : op.getRhs(),
                                              renamed, op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
    return success();
  }

  bool device;
};

/// dot_general(%a : (n,d,e), %b : (e,d,f))  ->  dot_general(transpose(%a) : (n,e,d), %b)
///
/// Contracted dimensions that are neighbours in both operands, in the same order, are one for all that follows. What is
/// transposed is the operand that is computed, which is written in that order, or else the smaller one.
struct OrderContractedDims : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    std::array<SmallVector<int64_t>, 2> contracting{SmallVector<int64_t>(dims.getLhsContractingDimensions()),
                                                    SmallVector<int64_t>(dims.getRhsContractingDimensions())};
    if (!mayBeOrdered(contracting[0], contracting[1]) || !llvm::all_of(op->getOperandTypes(), isPlainStatic))
      return failure();
    auto isComputed = [&](unsigned side) {
      Operation *producer = op->getOperand(side).getDefiningOp();
      return producer && producer->hasOneUse() && !producer->hasTrait<OpTrait::ConstantLike>();
    };
    auto elements = [&](unsigned side) {
      return cast<RankedTensorType>(op->getOperand(side).getType()).getNumElements();
    };
    unsigned side = isComputed(0) != isComputed(1) ? isComputed(1) : elements(1) < elements(0);
    if (!isReadOften(op, side))
      return failure();

    // The dimension that the other operand has first takes the first of their places.
    SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, contracting[0].size()));
    llvm::sort(order, [&](unsigned left, unsigned right) {
      return contracting[1 - side][left] < contracting[1 - side][right];
    });
    int64_t first = *llvm::min_element(contracting[side]);
    auto type = cast<RankedTensorType>(op->getOperand(side).getType());
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    SmallVector<int64_t> placed(order.size());
    for (auto [place, which] : llvm::enumerate(order)) {
      permutation[first + place] = contracting[side][which];
      placed[which] = first + place;
    }
    contracting[side] = placed;
    RankedTensorType transposed = type.clone(lookUp(permutation, SmallVector<int64_t>(type.getShape())));
    std::array<Value, 2> operands{op.getLhs(), op.getRhs()};
    operands[side] = TransposeOp::create(rewriter, op.getLoc(), transposed, operands[side], permutation);
    auto ordered = DotDimensionNumbersAttr::get(op.getContext(), dims.getLhsBatchingDimensions(),
                                                dims.getRhsBatchingDimensions(), contracting[0], contracting[1]);
    rewriter.replaceOpWithNewOp<DotGeneralOp>(op, op.getType(), operands[0], operands[1], ordered,
                                              op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
    return success();
  }
};

/// transpose(dot_general(%a, %b)) that exchanges the free dimensions of the two  ->  dot_general(%b, %a)
struct FoldTransposeOfDot : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto dot = op.getOperand().getDefiningOp<DotGeneralOp>();
    if (!dot || !dot->hasOneUse() || dot.getAlgorithmAttr())
      return failure();
    DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
    int64_t batch = dims.getLhsBatchingDimensions().size(), contracted = dims.getLhsContractingDimensions().size();
    int64_t lhsFree = cast<RankedTensorType>(dot.getLhs().getType()).getRank() - batch - contracted;
    int64_t rhsFree = cast<RankedTensorType>(dot.getRhs().getType()).getRank() - batch - contracted;
    SmallVector<int64_t> exchange = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    llvm::append_range(exchange, llvm::seq<int64_t>(batch + lhsFree, batch + lhsFree + rhsFree));
    llvm::append_range(exchange, llvm::seq<int64_t>(batch, batch + lhsFree));
    if (ArrayRef(exchange) != op.getPermutation())
      return failure();
    auto exchanged =
        DotDimensionNumbersAttr::get(op.getContext(), dims.getRhsBatchingDimensions(), dims.getLhsBatchingDimensions(),
                                     dims.getRhsContractingDimensions(), dims.getLhsContractingDimensions());
    ArrayAttr precision = dot.getPrecisionConfigAttr();
    if (precision && precision.size() == 2)
      precision = rewriter.getArrayAttr({precision[1], precision[0]});
    rewriter.replaceOpWithNewOp<DotGeneralOp>(op, op.getType(), dot.getRhs(), dot.getLhs(), exchanged, precision,
                                              DotAlgorithmAttr());
    return success();
  }
};

/// dot_general(subtract(transpose(%x), %y), %b)  ->  dot_general(subtract(%x, transpose(%y)), %b) with other dimension
/// numbers
///
/// Of matrices, which are computed in the order in which they are read, as deviations from the means of columns are, of
/// which covariances are the products.
struct FoldTransposedOperandsIntoDot : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    constexpr std::array<int64_t, 2> exchange{1, 0};
    for (Value operand : op->getOperands()) {
      Operation *computed = operand.getDefiningOp();
      bool hasTranspose = false;
      if (cast<RankedTensorType>(operand.getType()).getRank() != 2 || !computed ||
          !isComputed(computed, exchange, hasTranspose) || !hasTranspose ||
          !llvm::all_of(computed->getUsers(), llvm::IsaPred<DotGeneralOp>))
        continue;
      rewriter.setInsertionPoint(computed);
      Value result = transposed(rewriter, operand, exchange);
      rewriter.replaceOpWithNewOp<TransposeOp>(computed, operand.getType(), result, exchange);
      return success();
    }
    return failure();
  }

private:
  /// Is it an elementwise op whose operands need no transposing: what `permutation` undoes, or is easily made in
  /// another order?
  static bool isComputed(Operation *op, ArrayRef<int64_t> permutation, bool &hasTranspose) {
    return op->hasTrait<IsElementwise>() && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
           isPlainStatic(op->getResult(0).getType()) && llvm::all_of(op->getOperands(), [&](Value operand) {
             return mayTranspose(operand, permutation, hasTranspose);
           });
  }
  static bool mayTranspose(Value value, ArrayRef<int64_t> permutation, bool &hasTranspose) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isPlainStatic(type))
      return false;
    if (type.getRank() == 0)
      return true;
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast_or_null<TransposeOp>(op)) {
      bool isUndone = llvm::equal(lookUp(permutation, SmallVector<int64_t>(inner.getPermutation())),
                                  llvm::seq<int64_t>(0, type.getRank()));
      hasTranspose |= isUndone;
      return isUndone;
    }
    return op &&
           (isa<BroadcastInDimOp>(op) || isSplat(op) || (op->hasOneUse() && isComputed(op, permutation, hasTranspose)));
  }
  static bool isSplat(Operation *op) {
    auto constant = dyn_cast<ConstantOp>(op);
    return constant && isa<SplatElementsAttr>(constant.getValue());
  }

  static Value transposed(PatternRewriter &rewriter, Value value, ArrayRef<int64_t> permutation) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 0)
      return value;
    RankedTensorType order = type.clone(lookUp(permutation, SmallVector<int64_t>(type.getShape())));
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast<TransposeOp>(op))
      return inner.getOperand();
    if (auto constant = dyn_cast<ConstantOp>(op))
      return ConstantOp::create(rewriter, op->getLoc(),
                                cast<SplatElementsAttr>(constant.getValue()).resizeSplat(order));
    if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
      return BroadcastInDimOp::create(
          rewriter, op->getLoc(), order, broadcast.getOperand(),
          lookUp(broadcast.getBroadcastDimensions(), SmallVector<int64_t>(invertPermutationVector(permutation))));
    Operation *result = rewriter.clone(*op);
    for (OpOperand &operand : result->getOpOperands()) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(result);
      operand.set(transposed(rewriter, operand.get(), permutation));
    }
    result->getResult(0).setType(order);
    return result->getResult(0);
  }
};

/// %t = transpose(%x), transpose(reduce(%x)) in the same order of rows  ->  reduce(%t), so that %x has one reader less
struct FoldTransposeOfReduce : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto reduce = op.getOperand().getDefiningOp<ReduceOp>();
    if (!reduce || !reduce->hasOneUse() || reduce.getInputs().size() != 1)
      return failure();
    Value tensor = reduce.getInputs()[0];
    ArrayRef<int64_t> reduced = reduce.getDimensions();
    SmallVector<int64_t> kept = freeDims(cast<RankedTensorType>(tensor.getType()).getRank(), {}, reduced);
    SmallVector<int64_t> rows = lookUp(op.getPermutation(), kept);
    for (Operation *user : tensor.getUsers()) {
      auto other = dyn_cast<TransposeOp>(user);
      if (!other)
        continue;
      SmallVector<int64_t> otherRows, otherReduced, dims;
      for (auto [position, dim] : llvm::enumerate(other.getPermutation())) {
        bool isReduced = llvm::is_contained(reduced, dim);
        (isReduced ? otherReduced : otherRows).push_back(dim);
        if (isReduced)
          dims.push_back(position);
      }
      // Several reduced dimensions keep their order, which is that of the sums.
      if (otherRows != rows || !llvm::is_sorted(otherReduced))
        continue;
      Value transposed = TransposeOp::create(rewriter, op.getLoc(), other.getType(), tensor, other.getPermutation());
      auto moved = cast<ReduceOp>(rewriter.clone(*reduce));
      moved->setOperand(0, transposed);
      moved.setDimensions(dims);
      moved->getResult(0).setType(op.getType());
      rewriter.replaceOp(op, moved->getResults());
      return success();
    }
    return failure();
  }
};

} // namespace

void mlir::xla::populateTransposePatterns(RewritePatternSet &patterns, bool device) {
  patterns.add<FoldTransposeIntoDot>(patterns.getContext(), device);
  patterns.add<FoldTransposeOfDot, FoldTransposeOfReduce, OrderContractedDims, FoldTransposedOperandsIntoDot>(
      patterns.getContext());
}
