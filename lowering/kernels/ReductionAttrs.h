// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels stage knows about a reduction beyond its operation.

#ifndef MLIR_XLA_LOWERING_KERNELS_REDUCTIONATTRS_H
#define MLIR_XLA_LOWERING_KERNELS_REDUCTIONATTRS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::xla {

/// On the first of two steps of a reduction: the numbers of the results that nothing reads but the second step, which
/// does not pass them on (the values of an argmax, of which only the indices are wanted).
inline constexpr llvm::StringLiteral kUnreadResultsAttr = "xla.unread";

} // namespace mlir::xla

#endif // MLIR_XLA_LOWERING_KERNELS_REDUCTIONATTRS_H
