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

/// Registers of a thread, about: of functions of the device's library, and of others.
constexpr int64_t kRegistersOfLibrary = 64, kRegisters = 128;
/// Seconds that a block takes longer in a chain: it asks for its number and whether others are done, and counts itself.
constexpr double kTurn = 0.3 * GpuMachine::launchTime;
/// Counters of a chain: blocks that have begun, and those that are done.
enum Counter : int32_t { Begun, Done, kCounters };

/// Launches of one kernel that follow each other.
struct Run {
  Launched launched; // the first one
  SmallVector<gpu::LaunchFuncOp> launches;
  SmallVector<int64_t> threads, blocks; // of each
  int64_t turns = 1;                    // of each block
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
  int64_t blocksAtOnce() const;
  int64_t blocks() const;
  void emitRun(ImplicitLocOpBuilder &b, Run &run, Value number, int64_t before);
  void emitWait(ImplicitLocOpBuilder &b, Value before);
  void emitTurns(ImplicitLocOpBuilder &b, Run &run, ValueRange operands, Value block, Value blocks);
  void emitBody(ImplicitLocOpBuilder &b, Run &run, ValueRange operands, Value block, Value blocks);
  Value counter(ImplicitLocOpBuilder &b, Counter which);
  Value count(ImplicitLocOpBuilder &b, Counter which);

  func::FuncOp host;
  SmallVector<Run> runs;
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
  int64_t launches = 0;
  for (Operation &op : host.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch || !chain.add(launch, onDevice))
      return std::nullopt;
    ++launches;
  }
  if (launches < 2 || !chain.divide(onDevice))
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
  if (runs.empty() || runs.back().launched.kernel != launched->kernel)
    runs.push_back({*launched, {}, {}, {}});
  runs.back().launches.push_back(launch);
  runs.back().threads.push_back(launched->blocks * launched->threads);
  runs.back().blocks.push_back(launched->blocks);
  return true;
}

/// Divides the work into blocks of one size.
bool Chain::divide(gpu::GPUModuleOp onDevice) {
  SmallVector<gpu::GPUFuncOp> kernels;
  int64_t fixed = 0, largest = 0;
  for (Run &run : runs) {
    kernels.push_back(run.launched.kernel);
    largest = std::max(largest, run.launched.threads);
    if (!run.launched.meets && run.launched.countedThreads())
      continue;
    if (fixed && fixed != run.launched.threads)
      return false;
    fixed = run.launched.threads;
  }
  blockSize = fixed ? fixed : largest;
  shared = kFlagBytes + sharedBytesOf(kernels, onDevice, /*ofCallees=*/false) +
           sharedBytesOf(kernels, onDevice, /*ofCallees=*/true);
  if (shared > GpuMachine::staticSharedBytes)
    return false;
  // Where any number of blocks can do it, those that are there at once do.
  for (Run &run : runs) {
    std::optional<int64_t> counted = run.launched.meets ? std::nullopt : run.launched.countedThreads();
    if (!counted)
      continue;
    for (auto [blocks, threads] : llvm::zip_equal(run.blocks, run.threads))
      blocks = llvm::divideCeil(std::min(*counted, threads), blockSize);
    run.turns = llvm::divideCeil(*llvm::max_element(run.blocks), blocksAtOnce());
    for (int64_t &blocks : run.blocks)
      blocks = llvm::divideCeil(blocks, run.turns);
  }
  return blocks() <= std::numeric_limits<int32_t>::max();
}

int64_t Chain::blocksAtOnce() const {
  bool isLibrary = llvm::all_of(runs, [](const Run &run) { return run.launches[0]->hasAttr(kStep); });
  int64_t registers = blockSize * (isLibrary ? kRegistersOfLibrary : kRegisters);
  int64_t together = std::min(GpuMachine::registers / registers, GpuMachine::sharedBytes / shared);
  return GpuMachine::multiprocessors * std::max<int64_t>(1, together);
}

int64_t Chain::blocks() const {
  int64_t all = 0;
  for (const Run &run : runs)
    for (int64_t blocks : run.blocks)
      all += blocks;
  return all;
}

