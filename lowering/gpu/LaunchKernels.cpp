// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-launch-kernels`: moves implementations to the device, and leaves host code that launches them.

#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LAUNCHKERNELS
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// Threads of a block. Two blocks of this size fill no multiprocessor, and small kernels have few idle threads.
constexpr int64_t kBlock = 128;
constexpr int64_t kWarp = 32;
/// What the threads of a kernel have together as scratch memory; and a number of them that fills any device.
constexpr int64_t kScratchBytes = 256 << 20;
constexpr int64_t kThreadsWithScratch = 1 << 16;
/// The schedule's estimate of a launch on the host, in nanoseconds.
constexpr int64_t kLaunchCost = 5000;

struct LaunchKernelsPass : impl::LaunchKernelsBase<LaunchKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<func::FuncOp> kernels;
    for (auto function : module.getOps<func::FuncOp>())
      if (ImplementationAttr contract = implementationOf(function); contract && function.isExternal())
        if (auto impl = symbols.lookup<func::FuncOp>(contract.getFunction().getValue());
            !impl || !impl->hasAttr(XlaRtDialect::kLaunches))
          kernels.push_back(function);
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (onDevice) {
      onDevice.emitError("is there already: kernels are launched once");
      return signalPassFailure();
    }
    OpBuilder builder(&getContext());
    builder.setInsertionPointToEnd(module.getBody());
    onDevice = gpu::GPUModuleOp::create(builder, module.getLoc(), kKernelsModule);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
    for (func::FuncOp kernel : kernels)
      if (failed(launch(kernel, onDevice, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult launch(func::FuncOp kernel, gpu::GPUModuleOp onDevice, SymbolTable &symbols) {
    ImplementationAttr contract = implementationOf(kernel);
    auto impl = symbols.lookup<func::FuncOp>(contract.getFunction().getValue());
    if (!impl || impl.isExternal())
      return kernel.emitError("has no implementation that could move to the device");
    if (contract.getWork() <= 0)
      return success();
    Location loc = kernel.getLoc();

    // The host's function takes the place and the name of the implementation.
    OpBuilder outer(impl);
    auto host = func::FuncOp::create(outer, loc, impl.getName(), impl.getFunctionType());
    host.setPrivate();
    host->setAttr(XlaRtDialect::kLaunches, outer.getUnitAttr());
    symbols.remove(impl);
    impl->moveBefore(onDevice.getBody(), onDevice.getBody()->end());
    symbols.insert(host);
    if (failed(bringCallees(impl, onDevice, symbols)))
      return failure();

    // All operands but the begin and the end of the work.
    int64_t work = contract.getWork(), threads = contract.getOrdered() ? 1 : work;
    if (contract.getScratch())
      threads = std::min({threads, kThreadsWithScratch, std::max<int64_t>(1, kScratchBytes / contract.getScratch())});
    int64_t block = std::min<int64_t>(kBlock, llvm::alignTo(threads, kWarp));
    emitKernel(kernel, impl, onDevice, contract, threads);
    emitHost(kernel, host, llvm::divideCeil(threads, block), block);
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(host), /*work=*/1, kLaunchCost,
                                            contract.getScratch() * threads, /*ordered=*/false, contract.getResults()));
    return success();
  }

  /// Declarations of what `impl` calls.
  LogicalResult bringCallees(func::FuncOp impl, gpu::GPUModuleOp onDevice, SymbolTable &symbols) {
    SymbolTable there(onDevice);
    WalkResult result = impl.walk([&](func::CallOp call) {
      if (there.lookup(call.getCallee()))
        return WalkResult::advance();
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee.isExternal()) {
        call.emitOpError("calls what is not on the device");
        return WalkResult::interrupt();
      }
      OpBuilder atEnd = OpBuilder::atBlockEnd(onDevice.getBody());
      atEnd.clone(*callee);
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  void emitKernel(func::FuncOp kernel, func::FuncOp impl, gpu::GPUModuleOp onDevice, ImplementationAttr contract,
                  int64_t threads) {
    OpBuilder outer = OpBuilder::atBlockBegin(onDevice.getBody());
    if (!onDevice.getBody()->empty())
      outer.setInsertionPoint(impl);
    ArrayRef<Type> operands = impl.getArgumentTypes().drop_back(2);
    auto function =
        gpu::GPUFuncOp::create(outer, kernel.getLoc(), kernel.getName(), outer.getFunctionType(operands, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), outer.getUnitAttr());
    ImplicitLocOpBuilder b(kernel.getLoc(), outer);
    Block *entry = &function.getBody().front();
    b.setInsertionPointToEnd(entry);
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, value).getResult(); };
    Value block = arith::MulIOp::create(b, gpu::BlockIdOp::create(b, gpu::Dimension::x),
                                        gpu::BlockDimOp::create(b, gpu::Dimension::x));
    Value thread = arith::AddIOp::create(b, block, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    SmallVector<Value> arguments(entry->getArguments());
    Value isThread = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, constant(threads));
    auto branch = scf::IfOp::create(b, isThread, /*withElseRegion=*/false);
    gpu::ReturnOp::create(b);
    b.setInsertionPointToStart(branch.thenBlock());
    if (int64_t bytes = contract.getScratch()) {
      Value offset = arith::IndexCastOp::create(b, b.getI64Type(), arith::MulIOp::create(b, thread, constant(bytes)));
      Value &scratch = arguments.back();
      scratch = LLVM::GEPOp::create(b, scratch.getType(), b.getI8Type(), scratch, LLVM::GEPArg(offset));
    }
    auto call = [&](Value begin, Value end) {
      arguments.append({begin, end});
      func::CallOp::create(b, impl, arguments);
    };
    int64_t work = contract.getWork();
    if (threads == work) {
      call(thread, arith::AddIOp::create(b, thread, constant(1)));
    } else if (threads == 1) {
      call(constant(0), constant(work));
    } else {
      auto loop = scf::ForOp::create(b, thread, constant(work), constant(threads));
      b.setInsertionPointToStart(loop.getBody());
      Value item = loop.getInductionVar();
      call(item, arith::AddIOp::create(b, item, constant(1)));
    }
  }

  void emitHost(func::FuncOp kernel, func::FuncOp host, int64_t blocks, int64_t block) {
    Block *entry = host.addEntryBlock();
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    b.setInsertionPointToEnd(entry);
    Value one = arith::ConstantIndexOp::create(b, 1);
    gpu::KernelDim3 grid{arith::ConstantIndexOp::create(b, blocks), one, one};
    gpu::KernelDim3 threads{arith::ConstantIndexOp::create(b, block), one, one};
    auto name =
        SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(b.getContext(), kernel.getName())});
    gpu::LaunchFuncOp::create(b, name, grid, threads, /*dynamicSharedMemorySize=*/Value(),
                              ValueRange(entry->getArguments().drop_back(2)));
    func::ReturnOp::create(b);
  }
};

} // namespace
} // namespace mlir::xla
