// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `xla-simplify`.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H
#define MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::xla {

/// Powers with constant exponents become multiplications, divisions and square roots.
void populatePowerPatterns(RewritePatternSet &patterns);

/// A reverse of a kernel becomes one of the window.
void populateConvolutionFolds(RewritePatternSet &patterns);

/// Transposes move into and out of dot_general and through elementwise ops.
void populateTransposePatterns(RewritePatternSet &patterns);

/// Elementwise ops of concatenations become concatenations of theirs.
void populateConcatenatePatterns(RewritePatternSet &patterns);

/// Dimensions of size 1 leave elementwise ops, broadcasts, transposes, reductions and products.
void populateUnitDimPatterns(RewritePatternSet &patterns);

/// Writes short loops out, and contracts before a loop what it contracts slice by slice. True if anything changed.
bool simplifyLoops(Operation *program);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H
