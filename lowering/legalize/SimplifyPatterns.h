// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `xla-simplify`.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H
#define MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H

#include "mlir_xla/dialect/XlaOps.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::xla {

/// Powers with constant exponents become multiplications, divisions and square roots, and angles of points (1, y) arcus
/// tangents.
void populateConstantOperandPatterns(RewritePatternSet &patterns);

/// A reverse of a kernel becomes one of the window.
void populateConvolutionFolds(RewritePatternSet &patterns);

/// Transposes move into and out of dot_general and through elementwise ops.
/// For a `device`, also out of loops.
void populateTransposePatterns(RewritePatternSet &patterns, bool device);

/// Elementwise ops of concatenations become concatenations of theirs, and columns are stacked as what takes less time.
void populateConcatenatePatterns(RewritePatternSet &patterns, bool device);

/// Reductions along stacks become elementwise ops of the parts.
void populateStackedReductionPatterns(RewritePatternSet &patterns);

/// Scatters of one window become slices, and choices between an array and it with a window updated those of the window.
void populateWindowPatterns(RewritePatternSet &patterns);

/// Comparisons and bounds of integers that come out alike for all values they may have.
void populateRangePatterns(RewritePatternSet &patterns);

/// Sums of multiples of indices that number elements in the order of memory.
void populateIotaPatterns(RewritePatternSet &patterns);

/// Convolutions by transforms of lines that are padded with zeros have lengths that transforms are fast for.
void populateTransformPatterns(RewritePatternSet &patterns);

/// Dimensions of size 1 leave elementwise ops, broadcasts, transposes, reductions and products.
void populateUnitDimPatterns(RewritePatternSet &patterns);

/// Computes before the loop what its iterations would compute alike, if that takes longer than reading it. True if
/// there was such.
bool hoistInvariants(WhileOp loop);

/// Is `factor`, the right operand of `dot` or a transpose of it, a matrix from outside of the loop whose body holds
/// `dot`, so small and read by so many rows that the loop is worth a copy whose columns are neighbours?
bool isFactorOfLoop(DotGeneralOp dot, Value factor);

/// Transposes such matrices before the loop, where each iteration would read them across. True if there were such.
bool transposeFactors(WhileOp loop);

/// Begins what the loop stacks up with products of which it reads the same slices, and nobody else anything. True if
/// there were such.
bool stackInPlace(WhileOp loop);

/// Writes short loops out, and computes before a loop what its iterations have in common, or contract slice by slice.
/// With `sinksProducts`, slices stay where that takes no longer, unless something else takes the memory of the
/// products. For a `device`, products of what is concatenated are done part by part, if some of them need not be in the
/// loop, and what a loop stacks up has memory of its own. True if anything changed.
bool simplifyLoops(Operation *program, bool sinksProducts, bool device);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H
