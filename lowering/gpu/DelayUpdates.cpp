// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan stacks up what its iterations compute, by an update that is the last to be ready and that nobody waits for:
//
//   for { h = f(h); stack = update(h, stack, i) }
//   =>  for { stack = update(h, stack, before); h = f(h); before = i }; stack = update(h, stack, before)
//
// Now the update needs nothing of f, and can be one launch with it. The first iteration has nothing to write. So that
// it is no other than the rest, it writes what h begins with where the second one writes what it has computed, or the
// update behind the loop: `before` begins as the first i. Nothing reads the stack until then.

#include "mlir_xla/lowering/gpu/DelayUpdates.h"
#include "mlir_xla/lowering/schedule/Aliases.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {

/// Bytes of what is kept for the next iteration though the loop has no other use for it.
static constexpr int64_t kKeptBytes = 1 << 20;

namespace {

class Delay {
public:
  Delay(scf::ForOp loop, func::CallOp update) : loop(loop), body(loop.getBody()), update(update) {}

  /// Whether the call updates a stack that nothing else in the loop reads, at places that are known at its beginning.
  bool find(func::FuncOp kernel);
  scf::ForOp emit();

private:
  /// An operand of the update that the loop computes or hands on.
  struct Delayed {
    unsigned number;
    Value operand;                    // without views
    SmallVector<Operation *> views;   // from it to the update, the first one first
    std::optional<unsigned> handedOn; // which of the loop's values it is in the next iteration
    bool isPlace = false;             // says where to write, so it is what it is in the first iteration before that
  };

  bool isOutside(Value value) const { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  std::optional<unsigned> handedOnAs(Value value) const;
  bool isKnownBefore(Value value) const;
  Value atBeginning(OpBuilder &b, Value value);
  func::CallOp emitUpdate(OpBuilder &b, ValueRange values);

  scf::ForOp loop;
  Block *body;
  func::CallOp update;
  unsigned stack = 0;            // which of the loop's values
  unsigned destination = 0;      // which operand of the update
  SmallVector<Delayed> operands; // all but that
};

} // namespace

/// Which of the loop's values the value is in the next iteration.
std::optional<unsigned> Delay::handedOnAs(Value value) const {
  ValueRange yielded = body->getTerminator()->getOperands();
  auto it = llvm::find(yielded, value);
  return it == yielded.end() ? std::nullopt : std::optional<unsigned>(it - yielded.begin());
}

/// Whether what the value is in the first iteration can be computed before the loop: what the loop begins with, or a
/// call of nothing else.
bool Delay::isKnownBefore(Value value) const {
  auto call = value.getDefiningOp<func::CallOp>();
  return isa<BlockArgument>(value) || (call && llvm::all_of(call.getOperands(), [&](Value operand) {
                                         return isa<BlockArgument>(operand) || isOutside(operand);
                                       }));
}

Value Delay::atBeginning(OpBuilder &b, Value value) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return mapping.lookup(argument);
  return b.clone(*value.getDefiningOp(), mapping)->getResult(cast<OpResult>(value).getResultNumber());
}

bool Delay::find(func::FuncOp kernel) {
  auto placedBy = kernel ? kernel->getAttrOfType<DenseI64ArrayAttr>(kPlacedBy) : DenseI64ArrayAttr();
  ImplementationAttr contract = placedBy ? implementationOf(kernel) : ImplementationAttr();
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound()),
                         begin = getConstantIntValue(loop.getLowerBound());
  if (!contract || !begin || !end || *begin >= *end || update->getBlock() != body || update.getNumResults() != 1 ||
      contract.getResult(0).kind != ResultMemory::Updates || !update.getResult(0).hasOneUse())
    return false;
  destination = contract.getResult(0).argument;
  auto argument = dyn_cast<BlockArgument>(update.getOperand(destination));
  std::optional<unsigned> result = handedOnAs(update.getResult(0));
  if (!argument || argument.getOwner() != body || !result || loop.getRegionIterArg(*result) != argument ||
      !argument.hasOneUse())
    return false;
  stack = *result;
  bool waits = false;
  for (OpOperand &operand : update->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (number == destination || isOutside(operand.get()))
      continue;
    Delayed delayed{number, operand.get(), {}, std::nullopt};
    for (Operation *def; (def = delayed.operand.getDefiningOp()) && isView(*def) && def->getBlock() == body;) {
      delayed.views.insert(delayed.views.begin(), def);
      delayed.operand = def->getOperand(cast<OpResult>(delayed.operand).getResultNumber());
    }
    Value value = delayed.operand;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || value.getParentBlock() != body)
      return false;
    waits |= value.getDefiningOp<func::CallOp>() != nullptr;
    delayed.isPlace = llvm::is_contained(placedBy.asArrayRef(), static_cast<int64_t>(number));
    if (delayed.isPlace) {
      if (!isKnownBefore(value))
        return false;
    } else {
      delayed.handedOn = handedOnAs(value);
      if (!delayed.handedOn &&
          (!type.getElementType().isIntOrFloat() ||
           type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8) > kKeptBytes))
        return false;
    }
    operands.push_back(delayed);
  }
  return waits;
}

/// `values`: what the loop hands on.
func::CallOp Delay::emitUpdate(OpBuilder &b, ValueRange values) {
  SmallVector<Value> given(update.getOperands());
  given[destination] = values[stack];
  for (const Delayed &delayed : operands) {
    IRMapping mapping;
    Value value = values[*delayed.handedOn];
    for (Operation *view : delayed.views) {
      mapping.map(view->getOperand(0), value);
      value = b.clone(*view, mapping)->getResult(0);
    }
    given[delayed.number] = value;
  }
  return func::CallOp::create(b, update.getLoc(), update.getCallee(), update.getResultTypes(), given);
}

scf::ForOp Delay::emit() {
  OpBuilder b(loop);
  // What the loop does not hand on it does now.
  SmallVector<Value> inits, kept;
  for (Delayed &delayed : operands) {
    if (delayed.handedOn)
      continue;
    delayed.handedOn = loop.getNumResults() + inits.size();
    kept.push_back(delayed.operand);
    if (delayed.isPlace) {
      inits.push_back(atBeginning(b, delayed.operand));
    } else {
      auto type = cast<RankedTensorType>(delayed.operand.getType());
      inits.push_back(arith::ConstantOp::create(b, update.getLoc(), cast<TypedAttr>(b.getZeroAttr(type))));
    }
  }
  auto handOn = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return kept; };
  IRRewriter rewriter(b);
  auto next = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, handOn));
  body = next.getBody();
  b.setInsertionPointToStart(body);
  func::CallOp early = emitUpdate(b, next.getRegionIterArgs());
  body->getTerminator()->setOperand(stack, early.getResult(0));
  b.setInsertionPointAfter(next);
  func::CallOp late = emitUpdate(b, next.getResults());
  next.getResult(stack).replaceAllUsesExcept(late.getResult(0), late);
  update.erase();
  return next;
}

scf::ForOp delayUpdates(scf::ForOp loop, const SymbolTable &symbols, function_ref<bool(func::CallOp)> mayJoin) {
  for (auto call : llvm::to_vector(loop.getBody()->getOps<func::CallOp>())) {
    Delay delay(loop, call);
    bool hasCompany = llvm::any_of(loop.getBody()->getOps<func::CallOp>(),
                                   [&](func::CallOp other) { return other != call && mayJoin(other); });
    if (hasCompany && mayJoin(call) && delay.find(symbols.lookup<func::FuncOp>(call.getCallee())))
      loop = delay.emit();
  }
  return loop;
}

} // namespace mlir::xla
