// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's memory: pointers, loads of every pattern, stores.

#include "mlir_xla/lowering/Pointers.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/Elements.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xla;

/// A complex number in memory, by the type of its parts.
static Type pairOf(Type part) { return LLVM::LLVMStructType::getLiteral(part.getContext(), {part, part}); }

/// How far it is along a part of an address, and in which units. Multiples of rows are bytes: LLVM folds a multiple of
/// elements into some of the addresses that it is part of as bytes, into others as elements, and then has both.
std::pair<Value, Type> NestEmitter::distanceInMemory(const Emitted &part, Type memory) {
  constexpr int64_t lineBytes = 64;
  auto multiple = part.value.getDefiningOp<arith::MulIOp>();
  APInt factor;
  if (onDevice || !multiple || !memory.isIntOrFloat() || !matchPattern(multiple.getRhs(), m_ConstantInt(&factor)))
    return {part.value, memory};
  int64_t rowBytes = factor.getSExtValue() * elementStorageBytes(memory);
  if (std::abs(rowBytes) < lineBytes)
    return {part.value, memory};
  Emitted &distance = sums[{part.value.getAsOpaquePointer(), memory.getAsOpaquePointer()}];
  if (!distance.value) {
    at(part.level);
    distance = {product(multiple.getLhs(), rowBytes), part.level};
  }
  return {distance.value, b.getI8Type()};
}

NestEmitter::Emitted NestEmitter::pointer(const Buffer &buffer, Type memory, const LaneAddress &address) {
  Value base = slots[buffer.slot];
  Type pointerType = base.getType();
  // What an earlier nest has stored is read behind it, even at an address that no loop changes.
  Emitted result{base, stored.contains(buffer.slot) ? nestLevel : 0};
  for (const Emitted &part : address.uniform) {
    Emitted &shared =
        sums[{result.value.getAsOpaquePointer(), memory.getAsOpaquePointer(), part.value.getAsOpaquePointer()}];
    if (!shared.value) {
      auto [distance, unit] = distanceInMemory(part, memory);
      unsigned level = std::max(result.level, part.level);
      at(level);
      shared = {LLVM::GEPOp::create(b, pointerType, unit, result.value, ValueRange{distance}), level};
    }
    result = shared;
  }
  if (address.constant) {
    // Where it is part of the instruction that reads or writes.
    if (branchLevel && result.level + 1 == branchLevel)
      result.level = branchLevel;
    at(result.level);
    result.value = elementPointer(b, b.getLoc(), result.value, memory, address.constant);
  }
  return result;
}

Value NestEmitter::lanePointers(const Buffer &buffer, Type memory, const LaneAddress &address, Emitted base) {
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI64Type());
  Value offsets = address.laneOffsets;
  if (address.laneStride) {
    SmallVector<int64_t> steps;
    for (unsigned lane = 0; lane < plan->lanes; ++lane)
      steps.push_back(lane * address.laneStride);
    Value stepVector = constant(DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
    offsets = offsets ? arith::AddIOp::create(b, offsets, stepVector).getResult() : stepVector;
  }
  if (!offsets)
    offsets = constant(DenseElementsAttr::get(type, int64_t(0)));
  // LLVM widens them, too, but has one gather for lanes that are narrow where they come in.
  if (auto wide = offsets.getDefiningOp<arith::ExtSIOp>())
    offsets = wide.getIn();
  auto pointersType = VectorType::get({static_cast<int64_t>(plan->lanes)}, slots[0].getType());
  return LLVM::GEPOp::create(b, pointersType, memory, base.value, ValueRange{offsets});
}

Value NestEmitter::fromMemory(Value loaded, Type type) {
  return xla::fromMemory(b, loaded, type, [&](TypedAttr attr) { return constant(attr); });
}

Value NestEmitter::vectorLoad(Value pointerValue, Type memory, unsigned alignment, Value mask, Value otherwise) {
  auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, memory);
  if (!mask)
    return LLVM::LoadOp::create(b, type, pointerValue, alignment);
  if (!otherwise)
    otherwise = constant(cast<TypedAttr>(b.getZeroAttr(type)));
  return LLVM::MaskedLoadOp::create(b, type, pointerValue, mask, otherwise, b.getI32IntegerAttr(alignment), UnitAttr());
}

