// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-launch-loops`: loops of small kernels become kernels of one block, which need no launch for an iteration. A
// launch takes about two microseconds, in a graph too; a barrier takes a hundredth of that.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/KernelParts.h"
#include "mlir_xla/lowering/gpu/Meetings.h"
#include "mlir_xla/lowering/gpu/Places.h"
#include "mlir_xla/lowering/schedule/BufferPlan.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LAUNCHLOOPS
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

constexpr int64_t kWarp = GpuMachine::warp;
/// Bytes that a block copies in the time of a launch.
constexpr int64_t kCopyBytes = 64 << 10;
/// Bytes of a parameter: a pointer or a number.
constexpr int64_t kParameterBytes = 8;
/// Iterations, of loops in each other together: more would keep the device busy for seconds in which nobody can
/// interrupt it.
constexpr int64_t kMostTrips = 1 << 20;
/// Iterations of a loop that a predicate ends after which the host, or a node of the graph, asks anew: then it can be
/// interrupted, and what asking takes is nothing beside them.
constexpr int64_t kMostRounds = 4096;

/// The calls of the runtime that a block can do itself.
bool isOneOf(func::CallOp call, ArrayRef<StringLiteral> names) { return llvm::is_contained(names, call.getCallee()); }
constexpr StringLiteral kCopy = "xla_rt_cuda_copy", kFill = "xla_rt_cuda_fill", kBeginLoop = "xla_rt_cuda_begin_loop",
                        kRepeat = "xla_rt_cuda_repeat", kBeginBranches = "xla_rt_cuda_begin_branches",
                        kTakeBranch = "xla_rt_cuda_take_branch", kEndBranches = "xla_rt_cuda_end_branches";

/// Reads memory of the host, of which a block knows what is there.
bool readsHost(Operation *op) {
  return isa<func::CallOp>(op) && isOneOf(cast<func::CallOp>(op), {kBeginBranches, kFill});
}

/// What a kernel need not be given.
bool isConstant(Operation *op) { return isa_and_present<arith::ConstantOp, LLVM::ZeroOp, LLVM::AddressOfOp>(op); }

/// Whether the runtime is asked for no predicate, but to count.
bool isCount(func::CallOp repeat) { return isa_and_present<LLVM::ZeroOp>(repeat.getOperand(0).getDefiningOp()); }

/// How the runtime is asked for each iteration; then it is told before the loop that one begins. Null if it is not.
func::CallOp askedBy(scf::WhileOp loop) {
  auto answer = loop.getConditionOp().getCondition().getDefiningOp<arith::TruncIOp>();
  auto call = answer ? answer.getIn().getDefiningOp<func::CallOp>() : func::CallOp();
  return call && isOneOf(call, {kRepeat}) ? call : func::CallOp();
}

/// Bytes that a thread copies at a time.
int64_t copiedWidth(int64_t bytes) { return bytes % 4 == 0 ? 4 : 1; }

/// What a copy or a fill writes. Of a fill, `element` has the bytes that are repeated.
struct Written {
  int64_t bytes = 0, width = 0; // of all, and what a thread writes at a time
  StringRef element;

  int64_t count() const { return bytes / width; }

  /// Nothing if it is not known, or more than a block writes in the time of a launch.
  static std::optional<Written> find(func::CallOp call) {
    Written found;
    if (isOneOf(call, {kCopy})) {
      found.bytes = getConstantIntValue(call.getOperand(2)).value_or(0);
      found.width = copiedWidth(found.bytes);
    } else {
      auto address = call.getOperand(1).getDefiningOp<LLVM::AddressOfOp>();
      auto global = address ? SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(call, address.getGlobalNameAttr())
                            : LLVM::GlobalOp();
      auto text = global ? dyn_cast_or_null<StringAttr>(global.getValueOrNull()) : StringAttr();
      found.width = getConstantIntValue(call.getOperand(2)).value_or(0);
      found.bytes = found.width * getConstantIntValue(call.getOperand(3)).value_or(0);
      if (!text || static_cast<int64_t>(text.size()) < found.width)
        return std::nullopt;
      found.element = text.getValue().take_front(found.width);
    }
    return found.bytes > 0 && found.bytes <= kCopyBytes ? std::optional(found) : std::nullopt;
  }
};

