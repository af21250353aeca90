// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-decompose-writes`: pad as a choice per element, and concatenate as one or as insertions of boxes into one
// uninitialised tensor.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/KernelNests.h"

namespace mlir::xla {
#define GEN_PASS_DEF_DECOMPOSEWRITES
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;

static Value insertBox(OpBuilder &b, Location loc, Value source, Value dest, ArrayRef<int64_t> offsets) {
  auto shape = cast<RankedTensorType>(source.getType()).getShape();
  SmallVector<OpFoldResult> mixedOffsets, sizes, strides;
  for (auto [offset, size] : llvm::zip_equal(offsets, shape)) {
    mixedOffsets.push_back(b.getIndexAttr(offset));
    sizes.push_back(b.getIndexAttr(size));
    strides.push_back(b.getIndexAttr(1));
  }
  return tensor::InsertSliceOp::create(b, loc, source, dest, mixedOffsets, sizes, strides);
}

/// linalg.generic ins(tensor.concat dim(1) %a, %b) by (i) -> (i, 1)  ->  linalg.generic ins(%b) by (i) -> (i, 0)
///
/// Reads of one of the tensors only, as of a component of the positions of a gather, do not need the others beside it.
static void readPieces(tensor::ConcatOp op) {
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || !reader.isDpsInput(&use))
      continue;
    AffineMap map = reader.getMatchingIndexingMap(&use);
    auto position = dyn_cast<AffineConstantExpr>(map.getResult(op.getDim()));
    if (!position)
      continue;
    int64_t index = position.getValue();
    for (Value input : op.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(op.getDim());
      if (index < size) {
        SmallVector<AffineExpr> exprs(map.getResults());
        exprs[op.getDim()] = getAffineConstantExpr(index, op.getContext());
        SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
        maps[use.getOperandNumber()] = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
        use.set(input);
        reader.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
        break;
      }
      index -= size;
    }
  }
}

/// The tensor that `value` is a part of, or has another shape than.
static Value wholeOf(Value value) {
  while (isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Is it in memory anyway? Anything else would be computed by a kernel that writes it to its place.
static bool isInMemory(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || isa<arith::ConstantOp, LoopLikeOpInterface>(op);
}

/// Is every element read once, by what computes a tensor element by element in the same order?
static bool readsElements(OpOperand &use) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  return reader && reader.getNumParallelLoops() == reader.getNumLoops() && reader.isDpsInput(&use) &&
         reader.getMatchingIndexingMap(&use).isIdentity();
}

/// Are these parts of one tensor that is computed, as a roll is made of? A kernel writes that to memory, or computes it
/// where it is read, if that is little.
static bool arePartsOfOne(ValueRange parts) {
  Value whole = wholeOf(parts.front());
  return parts.size() > 1 && whole.getDefiningOp<linalg::LinalgOp>() &&
         llvm::all_of(parts, [&](Value part) { return wholeOf(part) == whole; });
}

/// So few parts that choosing between them for each element takes little time.
static bool hasFewParts(tensor::ConcatOp op) {
  constexpr size_t mostParts = 4;
  return op.getInputs().size() <= mostParts && cast<RankedTensorType>(op.getType()).hasStaticShape();
}

/// Is `op` a few parts of one tensor, or each a part of what `isPart` accepts?
static bool isMadeOf(tensor::ConcatOp op, function_ref<bool(Value)> isPart) {
  return hasFewParts(op) && (arePartsOfOne(op.getInputs()) ||
                             llvm::all_of(op.getInputs(), [&](Value input) { return isPart(wholeOf(input)); }));
}

/// A box of neighbours, and no dimension less.
static bool isBox(tensor::ExtractSliceOp slice) {
  return slice.getType().hasStaticShape() && slice.hasUnitStride() &&
         slice.getType().getRank() == slice.getSourceType().getRank() &&
         llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic);
}

