// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/schedule/Decisions.h"
#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::xla {

/// A graph of more launches takes too long to make.
static constexpr int64_t kMostLaunches = 4096;
/// So many launches in the body of a loop hide what it takes to decide.
static constexpr int64_t kFewLaunches = 8;
/// The longest cycle of addresses for which a loop is unrolled.
static constexpr int64_t kLongestCycle = 8;

static bool isRead(tensor::ExtractOp read, bool isIndex) {
  return read && read.getTensor().getType().getRank() == 0 && read->hasOneUse() &&
         read.getType().isInteger(isIndex ? 32 : 1);
}

tensor::ExtractOp decidingRead(Operation *control) {
  Value value;
  bool isIndex = false;
  if (auto loop = dyn_cast<scf::WhileOp>(control)) {
    value = loop.getConditionOp().getCondition();
  } else if (auto branch = dyn_cast<scf::IfOp>(control)) {
    value = branch.getCondition();
  } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(control)) {
    auto cast = choice.getArg().getDefiningOp<arith::IndexCastOp>();
    for (auto [i, number] : llvm::enumerate(choice.getCases()))
      if (number != static_cast<int64_t>(i))
        return {};
    if (!cast || !cast->hasOneUse())
      return {};
    value = cast.getIn();
    isIndex = true;
  }
  auto read = value ? value.getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
  Block *block = isa<scf::WhileOp>(control) ? cast<scf::WhileOp>(control).getBeforeBody() : control->getBlock();
  return isRead(read, isIndex) && read->getBlock() == block ? read : tensor::ExtractOp();
}

Operation *decidedBy(tensor::ExtractOp read) {
  if (!read->hasOneUse())
    return nullptr;
  Operation *user = *read->user_begin();
  if (isa<arith::IndexCastOp>(user) && user->hasOneUse())
    user = *user->user_begin();
  if (isa<scf::ConditionOp>(user))
    user = user->getParentOp();
  return decidingRead(user) == read ? user : nullptr;
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

bool prepareDecisions(func::FuncOp main, const SymbolTable &symbols) {
  SmallVector<std::pair<tensor::ExtractOp, Operation *>> reads;
  WalkResult result = main.walk([&](Operation *op) {
    if (worksOnHost(op, symbols))
      return WalkResult::interrupt();
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read)
      return WalkResult::advance();
    Operation *control = decidedBy(read);
    if (!control)
      return WalkResult::interrupt();
    reads.emplace_back(read, control);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  for (auto [read, control] : reads) {
    Operation *place = control;
    if (auto loop = dyn_cast<scf::WhileOp>(control))
      place = loop.getConditionOp();
    Operation *user = *read->user_begin();
    read->moveBefore(place);
    if (isa<arith::IndexCastOp>(user))
      user->moveBefore(place);
  }
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
