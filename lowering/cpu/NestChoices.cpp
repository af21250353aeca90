// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NestEmitter's choices, as of padding or of what is concatenated. A choice between values in memory is one of
// addresses where all lanes agree, and masked loads where they may not; only then are both sides computed.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::xla;

/// Where a guarded value is needed, as an i1 or lanes of it; null if everywhere.
NestEmitter::Emitted NestEmitter::guardOf(ArrayRef<Guard> guards, unsigned uo, unsigned vo) {
  Emitted result{Value(), 0};
  for (const Guard &guard : guards) {
    if (truthOf(guard.condition) == !guard.negated) { // in the interior
      result.level = std::max(result.level, branchLevel);
      continue;
    }
    Emitted part = evaluate(guard.condition, uo, vo);
    if (guard.negated) {
      at(part.level);
      Type type = part.value.getType();
      Value ones = constant(cast<TypedAttr>(isa<VectorType>(type)
                                                ? Attribute(DenseElementsAttr::get(cast<VectorType>(type), true))
                                                : Attribute(b.getBoolAttr(true))));
      part.value = arith::XOrIOp::create(b, part.value, ones);
    }
    if (result.value) {
      if (isa<VectorType>(part.value.getType()) || isa<VectorType>(result.value.getType())) {
        part = lanes(part);
        result = lanes(result);
      }
      at(std::max(part.level, result.level));
      part.value = arith::AndIOp::create(b, result.value, part.value);
    }
    result = {part.value, std::max(part.level, result.level)};
  }
  return result;
}

/// The address of a copy on the stack of `value`, which is known before all loops.
Value NestEmitter::onStack(Value value) {
  Value &copy = stackCopies[value];
  if (!copy) {
    OpBuilder::InsertionGuard guard(b);
    copy = allocateOnStack(value.getType());
    // As early as can be: where no loop is left around the readers, level 0 ends behind them.
    Operation *place = copy.getDefiningOp(), *known = value.getDefiningOp();
    bool isKnownLater = known && (known->getBlock() != place->getBlock() || place->isBeforeInBlock(known));
    b.setInsertionPointAfter(isKnownLater ? known : place);
    LLVM::StoreOp::create(b, value, copy, elementAlignment(getElementTypeOrSelf(value)));
  }
  return copy;
}

/// Could `load` lie pages away from its tensor, where its guards do not hold?
static bool mayBeFar(const ExprNode &load, const LoopNest &nest) {
  constexpr int64_t page = 4096;
  auto type = dyn_cast_or_null<RankedTensorType>(load.value ? load.value.getType() : Type());
  if (!type)
    return false;
  int64_t least = load.address.constant, greatest = least, near = page / elementStorageBytes(load.type);
  for (auto [coef, size] : llvm::zip_equal(load.address.dims, nest.sizes))
    (coef < 0 ? least : greatest) += coef * (size - 1);
  return least < -near || greatest >= type.getNumElements() + near;
}

/// Where to read lanes of `load` that `mask` has: at `pointer`, or, if it has none, where memory is. Loads of no lane
/// at all from what is no memory of the process take hundreds of cycles.
Value NestEmitter::nearby(Value pointer, Value mask, Value near) {
  Value isAny = vector::ReductionOp::create(b, vector::CombiningKind::OR, mask);
  return arith::SelectOp::create(b, isAny, pointer, near);
}

/// Memory that `load` may be far from where its guards do not hold; null if it is not.
Value NestEmitter::memoryNear(const ExprNode &load) {
  return !load.guards.empty() && mayBeFar(load, *nest) ? slots[load.buffer.slot] : Value();
}

/// Where lanes next to each other are in memory, if `node` is a load of them, a choice of loads on which all lanes
/// agree, or the same number everywhere.
std::optional<NestEmitter::Place> NestEmitter::placeOf(ExprNode *node, unsigned uo, unsigned vo) {
  Type memory = memoryType(node->type);
  if (plan->v < 0 || memory != node->type || isa<ComplexType>(memory) || values.count(keyOf(node, uo, vo)))
    return std::nullopt;
  if (node->kind == ExprNode::Load && node->deps[plan->v]) {
    if (node->pair || node->address.dims[plan->v] != 1 || plan->transposed.contains(node))
      return std::nullopt;
    LaneAddress address = resolve(node->address, uo, vo);
    if (address.laneStride != 1 || address.laneOffsets)
      return std::nullopt;
    Emitted base = pointer(node->buffer, memory, address);
    Place place{base.value, std::max(base.level, address.level), {}, memoryNear(*node)};
    for (const Guard &guard : node->guards)
      if (truthOf(guard.condition) == !guard.negated)
        place.level = std::max(place.level, branchLevel);
      else
        place.guards.push_back(guard);
    return place;
  }
  if (node->kind == ExprNode::Select) {
    if (std::optional<bool> truth = truthOf(node->operands[0])) {
      std::optional<Place> place = placeOf(node->operands[*truth ? 1 : 2], uo, vo);
      if (place)
        place->level = std::max(place->level, branchLevel);
      return place;
    }
    if (undecided(node->operands[0])->deps[plan->v])
      return std::nullopt;
    std::optional<Place> yes = placeOf(node->operands[1], uo, vo), no;
    if (yes)
      no = placeOf(node->operands[2], uo, vo);
    if (!no)
      return std::nullopt;
    // What is left to hold where either is read.
    llvm::erase(yes->guards, Guard{node->operands[0], /*negated=*/false});
    llvm::erase(no->guards, Guard{node->operands[0], /*negated=*/true});
    if (!yes->isNumber && !no->isNumber && yes->guards != no->guards)
      return std::nullopt;
    Emitted condition = evaluate(node->operands[0], uo, vo);
    Place &read = yes->isNumber ? *no : *yes;
    unsigned level = std::max({condition.level, yes->level, no->level});
    at(level);
    Value pointer = arith::SelectOp::create(b, condition.value, yes->pointer, no->pointer);
    return Place{pointer, level, read.guards, yes->near ? yes->near : no->near, yes->isNumber && no->isNumber};
  }
  if (node->deps.any())
    return std::nullopt;
  Emitted value = lanes(evaluate(node, uo, vo));
  if (value.level != 0)
    return std::nullopt;
  return Place{onStack(value.value), 0, {}, Value(), /*isNumber=*/true};
}

