// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule of a program whose buffers are on a GPU: instead of touching them it calls the runtime
// (runtime/cuda/xla_rt_cuda.h).

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/EmitSchedule.h"
#include "mlir_xla/lowering/schedule/Decisions.h"

namespace mlir::xla {

void ScheduleEmitter::emitDeviceCopy(Location loc, Value to, Value from, int64_t bytes) {
  auto copy = runtimeFunction("xla_rt_cuda_copy", {pointerType, pointerType, builder.getI64Type()});
  func::CallOp::create(builder, loc, copy, ValueRange{to, from, i64Constant(loc, bytes)});
}

/// `element` is in the host's memory.
void ScheduleEmitter::emitDeviceFill(Location loc, Value to, Value element, int64_t elementBytes, int64_t count) {
  Type i64 = builder.getI64Type();
  auto fill = runtimeFunction("xla_rt_cuda_fill", {pointerType, pointerType, i64, i64});
  func::CallOp::create(builder, loc, fill,
                       ValueRange{to, element, i64Constant(loc, elementBytes), i64Constant(loc, count)});
}

/// Waits for the device.
Value ScheduleEmitter::emitDeviceLoad(Location loc, Value pointer, Type type) {
  constexpr int64_t words = 2;
  Value place = stackSlot(loc, words);
  auto read = runtimeFunction("xla_rt_cuda_read", {pointerType, pointerType, builder.getI64Type()});
  func::CallOp::create(builder, loc, read, ValueRange{place, pointer, i64Constant(loc, elementStorageBytes(type))});
  return LLVM::LoadOp::create(builder, loc, type, place);
}

void ScheduleEmitter::emitDeviceStore(Location loc, Value element, Value pointer) {
  constexpr int64_t words = 2;
  Value place = stackSlot(loc, words);
  LLVM::StoreOp::create(builder, loc, element, place);
  emitDeviceFill(loc, pointer, place, elementStorageBytes(element.getType()), 1);
}

/// The runtime brings the elements to the device when the program is loaded; they are numbered in the order of their
/// globals, which nothing else refers to.
LogicalResult ScheduleEmitter::emitDeviceConstant(arith::ConstantOp op, const Place *place) {
  Type i64 = builder.getI64Type();
  OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
  if (lastConstant)
    atStart.setInsertionPointAfter(lastConstant);
  lastConstant =
      LLVM::GlobalOp::create(atStart, op.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), place->bytes),
                             /*isConstant=*/true, LLVM::Linkage::External, "xla.const", Attribute(),
                             /*alignment=*/64);
  lastConstant->setAttr(XlaRtDialect::kData, place->elements);
  symbols.insert(lastConstant);
  auto address = runtimeFunction("xla_rt_cuda_constant_address", {i64}, {pointerType});
  Value number = i64Constant(op.getLoc(), deviceConstants++);
  OpBuilder at = atEntry();
  at.setInsertionPointAfterValue(number);
  pointers[place] = func::CallOp::create(at, op.getLoc(), address, number).getResult(0);
  return success();
}

//===- What the device decides ------------------------------------------------------------------------------------===//

static bool isEmpty(Region &region, const BlockPlan &block) {
  return block.copies.empty() && (region.empty() || region.front().without_terminator().empty());
}

void ScheduleEmitter::emitBeginLoop(Location loc, const ControlPlan &control) {
  Type i64 = builder.getI64Type();
  auto begin = runtimeFunction("xla_rt_cuda_begin_loop", {i64, i64});
  func::CallOp::create(builder, loc, begin,
                       ValueRange{i64Constant(loc, control.trips), i64Constant(loc, control.unrolled)});
}

/// Whether the host is to do one more iteration, by a predicate or by counting.
Value ScheduleEmitter::emitRepeat(Location loc, Value predicate) {
  if (!predicate)
    predicate = LLVM::ZeroOp::create(builder, loc, pointerType);
  auto repeat = runtimeFunction("xla_rt_cuda_repeat", {pointerType}, {builder.getI32Type()});
  Value answer = func::CallOp::create(builder, loc, repeat, predicate).getResult(0);
  return arith::TruncIOp::create(builder, loc, builder.getI1Type(), answer);
}

bool ScheduleEmitter::emitDecision(tensor::ExtractOp op) {
  Operation *control = decidedBy(op);
  if (!control || !plan.control(control).onDevice)
    return false;
  Location loc = op.getLoc();
  Value pointer = pointerOf(op.getTensor());
  if (isa<scf::WhileOp>(control)) {
    scalars.map(op.getResult(), emitRepeat(loc, pointer));
    return true;
  }
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto begin = runtimeFunction("xla_rt_cuda_begin_branches", {pointerType, i32, i64, pointerType});
  Value isIndex = arith::ConstantIntOp::create(builder, loc, isa<scf::IndexSwitchOp>(control), 32);
  std::string asked;
  for (auto [region, block] : branchesOf(*control))
    asked.push_back(isEmpty(*region, *block) ? '0' : '1');
  func::CallOp::create(builder, loc, begin,
                       ValueRange{pointer, isIndex, i64Constant(loc, asked.size()), stringGlobal(loc, asked)});
  return true;
}

/// In the order of their numbers: `default`, which is the last, is the first region.
SmallVector<std::pair<Region *, const BlockPlan *>> ScheduleEmitter::branchesOf(Operation &op) {
  SmallVector<std::pair<Region *, const BlockPlan *>> branches;
  for (auto [region, block] : llvm::zip_equal(op.getRegions(), plan.control(&op).blocks))
    branches.emplace_back(&region, &block);
  if (isa<scf::IndexSwitchOp>(op))
    std::rotate(branches.begin(), branches.begin() + 1, branches.end());
  return branches;
}

/// The host asks for each branch whether it is to do it. They hand nothing on.
LogicalResult ScheduleEmitter::emitDeviceBranches(Operation &op) {
  Location loc = op.getLoc();
  auto take = runtimeFunction("xla_rt_cuda_take_branch", {builder.getI64Type()}, {builder.getI32Type()});
  for (auto [i, branch] : llvm::enumerate(branchesOf(op))) {
    auto [region, block] = branch;
    if (isEmpty(*region, *block))
      continue;
    Value answer = func::CallOp::create(builder, loc, take, i64Constant(loc, i)).getResult(0);
    Value isTaken = arith::TruncIOp::create(builder, loc, builder.getI1Type(), answer);
    OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
    auto body = std::make_unique<Block>();
    if (failed(emitInto(*body, *region, *block)))
      return failure();
    scf::YieldOp::create(builder, loc);
    builder.restoreInsertionPoint(outside);
    auto emitted = scf::IfOp::create(builder, loc, TypeRange(), isTaken, false, false);
    emitted.getThenRegion().push_back(body.release());
  }
  func::CallOp::create(builder, loc, runtimeFunction("xla_rt_cuda_end_branches", {}), ValueRange());
  return success();
}

} // namespace mlir::xla