/// Every element of that stride from `pointerValue` on, of lanes inside `mask`. What follows the last one may lie
/// behind the tensor: without a mask, the last vector ends there, unless shuffles of its elements take longer then.
Value NestEmitter::stridedLoad(Value pointerValue, Type memory, unsigned alignment, int64_t stride, Value mask) {
  int64_t lanes = plan->lanes, last = (lanes - 1) * stride;
  bool endsThere = !mask && memory.getIntOrFloatBitWidth() >= 32;
  auto maskType = VectorType::get({lanes}, b.getI1Type());
  Value nothing = mask ? constant(DenseElementsAttr::get(maskType, false)) : Value();
  Value result;
  for (int64_t part = 0; part < stride; ++part) {
    // Which lane an element is for, if any, and where each lane is now: where it was, or in this part.
    int64_t begin = part * lanes, first = endsThere ? std::min(begin, last + 1 - lanes) : begin;
    SmallVector<bool> needed;
    SmallVector<int64_t> lanesOf, order;
    for (int64_t element = first; element < first + lanes; ++element) {
      needed.push_back(element <= last);
      lanesOf.push_back(element % stride == 0 ? element / stride : lanes);
    }
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t from = lane * stride / lanes, element = lane * stride;
      order.push_back(from == part ? lanes + element - first : part == 1 && from == 0 ? element : lane);
    }
    Value inside;
    if (mask)
      inside = vector::ShuffleOp::create(b, mask, nothing, lanesOf);
    else if (!needed.back())
      inside = constant(DenseElementsAttr::get(maskType, needed));
    Value next = vectorLoad(elementAt(pointerValue, memory, {}, first), memory, alignment, inside);
    result = result ? vector::ShuffleOp::create(b, result, next, order).getResult() : next;
  }
  return result;
}

/// Lanes at offsets that are known, out of the vectors that hold them. Nothing is read but what lies between them.
Value NestEmitter::patternLoad(Value pointerValue, Type memory, unsigned alignment, ArrayRef<int64_t> pattern) {
  int64_t lanes = plan->lanes, window = *llvm::max_element(pattern) + 1;
  Value result;
  for (int64_t begin = 0; begin < window; begin += lanes) {
    SmallVector<bool> inside;
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      inside.push_back(begin + lane < window);
      int64_t element = pattern[lane] - begin;
      order.push_back(element < 0 ? lane : element >= lanes ? 0 : result ? lanes + element : element);
    }
    Value mask;
    if (!inside.back())
      mask = constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), inside));
    Value part = vectorLoad(elementAt(pointerValue, memory, {}, begin), memory, alignment, mask);
    result = vector::ShuffleOp::create(b, result ? result : part, part, order);
  }
  return result;
}

/// Writes lanes `stride` elements apart, and nothing between them.
void NestEmitter::stridedStore(Value stored, Value pointerValue, Type memory, unsigned alignment, int64_t stride) {
  int64_t lanes = plan->lanes;
  for (int64_t part = 0; part < stride; ++part) {
    SmallVector<int64_t> order;
    SmallVector<bool> written;
    for (int64_t element = part * lanes; element < (part + 1) * lanes; ++element) {
      order.push_back(element / stride);
      written.push_back(element % stride == 0);
    }
    Value spread = vector::ShuffleOp::create(b, stored, stored, order);
    Value mask = constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), written));
    Value to = LLVM::GEPOp::create(b, pointerValue.getType(), memory, pointerValue,
                                   ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(part * lanes)});
    LLVM::MaskedStoreOp::create(b, spread, to, mask, b.getI32IntegerAttr(alignment));
  }
}

/// The address of a place on the stack for `count` values of `type`, in lanes or not. Several begin where a line of the
/// cache does, so that no vector is in two.
Value NestEmitter::allocateOnStack(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  // In the first block, where its place is part of the frame.
  Value number = i64(count);
  b.setInsertionPointAfterValue(number);
  unsigned alignment = count > 1 ? 64 : elementAlignment(getElementTypeOrSelf(type));
  return LLVM::AllocaOp::create(b, slots[0].getType(), type, number, alignment);
}

/// True if the last step along v, which may reach beyond the end of v, stays in the panel that v ends in: a panel that
/// has elements at all has all of them.
static bool lastStepIsWhole(const ExprNode &load, const LoopNest &nest, const NestPlan &plan) {
  int64_t size = nest.sizes[plan.v], end = llvm::alignTo(size, plan.lanes * plan.vUnroll);
  return llvm::all_of(load.address.nonlinear, [&](const auto &term) {
    if (!isLaneAligned(term.first, plan.v, plan.lanes))
      return !term.first.isFunctionOfDim(plan.v);
    int64_t panel = cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(term.first).getRHS()).getValue();
    return (size - 1) / panel == (end - 1) / panel;
  });
}

/// The offsets of lanes that a few vectors hold, from the least of them on, at which `address` is then. Empty if they
/// are not known, or too far from each other.
SmallVector<int64_t> NestEmitter::nearPattern(LaneAddress &address, Value mask) {
  SmallVector<int64_t> pattern = address.pattern;
  if (pattern.empty())
    return {};
  // Lanes that are not needed read what the first one reads.
  if (mask) {
    DenseElementsAttr inside;
    if (!matchPattern(mask, m_Constant(&inside)))
      return {};
    for (auto [offset, isInside] : llvm::zip_equal(pattern, inside.getValues<bool>()))
      offset = isInside ? offset : pattern[0];
  }
  constexpr int64_t most = 4; // vectors
  auto [least, greatest] = std::minmax_element(pattern.begin(), pattern.end());
  int64_t first = *least;
  if (*greatest - first >= most * plan->lanes)
    return {};
  address.constant += first;
  for (int64_t &offset : pattern)
    offset -= first;
  return pattern;
}

