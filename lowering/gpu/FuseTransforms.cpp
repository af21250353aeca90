// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--xla-fuse-transforms`: elementwise kernels that compute what a Fourier transform reads, or read what it computes,
// become a part of its kernel.

#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/Passes.h"
#include "mlir_xla/lowering/gpu/TransformEnds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace mlir::xla {
#define GEN_PASS_DEF_FUSETRANSFORMS
#include "mlir_xla/lowering/gpu/Passes.h.inc"

namespace {

/// A call of a transform, and of what is around it.
struct FusedCalls {
  func::CallOp transform, before, behind;
  unsigned argument = 0; // of `behind`: what has been transformed
};

class TransformFuser {
public:
  explicit TransformFuser(ModuleOp module) : module(module), symbols(module) {}
  void run();

private:
  func::FuncOp calleeOf(func::CallOp call) { return symbols.lookup<func::FuncOp>(call.getCallee()); }
  KernelKind kindOf(func::CallOp call);
  rt::LibraryCallOp transformIn(func::FuncOp kernel);
  func::CallOp findBefore(func::CallOp transform);
  void findBehind(FusedCalls &calls, const llvm::SmallPtrSetImpl<Operation *> &taken);
  bool staysAsItIs(func::CallOp reader, func::CallOp until);
  func::FuncOp fusedKernel(FusedCalls &calls);
  void fuse(FusedCalls &calls);

  ModuleOp module;
  SymbolTable symbols;
  /// By the kernels of the three calls, and which argument of the last one has been transformed.
  std::map<std::tuple<Operation *, Operation *, Operation *, unsigned>, func::FuncOp> fused;
  llvm::SetVector<func::FuncOp> replaced; // kernels that are part of others
};

} // namespace

static bool isReshape(Operation *op) { return isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); }

KernelKind TransformFuser::kindOf(func::CallOp call) {
  func::FuncOp callee = calleeOf(call);
  KernelAttr kernel = callee && !callee.isExternal() ? kernelOf(callee) : KernelAttr();
  return kernel ? kernel.getKind() : KernelKind::Library;
}

/// Null if the kernel is something else, or has a transform that the device does not do.
rt::LibraryCallOp TransformFuser::transformIn(func::FuncOp kernel) {
  if (!kernel || kernel.isExternal() || !kernelOf(kernel) || kernelOf(kernel).getKind() != KernelKind::Library)
    return {};
  auto call = dyn_cast_if_present<rt::LibraryCallOp>(wholeKernelIn(kernel).getOperation());
  bool isTransform = call && call.getFunction().starts_with("xla_rt_fft_f") && call->getNumResults() == 1;
  return isTransform && gpuLibraryFacts(call) ? call : rt::LibraryCallOp();
}

/// Whether nothing between the two calls may overwrite what the first one reads, which would be copied if the second
/// one read it.
bool TransformFuser::staysAsItIs(func::CallOp reader, func::CallOp until) {
  auto overwrites = [&](Operation *user) {
    Operation *between = until->getBlock()->findAncestorOpInBlock(*user);
    if (!between || between == until || !reader->isBeforeInBlock(between) || !between->isBeforeInBlock(until))
      return false;
    auto call = dyn_cast<func::CallOp>(user);
    return !isReshape(user) && !(call && llvm::is_contained({KernelKind::Elementwise, KernelKind::Reduction,
                                                             KernelKind::Rows, KernelKind::Contraction},
                                                            kindOf(call)));
  };
  return llvm::none_of(reader.getOperands(),
                       [&](Value operand) { return llvm::any_of(operand.getUsers(), overwrites); });
}

