// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-launch-libraries`: kernels that call a library.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/gpu/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LAUNCHLIBRARIES
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// What the schedule assumes that copies to the host and back take, in nanoseconds.
constexpr int64_t kHostCallCost = 50000;

struct LaunchLibrariesPass : impl::LaunchLibrariesBase<LaunchLibrariesPass> {
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!kernelOf(kernel) || kernel.isExternal())
        continue;
      if (auto call = dyn_cast_if_present<rt::LibraryCallOp>(wholeKernelIn(kernel).getOperation()))
        callOnHost(kernel, call);
    }
  }

private:
  /// Host code that fills an xla_rt_cuda_library_call.
  void callOnHost(func::FuncOp kernel, rt::LibraryCallOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), kernel);
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Type> inputs(kernel.getNumArguments() + kernel.getNumResults(), pointerType);
    inputs.append(2, b.getIndexType());
    auto impl = func::FuncOp::create(b, (kernel.getName() + ".impl").str(), b.getFunctionType(inputs, {}));
    impl.setPrivate();
    impl->setAttr(XlaRtDialect::kLaunches, b.getUnitAttr());
    Block *entry = impl.addEntryBlock();

    auto target = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(op.getFunction());
    if (!target) {
      OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
      Type i64 = b.getI64Type();
      auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                              {pointerType, pointerType, i64, i64, pointerType});
      target = LLVM::LLVMFuncOp::create(atEnd, op.getLoc(), op.getFunction(), type);
    }
    auto runtime = getOperation().lookupSymbol<func::FuncOp>("xla_rt_cuda_call_library");
    if (!runtime) {
      OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
      runtime =
          func::FuncOp::create(atEnd, op.getLoc(), "xla_rt_cuda_call_library", b.getFunctionType({pointerType}, {}));
      runtime.setPrivate();
    }

    b.setInsertionPointToEnd(entry);
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 64); };
    auto arrayOf = [&](ArrayRef<Value> values) -> Value {
      Value array = LLVM::AllocaOp::create(b, pointerType, b.getI64Type(),
                                           constant(std::max<int64_t>(1, values.size())), /*alignment=*/8);
      for (auto [i, value] : llvm::enumerate(values))
        LLVM::StoreOp::create(
            b, value,
            LLVM::GEPOp::create(b, pointerType, b.getI64Type(), array, LLVM::GEPArg(static_cast<int32_t>(i))));
      return array;
    };
    SmallVector<Value> parameters, buffers, bytes;
    for (int64_t parameter : op.getParameters())
      parameters.push_back(constant(parameter));
    SmallVector<ResultMemory> results;
    int64_t updated = 0, count = op.getInputs().size();
    for (Value input : op.getInputs())
      buffers.push_back(entry->getArgument(cast<BlockArgument>(input).getArgNumber()));
    for (auto [i, out] : llvm::enumerate(op.getOuts())) {
      buffers.push_back(entry->getArgument(kernel.getNumArguments() + i));
      ResultMemory &memory = results.emplace_back();
      if (auto argument = dyn_cast<BlockArgument>(out)) {
        memory = {ResultMemory::Updates, argument.getArgNumber()};
        updated |= int64_t(1) << (count + i);
      }
    }
    for (Value operand : op->getOperands())
      bytes.push_back(constant(bufferBytes(cast<ShapedType>(operand.getType()))));
    Value function = LLVM::AddressOfOp::create(b, target);
    Value call =
        arrayOf({function, arrayOf(parameters), arrayOf(buffers), arrayOf(bytes), constant(count),
                 constant(buffers.size()), constant(updated), constant(op.getWork()), constant(op.getScratch())});
    func::CallOp::create(b, runtime, call);
    func::ReturnOp::create(b);
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(impl), /*work=*/1, kHostCallCost,
                                            /*scratch=*/0, /*ordered=*/false, results));
    kernel.eraseBody();
  }
};

} // namespace
} // namespace mlir::xla
