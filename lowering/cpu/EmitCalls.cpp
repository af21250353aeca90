// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the schedule: kernels, directly or on all cores, and custom calls.

#include "mlir_xla/dialect/XlaOps.h"
#include "mlir_xla/lowering/Machine.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/EmitSchedule.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {

/// A piece of a parallel loop takes about this long at least.
static constexpr int64_t kPieceNanoseconds = 10000;

bool runsInParallel(ImplementationAttr contract, int64_t threads) {
  return threads != 1 && !contract.getOrdered() && contract.getWork() > 1 &&
         contract.getCost() >= Machine().nanosecondsToWake;
}

//===- Kernels ----------------------------------------------------------------------------------------------------===//

LogicalResult ScheduleEmitter::emitKernelCall(func::CallOp op) {
  Location loc = op.getLoc();
  const CallPlan &call = plan.call(op);
  ImplementationAttr contract = call.contract;
  func::FuncOp impl = call.implementation;
  emitCopies(loc, call.copies, /*forOneCore=*/!runsInParallel(contract, threads));
  if (contract.getWork() <= 0)
    return success();
  SmallVector<Value> operands = valuesOf(call.operands);
  for (const Place *result : call.results)
    operands.push_back(pointerTo(result));
  if (runsInParallel(contract, threads)) {
    if (impl.isExternal())
      return op.emitOpError("calls @") << op.getCallee() << ", whose implementation has no body";
    emitParallelCall(loc, impl, operands, contract);
    return success();
  }
  if (call.scratch)
    operands.push_back(pointerTo(call.scratch));
  operands.push_back(indexConstant(loc, 0));
  operands.push_back(indexConstant(loc, contract.getWork()));
  func::CallOp::create(builder, loc, impl, operands);
  return success();
}

/// All parallel calls share one array on the stack for their operands: they run one after the other.
Value ScheduleEmitter::stackSlot(Location loc, int64_t words) {
  if (!stackArray) {
    OpBuilder at = atEntry();
    auto size = arith::ConstantIntOp::create(at, loc, words, 64);
    stackArray = LLVM::AllocaOp::create(at, loc, pointerType, pointerType, size, /*alignment=*/8);
  }
  auto size = stackArray.getArraySize().getDefiningOp<arith::ConstantOp>();
  if (cast<IntegerAttr>(size.getValue()).getInt() < words)
    size.setValueAttr(builder.getI64IntegerAttr(words));
  return stackArray;
}

/// The implementation in the form that the thread pool calls: its operands come in an array. Calls of one kernel are
/// either all parallel or all direct, so that the body moves.
func::FuncOp ScheduleEmitter::taskOf(func::FuncOp impl, bool hasScratch) {
  Type i64 = builder.getI64Type(), index = builder.getIndexType();
  auto taskType = builder.getFunctionType({pointerType, i64, i64, pointerType}, {});
  if (impl->hasAttr(XlaRtDialect::kTask))
    return impl;
  Location loc = impl.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Block *body = &impl.getBody().front();
  builder.setInsertionPointToStart(body);
  unsigned old = body->getNumArguments(), count = old - (hasScratch ? 3 : 2);
  SmallVector<Value> arguments;
  for (Type type : taskType.getInputs())
    arguments.push_back(body->addArgument(type, loc));
  for (unsigned i = 0; i < count; ++i) {
    Type type = body->getArgument(i).getType();
    bool isIndex = type.isIndex();
    Value operand = LLVM::LoadOp::create(builder, loc, isIndex ? i64 : type, pointerAt(loc, arguments[0], i));
    if (isIndex)
      operand = arith::IndexCastOp::create(builder, loc, index, operand);
    body->getArgument(i).replaceAllUsesWith(operand);
  }
  if (hasScratch)
    body->getArgument(count).replaceAllUsesWith(arguments[3]);
  for (int i : {1, 2})
    body->getArgument(old - 3 + i)
        .replaceAllUsesWith(arith::IndexCastOp::create(builder, loc, index, arguments[i]).getResult());
  body->eraseArguments(0, old);
  impl.setFunctionType(taskType);
  impl->setAttr(XlaRtDialect::kTask, builder.getUnitAttr());
  return impl;
}

