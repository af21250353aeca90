// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel that is several: some of its blocks do the first, the next ones the second, and so on. When all have done
// that, the last block does what reads it.

#ifndef MLIR_XLA_LOWERING_GPU_MERGEDKERNEL_H
#define MLIR_XLA_LOWERING_GPU_MERGEDKERNEL_H

#include "mlir_xla/lowering/gpu/KernelParts.h"
#include "mlir_xla/lowering/gpu/ThreadAccesses.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::xla {

/// On a kernel that is several: their names, as often as they are in it.
constexpr StringLiteral kParts = "xla_rt.parts";
/// On such a kernel: how many of these, behind all others, are done by the last block.
constexpr StringLiteral kLastParts = "xla_rt.last_parts";
/// On such a kernel: the most phases of a step of the device's library that it does, for those who estimate its time.
constexpr StringLiteral kPartPhases = "xla_rt.part_phases";

/// A kernel of the schedule that may be part of a merged one.
struct PartKernel {
  func::FuncOp declaration;
  ImplementationAttr contract;
  Launched launched;
  std::optional<int64_t> counted; // its threads, if blocks may have any size
  int64_t phases = 0;             // of a step of the device's library
  std::optional<int64_t> moved;   // and bytes that it reads and writes
  IntegerAttr together;           // of how many blocks a multiprocessor is to have the registers, if it matters

  bool hasShared = false;           // its threads have memory in common
  SmallVector<StringRef> functions; // of the device's library that it calls, which have shared memory, too

  static std::optional<PartKernel> find(func::FuncOp declaration, const SymbolTable &symbols,
                                        gpu::GPUModuleOp onDevice);
  /// Nanoseconds on a core of the host; many if that is not known.
  int64_t cost() const;
  bool updates(unsigned argument) const;
  /// Whether it overwrites one of its arguments.
  bool updatesAny() const;
};

/// What the value is a view of.
Value rootOfViews(Value value);

class MergedKernel {
public:
  void add(func::CallOp call, PartKernel &kernel);
  /// The call follows all others, and reads what some of these compute; it is small, and overwrites no argument.
  void addLast(func::CallOp call, PartKernel &kernel);

  /// Whether one kernel can be all of them: in blocks of one size, with what it is given and its shared memory within
  /// bounds; and whether none has to wait for another.
  bool isPossible(gpu::GPUModuleOp onDevice) const;

  /// Replaces the calls by one.
  void emit(ModuleOp module, gpu::GPUModuleOp onDevice, SymbolTable &symbols);

private:
  struct Part {
    func::CallOp call;
    PartKernel *kernel;
    bool isLast = false; // done by the last block
  };
  /// What the calls of a kernel give for one of its arguments: the same, or an entry of the table for each.
  struct Argument {
    int64_t entry;
    bool isShared;
  };
  struct Section {
    PartKernel *kernel;
    SmallVector<func::CallOp> calls;
    SmallVector<Argument> arguments;
    bool isLast = false;
  };

  std::optional<int64_t> blockSize() const;
  int64_t blocks() const;
  bool isOfPart(Value value) const;
  int64_t blocksOf(const PartKernel &kernel) const;
  SmallVector<gpu::GPUFuncOp> kernels() const;
  int64_t sharedBytes(gpu::GPUModuleOp onDevice) const;
  bool areIndependent() const;
  Value givenTo(func::CallOp call, Value hostArgument) const;
  Value memoryOf(Value value) const;
  void fillTable();
  std::string name() const;
  Location location() const;
  DictionaryAttr stepOfParts() const;
  func::FuncOp emitHost(func::FuncOp declaration, gpu::GPUFuncOp kernel);
  gpu::GPUFuncOp emitKernel(StringRef name, gpu::GPUModuleOp onDevice);
  void emitSection(ImplicitLocOpBuilder &b, const Section &section, Value block, Value table, KernelParts &code);
  SmallVector<ThreadAccess> accessesOfBlock(const Section &section, gpu::GPUModuleOp onDevice) const;
  bool mustMeet(const Section &before, const Section &after, gpu::GPUModuleOp onDevice) const;
  void emitLast(ImplicitLocOpBuilder &b, gpu::GPUFuncOp kernel, KernelParts &code);
  /// Of the kernel's parameter, which is none to NVIDIA's assembler without any.
  int64_t slots() const { return std::max<int64_t>(1, table.size()); }

  SmallVector<Part> parts;
  SmallVector<Section> sections;
  SmallVector<Value> table; // operands and results of the calls
  SmallVector<Value> operands, results;
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_MERGEDKERNEL_H