/// A loop that one block of threads can go through, with its kernels.
struct SmallLoop {
  scf::WhileOp loop;
  func::CallOp beginning; // if the runtime is asked
  func::CallOp predicate; // how it is asked for a predicate
  DenseMap<Operation *, Launched> launches;
  AccessMap accesses; // of calls
  int64_t threads = kWarp;
  int64_t decisions = 0;           // places where the runtime is asked, by counting too
  bool isSingle = true;            // one thread does it all
  int64_t trips = 1;               // of all loops together, at most; for each time that a predicate is asked for
  llvm::SetVector<Value> captured; // from outside: the kernel's parameters
  llvm::SetVector<Operation *> constants;
  llvm::SetVector<gpu::GPUFuncOp> meeting; // kernels whose threads meet

  static std::optional<SmallLoop> find(scf::WhileOp loop, SymbolTableCollection &symbols, gpu::GPUModuleOp onDevice) {
    constexpr int64_t mostThreads = GpuMachine::largestBlock;
    SmallLoop found;
    found.loop = loop;
    func::CallOp asked = askedBy(loop);
    if (asked && !isCount(asked))
      found.predicate = asked;
    if (loop->hasAttr(kLaunched))
      return std::nullopt;
    if (found.predicate && (loop->getNumOperands() || loop->getNumResults()))
      return std::nullopt;
    if (loop->walk([&](Operation *op) { return found.note(op, symbols, onDevice); }).wasInterrupted() ||
        found.launches.empty())
      return std::nullopt;
    int64_t meeting = 0;
    uint64_t wanted = kWarp;
    for (auto &[call, launched] : found.launches) {
      if (launched.meets) {
        meeting = std::max(meeting, launched.threads);
        found.meeting.insert(launched.kernel);
      }
      wanted = std::max(wanted, llvm::alignTo(launched.blocks * launched.threads, kWarp));
    }
    if (found.sharedBytes(onDevice) > GpuMachine::staticSharedBytes)
      return std::nullopt;
    found.threads = meeting ? meeting : found.isSingle ? 1 : std::min<int64_t>(wanted, mostThreads);
    if (found.threads > mostThreads || llvm::any_of(found.launches, [&](auto &each) {
          return !each.second.isSmallFor(found.threads) &&
                 !(each.second.isForOneBlock() && canBeOfFirst(each.second, found.threads, onDevice));
        }))
      return std::nullopt;
    if (asked) {
      Operation *before = loop->getPrevNode();
      while (isConstant(before))
        before = before->getPrevNode();
      found.beginning = dyn_cast_or_null<func::CallOp>(before);
      if (!found.beginning || !isOneOf(found.beginning, {kBeginLoop}))
        return std::nullopt;
      if (!found.predicate)
        found.multiplyTrips(found.beginning.getOperand(0));
    }
    if (found.trips > kMostTrips)
      return std::nullopt;
    found.capture();
    if (static_cast<int64_t>(found.captured.size()) * kParameterBytes > GpuMachine::parameterBytes)
      return std::nullopt;
    found.noteAccesses(onDevice);
    // What the host has computed by going through the loop it can still have, unless the device was asked on the way.
    if (!loop->use_empty() && found.decisions > (found.beginning ? 1 : 0))
      return std::nullopt;
    return found;
  }

  /// Iterations of a launch, if a predicate decides.
  int64_t rounds() const { return std::min(kMostRounds, kMostTrips / std::max<int64_t>(1, trips)); }

private:
  /// What kernels have is the same memory for all of them; what functions of the library have is there once.
  int64_t sharedBytes(gpu::GPUModuleOp onDevice) const {
    int64_t bytes = SharedLayout(meeting.getArrayRef(), onDevice).bytes;
    llvm::SmallDenseSet<StringRef> functions;
    for (gpu::GPUFuncOp kernel : meeting)
      if (kernel.getKnownBlockSizeAttr())
        for (StringRef function : libraryFunctionsOf(kernel, onDevice))
          if (functions.insert(function).second)
            bytes += deviceSharedBytes(function);
    return bytes;
  }

  void capture() {
    auto captureOf = [&](Operation *op) {
      for (Value operand : op->getOperands()) {
        if (loop->isAncestor(operand.getParentRegion()->getParentOp()))
          continue;
        if (Operation *constant = operand.getDefiningOp(); isConstant(constant))
          constants.insert(constant);
        else
          captured.insert(operand);
      }
    };
    loop->walk(captureOf);
    if (beginning)
      captureOf(beginning);
  }

