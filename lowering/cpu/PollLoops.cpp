// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters and leaves: the schedule on pointers and kernels as loops. Afterwards no long stretch of work is without a
// call of the runtime that ends the program if it is to end: between the calls of kernels, and in those loops of theirs
// that take long for each item of work. Where they go depends on a rough estimate of the work: one that is wrong by a
// factor of ten costs a hundredth of a second of delay, or nothing that could be measured.

#include "mlir_xla/lowering/cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"
#include "mlir_xla/runtime/xla_rt.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::xla {
#define GEN_PASS_DEF_POLLLOOPS
#include "mlir_xla/lowering/cpu/Passes.h.inc"

namespace {

/// Estimated work between two polls. A poll takes some ten nanoseconds.
constexpr double kBetweenPolls = 100000;
/// Less work than this is done without a poll, which keeps most kernels as they are.
constexpr double kUnpolled = 1000000;
/// A loop over such items polls by itself.
constexpr double kLongItem = 10000;
/// What an iteration of a loop of the schedule takes at least, for itself.
constexpr double kIteration = 4;
/// What a loop within another one counts for there: it may end before it has polled, but not 64 times.
constexpr double kLoop = kBetweenPolls / 64;

constexpr llvm::StringLiteral kPoll = "xla_rt_poll";

class PollPlacement {
public:
  explicit PollPlacement(ModuleOp module) : module(module), symbols(module) {}

  void run(func::FuncOp main) {
    main.walk([&](func::CallOp call) { noteWork(call); });
    splitCalls(main);
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function != main && !function.isExternal())
        pollKernel(function);
    pollBlock(main.getBody().front(), 0);
  }

private:
  //===- Estimates, in nanoseconds --------------------------------------------------------------------------------===//

  /// Remembers how many items of work a call of a kernel does without a poll as the value of its argument %end: the
  /// last one of an implementation that is called directly, the third one of a task.
  void noteWork(func::CallOp call) {
    func::FuncOp kernel;
    Value work, grain;
    unsigned position = 0;
    if (call.getCallee() == "xla_rt_parallel_for") {
      if (auto address = call.getOperand(0).getDefiningOp<func::ConstantOp>())
        kernel = symbols.lookup<func::FuncOp>(address.getValue());
      work = call.getOperand(2);
      grain = call.getOperand(3);
      position = 2;
    } else if (call.getNumOperands() > 0) {
      kernel = symbols.lookup<func::FuncOp>(call.getCallee());
      position = call.getNumOperands() - 1;
      work = call.getOperand(position);
    }
    std::optional<int64_t> items = work ? getConstantIntValue(work) : std::nullopt;
    if (!kernel || kernel.isExternal() || !items)
      return;
    // The thread pool polls by itself where there are grains.
    if (std::optional<int64_t> size = grain ? getConstantIntValue(grain) : std::nullopt; size && *size > 0)
      items = std::min<uint64_t>(*items, llvm::SaturatingMultiply<uint64_t>(*size, XLA_RT_POLLED_GRAINS));
    else if (size)
      polled.insert(kernel);
    int64_t &known = ends[kernel.getArgument(position)];
    known = std::max(known, *items);
  }

  std::optional<int64_t> valueOf(Value value) {
    while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    if (auto it = ends.find(value); it != ends.end())
      return it->second;
    return getConstantIntValue(value);
  }

  /// An upper bound of the iterations, or 1 if nothing is known.
  double tripsOf(scf::ForOp loop) {
    std::optional<int64_t> step = valueOf(loop.getStep());
    if (!step || *step <= 0)
      return 1;
    auto over = [&](std::optional<int64_t> length) -> std::optional<double> {
      return length ? std::optional<double>(llvm::divideCeil(std::max<int64_t>(*length, 0), *step)) : std::nullopt;
    };
    Value lower = loop.getLowerBound();
    auto from = [&](Value upper) -> std::optional<double> {
      if (auto sum = upper.getDefiningOp<arith::AddIOp>(); sum && sum.getLhs() == lower)
        return over(valueOf(sum.getRhs()));
      std::optional<int64_t> end = valueOf(upper);
      return over(end ? std::optional<int64_t>(*end - valueOf(lower).value_or(0)) : std::nullopt);
    };
    if (std::optional<double> trips = from(loop.getUpperBound()))
      return *trips;
    double trips = 0;
    if (auto least = loop.getUpperBound().getDefiningOp<arith::MinSIOp>())
      for (Value bound : {least.getLhs(), least.getRhs()})
        if (std::optional<double> candidate = from(bound))
          trips = trips == 0 ? *candidate : std::min(trips, *candidate);
    return std::max(trips, 1.0);
  }

