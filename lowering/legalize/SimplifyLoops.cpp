// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted loops: short ones become straight code, and contractions of one slice of an array per iteration become one
// contraction of the array.

#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/ProductWork.h"
#include "mlir_xla/lowering/legalize/Build.h"
#include "mlir_xla/lowering/legalize/SimplifyPatterns.h"
#include "mlir_xla/lowering/legalize/TripCount.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xla;

namespace {

/// Operations that a loop may become, and iterations of one that does.
constexpr int64_t kMostUnrolled = 512, kFewIterations = 8;
/// Elements of an array whose slices and other forms are folded, or cost nothing.
constexpr int64_t kSmallArray = 64;
/// Bytes of the products of all iterations: a last-level cache and a little more.
constexpr int64_t kMostBytes = 64 << 20;

bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() <= kSmallArray;
}

/// Of operations that one kernel computes, element by element, whatever their number?
bool isElementwise(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    if (op.hasTrait<IsElementwise>() || isa<ConstantOp, BroadcastInDimOp, IotaOp>(op))
      return true;
    return op.getNumRegions() == 0 && isa<SliceOp, ReshapeOp, DynamicSliceOp>(op) && isSmall(op.getOperand(0));
  });
}

bool unroll(WhileOp loop) {
  std::optional<int64_t> iterations = tripCount(loop);
  Block &body = loop.getBody().front();
  if (!iterations || *iterations > kFewIterations ||
      *iterations * static_cast<int64_t>(body.getOperations().size()) > kMostUnrolled || !isElementwise(body))
    return false;
  OpBuilder builder(loop);
  SmallVector<Value> values(loop.getOperands());
  for (int64_t i = 0; i < *iterations; ++i) {
    IRMapping mapping;
    mapping.map(body.getArguments(), values);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    values = llvm::map_to_vector(body.getTerminator()->getOperands(),
                                 [&](Value value) { return mapping.lookupOrDefault(value); });
  }
  loop.replaceAllUsesWith(values);
  loop.erase();
  return true;
}

/// An operand of a contraction in a loop that is one index of an array from outside it.
struct Slice {
  DynamicSliceOp op;
  int64_t index = 0;          // the dimension of the array
  int64_t dim = 0;            // the same of the array without what else the reshape drops
  SmallVector<int64_t> shape; // of that
};

bool isOutside(Value value, WhileOp loop) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }

std::optional<Slice> sliceOf(Value value, WhileOp loop) {
  Slice slice;
  auto reshape = value.getDefiningOp<ReshapeOp>();
  slice.op = reshape ? reshape.getOperand().getDefiningOp<DynamicSliceOp>() : DynamicSliceOp();
  if (!slice.op || !isOutside(slice.op.getOperand(), loop))
    return std::nullopt;
  ArrayRef<int64_t> shape = TensorBuilder::typeOf(slice.op.getOperand()).getShape(), sizes = slice.op.getSliceSizes();
  ArrayRef<int64_t> left = TensorBuilder::typeOf(value).getShape(); // the reshape's, dimension by dimension
  bool isFound = false;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (!isFound && size == 1 && shape[d] > 1) {
      isFound = true;
      slice.index = d;
      slice.dim = slice.shape.size();
      slice.shape.push_back(shape[d]);
    } else if (size != shape[d]) {
      return std::nullopt;
    } else if (!left.empty() && left.front() == size) {
      slice.shape.push_back(size);
      left = left.drop_front();
    } else if (size != 1) {
      return std::nullopt;
    }
  }
  return isFound && left.empty() ? std::optional(slice) : std::nullopt;
}

SmallVector<int64_t> shifted(ArrayRef<int64_t> dims, int64_t from) {
  return llvm::map_to_vector(dims, [&](int64_t d) { return d >= from ? d + 1 : d; });
}

/// What became of a contraction of slices in a loop: one of the whole array before it.
struct Hoisted {
  DotGeneralOp products;
  DynamicSliceOp slice; // of the products, in the loop
  bool isLeftSliced;
  // What it was; the result is made of the slice now.
  Value left, right, result;
  DotDimensionNumbersAttr dims;
};

/// Whether there are iterations for all slices, and room for the products of all, each of which is a `type`.
bool isWorthAll(const Slice &slice, RankedTensorType type, int64_t iterations) {
  int64_t count = slice.shape[slice.dim];
  return type.hasStaticShape() && iterations >= count &&
         count * type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8) <= kMostBytes;
}

