// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-choose-updates`: updates of most of a tensor as a choice per element, where the tensor cannot be updated in
// place; for a GPU, also tensors that are put together of parts whose elements take turns.

#include "mlir_xla/lowering/kernels/Passes.h"
#include "mlir_xla/lowering/nest/NestStructure.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::xla {
#define GEN_PASS_DEF_CHOOSEUPDATES
#include "mlir_xla/lowering/kernels/Passes.h.inc"
} // namespace mlir::xla

using namespace mlir;
using namespace mlir::xla;

namespace {
/// Updates of the same place of tensors of one shape, which are computed together.
struct Choice {
  SmallVector<tensor::InsertSliceOp> updates; // in block order
  llvm::SetVector<Operation *> chain;         // what their new values are made of, element by element
};
} // namespace

static bool isSplat(Value value) {
  DenseElementsAttr constant;
  return value.getDefiningOp<linalg::FillOp>() || (matchPattern(value, m_Constant(&constant)) && constant.isSplat());
}

static bool isElementwise(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumParallelLoops() == generic.getNumLoops();
}

/// Collects in `chain` what the new values of `update` are made of, element by element. `readsAround`: elements of the
/// tensor that is updated, at other places than they are written, are among that. Fails if something on the way has no
/// kernel with the update, unless it is in memory anyway.
static LogicalResult findChain(tensor::InsertSliceOp update, llvm::SetVector<Operation *> &chain, bool &readsAround) {
  constexpr size_t mostOps = 256;
  Value dest = update.getDest();
  auto push = [&](Value value) {
    readsAround |= value == dest;
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == update->getBlock() && !isa<tensor::InsertSliceOp>(op)) // which is in memory
      chain.insert(op);
  };
  push(update.getSource());
  for (size_t i = 0; i < chain.size(); ++i) {
    Operation *op = chain[i];
    if (i == mostOps)
      return failure();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getSource() != dest || !isPlaceOf(slice, update))
        push(slice.getSource());
    } else if (isElementwise(op) ||
               isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ConcatOp, tensor::PadOp>(op)) {
      llvm::for_each(valuesRead(op), push);
    } else if (isComputing(op)) {
      // The update could have been made where that is computed.
      for (Value result : op->getResults())
        if (auto type = dyn_cast<RankedTensorType>(result.getType()))
          if (2 * type.getNumElements() >= update.getSourceType().getNumElements())
            return failure();
    }
  }
  return success();
}

/// Is most of the tensor written, at a known place, and what it was before not overwritten while new values are made?
/// Then a new tensor is better than one that is copied, or than new values in memory of their own.
static bool mayChoose(tensor::InsertSliceOp update, llvm::SetVector<Operation *> &chain) {
  RankedTensorType type = update.getDestType(), source = update.getSourceType();
  Value dest = update.getDest();
  auto isOne = [](int64_t stride) { return stride == 1; };
  if (source.getRank() != type.getRank() || llvm::any_of(update.getStaticOffsets(), ShapedType::isDynamic) ||
      !llvm::all_of(update.getStaticStrides(), isOne) || 2 * source.getNumElements() < type.getNumElements() ||
      source.getShape() == type.getShape() || dest.getDefiningOp<tensor::EmptyOp>())
    return false;
  bool readsAround = false;
  if (failed(findChain(update, chain, readsAround)) || chain.empty())
    return false;
  auto argument = dyn_cast<BlockArgument>(dest);
  bool isOfCaller = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return readsAround || isOfCaller || isSplat(dest);
}

/// May `update` be made along with those of `choice`? They share some of their new values, and nothing before it needs
/// the results of those.
static bool joins(tensor::InsertSliceOp update, const llvm::SetVector<Operation *> &chain, const Choice &choice) {
  tensor::InsertSliceOp first = choice.updates.front();
  auto isBefore = [&](Operation *user) {
    Operation *at = update->getBlock()->findAncestorOpInBlock(*user);
    return at && at->isBeforeInBlock(update);
  };
  auto isNeeded = [&](tensor::InsertSliceOp other) { return llvm::any_of(other->getUsers(), isBefore); };
  auto isShared = [&](Operation *op) { return isElementwise(op) && choice.chain.contains(op); };
  return update->getBlock() == first->getBlock() && update.getDestType().getShape() == first.getDestType().getShape() &&
         update.getStaticOffsets() == first.getStaticOffsets() && update.getStaticSizes() == first.getStaticSizes() &&
         llvm::any_of(chain, isShared) && llvm::none_of(choice.updates, isNeeded);
}

/// Does anything else need what is computed for the choice? The kernel that has it in memory would be another one.
static bool isShared(const Choice &choice) {
  return llvm::any_of(choice.chain, [&](Operation *op) {
    return isElementwise(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
             Operation *at = op->getBlock()->findAncestorOpInBlock(*user);
             return !at || (!choice.chain.contains(at) && !llvm::is_contained(choice.updates, at));
           });
  });
}