  double costOf(Block &block) {
    double cost = 0;
    for (Operation &op : block)
      cost += costOf(op);
    return cost;
  }

  double costOf(Operation &op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return tripsOf(loop) * iterationCost(loop);
    if (op.getNumRegions() > 0) { // branches
      double most = 0;
      for (Region &region : op.getRegions())
        for (Block &block : region)
          most = std::max(most, costOf(block));
      return most;
    }
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      return callee && !callee.isExternal() ? kernelCost(callee) : runtimeCost(call);
    }
    if (isa<vector::GatherOp>(op))
      return cast<VectorType>(op.getResult(0).getType()).getNumElements();
    auto [known, isNew] = instructionCosts.try_emplace(op.getName(), 0);
    if (isNew)
      known->second = instructionCost(op);
    return known->second;
  }

  /// What one of the ops takes that all take alike.
  static double instructionCost(Operation &op) {
    if (op.hasTrait<OpTrait::ConstantLike>() || op.hasTrait<OpTrait::IsTerminator>())
      return 0;
    bool isOneInstruction = isa<math::FmaOp, math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FloorOp, math::CeilOp,
                                math::TruncOp, math::RoundEvenOp>(op);
    if (isa<math::MathDialect>(op.getDialect()) && !isOneInstruction)
      return 8;
    if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp>(op))
      return 3;
    return 0.25;
  }

  /// What an iteration takes. It is asked for at every level of a nest, before anything is changed there.
  double iterationCost(scf::ForOp loop) {
    if (auto known = iterationCosts.find(loop); known != iterationCosts.end())
      return known->second;
    double cost = costOf(*loop.getBody());
    iterationCosts[loop] = cost;
    return cost;
  }

  /// What a call of the kernel takes until it polls for the last time, or altogether.
  double kernelCost(func::FuncOp kernel) {
    auto [it, isNew] = kernelCosts.try_emplace(kernel, 0);
    if (isNew) {
      double cost = costOf(kernel.getBody().front());
      it = kernelCosts.find(kernel);
      it->second = cost;
    }
    return it->second;
  }

  double runtimeCost(func::CallOp call) {
    if (call.getCallee() == "xla_rt_copy" || call.getCallee() == "xla_rt_fill") {
      double bytes = 1; // count and size of a fill
      for (Value operand : call.getOperands().drop_front(2))
        bytes *= getConstantIntValue(operand).value_or(1);
      return bytes * 0.1;
    }
    return 1000;
  }

  //===- Calls of kernels -----------------------------------------------------------------------------------------===//

  /// A direct call of much work becomes one for each few items, which leaves the kernel's own loops as they are, unless
  /// items take so long that their loop does not notice a poll, and may have something in common:
  /// call @k(%x, %c0, %work)  ->  scf.for %begin = %c0 to %work step %few { poll; call @k(%x, %begin, %end) }
  void splitCalls(func::FuncOp main) {
    SmallVector<std::pair<func::CallOp, int64_t>> calls;
    main.walk([&](func::CallOp call) {
      auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!kernel || kernel.isExternal() || call.getNumOperands() < 2)
        return;
      unsigned last = call.getNumOperands() - 1;
      std::optional<int64_t> begin = getConstantIntValue(call.getOperand(last - 1)),
                             end = getConstantIntValue(call.getOperand(last));
      double cost = kernelCost(kernel);
      if (begin != 0 || !end || *end < 2 || cost < kUnpolled || !ends.contains(kernel.getArguments().back()))
        return;
      if (cost > kLongItem * *end) {
        polled.insert(kernel);
        return;
      }
      calls.emplace_back(call, std::max<int64_t>(1, static_cast<int64_t>(kBetweenPolls * *end / cost)));
    });
    llvm::SmallDenseSet<Value> again;
    for (auto [call, few] : calls) {
      OpBuilder b(call);
      Location loc = call.getLoc();
      unsigned last = call.getNumOperands() - 1;
      Value step = arith::ConstantIndexOp::create(b, loc, few);
      auto loop = scf::ForOp::create(b, loc, call.getOperand(last - 1), call.getOperand(last), step);
      loop->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
      callPoll(loc, loop.getBody(), loop.getBody()->begin());
      b.setInsertionPoint(loop.getBody()->getTerminator());
      Value begin = loop.getInductionVar();
      Value end = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, begin, step), call.getOperand(last));
      call->moveBefore(loop.getBody()->getTerminator());
      call.setOperand(last - 1, begin);
      call.setOperand(last, end);
      Value items = symbols.lookup<func::FuncOp>(call.getCallee()).getArguments().back();
      int64_t &known = ends[items];
      known = again.insert(items).second ? few : std::max(known, few);
    }
    if (!calls.empty()) {
      kernelCosts.clear();
      iterationCosts.clear();
    }
  }

  //===- Kernels --------------------------------------------------------------------------------------------------===//

  void pollKernel(func::FuncOp kernel) {
    Block &body = kernel.getBody().front();
    if (kernelCost(kernel) >= kUnpolled && pollLoops(body))
      kernelCosts[kernel] = kBetweenPolls;
    if (!polled.contains(kernel))
      return;
    // Also beside polls within items: those depend on what is known of the loops there.
    for (auto items : body.getOps<scf::ForOp>())
      if (auto first = dyn_cast<func::CallOp>(items.getBody()->front()); !first || first.getCallee() != kPoll)
        callPoll(items.getLoc(), items.getBody(), items.getBody()->begin());
  }

  /// Gives polls to the loops in a block that take long; false if there is none.
  bool pollLoops(Block &block) {
    bool polls = false;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        polls |= pollLoop(loop);
      else
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            polls |= pollLoops(inner);
    }
    return polls;
  }

  bool pollLoop(scf::ForOp loop) {
    double trips = tripsOf(loop), iteration = std::max(iterationCost(loop), 0.25);
    if (trips * iteration < kUnpolled)
      return false;
    // As far out as can be: calls in inner loops, whose sums are in registers, cost more than they take themselves.
    if (iteration >= kUnpolled && pollLoops(*loop.getBody()))
      return true;
    int64_t between = std::max<int64_t>(1, static_cast<int64_t>(kBetweenPolls / iteration));
    // A loop that takes a microsecond each time does not notice a few polls too many.
    if (iteration < 1000)
      cut(loop, between);
    else
      callPoll(loop.getLoc(), loop.getBody(), loop.getBody()->begin());
    return true;
  }

  /// scf.for %i = %lb to %ub step %s  ->  scf.for %j = %lb to %ub step (n * %s) { poll; %end = min(%j + n * %s, %ub)
  ///                                        scf.for %i = %j to %end step %s }
  void cut(scf::ForOp loop, int64_t iterations) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value upper = loop.getUpperBound();
    int64_t step = *getConstantIntValue(loop.getStep()); // else the loop would not seem long
    Value width = arith::ConstantOp::create(b, loc, b.getIntegerAttr(upper.getType(), step * iterations));
    auto pieces = scf::ForOp::create(b, loc, loop.getLowerBound(), upper, width, loop.getInitArgs());
    if (Attribute nonEmpty = loop->getAttr(XlaRtDialect::kNonEmpty))
      pieces->setAttr(XlaRtDialect::kNonEmpty, nonEmpty);
    Block *body = pieces.getBody();
    if (!body->empty())
      body->getTerminator()->erase();
    callPoll(loc, body, body->end());
    b.setInsertionPointToEnd(body);
    Value begin = pieces.getInductionVar();
    Value end = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, begin, width), upper);
    loop.replaceAllUsesWith(pieces.getResults());
    loop->moveBefore(body, body->end());
    loop.setLowerBound(begin);
    loop.setUpperBound(end);
    loop.getInitArgsMutable().assign(pieces.getRegionIterArgs());
    loop->setAttr(XlaRtDialect::kNonEmpty, b.getUnitAttr());
    b.setInsertionPointToEnd(body);
    scf::YieldOp::create(b, loc, loop.getResults());
  }

  //===- The schedule ---------------------------------------------------------------------------------------------===//

  /// Polls in a straight line of calls whenever much work has been done; `cost` is what came before. Returns what has
  /// been done since the last poll.
  double pollBlock(Block &block, double cost) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Location loc = op.getLoc();
      Block::iterator next = std::next(op.getIterator());
      if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        pollWhile(loop);
        cost += kLoop;
      } else if (op.getNumRegions() > 0) {
        double most = cost;
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            most = std::max(most, pollBlock(inner, cost));
        cost = most;
      } else {
        cost += costOf(op);
      }
      if (cost >= kUnpolled) {
        callPoll(loc, &block, next);
        cost = 0;
      }
    }
    return cost;
  }

  /// The loop carries a budget from which iterations take; one that finds nothing left polls.
  void pollWhile(scf::WhileOp loop) {
    double cost = pollBlock(*loop.getBeforeBody(), 0) + pollBlock(*loop.getAfterBody(), 0) + kIteration;
    // What asks the runtime whether to go on polls there.
    if (llvm::any_of(loop.getBeforeBody()->getOps<func::CallOp>(),
                     [](func::CallOp call) { return call.getCallee() == "xla_rt_cuda_repeat"; }))
      return;
    Location loc = loop.getLoc();
    OpBuilder b(loop);
    Type i64 = b.getI64Type();
    auto amount = [&](double nanoseconds) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(static_cast<int64_t>(nanoseconds)));
    };
    SmallVector<Value> inits(loop.getInits());
    SmallVector<Type> types(loop.getResultTypes());
    inits.push_back(amount(kBetweenPolls));
    types.push_back(i64);
    auto polled = scf::WhileOp::create(b, loc, types, inits);
    polled.getBefore().takeBody(loop.getBefore());
    polled.getAfter().takeBody(loop.getAfter());
    loop.replaceAllUsesWith(polled.getResults().drop_back());
    loop.erase();

    polled.getConditionOp().getArgsMutable().append(polled.getBeforeBody()->addArgument(i64, loc));
    Value left = polled.getAfterBody()->addArgument(i64, loc);
    b.setInsertionPointToStart(polled.getAfterBody());
    Value rest = arith::SubIOp::create(b, loc, left, amount(cost));
    Value isSpent = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, rest, amount(0));
    auto branch = scf::IfOp::create(b, loc, TypeRange(i64), isSpent, /*withElseRegion=*/true);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, loc, amount(kBetweenPolls));
    callPoll(loc, branch.thenBlock(), branch.thenBlock()->begin());
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, loc, rest);
    polled.getYieldOp().getResultsMutable().append(branch.getResult(0));
  }

  void callPoll(Location loc, Block *block, Block::iterator point) {
    if (!symbols.lookup(kPoll)) {
      OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
      auto poll = func::FuncOp::create(atStart, module.getLoc(), kPoll, atStart.getFunctionType({}, {}));
      poll.setPrivate();
      symbols.insert(poll);
    }
    OpBuilder b(block, point);
    func::CallOp::create(b, loc, kPoll, TypeRange());
  }

  ModuleOp module;
  SymbolTable symbols;
  DenseMap<Value, int64_t> ends;
  DenseSet<Operation *> polled; // kernels whose long items stay together
  DenseMap<Operation *, double> kernelCosts, iterationCosts;
  DenseMap<OperationName, double> instructionCosts;
};

struct PollLoopsPass : impl::PollLoopsBase<PollLoopsPass> {
  using PollLoopsBase::PollLoopsBase;

  void runOnOperation() override {
    if (auto main = getOperation().lookupSymbol<func::FuncOp>("main"); main && !main.isExternal())
      PollPlacement(getOperation()).run(main);
  }
};

} // namespace
} // namespace mlir::xla