/// Are all of the tensors that `op` and the concatenations in it are made of in memory, or is it one that is computed?
static bool haveOneOrigin(tensor::ConcatOp op) {
  constexpr size_t most = 32;
  llvm::SmallSetVector<Value, 4> origins;
  llvm::SmallSetVector<Operation *, 4> concats;
  concats.insert(op);
  for (size_t i = 0; i < concats.size() && i < most; ++i)
    for (Value input : concats[i]->getOperands()) {
      Value whole = wholeOf(input);
      if (auto inner = whole.getDefiningOp<tensor::ConcatOp>())
        concats.insert(inner);
      else
        origins.insert(whole);
    }
  return concats.size() <= most &&
         (llvm::all_of(origins, isInMemory) || (origins.size() == 1 && origins[0].getDefiningOp<linalg::LinalgOp>()));
}

/// Does everything read the elements of `value`, or boxes of them, where they can be chosen?
static bool isReadByElement(Value value, int depth = 0) {
  constexpr int deepest = 4;
  auto isChoice = [&](OpOperand &use) {
    if (auto concat = dyn_cast<tensor::ConcatOp>(use.getOwner()))
      return hasFewParts(concat) && isReadByElement(concat, depth + 1);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
      return isBox(slice) && isReadByElement(slice, depth + 1);
    return readsElements(use);
  };
  return depth < deepest && llvm::all_of(value.getUses(), isChoice);
}

/// That box of `value`, or of what `value` is a box of.
static Value takeBox(OpBuilder &b, Location loc, Value value, SmallVector<int64_t> offsets, ArrayRef<int64_t> sizes) {
  for (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>(); slice && isBox(slice);
       slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    for (auto [offset, of] : llvm::zip_equal(offsets, slice.getStaticOffsets()))
      offset += of;
    value = slice.getSource();
  }
  auto whole = cast<RankedTensorType>(value.getType());
  if (whole.getShape() == sizes)
    return value;
  SmallVector<int64_t> strides(sizes.size(), 1);
  auto type = RankedTensorType::get(sizes, whole.getElementType());
  return tensor::ExtractSliceOp::create(b, loc, type, value, ValueRange(), ValueRange(), ValueRange(), offsets, sizes,
                                        strides);
}

/// tensor.extract_slice (tensor.concat dim(0) %a, %b)[1, 0] [4, 8]
///   ->  tensor.concat dim(0) (tensor.extract_slice %a[1, 0] [..]), (tensor.extract_slice %b[0, 0] [..])
///
/// of the parts that the box reaches, often a single one, as of an image that is padded with what is at its edges. Adds
/// the new concatenations.
static void sliceParts(SmallVectorImpl<tensor::ConcatOp> &concats) {
  SmallVector<tensor::ConcatOp> known = llvm::to_vector(concats);
  for (tensor::ConcatOp op : llvm::reverse(known)) {
    if (!hasFewParts(op) || !haveOneOrigin(op) || !isReadByElement(op))
      continue;
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice)
        continue;
      if (slice->use_empty()) {
        slice.erase();
        continue;
      }
      int64_t dim = op.getDim(), begin = slice.getStaticOffsets()[dim], end = begin + slice.getStaticSizes()[dim];
      struct Part {
        Value input;
        int64_t from, to;
      };
      SmallVector<Part> reached;
      for (Value input : op.getInputs()) {
        int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
        Part part{input, std::max<int64_t>(begin, 0), std::min(end, size)};
        if (part.from < part.to)
          reached.push_back(part);
        begin -= size;
        end -= size;
      }
      // What other concatenations are made of is chosen once for all of them.
      if (reached.size() > 1 && !llvm::all_of(slice->getUses(), readsElements))
        continue;
      OpBuilder b(slice);
      SmallVector<Value> boxes = llvm::map_to_vector(reached, [&](const Part &part) {
        SmallVector<int64_t> offsets(slice.getStaticOffsets()), sizes(slice.getStaticSizes());
        offsets[dim] = part.from;
        sizes[dim] = part.to - part.from;
        return takeBox(b, slice.getLoc(), part.input, offsets, sizes);
      });
      Value result = boxes.front();
      if (boxes.size() > 1) {
        concats.push_back(tensor::ConcatOp::create(b, slice.getLoc(), dim, boxes));
        result = concats.back();
      }
      slice.replaceAllUsesWith(result);
      slice.erase();
    }
    if (op->use_empty()) {
      llvm::erase(concats, op);
      op.erase();
    }
  }
}

