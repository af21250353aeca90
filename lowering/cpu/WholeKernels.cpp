// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The implementations of kernels that hold one operation of xla_rt: the function and its contract are alike for all of
// them; calls of libraries are emitted here.

#include "mlir_xla/lowering/cpu/WholeKernels.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/cpu/ScatterPlan.h"
#include "mlir_xla/lowering/cpu/UpdatePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xla;

Value WholeKernel::pointerOf(OpOperand &operand) const {
  DestinationStyleOpInterface owner = op;
  if (owner.isDpsInit(&operand))
    return results[owner.getTiedOpResult(&operand).getResultNumber()];
  return arguments.lookup(operand.get());
}

FailureOr<WholeKernelFacts> mlir::xla::getWholeKernelFacts(DestinationStyleOpInterface op, const Machine &machine,
                                                           bool onDevice) {
  return llvm::TypeSwitch<Operation *, FailureOr<WholeKernelFacts>>(op)
      .Case([](rt::LibraryCallOp call) {
        return WholeKernelFacts{static_cast<int64_t>(call.getWork()), static_cast<int64_t>(call.getCost()),
                                static_cast<int64_t>(call.getScratch())};
      })
      .Case([&](rt::ScatterOp scatter) {
        ScatterPlan plan = planScatter(scatter, machine);
        return WholeKernelFacts{plan.work, plan.cost};
      })
      .Case([](rt::SortOp sort) { return getSortFacts(sort); })
      .Case([&](rt::RandomBitsOp bits) { return factsOfRandomBits(bits, machine, onDevice); })
      .Default([](Operation *other) -> FailureOr<WholeKernelFacts> { return other->emitOpError("has no emitter"); });
}

LogicalResult mlir::xla::emitWholeKernel(const WholeKernel &kernel) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(kernel.op)
      .Case([&](rt::LibraryCallOp call) { return emitLibraryCall(kernel, call); })
      .Case([&](rt::ScatterOp scatter) { return emitScatter(kernel, scatter); })
      .Case([&](rt::SortOp sort) { return emitSort(kernel, sort); })
      .Case([&](rt::RandomBitsOp bits) { return emitRandomBits(kernel, bits); })
      .Default([](Operation *other) -> LogicalResult { return other->emitOpError("has no emitter"); });
}

/// How a GPU's threads share the scatter that `op` is, if the kernel says.
static FailureOr<std::optional<UpdatePlan>> updatesOf(func::FuncOp kernel, DestinationStyleOpInterface op,
                                                      bool onDevice) {
  auto plans = kernel->getAttrOfType<ArrayAttr>(XlaRtDialect::kPlans);
  if (!plans)
    return std::optional<UpdatePlan>();
  auto report = [&] {
    return unsupported(kernel.emitError("kernel @") << kernel.getName() << " cannot follow " << plans << ": ");
  };
  auto scatter = dyn_cast<rt::ScatterOp>(op.getOperation());
  auto attr = plans.size() == 1 ? dyn_cast<UpdatesAttr>(plans[0]) : UpdatesAttr();
  if (!scatter || !attr)
    return report() << "it holds an operation with an emitter of its own, and only a scatter has a plan";
  if (!onDevice)
    return report() << "only a GPU's threads share updates like that";
  if (failed(checkUpdates(scatter, attr, report)))
    return failure();
  return std::optional(UpdatePlan::fromAttr(attr, scatter));
}

