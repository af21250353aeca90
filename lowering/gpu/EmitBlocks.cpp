// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-emit-blocks`: gives kernels with plans of blocks their code on the device, and host code that launches it.

#include "mlir_xla/lowering/gpu/BlockEmitter.h"
#include "mlir_xla/lowering/gpu/Launch.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/Unsupported.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace mlir::xla {
#define GEN_PASS_DEF_EMITBLOCKS
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

struct EmitBlocksPass : impl::EmitBlocksBase<EmitBlocksPass> {
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      auto plans = kernel->getAttrOfType<ArrayAttr>(XlaRtDialect::kPlans);
      if (plans && llvm::any_of(plans, llvm::IsaPred<BlocksAttr>) && failed(emit(kernel, plans)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult emit(func::FuncOp kernel, ArrayAttr plans) {
    FailureOr<KernelNests> nests = nestsOf(kernel);
    if (failed(nests))
      return failure();
    auto error = [&] { return unsupported(kernel.emitError("kernel @") << kernel.getName()); };
    if (plans.size() != 1 || nests->nests.size() != 1)
      return error() << " has " << counted(plans.size(), "plan") << " for " << counted(nests->nests.size(), "loop nest")
                     << ", and blocks are for one";
    LoopNest &nest = nests->nests.front();
    auto attr = cast<BlocksAttr>(plans[0]);
    auto report = [&] { return error() << " cannot follow plan 0, " << attr << ": "; };
    if (failed(checkBlocks(nest, attr, report)))
      return failure();
    BlockPlan plan = BlockPlan::fromAttr(attr, nest);

    OpBuilder outer(kernel);
    auto pointerType = LLVM::LLVMPointerType::get(&getContext());
    SmallVector<Type> inputs;
    for (Type type : kernel.getArgumentTypes())
      inputs.push_back(isa<RankedTensorType>(type) ? pointerType : type);
    inputs.append(kernel.getNumResults() + (plan.split > 1), pointerType);
    gpu::GPUFuncOp onDevice = emitOnDevice(kernel, inputs, *nests, nest, plan);
    Type index = outer.getIndexType();
    inputs.append({index, index});
    auto host = func::FuncOp::create(outer, kernel.getLoc(), (kernel.getName() + ".impl").str(),
                                     outer.getFunctionType(inputs, {}));
    host.setPrivate();
    host->setAttr(XlaRtDialect::kLaunches, outer.getUnitAttr());
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    b.setInsertionPointToEnd(host.addEntryBlock());
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
    Value one = constant(1);
    auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(onDevice)});
    gpu::LaunchFuncOp::create(b, name, {constant(plan.grid), one, one}, {constant(plan.threads), one, one},
                              /*dynamicSharedMemorySize=*/Value(), host.getArguments().drop_back(2));
    if (plan.split > 1) {
      int64_t items = plan.resultElements() / plan.lanes;
      emitLaunch(b, emitFold(kernel, ArrayRef(inputs).drop_back(2), *nests, nest, plan, items), items,
                 host.getArguments().drop_back(2));
    }
    func::ReturnOp::create(b);

    SmallVector<ResultMemory> results(kernel.getNumResults());
    kernel->removeAttr(XlaRtDialect::kPlans);
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(host), /*work=*/1, kLaunchCost,
                                            plan.scratchBytes, /*ordered=*/false, results, /*team=*/1));
    nests->exprs.reset();
    kernel.eraseBody();
    return success();
  }

  /// What a kernel on the device is given, which are the arguments of an implementation.
  struct Operands {
    SmallVector<Value> slots;
    SmallVector<std::pair<Value, Value>> scalars;
    Value scratch;
  };

  static Operands operandsOf(ImplicitLocOpBuilder &b, func::FuncOp kernel, ValueRange arguments) {
    Operands operands;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(arguments.front().getParentBlock());
    for (auto [argument, value] : llvm::zip(kernel.getArguments(), arguments)) {
      if (isa<RankedTensorType>(argument.getType()))
        operands.slots.push_back(value);
      else if (argument.getType().isIndex())
        operands.scalars.emplace_back(argument, arith::IndexCastOp::create(b, b.getI64Type(), value));
      else
        operands.scalars.emplace_back(argument, value);
    }
    ValueRange rest = arguments.drop_front(kernel.getNumArguments());
    llvm::append_range(operands.slots, rest.take_front(kernel.getNumResults()));
    if (rest.size() > kernel.getNumResults())
      operands.scratch = rest.back();
    return operands;
  }

  /// The launch after that of a split k.
  gpu::GPUFuncOp emitFold(func::FuncOp kernel, ArrayRef<Type> inputs, KernelNests &nests, LoopNest &nest,
                          const BlockPlan &plan, int64_t items) {
    return emitKernel(getDeviceModule(getOperation()), kernel.getLoc(), (kernel.getName() + "_fold").str(), inputs,
                      items, [&](ImplicitLocOpBuilder &b, Value thread, MutableArrayRef<Value> arguments) {
                        Operands operands = operandsOf(b, kernel, ValueRange(ArrayRef<Value>(arguments)));
                        Value item = arith::IndexCastOp::create(b, b.getI64Type(), thread);
                        BlockEmitter(b, b.getInsertionBlock(), *nests.exprs, operands.slots, operands.scalars, Value())
                            .emitFold(nest, plan, operands.scratch, item);
                      });
  }

  gpu::GPUFuncOp emitOnDevice(func::FuncOp kernel, ArrayRef<Type> inputs, KernelNests &nests, LoopNest &nest,
                              const BlockPlan &plan) {
    gpu::GPUModuleOp module = getDeviceModule(getOperation());
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    b.setInsertionPointToEnd(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), plan.sharedBytes);
    constexpr unsigned sharedSpace = 3, alignment = 128;
    auto shared = LLVM::GlobalOp::create(b, bytes, /*isConstant=*/false, LLVM::Linkage::Internal,
                                         (kernel.getName() + "_shared").str(), Attribute(), alignment, sharedSpace);
    auto function = gpu::GPUFuncOp::create(b, kernel.getName(), b.getFunctionType(inputs, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(plan.threads), 1, 1}));
    Block *entry = &function.getBody().front();
    b.setInsertionPointToEnd(entry);
    Value memory = LLVM::AddressOfOp::create(b, shared);
    gpu::ReturnOp::create(b);
    Operands operands = operandsOf(b, kernel, entry->getArguments());
    BlockEmitter(b, entry, *nests.exprs, operands.slots, operands.scalars, memory)
        .emitBlocks(nest, plan, operands.scratch);
    return function;
  }
};

} // namespace
} // namespace mlir::xla