/// dot_general(x[i], w) in a loop, w and x from outside  ->  (dot_general(x, w))[i], the product outside
std::optional<Hoisted> hoist(DotGeneralOp dot, WhileOp loop, int64_t iterations) {
  std::optional<Slice> lhs = sliceOf(dot.getLhs(), loop), rhs = sliceOf(dot.getRhs(), loop);
  bool isLhs = lhs && isOutside(dot.getRhs(), loop), isRhs = rhs && isOutside(dot.getLhs(), loop);
  if (isLhs == isRhs)
    return std::nullopt;
  Slice slice = isLhs ? *lhs : *rhs;
  int64_t count = slice.shape[slice.dim];
  auto type = TensorBuilder::typeOf(dot);
  if (!isWorthAll(slice, type, iterations))
    return std::nullopt;

  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  SmallVector<int64_t> batching(isLhs ? dims.getLhsBatchingDimensions() : dims.getRhsBatchingDimensions()),
      contracting(isLhs ? dims.getLhsContractingDimensions() : dims.getRhsContractingDimensions());
  // The new dimension of the result is the free one of the array that `slice.dim` is.
  auto freeBelow = [](ArrayRef<int64_t> bound, ArrayRef<int64_t> other, int64_t end) {
    int64_t count = 0;
    for (int64_t d = 0; d < end; ++d)
      count += !llvm::is_contained(bound, d) && !llvm::is_contained(other, d);
    return count;
  };
  int64_t place = batching.size() + freeBelow(batching, contracting, slice.dim);
  if (!isLhs)
    place += freeBelow(dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions(),
                       TensorBuilder::typeOf(dot.getLhs()).getRank());
  batching = shifted(batching, slice.dim);
  contracting = shifted(contracting, slice.dim);
  ArrayRef<int64_t> otherBatching = isLhs ? dims.getRhsBatchingDimensions() : dims.getLhsBatchingDimensions(),
                    otherContracting = isLhs ? dims.getRhsContractingDimensions() : dims.getLhsContractingDimensions();
  auto newDims =
      isLhs ? DotDimensionNumbersAttr::get(dot.getContext(), batching, otherBatching, contracting, otherContracting)
            : DotDimensionNumbersAttr::get(dot.getContext(), otherBatching, batching, otherContracting, contracting);
  SmallVector<int64_t> shape(type.getShape()), sizes(type.getShape());
  shape.insert(shape.begin() + place, count);
  sizes.insert(sizes.begin() + place, 1);
  OpBuilder outside(loop);
  Value array = slice.op.getOperand();
  if (auto arrayType = TensorBuilder::typeOf(array); arrayType.getShape() != ArrayRef<int64_t>(slice.shape))
    array = ReshapeOp::create(outside, dot.getLoc(), arrayType.clone(slice.shape), array);
  auto products =
      DotGeneralOp::create(outside, dot.getLoc(), type.clone(shape), isLhs ? array : dot.getLhs(),
                           isLhs ? dot.getRhs() : array, newDims, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
  TensorBuilder b(dot.getLoc(), dot);
  Value index = slice.op.getStartIndices()[slice.index];
  Type indexType = TensorBuilder::typeOf(index).getElementType();
  SmallVector<Value> starts(shape.size(), b.scalar(indexType, int64_t(0)));
  starts[place] = index;
  auto read = DynamicSliceOp::create(b, type.clone(sizes), products, starts, sizes);
  Hoisted hoisted{products, read, isLhs, dot.getLhs(), dot.getRhs(), b.reshape(read, type.getShape()), dims};
  dot.replaceAllUsesWith(hoisted.result);
  dot.erase();
  return hoisted;
}

/// Elements that sums add up as they are, so that the sum of two sums is no less exact than that of all.
bool isAddedAsIs(DotGeneralOp dot) {
  Type element = TensorBuilder::typeOf(dot).getElementType();
  return (element.isF32() || element.isF64()) && TensorBuilder::typeOf(dot.getLhs()).getElementType() == element &&
         TensorBuilder::typeOf(dot.getRhs()).getElementType() == element;
}

/// dot_general(concatenate(x[i], h), w) in a loop, w and x from outside
///   ->  dot_general(x[i], w's first rows) + dot_general(h, its other rows)
/// The first of these can be a slice of a product outside. Returns the products.
SmallVector<DotGeneralOp> splitConcatenated(DotGeneralOp dot, WhileOp loop, int64_t iterations) {
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> left = dims.getLhsContractingDimensions(), right = dims.getRhsContractingDimensions();
  for (bool isLeft : {true, false}) {
    auto concatenated = (isLeft ? dot.getLhs() : dot.getRhs()).getDefiningOp<ConcatenateOp>();
    Value other = isLeft ? dot.getRhs() : dot.getLhs();
    ArrayRef<int64_t> own = isLeft ? left : right, others = isLeft ? right : left;
    const auto *position = concatenated ? llvm::find(own, concatenated.getDimension()) : own.end();
    if (position == own.end() || isOutside(concatenated, loop) || !isOutside(other, loop) || !isAddedAsIs(dot))
      continue;
    auto dim = static_cast<int64_t>(concatenated.getDimension()), otherDim = others[position - own.begin()];
    auto isHoisted = [&](Value part) {
      std::optional<Slice> slice = sliceOf(part, loop);
      return slice && isWorthAll(*slice, TensorBuilder::typeOf(dot), iterations);
    };
    if (concatenated->getNumOperands() < 2 || llvm::none_of(concatenated->getOperands(), isHoisted) ||
        llvm::all_of(concatenated->getOperands(), isHoisted))
      continue;

    // What stays in the loop stays together as far as it is next to each other.
    SmallVector<SmallVector<Value>> groups;
    for (Value part : concatenated->getOperands()) {
      if (groups.empty() || isHoisted(part) || isHoisted(groups.back().back()))
        groups.emplace_back();
      groups.back().push_back(part);
    }
    OpBuilder outside(loop);
    TensorBuilder b(dot.getLoc(), dot);
    auto otherType = TensorBuilder::typeOf(other);
    SmallVector<int64_t> starts(otherType.getRank(), 0), ends(otherType.getShape()), strides(otherType.getRank(), 1);
    ends[otherDim] = 0;
    SmallVector<DotGeneralOp> products;
    Value sum;
    for (ArrayRef<Value> group : groups) {
      int64_t size = 0;
      for (Value part : group)
        size += TensorBuilder::typeOf(part).getDimSize(dim);
      SmallVector<int64_t> shape(TensorBuilder::typeOf(concatenated).getShape()), rows(otherType.getShape());
      shape[dim] = rows[otherDim] = size;
      Value joined =
          group.size() == 1
              ? group[0]
              : ConcatenateOp::create(b, dot.getLoc(), TensorBuilder::typeOf(concatenated).clone(shape), group, dim);
      starts[otherDim] = ends[otherDim];
      ends[otherDim] += size;
      Value part = SliceOp::create(outside, dot.getLoc(), otherType.clone(rows), other, starts, ends, strides);
      products.push_back(DotGeneralOp::create(b, dot.getLoc(), dot.getType(), isLeft ? joined : part,
                                              isLeft ? part : joined, dims, dot.getPrecisionConfigAttr(),
                                              dot.getAlgorithmAttr()));
      sum = sum ? b.add(sum, products.back()) : products.back();
    }
    dot.replaceAllUsesWith(sum);
    dot.erase();
    return products;
  }
  return {dot};
}

/// A product of two matrices, in numbers of each of its loops; null of another one.
struct MatrixProduct {
  int64_t rows, columns, steps;
  int64_t multiplications() const { return rows * columns * steps; }
};

std::optional<MatrixProduct> matrixProduct(Value left, Value right, DotDimensionNumbersAttr dims) {
  RankedTensorType leftType = TensorBuilder::typeOf(left), rightType = TensorBuilder::typeOf(right);
  if (leftType.getRank() != 2 || rightType.getRank() != 2 || !dims.getLhsBatchingDimensions().empty() ||
      dims.getLhsContractingDimensions().size() != 1)
    return std::nullopt;
  int64_t leftDim = dims.getLhsContractingDimensions()[0], rightDim = dims.getRhsContractingDimensions()[0];
  return MatrixProduct{leftType.getDimSize(1 - leftDim), rightType.getDimSize(1 - rightDim),
                       leftType.getDimSize(leftDim)};
}

/// The products of matrices of which `value` is a sum, with whatever else.
void addends(Value value, SmallVectorImpl<MatrixProduct> &products, unsigned depth = 0) {
  constexpr unsigned deep = 4;
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || depth > deep)
    return;
  if (auto dot = dyn_cast<DotGeneralOp>(op); dot && isAddedAsIs(dot)) {
    if (auto product = matrixProduct(dot.getLhs(), dot.getRhs(), dot.getDotDimensionNumbers()))
      products.push_back(*product);
  } else if (isa<AddOp>(op)) {
    for (Value operand : op->getOperands())
      addends(operand, products, depth + 1);
  }
}