LogicalResult mlir::xla::implementWholeKernel(func::FuncOp kernel, DestinationStyleOpInterface op,
                                              const Machine &machine, bool onDevice) {
  FailureOr<std::optional<UpdatePlan>> updates = updatesOf(kernel, op, onDevice);
  if (failed(updates))
    return failure();
  FailureOr<WholeKernelFacts> facts = getWholeKernelFacts(op, machine, onDevice);
  if (failed(facts))
    return failure();
  if (*updates)
    facts->work = (*updates)->work();
  else if (auto scatter = dyn_cast<rt::ScatterOp>(op.getOperation()); scatter && scatter.hasWords())
    return unsupported(op->emitOpError("has ordered index vectors, which only a GPU's threads share, by a plan"));
  OpBuilder outer(kernel);
  Type pointerType = LLVM::LLVMPointerType::get(kernel.getContext()), index = outer.getIndexType();
  SmallVector<Type> inputs(kernel.getNumArguments() + kernel.getNumResults() + (facts->scratch > 0), pointerType);
  inputs.append({index, index});
  auto impl = func::FuncOp::create(outer, kernel.getLoc(), (kernel.getName() + ".impl").str(),
                                   outer.getFunctionType(inputs, {}));
  impl.setPrivate();
  Block *entry = impl.addEntryBlock();
  ImplicitLocOpBuilder b(op->getLoc(), outer);
  b.setInsertionPointToEnd(entry);

  WholeKernel whole(op, b, machine);
  whole.onDevice = onDevice;
  for (auto [argument, pointer] : llvm::zip(kernel.getArguments(), entry->getArguments())) {
    if (!isa<RankedTensorType>(argument.getType()))
      return op->emitOpError("is in a kernel with arguments that are no tensors");
    whole.arguments[argument] = pointer;
  }
  unsigned next = kernel.getNumArguments();
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    whole.results.push_back(entry->getArgument(next++));
  if (facts->scratch > 0)
    whole.scratch = entry->getArgument(next++);
  whole.begin = arith::IndexCastOp::create(b, b.getI64Type(), entry->getArgument(next));
  whole.end = arith::IndexCastOp::create(b, b.getI64Type(), entry->getArgument(next + 1));
  if (*updates)
    emitUpdates(whole, cast<rt::ScatterOp>(op), **updates);
  else if (failed(emitWholeKernel(whole)))
    return failure();
  b.setInsertionPointToEnd(entry);
  func::ReturnOp::create(b);

  SmallVector<ResultMemory> results;
  for (OpOperand &out : op.getDpsInitsMutable()) {
    ResultMemory memory;
    if (auto argument = dyn_cast<BlockArgument>(out.get()))
      memory = {ResultMemory::Updates, argument.getArgNumber()};
    results.push_back(memory);
  }
  kernel->setAttr(XlaRtDialect::kImplementation,
                  ImplementationAttr::get(kernel.getContext(), FlatSymbolRefAttr::get(impl), facts->work, facts->cost,
                                          facts->scratch, facts->ordered, results,
                                          /*team=*/*updates ? (*updates)->team() : 1));
  kernel->removeAttr(XlaRtDialect::kPlans);
  kernel.eraseBody();
  return success();
}

/// An array on the stack that holds `values`.
static Value arrayOf(ImplicitLocOpBuilder &b, ValueRange values, Type element) {
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext());
  Value size = arith::ConstantIntOp::create(b, std::max<int64_t>(1, values.size()), 64);
  Value array = LLVM::AllocaOp::create(b, pointerType, element, size, /*alignment=*/8);
  for (auto [i, value] : llvm::enumerate(values)) {
    Value place = array;
    if (i > 0)
      place = LLVM::GEPOp::create(b, pointerType, element, array, LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(b, value, place);
  }
  return array;
}

LogicalResult mlir::xla::emitLibraryCall(const WholeKernel &kernel, rt::LibraryCallOp op) {
  ImplicitLocOpBuilder &b = kernel.builder;
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto module = b.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<func::FuncOp>(op.getFunction());
  if (!function) {
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    function = func::FuncOp::create(atEnd, op.getLoc(), op.getFunction(),
                                    b.getFunctionType({pointerType, pointerType, i64, i64, pointerType}, {}));
    function.setPrivate();
  }
  SmallVector<Value> parameters, buffers;
  for (int64_t parameter : op.getParameters())
    parameters.push_back(arith::ConstantIntOp::create(b, parameter, 64));
  for (OpOperand &operand : op->getOpOperands())
    buffers.push_back(kernel.pointerOf(operand));
  Value scratch = kernel.scratch ? kernel.scratch : LLVM::ZeroOp::create(b, pointerType).getResult();
  func::CallOp::create(
      b, function,
      ValueRange{arrayOf(b, parameters, i64), arrayOf(b, buffers, pointerType), kernel.begin, kernel.end, scratch});
  return success();
}