  void noteAccesses(gpu::GPUModuleOp onDevice) {
    loop->walk([&](func::CallOp call) {
      SmallVector<ThreadAccess> found;
      auto add = [&](Value base, int64_t bytes, bool isWrite) -> ThreadAccess & {
        ThreadAccess &access = found.emplace_back();
        access.base = base;
        access.bytes = bytes;
        access.isWrite = isWrite;
        return access;
      };
      if (auto launched = launches.find(call); launched != launches.end()) {
        found = accessesOf(launched->second, threads, onDevice);
        gpu::LaunchFuncOp launch = launched->second.launch;
        for (ThreadAccess &access : found)
          if (auto parameter = cast_or_null<BlockArgument>(access.base)) {
            Value given = launch.getKernelOperands()[parameter.getArgNumber()];
            int64_t argument = cast<BlockArgument>(given).getArgNumber();
            access.base = call.getOperand(argument);
            auto host = cast<func::FuncOp>(launch->getParentOp());
            if (auto bytes = host->getAttrOfType<DenseI64ArrayAttr>(kBufferBytes);
                bytes && argument < bytes.size() && !access.bytes)
              access.bytes = bytes[argument];
            if (access.isWrite)
              access.places = host->getAttrOfType<ArrayAttr>(Places::kName);
          }
      } else if (isOneOf(call, {kCopy, kFill})) {
        Written written = *Written::find(call);
        for (unsigned i = 0; i < (written.element.empty() ? 2 : 1); ++i) {
          ThreadAccess &access = add(call.getOperand(i), written.bytes, /*isWrite=*/i == 0);
          access.by = written.count() == 1 ? ThreadAccess::By::First : ThreadAccess::By::Owners;
          access.stride = written.width;
          access.count = written.count();
        }
      } else if (isOneOf(call, {kBeginBranches})) {
        bool isIndex = *getConstantIntValue(call.getOperand(1)) != 0;
        add(call.getOperand(0), isIndex ? sizeof(int32_t) : 1, /*isWrite=*/false);
      } else if (call == predicate) {
        add(call.getOperand(0), 1, /*isWrite=*/false);
      }
      SmallVector<ThreadAccess> located;
      for (const ThreadAccess &access : found)
        llvm::append_range(located, locate(access, loop));
      if (!located.empty())
        accesses[call] = std::move(located);
    });
  }

  void multiplyTrips(Value count) {
    uint64_t more = getConstantIntValue(count).value_or(INT64_MAX);
    trips = std::min<uint64_t>(INT64_MAX, llvm::SaturatingMultiply<uint64_t>(trips, more));
  }

  WalkResult note(Operation *op, SymbolTableCollection &symbols, gpu::GPUModuleOp onDevice) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (isOneOf(call, {kCopy, kFill})) {
        std::optional<Written> written = Written::find(call);
        isSingle &= written && written->count() == 1;
        return written ? WalkResult::advance() : WalkResult::interrupt();
      }
      if (isOneOf(call, {kBeginLoop}))
        multiplyTrips(call.getOperand(0));
      if (isOneOf(call, {kBeginLoop, kEndBranches}))
        return WalkResult::advance();
      // A loop that only the device could end would be one that nobody can interrupt.
      if (isOneOf(call, {kRepeat}) && !isCount(call) && call != predicate)
        return WalkResult::interrupt();
      if (isOneOf(call, {kBeginBranches, kTakeBranch, kRepeat})) {
        ++decisions;
        return WalkResult::advance();
      }
      std::optional<Launched> launched =
          Launched::find(symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()), onDevice);
      if (!launched)
        return WalkResult::interrupt();
      launches[op] = *launched;
      isSingle &= launched->isSingle;
      return WalkResult::advance();
    }
    if (auto inner = dyn_cast<scf::WhileOp>(op); inner && !askedBy(inner)) {
      // The host counts from 0 by 1.
      auto below = inner.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
      if (!below)
        return WalkResult::interrupt();
      multiplyTrips(below.getRhs());
    }
    if (isa<LLVM::AddressOfOp>(op))
      return llvm::all_of(op->getUsers(), readsHost) ? WalkResult::advance() : WalkResult::interrupt();
    if (isa<scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, scf::ConditionOp, scf::YieldOp, LLVM::GEPOp, LLVM::ZeroOp>(
            op) ||
        isa_and_present<arith::ArithDialect>(op->getDialect()))
      return WalkResult::advance();
    return WalkResult::interrupt();
  }
};

Value placeOfCounter(ImplicitLocOpBuilder &b, Block *entry) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), b.getI64Type(),
                                arith::ConstantIntOp::create(b, 1, 64), /*alignment=*/8);
}