void ScheduleEmitter::emitParallelCall(Location loc, func::FuncOp impl, ValueRange operands,
                                       ImplementationAttr contract) {
  Type i64 = builder.getI64Type();
  int64_t work = contract.getWork(), scratch = contract.getScratch();
  // Long items may have something in common: without grains, calls are of whole pieces, and their loop polls.
  bool hasLoop = !impl.getBody().front().getOps<scf::ForOp>().empty();
  int64_t grain = std::max<int64_t>(hasLoop ? 0 : 1, std::min(work / 2, work * kPieceNanoseconds / contract.getCost()));
  func::FuncOp task = taskOf(impl, scratch != 0);
  Value array = stackSlot(loc, operands.size());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value stored = operand;
    if (operand.getType().isIndex())
      stored = arith::IndexCastOp::create(builder, loc, i64, operand);
    LLVM::StoreOp::create(builder, loc, stored, pointerAt(loc, array, i));
  }
  auto address = func::ConstantOp::create(builder, loc, task.getFunctionType(), task.getName());
  auto parallelFor = runtimeFunction("xla_rt_parallel_for", {task.getFunctionType(), pointerType, i64, i64, i64});
  func::CallOp::create(
      builder, loc, parallelFor,
      ValueRange{address, array, i64Constant(loc, work), i64Constant(loc, grain), i64Constant(loc, scratch)});
}

//===- Custom calls -----------------------------------------------------------------------------------------------===//

Value ScheduleEmitter::stringGlobal(Location loc, StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    std::string bytes = text.str();
    bytes.push_back(0);
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    global = LLVM::GlobalOp::create(atStart, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                                    /*isConstant=*/true, LLVM::Linkage::Internal, "xla.string",
                                    builder.getStringAttr(bytes));
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

/// "file:line:column", or nothing.
static std::string placeInSource(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
}

/// Fills an xla_rt_custom_call_info: target, config, signature, operands, their number, results, their number,
/// location.
void ScheduleEmitter::emitCustomCall(CustomCallOp op) {
  Location loc = op.getLoc();
  auto config = op->getAttrOfType<StringAttr>("backend_config");
  std::string signature;
  if (auto written = op->getAttrOfType<TypeAttr>(XlaRtDialect::kSignature))
    llvm::raw_string_ostream(signature) << written.getValue();
  else
    llvm::raw_string_ostream(signature) << builder.getFunctionType(op->getOperandTypes(), op->getResultTypes());

  int64_t operandCount = op->getNumOperands(), resultCount = op->getNumResults();
  constexpr int64_t infoWords = 8;
  int64_t buffers = operandCount + resultCount;
  Value info = stackSlot(loc, infoWords + buffers + (onDevice ? buffers : 0));
  auto store = [&](Value value, int64_t word) {
    LLVM::StoreOp::create(builder, loc, value, pointerAt(loc, info, word));
  };
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    store(pointerOf(operand), infoWords + i);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    store(pointerOf(result), infoWords + operandCount + i);
  store(stringGlobal(loc, op.getCallTargetName()), 0);
  store(stringGlobal(loc, config ? config.getValue() : ""), 1);
  store(stringGlobal(loc, signature), 2);
  store(pointerAt(loc, info, infoWords), 3);
  store(i64Constant(loc, operandCount), 4);
  store(pointerAt(loc, info, infoWords + operandCount), 5);
  store(i64Constant(loc, resultCount), 6);
  store(stringGlobal(loc, placeInSource(loc)), 7);
  if (!onDevice) {
    func::CallOp::create(builder, loc, runtimeFunction("xla_rt_custom_call", {pointerType}), ValueRange{info});
    return;
  }
  // The runtime copies the buffers, and is told their sizes.
  int64_t sizes = infoWords + buffers, next = sizes;
  for (Value buffer : llvm::concat<Value>(op->getOperands(), op->getResults()))
    store(i64Constant(loc, bufferBytes(cast<ShapedType>(buffer.getType()))), next++);
  func::CallOp::create(builder, loc, runtimeFunction("xla_rt_cuda_custom_call", {pointerType, pointerType}),
                       ValueRange{info, pointerAt(loc, info, sizes)});
}

} // namespace mlir::xla