bool Chain::isFaster() const {
  double gained = -GpuMachine::launchTime, lost = 0;
  for (const Run &run : runs)
    for (int64_t blocks : run.blocks) {
      gained += GpuMachine::launchTime;
      lost += kTurn * std::max(1.0, static_cast<double>(blocks) / static_cast<double>(blocksAtOnce()));
    }
  return lost < gained;
}

std::string Chain::key() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << host.getFunctionType();
  for (Run &run : runs)
    for (gpu::LaunchFuncOp launch : run.launches) {
      os << ' ' << launch.getKernelName().getValue() << ' ' << launch.getGridSizeX() << ' ' << launch.getBlockSizeX();
      for (Value operand : launch.getKernelOperands()) {
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
  bool isOneBlock = llvm::any_of(runs, [](Run &run) {
    return run.launched.kernel->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName());
  });
  if (isOneBlock && blocks() <= GpuMachine::multiprocessors)
    markAsOneBlock(kernel);
  b.setInsertionPointToEnd(&kernel.getBody().front());
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, gpu::ThreadIdOp::create(b, gpu::Dimension::x), index(0));
  Value shared = LLVM::AddressOfOp::create(b, flag);
  auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  Operation *end = gpu::ReturnOp::create(b);
  b.setInsertionPointToStart(branch.thenBlock());
  LLVM::StoreOp::create(b, count(b, Begun), shared);
  b.setInsertionPoint(end);
  gpu::BarrierOp::create(b);
  Value number = arith::IndexCastOp::create(b, b.getIndexType(), LLVM::LoadOp::create(b, b.getI32Type(), shared));

  int64_t before = 0;
  for (Run &run : runs) {
    int64_t begin = before;
    for (int64_t blocks : run.blocks)
      before += blocks;
    if (&run == &runs.back()) {
      emitRun(b, run, number, begin);
      break;
    }
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, index(before));
    auto branch = scf::IfOp::create(b, is, /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    emitRun(b, run, number, begin);
    b.setInsertionPointToStart(branch.elseBlock());
  }

  b.setInsertionPoint(end);
  gpu::BarrierOp::create(b);
  auto done = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  b.setInsertionPointToStart(done.thenBlock());
  emitDeviceFence(b);
  count(b, Done);
  return kernel;
}

/// Waits until so many blocks are done: then all that they have written is there for all threads of this one.
void Chain::emitWait(ImplicitLocOpBuilder &b, Value before) {
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
  gpu::BarrierOp::create(b);
}

