// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/KernelParts.h"
#include "mlir_xla/lowering/GpuMachine.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace mlir::xla {

/// Barrier 0 is for all threads of a block.
static constexpr int32_t kBarrier = 1;

/// In names of functions, before the number of threads.
static constexpr StringLiteral kSuffix = "_of_first_";

bool canBeOfFirst(Launched &launched, int64_t ofBlock, gpu::GPUModuleOp onDevice) {
  if (!launched.meets || launched.threads >= ofBlock || launched.threads % GpuMachine::warp != 0)
    return false;
  bool callsLibrary = false;
  auto isKnown = [&](auto &isKnown, Operation *function, bool isCallee) -> bool {
    WalkResult result = function->walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto callee = onDevice.lookupSymbol<func::FuncOp>(call.getCallee());
        callsLibrary |= callee && callee.isExternal();
        return callee && (callee.isExternal() || isKnown(isKnown, callee, true)) ? WalkResult::advance()
                                                                                 : WalkResult::interrupt();
      }
      // The number of a thread is the same in both blocks, their sizes are not.
      if (isCallee && isa<gpu::BlockDimOp, gpu::GridDimOp, gpu::BlockIdOp>(op))
        return WalkResult::interrupt();
      // What a thread or a warp does.
      bool isOfWarps = !isa_and_present<NVVM::NVVMDialect>(op->getDialect()) ||
                       isa<NVVM::SyncWarpOp, NVVM::VoteSyncOp, NVVM::ShflOp, NVVM::CpAsyncOp,
                           NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op) ||
                       isMemoryEffectFree(op);
      return isOfWarps ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  };
  // Functions of the library keep what they work on in registers.
  return isKnown(isKnown, launched.kernel, false) &&
         (!callsLibrary || GpuMachine::registersOfThread(ofBlock) >= GpuMachine::registersOfThread(launched.threads));
}

void emitBarrierOfFirst(OpBuilder &b, Location loc, int64_t threads) {
  Value id = arith::ConstantIntOp::create(b, loc, kBarrier, 32);
  Value count = arith::ConstantIntOp::create(b, loc, threads, 32);
  NVVM::BarrierOp::create(b, loc, /*resultTypes=*/TypeRange(), id, count, NVVM::BarrierReductionAttr(), Value());
}

SharedLayout::SharedLayout(ArrayRef<gpu::GPUFuncOp> kernels, gpu::GPUModuleOp onDevice) {
  // All are aligned as what wants most of it.
  for (gpu::GPUFuncOp kernel : kernels)
    for (StringAttr name : sharedMemoryOf(kernel, onDevice))
      alignment = std::max<int64_t>(alignment, onDevice.lookupSymbol<LLVM::GlobalOp>(name).getAlignment().value_or(1));
  auto sizeOfGlobal = [&](StringAttr name) {
    return llvm::alignTo(sizeOf(onDevice.lookupSymbol<LLVM::GlobalOp>(name).getGlobalType()), alignment);
  };
  for (gpu::GPUFuncOp kernel : kernels) {
    // Behind what another kernel has, too.
    int64_t end = 0;
    SmallVector<StringAttr> names = sharedMemoryOf(kernel, onDevice);
    for (StringAttr name : names)
      if (auto known = offsets.find(name); known != offsets.end())
        end = std::max<int64_t>(end, known->second + sizeOfGlobal(name));
    for (StringAttr name : names)
      if (offsets.try_emplace(name, end).second)
        end += sizeOfGlobal(name);
    bytes = std::max(bytes, end);
  }
}

void KernelParts::shareMemory(ArrayRef<gpu::GPUFuncOp> kernels, StringRef name) {
  SharedLayout layout(kernels, onDevice);
  if (!layout.bytes)
    return;
  offsets = std::move(layout.offsets);
  OpBuilder b = OpBuilder::atBlockBegin(onDevice.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), layout.bytes);
  constexpr unsigned shared = 3;
  memory = LLVM::GlobalOp::create(b, onDevice.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                  Attribute(), layout.alignment, shared);
  SymbolTable(onDevice).insert(memory);
}

bool KernelParts::mentions(func::FuncOp function) const {
  return llvm::any_of(sharedMemoryOf(function, onDevice), [&](StringAttr name) { return offsets.contains(name); });
}