/// The lanes at `place` for which its guards hold; the others are those of `otherwise`.
NestEmitter::Emitted NestEmitter::loadFrom(const Place &place, Type memory, Emitted otherwise, unsigned uo,
                                           unsigned vo) {
  Emitted guard = guardOf(place.guards, uo, vo);
  unsigned level = std::max({place.level, guard.level, otherwise.level});
  Value mask = maskOf(vo), from = place.pointer;
  if (guard.value) {
    guard = lanes(guard);
    at(level);
    mask = mask ? arith::AndIOp::create(b, guard.value, mask).getResult() : guard.value;
    if (place.near)
      from = nearby(from, mask, place.near);
  }
  at(level);
  return {vectorLoad(from, memory, elementAlignment(memory), mask, otherwise.value), level};
}

/// On a device, what is read in one case only, all lanes or none of them, is read in a branch, which becomes a
/// predicate: nothing waits for the load to choose between it and the other case. Null if there is no such load.
NestEmitter::Emitted NestEmitter::evaluateBranch(ExprNode *node, unsigned uo, unsigned vo) {
  for (bool negated : {false, true}) {
    ExprNode *read = node->operands[negated ? 2 : 1], *other = node->operands[negated ? 1 : 2];
    Type memory = memoryType(node->type);
    if (read->kind != ExprNode::Load || read->pair || isa<ComplexType>(memory) ||
        read->guards != ArrayRef(Guard{node->operands[0], negated}) || values.count(keyOf(read, uo, vo)))
      continue;
    Emitted condition = evaluate(node->operands[0], uo, vo), otherwise = evaluate(other, uo, vo);
    LaneAddress address = resolve(read->address, uo, vo);
    if (isa<VectorType>(condition.value.getType()) || address.laneOffsets || address.laneStride > 1 ||
        (address.laneStride == 1 && !plan->aligned) || maskOf(vo))
      return {};
    bool inLanes = plan->lanes > 1 && address.laneStride == 1;
    if (inLanes || isa<VectorType>(otherwise.value.getType()))
      otherwise = lanes(otherwise);
    Emitted base = pointer(read->buffer, memory, address);
    unsigned level = std::max({condition.level, otherwise.level, base.level, address.level});
    at(level);
    auto branch = scf::IfOp::create(b, otherwise.value.getType(), condition.value, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToEnd(negated ? branch.elseBlock() : branch.thenBlock());
    Value loaded;
    if (inLanes)
      loaded = vectorLoad(base.value, memory, plan->lanes * elementStorageBytes(node->type), Value());
    else
      loaded = LLVM::LoadOp::create(b, memory, base.value, elementAlignment(memory));
    loaded = fromMemory(loaded, node->type);
    if (loaded.getType() != otherwise.value.getType())
      loaded = vector::BroadcastOp::create(b, otherwise.value.getType(), loaded);
    scf::YieldOp::create(b, loaded);
    b.setInsertionPointToEnd(negated ? branch.thenBlock() : branch.elseBlock());
    scf::YieldOp::create(b, otherwise.value);
    return {branch.getResult(0), level};
  }
  return {};
}

NestEmitter::Emitted NestEmitter::evaluateSelect(ExprNode *node, unsigned uo, unsigned vo) {
  if (onDevice)
    if (Emitted read = evaluateBranch(node, uo, vo); read.value)
      return read;
  if (std::optional<Place> place = placeOf(node, uo, vo); place && !place->isNumber)
    return loadFrom(*place, node->type, {}, uo, vo);
  for (unsigned side : {1, 2}) {
    ExprNode *read = node->operands[side], *other = node->operands[3 - side];
    std::optional<Place> place = placeOf(read, uo, vo);
    if (place && llvm::is_contained(place->guards, Guard{node->operands[0], /*negated=*/side == 2}))
      return loadFrom(*place, node->type, lanes(evaluate(other, uo, vo)), uo, vo);
  }
  Emitted condition = evaluate(node->operands[0], uo, vo), yes = evaluate(node->operands[1], uo, vo),
          no = evaluate(node->operands[2], uo, vo);
  if (llvm::any_of(ArrayRef<Emitted>{condition, yes, no},
                   [](const Emitted &part) { return isa<VectorType>(part.value.getType()); })) {
    yes = lanes(yes);
    no = lanes(no);
  }
  unsigned level = std::max({condition.level, yes.level, no.level});
  at(level);
  return {arith::SelectOp::create(b, condition.value, yes.value, no.value), level};
}
