// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-merge-launches`: kernels that need nothing of each other become one launch, and so do small ones with what
// they read. It comes before buffers are assigned: what calls read and write is then what values say, and memory that
// is used again makes none wait for another.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/CopyKernel.h"
#include "mlir_xla/lowering/gpu/DelayUpdates.h"
#include "mlir_xla/lowering/gpu/MergedKernel.h"
#include "mlir_xla/lowering/schedule/BufferPlanner.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::xla {
#define GEN_PASS_DEF_MERGELAUNCHES
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// What a device has at once, about. Of kernels of fewer threads one leaves multiprocessors idle that the next can use.
constexpr int64_t kThreads = GpuMachine::multiprocessors * GpuMachine::threads;
/// What takes no longer on a core of the host, in nanoseconds, takes the device so little that a launch is a part of it
/// which is worth saving: 20 us or so.
constexpr int64_t kSmallCost = 20000000;
/// Bytes that a step of the device's library moves in no longer than that.
constexpr int64_t kSmallBytes = 16 << 20;
/// What takes no longer on a core of the host, in nanoseconds, takes a block of threads no longer than a launch. It is
/// more than `Launched::isForOneBlock` has, which loops ask for all that they do.
constexpr int64_t kCostOfLast = 100000;
/// Bytes that a group may keep in memory for longer than its calls did, where they were: the L2 cache has room for
/// them.
constexpr int64_t kHeldBytes = 16 << 20;
/// Groups that a call may still join: the order of calls stays about as it was.
constexpr size_t kOpenGroups = 32;

/// Calls that become one, in an order that each may come in, next to each other in their block.
struct Group {
  SmallVector<func::CallOp> calls;
  int64_t held = 0;               // bytes
  SmallVector<func::CallOp> last; // what the last block does then
};

class Merger {
public:
  Merger(ModuleOp module, gpu::GPUModuleOp onDevice) : module(module), onDevice(onDevice), symbols(module) {}

  /// Whether it has made something one.
  bool run(func::FuncOp main) {
    SmallVector<scf::ForOp> loops;
    main.walk([&](scf::ForOp loop) {
      if (!isForOneBlock(*loop.getBody()))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      delayUpdates(loop, symbols, [&](func::CallOp call) { return mayJoin(call); });
    SmallVector<Block *> blocks;
    main.walk([&](Block *block) {
      if (!isForOneBlock(*block))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      size_t first = groups.size();
      findGroups(*block);
      if (block == &main.getBody().front())
        attachCopies(*block, first);
      attachGroups(first);
    }
    llvm::erase_if(groups, [](const Group &group) { return group.calls.size() + group.last.size() <= 1; });
    for (Group &group : groups)
      mergedOf(group).emit(module, onDevice, symbols);
    return !groups.empty() || !copyKernels.empty();
  }

private:
  PartKernel *partOf(func::CallOp call);
  bool mayJoin(func::CallOp call);
  bool isForOneBlock(Block &block);
  void findGroups(Block &block);
  bool agree(const Group &group, func::CallOp call);
  bool joinEarlier(Group &group, func::CallOp call);
  bool joinLater(Group &group, func::CallOp call);
  bool joinTwin(func::CallOp call, size_t oldest);
  bool isReady(Value value, Operation *before, const Group &group) const;
  int64_t newBytes(func::CallOp call);
  bool mayComeEarlier(const Group &group, func::CallOp call);
  bool mayComeLater(const Group &group, func::CallOp call);
  static void moveReady(Operation *op, Operation *before);
  MergedKernel mergedOf(const Group &group);
  void attachCopies(Block &block, size_t first);
  func::FuncOp copyKernelOf(Value value);
  void attachGroups(size_t first);
  Group *readBy(func::CallOp call, MutableArrayRef<Group> before);

  ModuleOp module;
  gpu::GPUModuleOp onDevice;
  SymbolTable symbols;
  DenseMap<StringAttr, std::unique_ptr<PartKernel>> kernels; // null: no part
  DenseMap<std::pair<Type, Attribute>, func::FuncOp> copyKernels;
  SmallVector<Group> groups;
};

} // namespace

/// What computes nothing, and can be anywhere.
static bool isFree(Operation *op) {
  return isView(*op) || isa<tensor::EmptyOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
}

/// Calls `visit` with whatever reads the value, as it is or through views, until it gives true; whether it did.
static bool anyReader(Value value, function_ref<bool(OpOperand &)> visit) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isView(*user))
      return llvm::any_of(user->getResults(), [&](Value view) { return anyReader(view, visit); });
    return visit(use);
  });
}

