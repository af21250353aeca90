// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of patterns that `xla-simplify` runs.

#ifndef MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H
#define MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::xla {

/// Powers with constant exponents become multiplications, divisions and square roots.
void populatePowerPatterns(RewritePatternSet &patterns);

/// Transposes move into and out of dot_general and through elementwise ops.
void populateTransposePatterns(RewritePatternSet &patterns);

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_LEGALIZE_SIMPLIFYPATTERNS_H