/// Whether a counter was above 0, as the runtime answers.
Value countDown(ImplicitLocOpBuilder &b, Value place) {
  Value left = LLVM::LoadOp::create(b, b.getI64Type(), place);
  LLVM::StoreOp::create(b, arith::SubIOp::create(b, left, arith::ConstantIntOp::create(b, 1, 64)), place);
  Value goesOn = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left, arith::ConstantIntOp::create(b, 0, 64));
  return arith::ExtUIOp::create(b, b.getI32Type(), goesOn);
}

/// Writes the kernel.
class LoopEmitter {
public:
  LoopEmitter(SmallLoop &small, gpu::GPUFuncOp kernel, gpu::GPUModuleOp onDevice)
      : small(small), parts(onDevice), b(small.loop.getLoc(), kernel.getContext()) {
    entry = &kernel.getBody().front();
    b.setInsertionPointToStart(entry);
    thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    if (small.meeting.size() > 1)
      parts.shareMemory(small.meeting.getArrayRef(), "shared_of_loop");
    if (!small.isSingle)
      meetings = meetingPlaces(small.loop, /*isDoWhile=*/small.predicate != nullptr, small.accesses);
  }

  void emit(ArrayRef<Value> captured, ArrayRef<Operation *> constants) {
    mapping.map(captured, entry->getArguments());
    for (Operation *constant : constants)
      emit(constant);
    if (small.predicate) {
      emitRounds();
    } else {
      if (small.beginning)
        emitCall(small.beginning);
      emit(small.loop);
    }
    gpu::ReturnOp::create(b);
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

  /// do { body; what comes before the next one; } while (predicate && there are more rounds)
  void emitRounds() {
    Type i64 = b.getI64Type();
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 64); };
    Location loc = b.getLoc();
    Value zero = constant(0), one = constant(1), most = constant(small.rounds());
    auto rounds = scf::WhileOp::create(b, i64, zero);
    OpBuilder::InsertionGuard guard(b);
    Value number = b.createBlock(&rounds.getBefore(), {}, i64, loc)->getArgument(0);
    for (Block *block : {small.loop.getAfterBody(), small.loop.getBeforeBody()})
      for (Operation &op : block->without_terminator())
        emit(&op);
    meetAt(small.loop.getConditionOp());
    Value next = arith::AddIOp::create(b, number, one);
    Value isAllowed = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, next, most);
    Value isWanted = mapping.lookup(small.loop.getConditionOp().getCondition());
    scf::ConditionOp::create(b, arith::AndIOp::create(b, isWanted, isAllowed), next);
    scf::YieldOp::create(b, b.createBlock(&rounds.getAfter(), {}, i64, loc)->getArguments());
  }

  void emit(Operation *op) {
    b.setLoc(op->getLoc());
    meetAt(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      return emitCall(call);
    if (op->getNumRegions() == 0) {
      if (!isa<LLVM::AddressOfOp>(op)) // of host memory
        b.clone(*op, mapping);
      return;
    }
    Operation *there = b.insert(op->cloneWithoutRegions(mapping));
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), there->getRegions()))
      emit(from, to);
    if (auto loop = dyn_cast<scf::WhileOp>(op); loop && askedBy(loop))
      counters.pop_back();
  }

  void emit(Region &from, Region &to) {
    OpBuilder::InsertionGuard guard(b);
    for (Block &block : from) {
      Block *target = b.createBlock(&to, to.end());
      for (BlockArgument argument : block.getArguments())
        mapping.map(argument, target->addArgument(argument.getType(), argument.getLoc()));
      for (Operation &inside : block)
        emit(&inside);
    }
  }

  void emitCall(func::CallOp call) {
    auto operand = [&](unsigned i) { return mapping.lookupOrDefault(call.getOperand(i)); };
    if (auto launched = small.launches.find(call); launched != small.launches.end())
      return emitLaunched(call, launched->second);
    if (isOneOf(call, {kCopy, kFill}))
      return emitWritten(*Written::find(call), operand(0), isOneOf(call, {kCopy}) ? operand(1) : Value());
    if (isOneOf(call, {kBeginLoop})) {
      // How often it goes on.
      LLVM::StoreOp::create(b, operand(0), counters.emplace_back(placeOfCounter(b, entry)));
      return;
    }
    if (call == small.predicate)
      return mapping.map(call.getResult(0),
                         arith::ExtUIOp::create(b, b.getI32Type(), lowestBit(operand(0))).getResult());
    if (isOneOf(call, {kRepeat}))
      return mapping.map(call.getResult(0), countDown(b, counters.back()));
    if (isOneOf(call, {kBeginBranches}))
      return branches.push_back(emitChoice(operand(0), *getConstantIntValue(call.getOperand(1)) != 0,
                                           *getConstantIntValue(call.getOperand(2))));
    if (isOneOf(call, {kTakeBranch})) {
      Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, branches.back(), operand(0));
      return mapping.map(call.getResult(0), arith::ExtUIOp::create(b, b.getI32Type(), is).getResult());
    }
    branches.pop_back();
  }

  Value lowestBit(Value pointer) {
    return arith::TruncIOp::create(b, b.getI1Type(), LLVM::LoadOp::create(b, b.getI8Type(), pointer));
  }

  /// The number of a branch: as `xla_rt_cuda_begin_branches` chooses it.
  Value emitChoice(Value pointer, bool isIndex, int64_t count) {
    Type i64 = b.getI64Type();
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 64); };
    if (!isIndex)
      return arith::SelectOp::create(b, lowestBit(pointer), constant(0), constant(1));
    // What is negative is large without its sign.
    Value number = arith::ExtUIOp::create(b, i64, LLVM::LoadOp::create(b, b.getI32Type(), pointer));
    return arith::MinUIOp::create(b, number, constant(count - 1));
  }

  void emitWritten(const Written &written, Value to, Value from) {
    // Elements of a fill may be wider than what is stored at a time.
    int64_t width = std::min<int64_t>(written.width, sizeof(uint64_t)), each = written.width / width;
    Type type = b.getIntegerType(8 * width);
    auto loop = scf::ForOp::create(b, thread, index(written.count()), index(small.threads));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value first = arith::IndexCastOp::create(b, b.getI64Type(), loop.getInductionVar());
    first = arith::MulIOp::create(b, first, arith::ConstantIntOp::create(b, each, 64));
    for (int64_t word = 0; word < each; ++word) {
      Value i = arith::AddIOp::create(b, first, arith::ConstantIntOp::create(b, word, 64));
      auto at = [&](Value pointer) -> Value {
        return LLVM::GEPOp::create(b, pointer.getType(), type, pointer, LLVM::GEPArg(i));
      };
      uint64_t bits = 0;
      for (auto [byte, value] : llvm::enumerate(written.element.substr(word * width, width)))
        bits |= uint64_t{static_cast<uint8_t>(value)} << (8 * byte);
      Value value = from ? LLVM::LoadOp::create(b, type, at(from), width).getResult()
                         : arith::ConstantOp::create(b, b.getIntegerAttr(type, APInt(8 * width, bits))).getResult();
      LLVM::StoreOp::create(b, value, at(to), width);
    }
  }

  /// Every so many threads are one of its blocks.
  void emitLaunched(func::CallOp call, Launched &launched) {
    IRMapping inside;
    for (auto [parameter, given] : llvm::zip_equal(launched.kernel.getArguments(), launched.launch.getKernelOperands()))
      inside.map(parameter, mapping.lookupOrDefault(call.getOperand(cast<BlockArgument>(given).getArgNumber())));
    // Those that meet have one shared memory: the first threads do all of its blocks.
    bool isOfFirst = launched.meets && launched.threads < small.threads;
    int64_t together = isOfFirst ? 1 : small.threads / launched.threads;
    Value first = index(0), ofBlock = thread;
    if (small.threads > launched.threads) {
      first = arith::DivUIOp::create(b, thread, index(launched.threads));
      ofBlock = arith::RemUIOp::create(b, thread, index(launched.threads));
    }
    {
      OpBuilder::InsertionGuard guard(b);
      Value block = first;
      auto onlyBelow = [&](int64_t end) {
        if (end * launched.threads >= small.threads)
          return;
        Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, first, index(end));
        b.setInsertionPointToStart(scf::IfOp::create(b, is, /*withElseRegion=*/false).thenBlock());
      };
      onlyBelow(std::min(launched.blocks, together));
      if (launched.blocks > together) {
        auto loop = scf::ForOp::create(b, first, index(launched.blocks), index(together));
        b.setInsertionPointToStart(loop.getBody());
        block = loop.getInductionVar();
      }
      for (Operation &op : launched.kernel.getBody().front().without_terminator()) {
        if (isa<gpu::BlockIdOp>(op))
          inside.map(op.getResult(0), block);
        else if (isa<gpu::ThreadIdOp>(op))
          inside.map(op.getResult(0), ofBlock);
        else if (isa<gpu::BlockDimOp>(op))
          inside.map(op.getResult(0), index(launched.threads));
        else if (isa<gpu::GridDimOp>(op))
          inside.map(op.getResult(0), index(launched.blocks));
        else
          parts.adapt(b.clone(op, inside), isOfFirst ? launched.threads : 0);
      }
      // The next block of the kernel has the same shared memory.
      if (launched.meets && launched.blocks > together) {
        if (isOfFirst)
          emitBarrierOfFirst(b, b.getLoc(), launched.threads);
        else
          gpu::BarrierOp::create(b);
      }
    }
  }

  void meetAt(Operation *place) {
    if (meetings.contains(place))
      gpu::BarrierOp::create(b);
  }

  SmallLoop &small;
  KernelParts parts;
  ImplicitLocOpBuilder b;
  Block *entry;
  Value thread;
  MeetingPlaces meetings;
  IRMapping mapping;
  SmallVector<Value> counters, branches;
};

