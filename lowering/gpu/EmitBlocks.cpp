// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-emit-blocks`: gives kernels with plans of blocks their code on the device, and host code that launches it.

#include "mlir_xla/lowering/gpu/AttentionEmitter.h"
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

  LogicalResult emit(func::FuncOp kernel, ArrayAttr plans) {
    FailureOr<KernelNests> nests = nestsOf(kernel);
    if (failed(nests))
      return failure();
    auto error = [&] { return unsupported(kernel.emitError("kernel @") << kernel.getName()); };
    if (nests->block)
      return emitAttention(kernel, *nests, plans);
    if (plans.size() != 1 || nests->nests.size() != 1)
      return error() << " has " << counted(plans.size(), "plan") << " for " << counted(nests->nests.size(), "loop nest")
                     << ", and blocks are for one";
    LoopNest &nest = nests->nests.front();
    auto attr = cast<BlocksAttr>(plans[0]);
    auto report = [&] { return error() << " cannot follow plan 0, " << attr << ": "; };
    if (failed(checkBlocks(nest, attr, report)))
      return failure();
    BlockPlan plan = BlockPlan::fromAttr(attr, nest);

    SmallVector<Type> inputs = inputsOf(kernel, plan.split > 1);
    gpu::GPUFuncOp onDevice =
        emitOnDevice(kernel, inputs, plan.threads, plan.sharedBytes,
                     [&](ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory) {
                       BlockEmitter(b, entry, *nests->exprs, operands.slots, operands.scalars, memory)
                           .emitBlocks(nest, plan, operands.scratch);
                     });
    replace(kernel, *nests, inputs, plan.scratchBytes, [&](ImplicitLocOpBuilder &b, ValueRange arguments) {
      launch(b, onDevice, plan.grid, plan.threads, arguments);
      if (plan.split > 1) {
        int64_t items = plan.resultElements() / plan.lanes;
        emitLaunch(b, emitFold(kernel, inputs, *nests, nest, plan, items), items, arguments);
      }
    });
    return success();
  }

  LogicalResult emitAttention(func::FuncOp kernel, KernelNests &nests, ArrayAttr attr) {
    auto report = [&] {
      return unsupported(kernel.emitError("kernel @") << kernel.getName() << " cannot follow plans " << attr << ": ");
    };
    if (failed(checkAttention(nests, attr, report)))
      return failure();
    Attention attention = *Attention::match(nests, report);
    AttentionPlan plan = AttentionPlan::fromAttr(attr, attention);
    SmallVector<Type> inputs = inputsOf(kernel, /*hasScratch=*/false);
    gpu::GPUFuncOp onDevice =
        emitOnDevice(kernel, inputs, plan.threads, plan.sharedBytes,
                     [&](ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory) {
                       AttentionEmitter(b, entry, *nests.exprs, operands.slots, operands.scalars, memory)
                           .emitAttention(attention, plan);
                     });
    replace(kernel, nests, inputs, /*scratchBytes=*/0, [&](ImplicitLocOpBuilder &b, ValueRange arguments) {
      launch(b, onDevice, plan.grid, plan.threads, arguments);
    });
    return success();
  }

  SmallVector<Type> inputsOf(func::FuncOp kernel, bool hasScratch) {
    auto pointerType = LLVM::LLVMPointerType::get(&getContext());
    SmallVector<Type> inputs;
    for (Type type : kernel.getArgumentTypes())
      inputs.push_back(isa<RankedTensorType>(type) ? pointerType : type);
    inputs.append(kernel.getNumResults() + hasScratch, pointerType);
    return inputs;
  }

  static void launch(ImplicitLocOpBuilder &b, gpu::GPUFuncOp onDevice, int64_t grid, int64_t threads,
                     ValueRange arguments) {
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
    Value one = constant(1);
    auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(onDevice)});
    gpu::LaunchFuncOp::create(b, name, {constant(grid), one, one}, {constant(threads), one, one},
                              /*dynamicSharedMemorySize=*/Value(), arguments);
  }

  /// Host code that launches what `emitLaunches` says takes the place of the kernel's body.
  void replace(func::FuncOp kernel, KernelNests &nests, SmallVector<Type> inputs, int64_t scratchBytes,
               function_ref<void(ImplicitLocOpBuilder &b, ValueRange arguments)> emitLaunches) {
    OpBuilder outer(kernel);
    Type index = outer.getIndexType();
    inputs.append({index, index});
    auto host = func::FuncOp::create(outer, kernel.getLoc(), (kernel.getName() + ".impl").str(),
                                     outer.getFunctionType(inputs, {}));
    host.setPrivate();
    host->setAttr(XlaRtDialect::kLaunches, outer.getUnitAttr());
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    b.setInsertionPointToEnd(host.addEntryBlock());
    emitLaunches(b, host.getArguments().drop_back(2));
    func::ReturnOp::create(b);

    SmallVector<ResultMemory> results(kernel.getNumResults());
    kernel->removeAttr(XlaRtDialect::kPlans);
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(host), /*work=*/1, kLaunchCost,
                                            scratchBytes, /*ordered=*/false, results, /*team=*/1));
    nests.exprs.reset();
    kernel.eraseBody();
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

  gpu::GPUFuncOp
  emitOnDevice(func::FuncOp kernel, ArrayRef<Type> inputs, int64_t threads, int64_t sharedBytes,
               function_ref<void(ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory)> emit) {
    gpu::GPUModuleOp module = getDeviceModule(getOperation());
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    b.setInsertionPointToEnd(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), sharedBytes);
    constexpr unsigned sharedSpace = 3, alignment = 128;
    auto shared = LLVM::GlobalOp::create(b, bytes, /*isConstant=*/false, LLVM::Linkage::Internal,
                                         (kernel.getName() + "_shared").str(), Attribute(), alignment, sharedSpace);
    auto function = gpu::GPUFuncOp::create(b, kernel.getName(), b.getFunctionType(inputs, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
    Block *entry = &function.getBody().front();
    b.setInsertionPointToEnd(entry);
    Value memory = LLVM::AddressOfOp::create(b, shared);
    gpu::ReturnOp::create(b);
    emit(b, entry, operandsOf(b, kernel, entry->getArguments()), memory);
    return function;
  }
};

} // namespace
} // namespace mlir::xla