/// Is it a part of another concatenation, or of a stack, and of nothing else?
static bool isPartOfOther(OpOperand &use) {
  Operation *user = use.getOwner();
  return isa<tensor::ConcatOp>(user) ||
         (isa<tensor::ExpandShapeOp>(user) &&
          llvm::all_of(user->getUsers(), [](Operation *each) { return isa<tensor::ConcatOp>(each); }));
}

/// Does nothing but a Fourier transform read it, which can choose as it loads an element (gpu/FuseTransforms.cpp)?
static bool isTransformed(Value value) {
  while (value.hasOneUse() && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(*value.user_begin()))
    value = (*value.user_begin())->getResult(0);
  auto call =
      value.hasOneUse() ? dyn_cast<mlir::xla::rt::LibraryCallOp>(*value.user_begin()) : mlir::xla::rt::LibraryCallOp();
  return call && call.getFunction().starts_with("xla_rt_fft_f");
}

/// Concatenations that need not be in memory, as each element can be chosen where it is read: jnp.roll is one. So are
/// those of which only such ones are made, as of an array that is rolled along two dimensions. On a device, where a
/// launch would wait for what is rolled, that is also where a kernel writes it as a part of a stack, and, whatever the
/// parts are, where a transform reads it.
static DenseSet<Operation *> findChoices(ArrayRef<tensor::ConcatOp> concats, bool device) {
  DenseSet<Operation *> choices;
  auto isChosen = [&](OpOperand &use) { return readsElements(use) || (device && isPartOfOther(use)); };
  for (tensor::ConcatOp op : concats)
    if ((device && hasFewParts(op) && isTransformed(op)) ||
        (!op->use_empty() && llvm::all_of(op->getUses(), isChosen) &&
         isMadeOf(op, [](Value part) { return isInMemory(part) || part.getDefiningOp<tensor::ConcatOp>(); })))
      choices.insert(op);
  SmallVector<Operation *> inner;
  for (tensor::ConcatOp op : concats) {
    auto isRead = [&](OpOperand &use) {
      Operation *user = use.getOwner();
      auto isChoice = [&](Operation *reader) { return choices.contains(reader); };
      return readsElements(use) || isChoice(user) ||
             (isa<tensor::ExtractSliceOp>(user) && llvm::all_of(user->getUsers(), isChoice));
    };
    if (!op->use_empty() && isMadeOf(op, isInMemory) && llvm::all_of(op->getUses(), isRead))
      inner.push_back(op);
  }
  choices.insert_range(inner);
  return choices;
}

/// The element of `parts`, which lie behind each other along `dim`, at `position`.
static Value chooseElement(OpBuilder &b, Location loc, ValueRange parts, int64_t dim, SmallVector<Value> position) {
  Value first = parts.front();
  int64_t size = cast<RankedTensorType>(first.getType()).getDimSize(dim);
  auto read = [&](OpBuilder &at) -> Value { return tensor::ExtractOp::create(at, loc, first, position); };
  if (parts.size() == 1)
    return read(b);
  Value end = arith::ConstantIndexOp::create(b, loc, size);
  Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, position[dim], end);
  auto here = [&](OpBuilder &branch, Location) { scf::YieldOp::create(branch, loc, read(branch)); };
  auto behind = [&](OpBuilder &branch, Location) {
    position[dim] = arith::SubIOp::create(branch, loc, position[dim], end);
    scf::YieldOp::create(branch, loc, chooseElement(branch, loc, parts.drop_front(), dim, position));
  };
  return scf::IfOp::create(b, loc, isHere, here, behind).getResult(0);
}