/// Is the product only added to others, with which it is one kernel that is work for all cores (kernels/ProductSums)?
bool isWorkWithOthers(const Hoisted &hoisted, const Machine &machine) {
  Type element = TensorBuilder::typeOf(hoisted.result).getElementType();
  std::optional<MatrixProduct> own = matrixProduct(hoisted.left, hoisted.right, hoisted.dims);
  if (!own || !hoisted.isLeftSliced || !isAddedAsIs(hoisted.products))
    return false;
  SmallVector<MatrixProduct> products{*own};
  for (Value sum = hoisted.result; sum.hasOneUse();) {
    auto add = dyn_cast<AddOp>(*sum.user_begin());
    if (!add)
      break;
    for (Value operand : add->getOperands())
      if (operand != sum)
        addends(operand, products);
    sum = add;
  }
  int64_t multiplications = 0, columns = 0;
  for (const MatrixProduct &product : products) {
    if (product.multiplications() >= kProductOfCores)
      return false;
    multiplications += product.multiplications();
    columns += product.columns * product.steps;
  }
  return products.size() > 1 && multiplications >= kProductsOfKernel &&
         columns * element.getIntOrFloatBitWidth() / 8 <= machine.l2Share();
}

/// Does the product of one iteration, by itself, take no longer than its part of the product of all? It is work for all
/// cores, alone or with others, or it is small and its factors stay in the first-level cache. Measured with two threads
/// on a Zen 4, products in the loop took, of the time of those before it: 0.95 to 1.03 (2 to 8 million multiplications
/// in an iteration), 1.05 to 1.3 (0.5 to 1.8 million), 0.88 to 1.0 (up to 4 rows, 4 KiB of the other factor), 1.1
/// to 1.3 (8 rows, or 16 KiB). Products of several iterations at a time, in a loop around this one, took 1.1 to 1.5.
bool isAsFastAlone(const Hoisted &hoisted) {
  constexpr int64_t fewRows = 4, smallFactor = 8 << 10;
  Machine machine;
  auto [sliced, other] =
      hoisted.isLeftSliced ? std::pair(hoisted.left, hoisted.right) : std::pair(hoisted.right, hoisted.left);
  auto slicedType = TensorBuilder::typeOf(sliced), otherType = TensorBuilder::typeOf(other),
       type = TensorBuilder::typeOf(hoisted.result);
  ArrayRef<int64_t> contracting =
      hoisted.isLeftSliced ? hoisted.dims.getLhsContractingDimensions() : hoisted.dims.getRhsContractingDimensions();
  int64_t steps = 1;
  for (int64_t d : contracting)
    steps *= slicedType.getDimSize(d);
  int64_t factorBytes = otherType.getNumElements() * llvm::divideCeil(otherType.getElementTypeBitWidth(), 8);
  bool isSmall = slicedType.getNumElements() <= fewRows * steps && factorBytes <= smallFactor;
  return isSmall || type.getNumElements() * steps >= kProductOfCores || isWorkWithOthers(hoisted, machine);
}

