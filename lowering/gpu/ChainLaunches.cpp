// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-chain-launches`: the launches of a kernel of the schedule, each of which reads what those before it have
// written, become one. Blocks are numbered in the order in which they begin, and wait for those with lower numbers.
// These have begun, so nobody waits for a block that finds no place on the device.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/LastBlock.h"
#include "mlir_xla/lowering/gpu/Launched.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {
#define GEN_PASS_DEF_CHAINLAUNCHES
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// Registers of a thread, about: of functions of the device's library, and of others that do not say.
constexpr int64_t kRegistersOfLibrary = 64, kRegistersOfOthers = 128;
/// Counters of a chain: blocks that have begun, and those that are done.
enum Counter : int32_t { Begun, Done, kCounters };

/// A kernel of a chain.
struct Link {
  Launched launched; // the first time
  int64_t turns = 1; // of each block
};

/// A launch that becomes part of a chain's.
struct Step {
  gpu::LaunchFuncOp launch;
  size_t link;
  int64_t threads, blocks;
};

class Chain {
public:
  static std::optional<Chain> find(func::FuncOp host, gpu::GPUModuleOp onDevice);
  /// Whether one launch takes less time, about.
  bool isFaster() const;
  /// The same of chains that do the same with what they are given.
  std::string key();
  gpu::GPUFuncOp emitKernel(StringRef name, gpu::GPUModuleOp onDevice);
  void replaceLaunches(gpu::GPUFuncOp kernel);

private:
  bool add(gpu::LaunchFuncOp launch, gpu::GPUModuleOp onDevice);
  bool divide(gpu::GPUModuleOp onDevice);
  bool isOfLibrary() const;
  int64_t placesOf(int64_t registers) const;
  int64_t registers() const;
  int64_t blocksAtOnce() const;
  double timeOfPlaces(const Step &step) const;
  int64_t blocks() const;
  void emitSteps(ImplicitLocOpBuilder &b, Value number);
  void emitTable(ImplicitLocOpBuilder &b, Value number);
  LLVM::GlobalOp addTable(Location loc, ArrayRef<int64_t> values);
  void emitWait(ImplicitLocOpBuilder &b, Value before, bool meets);
  void emitTurns(ImplicitLocOpBuilder &b, Link &link, ValueRange operands, Value block, Value blocks);
  void emitBody(ImplicitLocOpBuilder &b, Link &link, ValueRange operands, Value block, Value blocks);
  Value given(ImplicitLocOpBuilder &b, Value operand);
  Value counter(ImplicitLocOpBuilder &b, Counter which);
  Value count(ImplicitLocOpBuilder &b, Counter which);

  func::FuncOp host;
  SmallVector<Link> links;
  SmallVector<Step> steps;
  int64_t blockSize = 0, shared = 0;
  // What is emitted.
  gpu::GPUFuncOp kernel;
  LLVM::GlobalOp counters;
  Value isFirst; // thread of the block
};

} // namespace

//===- Which ------------------------------------------------------------------------------------------------------===//

std::optional<Chain> Chain::find(func::FuncOp host, gpu::GPUModuleOp onDevice) {
  if (!host->hasAttr(XlaRtDialect::kLaunches) || host.isExternal() || !host.getBody().hasOneBlock())
    return std::nullopt;
  Chain chain;
  chain.host = host;
  for (Operation &op : host.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch || !chain.add(launch, onDevice))
      return std::nullopt;
  }
  if (chain.steps.size() < 2 || !chain.divide(onDevice))
    return std::nullopt;
  return chain;
}

bool Chain::add(gpu::LaunchFuncOp launch, gpu::GPUModuleOp onDevice) {
  auto isKnown = [](Value operand) { return isa<BlockArgument>(operand) || getConstantIntValue(operand); };
  std::optional<Launched> launched = Launched::of(launch, onDevice);
  if (!launched || !llvm::all_of(launch.getKernelOperands(), isKnown))
    return false;
  // What has all registers of a multiprocessor leaves none to others.
  if (launched->kernel->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName()) && launched->blocks > 1)
    return false;
  auto link = llvm::find_if(links, [&](Link &each) { return each.launched.kernel == launched->kernel; });
  if (link == links.end())
    link = &links.emplace_back(Link{*launched});
  auto number = static_cast<size_t>(link - links.begin());
  steps.push_back({launch, number, launched->blocks * launched->threads, launched->blocks});
  return true;
}

