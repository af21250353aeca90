// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread writes is visible to threads of other blocks in this order: its block meets, one thread makes a fence
// and then counts the block; the thread that counts the last one makes a fence, and then its block meets. What the
// thread that counts has written itself needs no meeting before.

#include "mlir_xla/lowering/gpu/LastBlock.h"

namespace mlir::xla {

/// The address spaces of a device's memory, and of a block's.
static constexpr unsigned kGlobal = 1, kShared = 3;
/// Of fences and counters: all threads of a device.
static constexpr StringLiteral kScope = "device";

LLVM::GlobalOp addCounters(gpu::GPUModuleOp onDevice, Location loc, StringRef kernel, int64_t count) {
  OpBuilder b(onDevice.getContext());
  auto type = LLVM::LLVMArrayType::get(b.getI32Type(), count);
  auto zeros = DenseElementsAttr::get(RankedTensorType::get({count}, b.getI32Type()), b.getI32IntegerAttr(0));
  b.setInsertionPointToStart(onDevice.getBody());
  auto counters = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false, LLVM::Linkage::Internal,
                                         (kernel + "_arrived").str(), zeros, /*alignment=*/4, kGlobal);
  return counters;
}

LLVM::GlobalOp addFlag(gpu::GPUModuleOp onDevice, Location loc, StringRef kernel) {
  OpBuilder b(onDevice.getContext());
  b.setInsertionPointToStart(onDevice.getBody());
  return LLVM::GlobalOp::create(b, loc, b.getI32Type(), /*isConstant=*/false, LLVM::Linkage::Internal,
                                (kernel + "_flag").str(), Attribute(), /*alignment=*/4, kShared);
}

Value emitArrival(ImplicitLocOpBuilder &b, const Arrival &arrival, function_ref<void()> meet) {
  Type i32 = b.getI32Type();
  auto fence = [&] { LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, kScope); };
  if (!arrival.isWrittenByFirst)
    meet();
  auto branch = scf::IfOp::create(b, arrival.isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value counters = LLVM::AddressOfOp::create(b, arrival.counters);
    Value counter = LLVM::GEPOp::create(b, counters.getType(), i32, counters, LLVM::GEPArg(arrival.number));
    Value last = arith::ConstantIntOp::create(b, i32, arrival.blocks - 1);
    fence();
    // From the last number it goes back to zero.
    Value before = LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::uinc_wrap, counter, last,
                                             LLVM::AtomicOrdering::monotonic, kScope);
    fence();
    LLVM::StoreOp::create(b, before, arrival.flag);
  }
  meet();
  Value before = LLVM::LoadOp::create(b, i32, arrival.flag);
  Value last = arith::ConstantIntOp::create(b, i32, arrival.blocks - 1);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before, last);
}

} // namespace mlir::xla