/// Has each iteration compute its product again, unless the loop does more with the products of all. Those take memory.
void sink(Hoisted &hoisted) {
  if (!hoisted.products->hasOneUse() || hoisted.slice.getOperand() != hoisted.products.getResult())
    return;
  OpBuilder builder(hoisted.slice);
  Value product = DotGeneralOp::create(builder, hoisted.products.getLoc(), hoisted.result.getType(), hoisted.left,
                                       hoisted.right, hoisted.dims, hoisted.products.getPrecisionConfigAttr(),
                                       hoisted.products.getAlgorithmAttr());
  hoisted.result.replaceAllUsesWith(product);
  hoisted.result.getDefiningOp()->erase();
  hoisted.slice.erase();
  hoisted.products.erase();
}

} // namespace

bool mlir::xla::simplifyLoops(Operation *program, bool sinksProducts, bool device) {
  SmallVector<WhileOp> loops; // inner ones first
  program->walk([&](WhileOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (WhileOp loop : loops) {
    if (unroll(loop)) {
      changed = true;
      continue;
    }
    changed |= hoistInvariants(loop);
    SmallVector<Hoisted> hoisted;
    if (std::optional<int64_t> iterations = tripCount(loop))
      for (DotGeneralOp whole : llvm::to_vector(loop.getBody().front().getOps<DotGeneralOp>()))
        for (DotGeneralOp dot : device ? splitConcatenated(whole, loop, *iterations) : SmallVector{whole})
          if (std::optional<Hoisted> found = hoist(dot, loop, *iterations))
            hoisted.push_back(*found);
    changed |= !hoisted.empty();
    // Kernels of a device that write a stack which nobody reads are launched with others.
    if (!device)
      changed |= stackInPlace(loop);
    for (Hoisted &each : hoisted)
      if (sinksProducts && isAsFastAlone(each))
        sink(each);
    if (!device)
      changed |= transposeFactors(loop);
  }
  return changed;
}