/// tensor.concat dim(d) %a, %b  ->  one generic: in front of %b an element of %a, from there on one of %b.
static void chooseOfParts(tensor::ConcatOp op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<Value> parts = llvm::filter_to_vector(
      op.getInputs(), [](Value part) { return cast<RankedTensorType>(part.getType()).getNumElements() != 0; });
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  auto body = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> position;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      position.push_back(linalg::IndexOp::create(body, loc, dim));
    linalg::YieldOp::create(body, loc, chooseElement(body, loc, parts, op.getDim(), position));
  };
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto chosen = linalg::GenericOp::create(b, op.getLoc(), type, ValueRange(), empty,
                                          b.getMultiDimIdentityMap(type.getRank()), iterators, body);
  op.replaceAllUsesWith(chosen.getResult(0));
  op.erase();
}

/// Does nothing compute an element of `value` where its column is not known, which would compute those of all columns?
/// It goes to memory, or into what is computed element by element and does.
static bool keepsColumns(Value value, int depth = 0) {
  constexpr int deepest = 8;
  return depth < deepest &&
         llvm::all_of(
             value.getUses(),
             [&](OpOperand &use) {
               Operation *user = use.getOwner();
               if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
                 return llvm::all_of(user->getUsers(),
                                     [](Operation *op) { return op->hasTrait<OpTrait::IsTerminator>(); });
               return user->hasTrait<OpTrait::IsTerminator>() || isa<mlir::xla::rt::ScatterOp>(user) ||
                      (readsElements(use) && keepsColumns(user->getResult(0), depth + 1));
             });
}

/// Columns that alternate along rows, such as pairs of indices, the parts of complex numbers and what is rotated.
static bool isOfColumns(tensor::ConcatOp op, bool device) {
  auto type = cast<RankedTensorType>(op.getType());
  return type.hasStaticShape() && int64_t(op.getDim()) == type.getRank() - 1 &&
         type.getShape().back() == int64_t(op.getInputs().size()) &&
         type.getShape().back() <= (device ? mlir::xla::kFewColumns : mlir::xla::kMostColumns) && keepsColumns(op);
}

/// linalg.generic {#transposed} ins(tensor.concat dim(0) %a : 1x64, %b ...)  ->  tensor.concat dim(1) %a : 64x1, %b ...
///
/// Rows that are stacked and transposed are columns, if a kernel can write all of them at once.
static tensor::ConcatOp columnsOfRows(tensor::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t count = op.getInputs().size(), rank = type.getRank();
  auto transposition = op->hasOneUse() ? dyn_cast<linalg::GenericOp>(*op->user_begin()) : linalg::GenericOp();
  if (op.getDim() != 0 || rank < 2 || !type.hasStaticShape() || count > mlir::xla::kMostColumns ||
      type.getDimSize(0) != count || !transposition || transposition.getInputs().size() != 1 ||
      transposition.getInputs()[0] != op.getResult() || transposition.getNumResults() != 1 ||
      transposition.getNumParallelLoops() != rank || !llvm::hasSingleElement(*transposition.getBody()) ||
      transposition.getBody()->getTerminator()->getOperand(0) != transposition.getBody()->getArgument(0))
    return {};
  SmallVector<AffineExpr> rows{getAffineDimExpr(rank - 1, op.getContext())};
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    rows.push_back(getAffineDimExpr(dim, op.getContext()));
  Value result = transposition.getResult(0);
  if (!transposition.getIndexingMapsArray()[1].isIdentity() ||
      transposition.getIndexingMapsArray()[0] != AffineMap::get(rank, 0, rows, op.getContext()) ||
      !keepsColumns(result))
    return {};
  OpBuilder b(op);
  SmallVector<ReassociationIndices> whole{{0, 1}}, last;
  for (int64_t dim = 2; dim < rank; ++dim)
    whole.push_back({dim});
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    last.push_back({dim});
  last.push_back({rank - 2, rank - 1});
  SmallVector<int64_t> shape(type.getShape().drop_front());
  auto element = type.getElementType();
  SmallVector<Value> columns;
  for (Value input : op.getInputs()) {
    auto expand = input.getDefiningOp<tensor::ExpandShapeOp>();
    Value row =
        expand && expand.getSrcType().getShape() == ArrayRef(shape)
            ? expand.getSrc()
            : tensor::CollapseShapeOp::create(b, op.getLoc(), RankedTensorType::get(shape, element), input, whole);
    SmallVector<int64_t> column(shape);
    column.push_back(1);
    columns.push_back(tensor::ExpandShapeOp::create(b, op.getLoc(), RankedTensorType::get(column, element), row, last));
  }
  auto stack = tensor::ConcatOp::create(b, op.getLoc(), rank - 1, columns);
  result.replaceAllUsesWith(stack);
  transposition.erase();
  op.erase();
  return stack;
}

