// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax(f(q k)) v as the code of one thread of a block. Values come from NestEmitter.

#ifndef MLIR_XLA_LOWERING_GPU_ATTENTIONEMITTER_H
#define MLIR_XLA_LOWERING_GPU_ATTENTIONEMITTER_H

#include "mlir_xla/lowering/gpu/SoftmaxEmitter.h"

namespace mlir::xla {

class AttentionEmitter : private SoftmaxEmitter {
public:
  using SoftmaxEmitter::SoftmaxEmitter;
  /// `plan` passes checkAttention.
  void emitAttention(const Attention &attention, const AttentionPlan &plan);

private:
  /// What a thread has of each of its rows while it goes through the keys.
  struct Running {
    SmallVector<Value> maximum, sum; // of a row; the sum is of the keys of this thread alone
    SmallVector<Value> values;       // [row][column]
    SmallVector<Value> all() const;
    static Running from(ValueRange all, int64_t rows);
  };

  void placeBlockOfRows();
  void placeRow(Value inBlock);
  void placeThreads();
  Value placeIn(const AttentionPanel &panel, Value row, Value column, int64_t constant = 0);
  Value loadGroup(Value place);
  void bring(const LoopNest &theNest, const AttentionPanel &panel, Value first);
  void copy(Value source, Value target, Value count = {});
  void bringPiece(const AttentionPanel &panel, Value first, Value row, Value columns);
  Value isTileRead(Value first);
  SmallVector<Value> emitScores(Value first);
  Value emitSoftmax(Value first, ArrayRef<Value> scores, Running &running);
  void emitProducts(Value isAny, Running &running);
  void emitResults(const Running &running);
  Value foldRow(Reduction &reduction, Value value);

  // Warps with tensor cores (AttentionWarps.cpp).
  void emitByWarps();
  void bringStage(Value first);
  Value stageOf(Value first);
  Fragments rowsOfStep(int64_t step);
  SmallVector<Value> multiplyScores(ArrayRef<Fragments> ofRows);
  Value softmaxOf(Value first, SmallVectorImpl<Value> &scores, Running &running);
  Value narrowPair(Value low, Value high);
  void multiplyValues(ArrayRef<Value> exponentials, Running &running);
  void writeResults(Running &running);

  const AttentionPlan *tiles = nullptr;
  Value firstRow;         // of the block
  Value column, rowGroup; // of this thread, among those of a row and those of a column
  SmallVector<Value> rowsInBlock;
  bool hasMask = false; // of which indices tell what it hides
  Value stage;          // with tensor cores, what keys and values are in
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_ATTENTIONEMITTER_H
