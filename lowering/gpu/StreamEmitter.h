// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of few rows as the code of one thread. Values come from NestEmitter.

#ifndef MLIR_XLA_LOWERING_GPU_STREAMEMITTER_H
#define MLIR_XLA_LOWERING_GPU_STREAMEMITTER_H

#include "mlir_xla/lowering/gpu/SoftmaxEmitter.h"
#include "mlir_xla/lowering/gpu/StreamPlan.h"

namespace mlir::xla {

class StreamEmitter : private SoftmaxEmitter {
public:
  using SoftmaxEmitter::SoftmaxEmitter;
  /// `plan` passes checkStream. Parts leave maxima, sums and sums of values in `scratch`.
  void emitStream(const Attention &attention, const StreamPlan &plan, Value scratch);
  /// What parts have left for the neighbouring results with the number `item`, combined.
  void emitCombination(const Attention &attention, const StreamPlan &plan, Value scratch, Value item);

private:
  /// What a thread has of the keys so far: the maximum of its row of scores, the sum of exponentials of its scores, and
  /// sums of values, [row][element].
  struct Running {
    Value maximum, sum;
    SmallVector<Value> values;
    SmallVector<Value> all() const;
    static Running from(ValueRange all);
  };
  /// What is known of the rows for some keys: exponentials are less the maximum.
  struct Part {
    Value maximum, sum, values;
  };

  void begin(const Attention &attention, const StreamPlan &plan, Value scratch);
  void placeBatch(Value batch);
  void placeBlock();
  SmallVector<Value> load(const LoopNest &theNest, ExprNode *factor, const StreamPieces &pieces);
  SmallVector<SmallVector<Value>> loadKeys(const LoopNest &theNest, ExprNode *factor, const StreamPieces &pieces,
                                           unsigned keyDim, Value first);
  void loadRows();
  Value swapped(Value value, int64_t distance);
  Value ofThread(Value value, int64_t number);
  Value ofRow(Value value, int64_t row);
  SmallVector<Value> scoresOf(ArrayRef<SmallVector<Value>> keys);
  Value maximumOf(Value first, Value end, MutableArrayRef<Value> scores);
  void takeKeys(Value first, Value end, Running &running);
  void findMask();
  Value isAnySeen(Value first, Value end);
  Value isAny(Value ofThread);
  Value leastMaximum(Value first, Value end);
  void meetInWarp(Running &running);
  void leaveInShared(const Running &running);
  Value swizzledColumn(Value column);
  Value columnsInShared(Value row, Value column);
  Part partInShared(Value warp, Value row, Value column);
  Part partInScratch(Value part, Value row, Value column);
  Value placeInScratch(int64_t which, Value part, Value row);
  Part combined(ArrayRef<Part> parts);
  Value exponential(Value score, Value shift);
  Value vectorOf(Value scalar);
  void emitResults();
  void finish(const Part &part);

  const StreamPlan *stream = nullptr;
  Value scratch;
  Value firstRow, part, batch; // of the block
  Value group, inGroup;        // of this thread: the number of its group in the block, and its own in that
  Value firstOfGroup;          // the lane, i32
  Value ownRow, ownKey;        // of this thread's scores
  SmallVector<Value> isUpper;  // for each bit of `inGroup`
  SmallVector<Value> rowsInBlock;
  SmallVector<SmallVector<Value>> queries; // [row][step]
  bool isLow = false;                      // exponentials may be approximate
  ExprNode *hidden = nullptr;              // the score where a mask hides it, if that is worth a question
  ExprNode *condition = nullptr;           // of the choice between that and the product
  bool isSeenIf = true;                    // what the condition is where it does not hide
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_STREAMEMITTER_H
