// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/Launched.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::xla {

/// What kernels of several blocks may take on a core of the host, in nanoseconds: one block does them in about the time
/// of a launch.
static constexpr int64_t kCostOfBlock = 20000;

std::optional<Launched> Launched::find(func::FuncOp host, gpu::GPUModuleOp onDevice) {
  if (!host || !host->hasAttr(XlaRtDialect::kLaunches) || host.isExternal() || !host.getBody().hasOneBlock())
    return std::nullopt;
  gpu::LaunchFuncOp launch;
  for (Operation &op : host.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    if (launch || !isa<gpu::LaunchFuncOp>(op))
      return std::nullopt;
    launch = cast<gpu::LaunchFuncOp>(op);
  }
  if (!launch || launch.getDynamicSharedMemorySize() || launch.hasClusterSize() ||
      !llvm::all_of(launch.getKernelOperands(), llvm::IsaPred<BlockArgument>))
    return std::nullopt;
  Launched found;
  found.launch = launch;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues(), block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.y, grid.z, block.y, block.z})
    if (!isConstantIntValue(size, 1))
      return std::nullopt;
  found.blocks = getConstantIntValue(grid.x).value_or(0);
  found.threads = getConstantIntValue(block.x).value_or(0);
  found.kernel = onDevice.lookupSymbol<gpu::GPUFuncOp>(launch.getKernelName());
  if (!found.kernel || found.kernel->hasAttr(XlaRtDialect::kDevices) || !found.kernel.getBody().hasOneBlock() ||
      found.blocks < 1 || found.threads < 1)
    return std::nullopt;
  for (unsigned i = 0; i < found.kernel.getNumArguments(); ++i)
    if (found.kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      return std::nullopt;
  if (!found.noteMeetings(found.kernel, onDevice))
    return std::nullopt;
  found.isSingle = !found.meets && found.countedThreads() == 1;
  if (found.isSingle)
    found.threads = 1;
  return found;
}

std::optional<int64_t> Launched::countedThreads() {
  std::optional<int64_t> count;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<gpu::ReturnOp, LLVM::AllocaOp>(op) || isMemoryEffectFree(&op))
      continue;
    auto branch = dyn_cast<scf::IfOp>(op);
    auto below = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    if (count || !below || below.getPredicate() != arith::CmpIPredicate::ult)
      return std::nullopt;
    count = getConstantIntValue(below.getRhs());
    if (!count)
      return std::nullopt;
  }
  return count;
}

bool Launched::isForOneBlock() const {
  auto cost = kernel->getAttrOfType<IntegerAttr>(kCost);
  return blocks == 1 || (cost && cost.getInt() <= kCostOfBlock && !kernel->hasAttr(XlaRtDialect::kNumbersBlocks));
}

/// False if it is not known what its threads do together.
bool Launched::noteMeetings(Operation *function, gpu::GPUModuleOp onDevice) {
  WalkResult result = function->walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = onDevice.lookupSymbol<func::FuncOp>(call.getCallee());
      if (!callee || (!callee.isExternal() && !noteMeetings(callee, onDevice)))
        return WalkResult::interrupt();
      // A function of the device's library; those for blocks of threads have blocks of that size.
      meets |= callee.isExternal() && kernel.getKnownBlockSizeAttr();
    } else if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      meets |= cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() != 0;
    } else if (isa<gpu::BarrierOp>(op)) {
      meets = true;
    } else if (isa_and_present<NVVM::NVVMDialect>(op->getDialect()) && !isa<NVVM::SyncWarpOp>(op)) {
      meets = true;
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool isNumberInBlock(Value value, int64_t threads) {
  auto uncast = [](Value value) {
    while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    return value;
  };
  value = uncast(value);
  if (auto rest = value.getDefiningOp<arith::RemUIOp>(); rest && isConstantIntValue(rest.getRhs(), threads))
    value = uncast(rest.getLhs());
  auto number = value.getDefiningOp<gpu::ThreadIdOp>();
  return number && number.getDimension() == gpu::Dimension::x;
}

/// if (number of the thread == 0) { op }, or for (i = number of the thread; i < 1; ...) { op }
static bool isOfFirst(Operation *op, int64_t threads) {
  for (Operation *parent = op->getParentOp(); parent; op = parent, parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    auto equal = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    if (equal && op->getParentRegion() == &branch.getThenRegion() && equal.getPredicate() == arith::CmpIPredicate::eq &&
        isNumberInBlock(equal.getLhs(), threads) && isConstantIntValue(equal.getRhs(), 0))
      return true;
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && isNumberInBlock(loop.getLowerBound(), threads) && isConstantIntValue(loop.getUpperBound(), 1))
      return true;
  }
  return false;
}