/// What the values take of the arena, about: calls compute them, and the program does not return them.
static int64_t arenaBytes(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    if (isTensor(value) && value.getDefiningOp<func::CallOp>() &&
        llvm::none_of(value.getUsers(), [](Operation *user) { return isa<func::ReturnOp>(user); }))
      bytes += bytesOf(value);
  return bytes;
}

/// What a call's results take that are no updates in place.
int64_t Merger::newBytes(func::CallOp call) {
  ImplementationAttr contract = partOf(call)->contract;
  int64_t bytes = 0;
  for (OpResult result : call->getResults())
    if (contract.getResult(result.getResultNumber()).kind != ResultMemory::Updates)
      bytes += arenaBytes(result);
  return bytes;
}

PartKernel *Merger::partOf(func::CallOp call) {
  auto [it, isNew] = kernels.try_emplace(call.getCalleeAttr().getAttr());
  if (isNew)
    if (auto found = PartKernel::find(symbols.lookup<func::FuncOp>(call.getCallee()), symbols, onDevice))
      it->second = std::make_unique<PartKernel>(*found);
  return it->second.get();
}

/// Whether its kernel can be part of a launch with others, and would gain by that.
bool Merger::mayJoin(func::CallOp call) {
  PartKernel *kernel = partOf(call);
  return kernel && (kernel->launched.blocks * kernel->launched.threads <= kThreads || kernel->cost() <= kSmallCost ||
                    kernel->moved.value_or(INT64_MAX) <= kSmallBytes);
}

