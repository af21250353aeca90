// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-order-scatters`: index vectors of scatters as words, sorted, so that those of one place follow each other, or
// dealt to those who own places.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/linalg/Build.h"
#include "mlir_xla/lowering/nest/AtomicCombiner.h"
#include "mlir_xla/lowering/xla_rt/DealtPlaces.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::xla {
#define GEN_PASS_DEF_ORDERSCATTERS
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

/// Index vectors at which blocks that own ranges of places look in less time than sorting takes, and those for which
/// that takes less than one launch more.
static constexpr int64_t kFewToSort = 1 << 13, kFewInOrder = 1 << 11;
/// Updates of which parts have the same index vectors and are all updated by owners who look at these.
static constexpr int64_t kManyUpdates = 1 << 16;

namespace {

/// The words of a scatter's index vectors.
class Words {
public:
  explicit Words(rt::ScatterOp op) : op(op), dealt(op) {
    for (int64_t dim : op.getBatch()) {
      batchSizes.push_back(op.getUpdateShape()[dim]);
      count *= batchSizes.back();
    }
    for (auto [size, start, step] : llvm::zip_equal(op.getOutShape(), op.getStarts(), op.getSteps()))
      if (start >= 0 || batchDim(step) >= 0)
        places *= size;
    bits = llvm::Log2_64_Ceil(count);
    // One place more is outside.
    all = bits + llvm::Log2_64_Ceil(places + 1);
    width = all <= 32 ? 32 : all <= 64 ? 64 : 0;
  }

  /// Whether updates of one place may be anywhere, so that finding them takes long.
  bool areWanted() const {
    if (count < 2)
      return false;
    ArrayRef<int64_t> update = op.getUpdateShape();
    bool mayMeet = false;
    for (auto [size, start, step] : llvm::zip_equal(op.getOutShape(), op.getStarts(), op.getSteps()))
      if (start >= 0 && step >= 0 && update[step] != 1)
        return false; // windows at different places may meet
    for (auto [size, dim] : llvm::zip_equal(batchSizes, op.getBatch()))
      mayMeet |= size > 1 && !llvm::is_contained(op.getSteps(), dim);
    bool isMuch = count > (areInOrder() ? kFewInOrder : kFewToSort) ||
                  (areShared() && ShapedType::getNumElements(update) >= kManyUpdates);
    return mayMeet && isMuch && !op.getUnique() && !op.hasWords() && !atomicCombiner(op) && (width != 0 || areDealt());
  }

  /// Whether owners get them, who read a word's updates along the window. Where that goes across their rows,
  /// neighbouring threads have words that are neighbours in the order of all.
  bool areDealt() const {
    int64_t last = op.getUpdateShape().size() - 1;
    while (last > 0 && op.getUpdateShape()[last] == 1)
      --last;
    bool isAlong = iterationsOfWindow() == 1 || !llvm::is_contained(op.getBatch(), last);
    bool isBytes = getElementTypeOrSelf(op.getIndices().getType()).getIntOrFloatBitWidth() % 8 == 0;
    return isAlong && isBytes && dealt.wordBytes != 0 && !areInOrder();
  }

  Value build(OpBuilder &b) const;
  Value deal(OpBuilder &b) const;

  int64_t numberBits() const { return bits; }

private:
  int64_t iterationsOfWindow() const { return ShapedType::getNumElements(op.getUpdateShape()) / count; }

  /// The dimension of the index vectors that dimension `dim` of the updates walks, or -1.
  int64_t batchDim(int64_t dim) const {
    auto found = llvm::find(op.getBatch(), dim);
    return found == op.getBatch().end() ? -1 : found - op.getBatch().begin();
  }

  /// Whether rows of updates, or whatever is outside of the index vectors, all have these.
  bool areShared() const {
    int64_t last = *llvm::max_element(op.getBatch());
    return llvm::any_of(llvm::seq<int64_t>(last), [&](int64_t dim) {
      return op.getUpdateShape()[dim] > 1 && !llvm::is_contained(op.getBatch(), dim);
    });
  }

  /// Whether index vectors of one place follow each other, by promise: they ascend along their last dimension, and the
  /// others are batches with places of their own.
  bool areInOrder() const {
    if (!op.getSorted() || llvm::count_if(op.getStarts(), [](int64_t start) { return start >= 0; }) != 1)
      return false;
    for (auto [size, dim] : llvm::zip_equal(ArrayRef(batchSizes).drop_back(), op.getBatch().drop_back()))
      if (size > 1 && !llvm::is_contained(op.getSteps(), dim))
        return false;
    return !llvm::is_contained(op.getSteps(), op.getBatch().back());
  }

