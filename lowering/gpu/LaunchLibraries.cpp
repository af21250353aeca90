// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-launch-libraries`: kernels that call a library.

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/Launch.h"
#include "mlir_xla/lowering/gpu/TransformEnds.h"

namespace mlir::xla {
#define GEN_PASS_DEF_LAUNCHLIBRARIES
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// What the schedule assumes that copies to the host and back take, in nanoseconds.
constexpr int64_t kHostCallCost = 50000;
/// Steps with the same function have kernels of their own, in which parameters are constants; more than this share one.
/// Those of a general function have one at once.
constexpr size_t kMostCopies = 4, kMostCopiesOfGeneral = 1;

struct LaunchLibrariesPass : impl::LaunchLibrariesBase<LaunchLibrariesPass> {
  void runOnOperation() override {
    kernels.clear();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!kernelOf(kernel) || kernel.isExternal())
        continue;
      auto call = dyn_cast_if_present<rt::LibraryCallOp>(wholeKernelIn(kernel).getOperation());
      if (!call)
        continue;
      ends = {};
      if (TransformEnds::of(call).any()) {
        auto emitted = emitTransformEnds(kernel, call, getDeviceModule(getOperation()));
        if (failed(emitted))
          return signalPassFailure();
        ends = *emitted;
      }
      if (std::optional<LibraryFacts> facts = gpuLibraryFacts(call))
        callOnDevice(kernel, call, *facts);
      else
        callOnHost(kernel, call);
    }
  }