/// Does no index change it?
static bool isConstant(const Address &address) {
  return address.symbols.empty() && address.nonlinear.empty() &&
         llvm::all_of(address.dims, [](int64_t coef) { return coef == 0; });
}

/// By how much an index grows from one iteration of `dim` to the next, if it mostly does by as much: where it is
/// clamped it stays, and where it wraps around it jumps. Nothing if nothing of the kind is known.
static std::optional<int64_t> usualStep(const ExprNode *node, unsigned dim) {
  if (!node->deps.test(dim))
    return 0;
  const Address &address = node->address;
  if (node->kind == ExprNode::Index)
    return address.nonlinear.empty() && address.symbols.empty() ? std::optional(address.dims[dim]) : std::nullopt;
  bool isChoice = node->kind == ExprNode::Select;
  if (!isChoice && node->kind != ExprNode::Apply)
    return std::nullopt;
  SmallVector<int64_t, 3> steps;
  for (const ExprNode *operand : ArrayRef(node->operands).drop_front(isChoice || isa<arith::SelectOp>(node->op))) {
    std::optional<int64_t> step = usualStep(operand, dim);
    if (!step)
      return std::nullopt;
    steps.push_back(*step);
  }
  if (isChoice || isa<arith::SelectOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(node->op))
    return steps[0] == 0 || steps[1] == 0 || steps[0] == steps[1] ? std::optional(steps[0] ? steps[0] : steps[1])
                                                                  : std::nullopt;
  if (isa<arith::AddIOp>(node->op))
    return steps[0] + steps[1];
  if (isa<arith::SubIOp>(node->op))
    return steps[0] - steps[1];
  if (isa<arith::RemSIOp, arith::RemUIOp>(node->op))
    return steps[1] == 0 ? std::optional(steps[0]) : std::nullopt;
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(node->op)
             ? std::optional(steps[0])
             : std::nullopt;
}

/// Are elements along `dim` mostly neighbours, although a computed index says where they are?
static bool areMostlyNeighbours(const Address &address, unsigned dim) {
  int64_t sum = address.dims[dim];
  for (auto [symbol, coef] : address.symbols) {
    std::optional<int64_t> step = usualStep(symbol, dim);
    if (!step)
      return false;
    sum += coef * *step;
  }
  return sum == 1 &&
         llvm::none_of(address.nonlinear, [&](const auto &term) { return term.first.isFunctionOfDim(dim); });
}

/// Whether lanes at `offsets` are neighbours, the first one first.
static Value areNeighbours(ImplicitLocOpBuilder &b, Value offsets, Value first, Value numbers) {
  Value splat = vector::BroadcastOp::create(b, offsets.getType(), first);
  Value inOrder = arith::AddIOp::create(b, splat, numbers);
  Value equal = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, offsets, inOrder);
  return vector::ReductionOp::create(b, vector::CombiningKind::AND, equal);
}

