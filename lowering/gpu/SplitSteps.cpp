// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-split-steps`: a library call of several launches becomes a kernel for each. What they leave in memory for each
// other is then values of the schedule, so `--xla-merge-launches` and `--xla-launch-loops` see steps as they see all
// else.

#include "mlir_xla/lowering/gpu/Launched.h"

namespace mlir::xla {
#define GEN_PASS_DEF_SPLITSTEPS
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// More launches than that are one after the other whatever is beside them, and each is a call of the schedule.
constexpr size_t kMostSteps = 8;

/// A kernel of the schedule that launches so many, and computes nothing on the host for it.
struct Steps {
  func::FuncOp declaration, host;
  ImplementationAttr contract;
  SmallVector<gpu::LaunchFuncOp> launches;

  static std::optional<Steps> find(func::FuncOp declaration, const SymbolTable &symbols, gpu::GPUModuleOp onDevice);

  unsigned arguments() { return declaration.getNumArguments(); }
  /// What the steps hand on: results, and the scratch memory.
  SmallVector<Type> handedOn() {
    SmallVector<Type> types(declaration.getResultTypes());
    if (int64_t bytes = contract.getScratch())
      types.push_back(RankedTensorType::get({bytes}, IntegerType::get(declaration.getContext(), 8)));
    return types;
  }
  /// The result which has the argument's memory.
  std::optional<unsigned> resultOf(unsigned argument) const {
    for (auto [i, memory] : llvm::enumerate(contract.getResults()))
      if (memory.kind == ResultMemory::Updates && memory.argument == argument)
        return i;
    return std::nullopt;
  }
  /// Arguments of the kernel that a step has: what the first one has overwritten is a result of that.
  SmallVector<unsigned> argumentsOf(bool isFirst) {
    return llvm::filter_to_vector(llvm::seq(arguments()),
                                  [&](unsigned argument) { return isFirst || !resultOf(argument); });
  }
};

} // namespace

std::optional<Steps> Steps::find(func::FuncOp declaration, const SymbolTable &symbols, gpu::GPUModuleOp onDevice) {
  // The parts of products would live for longer: a third more of a training step's arena for three launches of 15.
  if (KernelAttr kernel = kernelOf(declaration); !kernel || kernel.getKind() != KernelKind::Library)
    return std::nullopt;
  Steps found{declaration, {}, implementationOf(declaration), {}};
  found.host = found.contract ? symbols.lookup<func::FuncOp>(found.contract.getFunction().getAttr()) : func::FuncOp();
  if (!found.host || !found.host->hasAttr(XlaRtDialect::kLaunches) || found.host.isExternal() ||
      !found.host.getBody().hasOneBlock())
    return std::nullopt;
  unsigned given = found.host.getNumArguments() - 2; // but the begin and the end of the work
  for (Operation &op : found.host.getBody().front().without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    auto kernel = launch ? onDevice.lookupSymbol<gpu::GPUFuncOp>(launch.getKernelName()) : gpu::GPUFuncOp();
    // Those of which a device has one or the other are no steps.
    if (!kernel || kernel->hasAttr(XlaRtDialect::kDevices))
      return std::nullopt;
    // Nor is anything won by steps that the host gives numbers: they cannot be parts of a launch (`Launched::find`).
    for (Value operand : launch.getKernelOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand); !argument || argument.getArgNumber() >= given)
        return std::nullopt;
    found.launches.push_back(launch);
  }
  if (found.launches.size() < 2 || found.launches.size() > kMostSteps)
    return std::nullopt;
  return found;
}

namespace {

struct SplitStepsPass : impl::SplitStepsBase<SplitStepsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto onDevice = module.lookupSymbol<gpu::GPUModuleOp>(kKernelsModule);
    if (!onDevice)
      return;
    SymbolTable symbols(module);
    DenseMap<func::FuncOp, SmallVector<func::CallOp>> calls;
    module.walk([&](func::CallOp call) {
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        calls[callee].push_back(call);
    });
    for (auto declaration : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      std::optional<Steps> steps = Steps::find(declaration, symbols, onDevice);
      if (!steps)
        continue;
      SmallVector<func::FuncOp> split;
      for (size_t number = 0; number < steps->launches.size(); ++number)
        split.push_back(declare(*steps, number, symbols));
      for (func::CallOp call : calls.lookup(declaration))
        callSteps(*steps, split, call);
      symbols.erase(steps->host);
      symbols.erase(declaration);
    }
  }

private:
  static func::FuncOp declare(Steps &steps, size_t number, SymbolTable &symbols);
  static func::FuncOp emitHost(Steps &steps, size_t number, func::FuncOp declaration);
  static void callSteps(Steps &steps, ArrayRef<func::FuncOp> split, func::CallOp call);
};

} // namespace