private:
  /// An array on the stack of 64-bit words. It is at the beginning of the function, where LLVM finds that it can do
  /// without.
  static Value arrayOf(ImplicitLocOpBuilder &b, ArrayRef<Value> values) {
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
    Value array;
    {
      OpBuilder::InsertionGuard guard(b);
      auto function = b.getBlock()->getParentOp();
      if (!isa<FunctionOpInterface>(function))
        function = function->getParentOfType<FunctionOpInterface>();
      b.setInsertionPointToStart(&function->getRegion(0).front());
      Value size = arith::ConstantIntOp::create(b, std::max<int64_t>(1, values.size()), 64);
      array = LLVM::AllocaOp::create(b, pointerType, b.getI64Type(), size, /*alignment=*/8);
    }
    for (auto [i, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(
          b, value, LLVM::GEPOp::create(b, pointerType, b.getI64Type(), array, LLVM::GEPArg(static_cast<int32_t>(i))));
    return array;
  }

  /// The host's function for `kernel`, with an empty entry block.
  static func::FuncOp createHost(func::FuncOp kernel, bool hasScratch) {
    OpBuilder b(kernel);
    SmallVector<Type> inputs(kernel.getNumArguments() + kernel.getNumResults() + hasScratch,
                             LLVM::LLVMPointerType::get(b.getContext()));
    inputs.append(2, b.getIndexType());
    auto host =
        func::FuncOp::create(b, kernel.getLoc(), (kernel.getName() + ".impl").str(), b.getFunctionType(inputs, {}));
    host.setPrivate();
    host->setAttr(XlaRtDialect::kLaunches, b.getUnitAttr());
    host.addEntryBlock();
    return host;
  }

  /// Of the arguments of an implementation of `kernel`, those that are the operands of `op`, in their order; of a
  /// transform with something around it, what `TransformEnds::Buffer` says.
  SmallVector<Value> buffersOf(ImplicitLocOpBuilder &b, func::FuncOp kernel, rt::LibraryCallOp op,
                               ValueRange arguments) {
    SmallVector<Value> buffers;
    if (ends.first || ends.second) {
      auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
      Value none = LLVM::ZeroOp::create(b, pointerType);
      auto address = [&](LLVM::LLVMFuncOp function) -> Value {
        return function ? LLVM::AddressOfOp::create(b, function).getResult() : none;
      };
      auto operand = dyn_cast<BlockArgument>(op.getInputs()[0]);
      Value result = arguments[kernel.getNumArguments()];
      SmallVector<Value> ofFunctions(arguments.take_front(kernel.getNumArguments() + 1));
      return {operand ? arguments[operand.getArgNumber()] : none, result, address(ends.first), address(ends.second),
              arrayOf(b, ofFunctions)};
    }
    for (Value input : op.getInputs())
      buffers.push_back(arguments[cast<BlockArgument>(input).getArgNumber()]);
    llvm::append_range(buffers, arguments.slice(kernel.getNumArguments(), op.getOuts().size()));
    return buffers;
  }

  void finish(func::FuncOp kernel, rt::LibraryCallOp op, func::FuncOp host, int64_t cost, int64_t scratch) {
    SmallVector<ResultMemory> results;
    for (Value out : op.getOuts()) {
      ResultMemory &memory = results.emplace_back();
      if (auto argument = dyn_cast<BlockArgument>(out))
        memory = {ResultMemory::Updates, argument.getArgNumber()};
    }
    kernel->setAttr(XlaRtDialect::kImplementation,
                    ImplementationAttr::get(&getContext(), FlatSymbolRefAttr::get(host), /*work=*/1, cost, scratch,
                                            /*ordered=*/false, results, /*team=*/1));
    kernel.eraseBody();
  }

  /// Steps with the same function, which are launches of one kernel.
  struct StepKernel {
    gpu::GPUFuncOp kernel;
    SmallVector<unsigned> varying; // parameters that are the kernel's arguments, behind the number of items
  };

  /// Of each function of `facts` that many steps have, the parameters in which they differ.
  static llvm::StringMap<StepKernel> findShared(const LibraryFacts &facts) {
    llvm::StringMap<SmallVector<const LibraryStep *>> groups;
    for (const LibraryStep &step : facts.steps)
      if (!step.callsOthers)
        groups[step.function].push_back(&step);
    llvm::StringMap<StepKernel> shared;
    for (auto &[function, steps] : groups) {
      const LibraryStep &first = *steps.front();
      auto isAlike = [&](const LibraryStep *step) { return step->parameters.size() == first.parameters.size(); };
      if (steps.size() <= (first.isGeneral ? kMostCopiesOfGeneral : kMostCopies) || !llvm::all_of(steps, isAlike))
        continue;
      SmallVector<unsigned> &varying = shared[function].varying;
      for (unsigned i = 0; i < first.parameters.size(); ++i)
        if (llvm::any_of(steps, [&](const LibraryStep *step) { return step->parameters[i] != first.parameters[i]; }))
          varying.push_back(i);
    }
    return shared;
  }

  static void describe(gpu::LaunchFuncOp launch, const StepCost &cost) {
    Builder b(launch.getContext());
    SmallVector<NamedAttribute> facts;
    for (auto [name, value] : {std::pair{"read", cost.read},
                               {"written", cost.written},
                               {"asked", cost.asked},
                               {"products", cost.products},
                               {"phases", cost.phases},
                               {"waits", cost.waits}})
      facts.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
    launch->setAttr(kStep, b.getDictionaryAttr(facts));
  }

  /// A launch for each step.
  void callOnDevice(func::FuncOp kernel, rt::LibraryCallOp op, const LibraryFacts &facts) {
    func::FuncOp host = createHost(kernel, facts.scratch != 0);
    ImplicitLocOpBuilder atHost(op.getLoc(), &getContext());
    atHost.setInsertionPointToEnd(&host.getBody().front());
    llvm::StringMap<StepKernel> shared = findShared(facts);
    for (const auto &[number, step] : llvm::enumerate(facts.steps)) {
      if (step.work <= 0)
        continue;
      std::string name = (kernel.getName() + (facts.steps.size() > 1 ? "_step" + Twine(number) : Twine())).str();
      SmallVector<Value> operands(host.getArguments().drop_back(2));
      auto found = step.callsOthers ? shared.end() : shared.find(step.function);
      if (found == shared.end()) {
        gpu::GPUFuncOp launched = once(step.function, emitStep(kernel, op, name, TypeRange(ValueRange(operands)), step,
                                                               facts.scratch != 0, nullptr));
        describe(emitLaunch(atHost, launched, step.work * step.team, operands, step.team), step.cost);
        continue;
      }
      StepKernel &common = found->second;
      auto constant = [&](int64_t value) { return arith::ConstantIntOp::create(atHost, value, 64).getResult(); };
      operands.push_back(constant(step.work));
      for (unsigned i : common.varying)
        operands.push_back(constant(step.parameters[i]));
      if (!common.kernel)
        common.kernel = once(step.function, emitStep(kernel, op, name, TypeRange(ValueRange(operands)), step,
                                                     facts.scratch != 0, &common));
      describe(emitLaunch(atHost, common.kernel, step.work * step.team, operands, step.team), step.cost);
    }
    func::ReturnOp::create(atHost);
    finish(kernel, op, host, kLaunchCost * static_cast<int64_t>(facts.steps.size()), facts.scratch);
  }

  /// A kernel of that function, or one like it from before: optimising and assembling it is most of what such a
  /// program's compilation takes. Its location is both then.
  gpu::GPUFuncOp once(StringRef function, gpu::GPUFuncOp kernel) {
    auto nameless = [](gpu::GPUFuncOp kernel) {
      NamedAttrList attributes(kernel->getAttrs());
      attributes.erase(SymbolTable::getSymbolAttrName());
      return attributes.getDictionary(kernel.getContext());
    };
    SmallVector<gpu::GPUFuncOp> &known = kernels[function];
    for (gpu::GPUFuncOp before : known) {
      if (nameless(before) != nameless(kernel) ||
          !OperationEquivalence::isRegionEquivalentTo(&before.getBody(), &kernel.getBody(),
                                                      OperationEquivalence::IgnoreLocations))
        continue;
      before->setLoc(FusedLoc::get(&getContext(), {before.getLoc(), kernel.getLoc()}));
      kernel.erase();
      return before;
    }
    return known.emplace_back(kernel);
  }

  llvm::StringMap<SmallVector<gpu::GPUFuncOp>> kernels; // of steps, by the function that they call
  std::pair<LLVM::LLVMFuncOp, LLVM::LLVMFuncOp> ends;   // functions that the steps of the call at hand call

  /// The kernel of a step, or of all that share one.
  gpu::GPUFuncOp emitStep(func::FuncOp kernel, rt::LibraryCallOp op, StringRef name, TypeRange operands,
                          const LibraryStep &step, bool hasScratch, const StepKernel *shared) {
    gpu::GPUModuleOp onDevice = getDeviceModule(getOperation());
    auto pointerType = LLVM::LLVMPointerType::get(&getContext());
    Type i64 = IntegerType::get(&getContext(), 64);
    auto function = onDevice.lookupSymbol<func::FuncOp>(step.function);
    if (!function) {
      OpBuilder atStart = OpBuilder::atBlockBegin(onDevice.getBody());
      function = func::FuncOp::create(atStart, op.getLoc(), step.function,
                                      atStart.getFunctionType({pointerType, pointerType, i64, i64, pointerType}, {}));
      function.setPrivate();
    }
    // Who shares the kernel has more items, or fewer: the function is given none by threads that are too many.
    int64_t threads = shared ? std::numeric_limits<int64_t>::max() : step.work * step.team;
    gpu::GPUFuncOp kernelOnDevice = emitKernel(
        onDevice, op.getLoc(), name, llvm::to_vector(operands), threads,
        [&](ImplicitLocOpBuilder &b, Value thread, ArrayRef<Value> arguments) {
          SmallVector<Value> parameters;
          for (int64_t parameter : step.parameters)
            parameters.push_back(arith::ConstantIntOp::create(b, parameter, 64));
          Value item = arith::IndexCastOp::create(b, i64, thread);
          if (step.team > 1)
            item = arith::DivUIOp::create(b, item, arith::ConstantIntOp::create(b, step.team, 64));
          Value end = arith::AddIOp::create(b, item, arith::ConstantIntOp::create(b, 1, 64));
          if (shared) { // LLVM has to see that there is one item
            ArrayRef<Value> own = arguments.take_back(1 + shared->varying.size());
            arguments = arguments.drop_back(own.size());
            Value isItem = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, item, own[0]);
            auto branch = scf::IfOp::create(b, isItem, /*withElseRegion=*/false);
            b.setInsertionPointToStart(branch.thenBlock());
            for (auto [i, value] : llvm::zip_equal(shared->varying, own.drop_front()))
              parameters[i] = value;
          }
          Value scratch = hasScratch ? arguments.back() : LLVM::ZeroOp::create(b, pointerType).getResult();
          func::CallOp::create(
              b, function,
              ValueRange{arrayOf(b, parameters), arrayOf(b, buffersOf(b, kernel, op, arguments)), item, end, scratch});
        });
    if (step.team > 1)
      kernelOnDevice.setKnownBlockSizeAttr(
          Builder(&getContext()).getDenseI32ArrayAttr({static_cast<int32_t>(step.team), 1, 1}));
    if (step.team > 1 && step.work == 1 && !shared)
      markAsOneBlock(kernelOnDevice);
    return kernelOnDevice;
  }

  /// Host code that fills an xla_rt_cuda_library_call.
  void callOnHost(func::FuncOp kernel, rt::LibraryCallOp op) {
    func::FuncOp host = createHost(kernel, /*hasScratch=*/false);
    Block *entry = &host.getBody().front();
    ImplicitLocOpBuilder b(op.getLoc(), &getContext());
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
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
    SmallVector<Value> parameters, bytes;
    for (int64_t parameter : op.getParameters())
      parameters.push_back(constant(parameter));
    SmallVector<Value> buffers = buffersOf(b, kernel, op, entry->getArguments());
    int64_t updated = 0, count = op.getInputs().size();
    for (auto [i, out] : llvm::enumerate(op.getOuts()))
      if (isa<BlockArgument>(out))
        updated |= int64_t(1) << i;
    for (Value operand : op->getOperands())
      bytes.push_back(constant(bufferBytes(cast<ShapedType>(operand.getType()))));
    Value function = LLVM::AddressOfOp::create(b, target);
    Value call =
        arrayOf(b, {function, arrayOf(b, parameters), arrayOf(b, buffers), arrayOf(b, bytes), constant(count),
                    constant(buffers.size()), constant(updated), constant(op.getWork()), constant(op.getScratch())});
    func::CallOp::create(b, runtime, call);
    func::ReturnOp::create(b);
    finish(kernel, op, host, kHostCallCost, /*scratch=*/0);
  }
};

} // namespace
} // namespace mlir::xla