NestEmitter::Emitted NestEmitter::evaluateLoad(ExprNode *node, unsigned uo, unsigned vo) {
  if (plan->transposed.contains(node) && uCount == plan->uUnroll && insideMasks.empty()) {
    transposedTile(node, uo - uo % plan->chunk, vo);
    return {};
  }
  if (std::optional<TableRead> table = plan->lookup ? tableOf(*node, *nest, *plan) : std::nullopt)
    return lookUp(node, *table, uo, vo);
  LaneAddress address = resolve(node->address, uo, vo);
  Type memory = memoryType(node->type);
  unsigned alignment = elementAlignment(memory);
  Emitted guard = guardOf(node->guards, uo, vo);
  // What is at one address only can be read before it is known that it is needed, as it will be somewhere.
  if (!guard.value && isConstant(node->address))
    guard.level = 0;
  bool inLanes =
      address.laneStride != 0 || address.laneOffsets || (guard.value && isa<VectorType>(guard.value.getType()));

  if (node->pair && inLanes)
    return loadPart(node, address, guard, uo, vo);
  // One element, read only if the guard holds.
  auto readOne = [&](Type type, unsigned level, llvm::function_ref<Value()> read) -> Emitted {
    level = std::max(level, guard.level);
    at(level);
    if (!guard.value)
      return {read(), level};
    auto branch = scf::IfOp::create(b, type, guard.value, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, read());
    b.setInsertionPointToEnd(branch.elseBlock());
    // Not poison: what is computed of it is not chosen, but may branch by it, which would tell LLVM that the guard
    // holds.
    scf::YieldOp::create(b, zero(type));
    return {branch.getResult(0), level};
  };
  if (auto complexType = dyn_cast<ComplexType>(node->type)) {
    Type part = complexType.getElementType();
    Emitted base = pointer(node->buffer, pairOf(part), address);
    return readOne(complexType, base.level, [&]() -> Value {
      Value re = LLVM::LoadOp::create(b, part, base.value, alignment);
      Value next = LLVM::GEPOp::create(b, base.value.getType(), part, base.value, ArrayRef<LLVM::GEPArg>{1});
      Value im = LLVM::LoadOp::create(b, part, next, alignment);
      return complex::CreateOp::create(b, complexType, re, im);
    });
  }
  if (!inLanes) {
    Emitted base = pointer(node->buffer, node->pair ? pairOf(memory) : memory, address);
    Emitted loaded = readOne(memory, base.level, [&]() -> Value {
      Value place = node->isImaginary ? elementAt(base.value, memory, {}, 1) : base.value;
      return LLVM::LoadOp::create(b, memory, place, alignment);
    });
    at(loaded.level);
    return {fromMemory(loaded.value, node->type), loaded.level};
  }
  // Panels are whole: reading them needs no mask.
  bool isPanel = plan->vMasked && node->address.dims[plan->v] == 0 && address.laneStride == 1 && !address.laneOffsets &&
                 lastStepIsWhole(*node, *nest, *plan);
  Value mask = isPanel ? Value() : maskOf(node->buffer, node->address, node->type, vo);
  if (guard.value) {
    guard = lanes(guard);
    if (!insideMasks.empty())
      guard.level = std::max(guard.level, ivLevel[plan->v]);
    at(guard.level);
    mask = mask ? arith::AndIOp::create(b, guard.value, mask).getResult() : guard.value;
  }
  if (plan->aligned)
    alignment = plan->lanes * elementStorageBytes(node->type);
  LaneAddress opposite = address;
  opposite.laneStride = -address.laneStride;
  bool reversed = !mask && ((address.laneStride == -1 && !address.laneOffsets) || opposite.isNear(plan->lanes));
  if (reversed) {
    opposite.constant += address.laneStride * (plan->lanes - 1);
    address = opposite;
  }
  bool contiguous = address.laneStride == 1 && !address.laneOffsets;
  SmallVector<int64_t> pattern = guard.value ? SmallVector<int64_t>() : nearPattern(address, mask);
  Emitted base = pointer(node->buffer, memory, address);
  unsigned level = std::max({base.level, address.level, guard.level});
  at(level);
  Value loaded;
  if (!pattern.empty()) {
    // Vectors of a step may read the same.
    Emitted &shared = sums[{node, base.value.getAsOpaquePointer(), address.laneOffsets.getAsOpaquePointer(),
                            mask ? mask.getAsOpaquePointer() : nullptr}];
    if (!shared.value)
      shared = {patternLoad(base.value, memory, alignment, pattern), level};
    loaded = shared.value;
  } else if (contiguous) {
    Value from = base.value;
    if (Value near = memoryNear(*node); near && mask)
      from = nearby(from, mask, near);
    loaded = vectorLoad(from, memory, alignment, mask);
  } else if (mask ? address.isNarrow(plan->lanes) : address.isNear(plan->lanes)) {
    loaded = stridedLoad(base.value, memory, alignment, address.laneStride, mask);
  } else {
    auto type = VectorType::get({static_cast<int64_t>(plan->lanes)}, memory);
    Value pointers = lanePointers(node->buffer, memory, address, base);
    auto maskType = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
    Value gatherMask = mask ? mask : constant(DenseElementsAttr::get(maskType, true));
    Value zero = constant(cast<TypedAttr>(b.getZeroAttr(type)));
    auto gather = [&]() -> Value {
      return LLVM::masked_gather::create(b, type, pointers, gatherMask, ValueRange{zero},
                                         b.getI32IntegerAttr(alignment));
    };
    // Most steps read whole vectors, as where an index is clamped to an image.
    if (!onDevice && address.laneOffsets && address.laneStride == 0 && areMostlyNeighbours(node->address, plan->v)) {
      SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(plan->lanes));
      auto offsetsType = cast<VectorType>(address.laneOffsets.getType());
      Value steps = constant(DenseElementsAttr::get(offsetsType, ArrayRef<int64_t>(numbers)));
      Value first = vector::ExtractOp::create(b, address.laneOffsets, 0);
      Value inOrder = areNeighbours(b, address.laneOffsets, first, steps);
      auto branch = scf::IfOp::create(b, type, inOrder, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPointToEnd(branch.thenBlock());
      Value from = LLVM::GEPOp::create(b, base.value.getType(), memory, base.value, ValueRange{first});
      scf::YieldOp::create(b, vectorLoad(from, memory, alignment, mask));
      b.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(b, gather());
      loaded = branch.getResult(0);
    } else {
      loaded = gather();
    }
  }
  if (reversed) {
    SmallVector<int64_t> order;
    for (unsigned lane = plan->lanes; lane-- > 0;)
      order.push_back(lane);
    loaded = vector::ShuffleOp::create(b, loaded, loaded, order);
  }
  return {fromMemory(loaded, node->type), level};
}

/// Every second one of twice as many elements, from `first` on.
static SmallVector<int64_t> everySecond(int64_t lanes, int64_t first, bool isReversed = false) {
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < lanes; ++lane)
    order.push_back(2 * (isReversed ? lanes - 1 - lane : lane) + first);
  return order;
}

/// The elements of one vector, each before that of the other.
static SmallVector<int64_t> alternating(int64_t lanes) {
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < lanes; ++lane)
    order.append({lane, lanes + lane});
  return order;
}