struct LaunchLoopsPass : impl::LaunchLoopsBase<LaunchLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (!main || main.isExternal() || !onDevice)
      return;
    SymbolTableCollection symbols;
    SmallVector<SmallLoop> loops;
    main.walk<WalkOrder::PreOrder>([&](scf::WhileOp loop) {
      std::optional<SmallLoop> small = SmallLoop::find(loop, symbols, onDevice);
      if (!small)
        return WalkResult::advance();
      loops.push_back(std::move(*small));
      return WalkResult::skip();
    });
    for (SmallLoop &loop : loops)
      launch(loop, onDevice);
    if (!loops.empty())
      eraseUnusedLaunches(module, onDevice);
  }

private:
  void launch(SmallLoop &small, gpu::GPUModuleOp onDevice) {
    scf::WhileOp loop = small.loop;
    ArrayRef<Value> captured = small.captured.getArrayRef();
    ImplicitLocOpBuilder b(loop.getLoc(), &getContext());
    SymbolTable names(onDevice);
    b.setInsertionPointToEnd(onDevice.getBody());
    auto kernel = gpu::GPUFuncOp::create(b, "loop", b.getFunctionType(TypeRange(captured), {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(small.threads), 1, 1}));
    markAsOneBlock(kernel);
    names.insert(kernel);
    LoopEmitter(small, kernel, onDevice).emit(captured, small.constants.getArrayRef());

    b.setInsertionPoint(loop);
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
    Value one = constant(1), threadsOfBlock = constant(small.threads);
    if (small.predicate) {
      leaveEmpty(small);
      b.setInsertionPoint(loop.getYieldOp());
    }
    auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(kernel)});
    gpu::LaunchFuncOp::create(b, name, {one, one, one}, {threadsOfBlock, one, one},
                              /*dynamicSharedMemorySize=*/Value(), captured);
    if (small.predicate)
      return;
    if (loop->use_empty()) {
      loop.erase();
      if (small.beginning)
        small.beginning.erase();
      return;
    }
    // The host counts, and learns which buffer is which.
    SmallVector<func::CallOp> calls;
    loop.walk([&](func::CallOp call) { calls.push_back(call); });
    if (small.beginning) {
      Value place = placeOfCounter(b, &loop->getParentOfType<func::FuncOp>().getBody().front());
      LLVM::StoreOp::create(b, small.beginning.getOperand(0), place);
      small.beginning.erase();
      for (func::CallOp call : calls)
        if (isOneOf(call, {kRepeat})) {
          b.setInsertionPoint(call);
          call.replaceAllUsesWith(ValueRange(countDown(b, place)));
        }
    }
    for (func::CallOp call : calls)
      call.erase();
  }

  /// What comes before the first iteration goes before the loop, which is left without a body:
  /// while { before; repeat } do { body }  ->  before; while { repeat } do {}
  static void leaveEmpty(SmallLoop &small) {
    for (Operation &op : llvm::make_early_inc_range(small.loop.getBeforeBody()->without_terminator()))
      if (&op != small.predicate && !llvm::is_contained(small.predicate->getUsers(), &op))
        op.moveBefore(small.loop);
    small.beginning->moveBefore(small.loop);
    while (Operation *last = small.loop.getYieldOp()->getPrevNode())
      last->erase();
  }
};

} // namespace
} // namespace mlir::xla
