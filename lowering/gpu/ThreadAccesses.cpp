// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/ThreadAccesses.h"

#include "mlir_xla/lowering/gpu/Places.h"
#include "mlir_xla/lowering/schedule/BufferPlan.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {

namespace {

using By = ThreadAccess::By;

/// Bytes of an element of memory; 0 if that is not known.
int64_t bytesOf(Type type) {
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable() || !vector.getElementType().isIntOrFloat() ||
      vector.getElementTypeBitWidth() % 8 != 0)
    return 0;
  return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
}

/// The number of elements in an address that has one index.
std::optional<PointerUnion<IntegerAttr, Value>> indexOf(LLVM::GEPOp address) {
  auto indices = address.getIndices();
  if (indices.size() != 1 || bytesOf(address.getElemType()) == 0)
    return std::nullopt;
  return indices[0];
}

/// factor * (number of the item) + something from low to high
struct Linear {
  int64_t factor = 0, low = 0, high = 0;

  static Linear constant(int64_t value) { return {0, value, value}; }
  Linear operator+(const Linear &other) const { return {factor + other.factor, low + other.low, high + other.high}; }
  Linear operator*(int64_t by) const { return {factor * by, low * by, high * by}; } // not of negative numbers
};

/// The items of a kernel's threads: each has that of its number, of which there are `count`; or a team of so many
/// threads, the only one, shares one item, in which each is dealt iterations. These are what an item is above, then.
struct Items {
  By by = By::Any;
  int64_t count = 0;
  int64_t team = 1;
  int64_t ofBlock = 0; // threads
};

/// Reads the implementation of a kernel, of which a thread does the items from `begin` to before `end`.
class Reader {
public:
  Reader(func::FuncOp impl, const Items &items) : impl(impl), items(items) {
    Block &entry = impl.getBody().front();
    begin = entry.getArgument(entry.getNumArguments() - 2);
    end = entry.getArgument(entry.getNumArguments() - 1);
  }