/// Divides the work into blocks of one size.
bool Chain::divide(gpu::GPUModuleOp onDevice) {
  auto countedThreads = [](Link &link) { return link.launched.meets ? std::nullopt : link.launched.countedThreads(); };
  SmallVector<gpu::GPUFuncOp> kernels;
  int64_t fixed = 0, largest = 0;
  for (Link &link : links) {
    kernels.push_back(link.launched.kernel);
    largest = std::max(largest, link.launched.threads);
    if (countedThreads(link))
      continue;
    if (fixed && fixed != link.launched.threads)
      return false;
    fixed = link.launched.threads;
  }
  blockSize = fixed ? fixed : largest;
  shared = kFlagBytes + sharedBytesOf(kernels, onDevice, /*ofCallees=*/false) +
           sharedBytesOf(kernels, onDevice, /*ofCallees=*/true);
  if (shared > GpuMachine::staticSharedBytes)
    return false;
  // Where any number of blocks can do it, those that are there at once do.
  for (Step &step : steps)
    if (std::optional<int64_t> counted = countedThreads(links[step.link])) {
      step.blocks = llvm::divideCeil(std::min(*counted, step.threads), blockSize);
      int64_t &turns = links[step.link].turns;
      turns = std::max<int64_t>(turns, llvm::divideCeil(step.blocks, blocksAtOnce()));
    }
  for (Step &step : steps)
    step.blocks = llvm::divideCeil(step.blocks, links[step.link].turns);
  return blocks() <= std::numeric_limits<int32_t>::max();
}

bool Chain::isOfLibrary() const {
  return llvm::all_of(steps, [](const Step &step) { return step.launch->hasAttr(kStep); });
}

int64_t Chain::registers() const {
  int64_t registers = isOfLibrary() ? kRegistersOfLibrary : kRegistersOfOthers;
  for (const Link &link : links)
    if (auto known = link.launched.kernel->getAttrOfType<IntegerAttr>(kRegisters))
      registers = std::max(registers, known.getInt());
  return registers;
}

/// Blocks of a multiprocessor at a time whose threads have so many registers.
int64_t Chain::placesOf(int64_t registers) const {
  int64_t together = std::min({GpuMachine::registers / (blockSize * registers), GpuMachine::sharedBytes / shared,
                               GpuMachine::threads / blockSize});
  return std::max<int64_t>(1, together);
}

int64_t Chain::blocksAtOnce() const { return GpuMachine::multiprocessors * placesOf(registers()); }

/// Seconds that a launch may take longer because the assembler gives the threads of a chain other registers than those
/// of the kernel alone, and so a multiprocessor one place more or less for its blocks: what is left for the last round
/// is one block, or several that hide what each waits for. A product of 61 us took 66 in a chain (docs/design/gpu.md).
double Chain::timeOfPlaces(const Step &step) const {
  auto clocks = links[step.link].launched.kernel->getAttrOfType<IntegerAttr>(kClocks);
  if (!clocks || links[step.link].turns > 1)
    return 0;
  constexpr int64_t fewest = 32; // registers, of a thread that multiplies
  auto each = static_cast<double>(GpuMachine::busyThreads) / static_cast<double>(blockSize);
  int64_t blocks = llvm::divideCeil(step.blocks, GpuMachine::multiprocessors);
  auto turnsOf = [&](int64_t count) { return count ? std::max(static_cast<double>(count), each) : 0.0; };
  double least = 0, most = 0;
  for (int64_t places = placesOf(registers()), last = placesOf(fewest); places <= last; ++places) {
    double turns = static_cast<double>(blocks / places) * turnsOf(places) + turnsOf(blocks % places);
    least = least == 0 ? turns : std::min(least, turns);
    most = std::max(most, turns);
  }
  return static_cast<double>(clocks.getInt()) / GpuMachine::clock * (most - least) / least;
}

int64_t Chain::blocks() const {
  int64_t all = 0;
  for (const Step &step : steps)
    all += step.blocks;
  return all;
}

bool Chain::isFaster() const {
  constexpr double turn = GpuMachine::chainTime;
  double gained = -GpuMachine::launchTime, lost = 0;
  for (const Step &step : steps) {
    gained += GpuMachine::launchTime;
    lost += turn * std::max(1.0, static_cast<double>(step.blocks) / static_cast<double>(blocksAtOnce()));
    // A launch of its own has more threads at a time, which all ask for memory; those of a block that takes turns do
    // when they have done the turn before.
    lost += turn * static_cast<double>(links[step.link].turns - 1);
    lost += timeOfPlaces(step);
  }
  return lost < gained;
}

