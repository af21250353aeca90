// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/Decisions.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xla {

/// A graph of more launches takes too long to make.
static constexpr int64_t kMostLaunches = 4096;
/// So many launches in the body of a loop hide what it takes to decide.
static constexpr int64_t kFewLaunches = 8;
/// The longest cycle of addresses for which a loop is unrolled.
static constexpr int64_t kLongestCycle = 8;

/// What `value`, an element or its cast, decides as that `use` of it; null if it is for something else.
static Operation *decidedBy(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::ConditionOp>(user))
    return use.getOperandNumber() == 0 ? user->getParentOp() : nullptr;
  if (isa<scf::IfOp>(user))
    return user;
  auto choice = dyn_cast<scf::IndexSwitchOp>(user);
  if (!choice)
    return nullptr;
  for (auto [i, number] : llvm::enumerate(choice.getCases()))
    if (number != static_cast<int64_t>(i))
      return nullptr;
  return user;
}

/// Whether the element decides, and nothing else. Adds what.
static bool decides(tensor::ExtractOp read, SmallVectorImpl<Operation *> &controls) {
  bool isIndex = read.getType().isInteger(32);
  if (read.getTensor().getType().getRank() != 0 || !(isIndex || read.getType().isInteger(1)))
    return false;
  auto add = [&](OpOperand &use) {
    controls.push_back(decidedBy(use));
    return controls.back() != nullptr;
  };
  return llvm::all_of(read->getUses(), [&](OpOperand &use) {
    if (isIndex) {
      auto cast = dyn_cast<arith::IndexCastOp>(use.getOwner());
      return cast && llvm::all_of(cast->getUses(), add);
    }
    return add(use);
  });
}

/// The operand that decides.
static OpOperand &decidingOperand(Operation *control) {
  if (auto loop = dyn_cast<scf::WhileOp>(control))
    return loop.getConditionOp().getConditionMutable();
  return control->getOpOperand(0);
}

tensor::ExtractOp decidingRead(Operation *control) {
  OpOperand &operand = decidingOperand(control);
  Operation *source = operand.get().getDefiningOp();
  if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(source))
    source = cast->hasOneUse() ? cast.getIn().getDefiningOp() : nullptr;
  auto read = dyn_cast_or_null<tensor::ExtractOp>(source);
  SmallVector<Operation *> decided;
  bool isOwn = read && read->hasOneUse() && read->getBlock() == operand.getOwner()->getBlock();
  return isOwn && decides(read, decided) ? read : tensor::ExtractOp();
}

Operation *decidedBy(tensor::ExtractOp read) {
  SmallVector<Operation *> decided;
  return decides(read, decided) && decided.size() == 1 && decidingRead(decided[0]) == read ? decided[0] : nullptr;
}

/// Library functions and custom calls are the host's.
static bool worksOnHost(Operation *op, const SymbolTable &symbols) {
  if (isa<CustomCallOp>(op))
    return true;
  auto call = dyn_cast<func::CallOp>(op);
  auto contract = call ? implementationOf(symbols.lookup<func::FuncOp>(call.getCallee())) : ImplementationAttr();
  auto implementation = contract ? symbols.lookup<func::FuncOp>(contract.getFunction().getAttr()) : func::FuncOp();
  if (!implementation)
    return false;
  return implementation
      .walk([](func::CallOp inner) {
        return inner.getCallee() == "xla_rt_cuda_call_library" ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Has it read right before by a read of its own: others may decide by the same element.
static void readAnew(Operation *control) {
  OpOperand &operand = decidingOperand(control);
  OpBuilder builder(operand.getOwner());
  Operation *old = operand.get().getDefiningOp();
  auto cast = dyn_cast<arith::IndexCastOp>(old);
  Operation *read = builder.clone(cast ? *cast.getIn().getDefiningOp() : *old);
  if (cast) {
    read = builder.clone(*old);
    read->setOperand(0, read->getPrevNode()->getResult(0));
  }
  operand.set(read->getResult(0));
}

bool prepareDecisions(func::FuncOp main, const SymbolTable &symbols) {
  SmallVector<Operation *> controls, reads;
  WalkResult result = main.walk([&](Operation *op) {
    if (worksOnHost(op, symbols))
      return WalkResult::interrupt();
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read)
      return WalkResult::advance();
    reads.push_back(read);
    llvm::append_range(reads, read->getUsers());
    return decides(read, controls) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return false;
  llvm::for_each(controls, readAnew);
  // Casts before what they cast.
  for (Operation *old : llvm::reverse(reads))
    if (isa<tensor::ExtractOp, arith::IndexCastOp>(old) && old->use_empty())
      old->erase();
  return true;
}

/// Of kernels and copies, about.
static double launchesIn(Block &block) {
  double count = 0;
  for (Operation &op : block) {
    double times = 1;
    if (auto trips = op.getAttrOfType<IntegerAttr>(kTrips))
      times = trips.getInt();
    if (isa<func::CallOp>(op))
      ++count;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        count += times * launchesIn(inner);
  }
  return count;
}

/// After how many iterations all is where it was; 0 if that is not known to be soon.
static int64_t cycleOf(const ControlPlan &plan) {
  const BlockPlan &before = plan.blocks[0], &after = plan.blocks[1];
  DenseMap<const Place *, unsigned> ofBefore, ofAfter;
  for (auto [i, argument] : llvm::enumerate(before.arguments))
    ofBefore[argument.place] = i;
  for (auto [j, argument] : llvm::enumerate(after.arguments))
    ofAfter[argument.place] = j;
  SmallVector<unsigned> from; // where an iteration takes each of the loop's addresses from
  unsigned scalars = 0;
  for (auto [i, outgoing] : llvm::enumerate(after.outgoing)) {
    from.push_back(i);
    if (!outgoing.place) {
      ++scalars; // the loop's own counter
      continue;
    }
    auto body = ofAfter.find(outgoing.place);
    if (body == ofAfter.end())
      return 0;
    auto start = ofBefore.find(before.outgoing[body->second].place);
    if (start == ofBefore.end())
      return 0;
    from.back() = start->second;
  }
  if (scalars > 1)
    return 0;
  SmallVector<unsigned> now(from);
  for (int64_t cycle = 1; cycle <= kLongestCycle; ++cycle) {
    if (llvm::all_of(llvm::enumerate(now), [](auto each) { return each.index() == each.value(); }))
      return cycle;
    for (unsigned &place : now)
      place = from[place];
  }
  return 0;
}

bool isCountedOnDevice(scf::WhileOp loop, ControlPlan &plan) {
  auto trips = loop->getAttrOfType<IntegerAttr>(kTrips);
  double launches = launchesIn(*loop.getAfterBody());
  if (!trips || trips.getInt() * launches <= kMostLaunches)
    return false;
  int64_t cycle = cycleOf(plan);
  if (cycle == 0)
    return false;
  int64_t times = std::max<int64_t>(1, static_cast<int64_t>(kFewLaunches / std::max(launches, 1.0)) / cycle);
  plan.unrolled = cycle * times;
  plan.trips = trips.getInt();
  return plan.trips >= 2 * plan.unrolled;
}

bool hasFixedPlaces(const ControlPlan &plan) {
  return plan.inits.empty() && plan.results.empty() && llvm::all_of(plan.blocks, [](const BlockPlan &block) {
           return block.arguments.empty() && block.outgoing.empty();
         });
}

} // namespace mlir::xla