/// Whether the block is in a loop of small kernels, which `--xla-launch-loops` makes one kernel.
bool Merger::isForOneBlock(Block &block) {
  Operation *loop = block.getParentOp();
  while (loop && !isa<scf::WhileOp, scf::ForOp>(loop))
    loop = loop->getParentOp();
  if (!loop || loop->hasAttr(kLaunched))
    return false;
  return !loop->walk([&](func::CallOp call) {
                auto contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCallee()));
                auto host = contract ? symbols.lookup<func::FuncOp>(contract.getFunction().getAttr()) : func::FuncOp();
                std::optional<Launched> launched = Launched::find(host, onDevice);
                return launched && launched->isForOneBlock() ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void Merger::findGroups(Block &block) {
  SmallVector<Operation *> ops = llvm::map_to_vector(block.without_terminator(), [](Operation &op) { return &op; });
  size_t first = groups.size();
  for (Operation *op : ops) {
    // Nothing goes past loops and branches.
    if (op->getNumRegions())
      first = groups.size();
    auto call = dyn_cast<func::CallOp>(op);
    if (!call || !mayJoin(call))
      continue;
    size_t oldest = std::max(first, groups.size() - std::min(groups.size(), kOpenGroups));
    // As early as it can be, so that what waits for it can come early, too; else as late as it must be.
    auto open = llvm::make_range(groups.begin() + oldest, groups.end());
    bool hasJoined = llvm::any_of(open, [&](Group &group) { return joinEarlier(group, call); }) ||
                     llvm::any_of(llvm::reverse(open), [&](Group &group) { return joinLater(group, call); });
    if (!hasJoined && !joinTwin(call, oldest))
      groups.push_back({{call}, 0, {}});
  }
}

bool Merger::agree(const Group &group, func::CallOp call) {
  MergedKernel merged = mergedOf(group);
  merged.add(call, *partOf(call));
  return merged.isPossible(onDevice);
}

bool Merger::joinEarlier(Group &group, func::CallOp call) {
  if (!mayComeEarlier(group, call) || !agree(group, call))
    return false;
  Operation *first = group.calls.front();
  group.held += newBytes(call);
  for (Value operand : call->getOperands())
    if (Operation *def = operand.getDefiningOp(); def && !llvm::is_contained(group.calls, def))
      moveReady(def, first);
  call->moveAfter(group.calls.back());
  group.calls.push_back(call);
  return true;
}

bool Merger::joinLater(Group &group, func::CallOp call) {
  if (!mayComeLater(group, call) || !agree(group, call))
    return false;
  // Views of results follow.
  llvm::SetVector<Operation *> views;
  for (func::CallOp member : group.calls)
    views.insert(member->user_begin(), member->user_end());
  for (size_t i = 0; i < views.size(); ++i)
    if (isFree(views[i]))
      views.insert(views[i]->user_begin(), views[i]->user_end());
  SmallVector<Operation *> before = llvm::filter_to_vector(views, [&](Operation *view) {
    return isFree(view) && view->getBlock() == call->getBlock() && view->isBeforeInBlock(call);
  });
  llvm::sort(before, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (func::CallOp member : group.calls) {
    group.held += arenaBytes(member->getOperands());
    member->moveBefore(call);
  }
  for (Operation *view : llvm::reverse(before))
    view->moveAfter(call);
  group.calls.push_back(call);
  return true;
}

/// Calls of a kernel that differ in what they wait for: one that is alone comes later to this one, if those that read
/// it may come behind both. They leave their groups, and those that come find them there. So sums of columns, of what
/// there is from the beginning and of what rows become, are one launch.
bool Merger::joinTwin(func::CallOp call, size_t oldest) {
  for (size_t i = groups.size(); i-- > oldest;) {
    if (groups[i].calls.size() != 1 || groups[i].calls.front().getCallee() != call.getCallee())
      continue;
    func::CallOp twin = groups[i].calls.front();
    llvm::SetVector<Operation *> readers; // and views
    readers.insert(twin->user_begin(), twin->user_end());
    for (size_t next = 0; next < readers.size(); ++next)
      if (isFree(readers[next]))
        readers.insert(readers[next]->user_begin(), readers[next]->user_end());
    readers.remove_if(
        [&](Operation *reader) { return reader->getBlock() == call->getBlock() && !reader->isBeforeInBlock(call); });
    auto mayFollow = [&](Operation *reader) {
      if (isFree(reader))
        return reader->getBlock() == call->getBlock();
      auto other = dyn_cast<func::CallOp>(reader);
      bool isFound = other && llvm::any_of(ArrayRef(groups).drop_front(oldest),
                                           [&](const Group &group) { return llvm::is_contained(group.calls, other); });
      // What the call overwrites it waits for as well.
      bool isRead = llvm::any_of(call->getOperands(),
                                 [&](Value operand) { return rootOfViews(operand).getDefiningOp() == other; });
      return isFound && !isRead && !partOf(other)->updatesAny() && mayComeLater({{other}, 0, {}}, call);
    };
    if (readers.empty() || !llvm::all_of(readers, mayFollow))
      continue;
    // Without them nothing is in the way, or the call stays where it is.
    SmallVector<Operation *> following = readers.takeVector();
    llvm::sort(following, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    SmallVector<Operation *> places = llvm::map_to_vector(following, [](Operation *op) { return op->getNextNode(); });
    for (Operation *op : llvm::reverse(following))
      op->moveAfter(call);
    if (!joinLater(groups[i], call)) {
      for (size_t number = following.size(); number-- > 0;)
        following[number]->moveBefore(places[number]);
      continue;
    }
    for (Operation *op : following) {
      auto reader = dyn_cast<func::CallOp>(op);
      if (!reader)
        continue;
      for (Group &group : groups)
        llvm::erase(group.calls, reader);
      groups.push_back({{reader}, 0, {}});
    }
    llvm::erase_if(groups, [](const Group &group) { return group.calls.empty(); });
    return true;
  }
  return false;
}

/// Whether the value is there before an op, or can be: it is no result of the group.
bool Merger::isReady(Value value, Operation *before, const Group &group) const {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != before->getBlock() || def->isBeforeInBlock(before))
    return true;
  return isFree(def) && llvm::all_of(def->getOperands(), [&](Value of) { return isReady(of, before, group); });
}

void Merger::moveReady(Operation *op, Operation *before) {
  if (op->getBlock() != before->getBlock() || op->isBeforeInBlock(before))
    return;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp())
      moveReady(def, before);
  op->moveBefore(before);
}

/// Whether what the call reads is there where the group is. What it overwrites has been read by then, so it needs no
/// copy for having come earlier.
bool Merger::mayComeEarlier(const Group &group, func::CallOp call) {
  Operation *first = group.calls.front(), *last = group.calls.back();
  ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCallee()));
  for (OpOperand &operand : call->getOpOperands()) {
    Value value = operand.get();
    bool isUpdated = llvm::any_of(contract.getResults(), [&](ResultMemory memory) {
      return memory.kind == ResultMemory::Updates && memory.argument == operand.getOperandNumber();
    });
    bool isOfGroup = llvm::is_contained(group.calls, value.getDefiningOp());
    if (!(isOfGroup && isUpdated) && !isReady(value, first, group))
      return false;
    if (isUpdated && anyReader(rootOfViews(value), [&](OpOperand &use) {
          Operation *reader = call->getBlock()->findAncestorOpInBlock(*use.getOwner());
          return reader && reader != call && last->isBeforeInBlock(reader);
        }))
      return false;
  }
  return group.held + newBytes(call) <= kHeldBytes;
}

