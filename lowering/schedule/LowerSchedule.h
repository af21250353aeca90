// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewriting of the schedule from tensors to pointers.
//
// Memory is handed around by *tokens*: whoever holds a token owns one buffer and may write to it. A tensor value of the
// old schedule holds a token from its definition to its last use; a kernel that works in place passes its argument's
// token on to its result. A loop takes the tokens of the values it carries and gives tokens back, together with the
// spare ones it needed, each time in some order: which buffer a token stands for is then known only at run time, but
// all of them together stand for the same set of buffers. Such tokens form a *family*, whose buffers are freed
// together.

#ifndef MLIR_XLA_LOWERING_SCHEDULE_LOWERSCHEDULE_H
#define MLIR_XLA_LOWERING_SCHEDULE_LOWERSCHEDULE_H

#include "mlir_xla/lowering/schedule/Passes.h"
#include "mlir_xla/lowering/schedule/BufferPlan.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include <deque>

namespace mlir::xla {

struct Scope;

/// A buffer of fixed place: in the arena, or a result of the program.
struct Slot : PlannedBuffer {
  Value pointer;   // a placeholder in the entry block until the plan is made
  int result = -1; // the program's result that it is
};

struct Family {
  SmallVector<Slot *, 1> slots;
  int live = 0;         // tokens that hold a value
  bool carried = false; // includes buffers that an enclosing loop or branch owns
  Family *mergedInto = nullptr;
};

struct Token {
  Value pointer;
  int64_t bytes = 0;
  Scope *owner = nullptr; // null: may be read only
  Value holder;           // the old tensor value in it; null when free
  Family *family = nullptr;
  ElementsAttr constant; // what a read-only token holds, if known
};

/// A block of the old schedule that is being rewritten: the function, a side of a loop, a branch.
struct Scope {
  SmallVector<Token *> free; // tokens that must be given back, and may be used again meanwhile
};

class ScheduleLowering {
public:
  ScheduleLowering(ModuleOp module, func::FuncOp main, int64_t threads);

  /// Replaces `main`. Errors are reported at the op that cannot be lowered.
  LogicalResult run();

private:
  // --- LowerSchedule.cpp: blocks and simple ops
  void delayOverwrites(Block &block);
  void findAliases();
  void alias(Value value, Value of);
  Value rootOf(Value value) const { return roots.lookup_or(value, value); }
  LogicalResult lowerBlock(Block &block, Scope &scope);
  LogicalResult lowerOp(Operation &op, Scope &scope);
  LogicalResult lowerConstant(arith::ConstantOp op);
  LogicalResult lowerExtract(Operation &op);
  LogicalResult lowerReturn(func::ReturnOp op, Scope &scope);
  void finish();

  // --- LowerSchedule.cpp: tokens
  Slot *createSlot(int64_t bytes, int64_t begin);
  Token *createToken(Value pointer, int64_t bytes, Scope *owner, Family *family);
  Token *tokenOf(Value value) const { return tokens.lookup(rootOf(value)); }
  static Family *familyOf(Token *token);
  /// A token nobody holds: one of the scope's free ones if that is wished and possible, else of a new buffer.
  Token *take(Scope &scope, int64_t bytes, bool fromFree);
  /// For a value that is about to be computed.
  Token *acquire(Scope &scope, Value value);
  void hold(Token *token, Value value);
  /// The holder hands the token to someone else.
  void letGo(Token *token);
  /// Nobody needs what is in the buffer.
  void release(Token *token);
  void giveBack(Token *token);
  void merge(Family *into, Token *token);
  bool isUnused(Value root) const;
  void releaseDeadAfter(Operation &op, Scope &scope);
  bool isDeadAfter(Value root, Operation &op) const;
  bool isUsedInside(Value root, Operation &op) const;
  bool reachesTerminator(Value value, int depth = 0) const;
  /// The token of `value` if whoever runs after `op` may overwrite it.
  Token *overwritable(Value value, Operation &op, Scope &scope) const;
  void copy(Token *to, Token *from);

  // --- LowerControlFlow.cpp
  LogicalResult lowerWhile(scf::WhileOp op, Scope &scope);
  LogicalResult lowerBranches(Operation &op, Scope &scope);
  SmallVector<Token *> takeYielded(ArrayRef<Value> values, Scope &scope);
  SmallVector<Slot *> takeSlotsToPromote(ArrayRef<Token *> yielded, Scope &scope);
  Token *takeInit(Value value, Operation &op, Scope &scope);

  // --- LowerCalls.cpp
  LogicalResult lowerKernelCall(func::CallOp op, Scope &scope);
  LogicalResult lowerCustomCall(Operation &op, Scope &scope);
  void emitParallelCall(Location loc, func::FuncOp kernel, func::FuncOp impl, ValueRange operands, int64_t work,
                        int64_t grain, int64_t scratch);
  func::FuncOp taskOf(func::FuncOp kernel, func::FuncOp impl, bool hasScratch);

  // --- small helpers
  Value pointerAt(Location loc, Value array, int64_t index);
  Value loadPointer(Location loc, Value array, int64_t index);
  Value indexConstant(Location loc, int64_t value);
  Value i64Constant(Location loc, int64_t value);
  func::FuncOp runtimeFunction(StringRef name, TypeRange arguments);
  Value stringGlobal(Location loc, StringRef text);
  /// A block on the stack, in the entry block so that loops do not grow the stack.
  Value stackSlot(Location loc, int64_t words);

  ModuleOp module;
  func::FuncOp oldMain, newMain;
  MLIRContext *context;
  int64_t threads;
  SymbolTable symbols;
  OpBuilder builder;
  Type pointerType;
  Value argumentArray, resultArray, arena;
  Block *entry = nullptr;

  DenseMap<Value, Value> roots;                // views and the like -> the value whose buffer they are
  DenseMap<Value, SmallVector<Value>> members; // the inverse, the root included
  DenseMap<Value, Token *> tokens;             // by root
  IRMapping scalars;                           // old -> new values that are not tensors
  DenseMap<Attribute, Token *> constants;
  DenseMap<int64_t, Value> indexConstants, i64Constants;
  llvm::StringMap<LLVM::GlobalOp> strings;
  LLVM::AllocaOp stackArray;

  std::deque<Slot> slotStorage;
  std::deque<Token> tokenStorage;
  std::deque<Family> familyStorage;
  int64_t tick = 0;
  Location here; // of the op being lowered
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_SCHEDULE_LOWERSCHEDULE_H
