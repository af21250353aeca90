// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all kinds of attention compute of a score, as the code of one thread.

#ifndef MLIR_XLA_LOWERING_GPU_SOFTMAXEMITTER_H
#define MLIR_XLA_LOWERING_GPU_SOFTMAXEMITTER_H

#include "mlir_xla/lowering/gpu/AttentionPlan.h"
#include "mlir_xla/lowering/gpu/BlockEmitter.h"

namespace mlir::xla {

class SoftmaxEmitter : protected BlockEmitter {
protected:
  using BlockEmitter::BlockEmitter;

  void bindDim(unsigned dim, Value index);
  Value negativeInfinity();
  /// A score that the program has rounded, in f32.
  Value widened(Value score);
  /// What is emitted between is one element of the nest, of that row and key.
  void openElement(LoopNest *ofElements, Value row, Value key);
  void closeElement();
  /// What is computed of a sum of products of that row and key.
  Value scoreOf(Value sum, Value row, Value key);
  /// What scores are taken less: 0 for a row of which all so far are negative infinities.
  Value shiftOf(Value maximum);
  Value exponentialOf(Value score, Value shift);
  Value lowExponentialOf(Value score, Value shift);
  /// What is computed of an exponential of that row and key, as of its quotient; 0 if that is not `isInside`.
  Value weightOf(Value exponential, Value row, Value key, Value isInside = {});
  /// What a sum of values, of which exponentials are the weights, is by quotients, whose divisor is `total`. That is 0
  /// or undefined if the quotients are not defined; `ifUndefined` is the sum of what is computed of such.
  Value quotientOf(Value values, Value total, Value ifUndefined);
  /// The sum of what is computed of the quotients of a row, which are not defined if `total` is 0 or undefined: 0 if
  /// all `keys` are dropped, else undefined. No value if the program drops no weights. Such rows are rare.
  Value weightsOfUndefined(Value total, Value row, int64_t keys);
  /// What scores are that a mask hides: the other side of the one choice that reads a product, if that is a constant.
  ExprNode *hiddenScore() const;
  /// Whether a hidden score would change what this thread has: not if its exponential is zero beside the greatest
  /// score so far, nor if that is undefined, as the row is then. What would not, never will.
  Value mayCount(ExprNode *hidden, ArrayRef<Value> maxima);

  const Attention *form = nullptr;
  const NestPlan scalar = NestPlan(); // of what is computed one by one
};

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_GPU_SOFTMAXEMITTER_H