  /// False if it does what is not understood.
  bool read(SmallVectorImpl<ThreadAccess> &found) {
    WalkResult result = impl.walk([&](Operation *op) {
      ThreadAccess access;
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        if (load.getVolatile_() || load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
          return WalkResult::interrupt();
        access = of(load.getAddr(), load.getType());
        access.isWrite = false;
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        if (store.getVolatile_() || store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
          return WalkResult::interrupt();
        access = of(store.getAddr(), store.getValue().getType());
      } else {
        bool isKnown = isa<func::FuncOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::YieldOp, gpu::ShuffleOp>(op);
        return isKnown || isMemoryEffectFree(op) ? WalkResult::advance() : WalkResult::interrupt();
      }
      if (!llvm::is_contained(found, access))
        found.push_back(access);
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

private:
  ThreadAccess of(Value pointer, Type type) {
    ThreadAccess access;
    access.by = items.by == By::First ? By::First : By::Any;
    std::optional<Linear> place = Linear();
    count = items.team > 1 ? 0 : items.count;
    while (auto address = pointer.getDefiningOp<LLVM::GEPOp>()) {
      std::optional<Linear> moved = bytesTo(address);
      place = place && moved ? std::optional<Linear>(*place + *moved) : std::nullopt;
      pointer = address.getBase();
    }
    auto argument = dyn_cast<BlockArgument>(pointer);
    if (!argument || argument.getOwner() != &impl.getBody().front())
      return access;
    access.base = argument;
    int64_t bytes = bytesOf(type);
    bool isDealt = items.by == By::Owners && count > 0;
    if (isDealt && place && bytes > 0 && place->low >= 0 && place->high + bytes <= place->factor) {
      access.by = By::Owners;
      access.stride = place->factor;
      access.count = count;
      access.bytes = access.stride * count;
    }
    return access;
  }

  std::optional<Linear> bytesTo(LLVM::GEPOp address) {
    std::optional<PointerUnion<IntegerAttr, Value>> index = indexOf(address);
    if (!index)
      return std::nullopt;
    std::optional<Linear> elements;
    if (auto attribute = dyn_cast<IntegerAttr>(*index))
      elements = Linear::constant(attribute.getInt());
    else
      elements = linear(cast<Value>(*index));
    if (!elements)
      return std::nullopt;
    return *elements * bytesOf(address.getElemType());
  }

  std::optional<Linear> linear(Value value) {
    if (value == begin)
      return items.team > 1 ? Linear() : Linear{1, 0, 0};
    if (value == end)
      return items.team > 1 ? Linear::constant(1) : Linear{1, 1, 1};
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return Linear::constant(*constant);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      return loop && argument == loop.getInductionVar() ? counter(loop) : std::nullopt;
    }
    Operation *op = value.getDefiningOp();
    if (isa<arith::IndexCastOp>(op) && (value.getType().isIndex() || value.getType().isInteger(64)))
      return linear(op->getOperand(0));
    if (Value whole = dividedAndPutTogether(op))
      return linear(whole);
    if (!isa<arith::AddIOp, arith::MulIOp>(op))
      return std::nullopt;
    std::optional<Linear> left = linear(op->getOperand(0)), right = linear(op->getOperand(1));
    if (!left || !right)
      return std::nullopt;
    if (isa<arith::AddIOp>(op))
      return *left + *right;
    for (auto [factor, other] : {std::pair(left, right), std::pair(right, left)})
      if (factor->factor == 0 && factor->low == factor->high && factor->low >= 0)
        return *other * factor->low;
    return std::nullopt;
  }

  /// x / c * c + x % c, in either order: x
  static Value dividedAndPutTogether(Operation *op) {
    if (!isa<arith::AddIOp>(op))
      return {};
    for (unsigned i : {0, 1}) {
      auto rows = op->getOperand(i).getDefiningOp<arith::MulIOp>();
      auto rest = op->getOperand(1 - i).getDefiningOp<arith::RemUIOp>();
      auto quotient = rows ? rows.getLhs().getDefiningOp<arith::DivUIOp>() : arith::DivUIOp();
      std::optional<int64_t> size = rows ? getConstantIntValue(rows.getRhs()) : std::nullopt;
      if (rest && quotient && size && quotient.getLhs() == rest.getLhs() &&
          isConstantIntValue(quotient.getRhs(), *size) && isConstantIntValue(rest.getRhs(), *size))
        return rest.getLhs();
    }
    return {};
  }

  /// for (i = number of the thread in its team * piece; i < size; i += team * piece): how many pieces there are, and
  /// iterations in each.
  std::optional<std::pair<int64_t, int64_t>> piecesDealt(scf::ForOp loop) {
    Value first = loop.getLowerBound();
    if (auto sum = first.getDefiningOp<arith::AddIOp>(); sum && isConstantIntValue(sum.getLhs(), 0))
      first = sum.getRhs();
    int64_t piece = 1;
    if (auto product = first.getDefiningOp<arith::MulIOp>())
      if (std::optional<int64_t> factor = getConstantIntValue(product.getRhs()); factor && *factor > 0) {
        first = product.getLhs();
        piece = *factor;
      }
    std::optional<int64_t> size = getConstantIntValue(loop.getUpperBound());
    bool isDealt = items.team > 1 && isNumberInBlock(first, items.team) && size && *size > 0 && *size % piece == 0 &&
                   isConstantIntValue(loop.getStep(), items.team * piece);
    // Else those of a further round would be those of threads that are beyond the team.
    if (!isDealt || (items.team != items.ofBlock && *size / piece > items.team))
      return std::nullopt;
    return std::pair(*size / piece, piece);
  }

  std::optional<Linear> counter(scf::ForOp loop) {
    // Of several such loops in each other, an address has no item.
    if (auto dealt = piecesDealt(loop)) {
      if (count)
        return std::nullopt;
      count = dealt->first;
      return Linear{dealt->second, 0, 0};
    }
    std::optional<Linear> first = linear(loop.getLowerBound()), last = linear(loop.getUpperBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (!first || !last || !step || *step <= 0 || first->factor != last->factor)
      return std::nullopt;
    int64_t span = std::max<int64_t>(0, last->high - 1 - first->low);
    if (first->low == first->high)
      span -= span % *step;
    return Linear{first->factor, first->low, std::max(first->high, first->low + span)};
  }

  func::FuncOp impl;
  Items items;
  Value begin, end;
  int64_t count = 0; // of the items of the access that is looked at
};

/// The number of a thread among all: block * size + thread, as `emitKernel` has it.
bool isNumber(Value value) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  auto product = sum ? sum.getLhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  return product && sum.getRhs().getDefiningOp<gpu::ThreadIdOp>() && product.getLhs().getDefiningOp<gpu::BlockIdOp>() &&
         product.getRhs().getDefiningOp<gpu::BlockDimOp>();
}

/// A kernel that calls its implementation once, and what of the work each thread does.
struct Called {
  func::CallOp call;
  std::optional<int64_t> items; // if each is that thread's that has its number
  std::optional<int64_t> team;  // of so many threads, which is the only one and has one item

  static std::optional<Called> find(gpu::GPUFuncOp kernel) {
    Called found;
    WalkResult result = kernel.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        if (found.call)
          return WalkResult::interrupt();
        found.call = call;
        return WalkResult::advance();
      }
      bool isKnown = isa<gpu::GPUFuncOp, gpu::ReturnOp, scf::IfOp, scf::YieldOp>(op);
      return isKnown || isMemoryEffectFree(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted() || !found.call || found.call.getNumOperands() < 2)
      return std::nullopt;
    found.countItems();
    return found;
  }

private:
  void countItems() {
    auto operands = call.getOperands();
    Value begin = operands[operands.size() - 2], number = begin;
    auto quotient = begin.getDefiningOp<arith::DivUIOp>();
    if (quotient)
      number = quotient.getLhs();
    auto end = operands.back().getDefiningOp<arith::AddIOp>();
    auto branch = dyn_cast<scf::IfOp>(call->getParentOp());
    auto below = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    if (!isNumber(number) || !end || end.getLhs() != begin || !isConstantIntValue(end.getRhs(), 1) || !below ||
        below.getPredicate() != arith::CmpIPredicate::ult || below.getLhs() != number)
      return;
    std::optional<int64_t> threads = getConstantIntValue(below.getRhs());
    if (!quotient)
      items = threads;
    else if (threads && isConstantIntValue(quotient.getRhs(), *threads))
      team = threads;
  }
};

} // namespace

SmallVector<ThreadAccess> accessesOf(Launched &launched, int64_t ofBlock, gpu::GPUModuleOp onDevice) {
  ThreadAccess anything;
  anything.by = launched.isSingle ? By::First : By::Any;
  std::optional<Called> called = launched.meets ? std::nullopt : Called::find(launched.kernel);
  auto impl = called ? onDevice.lookupSymbol<func::FuncOp>(called->call.getCallee()) : func::FuncOp();
  if (!impl || impl.isExternal())
    return {anything};
  // Where whole blocks of the kernel are side by side, thread t has the items t, t + ofBlock, ...
  bool areSideBySide = ofBlock % launched.threads == 0;
  Items items{By::Any, 0, /*team=*/1, ofBlock};
  if (launched.isSingle)
    items.by = By::First;
  else if (areSideBySide && called->items)
    items = {By::Owners, *called->items, /*team=*/1, ofBlock};
  else if (areSideBySide && called->team)
    items = {By::Owners, /*count=*/1, *called->team, ofBlock};
  SmallVector<ThreadAccess> found;
  if (!Reader(impl, items).read(found))
    return {anything};
  for (ThreadAccess &access : found) {
    if (!access.base)
      continue;
    Value given = called->call.getOperand(cast<BlockArgument>(access.base).getArgNumber());
    auto argument = dyn_cast<BlockArgument>(given);
    access.base = argument && argument.getOwner() == &launched.kernel.getBody().front() ? given : Value();
  }
  return found;
}

/// Memory of different kinds is never the same, nor are two results. An argument may be another one, or a result that
/// may have its memory.
enum class Kind { Arena, Constant, Argument, Result };

/// Arguments of `@main`.
constexpr unsigned kArguments = 0, kResults = 1, kArena = 2;

static std::optional<unsigned> argumentOfMain(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto main = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (!main || main.getName() != "main" || argument.getOwner() != &main.getBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

/// Where the host finds the address of an argument or of a result: `%results[1]`.
static std::pair<Value, int64_t> slotOf(LLVM::LoadOp load) {
  auto address = load.getAddr().getDefiningOp<LLVM::GEPOp>();
  if (!address)
    return {load.getAddr(), 0};
  auto indices = address.getIndices();
  auto index = indices.size() == 1 ? dyn_cast<IntegerAttr>(indices[0]) : IntegerAttr();
  return {index ? address.getBase() : Value(), index ? index.getInt() : 0};
}

static std::optional<Kind> kindOf(Value base) {
  if (argumentOfMain(base) == kArena)
    return Kind::Arena;
  Operation *op = base.getDefiningOp();
  if (auto call = dyn_cast_or_null<func::CallOp>(op))
    return call.getCallee() == "xla_rt_cuda_constant_address" ? std::optional(Kind::Constant) : std::nullopt;
  auto load = dyn_cast_or_null<LLVM::LoadOp>(op);
  Value table = load ? slotOf(load).first : Value();
  std::optional<unsigned> number = table ? argumentOfMain(table) : std::nullopt;
  if (number == kArguments)
    return Kind::Argument;
  return number == kResults ? std::optional(Kind::Result) : std::nullopt;
}

/// Whether a result may have the memory of an argument that is given away.
static bool mayAlias(LLVM::LoadOp argument, LLVM::LoadOp result) {
  auto main = cast<func::FuncOp>(slotOf(argument).first.getParentBlock()->getParentOp());
  auto pairs = main->getAttrOfType<DenseI64ArrayAttr>(kMayAlias);
  for (int64_t i = 0; pairs && i + 1 < pairs.size(); i += 2)
    if (pairs[i] == slotOf(argument).second && pairs[i + 1] == slotOf(result).second)
      return true;
  return false;
}

/// Whether different values may be addresses of the same memory.
static bool mayOverlap(Value a, Value b) {
  std::optional<Kind> ofA = kindOf(a), ofB = kindOf(b);
  if (ofA == Kind::Result && ofB == Kind::Result)
    return slotOf(a.getDefiningOp<LLVM::LoadOp>()).second == slotOf(b.getDefiningOp<LLVM::LoadOp>()).second;
  if (ofA == Kind::Argument && ofB == Kind::Result)
    return mayAlias(a.getDefiningOp<LLVM::LoadOp>(), b.getDefiningOp<LLVM::LoadOp>());
  if (ofA == Kind::Result && ofB == Kind::Argument)
    return mayAlias(b.getDefiningOp<LLVM::LoadOp>(), a.getDefiningOp<LLVM::LoadOp>());
  return ofA == ofB;
}

/// What a value may be that control flow hands on; nothing if it is none.
static SmallVector<Value> handedOn(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
    unsigned i = argument.getArgNumber();
    if (!loop)
      return {};
    if (argument.getOwner() == loop.getBeforeBody())
      return {loop.getInits()[i], loop.getYieldOp().getOperand(i)};
    return {loop.getConditionOp().getArgs()[i]};
  }
  Operation *op = value.getDefiningOp();
  unsigned i = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getArgs()[i]};
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return {choice.getTrueValue(), choice.getFalseValue()};
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return {};
  SmallVector<Value> found;
  for (Region &region : op->getRegions())
    found.push_back(region.front().getTerminator()->getOperand(i));
  return found;
}

/// Buffers that take turns are few.
static constexpr size_t kMostPlaces = 32;

SmallVector<ThreadAccess> locate(const ThreadAccess &access, Operation *loop) {
  SmallVector<ThreadAccess> found;
  ThreadAccess anywhere = access;
  anywhere.base = {};
  if (!access.base)
    return {anywhere};
  llvm::SetVector<std::pair<Value, int64_t>> places;
  places.insert({access.base, access.offset});
  for (size_t i = 0; i < places.size(); ++i) {
    auto [base, offset] = places[i];
    if (places.size() > kMostPlaces)
      return {anywhere};
    if (auto address = base.getDefiningOp<LLVM::GEPOp>()) {
      std::optional<PointerUnion<IntegerAttr, Value>> index = indexOf(address);
      auto constant = index ? dyn_cast<IntegerAttr>(*index) : IntegerAttr();
      if (!constant)
        return {anywhere};
      places.insert({address.getBase(), offset + constant.getInt() * bytesOf(address.getElemType())});
      continue;
    }
    if (kindOf(base)) {
      if (loop->isAncestor(base.getParentRegion()->getParentOp()))
        return {anywhere};
      ThreadAccess &here = found.emplace_back(access);
      here.base = base;
      here.offset = offset;
      continue;
    }
    SmallVector<Value> values = handedOn(base);
    if (values.empty())
      return {anywhere};
    for (Value value : values)
      places.insert({value, offset});
  }
  return found;
}

bool haveToMeet(const ThreadAccess &before, const ThreadAccess &after) {
  if (!before.isWrite && !after.isWrite)
    return false;
  if (before.by == By::First && after.by == By::First)
    return false;
  if (!before.base || !after.base)
    return true;
  if (before.base != after.base)
    return mayOverlap(before.base, after.base);
  auto isBehind = [](const ThreadAccess &a, const ThreadAccess &b) {
    return b.bytes && b.offset + b.bytes <= a.offset;
  };
  if (isBehind(before, after) || isBehind(after, before))
    return false;
  if (before.places && after.places && before.offset == after.offset &&
      Places::read(before.places).areApartFrom(Places::read(after.places)))
    return false;
  return before.by != By::Owners || after.by != By::Owners || before.offset != after.offset ||
         before.stride != after.stride;
}

} // namespace mlir::xla
