// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over the schedule that makes a BufferPlan: op by op, with the book-keeping of Tokens.h. Loops and branches
// have classes of their own, in PlanLoops.cpp and PlanBranches.cpp.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_BUFFERPLANNER_H
#define MLIR_XLA_LOWERING_SCHEDULE_BUFFERPLANNER_H

#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/schedule/Tokens.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::xla {

inline int64_t bytesOf(Value tensor) { return bufferBytes(cast<RankedTensorType>(tensor.getType())); }

class BufferPlanner {
public:
  BufferPlanner(func::FuncOp main, const SymbolTable &symbols, Aliases aliases,
                function_ref<bool(ImplementationAttr)> bringsScratch, int64_t frameBytes, bool onDevice, bool decides)
      : main(main), symbols(symbols), bringsScratch(bringsScratch), frameBytes(frameBytes), onDevice(onDevice),
        decides(decides), plan(std::move(aliases)), aliases(plan.aliases), tokens(plan.places) {}

  FailureOr<BufferPlan> run();

  //===- For loops and branches -----------------------------------------------------------------------------------===//

  const Aliases &getAliases() const { return aliases; }
  Tokens &getTokens() { return tokens; }
  LogicalResult planBlock(Block &block, Scope &scope);
  Token *tokenOf(Value value) const { return tokens.of(aliases.rootOf(value)); }
  /// The token of `value` if whoever runs after `op` may overwrite it.
  Token *overwritable(Value value, Operation &op, Scope &scope) const;
  /// The tokens with which a block ends, one for each tensor among the values and all different: a value that the block
  /// does not own, or yields twice, is copied.
  SmallVector<Token *> takeYielded(ArrayRef<Value> values, Scope &scope, SmallVectorImpl<Copy> &copies);
  /// Slots that the block took from the arena and that live on in its tokens: whoever owns the block has to own them.
  static SmallVector<Slot *> takeSlotsToPromote(ArrayRef<Token *> yielded, Scope &scope);
  void record(Operation &op, ControlPlan &&control);
  /// Whether the device may decide what to do, if addresses are the same each time.
  bool decidesOnDevice() const { return decides; }
  /// Whether loops and branches leave a value of this size in the same place each time, and copy it if need be.
  bool hasOnePlace(int64_t bytes) const { return decides || hasScalar(bytes); }
  /// Whether values may take turns in memory that a loop hands on: a device's kernels wait for each other's then.
  bool mayTakeTurns() const { return !onDevice; }

private:
  bool hasScalar(int64_t bytes) const { return frameBytes > 0 && isScalar(bytes); }
  LogicalResult planOp(Operation &op, Scope &scope);
  LogicalResult planKernelCall(func::CallOp op, Scope &scope);
  void planConstant(Value constant, ElementsAttr elements);
  void planReturn(func::ReturnOp op, Scope &scope);
  bool lendResult(Family *family, int64_t result, int64_t bytes) const;
  void findAliases();
  bool mayAlias(BlockArgument argument, int64_t result, int64_t begin, const Place *place);
  bool worksInPlace(Operation &reader, BlockArgument argument, const Place *place) const;
  /// For a value that is about to be computed.
  Token *acquire(Scope &scope, Value value);
  void releaseDeadAfter(Operation &op, Scope &scope);
  bool reachesTerminator(Value value, int depth = 0) const;
  bool passesToTerminator(OpOperand &use, int depth) const;

  func::FuncOp main;
  const SymbolTable &symbols;
  function_ref<bool(ImplementationAttr)> bringsScratch;
  int64_t frameBytes;
  bool onDevice, decides;
  BufferPlan plan;
  const Aliases &aliases;
  Tokens tokens;
  DenseMap<Attribute, Place *> constants;
  DenseMap<Operation *, std::pair<int64_t, int64_t>> ticks; // of the schedule's outermost block: from and to
};

LogicalResult planLoop(BufferPlanner &planner, scf::WhileOp op, Scope &scope);
LogicalResult planBranches(BufferPlanner &planner, Operation &op, Scope &scope);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_BUFFERPLANNER_H