std::string Chain::key() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << host.getFunctionType();
  for (Step &step : steps) {
    os << ' ' << step.launch.getKernelName().getValue() << ' ' << step.blocks;
    for (Value operand : step.launch.getKernelOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      os << (argument ? " %" : " ") << (argument ? argument.getArgNumber() : *getConstantIntValue(operand));
    }
  }
  return text;
}

//===- The kernel -------------------------------------------------------------------------------------------------===//

Value Chain::counter(ImplicitLocOpBuilder &b, Counter which) {
  Value all = LLVM::AddressOfOp::create(b, counters);
  return LLVM::GEPOp::create(b, all.getType(), b.getI32Type(), all, LLVM::GEPArg(which));
}

/// Counts the block: how many came before. From the last number it goes back to zero, so that the next launch finds it
/// so.
Value Chain::count(ImplicitLocOpBuilder &b, Counter which) {
  Value last = arith::ConstantIntOp::create(b, b.getI32Type(), blocks() - 1);
  return LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::uinc_wrap, counter(b, which), last,
                                   LLVM::AtomicOrdering::monotonic, kDeviceScope);
}

gpu::GPUFuncOp Chain::emitKernel(StringRef name, gpu::GPUModuleOp onDevice) {
  ImplicitLocOpBuilder b(host.getLoc(), onDevice.getContext());
  counters = addCounters(onDevice, host.getLoc(), name, kCounters);
  LLVM::GlobalOp flag = addFlag(onDevice, host.getLoc(), name);
  b.setInsertionPointToEnd(onDevice.getBody());
  // All but the begin and the end of the work.
  kernel = gpu::GPUFuncOp::create(b, name, b.getFunctionType(host.getArgumentTypes().drop_back(2), {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(blockSize), 1, 1}));
  // A product beside the sum of its parts comes close to the registers for which the assembler has one more block on
  // each multiprocessor, and would rather spill than exceed them, though there is one.
  auto areFew = [](const Step &step) { return step.blocks <= GpuMachine::multiprocessors; };
  bool isOneBlock = llvm::any_of(
      links, [](Link &link) { return link.launched.kernel->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName()); });
  if (isOfLibrary() ? isOneBlock && blocks() <= GpuMachine::multiprocessors : llvm::all_of(steps, areFew))
    markAsOneBlock(kernel);
  b.setInsertionPointToEnd(&kernel.getBody().front());
  isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, gpu::ThreadIdOp::create(b, gpu::Dimension::x),
                                  arith::ConstantIndexOp::create(b, 0));
  Value shared = LLVM::AddressOfOp::create(b, flag);
  auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  Operation *end = gpu::ReturnOp::create(b);
  b.setInsertionPointToStart(branch.thenBlock());
  LLVM::StoreOp::create(b, count(b, Begun), shared);
  b.setInsertionPoint(end);
  gpu::BarrierOp::create(b);
  Value number = LLVM::LoadOp::create(b, b.getI32Type(), shared);
  number = arith::IndexCastUIOp::create(b, b.getIndexType(), number);
  if (links.size() == steps.size())
    emitSteps(b, number);
  else
    emitTable(b, number);
  b.setInsertionPoint(end);
  gpu::BarrierOp::create(b);
  auto done = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  b.setInsertionPointToStart(done.thenBlock());
  emitDeviceFence(b);
  count(b, Done);
  return kernel;
}

/// Waits until so many blocks are done: then all that they have written is there for all threads of this one, which
/// meet here or later.
void Chain::emitWait(ImplicitLocOpBuilder &b, Value before, bool meets) {
  auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value done = counter(b, Done);
    Value wanted = arith::IndexCastOp::create(b, b.getI32Type(), before);
    auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
    b.setInsertionPointToEnd(b.createBlock(&loop.getBefore()));
    Value there = LLVM::LoadOp::create(b, b.getI32Type(), done, /*alignment=*/4, /*isVolatile=*/false,
                                       /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                       LLVM::AtomicOrdering::monotonic, kDeviceScope);
    Value lacks = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, there, wanted);
    scf::ConditionOp::create(b, lacks, ValueRange());
    b.setInsertionPointToEnd(b.createBlock(&loop.getAfter()));
    scf::YieldOp::create(b);
    b.setInsertionPointAfter(loop);
    emitDeviceFence(b);
  }
  if (meets)
    gpu::BarrierOp::create(b);
}