func::FuncOp KernelParts::copyOf(func::FuncOp callee, int64_t threads) {
  if (!threads && (callee.isExternal() || !mentions(callee)))
    return callee;
  func::FuncOp &copy = copies[{callee, threads}];
  if (copy)
    return copy;
  OpBuilder b(onDevice.getContext());
  std::string name = callee.getName().str();
  if (threads)
    name += (kSuffix + Twine(threads)).str();
  // All that want one of the library's want the same.
  if (auto known = onDevice.lookupSymbol<func::FuncOp>(name); known && callee.isExternal())
    return copy = known;
  b.setInsertionPointAfter(callee);
  auto made = cast<func::FuncOp>(callee->clone());
  made.setName(name);
  if (callee.isExternal())
    b.insert(made);
  else
    SymbolTable(onDevice).insert(made);
  copy = made; // `adapt` may move what is in the map
  if (!made.isExternal())
    adapt(made, threads);
  return made;
}

void KernelParts::adapt(Operation *op, int64_t threads) {
  SmallVector<gpu::BarrierOp> barriers;
  SmallVector<LLVM::AddressOfOp> addresses;
  op->walk([&](Operation *inside) {
    if (auto barrier = dyn_cast<gpu::BarrierOp>(inside); barrier && threads)
      barriers.push_back(barrier);
    else if (auto address = dyn_cast<LLVM::AddressOfOp>(inside);
             address && offsets.contains(address.getGlobalNameAttr().getAttr()))
      addresses.push_back(address);
    else if (auto call = dyn_cast<func::CallOp>(inside))
      call.setCallee(copyOf(onDevice.lookupSymbol<func::FuncOp>(call.getCallee()), threads).getName());
  });
  for (gpu::BarrierOp barrier : barriers) {
    OpBuilder b(barrier);
    emitBarrierOfFirst(b, barrier.getLoc(), threads);
    barrier.erase();
  }
  for (LLVM::AddressOfOp address : addresses) {
    OpBuilder b(address);
    b.setInsertionPointAfter(address);
    int64_t offset = offsets.lookup(address.getGlobalNameAttr().getAttr());
    address.setGlobalName(memory.getSymName());
    if (!offset)
      continue;
    auto moved = LLVM::GEPOp::create(b, address.getLoc(), address.getType(), b.getI8Type(), address,
                                     LLVM::GEPArg(static_cast<int32_t>(offset)));
    address.getResult().replaceAllUsesExcept(moved, moved);
  }
}

/// The library's function and the number of threads that a name has.
static std::optional<std::pair<StringRef, int64_t>> readName(StringRef name) {
  auto [function, number] = name.rsplit(kSuffix);
  int64_t threads = 0;
  if (number.empty() || number.getAsInteger(10, threads))
    return std::nullopt;
  return std::pair(function, threads);
}

static bool isAsked(const llvm::Function &function) { return function.isDeclaration() && readName(function.getName()); }

void declareForFirst(llvm::Module &code) {
  for (llvm::Function &function : llvm::make_early_inc_range(code))
    if (isAsked(function))
      code.getOrInsertFunction(readName(function.getName())->first, function.getFunctionType());
}

/// Calls of functions that are there become their code.
static void inlineCalls(llvm::Function &function) {
  SmallVector<llvm::CallInst *> calls;
  do {
    calls.clear();
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
        calls.push_back(call);
    for (llvm::CallInst *call : calls) {
      llvm::InlineFunctionInfo info;
      llvm::InlineResult result = llvm::InlineFunction(*call, info);
      (void)result;
      assert(result.isSuccess() && "a function of the device's library that is no code to inline");
    }
  } while (!calls.empty());
}

void defineForFirst(llvm::Module &code) {
  for (llvm::Function &function : code) {
    if (!isAsked(function))
      continue;
    auto [name, threads] = *readName(function.getName());
    llvm::Function *whole = code.getFunction(name);
    if (!whole || whole->isDeclaration())
      continue; // which is reported as missing
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::Convergent);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(code.getContext(), "", &function));
    SmallVector<llvm::Value *> arguments(llvm::make_pointer_range(function.args()));
    b.CreateCall(whole, arguments);
    b.CreateRetVoid();
    inlineCalls(function);
    SmallVector<llvm::IntrinsicInst *> barriers;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *barrier = dyn_cast<llvm::IntrinsicInst>(&instruction);
          barrier && barrier->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all)
        barriers.push_back(barrier);
    for (llvm::IntrinsicInst *barrier : barriers) {
      b.SetInsertPoint(barrier);
      b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count,
                        {b.getInt32(kBarrier), b.getInt32(threads)});
      barrier->eraseFromParent();
    }
  }
}

} // namespace mlir::xla