  mutable rt::ScatterOp op;
  DealtPlaces dealt;
  SmallVector<int64_t> batchSizes;
  int64_t count = 1, places = 1, bits, all, width; // bits of a number, of a word, and of its memory
};

/// What computes `value`, if nobody reads it any more.
void eraseUnread(Value value) {
  llvm::SetVector<Operation *> unread;
  if (Operation *op = value.getDefiningOp())
    unread.insert(op);
  while (!unread.empty()) {
    Operation *op = unread.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *other = operand.getDefiningOp())
        unread.insert(other);
    op->erase();
  }
}

struct OrderScattersPass : public mlir::xla::impl::OrderScattersBase<OrderScattersPass> {
  void runOnOperation() override {
    getOperation().walk([](rt::ScatterOp op) {
      Words words(op);
      if (!words.areWanted())
        return;
      OpBuilder b(op);
      bool areDealt = words.areDealt();
      Value before = op.getIndices();
      op.getIndicesMutable().assign(areDealt ? words.deal(b) : words.build(b));
      if (areDealt)
        op.setDealt(true);
      else
        op.setOrdered(words.numberBits());
      op.setSorted(false);
      eraseUnread(before);
      TypedAttr init = op.getInitAttr();
      if (!init)
        return;
      Value scalar = arith::ConstantOp::create(b, op.getLoc(), init);
      auto type = cast<RankedTensorType>(op.getOuts()[0].getType());
      op.getOutsMutable().assign(buildFill(b, op.getLoc(), type, scalar));
      op.removeInitAttr();
    });
  }
};

} // namespace

Value Words::build(OpBuilder &b) const {
  MLIRContext *context = b.getContext();
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  int64_t rank = batchSizes.size(), vector = op.getVector();
  auto type = RankedTensorType::get(batchSizes, b.getIntegerType(width));
  // One input per component of the index vector.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  int64_t components = vector < indices.getRank() ? indices.getDimSize(vector) : 1;
  for (int64_t component = 0; component < components; ++component) {
    SmallVector<AffineExpr> exprs;
    for (int64_t d = 0; d < indices.getRank(); ++d)
      exprs.push_back(d == vector ? getAffineConstantExpr(component, context)
                                  : getAffineDimExpr(d < vector ? d : d - 1, context));
    inputs.push_back(op.getIndices());
    maps.push_back(AffineMap::get(rank, 0, exprs, context));
  }

  auto body = [&](OpBuilder &inner, Location loc, ValueRange start) {
    ImplicitLocOpBuilder in(loc, inner);
    Type word = type.getElementType();
    auto constant = [&](int64_t value, Type type) -> Value {
      return arith::ConstantOp::create(in, in.getIntegerAttr(type, value));
    };
    auto as = [&](Value value, Type type) -> Value {
      if (value.getType().getIntOrFloatBitWidth() == type.getIntOrFloatBitWidth())
        return value;
      if (value.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
        return arith::TruncIOp::create(in, type, value);
      return op.getIsUnsigned() ? arith::ExtUIOp::create(in, type, value).getResult()
                                : arith::ExtSIOp::create(in, type, value).getResult();
    };
    auto position = [&](int64_t dim) -> Value {
      return arith::IndexCastOp::create(in, word, linalg::IndexOp::create(in, dim));
    };
    auto append = [&](Value number, int64_t size, Value digit) -> Value {
      if (!number)
        return digit;
      return arith::AddIOp::create(in, arith::MulIOp::create(in, number, constant(size, word)), digit);
    };
    Value place, number, inside;
    for (auto [size, component, step] : llvm::zip_equal(op.getOutShape(), op.getStarts(), op.getSteps())) {
      if (component >= 0) {
        Value index = as(start[component], in.getI64Type());
        Value isInside = arith::CmpIOp::create(in, arith::CmpIPredicate::ult, index, constant(size, in.getI64Type()));
        inside = inside ? arith::AndIOp::create(in, inside, isInside).getResult() : isInside;
        place = append(place, size, as(index, word));
      } else if (int64_t dim = batchDim(step); dim >= 0) {
        place = append(place, size, position(dim));
      }
    }
    for (auto [dim, size] : llvm::enumerate(batchSizes))
      number = append(number, size, position(dim));
    if (inside)
      place = arith::SelectOp::create(in, inside, place, constant(places, word));
    Value result = arith::ShLIOp::create(in, place, constant(bits, word));
    return SmallVector<Value>{arith::OrIOp::create(in, result, number)};
  };
  Value words = buildReshape(b, op.getLoc(), buildElementwise(b, op.getLoc(), type, inputs, maps, body), count);
  if (areInOrder())
    return words;
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), count, type.getElementType());
  constexpr int64_t costOfWord = 10;
  return rt::LibraryCallOp::create(b, op.getLoc(), empty.getType(), "xla_rt_sort_words", words, empty,
                                   ArrayRef<int64_t>{count, width / 8, all, bits}, /*work=*/1, costOfWord * count,
                                   /*scratch=*/0)
      .getResult(0);
}