/// Whether nothing before the call reads what the group computes, or overwrites what it reads, which would be copied.
/// The call itself may update other places of a result.
bool Merger::mayComeLater(const Group &group, func::CallOp call) {
  int64_t held = group.held;
  auto isBetween = [&](Operation *user) {
    Operation *reader = call->getBlock()->findAncestorOpInBlock(*user);
    return reader && !call->isBeforeInBlock(reader) && group.calls.back()->isBeforeInBlock(reader);
  };
  auto overwrites = [&](OpOperand &use) {
    auto other = dyn_cast<func::CallOp>(use.getOwner());
    ImplementationAttr contract =
        other ? implementationOf(symbols.lookup<func::FuncOp>(other.getCallee())) : ImplementationAttr();
    return isBetween(use.getOwner()) && (!contract || llvm::any_of(contract.getResults(), [&](ResultMemory memory) {
             return memory.kind == ResultMemory::Updates && memory.argument == use.getOperandNumber();
           }));
  };
  for (func::CallOp member : group.calls) {
    held += arenaBytes(member->getOperands());
    for (Value result : member->getResults())
      if (anyReader(result, [&](OpOperand &use) {
            bool isUpdate =
                use.getOwner() == call && use.get() == result && partOf(call)->updates(use.getOperandNumber());
            return !isUpdate && isBetween(use.getOwner());
          }))
        return false;
    for (Value operand : member->getOperands())
      if (anyReader(rootOfViews(operand), overwrites))
        return false;
  }
  return held <= kHeldBytes;
}

MergedKernel Merger::mergedOf(const Group &group) {
  MergedKernel merged;
  for (func::CallOp member : group.calls)
    merged.add(member, *partOf(member));
  for (func::CallOp member : group.last)
    merged.addLast(member, *partOf(member));
  return merged;
}

/// Whether the value is a result of the group, or a view of one.
static bool isComputedBy(const Group &group, Value value) {
  Operation *def = rootOfViews(value).getDefiningOp();
  return def && (llvm::is_contained(group.calls, def) || llvm::is_contained(group.last, def));
}