/// The call that computes what is transformed, for nobody else.
func::CallOp TransformFuser::findBefore(func::CallOp transform) {
  Value value = transform.getOperand(0);
  while (value.hasOneUse() && isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto before = value.getDefiningOp<func::CallOp>();
  bool isCandidate = before && value.hasOneUse() && before->getBlock() == transform->getBlock() &&
                     before->getNumResults() == 1 && kindOf(before) == KernelKind::Elementwise;
  return isCandidate && isElementFunction(calleeOf(before)) && staysAsItIs(before, transform) ? before : func::CallOp();
}

/// The call that alone reads what has been transformed, which is not `taken` by another transform.
void TransformFuser::findBehind(FusedCalls &calls, const llvm::SmallPtrSetImpl<Operation *> &taken) {
  Value value = calls.transform.getResult(0);
  while (value.hasOneUse() && isReshape(*value.user_begin()))
    value = (*value.user_begin())->getResult(0);
  auto behind = value.hasOneUse() ? dyn_cast<func::CallOp>(*value.user_begin()) : func::CallOp();
  if (!behind || taken.contains(behind) || behind->getBlock() != calls.transform->getBlock() ||
      behind->getNumResults() != 1 || kindOf(behind) != KernelKind::Elementwise)
    return;
  unsigned argument = value.use_begin()->getOperandNumber();
  func::CallOp first = calls.before ? calls.before : calls.transform;
  if (!isFunctionOfElement(calleeOf(behind), argument) || !staysAsItIs(first, behind))
    return;
  calls.behind = behind;
  calls.argument = argument;
}

/// A kernel of the arguments of what comes before the transform, or of the transform, and then of those of what comes
/// behind it but what has been transformed.
func::FuncOp TransformFuser::fusedKernel(FusedCalls &calls) {
  auto kernelOfCall = [&](func::CallOp call) { return call ? calleeOf(call) : func::FuncOp(); };
  func::FuncOp before = kernelOfCall(calls.before), transform = calleeOf(calls.transform),
               behind = kernelOfCall(calls.behind);
  func::FuncOp &known = fused[{before, transform, behind, calls.argument}];
  if (known)
    return known;
  OpBuilder b(transform);
  SmallVector<Type> inputs((before ? before : transform).getArgumentTypes());
  if (behind)
    for (auto [i, type] : llvm::enumerate(behind.getArgumentTypes()))
      if (i != calls.argument)
        inputs.push_back(type);
  SmallVector<Location> locations;
  for (func::CallOp call : {calls.before, calls.transform, calls.behind})
    if (call)
      locations.push_back(call.getLoc());
  Location loc = FusedLoc::get(b.getContext(), locations);
  auto kernel = func::FuncOp::create(b, loc, transform.getName(),
                                     b.getFunctionType(inputs, (behind ? behind : transform).getResultTypes()));
  kernel.setPrivate();
  kernel->setAttr(XlaRtDialect::kKernel, kernelOf(transform));
  Block *entry = kernel.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  auto inlined = [&](func::FuncOp part, IRMapping &mapping) {
    for (Operation &op : part.getBody().front().without_terminator())
      b.clone(op, mapping);
    return mapping.lookup(part.getBody().front().getTerminator()->getOperand(0));
  };
  size_t given = (before ? before : transform).getNumArguments(); // none, if only indices are before it
  Value operand;
  if (before) {
    IRMapping mapping;
    mapping.map(before.getArguments(), entry->getArguments().take_front(given));
    operand = inlined(before, mapping);
  } else {
    operand = entry->getArgument(0);
  }
  // Whatever it overwrote is a result of its own now.
  rt::LibraryCallOp call = transformIn(transform);
  auto type = cast<RankedTensorType>(call.getResult(0).getType());
  SmallVector<int64_t> parameters(call.getParameters());
  constexpr size_t inPlace = 4; // runtime/library/fft/Fft.cpp
  parameters[inPlace] = 0;
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  Value result = rt::LibraryCallOp::create(b, call.getLoc(), type, call.getFunction(), operand, empty, parameters,
                                           call.getWork(), call.getCost(), call.getScratch())
                     .getResult(0);
  if (behind) {
    IRMapping mapping;
    for (BlockArgument argument : behind.getArguments())
      mapping.map(argument, argument.getArgNumber() == calls.argument ? result : Value(entry->getArgument(given++)));
    result = inlined(behind, mapping);
  }
  func::ReturnOp::create(b, loc, result);
  symbols.insert(kernel);
  for (func::FuncOp part : {before, transform, behind})
    if (part)
      replaced.insert(part);
  return known = kernel;
}

void TransformFuser::fuse(FusedCalls &calls) {
  func::FuncOp kernel = fusedKernel(calls);
  func::CallOp last = calls.behind ? calls.behind : calls.transform;
  SmallVector<Value> operands((calls.before ? calls.before : calls.transform).getOperands());
  if (calls.behind)
    for (auto [i, operand] : llvm::enumerate(calls.behind.getOperands()))
      if (i != calls.argument)
        operands.push_back(operand);
  OpBuilder b(last);
  auto call = func::CallOp::create(b, kernel.getLoc(), kernel, operands);
  last->getResult(0).replaceAllUsesWith(call.getResult(0));
  // The calls, and reshapes between them, the last ones first.
  SmallVector<Operation *> unused{last};
  while (!unused.empty()) {
    Operation *op = unused.pop_back_val();
    SmallVector<Operation *> sources;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && (source == calls.transform || source == calls.before || isReshape(source)))
        sources.push_back(source);
    op->erase();
    for (Operation *source : llvm::SetVector<Operation *>(sources.begin(), sources.end()))
      if (source->use_empty())
        unused.push_back(source);
  }
}

void TransformFuser::run() {
  std::vector<FusedCalls> found;
  llvm::SmallPtrSet<Operation *, 8> taken;
  module.walk([&](func::CallOp call) {
    if (!transformIn(calleeOf(call)))
      return;
    found.push_back({call, findBefore(call), {}});
    if (found.back().before)
      taken.insert(found.back().before);
  });
  for (FusedCalls &calls : found) {
    findBehind(calls, taken);
    if (calls.behind)
      taken.insert(calls.behind);
  }
  for (FusedCalls &calls : found)
    if (calls.before || calls.behind)
      fuse(calls);
  for (func::FuncOp kernel : replaced)
    if (SymbolTable::symbolKnownUseEmpty(kernel, module))
      symbols.erase(kernel);
}

namespace {

struct FuseTransformsPass : impl::FuseTransformsBase<FuseTransformsPass> {
  void runOnOperation() override { TransformFuser(getOperation()).run(); }
};

} // namespace
} // namespace mlir::xla