/// The lanes that are read or written, unless these are all. The memory of a whole row has room for those past its end,
/// and vectors that are read as they were written can stay in registers.
Value NestEmitter::maskOf(const Buffer &buffer, const Address &address, Type type, unsigned vo) const {
  bool isWholeRow = !onDevice && insideMasks.empty() && buffer.rowElements == nest->sizes[plan->v] &&
                    address.constant == 0 && address.symbols.empty() && address.nonlinear.empty() &&
                    kRowAlignment % (plan->lanes * elementStorageBytes(type)) == 0;
  for (auto [dim, stride] : llvm::enumerate(address.dims)) // the others go from row to row
    isWholeRow &=
        static_cast<int>(dim) == plan->v ? stride == 1 : stride * elementStorageBytes(type) % kRowAlignment == 0;
  return isWholeRow ? Value() : maskOf(vo);
}

/// `mask` for each of the two parts of what has lanes.
Value NestEmitter::maskOfPairs(Value mask) {
  DenseElementsAttr bits;
  if (!matchPattern(mask, m_Constant(&bits)))
    return vector::ShuffleOp::create(b, mask, mask, alternating(plan->lanes));
  SmallVector<bool> both;
  for (bool bit : bits.getValues<bool>())
    both.append({bit, bit});
  return constant(
      DenseElementsAttr::get(VectorType::get({2 * static_cast<int64_t>(plan->lanes)}, b.getI1Type()), both));
}

/// A part of complex numbers in lanes, defined with the other part: vectors hold both of neighbours, in turns.
NestEmitter::Emitted NestEmitter::loadPart(ExprNode *node, LaneAddress address, Emitted guard, unsigned uo,
                                           unsigned vo) {
  int64_t lanes = plan->lanes;
  Type part = node->type;
  unsigned alignment = elementAlignment(part);
  auto bothType = VectorType::get({2 * lanes}, part);
  Value mask = maskOf(vo);
  if (guard.value) {
    guard = this->lanes(guard);
    if (!insideMasks.empty())
      guard.level = std::max(guard.level, ivLevel[plan->v]);
    at(guard.level);
    mask = mask ? arith::AndIOp::create(b, guard.value, mask).getResult() : guard.value;
  }
  bool isReversed = address.laneStride == -1 && !address.laneOffsets && !mask;
  if (isReversed)
    address.constant -= lanes - 1;
  Emitted base = pointer(node->buffer, pairOf(part), address);
  unsigned level = std::max({base.level, address.level, guard.level});
  at(level);
  Value re, im;
  auto deinterleave = [&](Value both) {
    re = vector::ShuffleOp::create(b, both, both, everySecond(lanes, 0, isReversed));
    im = vector::ShuffleOp::create(b, both, both, everySecond(lanes, 1, isReversed));
  };
  auto gather = [&](Type type, Value pointers) -> Value {
    auto vectorType = VectorType::get({lanes}, type);
    Value all = mask ? mask : constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), true));
    Value zero = constant(cast<TypedAttr>(b.getZeroAttr(vectorType)));
    return LLVM::masked_gather::create(b, vectorType, pointers, all, ValueRange{zero}, b.getI32IntegerAttr(alignment));
  };
  if (isReversed || (address.laneStride == 1 && !address.laneOffsets)) {
    if (mask)
      deinterleave(LLVM::MaskedLoadOp::create(b, bothType, base.value, maskOfPairs(mask),
                                              constant(cast<TypedAttr>(b.getZeroAttr(bothType))),
                                              b.getI32IntegerAttr(alignment), UnitAttr()));
    else
      deinterleave(LLVM::LoadOp::create(b, bothType, base.value, alignment));
  } else if (Value pointers = lanePointers(node->buffer, pairOf(part), address, base); part.isF32()) {
    deinterleave(LLVM::BitcastOp::create(b, bothType, gather(b.getI64Type(), pointers)));
  } else {
    re = gather(part, pointers);
    im = gather(part, LLVM::GEPOp::create(b, pointers.getType(), part, pointers, ArrayRef<LLVM::GEPArg>{1}));
  }
  values[keyOf(node->pair, uo, vo)] = {node->isImaginary ? re : im, level};
  return {node->isImaginary ? im : re, level};
}

/// Interleaves the halves of each chunk of `count` elements of two vectors: the low ones, and the high ones.
static std::pair<Value, Value> interleaveChunks(OpBuilder &b, Location loc, Value first, Value second, unsigned count) {
  auto lanes = static_cast<unsigned>(cast<VectorType>(first.getType()).getNumElements());
  SmallVector<int64_t> low, high;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    unsigned chunk = lane / count * count, element = lane % count, source = lane % 2 ? lanes : 0;
    low.push_back(source + chunk + element / 2);
    high.push_back(source + chunk + (element + count) / 2);
  }
  return {vector::ShuffleOp::create(b, loc, first, second, low),
          vector::ShuffleOp::create(b, loc, first, second, high)};
}