/// What a launch gives its kernel.
Value Chain::given(ImplicitLocOpBuilder &b, Value operand) {
  if (auto argument = dyn_cast<BlockArgument>(operand))
    return kernel.getArgument(argument.getArgNumber());
  return b.clone(*operand.getDefiningOp())->getResult(0);
}

/// What the block of a number does, if each launch is of another kernel.
void Chain::emitSteps(ImplicitLocOpBuilder &b, Value number) {
  int64_t before = 0;
  for (Step &step : steps) {
    Value begin = arith::ConstantIndexOp::create(b, before);
    scf::IfOp branch;
    if (&step != &steps.back()) {
      Value end = arith::ConstantIndexOp::create(b, before + step.blocks);
      Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, end);
      branch = scf::IfOp::create(b, is, /*withElseRegion=*/true);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    if (before > 0)
      emitWait(b, begin, /*meets=*/!links[step.link].launched.kernel->hasAttr(kMeetsFirst));
    before += step.blocks;
    SmallVector<Value> operands;
    for (Value operand : step.launch.getKernelOperands())
      operands.push_back(given(b, operand));
    Value block = arith::SubIOp::create(b, number, begin);
    emitTurns(b, links[step.link], operands, block, arith::ConstantIndexOp::create(b, step.blocks));
    if (branch)
      b.setInsertionPointToStart(branch.elseBlock());
  }
}

LLVM::GlobalOp Chain::addTable(Location loc, ArrayRef<int64_t> values) {
  auto b = OpBuilder::atBlockBegin(kernel->getParentOfType<gpu::GPUModuleOp>().getBody());
  auto size = static_cast<int64_t>(values.size());
  auto type = LLVM::LLVMArrayType::get(b.getI64Type(), size);
  auto elements = DenseElementsAttr::get(RankedTensorType::get({size}, b.getI64Type()), values);
  return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                (kernel.getName() + "_table").str(), elements, /*alignment=*/8, /*addrSpace=*/1);
}

/// The same with a table, which has a row for each launch: where its blocks begin, how many these are, which kernel it
/// is of, and what that is given.
void Chain::emitTable(ImplicitLocOpBuilder &b, Value number) {
  enum Column : int64_t { Begin, Blocks, Which, Columns };
  auto rows = static_cast<int64_t>(llvm::PowerOf2Ceil(steps.size()));
  SmallVector<int64_t> table(Columns * rows);
  std::fill_n(table.begin(), rows, std::numeric_limits<int32_t>::max());
  int64_t before = 0;
  for (auto [row, step] : llvm::enumerate(steps)) {
    table[Begin * rows + row] = before;
    table[Blocks * rows + row] = step.blocks;
    table[Which * rows + row] = static_cast<int64_t>(step.link);
    before += step.blocks;
  }
  // Operands in which launches of a kernel differ have a column.
  SmallVector<SmallVector<int64_t>> columns(links.size());
  for (auto [i, link] : llvm::enumerate(links))
    for (unsigned operand = 0; operand < link.launched.launch.getNumKernelOperands(); ++operand) {
      SmallVector<int64_t> values(rows);
      std::optional<int64_t> first;
      bool differ = false;
      for (auto [row, step] : llvm::enumerate(steps)) {
        if (step.link != i)
          continue;
        if (auto value = getConstantIntValue(step.launch.getKernelOperand(operand))) {
          first = first ? first : value;
          differ |= *first != *value;
          values[row] = *value;
        }
      }
      columns[i].push_back(differ ? static_cast<int64_t>(table.size()) / rows : -1);
      if (differ)
        llvm::append_range(table, values);
    }

  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto toIndex = [&](Value value) -> Value { return arith::IndexCastOp::create(b, b.getIndexType(), value); };
  Value address = LLVM::AddressOfOp::create(b, addTable(b.getLoc(), table));
  Type i64 = b.getI64Type();
  auto entry = [&](Value row, int64_t column) -> Value {
    Value place = arith::IndexCastOp::create(b, i64, arith::AddIOp::create(b, row, index(column * rows)));
    return LLVM::LoadOp::create(b, i64, LLVM::GEPOp::create(b, address.getType(), i64, address, LLVM::GEPArg(place)));
  };
  // The last launch that does not begin behind the block.
  Value row = index(0);
  for (int64_t step = rows / 2; step > 0; step /= 2) {
    Value next = arith::AddIOp::create(b, row, index(step));
    Value isBehind = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, toIndex(entry(next, Begin)));
    row = arith::SelectOp::create(b, isBehind, row, next);
  }
  Value begin = toIndex(entry(row, Begin)), blocks = toIndex(entry(row, Blocks)), which = entry(row, Which);
  Value block = arith::SubIOp::create(b, number, begin);
  emitWait(b, begin, /*meets=*/true);
  for (auto [i, link] : llvm::enumerate(links)) {
    scf::IfOp branch;
    if (i + 1 < links.size()) {
      Value own = arith::ConstantIntOp::create(b, i64, static_cast<int64_t>(i));
      Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, which, own);
      branch = scf::IfOp::create(b, is, /*withElseRegion=*/true);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    SmallVector<Value> operands;
    for (auto [operand, column] : llvm::zip_equal(link.launched.launch.getKernelOperands(), columns[i])) {
      Value value = column < 0 ? given(b, operand) : entry(row, column);
      operands.push_back(column >= 0 && operand.getType().isIndex() ? toIndex(value) : value);
    }
    emitTurns(b, link, operands, block, blocks);
    if (branch)
      b.setInsertionPointToStart(branch.elseBlock());
  }
}

