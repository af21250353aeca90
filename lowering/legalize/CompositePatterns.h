// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of patterns that `xla-decompose-composites` runs besides its own.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_COMPOSITEPATTERNS_H
#define MLIR_XLA_LOWERING_LEGALIZE_COMPOSITEPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::xla {

/// Numbers of a distribution become a formula of random bits.
void populateRandomNumberPatterns(RewritePatternSet &patterns);
/// Ragged contractions become loops over groups.
void populateRaggedDotPatterns(RewritePatternSet &patterns);
/// Scans become cumulative reductions, or else loops.
void populateScanPatterns(RewritePatternSet &patterns);
/// Scatters of many updates into few elements are split into parts, which are combined.
void populateScatterPatterns(RewritePatternSet &patterns, bool device);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_COMPOSITEPATTERNS_H