/// `number` is that of the block, behind so many of others.
void Chain::emitRun(ImplicitLocOpBuilder &b, Run &run, Value number, int64_t before) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  unsigned operandCount = run.launches[0].getNumKernelOperands();
  SmallVector<Value> operands;
  auto given = [&](Value operand) -> Value {
    if (auto argument = dyn_cast<BlockArgument>(operand))
      return kernel.getArgument(argument.getArgNumber());
    return b.clone(*operand.getDefiningOp())->getResult(0);
  };
  if (run.launches.size() == 1) {
    Value begin = index(before);
    if (before > 0)
      emitWait(b, begin);
    for (Value operand : run.launches[0].getKernelOperands())
      operands.push_back(given(operand));
    return emitTurns(b, run, operands, arith::SubIOp::create(b, number, begin), index(run.blocks[0]));
  }

  // A table has a column for what differs: where each launch's blocks begin, how many these are, and operands.
  auto count = static_cast<int64_t>(run.launches.size()), rows = static_cast<int64_t>(llvm::PowerOf2Ceil(count));
  SmallVector<int64_t> table(2 * rows, std::numeric_limits<int32_t>::max());
  for (int64_t i = 0; i < count; ++i) {
    table[i] = before;
    table[rows + i] = run.blocks[i];
    before += run.blocks[i];
  }
  SmallVector<int64_t> columns(operandCount, -1);
  for (unsigned o = 0; o < operandCount; ++o) {
    auto known = [&](gpu::LaunchFuncOp launch) { return getConstantIntValue(launch.getKernelOperand(o)); };
    if (!known(run.launches[0]) || llvm::all_equal(llvm::map_range(run.launches, known)))
      continue;
    columns[o] = static_cast<int64_t>(table.size());
    for (gpu::LaunchFuncOp launch : run.launches)
      table.push_back(*known(launch));
    table.resize(columns[o] + rows);
  }
  Type i64 = b.getI64Type();
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    auto onDevice = kernel->getParentOfType<gpu::GPUModuleOp>();
    b.setInsertionPointToStart(onDevice.getBody());
    auto size = static_cast<int64_t>(table.size());
    auto values = DenseElementsAttr::get(RankedTensorType::get({size}, i64), ArrayRef<int64_t>(table));
    global = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(i64, size), /*isConstant=*/true,
                                    LLVM::Linkage::Internal,
                                    (kernel.getName() + "_launches_of_" + run.launched.kernel.getName()).str(), values,
                                    /*alignment=*/8, /*addrSpace=*/1);
  }
  Value address = LLVM::AddressOfOp::create(b, global);
  auto entry = [&](Value row, int64_t column) -> Value {
    Value place = arith::AddIOp::create(b, row, index(column));
    place = arith::IndexCastOp::create(b, i64, place);
    return LLVM::LoadOp::create(b, i64, LLVM::GEPOp::create(b, address.getType(), i64, address, LLVM::GEPArg(place)));
  };
  auto toIndex = [&](Value value) -> Value { return arith::IndexCastOp::create(b, b.getIndexType(), value); };
  // The last one that does not begin behind the block.
  Value row = index(0);
  for (int64_t step = rows / 2; step > 0; step /= 2) {
    Value next = arith::AddIOp::create(b, row, index(step));
    Value isBehind = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, toIndex(entry(next, 0)));
    row = arith::SelectOp::create(b, isBehind, row, next);
  }
  Value begin = toIndex(entry(row, 0)), blocks = toIndex(entry(row, rows));
  for (auto [operand, column] : llvm::zip_equal(run.launches[0].getKernelOperands(), columns)) {
    Value value = column < 0 ? given(operand) : entry(row, column);
    operands.push_back(operand.getType().isIndex() && column >= 0 ? toIndex(value) : value);
  }
  emitWait(b, begin);
  emitTurns(b, run, operands, arith::SubIOp::create(b, number, begin), blocks);
}

void Chain::emitTurns(ImplicitLocOpBuilder &b, Run &run, ValueRange operands, Value block, Value blocks) {
  if (run.turns == 1)
    return emitBody(b, run, operands, block, blocks);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value all = arith::MulIOp::create(b, blocks, index(run.turns));
  auto loop = scf::ForOp::create(b, block, all, blocks);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emitBody(b, run, operands, loop.getInductionVar(), all);
}

/// What a block of so many does.
void Chain::emitBody(ImplicitLocOpBuilder &b, Run &run, ValueRange operands, Value block, Value blocks) {
  gpu::GPUFuncOp function = run.launched.kernel;
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
  SmallVector<Attribute> steps;
  for (Run &run : runs)
    for (auto [launch, blocks] : llvm::zip_equal(run.launches, run.blocks)) {
      SmallVector<NamedAttribute> facts = {
          b.getNamedAttr("kernel", b.getStringAttr(launch.getKernelName().getValue())),
          b.getNamedAttr("blocks", b.getI64IntegerAttr(blocks))};
      if (auto step = launch->getAttrOfType<DictionaryAttr>(kStep))
        facts.push_back(b.getNamedAttr("step", step));
      steps.push_back(b.getDictionaryAttr(facts));
    }
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value one = index(1);
  auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(kernel)});
  auto launch = gpu::LaunchFuncOp::create(b, name, {index(blocks()), one, one}, {index(blockSize), one, one},
                                          /*dynamicSharedMemorySize=*/Value(), host.getArguments().drop_back(2));
  launch->setAttr(kChain, b.getArrayAttr(steps));
  for (Run &run : runs)
    for (gpu::LaunchFuncOp launch : run.launches)
      launch.erase();
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
