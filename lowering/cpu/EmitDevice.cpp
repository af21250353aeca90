// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule of a program whose buffers are on a GPU: instead of touching them it calls the runtime
// (runtime/cuda/xla_rt_cuda.h).

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/cpu/EmitSchedule.h"

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

} // namespace mlir::xla