bool Launched::isWrittenByFirst(Operation *function, gpu::GPUModuleOp onDevice) {
  constexpr unsigned shared = 3;
  WalkResult result = function->walk([&](Operation *op) {
    bool isKnown = isMemoryEffectFree(op) ||
                   isa<gpu::GPUFuncOp, func::FuncOp, gpu::ReturnOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::YieldOp,
                       LLVM::LoadOp, gpu::BarrierOp, gpu::ShuffleOp, NVVM::VoteSyncOp>(op);
    if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      auto pointer = cast<LLVM::LLVMPointerType>(store.getAddr().getType());
      isKnown = pointer.getAddressSpace() == shared || isOfFirst(op, threads);
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = onDevice.lookupSymbol<func::FuncOp>(call.getCallee());
      isKnown = callee && !callee.isExternal() && isWrittenByFirst(callee, onDevice);
    }
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

int64_t sizeOf(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * sizeOf(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t bytes = 0;
    for (Type element : structure.getBody())
      bytes += sizeOf(element);
    return bytes;
  }
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 8;
}

bool isShared(LLVM::AddressOfOp address) {
  constexpr unsigned space = 3;
  return cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() == space;
}

/// Calls `visit` for what a kernel, and the functions of the device that it calls, consist of.
static void walkWithCallees(Operation *root, gpu::GPUModuleOp onDevice, function_ref<void(Operation *)> visit) {
  llvm::SetVector<Operation *> functions;
  functions.insert(root);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](Operation *op) {
      visit(op);
      if (auto call = dyn_cast<func::CallOp>(op))
        if (auto callee = onDevice.lookupSymbol<func::FuncOp>(call.getCallee()); callee && !callee.isExternal())
          functions.insert(callee);
    });
}

SmallVector<StringAttr> sharedMemoryOf(Operation *function, gpu::GPUModuleOp onDevice) {
  llvm::SetVector<StringAttr> names;
  walkWithCallees(function, onDevice, [&](Operation *op) {
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op); address && isShared(address))
      names.insert(address.getGlobalNameAttr().getAttr());
  });
  return names.takeVector();
}

SmallVector<StringRef> libraryFunctionsOf(gpu::GPUFuncOp kernel, gpu::GPUModuleOp onDevice) {
  llvm::SetVector<StringRef> names;
  walkWithCallees(kernel, onDevice, [&](Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? onDevice.lookupSymbol<func::FuncOp>(call.getCallee()) : func::FuncOp();
    if (callee && callee.isExternal())
      names.insert(callee.getName());
  });
  return names.takeVector();
}

/// What is named by one name, or by the last of several: kernels by that of their module, too.
static llvm::DenseSet<StringAttr> usedSymbols(Region &region, bool ofModules) {
  llvm::DenseSet<StringAttr> used;
  if (std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&region))
    for (SymbolTable::SymbolUse use : *uses)
      if (isa<FlatSymbolRefAttr>(use.getSymbolRef()) != ofModules)
        used.insert(use.getSymbolRef().getLeafReference());
  return used;
}

void eraseUnusedLaunches(ModuleOp module, gpu::GPUModuleOp onDevice) {
  // Declarations name host code, and that names kernels, which have shared memory.
  auto eraseUnused = [&](auto functions, const llvm::DenseSet<StringAttr> &used, auto isOurs) {
    for (auto function : llvm::make_early_inc_range(functions))
      if (isOurs(function) && !used.contains(function.getNameAttr()))
        function.erase();
  };
  Region &ofModule = module.getBodyRegion(), &ofDevice = onDevice.getBodyRegion();
  eraseUnused(module.getOps<func::FuncOp>(), usedSymbols(ofModule, false),
              [](func::FuncOp function) { return function.isExternal(); });
  eraseUnused(module.getOps<func::FuncOp>(), usedSymbols(ofModule, false),
              [](func::FuncOp function) { return function->hasAttr(XlaRtDialect::kLaunches); });
  eraseUnused(onDevice.getOps<gpu::GPUFuncOp>(), usedSymbols(ofModule, true),
              [](gpu::GPUFuncOp kernel) { return kernel.isKernel(); });
  eraseUnused(onDevice.getOps<LLVM::GlobalOp>(), usedSymbols(ofDevice, false), [](LLVM::GlobalOp global) {
    return global.getAddrSpace() == 3 && global.getLinkage() == LLVM::Linkage::Internal;
  });
}

} // namespace mlir::xla
