// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-emit-blocks`: gives kernels with plans of blocks their code on the device, and host code that launches it.

#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/AttentionEmitter.h"
#include "mlir_xla/lowering/gpu/LastBlock.h"
#include "mlir_xla/lowering/gpu/Launch.h"
#include "mlir_xla/lowering/gpu/StreamEmitter.h"

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
      if (plans &&
          (kernel->hasAttr(XlaRtDialect::kPlans90a) || llvm::any_of(plans, llvm::IsaPred<BlocksAttr, StreamAttr>)) &&
          failed(emit(kernel, plans)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult emit(func::FuncOp kernel, ArrayAttr plans) {
    FailureOr<KernelNests> nests = nestsOf(kernel, /*onDevice=*/true);
    if (failed(nests))
      return failure();
    if (StreamPlan::isIn(plans))
      return emitStream(kernel, *nests, plans);
    if (nests->block)
      return emitAttention(kernel, *nests, plans);
    // What is for devices of sm_90a alone comes first.
    SmallVector<BlocksPlan, 2> chosen;
    auto special = kernel->getAttrOfType<ArrayAttr>(XlaRtDialect::kPlans90a);
    for (ArrayAttr each : {special, plans})
      if (each && failed(check(kernel, each, *nests, chosen)))
        return failure();
    LoopNest &nest = nests->nests.front();
    bool areTwo = chosen.size() > 1;
    int64_t scratch = 0;
    for (const BlocksPlan &plan : chosen)
      scratch = std::max(scratch, plan.scratchBytes);

    SmallVector<Type> inputs = inputsOf(kernel, scratch > 0);
    replace(kernel, *nests, inputs, scratch, [&](ImplicitLocOpBuilder &b, ValueRange arguments) {
      auto launch = [&](const BlocksPlan &plan, StringRef name, StringRef devices) {
        emitLaunches(b, kernel, *nests, nest, plan, {name, devices, inputs, arguments});
      };
      if (!areTwo)
        return launch(chosen[0], kernel.getName(), chosen[0].isWarpgroups() ? StringRef(XlaRtDialect::kOnly90a) : "");
      Type i32 = b.getI32Type();
      Value capability =
          func::CallOp::create(b, runtimeFunction("xla_rt_cuda_capability", {}, {i32}), ValueRange()).getResult(0);
      Value is90 =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, capability, arith::ConstantIntOp::create(b, 90, 32));
      auto branch = scf::IfOp::create(b, is90, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      launch(chosen[0], (kernel.getName() + "_sm_90a").str(), XlaRtDialect::kOnly90a);
      b.setInsertionPointToStart(branch.elseBlock());
      launch(chosen[1], kernel.getName(), XlaRtDialect::kNot90a);
    });
    return success();
  }

  static LogicalResult check(func::FuncOp kernel, ArrayAttr plans, KernelNests &nests,
                             SmallVectorImpl<BlocksPlan> &chosen) {
    auto error = [&] { return unsupported(kernel.emitError("kernel @") << kernel.getName()); };
    if (plans.size() != 1 || nests.nests.size() != 1)
      return error() << " has " << counted(plans.size(), "plan") << " for " << counted(nests.nests.size(), "loop nest")
                     << ", and blocks are for one";
    auto attr = dyn_cast<BlocksAttr>(plans[0]);
    auto report = [&] { return error() << " cannot follow plan 0, " << plans[0] << ": "; };
    if (!attr)
      return report() << "with a plan for sm_90a, both are of blocks";
    if (failed(checkBlocks(nests.nests.front(), attr, report)))
      return failure();
    chosen.push_back(BlocksPlan::fromAttr(attr, nests.nests.front()));
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
        emitOnDevice(kernel, {kernel.getName(), "", inputs, {}}, plan.threads, plan.sharedBytes,
                     [&](ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory, ValueRange) {
                       AttentionEmitter(b, entry, *nests.exprs, operands.slots, operands.scalars, memory)
                           .emitAttention(attention, plan);
                     });
    replace(kernel, nests, inputs, /*scratchBytes=*/0, [&](ImplicitLocOpBuilder &b, ValueRange arguments) {
      launch(b, onDevice, plan.grid, plan.threads, Value(), arguments);
    });
    return success();
  }

  LogicalResult emitStream(func::FuncOp kernel, KernelNests &nests, ArrayAttr attr) {
    auto report = [&] {
      return unsupported(kernel.emitError("kernel @") << kernel.getName() << " cannot follow plans " << attr << ": ");
    };
    if (failed(checkStream(nests, attr, report)))
      return failure();
    Attention attention = *Attention::match(nests, report);
    StreamPlan plan = StreamPlan::fromAttr(attr, attention);
    SmallVector<Type> inputs = inputsOf(kernel, plan.scratchBytes > 0);
    DeviceKernel to{kernel.getName(), "", inputs, {}};
    gpu::GPUFuncOp onDevice =
        emitOnDevice(kernel, to, plan.threads, plan.sharedBytes,
                     [&](ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory, ValueRange) {
                       StreamEmitter(b, entry, *nests.exprs, operands.slots, operands.scalars, memory)
                           .emitStream(attention, plan, operands.scratch);
                     });
    StreamPlan ofFold = plan;
    ofFold.lanes = lanesOfFold(plan.results(), plan.lanes);
    int64_t items = plan.results() / ofFold.lanes;
    gpu::GPUFuncOp fold;
    if (plan.split > 1)
      fold = emitItems(kernel, to, items, [&](ImplicitLocOpBuilder &b, const Operands &operands, Value item) {
        StreamEmitter(b, b.getInsertionBlock(), *nests.exprs, operands.slots, operands.scalars, Value())
            .emitCombination(attention, ofFold, operands.scratch, item);
      });
    replace(kernel, nests, inputs, plan.scratchBytes, [&](ImplicitLocOpBuilder &b, ValueRange arguments) {
      launch(b, onDevice, plan.grid, plan.threads, Value(), arguments);
      if (fold)
        emitLaunch(b, fold, items, arguments);
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

  static void launch(ImplicitLocOpBuilder &b, gpu::GPUFuncOp onDevice, int64_t grid, int64_t threads, Value shared,
                     ValueRange arguments) {
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
    Value one = constant(1);
    auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(onDevice)});
    gpu::LaunchFuncOp::create(b, name, {constant(grid), one, one}, {constant(threads), one, one}, shared, arguments);
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
    kernel->removeAttr(XlaRtDialect::kPlans90a);
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(host), /*work=*/1, kLaunchCost,
                                            scratchBytes, /*ordered=*/false, results, /*team=*/1));
    nests.exprs.reset();
    kernel.eraseBody();
  }

  func::FuncOp runtimeFunction(StringRef name, TypeRange inputs, TypeRange results) {
    if (auto function = getOperation().lookupSymbol<func::FuncOp>(name))
      return function;
    OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
    auto function = func::FuncOp::create(atEnd, getOperation().getLoc(), name, atEnd.getFunctionType(inputs, results));
    function.setPrivate();
    return function;
  }

  static constexpr unsigned kMaps = 2; // of rows and of columns
  /// On a kernel of blocks: the last one of each tile adds up parts of k.
  static constexpr StringLiteral kAddsInLast = "xla_rt.adds_in_last";

  /// A kernel of the device: its name, the devices that it is for, and what it is given.
  struct DeviceKernel {
    StringRef name, devices;
    ArrayRef<Type> inputs;
    ValueRange arguments; // on the host
  };

  void emitLaunches(ImplicitLocOpBuilder &b, func::FuncOp kernel, KernelNests &nests, LoopNest &nest,
                    const BlocksPlan &plan, const DeviceKernel &to) {
    // Dynamic, so that it may be more than all devices have.
    bool isDynamic = plan.isWarpgroups();
    LLVM::GlobalOp counters, flag;
    if (plan.addsInLast) {
      counters = addCounters(getDeviceModule(getOperation()), kernel.getLoc(), to.name, plan.tiles());
      if (!isDynamic)
        flag = addFlag(getDeviceModule(getOperation()), kernel.getLoc(), to.name);
    }
    gpu::GPUFuncOp onDevice = emitOnDevice(
        kernel, to, plan.launchedThreads(), isDynamic ? 0 : plan.sharedBytes,
        [&](ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory, ValueRange maps) {
          BlockEmitter::Arrivals arrivals{counters, Value()};
          b.setInsertionPointAfter(memory.getDefiningOp());
          if (flag)
            arrivals.flag = LLVM::AddressOfOp::create(b, flag);
          else if (counters) // between rows of sums, which are longer than they need be
            arrivals.flag = LLVM::GEPOp::create(b, memory.getType(), plan.sumType, memory,
                                                LLVM::GEPArg(static_cast<int32_t>(plan.n.tile)));
          BlockEmitter(b, entry, *nests.exprs, operands.slots, operands.scalars, memory, maps)
              .emitBlocks(nest, plan, operands.scratch, arrivals);
        });
    if (counters)
      onDevice->setAttr(kAddsInLast, b.getUnitAttr());
    SmallVector<Value> arguments(to.arguments);
    Value shared;
    if (plan.isWarpgroups()) {
      describeWarpgroups(onDevice, plan);
      arguments.push_back(emitMap(b, kernel, plan.a, to));
      arguments.push_back(emitMap(b, kernel, plan.b, to));
      shared = arith::ConstantIntOp::create(b, plan.sharedBytes, 32);
    }
    launch(b, onDevice, plan.grid, plan.launchedThreads(), shared, arguments);
    if (plan.split == 1 || plan.addsInLast)
      return;
    BlocksPlan ofFold = plan;
    ofFold.lanes = lanesOfFold(plan.resultElements(), plan.lanes);
    int64_t items = plan.resultElements() / ofFold.lanes;
    gpu::GPUFuncOp fold =
        emitItems(kernel, to, items, [&](ImplicitLocOpBuilder &b, const Operands &operands, Value item) {
          BlockEmitter(b, b.getInsertionBlock(), *nests.exprs, operands.slots, operands.scalars, Value())
              .emitFold(nest, ofFold, operands.scratch, item);
        });
    emitLaunch(b, fold, items, to.arguments);
  }

  /// The runtime describes a factor to the accelerator: its addresses are known when the program runs.
  Value emitMap(ImplicitLocOpBuilder &b, func::FuncOp kernel, const BlockPanel &panel, const DeviceKernel &to) {
    constexpr int64_t bytes = 128, alignment = 64;
    const TensorBox &box = panel.box;
    SmallVector<int64_t> numbers{panel.elementBytes, static_cast<int64_t>(box.dims.size()),
                                 box.offset * panel.elementBytes, box.pixels};
    for (const TensorDim &each : box.dims)
      numbers.push_back(each.size);
    for (const TensorDim &each : ArrayRef(box.dims).drop_front())
      numbers.push_back(each.stride * panel.elementBytes);
    for (const TensorDim &each : box.dims)
      numbers.push_back(each.box);
    if (box.pixels)
      for (const TensorDim &each : ArrayRef(box.dims).drop_front().drop_back())
        numbers.append({each.step, each.lower, each.upper});
    auto pointerType = LLVM::LLVMPointerType::get(&getContext());
    OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
    std::string name = (to.name + "_map_" + (panel.isRows ? "a" : "b")).str();
    auto data = DenseElementsAttr::get(RankedTensorType::get({static_cast<int64_t>(numbers.size())}, b.getI64Type()),
                                       ArrayRef<int64_t>(numbers));
    auto global =
        LLVM::GlobalOp::create(atEnd, kernel.getLoc(), LLVM::LLVMArrayType::get(b.getI64Type(), numbers.size()),
                               /*isConstant=*/true, LLVM::Linkage::Private, name, data);
    Value description = LLVM::AddressOfOp::create(b, global);
    Value map;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(
          &b.getInsertionBlock()->getParent()->getParentOfType<func::FuncOp>().getBody().front());
      Value size = arith::ConstantIntOp::create(b, bytes, 64);
      map = LLVM::AllocaOp::create(b, pointerType, b.getI8Type(), size, alignment);
    }
    // Slots are those of tensors.
    unsigned slot = panel.read->buffer.slot;
    Value memory;
    for (auto [type, argument] : llvm::zip(kernel.getArgumentTypes(), to.arguments))
      if (isa<RankedTensorType>(type) && slot-- == 0)
        memory = argument;
    auto encode = runtimeFunction("xla_rt_cuda_tensor_map", {pointerType, pointerType, pointerType}, {});
    func::CallOp::create(b, encode, ValueRange{map, memory, description});
    return map;
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

  static void markDevices(gpu::GPUFuncOp function, StringRef devices) {
    if (!devices.empty())
      function->setAttr(XlaRtDialect::kDevices, StringAttr::get(function.getContext(), devices));
  }

  /// Neighbouring results of a thread that combines parts. Few threads ask for little of memory at a time.
  static int64_t lanesOfFold(int64_t results, int64_t lanes) {
    return results / lanes < GpuMachine::enoughThreads ? 1 : lanes;
  }

  /// A second launch, for what blocks have left in scratch memory, with a thread for each item.
  gpu::GPUFuncOp emitItems(func::FuncOp kernel, const DeviceKernel &to, int64_t items,
                           function_ref<void(ImplicitLocOpBuilder &b, const Operands &operands, Value item)> emit) {
    auto function = emitKernel(getDeviceModule(getOperation()), kernel.getLoc(), (to.name + "_fold").str(), to.inputs,
                               items, [&](ImplicitLocOpBuilder &b, Value thread, MutableArrayRef<Value> arguments) {
                                 Operands operands = operandsOf(b, kernel, ValueRange(ArrayRef<Value>(arguments)));
                                 emit(b, operands, arith::IndexCastOp::create(b, b.getI64Type(), thread));
                               });
    markDevices(function, to.devices);
    return function;
  }

  /// With dynamic shared memory (no bytes), it is given tensor maps, too.
  gpu::GPUFuncOp emitOnDevice(
      func::FuncOp kernel, const DeviceKernel &to, int64_t threads, int64_t sharedBytes,
      function_ref<void(ImplicitLocOpBuilder &b, Block *entry, const Operands &operands, Value memory, ValueRange maps)>
          emit) {
    gpu::GPUModuleOp module = getDeviceModule(getOperation());
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    b.setInsertionPointToEnd(module.getBody());
    bool isDynamic = sharedBytes == 0;
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), sharedBytes);
    constexpr unsigned sharedSpace = 3, alignment = 128, alignmentOfSwizzles = 1024;
    auto shared = LLVM::GlobalOp::create(
        b, bytes, /*isConstant=*/false, isDynamic ? LLVM::Linkage::External : LLVM::Linkage::Internal,
        (to.name + "_shared").str(), Attribute(), isDynamic ? alignmentOfSwizzles : alignment, sharedSpace);
    SmallVector<Type> inputs(to.inputs);
    if (isDynamic)
      inputs.append(kMaps, LLVM::LLVMPointerType::get(&getContext()));
    auto function = gpu::GPUFuncOp::create(b, to.name, b.getFunctionType(inputs, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
    markDevices(function, to.devices);
    Block *entry = &function.getBody().front();
    b.setInsertionPointToEnd(entry);
    Value memory = LLVM::AddressOfOp::create(b, shared);
    gpu::ReturnOp::create(b);
    ValueRange arguments = entry->getArguments();
    emit(b, entry, operandsOf(b, kernel, arguments.take_front(to.inputs.size())), memory,
         arguments.drop_front(to.inputs.size()));
    return function;
  }

  /// What its assembler has to know: one block has a multiprocessor for itself, which tells how many registers its
  /// threads have at first.
  static void describeWarpgroups(gpu::GPUFuncOp function, const BlocksPlan &plan) {
    OpBuilder b(function.getContext());
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), b.getI32IntegerAttr(1));
    if (plan.cluster > 1)
      function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                        b.getDenseI32ArrayAttr({static_cast<int32_t>(plan.cluster), 1, 1}));
    auto map = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
    for (unsigned i = function.getNumArguments() - kMaps; i < function.getNumArguments(); ++i) {
      function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(map));
      function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
    }
  }
};

} // namespace
} // namespace mlir::xla