/// The same as `transposeChunks` for elements of 8 or 16 bits: what lies together already is one element from then on,
/// because shuffles of many elements take long to compile.
static SmallVector<Value> transposeNarrowChunks(OpBuilder &b, Location loc, SmallVector<Value> rows) {
  auto count = static_cast<unsigned>(rows.size());
  auto type = cast<VectorType>(rows[0].getType());
  for (unsigned together = 1; together < count; together *= 2) {
    auto wider =
        VectorType::get({type.getNumElements() / together}, b.getIntegerType(type.getElementTypeBitWidth() * together));
    for (Value &row : rows)
      row = together == 1 ? row : vector::BitCastOp::create(b, loc, wider, row).getResult();
    for (unsigned row = 0; row < count; ++row)
      if (!(row & together))
        std::tie(rows[row], rows[row + together]) =
            interleaveChunks(b, loc, rows[row], rows[row + together], count / together);
  }
  // The bits of a row's number are in reverse.
  SmallVector<Value> ordered(count);
  for (unsigned row = 0; row < count; ++row) {
    unsigned place = 0;
    for (unsigned bit = 1; bit < count; bit *= 2)
      place = 2 * place + (row & bit ? 1 : 0);
    ordered[place] = vector::BitCastOp::create(b, loc, type, rows[row]);
  }
  return ordered;
}

/// Transposes blocks of n x n elements, of which n vectors have a row each: one block to a chunk of n lanes.
static SmallVector<Value> transposeChunks(OpBuilder &b, Location loc, SmallVector<Value> rows) {
  auto count = static_cast<unsigned>(rows.size());
  unsigned bits = cast<VectorType>(rows[0].getType()).getElementTypeBitWidth();
  if (bits < 32 && bits * count == 128)
    return transposeNarrowChunks(b, loc, std::move(rows));
  for (unsigned stage = 1; stage < count; stage *= 2) {
    SmallVector<Value> next;
    for (unsigned row = 0; row < count / 2; ++row) {
      auto [low, high] = interleaveChunks(b, loc, rows[row], rows[row + count / 2], count);
      next.append({low, high});
    }
    rows = next;
  }
  return rows;
}

/// Reads lanes x n elements, n to a chunk of 128 bits along u, and transposes them in registers, so that every copy
/// along u gets its vector along v. Vector g takes the chunks of the lanes g, g + n, g + 2n, ...; interleaving within
/// chunks then transposes n x n blocks. Of the last vector along v, lanes that are not stored are not read.
void NestEmitter::transposedTile(ExprNode *node, unsigned uo, unsigned vo) {
  unsigned lanes = plan->lanes, count = plan->chunk;
  Type memory = node->pair ? b.getI64Type() : memoryType(node->type);
  unsigned alignment = elementAlignment(memoryType(node->type));
  auto chunkType = VectorType::get({static_cast<int64_t>(count)}, memory),
       type = VectorType::get({static_cast<int64_t>(lanes)}, memory);
  LaneAddress address = resolve(node->address, uo, vo);
  int64_t laneStride = address.laneStride;
  int64_t first = address.constant;
  SmallVector<Value> rows;
  unsigned inside = maskOf(vo) ? nest->sizes[plan->v] % lanes : lanes;
  unsigned level = std::max({address.level, ivLevel[plan->u], ivLevel[plan->v]});
  for (unsigned group = 0; group < count; ++group) {
    at(level);
    Value row = ub::PoisonOp::create(b, type);
    for (unsigned lane = group; lane < inside; lane += count) {
      address.constant = first + lane * laneStride;
      Emitted base = pointer(node->buffer, memory, address);
      at(level);
      Value chunk = LLVM::LoadOp::create(b, chunkType, base.value, alignment);
      row = lanes == count ? chunk : LLVM::vector_insert::create(b, type, row, chunk, lane - group).getResult();
    }
    rows.push_back(row);
  }
  at(level);
  rows = transposeChunks(b, b.getLoc(), std::move(rows));
  for (unsigned copy = 0; copy < count; ++copy) {
    if (!node->pair) {
      values[Key(node, uo + copy, vo)] = {fromMemory(rows[copy], node->type), level};
      continue;
    }
    Value both = LLVM::BitcastOp::create(b, VectorType::get({2 * static_cast<int64_t>(lanes)}, node->type), rows[copy]);
    for (ExprNode *part : {node, node->pair})
      values[Key(part, uo + copy, vo)] = {
          vector::ShuffleOp::create(b, both, both, everySecond(lanes, part->isImaginary)), level};
  }
}

/// Elements of `store` in a chunk.
static unsigned chunkOf(const Store &store) {
  return std::max(1u, 128 / memoryType(store.elementType).getIntOrFloatBitWidth());
}

/// True if results of the step that are neighbours in memory are in the same lane of several rows, and those of
/// neighbouring lanes are far from each other.
bool NestEmitter::isStoredTransposed(const Store &store) {
  if (onDevice || plan->u < 0 || plan->v < 0 || uCount == 1 || !insideMasks.empty() ||
      isa<ComplexType>(store.elementType))
    return false;
  const Address &address = store.address;
  auto depends = [&](int dim) {
    return llvm::any_of(address.symbols, [&](const auto &term) { return term.first->deps.test(dim); }) ||
           llvm::any_of(address.nonlinear, [&](const auto &term) { return term.first.isFunctionOfDim(dim); });
  };
  constexpr int64_t near = 4; // elements: shuffles put them among what lies between them
  return address.dims[plan->u] == 1 && std::abs(address.dims[plan->v]) > near && !depends(plan->u) &&
         !depends(plan->v) && plan->lanes % chunkOf(store) == 0;
}

