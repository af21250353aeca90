// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reduce and reduce_window share: a generic whose body is the op's reduction computation.

#ifndef MLIR_XLA_LOWERING_LINALG_REDUCTION_H
#define MLIR_XLA_LOWERING_LINALG_REDUCTION_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::xla {

/// The loop nest of a reduction: `inputMap` gives the elements, `resultMap` the parallel loops. Where the inputs do not
/// determine the extent of the window's loops, `windowShape` and `windowMap` do.
struct ReductionLoops {
  AffineMap inputMap;
  AffineMap resultMap;
  SmallVector<int64_t> windowShape;
  AffineMap windowMap;

  int64_t getNumLoops() const { return inputMap.getNumDims(); }
};

/// Reduces `inputs` with `body` from the scalar tensors `inits`. Without reduction loops: `body(init, input)` once.
/// Fails, after an error, where the body has no scalar form.
FailureOr<SmallVector<Value>> buildRegionReduction(ConversionPatternRewriter &rewriter, Operation *op, Region &body,
                                                   ValueRange inputs, ValueRange inits, const ReductionLoops &loops);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LINALG_REDUCTION_H