static void choose(Choice &choice) {
  tensor::InsertSliceOp last = choice.updates.back();
  OpBuilder b(last);
  ArrayRef<int64_t> offsets = last.getStaticOffsets(), sizes = last.getSourceType().getShape(),
                    shape = last.getDestType().getShape();
  SmallVector<Value> sources, dests, empties;
  SmallVector<Type> types;
  for (tensor::InsertSliceOp update : choice.updates) {
    sources.push_back(update.getSource());
    dests.push_back(update.getDest());
    types.push_back(update.getType());
    empties.push_back(
        tensor::EmptyOp::create(b, update.getLoc(), shape, update.getDestType().getElementType()).getResult());
  }
  auto body = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> indices, positions;
    Value isInside;
    for (auto [dim, offset, size] : llvm::enumerate(offsets, sizes)) {
      indices.push_back(linalg::IndexOp::create(body, loc, dim));
      positions.push_back(indices.back());
      if (size == shape[dim])
        continue;
      if (offset != 0)
        positions.back() = arith::SubIOp::create(body, loc, indices.back(),
                                                 arith::ConstantIndexOp::create(body, loc, offset).getResult());
      // As unsigned numbers, positions before the box are far behind it.
      Value extent = arith::ConstantIndexOp::create(body, loc, size);
      Value fits = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult, positions.back(), extent);
      isInside = isInside ? arith::AndIOp::create(body, loc, isInside, fits).getResult() : fits;
    }
    auto read = [&](ArrayRef<Value> tensors, ArrayRef<Value> at) {
      return [=](OpBuilder &branch, Location where) {
        SmallVector<Value> elements;
        for (Value tensor : tensors)
          elements.push_back(tensor::ExtractOp::create(branch, where, tensor, at));
        scf::YieldOp::create(branch, where, elements);
      };
    };
    auto chosen = scf::IfOp::create(body, loc, isInside, read(sources, positions), read(dests, indices));
    linalg::YieldOp::create(body, loc, chosen.getResults());
  };
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  SmallVector<AffineMap> maps(sources.size(), b.getMultiDimIdentityMap(shape.size()));
  auto chosen = linalg::GenericOp::create(b, last.getLoc(), types, ValueRange(), empties, maps, iterators, body);
  for (auto [update, result] : llvm::zip_equal(choice.updates, chosen.getResults())) {
    update.replaceAllUsesWith(result);
    update.erase();
  }
}

/// Has one of two boxes no element of the other, because it ends before that along a dimension or because their
/// elements take turns there?
static bool areApart(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  auto range = llvm::zip_equal(a.getStaticOffsets(), a.getStaticSizes(), a.getStaticStrides(), b.getStaticOffsets(),
                               b.getStaticSizes(), b.getStaticStrides());
  return llvm::any_of(range, [](auto each) {
    auto [offset, size, stride, otherOffset, otherSize, otherStride] = each;
    return offset + (size - 1) * stride < otherOffset || otherOffset + (otherSize - 1) * otherStride < offset ||
           (stride == otherStride && (offset - otherOffset) % stride != 0);
  });
}

/// The updates, `last` being the last, that put a whole tensor together of parts, some of whose elements take turns;
/// nothing if it is not put together so.
static SmallVector<tensor::InsertSliceOp> alternatingParts(tensor::InsertSliceOp last) {
  constexpr size_t mostParts = 4;
  SmallVector<tensor::InsertSliceOp> parts;
  int64_t count = 0;
  bool alternates = false;
  for (tensor::InsertSliceOp update = last; update; update = update.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    if (parts.size() == mostParts || (update != last && !update->hasOneUse()) ||
        ShapedType::isDynamicShape(update.getStaticOffsets()) ||
        update.getSourceType().getRank() != update.getDestType().getRank() ||
        !llvm::all_of(parts, [&](tensor::InsertSliceOp other) { return areApart(update, other); }))
      return {};
    parts.push_back(update);
    count += update.getSourceType().getNumElements();
    alternates |= llvm::any_of(update.getStaticStrides(), [](int64_t stride) { return stride > 1; });
  }
  // Neighbouring threads that choose from different parts do the work of both, which takes longer than a launch for
  // more elements.
  constexpr int64_t mostOfNeighbours = 1 << 18;
  if (last.getType().getNumElements() > mostOfNeighbours &&
      llvm::any_of(parts, [](tensor::InsertSliceOp part) { return part.getStaticStrides().back() > 1; }))
    return {};
  bool isWhole =
      count == last.getType().getNumElements() && parts.back().getDest().getDefiningOp<tensor::EmptyOp>() != nullptr;
  return isWhole && alternates ? parts : SmallVector<tensor::InsertSliceOp>();
}