/// A vector of a few numbers, as of the state of an equation.
static bool isOfNumbers(tensor::ConcatOp op) {
  constexpr size_t mostNumbers = 8;
  return op.getInputs().size() <= mostNumbers && llvm::all_of(op.getInputs(), [](Value input) {
           auto type = cast<RankedTensorType>(input.getType());
           return type.hasStaticShape() && type.getNumElements() == 1;
         });
}

/// tensor.concat %a, %b of a number or a column each  ->  linalg.generic ins(%a, %b) {index == 0 ? %a : %b}
///
/// It shares a kernel with what computes the numbers and what reads them. As insertions, each would be a kernel, and
/// the vector in memory between them: with two components, a step of an adaptive Runge-Kutta method had 14 kernels.
static void chooseNumber(tensor::ConcatOp op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op.getType());
  unsigned rank = type.getRank();
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  SmallVector<AffineExpr> first;
  for (unsigned dim = 0; dim < rank; ++dim)
    first.push_back(dim == op.getDim() || type.getDimSize(dim) == 1 ? b.getAffineConstantExpr(0)
                                                                    : b.getAffineDimExpr(dim));
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (Value input : op.getInputs()) {
    // A column is read as it was before it was one.
    auto expand = input.getDefiningOp<tensor::ExpandShapeOp>();
    bool isWhole = expand && op.getDim() + 1 == rank && expand.getSrcType().getShape() == type.getShape().drop_back();
    inputs.push_back(isWhole ? expand.getSrc() : input);
    maps.push_back(AffineMap::get(rank, 0, ArrayRef(first).drop_back(isWhole), op.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  auto body = [&](OpBuilder &body, Location loc, ValueRange numbers) {
    numbers = numbers.drop_back();
    Value position = linalg::IndexOp::create(body, loc, op.getDim()), chosen = numbers.back();
    for (int64_t i = static_cast<int64_t>(numbers.size()) - 2; i >= 0; --i) {
      Value here = arith::ConstantIndexOp::create(body, loc, i);
      Value isHere = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, position, here);
      chosen = arith::SelectOp::create(body, loc, isHere, numbers[i], chosen);
    }
    linalg::YieldOp::create(body, loc, chosen);
  };
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto chosen = linalg::GenericOp::create(b, op.getLoc(), type, inputs, empty, maps, iterators, body);
  op.replaceAllUsesWith(chosen.getResult(0));
  op.erase();
}

/// tensor.concat dim(d) %a, %b  ->  insert_slice %b into (insert_slice %a into empty)
static void decomposeConcat(tensor::ConcatOp op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value result = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  SmallVector<int64_t> offsets(type.getRank(), 0);
  for (Value input : op.getInputs()) {
    auto inputType = cast<RankedTensorType>(input.getType());
    if (inputType.getNumElements() != 0)
      result = insertBox(b, op.getLoc(), input, result, offsets);
    offsets[op.getDim()] += inputType.getDimSize(op.getDim());
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

/// tensor.pad %a low[..] high[..] {%c}  ->  one generic: inside the source its element, elsewhere %c. Reads that do not
/// happen cost nothing, and one nest compiles faster than a box per side.
static LogicalResult decomposePad(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  auto type = cast<RankedTensorType>(op.getType());
  if (!padding || !type.hasStaticShape() || llvm::any_of(op.getStaticLow(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticHigh(), ShapedType::isDynamic))
    return op.emitOpError("needs static amounts and one padding value at this stage");
  OpBuilder b(op);
  ArrayRef<int64_t> source = op.getSourceType().getShape();
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  auto element = [&](OpBuilder &body, Location loc) -> Value {
    SmallVector<Value> position;
    Value isInside;
    for (auto [dim, size] : llvm::enumerate(source)) {
      Value index = linalg::IndexOp::create(body, loc, dim);
      if (size != type.getDimSize(dim)) {
        Value low = arith::ConstantIndexOp::create(body, loc, op.getStaticLow()[dim]);
        Value extent = arith::ConstantIndexOp::create(body, loc, size);
        index = arith::SubIOp::create(body, loc, index, low);
        // As unsigned numbers, positions before the source are far behind it.
        Value fits = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult, index, extent);
        isInside = isInside ? arith::AndIOp::create(body, loc, isInside, fits).getResult() : fits;
      }
      position.push_back(index);
    }
    auto read = [&](OpBuilder &branch, Location at) {
      scf::YieldOp::create(branch, at, tensor::ExtractOp::create(branch, at, op.getSource(), position).getResult());
    };
    auto pad = [&](OpBuilder &branch, Location at) { scf::YieldOp::create(branch, at, padding); };
    if (!isInside)
      return tensor::ExtractOp::create(body, loc, op.getSource(), position);
    return scf::IfOp::create(body, loc, isInside, read, pad).getResult(0);
  };
  Value result;
  if (op.getSourceType().getNumElements() == 0) {
    result = linalg::FillOp::create(b, op.getLoc(), padding, empty).getResult(0);
  } else {
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    result =
        linalg::GenericOp::create(
            b, op.getLoc(), type, ValueRange(), empty, b.getMultiDimIdentityMap(type.getRank()), iterators,
            [&](OpBuilder &body, Location loc, ValueRange) { linalg::YieldOp::create(body, loc, element(body, loc)); })
            .getResult(0);
  }
  op.replaceAllUsesWith(result);
  op.erase();
  return success();
}

namespace {
struct DecomposeWritesPass : public mlir::xla::impl::DecomposeWritesBase<DecomposeWritesPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<tensor::ConcatOp> concats;
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](Operation *op) {
      if (auto concat = dyn_cast<tensor::ConcatOp>(op))
        concats.push_back(concat);
      else if (auto pad = dyn_cast<tensor::PadOp>(op))
        pads.push_back(pad);
    });
    llvm::for_each(concats, readPieces);
    sliceParts(concats);
    DenseSet<Operation *> choices = findChoices(concats, device);
    for (tensor::ConcatOp concat : concats) {
      bool isChoice = choices.contains(concat);
      if (!device && !isChoice)
        if (tensor::ConcatOp columns = columnsOfRows(concat))
          concat = columns;
      if (concat->use_empty())
        concat.erase();
      else if (isChoice)
        chooseOfParts(concat);
      else if (isOfNumbers(concat) || isOfColumns(concat, device))
        chooseNumber(concat);
      else
        decomposeConcat(concat);
    }
    for (tensor::PadOp pad : pads)
      if (failed(decomposePad(pad)))
        return signalPassFailure();
  }
};
} // namespace
