// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule on pointers: walks `@main` on tensors with the plan of its buffers and writes what the plan says. The
// `@main` that it makes takes arrays of the arguments' and the results' addresses, and that of the arena.

#ifndef MLIR_XLA_LOWERING_CPU_EMITSCHEDULE_H
#define MLIR_XLA_LOWERING_CPU_EMITSCHEDULE_H

#include "mlir_xla/lowering/cpu/Passes.h"
#include "mlir_xla/lowering/schedule/BufferPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xla {

class CustomCallOp;

/// Whether calls of a kernel share its work among the threads of the pool, of which each has scratch memory.
bool runsInParallel(ImplementationAttr contract, int64_t threads);

class ScheduleEmitter {
public:
  ScheduleEmitter(ModuleOp module, func::FuncOp main, SymbolTable &symbols, const BufferPlan &plan, int64_t threads,
                  bool onDevice);

  /// Replaces `main`, and takes the kernels' declarations away. Errors are reported at the op that cannot be emitted.
  LogicalResult run();

private:
  // --- EmitSchedule.cpp
  void createPointers();
  Value createScalar(const Place *place);
  /// Computes the address of a place of an argument or a result, or in the arena or frame.
  Value pointerHere(const Place &place);
  Value pieceOf(Value memory, int64_t bytes);
  void erasePointersWithoutUse();
  void noteBytes(func::FuncOp kernel);
  void replaceMain();
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation &op);
  LogicalResult emitConstant(arith::ConstantOp op);
  void emitExtract(tensor::ExtractOp op);
  void emitFromElements(tensor::FromElementsOp op);
  void emitReturn(func::ReturnOp op);
  void emitCopies(Location loc, ArrayRef<Copy> copies, bool forOneCore = false);
  void emitCopy(Location loc, Copy copy, bool forOneCore = false);
  /// A constant of one element as its storage has it, if registers hold such: integers, and floats that LLVM has.
  Value storedElement(Location loc, DenseElementsAttr elements);
  /// The new value of a scalar, or the address of a place.
  Value valueOf(Carried carried);
  Value pointerTo(const Place *place);
  Value pointerOf(Value tensor) { return pointerTo(plan.placeOf(tensor)); }

  // --- EmitControlFlow.cpp
  LogicalResult emitWhile(scf::WhileOp op);
  LogicalResult emitBranches(Operation &op);
  LogicalResult emitInto(Block &to, Region &from, const BlockPlan &block);
  void map(Carried carried, Value value);
  SmallVector<Value> valuesOf(ArrayRef<Carried> list);
  SmallVector<Type> typesOf(ArrayRef<Carried> list) const;

  // --- EmitCalls.cpp
  LogicalResult emitKernelCall(func::CallOp op);
  void emitCustomCall(CustomCallOp op);
  void emitParallelCall(Location loc, func::FuncOp impl, ValueRange operands, ImplementationAttr contract);
  func::FuncOp taskOf(func::FuncOp impl, bool hasScratch);
  Value stringGlobal(Location loc, StringRef text);
  /// A block on the stack, in the entry block so that loops do not grow the stack.
  Value stackSlot(Location loc, int64_t words);

  // --- EmitDevice.cpp: what the schedule does with memory that it cannot touch
  void emitDeviceCopy(Location loc, Value to, Value from, int64_t bytes);
  void emitDeviceFill(Location loc, Value to, Value element, int64_t elementBytes, int64_t count);
  Value emitDeviceLoad(Location loc, Value pointer, Type type);
  void emitDeviceStore(Location loc, Value element, Value pointer);
  LogicalResult emitDeviceConstant(arith::ConstantOp op, const Place *place);
  /// Where an element is read by which the device decides, with what the host is to do as its value. False for others.
  bool emitDecision(tensor::ExtractOp op);
  void emitBeginLoop(Location loc, const ControlPlan &control);
  Value emitRepeat(Location loc, Value predicate);
  LogicalResult emitDeviceBranches(Operation &op);
  SmallVector<std::pair<Region *, const BlockPlan *>> branchesOf(Operation &op);

  // --- EmitSchedule.cpp: small helpers
  /// Where what the whole function shares is created: before everything else, but after the addresses of buffers.
  OpBuilder atEntry();
  Value pointerAt(Location loc, Value array, int64_t index);
  Value loadPointer(Location loc, Value array, int64_t index);
  Value indexConstant(Location loc, int64_t value);
  Value i64Constant(Location loc, int64_t value);
  func::FuncOp runtimeFunction(StringRef name, TypeRange arguments, TypeRange results = {});

  ModuleOp module;
  func::FuncOp oldMain, newMain;
  SymbolTable &symbols;
  const BufferPlan &plan;
  int64_t threads;
  bool onDevice; // buffers are in the memory of a GPU
  OpBuilder builder;
  Type pointerType;
  Block *entry = nullptr;
  Operation *lastPointer = nullptr; // of the addresses of buffers

  DenseMap<const Place *, Value> pointers;
  IRMapping scalars; // old -> new values that are not tensors
  DenseMap<int64_t, Value> indexConstants, i64Constants;
  llvm::StringMap<LLVM::GlobalOp> strings;
  SmallVector<std::pair<LLVM::GlobalOp, LLVM::AddressOfOp>> constants;
  LLVM::AllocaOp stackArray;
  Value frame;
  Value one; // before the addresses of buffers
  int64_t deviceConstants = 0;
  LLVM::GlobalOp lastConstant; // of them
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_CPU_EMITSCHEDULE_H
