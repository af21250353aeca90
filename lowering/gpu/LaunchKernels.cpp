// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-launch-kernels`: moves implementations to the device, and leaves host code that launches them.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/Launch.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LAUNCHKERNELS
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// Threads that execute together; a larger team is a block.
constexpr int64_t kWarp = GpuMachine::warp;
/// What the teams of a kernel have together as scratch memory; and a number of them that fills any device.
constexpr int64_t kScratchBytes = 256 << 20;
constexpr int64_t kTeamsWithScratch = 1 << 16;

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
    if (kernels.empty())
      return;
    gpu::GPUModuleOp onDevice = getDeviceModule(module);
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
    Location loc = kernel.getLoc();

    // The host's function takes the place and the name of the implementation.
    OpBuilder outer(impl);
    auto host = func::FuncOp::create(outer, loc, impl.getName(), impl.getFunctionType());
    host.setPrivate();
    host->setAttr(XlaRtDialect::kLaunches, outer.getUnitAttr());
    symbols.remove(impl);
    ImplicitLocOpBuilder b(loc, &getContext());
    b.setInsertionPointToEnd(host.addEntryBlock());
    if (contract.getWork() <= 0) {
      impl.erase();
      symbols.insert(host);
      func::ReturnOp::create(b);
      return success();
    }
    impl->moveBefore(onDevice.getBody(), onDevice.getBody()->end());
    symbols.insert(host);
    if (failed(bringCallees(impl, onDevice, symbols)))
      return failure();

    int64_t work = contract.getWork(), scratch = contract.getScratch(), team = contract.getTeam();
    int64_t teams = contract.getOrdered() ? 1 : work;
    if (scratch)
      teams = std::min({teams, kTeamsWithScratch, std::max<int64_t>(1, kScratchBytes / scratch)});
    // All operands but the begin and the end of the work.
    gpu::GPUFuncOp function =
        emitKernel(onDevice, loc, kernel.getName(), impl.getArgumentTypes().drop_back(2), teams * team,
                   [&](ImplicitLocOpBuilder &b, Value thread, MutableArrayRef<Value> arguments) {
                     Value number = thread;
                     if (team > 1)
                       number = arith::DivUIOp::create(b, thread, arith::ConstantIndexOp::create(b, team));
                     if (scratch)
                       movePointer(b, arguments.back(), number, scratch);
                     emitItems(b, impl, number, teams, team, work, arguments);
                   });
    function->moveBefore(impl);
    function->setAttr(kCost, b.getI64IntegerAttr(contract.getCost()));
    if (impl->hasAttr(XlaRtDialect::kNumbersBlocks))
      function->setAttr(XlaRtDialect::kNumbersBlocks, b.getUnitAttr());
    // What threads of a large block have together, its assembler has to know.
    if (team > kWarp)
      function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(team), 1, 1}));
    // The assembler would rather have more blocks on a multiprocessor than registers for several updates at a time. Two
    // do without waiting for each other what as many blocks as that have to do.
    if (team > kWarp && kernelOf(kernel).getKind() == KernelKind::Scatter)
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        b.getI32IntegerAttr(teams > GpuMachine::multiprocessors ? 2 : 1));
    emitLaunch(b, function, teams * team, host.getArguments().drop_back(2), team);
    func::ReturnOp::create(b);
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(host), /*work=*/1, kLaunchCost,
                                            scratch * teams, /*ordered=*/false, contract.getResults(), /*team=*/1));
    return success();
  }

  /// Declarations of what `impl` calls, and its shared memory.
  LogicalResult bringCallees(func::FuncOp impl, gpu::GPUModuleOp onDevice, SymbolTable &symbols) {
    impl.walk([&](LLVM::AddressOfOp address) {
      if (auto global = symbols.lookup<LLVM::GlobalOp>(address.getGlobalName())) {
        symbols.remove(global);
        global->moveBefore(&onDevice.getBody()->front());
      }
    });
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

  /// By `bytes` for each team before this one.
  static void movePointer(ImplicitLocOpBuilder &b, Value &pointer, Value team, int64_t bytes) {
    Value offset = arith::MulIOp::create(b, team, arith::ConstantIndexOp::create(b, bytes));
    offset = arith::IndexCastOp::create(b, b.getI64Type(), offset);
    pointer = LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer, LLVM::GEPArg(offset));
  }

  /// What of the work a team does: threads of one are at the same item, and have done it when the next begins.
  static void emitItems(ImplicitLocOpBuilder &b, func::FuncOp impl, Value team, int64_t teams, int64_t threads,
                        int64_t work, ArrayRef<Value> arguments) {
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
    auto call = [&](Value begin, Value end) {
      SmallVector<Value> operands(arguments);
      operands.append({begin, end});
      func::CallOp::create(b, impl, operands);
    };
    if (teams == 1 && threads == 1)
      return call(constant(0), constant(work));
    if (teams == work)
      return call(team, arith::AddIOp::create(b, team, constant(1)));
    auto loop = scf::ForOp::create(b, team, constant(work), constant(teams));
    b.setInsertionPointToStart(loop.getBody());
    Value item = loop.getInductionVar();
    call(item, arith::AddIOp::create(b, item, constant(1)));
    if (threads > kWarp)
      gpu::BarrierOp::create(b);
    else if (threads > 1)
      NVVM::SyncWarpOp::create(b, arith::ConstantIntOp::create(b, -1, 32));
  }
};

} // namespace
} // namespace mlir::xla