void Chain::emitTurns(ImplicitLocOpBuilder &b, Link &link, ValueRange operands, Value block, Value blocks) {
  if (link.turns == 1)
    return emitBody(b, link, operands, block, blocks);
  Value all = arith::MulIOp::create(b, blocks, arith::ConstantIndexOp::create(b, link.turns));
  auto loop = scf::ForOp::create(b, block, all, blocks);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emitBody(b, link, operands, loop.getInductionVar(), all);
}

/// What a block of so many does.
void Chain::emitBody(ImplicitLocOpBuilder &b, Link &link, ValueRange operands, Value block, Value blocks) {
  gpu::GPUFuncOp function = link.launched.kernel;
  Value size = arith::ConstantIndexOp::create(b, blockSize);
  IRMapping inside;
  inside.map(function.getArguments(), operands);
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (Value known = isa<gpu::BlockIdOp>(op)    ? block
                      : isa<gpu::BlockDimOp>(op) ? size
                      : isa<gpu::GridDimOp>(op)  ? blocks
                                                 : Value()) {
      inside.map(op.getResult(0), known);
      continue;
    }
    Operation *clone = b.clone(op, inside);
    if (auto array = dyn_cast<LLVM::AllocaOp>(clone)) {
      // Where LLVM finds that it can do without.
      array->moveBefore(&kernel.getBody().front().front());
      array.getArraySize().getDefiningOp()->moveBefore(array);
    }
  }
}

/// Host code with one launch, which says what it consists of, for those who estimate its time.
void Chain::replaceLaunches(gpu::GPUFuncOp kernel) {
  ImplicitLocOpBuilder b(host.getLoc(), host.getBody().front().getTerminator());
  SmallVector<Attribute> facts;
  for (Step &step : steps) {
    SmallVector<NamedAttribute> each = {
        b.getNamedAttr("kernel", b.getStringAttr(step.launch.getKernelName().getValue())),
        b.getNamedAttr("blocks", b.getI64IntegerAttr(step.blocks))};
    if (auto cost = step.launch->getAttrOfType<DictionaryAttr>(kStep))
      each.push_back(b.getNamedAttr("step", cost));
    facts.push_back(b.getDictionaryAttr(each));
  }
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value one = index(1);
  auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(kernel)});
  auto launch = gpu::LaunchFuncOp::create(b, name, {index(blocks()), one, one}, {index(blockSize), one, one},
                                          /*dynamicSharedMemorySize=*/Value(), host.getArguments().drop_back(2));
  launch->setAttr(kChain, b.getArrayAttr(facts));
  for (Step &step : steps)
    step.launch.erase();
}

namespace {

struct ChainLaunchesPass : impl::ChainLaunchesBase<ChainLaunchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (!onDevice)
      return;
    llvm::StringMap<gpu::GPUFuncOp> kernels;
    for (auto host : module.getOps<func::FuncOp>()) {
      std::optional<Chain> chain = Chain::find(host, onDevice);
      if (!chain || !chain->isFaster())
        continue;
      gpu::GPUFuncOp &kernel = kernels[chain->key()];
      if (!kernel) {
        StringRef name = host.getName();
        name.consume_back(".impl");
        kernel = chain->emitKernel((name + "_chain").str(), onDevice);
      }
      chain->replaceLaunches(kernel);
    }
    if (!kernels.empty())
      eraseUnusedLaunches(module, onDevice);
  }
};

} // namespace
} // namespace mlir::xla