/// Where `part` has the element at `indices`; `isInside` says whether it has it at all, and is null if it has all.
static SmallVector<Value> positionsIn(tensor::InsertSliceOp part, ArrayRef<Value> indices, OpBuilder &b,
                                      Value &isInside) {
  Location loc = part.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
    Value fits = arith::CmpIOp::create(b, loc, predicate, lhs, constant(rhs));
    isInside = isInside ? arith::AndIOp::create(b, loc, isInside, fits).getResult() : fits;
  };
  SmallVector<Value> positions;
  for (auto [index, offset, size, stride, extent] :
       llvm::zip_equal(indices, part.getStaticOffsets(), part.getStaticSizes(), part.getStaticStrides(),
                       part.getDestType().getShape())) {
    Value position = index;
    if (size == extent) {
      positions.push_back(position);
      continue;
    }
    if (stride > 1) {
      require(arith::CmpIPredicate::eq, arith::RemUIOp::create(b, loc, index, constant(stride)), offset % stride);
      position = arith::DivUIOp::create(b, loc, index, constant(stride));
    }
    if (int64_t before = offset / stride)
      position = arith::SubIOp::create(b, loc, position, constant(before));
    // As unsigned numbers, positions before the first are far behind the last.
    if (offset >= stride || offset + size * stride < extent)
      require(arith::CmpIPredicate::ult, position, size);
    positions.push_back(position);
  }
  return positions;
}

/// The element at `indices` of what `parts` put together.
static Value chooseElement(ArrayRef<tensor::InsertSliceOp> parts, ArrayRef<Value> indices, OpBuilder &b) {
  tensor::InsertSliceOp part = parts.front();
  Location loc = part.getLoc();
  Value isInside;
  SmallVector<Value> positions = positionsIn(part, indices, b, isInside);
  if (parts.size() == 1) // what no other part has, the last one has
    return tensor::ExtractOp::create(b, loc, part.getSource(), positions);
  auto own = [&](OpBuilder &branch, Location where) {
    Value element = tensor::ExtractOp::create(branch, where, part.getSource(), positions);
    scf::YieldOp::create(branch, where, element);
  };
  auto other = [&](OpBuilder &branch, Location where) {
    scf::YieldOp::create(branch, where, chooseElement(parts.drop_front(), indices, branch));
  };
  return scf::IfOp::create(b, loc, isInside, own, other).getResult(0);
}

/// insert_slice %odd into (insert_slice %even into %empty)[1, 2]  ->  generic { i mod 2 == 1 ? %odd[i / 2] : %even[i /
/// 2] }
///
/// What the parts are made of is computed where it is chosen, so that the levels of `jax.lax.associative_scan` are
/// fused.
static void chooseAlternating(ArrayRef<tensor::InsertSliceOp> parts) {
  tensor::InsertSliceOp last = parts.front();
  OpBuilder b(last);
  RankedTensorType type = last.getDestType();
  Value empty = tensor::EmptyOp::create(b, last.getLoc(), type.getShape(), type.getElementType());
  auto body = [&](OpBuilder &body, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (int64_t dim : llvm::seq(type.getRank()))
      indices.push_back(linalg::IndexOp::create(body, loc, dim));
    linalg::YieldOp::create(body, loc, chooseElement(parts, indices, body));
  };
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto chosen = linalg::GenericOp::create(b, last.getLoc(), type, ValueRange(), empty,
                                          b.getMultiDimIdentityMap(type.getRank()), iterators, body);
  last.replaceAllUsesWith(chosen.getResult(0));
  for (tensor::InsertSliceOp part : parts)
    part.erase();
}

namespace {
struct ChooseUpdatesPass : public mlir::xla::impl::ChooseUpdatesBase<ChooseUpdatesPass> {
  using ChooseUpdatesBase::ChooseUpdatesBase;

  void runOnOperation() override {
    if (device)
      chooseAllAlternating();
    std::vector<Choice> choices;
    getOperation().walk([&](tensor::InsertSliceOp update) {
      llvm::SetVector<Operation *> chain;
      if (!mayChoose(update, chain))
        return;
      if (choices.empty() || !joins(update, chain, choices.back()))
        choices.emplace_back();
      choices.back().updates.push_back(update);
      choices.back().chain.insert_range(chain);
    });
    for (Choice &choice : choices)
      if (!isShared(choice))
        choose(choice);
  }

private:
  void chooseAllAlternating() {
    std::vector<SmallVector<tensor::InsertSliceOp>> found;
    getOperation().walk([&](tensor::InsertSliceOp update) {
      if (SmallVector<tensor::InsertSliceOp> parts = alternatingParts(update); !parts.empty())
        found.push_back(std::move(parts));
    });
    for (ArrayRef<tensor::InsertSliceOp> parts : found)
      chooseAlternating(parts);
  }
};
} // namespace