namespace {
/// Where a component of index vectors is: in a buffer that has so many of them. What is below zero has `wrap` added.
struct Component {
  Value buffer;
  int64_t number, components, wrap = 0;
};
} // namespace

/// The op of `generic` if it has no other, and takes the same elements of all inputs.
static Operation *onlyOp(linalg::GenericOp generic) {
  if (!generic || generic.getNumDpsInits() != 1 || generic.getNumParallelLoops() != generic.getNumLoops() ||
      !llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return nullptr;
  Block &body = *generic.getBody();
  Operation &op = body.front();
  bool isOnly = op.getNumResults() == 1 && op.getNextNode() == body.getTerminator() &&
                body.getTerminator()->getOperand(0) == op.getResult(0) &&
                op.getOperands() == ValueRange(body.getArguments().drop_back());
  return isOnly ? &op : nullptr;
}

/// Every element of `value`, if that is one constant.
static std::optional<int64_t> constantIn(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  return elements.getSplatValue<APInt>().getSExtValue();
}

/// x of `select(x < 0, x + wrap, x)`; null if `value` is none.
static Value matchWrap(Value value, int64_t &wrap) {
  auto choice = value.getDefiningOp<linalg::GenericOp>();
  if (!isa_and_present<arith::SelectOp>(onlyOp(choice)))
    return {};
  Value x = choice.getDpsInputs()[2];
  auto below = choice.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>(),
       sum = choice.getDpsInputs()[1].getDefiningOp<linalg::GenericOp>();
  auto compare = dyn_cast_if_present<arith::CmpIOp>(onlyOp(below));
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt || below.getDpsInputs()[0] != x ||
      constantIn(below.getDpsInputs()[1]) != 0 || !isa_and_present<arith::AddIOp>(onlyOp(sum)) ||
      sum.getDpsInputs()[0] != x)
    return {};
  std::optional<int64_t> added = constantIn(sum.getDpsInputs()[1]);
  if (!added)
    return {};
  wrap = *added;
  return x;
}

/// Looks through what makes no difference to the order of elements, the one of components beside each other, and
/// negative numbers that count from the end.
static Component findComponent(Value indices, int64_t vector, int64_t number, int64_t components, bool isUnsigned) {
  Component found{indices, number, components};
  while (Operation *op = found.buffer.getDefiningOp()) {
    Value next;
    int64_t wrap;
    auto concat = dyn_cast<tensor::ConcatOp>(op);
    if (found.components == 1 && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      next = op->getOperand(0);
    } else if (concat && found.buffer == indices && static_cast<int64_t>(concat.getDim()) == vector &&
               static_cast<int64_t>(concat.getInputs().size()) == components) {
      next = concat.getInputs()[number];
      found.number = 0;
      found.components = 1;
    } else if (!isUnsigned && found.wrap == 0 && (next = matchWrap(found.buffer, wrap))) {
      found.wrap = wrap;
    }
    if (!next)
      break;
    found.buffer = next;
  }
  return found;
}

/// A block for each tile makes words of index vectors itself.
Value Words::deal(OpBuilder &b) const {
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  int64_t vector = op.getVector(), rank = indices.getRank(), bytes = indices.getElementTypeBitWidth() / 8, inner = 1;
  for (int64_t dim = vector + 1; dim < rank; ++dim)
    inner *= indices.getDimSize(dim);
  int64_t components = vector < rank ? indices.getDimSize(vector) : 1;
  llvm::SetVector<Value> buffers;
  SmallVector<int64_t> axes, strides = computeStrides(batchSizes);
  for (auto [size, component, step] : llvm::zip_equal(op.getOutShape(), op.getStarts(), op.getSteps())) {
    if (component >= 0) {
      Component found = findComponent(op.getIndices(), vector, component, components, op.getIsUnsigned());
      buffers.insert(found.buffer);
      int64_t buffer = llvm::find(buffers, found.buffer) - buffers.begin();
      llvm::append_values(axes, size, buffer, found.number, found.components, found.wrap);
    } else if (int64_t dim = batchDim(step); dim >= 0) {
      llvm::append_values(axes, size, int64_t(-1), strides[dim], int64_t(1), int64_t(0));
    }
  }
  constexpr int64_t ofAxis = 5, costOfWord = 10;
  SmallVector<int64_t> parameters{count, dealt.placeBits, dealt.group, bytes, op.getIsUnsigned(), inner};
  llvm::append_values(parameters, static_cast<int64_t>(buffers.size()), static_cast<int64_t>(axes.size()) / ofAxis);
  llvm::append_range(parameters, axes);
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), dealt.rowLength(), b.getIntegerType(8 * dealt.wordBytes));
  return rt::LibraryCallOp::create(b, op.getLoc(), empty.getType(), "xla_rt_deal_places", buffers.takeVector(), empty,
                                   parameters, /*work=*/1, costOfWord * count, /*scratch=*/0)
      .getResult(0);
}