/// Writes vector `vo` of all `rows` of the step, so many of them at a time as a chunk of 128 bits holds: transposed in
/// registers, a chunk of each lane, where a scatter would write each element by itself.
void NestEmitter::transposedStore(const Store &store, ArrayRef<Emitted> rows, unsigned vo) {
  storing.insert(store.buffer.slot);
  Type memory = memoryType(store.elementType);
  unsigned lanes = plan->lanes, count = chunkOf(store);
  unsigned alignment = elementAlignment(memory), inside = maskOf(vo) ? nest->sizes[plan->v] % lanes : lanes;
  auto type = VectorType::get({static_cast<int64_t>(lanes)}, memory);
  for (unsigned first = 0; first < rows.size(); first += count) {
    unsigned used = std::min<unsigned>(count, rows.size() - first);
    LaneAddress address = resolve(store.address, first, vo);
    int64_t begin = address.constant, stride = std::exchange(address.laneStride, 0);
    SmallVector<Value> chunks;
    for (unsigned row = 0; row < count; ++row) {
      Emitted value = row < used ? this->lanes(rows[first + row]) : Emitted();
      at(top());
      chunks.push_back(value.value ? toMemory(b, value.value, store.elementType)
                                   : ub::PoisonOp::create(b, type).getResult());
    }
    at(top());
    chunks = transposeChunks(b, b.getLoc(), std::move(chunks));
    for (unsigned lane = 0; lane < inside; ++lane) {
      address.constant = begin + lane * stride;
      Emitted place = pointer(store.buffer, memory, address);
      at(top());
      Value chunk = chunks[lane % count], part;
      unsigned at = lane / count * count;
      if (used == 1)
        part = vector::ExtractOp::create(b, chunk, ArrayRef<int64_t>{at});
      else if (used == lanes)
        part = chunk;
      else
        part = vector::ExtractStridedSliceOp::create(b, chunk, ArrayRef<int64_t>{at}, ArrayRef<int64_t>{used},
                                                     ArrayRef<int64_t>{1});
      LLVM::StoreOp::create(b, part, place.value, alignment);
    }
  }
}

/// Writes the first lanes of `stored` by stores of narrower vectors, where `mask` is a constant that has them only: one
/// lane always, because of a narrowed value LLVM would write the element before it was narrowed, or as many as at most
/// `most` stores write. Returns whether it has.
static bool storeFirstLanes(ImplicitLocOpBuilder &b, Value stored, Value pointer, Value mask, unsigned alignment,
                            int most) {
  DenseElementsAttr lanesInside;
  if (!matchPattern(mask, m_Constant(&lanesInside)))
    return false;
  auto inside = lanesInside.getValues<bool>();
  uint32_t count = llvm::count(inside, true);
  if ((count > 1 && llvm::popcount(count) > most) ||
      !llvm::all_of(llvm::seq(count), [&](uint32_t lane) { return inside[lane]; }))
    return false;
  Type element = cast<VectorType>(stored.getType()).getElementType();
  for (int32_t begin = 0, left = count; left;) {
    int32_t width = llvm::bit_floor(static_cast<uint32_t>(left));
    Value part, place = pointer;
    if (width == 1)
      part = vector::ExtractOp::create(b, stored, ArrayRef<int64_t>{begin});
    else
      part = vector::ExtractStridedSliceOp::create(b, stored, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{width},
                                                   ArrayRef<int64_t>{1});
    if (begin)
      place = LLVM::GEPOp::create(b, pointer.getType(), element, pointer, ArrayRef<LLVM::GEPArg>{begin});
    LLVM::StoreOp::create(b, part, place, begin ? elementAlignment(element) : alignment);
    begin += width;
    left -= width;
  }
  return true;
}

/// Does `nest` read where `store` writes, in rows along dimension `row`? The memory may be the same. (Behind a
/// reduction that is a small part of the work, and all rows of a tile are stored: code that takes longer to compile.)
static bool mayUpdateRows(const LoopNest &nest, const Store &store, unsigned row) {
  return nest.reductions.empty() &&
         llvm::any_of(llvm::seq<unsigned>(nest.sizes.size()),
                      [&](unsigned dim) { return dim != row && store.address.dims[dim] != 0; }) &&
         llvm::any_of(nest.loads, [&](ExprNode *load) {
           return load->type == store.elementType && load->address == store.address;
         });
}