/// A kernel that is the step: the first one has new results, or overwrites arguments, as the kernel does, and the
/// others go on with its results.
func::FuncOp SplitStepsPass::declare(Steps &steps, size_t number, SymbolTable &symbols) {
  OpBuilder b(steps.declaration);
  SmallVector<unsigned> arguments = steps.argumentsOf(number == 0);
  SmallVector<Type> handedOn = steps.handedOn();
  SmallVector<Type> inputs =
      llvm::map_to_vector(arguments, [&](unsigned i) { return steps.declaration.getArgumentTypes()[i]; });
  SmallVector<ResultMemory> memories(handedOn.size());
  for (auto [i, memory] : llvm::enumerate(memories)) {
    if (number > 0) {
      memory = {ResultMemory::Updates, static_cast<unsigned>(arguments.size() + i)};
    } else if (i < steps.declaration.getNumResults() && steps.contract.getResult(i).kind == ResultMemory::Updates) {
      memory = steps.contract.getResult(i);
    }
  }
  if (number > 0)
    llvm::append_range(inputs, handedOn);
  std::string name = (steps.declaration.getName() + "_step" + Twine(number)).str();
  auto declaration = func::FuncOp::create(b, steps.declaration.getLoc(), name, b.getFunctionType(inputs, handedOn));
  declaration.setPrivate();
  declaration->setAttr(XlaRtDialect::kKernel, kernelOf(steps.declaration));
  symbols.insert(declaration);
  func::FuncOp host = emitHost(steps, number, declaration);
  symbols.insert(host);
  declaration->setAttr(XlaRtDialect::kImplementation,
                       ImplementationAttr::get(b.getContext(), FlatSymbolRefAttr::get(host), /*work=*/1,
                                               steps.contract.getCost() / static_cast<int64_t>(steps.launches.size()),
                                               /*scratch=*/0,
                                               /*ordered=*/false, memories, /*team=*/1));
  return declaration;
}

/// Host code that launches the step. Results of those before are the memory of its own.
func::FuncOp SplitStepsPass::emitHost(Steps &steps, size_t number, func::FuncOp declaration) {
  OpBuilder b(declaration);
  func::FuncOp before = steps.host;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<unsigned> arguments = steps.argumentsOf(number == 0);
  SmallVector<Type> inputs = llvm::map_to_vector(arguments, [&](unsigned i) { return before.getArgumentTypes()[i]; });
  unsigned results = declaration.getNumArguments(), handedOn = declaration.getNumResults();
  inputs.append(results - arguments.size() + handedOn, pointer);
  inputs.append(2, b.getIndexType());
  auto host =
      func::FuncOp::create(b, before.getLoc(), (declaration.getName() + ".impl").str(), b.getFunctionType(inputs, {}));
  host.setPrivate();
  host->setAttr(XlaRtDialect::kLaunches, b.getUnitAttr());
  Block *entry = host.addEntryBlock();
  IRMapping given;
  for (auto [i, argument] : llvm::enumerate(arguments))
    given.map(before.getArgument(argument), entry->getArgument(i));
  for (unsigned argument : llvm::seq(steps.arguments()))
    if (std::optional<unsigned> result = steps.resultOf(argument); result && number > 0)
      given.map(before.getArgument(argument), entry->getArgument(results + *result));
  for (unsigned i = 0; i < handedOn; ++i)
    given.map(before.getArgument(steps.arguments() + i), entry->getArgument(results + i));
  b.setInsertionPointToEnd(entry);
  gpu::LaunchFuncOp launch = steps.launches[number];
  for (Operation &op : before.getBody().front().without_terminator())
    if (isa<arith::ConstantOp>(op) && llvm::is_contained(op.getUsers(), launch.getOperation()))
      b.clone(op, given);
  b.clone(*launch, given);
  func::ReturnOp::create(b, before.getLoc());
  return host;
}

void SplitStepsPass::callSteps(Steps &steps, ArrayRef<func::FuncOp> split, func::CallOp call) {
  OpBuilder b(call);
  SmallVector<Value> handedOn;
  for (auto [number, step] : llvm::enumerate(split)) {
    SmallVector<Value> operands =
        llvm::map_to_vector(steps.argumentsOf(number == 0), [&](unsigned i) { return call.getOperand(i); });
    llvm::append_range(operands, handedOn);
    handedOn = llvm::to_vector(ValueRange(func::CallOp::create(b, call.getLoc(), step, operands).getResults()));
  }
  call.replaceAllUsesWith(ArrayRef(handedOn).take_front(call.getNumResults()));
  call.erase();
}

} // namespace mlir::xla
