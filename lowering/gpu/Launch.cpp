// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/Launch.h"
#include "mlir_xla/lowering/GpuMachine.h"

namespace mlir::xla {

/// Threads of a block, at most: some blocks of this size fill a multiprocessor, whatever registers they take.
static constexpr int64_t kBlock = 128;
static constexpr int64_t kWarp = GpuMachine::warp;

gpu::GPUModuleOp getDeviceModule(ModuleOp module) {
  if (auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule))
    return onDevice;
  OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), atEnd.getUnitAttr());
  return gpu::GPUModuleOp::create(atEnd, module.getLoc(), kKernelsModule);
}

gpu::GPUFuncOp emitKernel(gpu::GPUModuleOp onDevice, Location loc, StringRef name, ArrayRef<Type> arguments,
                          int64_t threads,
                          function_ref<void(ImplicitLocOpBuilder &, Value, MutableArrayRef<Value>)> body) {
  ImplicitLocOpBuilder b(loc, onDevice.getContext());
  b.setInsertionPointToEnd(onDevice.getBody());
  auto kernel = gpu::GPUFuncOp::create(b, name, b.getFunctionType(arguments, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  Block *entry = &kernel.getBody().front();
  b.setInsertionPointToEnd(entry);
  Value block = arith::MulIOp::create(b, gpu::BlockIdOp::create(b, gpu::Dimension::x),
                                      gpu::BlockDimOp::create(b, gpu::Dimension::x));
  Value thread = arith::AddIOp::create(b, block, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value isThread =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, arith::ConstantIndexOp::create(b, threads));
  auto branch = scf::IfOp::create(b, isThread, /*withElseRegion=*/false);
  gpu::ReturnOp::create(b);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> values(entry->getArguments());
  body(b, thread, values);
  return kernel;
}

gpu::LaunchFuncOp emitLaunch(ImplicitLocOpBuilder &b, gpu::GPUFuncOp kernel, int64_t threads, ValueRange arguments,
                             int64_t team) {
  // Warps are teams that share blocks; larger ones are blocks.
  int64_t block = team > kWarp ? team : std::min<int64_t>(kBlock, llvm::alignTo(threads, kWarp));
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value one = constant(1);
  auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(kernel)});
  return gpu::LaunchFuncOp::create(b, name, {constant(llvm::divideCeil(threads, block)), one, one},
                                   {constant(block), one, one}, /*dynamicSharedMemorySize=*/Value(), arguments);
}

void markAsOneBlock(gpu::GPUFuncOp kernel) {
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), OpBuilder(kernel).getI32IntegerAttr(1));
}

} // namespace mlir::xla