void NestEmitter::emitStore(const Store &store, Emitted value, unsigned uo, unsigned vo) {
  storing.insert(store.buffer.slot);
  if (plan->threads > 1)
    unmet.push_back(accessOf(*nest, *plan, store, isOnce));
  LaneAddress address = resolve(store.address, uo, vo);
  Type memory = memoryType(store.elementType);
  unsigned alignment = elementAlignment(memory);
  if (auto complexType = dyn_cast<ComplexType>(store.elementType)) {
    Type part = complexType.getElementType();
    Emitted base = pointer(store.buffer, pairOf(part), address);
    at(top());
    Value re = complex::ReOp::create(b, value.value), im = complex::ImOp::create(b, value.value);
    LLVM::StoreOp::create(b, re, base.value, alignment);
    Value next = LLVM::GEPOp::create(b, base.value.getType(), part, base.value, ArrayRef<LLVM::GEPArg>{1});
    LLVM::StoreOp::create(b, im, next, alignment);
    return;
  }
  bool inLanes = address.laneStride != 0 || address.laneOffsets;
  Emitted base = pointer(store.buffer, memory, address);
  if (inLanes)
    value = lanes(value);
  at(top());
  Value stored = toMemory(b, value.value, store.elementType);
  if (!inLanes) {
    LLVM::StoreOp::create(b, stored, base.value, alignment);
    return;
  }
  Value mask = maskOf(store.buffer, store.address, store.elementType, vo);
  if (address.laneStride == 1 && !address.laneOffsets) {
    if (plan->aligned)
      alignment = plan->lanes * elementStorageBytes(store.elementType);
    // A masked store has the processor hold back loads of what it would write without its mask, as those of the next
    // row of memory that is updated are: 252 updates of 50x50 took three times as long.
    int most = !onDevice && mayUpdateRows(*nest, store, plan->v) ? 4 : 0;
    // Vectors of 256 bits may have no masks for narrow elements, and a transposition has a store for each row of a
    // step: without them, one for each element of those.
    unsigned bits = memory.getIntOrFloatBitWidth();
    if (plan->chunk > 1 && bits < 32 && plan->lanes * bits <= 256)
      most = 5;
    // Of a row of three elements, two stores are sooner made than one with a mask.
    if (!onDevice && plan->lanes == 4 && plan->lanes * bits <= 128)
      most = std::max(most, 2);
    if (mask && storeFirstLanes(b, stored, base.value, mask, alignment, most))
      return;
    if (mask)
      LLVM::MaskedStoreOp::create(b, stored, base.value, mask, b.getI32IntegerAttr(alignment));
    else if (writesPastCaches)
      LLVM::StoreOp::create(b, stored, base.value, plan->lanes * elementStorageBytes(store.elementType),
                            /*isVolatile=*/false, /*isNonTemporal=*/true);
    else
      LLVM::StoreOp::create(b, stored, base.value, alignment);
    return;
  }
  if (address.isNarrow(plan->lanes) && !mask) {
    stridedStore(stored, base.value, memory, alignment, address.laneStride);
    return;
  }
  Value pointers = lanePointers(store.buffer, memory, address, base);
  auto maskType = VectorType::get({static_cast<int64_t>(plan->lanes)}, b.getI1Type());
  Value scatterMask = mask ? mask : constant(DenseElementsAttr::get(maskType, true));
  LLVM::masked_scatter::create(b, stored, pointers, scatterMask, b.getI32IntegerAttr(alignment));
}

/// Complex numbers, in lanes or not, of which both parts are known.
void NestEmitter::emitPair(const Store &store, Emitted re, Emitted im, unsigned uo, unsigned vo) {
  storing.insert(store.buffer.slot);
  LaneAddress address = resolve(store.address, uo, vo);
  Type part = cast<ComplexType>(store.elementType).getElementType();
  unsigned alignment = elementAlignment(part);
  Emitted base = pointer(store.buffer, pairOf(part), address);
  if (!address.laneStride && !address.laneOffsets) {
    at(top());
    LLVM::StoreOp::create(b, re.value, base.value, alignment);
    LLVM::StoreOp::create(b, im.value, elementAt(base.value, part, {}, 1), alignment);
    return;
  }
  int64_t lanes = plan->lanes;
  re = this->lanes(re);
  im = this->lanes(im);
  at(top());
  Value mask = maskOf(vo);
  auto interleave = [&]() -> Value { return vector::ShuffleOp::create(b, re.value, im.value, alternating(lanes)); };
  if (address.laneStride == 1 && !address.laneOffsets) {
    if (mask)
      LLVM::MaskedStoreOp::create(b, interleave(), base.value, maskOfPairs(mask), b.getI32IntegerAttr(alignment));
    else
      LLVM::StoreOp::create(b, interleave(), base.value, alignment);
    return;
  }
  Value pointers = lanePointers(store.buffer, pairOf(part), address, base);
  if (!mask)
    mask = constant(DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), true));
  auto scatter = [&](Value values, Value to) {
    LLVM::masked_scatter::create(b, values, to, mask, b.getI32IntegerAttr(alignment));
  };
  if (part.isF32()) {
    scatter(LLVM::BitcastOp::create(b, VectorType::get({lanes}, b.getI64Type()), interleave()), pointers);
    return;
  }
  scatter(re.value, pointers);
  scatter(im.value, LLVM::GEPOp::create(b, pointers.getType(), part, pointers, ArrayRef<LLVM::GEPArg>{1}));
}