/// The last group that computes something which the call reads, if all else is there when that group begins, and its
/// last block may do what the call does.
Group *Merger::readBy(func::CallOp call, MutableArrayRef<Group> before) {
  PartKernel *kernel = partOf(call);
  bool isSmall = kernel->cost() <= (kernel->launched.blocks == 1 ? kSmallCost : kCostOfLast);
  if (!isSmall || kernel->updatesAny())
    return nullptr;
  Group *found = nullptr;
  for (Value operand : call->getOperands())
    for (Group &group : before)
      if (isComputedBy(group, operand)) {
        if (group.calls.front()->getBlock() != call->getBlock())
          return nullptr;
        if (!found || found->calls.front()->isBeforeInBlock(group.calls.front()))
          found = &group;
      }
  if (!found)
    return nullptr;
  int64_t held = found->held + newBytes(call);
  for (Value operand : call->getOperands()) {
    if (!isComputedBy(*found, operand) && !isReady(operand, found->calls.front(), *found))
      return nullptr;
    held += arenaBytes(operand);
  }
  if (held > kHeldBytes)
    return nullptr;
  MergedKernel merged = mergedOf(*found);
  merged.addLast(call, *kernel);
  return merged.isPossible(onDevice) ? found : nullptr;
}

/// For the value's type, or for the very value, if it is a constant; null if there is none.
func::FuncOp Merger::copyKernelOf(Value value) {
  Attribute constant;
  matchPattern(value, m_Constant(&constant));
  auto [it, isNew] = copyKernels.try_emplace(std::pair(value.getType(), constant));
  if (isNew)
    it->second = findCopyKernel(value, module, onDevice, symbols);
  return it->second;
}

/// Arguments and constants that a call overwrites are copied for it. Where there is a launch before it, the copy comes
/// along.
void Merger::attachCopies(Block &block, size_t first) {
  for (auto call : llvm::make_early_inc_range(block.getOps<func::CallOp>())) {
    ImplementationAttr contract = implementationOf(symbols.lookup<func::FuncOp>(call.getCallee()));
    if (!contract)
      continue;
    for (const ResultMemory &memory : contract.getResults()) {
      if (memory.kind != ResultMemory::Updates)
        continue;
      Value value = call.getOperand(memory.argument);
      auto before = llvm::make_filter_range(MutableArrayRef(groups).drop_front(first), [&](Group &group) {
        return group.calls.back() != call && group.calls.back()->isBeforeInBlock(call) &&
               !llvm::is_contained(group.calls, call);
      });
      bool isKept = isa<BlockArgument>(rootOfViews(value)) || matchPattern(value, m_Constant());
      func::FuncOp kernel = isKept && !before.empty() ? copyKernelOf(value) : func::FuncOp();
      if (!kernel)
        continue;
      OpBuilder b(call);
      auto copy =
          func::CallOp::create(b, call.getLoc(), kernel, kernel.getNumArguments() ? ValueRange(value) : ValueRange());
      if (llvm::any_of(before, [&](Group &group) { return joinEarlier(group, copy); }))
        call.setOperand(memory.argument, copy.getResult(0));
      else
        copy.erase();
    }
  }
}

/// Groups of small kernels come to what they read, where all of them can.
void Merger::attachGroups(size_t first) {
  for (size_t i = first; i < groups.size();) {
    MutableArrayRef<Group> before = MutableArrayRef(groups).slice(first, i - first);
    SmallVector<Group *> found =
        llvm::map_to_vector(groups[i].calls, [&](func::CallOp call) { return readBy(call, before); });
    if (!groups[i].last.empty() || llvm::is_contained(found, nullptr)) {
      ++i;
      continue;
    }
    for (auto [call, to] : llvm::zip_equal(groups[i].calls, found)) {
      for (Value operand : call->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && !isComputedBy(*to, operand))
          moveReady(def, to->calls.front());
      to->last.push_back(call);
    }
    groups.erase(groups.begin() + i);
  }
}

namespace {

struct MergeLaunchesPass : impl::MergeLaunchesBase<MergeLaunchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (!main || main.isExternal() || !onDevice)
      return;
    if (Merger(module, onDevice).run(main))
      eraseUnusedLaunches(module, onDevice);
  }
};

} // namespace
} // namespace mlir::xla
